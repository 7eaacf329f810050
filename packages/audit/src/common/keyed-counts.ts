/**
 * Counts of one crawler by text (paths, directories, addresses), by rule and by version of robots.txt. Unlike CountTable's numbers these
 * are met rarely, so plain Maps and objects do. Each has an append for the lines that follow and must give the same result as if all lines
 * had been counted at once. `PathNames` gives the paths that a segment counts by number their names.
 */

import { OUTCOME_INVALID, OUTCOME_ROBOTS_TXT } from "../../assembly/format.ts";

/**
 * How often each text came, in the order of first appearance. Keeps the first `most` texts, so that
 * memory is bounded. Which texts are kept depends on the order of lines, so segments are appended
 * in that order.
 */
export class TextCounts {
	/** Undefined without texts: most crawlers come once, and have none. */
	#counts: Map<string, number> | undefined;
	readonly #most: number;
	/** Requests with texts that are not counted by themselves. */
	others: number;

	/** @param most Texts that are counted by themselves; all later ones are counted together. */
	constructor(most = Number.POSITIVE_INFINITY, others = 0) {
		this.#most = most;
		this.others = others;
	}

	get size(): number {
		return this.#counts?.size ?? 0;
	}

	/** Adds to the count of a text, or to the others if there are too many texts. */
	add(text: string, count: number): void {
		const known = this.#counts?.get(text);
		if (known !== undefined || this.size < this.#most) {
			this.#counts ??= new Map();
			this.#counts.set(text, (known ?? 0) + count);
		} else this.others += count;
	}

	/** Adds the counts of the lines that follow. Texts beyond the limit are those that came last, wherever the log was cut. */
	append(next: TextCountsData): void {
		// `next` may be a view of a packed segment; it is read once and not kept.
		for (const [text, count] of next.counts) this.add(text, count);
		this.others += next.others;
	}

	/** Valid until more are added. */
	toData(): TextCountsData {
		return { counts: this.#counts ?? NOTHING, others: this.others };
	}
}

const NOTHING: readonly (readonly [string, number])[] = [];

/** TextCounts as plain data. */
export interface TextCountsData {
	readonly counts: Iterable<readonly [text: string, count: number]>;
	readonly others: number;
}

/** How often a rule was broken, and by which requests. */
export interface RuleCount {
	/** Index in `RuleBook.versions`. */
	readonly version: number;
	/** Line of the rule in the file, from 1. */
	readonly line: number;
	readonly pattern: string;
	count: number;
	/** The first EXAMPLES different targets, as the log has them. */
	readonly examples: string[];
}

/**
 * Targets that a report shows for a rule. Enough to see what a rule caught; a report with all of
 * them would be a copy of the log.
 */
export const EXAMPLES = 3;

/** No robots.txt has as many lines, as a matcher has fewer bytes. */
export const LINES = 2 ** 30;

/**
 * A rule's key for maps: a number, which hashes faster than a text. Lines are below 2 ** 30 and
 * versions few, so the sum is an integer that a double holds exactly.
 */
export function ruleKey(version: number, line: number): number {
	return version * LINES + line;
}

/** Adds a target to a rule's examples, unless there are enough or it is among them. */
export function addExample(rule: RuleCount, example: string): void {
	if (rule.examples.length < EXAMPLES && !rule.examples.includes(example))
		rule.examples.push(example);
}

/** Requests of a crawler under one version of robots.txt. */
export interface VersionCounts {
	/** Index in `RuleBook.versions`. */
	readonly version: number;
	requests: number;
	robotsTxt: number;
	allowed: number;
	disallowed: number;
	/** Requests after the first one for this version of robots.txt, in the order of lines. */
	allowedAfter: number;
	disallowedAfter: number;
	/** Times of the first request and of the first one for robots.txt; Infinity without one. */
	firstSeen: number;
	firstFetch: number;
}

/** Counters of a version, all zero. */
export function newVersionCounts(version: number): VersionCounts {
	return {
		version,
		requests: 0,
		robotsTxt: 0,
		allowed: 0,
		disallowed: 0,
		allowedAfter: 0,
		disallowedAfter: 0,
		firstSeen: Number.POSITIVE_INFINITY,
		firstFetch: Number.POSITIVE_INFINITY,
	};
}

/** Adds the counts of the lines that follow: if robots.txt was fetched before them, all their requests come after it. */
export function appendVersion(to: VersionCounts, next: VersionCounts): void {
	const isFetched = to.robotsTxt > 0;
	to.allowedAfter += isFetched ? next.allowed : next.allowedAfter;
	to.disallowedAfter += isFetched ? next.disallowed : next.disallowedAfter;
	sumVersion(to, next);
}

/** Adds the counts that do not depend on the order of lines. */
export function sumVersion(to: VersionCounts, next: VersionCounts): void {
	to.requests += next.requests;
	to.robotsTxt += next.robotsTxt;
	to.allowed += next.allowed;
	to.disallowed += next.disallowed;
	to.firstSeen = Math.min(to.firstSeen, next.firstSeen);
	to.firstFetch = Math.min(to.firstFetch, next.firstFetch);
}

/** Counts a request; `outcome` is the scanner's (ENTRY_OUTCOME): an encoded rank, even for Disallow, or OUTCOME_. */
export function countVersion(
	counts: VersionCounts,
	time: number,
	outcome: number,
): void {
	counts.requests++;
	if (time < counts.firstSeen) counts.firstSeen = time;
	if (outcome === OUTCOME_ROBOTS_TXT) {
		counts.robotsTxt++;
		if (time < counts.firstFetch) counts.firstFetch = time;
		// An invalid target is neither allowed nor disallowed: no rule saw it.
	} else if (outcome !== OUTCOME_INVALID) {
		const isDisallowed = outcome > 0 && (outcome & 1) === 0;
		const isAfter = counts.robotsTxt > 0;
		if (isDisallowed) counts.disallowed++;
		else counts.allowed++;
		if (isAfter && isDisallowed) counts.disallowedAfter++;
		else if (isAfter) counts.allowedAfter++;
	}
}

/**
 * The paths of a segment by number: the module numbers them from 1; those for which it has no room
 * are numbered here, from -1 down. The module has room for about 8,000 paths of a segment; numbers
 * from -1 down cannot collide with its own.
 */
export class PathNames {
	readonly #paths: (string | undefined)[] = [];
	readonly #numbers = new Map<string, number>();

	/** Forgets all paths, as the module does when a segment begins. */
	clear(): void {
		this.#paths.length = 0;
		this.#numbers.clear();
	}

	get size(): number {
		return this.#paths.length + this.#numbers.size;
	}

	/** Whether a number of the module's has a path already; 0 means that it gave none. */
	has(number: number): boolean {
		return number !== 0 && this.#paths[number] !== undefined;
	}

	/** The number of a path, given what the module gave it. */
	enter(number: number, path: string): number {
		if (number !== 0) {
			this.#paths[number] = path;
			return number;
		}
		let own = this.#numbers.get(path);
		if (own === undefined) {
			own = -1 - this.#numbers.size;
			// A Map keeps the order of entry, so that `names` can find a path by its number.
			this.#numbers.set(path, own);
		}
		return own;
	}

	/** Gives each number its path. */
	names(): (number: number) => string {
		const own = [...this.#numbers.keys()];
		return (number) =>
			withoutOrigin(
				(number < 0 ? own[-1 - number] : this.#paths[number]) ?? "",
			);
	}
}

/** The path of a target; those of proxies are absolute URLs. */
function withoutOrigin(target: string): string {
	if (target.startsWith("/")) return target;
	const path = target.replace(/^[a-z][a-z\d+.-]*:\/\/[^/]*/i, "");
	return path === "" ? "/" : path;
}

/** The first directory of a path, with its slashes: "/a/" of "/a/b"; "/" for files of the root. */
export function directoryOf(path: string): string {
	const end = path.indexOf("/", 1);
	return end < 0 ? "/" : path.slice(0, end + 1);
}
