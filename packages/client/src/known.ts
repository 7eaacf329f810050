/**
 * An answer for an origin, ready to judge: the rules of its file, or "everything" or "nothing".
 * Reader makes it from a RobotsAccess; RobotsSource, Judge and Visits use it. Large files are
 * compiled in steps, as a site decides how long that takes.
 */

import type { Access, Agent, Matcher, Rules } from "robotrie";
import { type ParseOptions, RobotsTxt, Verdict } from "robotrie";
import type { RobotsAccess } from "robotrie/access";
import type { Steps } from "robotrie/internal";

/** What an origin's robots.txt means, ready to judge. */
export interface Known {
	readonly access: RobotsAccess;
	/** The file whose rules apply; null if no file decides. */
	readonly robots: RobotsTxt | null;
	/** The same for an index, which compiles it to a form of its own. */
	readonly rules: Rules;
	/** Compiled when it is asked for, in steps. */
	matcher(): Steps<Matcher>;
	/** Has `rules` ready for an index: undefined if there is no more to do than it does itself, within a few milliseconds. */
	prepare(): Steps<void> | undefined;
}

/** Without a file to read. */
class KnownState implements Known {
	readonly access: RobotsAccess;
	readonly robots = null;
	readonly rules: Access;
	readonly #matcher: Matcher;

	constructor(access: RobotsAccess, rules: Access, matcher: Matcher) {
		this.access = access;
		this.rules = rules;
		this.#matcher = matcher;
	}

	// biome-ignore lint/correctness/useYield: it is compiled once for all.
	*matcher(): Steps<Matcher> {
		return this.#matcher;
	}

	prepare(): undefined {}
}

/**
 * Reads answers for a crawler. The two states without a file are compiled once: most answers are
 * one of them.
 */
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
			return new KnownState(access, "disallow-all", this.#nothingAllowed);
		if (access.access === "allow-all" || !access.copy)
			return new KnownState(access, "allow-all", this.#allAllowed);
		const robots = RobotsTxt.parse(access.copy.body, this.#options);
		return new KnownFile(access, robots, this.#agent);
	}
}

/**
 * As a class: an object with a getter of its own takes several times the memory. There is one for
 * every origin that a call waits for.
 */
class KnownFile implements Known {
	readonly access: RobotsAccess;
	readonly robots: RobotsTxt;
	readonly #agent: Agent;

	constructor(access: RobotsAccess, robots: RobotsTxt, agent: Agent) {
		this.access = access;
		this.robots = robots;
		this.#agent = agent;
	}

	get rules(): RobotsTxt {
		return this.robots;
	}

	matcher(): Steps<Matcher> {
		return this.robots.matcherSteps(this.#agent);
	}

	prepare(): Steps<void> | undefined {
		return this.robots.isLarge
			? this.robots.compactSteps(this.#agent)
			: undefined;
	}
}

/** Whether nothing is known of the origin's robots.txt because it was not to be asked for: URLs get no verdict of it. */
export function isRefused({ code }: RobotsAccess): boolean {
	return code === "address-refused";
}

/** Verdicts for URLs of the origin; Unknown for those of one that was not to be asked. */
export function* verdictsOf(
	known: Known,
	urls: readonly string[],
): Steps<Uint8Array> {
	const matcher = yield* known.matcher();
	const verdicts = matcher.matchMany(urls);
	if (!isRefused(known.access)) return verdicts;
	return verdicts.map((verdict) =>
		verdict === Verdict.Invalid ? verdict : Verdict.Unknown,
	);
}
