/**
 * An answer for an origin, ready to judge: the rules of its file, or "everything" or "nothing".
 * Reader makes it from a RobotsAccess; RobotsSource, RobotsClient, Judge and Visits use it. Large files are
 * worked on in steps, and huge ones in a thread of their own, as a site decides how long that takes.
 */

import type {
	Access,
	Agent,
	Explanation,
	Matcher,
	RobotsIndex,
	Rules,
} from "robotrie";
import { type ParseOptions, RobotrieError, RobotsTxt, Verdict } from "robotrie";
import { type RobotsAccess, rulesOf } from "robotrie/access";
import { prepareProgram } from "robotrie/internal";
import type { Steps } from "#robotrie/common/steps";
import { isAbsoluteUrl } from "#robotrie/common/urls";
import { type Limits, limitsOf } from "../common/pace.ts";
import { bySize, inTurns } from "../common/turns.ts";
import { type Answers, askThread, type Question } from "./file-thread.ts";

/** What an origin's robots.txt means, ready to judge. */
export interface Known {
	readonly access: RobotsAccess;
	/** The file whose rules apply; null if no file decides. */
	readonly robots: RobotsTxt | null;
	/** The same for an index, which compiles it to a form of its own. */
	readonly rules: Rules;
	/** Whether judging a URL may take long: URLs are then judged one at a time. */
	readonly isDear: boolean;
	/** The compact program of dear rules that are so many that a thread judges by them; undefined for others, and before `prepare`. */
	readonly apart: Uint8Array | undefined;
	/** Has `rules` ready for an index: undefined if there is no more to do than it does itself, within a few milliseconds. */
	prepare(index: RobotsIndex): Promise<void> | undefined;
	/** Verdicts by the rules for a crawler, the client's if none is named. */
	verdicts(urls: readonly string[], agent?: Agent): Promise<Uint8Array>;
	/** The explanation of a verdict; its reason is that of the access where no file decides. */
	explain(url: string): Promise<Explanation>;
	/** How fast the file asks the crawler to come. */
	limits(): Promise<Limits>;
	sitemaps(): Promise<readonly string[]>;
}

/** Without a file to read. */
class KnownState implements Known {
	readonly access: RobotsAccess;
	readonly robots = null;
	readonly isDear = false;
	readonly apart = undefined;
	readonly rules: Access;
	readonly #matcher: Matcher;

	constructor(access: RobotsAccess, rules: Access, matcher: Matcher) {
		this.access = access;
		this.rules = rules;
		this.#matcher = matcher;
	}

	prepare(): undefined {}

	async verdicts(urls: readonly string[]): Promise<Uint8Array> {
		return this.#matcher.matchMany(urls);
	}

	async explain(url: string): Promise<Explanation> {
		const [verdict] = await verdictsOf(this, [url]);
		const allowed = verdict === Verdict.Allowed;
		const { reason } = this.access;
		return { allowed, rule: null, group: null, reason };
	}

	async limits(): Promise<Limits> {
		return limitsOf({ delay: undefined, rates: [], window: undefined });
	}

	async sitemaps(): Promise<readonly string[]> {
		return [];
	}
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
		const rules = rulesOf(access);
		if (rules === "disallow-all" || rules === "later")
			return new KnownState(access, rules, this.#nothingAllowed);
		if (access.access === "allow-all" || !access.copy)
			return new KnownState(access, "allow-all", this.#allAllowed);
		const { body, url } = access.copy;
		const robots = RobotsTxt.parse(body, {
			...this.#options,
			...locationOf(url),
		});
		return new KnownFile(access, robots, this.#agent, this.#options.maxBytes);
	}

	/** An answer whose rules are more than a program holds. What they forbid is not known, so nothing is allowed. */
	readWithoutRules(access: RobotsAccess, why: string): Known {
		const reason = `Nothing is allowed, as the rules of the file cannot be judged: ${why}.`;
		return this.read({
			...access,
			access: "disallow-all",
			code: "too-large",
			reason,
		});
	}
}

/**
 * Bytes of a file that a thread of its own works on. Fewer are done in steps of which the longest takes some milliseconds, without
 * the 50 milliseconds that a thread takes to start.
 */
const HUGE = 512_000;

/** Each may cost a search through a URL; of real files, one in some thousands has so many. */
const MANY_WILDCARDS = 256;
const STAR = 0x2a;

function hasManyWildcards(file: Uint8Array = new Uint8Array(0)): boolean {
	let left = MANY_WILDCARDS;
	for (let at = file.indexOf(STAR); at >= 0; at = file.indexOf(STAR, at + 1))
		if (--left === 0) return true;
	return false;
}

/** Bytes of lines that are made texts in a step. */
const LINES = 32 * 1024;
const LF = 10;

/**
 * As a class: an object with a getter of its own takes several times the memory. There is one for
 * every origin that a call waits for.
 */
class KnownFile implements Known {
	readonly access: RobotsAccess;
	readonly robots: RobotsTxt;
	apart: Uint8Array | undefined;
	readonly #agent: Agent;
	readonly #maxBytes: number | undefined;

	constructor(
		access: RobotsAccess,
		robots: RobotsTxt,
		agent: Agent,
		maxBytes: number | undefined,
	) {
		this.access = access;
		this.robots = robots;
		this.#agent = agent;
		this.#maxBytes = maxBytes;
	}

	get rules(): RobotsTxt {
		return this.robots;
	}

	get isDear(): boolean {
		return hasManyWildcards(this.access.copy?.body);
	}

	prepare(index: RobotsIndex): Promise<void> | undefined {
		return this.robots.isLarge ? this.#prepare(index) : undefined;
	}

	async #prepare(index: RobotsIndex): Promise<void> {
		const program = await this.#ask({ call: "compact" });
		if (!program) {
			await inTurns(this.robots.compactSteps(this.#agent), true);
			return;
		}
		if (this.isDear) {
			this.apart = program;
			return;
		}
		prepareProgram(this.robots, this.#agent, program);
		await bySize(index.roomSteps(program.length), program.length);
	}

	async verdicts(
		urls: readonly string[],
		agent = this.#agent,
	): Promise<Uint8Array> {
		const found = await this.#ask({ call: "verdicts", urls }, agent);
		if (found) return found;
		const { robots } = this;
		const matcher = await inTurns(robots.matcherSteps(agent), robots.isLarge);
		return matcher.matchMany(urls);
	}

	async explain(url: string): Promise<Explanation> {
		try {
			return await this.#explain(url);
		} catch (error) {
			if (!isLimit(error)) throw error;
			// A program that names rules takes more room than one that judges.
			const [verdict] = await this.verdicts([url]);
			const allowed = verdict === Verdict.Allowed;
			const reason = `No rule is named, as the rules of the file are too many: ${error.message}.`;
			return { allowed, rule: null, group: null, reason };
		}
	}

	async #explain(url: string): Promise<Explanation> {
		const { robots } = this;
		const found = await this.#ask({ call: "explain", url });
		if (!found)
			return inTurns(robots.explainSteps(url, this.#agent), robots.isLarge);
		const { explanation, agents } = found;
		const { group } = explanation;
		if (!group) return explanation;
		return {
			...explanation,
			group: { ...group, agents: await inTurns(textsOf(agents)) },
		};
	}

	async limits(): Promise<Limits> {
		return (
			(await this.#ask({ call: "limits" })) ??
			limitsOf(await inTurns(this.robots.paceSteps(this.#agent)))
		);
	}

	async sitemaps(): Promise<readonly string[]> {
		const found = await this.#ask({ call: "sitemaps" });
		return inTurns(found ? textsOf(found) : this.robots.sitemapSteps());
	}

	/** Asks the thread; undefined where the file is not huge or there is no thread. */
	async #ask<Asked extends Question>(
		question: Asked,
		agent = this.#agent,
	): Promise<Answers[Asked["call"]] | undefined> {
		const { copy } = this.access;
		const maxBytes = this.#maxBytes;
		const size = Math.min(copy?.body.length ?? 0, maxBytes ?? HUGE * 1000);
		if (!copy || size <= HUGE) return undefined;
		const source = {
			bytes: copy.body,
			maxBytes,
			url: locationOf(copy.url).url ?? "",
		};
		return askThread(this.robots, source, agent, question);
	}
}

function isLimit(error: unknown): error is RobotrieError {
	return error instanceof RobotrieError && error.code === "limit-exceeded";
}

/** The option `url` of `RobotsTxt.parse`, where an answer says where it came from. */
export function locationOf(url: string): { readonly url?: string } {
	return isAbsoluteUrl(url) ? { url } : {};
}

/** Texts, each with a line feed after it, in steps. */
function* textsOf(bytes: Uint8Array): Steps<string[]> {
	const decoder = new TextDecoder("utf-8", { ignoreBOM: true });
	const texts: string[] = [];
	for (let from = 0; from < bytes.length; ) {
		const feed = bytes.indexOf(LF, from + LINES);
		const to = feed < 0 ? bytes.length - 1 : feed;
		const some = decoder.decode(bytes.subarray(from, to)).split("\n");
		for (const text of some) texts.push(text);
		from = to + 1;
		yield;
	}
	return texts;
}

/** Whether nothing is known of the origin's robots.txt because it was not to be asked for: URLs get no verdict of it. */
export function isRefused({ code }: RobotsAccess): boolean {
	return code === "address-refused";
}

/**
 * Verdicts for URLs of the origin, as an index gives them: Later for those of one that is to be asked again. Unknown for those of one that
 * was not to be asked.
 */
export async function verdictsOf(
	known: Known,
	urls: readonly string[],
): Promise<Uint8Array> {
	const verdicts = await known.verdicts(urls);
	if (isRefused(known.access))
		return verdicts.map((verdict) =>
			verdict === Verdict.Invalid ? verdict : Verdict.Unknown,
		);
	if (known.rules === "later")
		return verdicts.map((verdict) =>
			verdict === Verdict.Disallowed ? Verdict.Later : verdict,
		);
	return verdicts;
}
