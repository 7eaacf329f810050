import type { Agent, Matcher, Rules } from "robotrie";
import { type ParseOptions, RobotsTxt, Verdict } from "robotrie";
import type { RobotsAccess } from "robotrie/access";

/** What an origin's robots.txt means, ready to judge. */
export interface Known {
	readonly access: RobotsAccess;
	/** The file whose rules apply; null if no file decides. */
	readonly robots: RobotsTxt | null;
	/** The same for an index, which compiles it to a form of its own. */
	readonly rules: Rules;
	/** Compiled when it is asked for. */
	readonly matcher: Matcher;
}

/** Reads answers for a crawler. */
export class Reader {
	readonly #agent: Agent;
	readonly #options: ParseOptions;
	readonly #allAllowed: Matcher;
	readonly #nothingAllowed: Matcher;

	constructor(agent: Agent, { maxBytes, ...options }: ParseOptions) {
		this.#agent = agent;
		this.#options = {
			...options,
			...(maxBytes === undefined ? {} : { maxBytes }),
		};
		this.#allAllowed = RobotsTxt.parse("", options).for(agent);
		// For "*", as some crawlers do not obey its groups.
		this.#nothingAllowed = RobotsTxt.parse(
			"User-agent: *\nDisallow: /",
			options,
		).for("*");
	}

	read(access: RobotsAccess): Known {
		if (access.access === "disallow-all")
			return {
				access,
				robots: null,
				rules: "disallow-all",
				matcher: this.#nothingAllowed,
			};
		if (access.access === "allow-all" || !access.copy)
			return {
				access,
				robots: null,
				rules: "allow-all",
				matcher: this.#allAllowed,
			};
		const robots = RobotsTxt.parse(access.copy.body, this.#options);
		return new KnownFile(access, robots, this.#agent);
	}
}

/** As a class: an object with a getter of its own takes several times the memory. */
class KnownFile implements Known {
	readonly access: RobotsAccess;
	readonly robots: RobotsTxt;
	readonly #agent: Agent;
	#matcher: Matcher | undefined;

	constructor(access: RobotsAccess, robots: RobotsTxt, agent: Agent) {
		this.access = access;
		this.robots = robots;
		this.#agent = agent;
	}

	get rules(): RobotsTxt {
		return this.robots;
	}

	get matcher(): Matcher {
		this.#matcher ??= this.robots.for(this.#agent);
		return this.#matcher;
	}
}

/** Whether nothing is known of the origin's robots.txt because it was not to be asked for: URLs get no verdict of it. */
export function isRefused({ code }: RobotsAccess): boolean {
	return code === "address-refused";
}

/** Verdicts for URLs of the origin; Unknown for those of one that was not to be asked. */
export function verdictsOf(
	{ access, matcher }: Known,
	urls: readonly string[],
): Uint8Array {
	const verdicts = matcher.matchMany(urls);
	if (!isRefused(access)) return verdicts;
	return verdicts.map((verdict) =>
		verdict === Verdict.Invalid ? verdict : Verdict.Unknown,
	);
}
