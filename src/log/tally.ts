import type { CountData } from "./count-table.ts";
import type { PackedCounts } from "./packed-counts.ts";
import { Pauses } from "./pauses.ts";
import {
	ALLOWED,
	DISALLOWED,
	OTHER,
	TimeSeries,
	type TimeSeriesData,
} from "./time-series.ts";

/** Whether a crawler's requests come from its published addresses: "claimed" if not, null if no ranges were given. */
export type Verification = "verified" | "claimed" | null;

/** All of them, by number. */
export const verifications: readonly Verification[] = [
	null,
	"verified",
	"claimed",
];

/** Requests that are counted together: of one crawler (name and category), on one site. */
export interface CrawlerKey {
	readonly name: string;
	readonly category: string;
	/** Index of the site. */
	readonly site: number;
	readonly verification: Verification;
}

/** A key as text, for maps. */
export function keyText(key: CrawlerKey): string {
	const { name, category, site, verification } = key;
	return `${site} ${verification} ${category} ${name}`;
}

/** How often a rule was broken, and by which requests. */
export interface RuleCount {
	readonly version: number;
	readonly line: number;
	readonly pattern: string;
	count: number;
	/** The first different targets, as they stand in the log. */
	readonly examples: string[];
}

export const EXAMPLES = 3;

/** Status codes by their first digit; 0 for none. */
const CLASSES = 6;

/**
 * Counters of a crawler on a site over consecutive lines. `append` joins the counters of two consecutive parts of a log; the result
 * is that of counting all lines at once, because both ends of a part keep what depends on the order of lines.
 */
export class CrawlerCounts {
	requests = 0;
	robotsTxt = 0;
	allowed = 0;
	disallowed = 0;
	invalid = 0;
	/** Disallowed requests after the first request for robots.txt. */
	disallowedAfter = 0;
	firstSeen = Number.POSITIVE_INFINITY;
	lastSeen = Number.NEGATIVE_INFINITY;
	readonly statuses: number[] = new Array<number>(CLASSES).fill(0);
	/** Pauses between requests. */
	readonly pauses: Pauses;
	/** Pauses shorter than the Crawl-delay that applied. */
	hasty = 0;
	/** All pauses to which a Crawl-delay applied. */
	delayed = 0;
	/** The Crawl-delay of the last request that has one, in milliseconds. */
	crawlDelay: number | undefined;
	readonly rules = new Map<number, RuleCount>();
	readonly series: TimeSeries;
	#firstTime = Number.NaN;
	#firstDelay: number | undefined;
	#lastTime = Number.NaN;

	/** @param before Finished counters whose (already grown) tables are reused. */
	constructor(
		readonly key: CrawlerKey,
		before?: CrawlerCounts,
	) {
		this.pauses = before?.pauses ?? new Pauses();
		this.series = before?.series ?? new TimeSeries();
	}

	/** Counts a request, except for its verdict. `time` is NaN if unknown; `delay` is the Crawl-delay that applies. */
	arrive(time: number, status: number, delay: number | undefined): void {
		this.requests++;
		const statusClass = (status / 100) | 0;
		const index = statusClass < CLASSES ? statusClass : 0;
		this.statuses[index] = (this.statuses[index] as number) + 1;
		if (delay !== undefined) this.crawlDelay = delay;
		if (Number.isNaN(time)) return;
		if (time < this.firstSeen) this.firstSeen = time;
		if (time > this.lastSeen) this.lastSeen = time;
		if (Number.isNaN(this.#lastTime)) {
			this.#firstTime = time;
			this.#firstDelay = delay;
		} else this.#pause(this.#lastTime, time, delay);
		this.#lastTime = time;
	}

	/** Lines are in the order of responses, so that a line can be slightly earlier than the one before: a pause of 0. */
	#pause(before: number, after: number, delay: number | undefined): void {
		const gap = Math.max(after - before, 0);
		this.pauses.add(gap);
		if (delay === undefined) return;
		this.delayed++;
		if (gap < delay) this.hasty++;
	}

	allow(time: number): void {
		this.allowed++;
		this.series.add(time, ALLOWED);
	}

	disallow(time: number): void {
		this.disallowed++;
		if (this.robotsTxt > 0) this.disallowedAfter++;
		this.series.add(time, DISALLOWED);
	}

	fetchRobotsTxt(time: number): void {
		this.robotsTxt++;
		this.series.add(time, OTHER);
	}

	rejectTarget(time: number): void {
		this.invalid++;
		this.series.add(time, OTHER);
	}

	/** Adds the counters of the lines that follow. */
	append(next: CrawlerCountsData): void {
		// If these lines have a request for robots.txt, all disallowed requests that follow come after it.
		this.disallowedAfter +=
			this.robotsTxt > 0 ? next.disallowed : next.disallowedAfter;
		this.#sum(next);
		this.hasty += next.hasty;
		this.delayed += next.delayed;
		this.crawlDelay = next.crawlDelay ?? this.crawlDelay;
		this.pauses.merge(next.pauses);
		for (const rule of next.rules) this.#appendRule(rule, rule.examples);
		if (Number.isNaN(next.lastTime)) return;
		if (Number.isNaN(this.#lastTime)) {
			this.#firstTime = next.firstTime;
			this.#firstDelay = next.firstDelay;
		} else this.#pause(this.#lastTime, next.firstTime, next.firstDelay);
		this.#lastTime = next.lastTime;
	}

	/**
	 * Adds the counters of another crawler over the same lines: only those that do not depend on the order of lines, so that the
	 * sum does not depend on where logs were cut.
	 */
	addOther(other: CrawlerCountsData): void {
		this.#sum(other);
		for (const rule of other.rules) this.#appendRule(rule, []);
	}

	/** Adds the counters that do not depend on the order of lines. */
	#sum(next: CrawlerCountsData): void {
		this.requests += next.requests;
		this.robotsTxt += next.robotsTxt;
		this.allowed += next.allowed;
		this.disallowed += next.disallowed;
		this.invalid += next.invalid;
		this.firstSeen = Math.min(this.firstSeen, next.firstSeen);
		this.lastSeen = Math.max(this.lastSeen, next.lastSeen);
		next.statuses.forEach((count, index) => {
			this.statuses[index] = (this.statuses[index] ?? 0) + count;
		});
		this.series.merge(next.series);
	}

	#appendRule(rule: RuleCount, examples: readonly string[]): void {
		const key = ruleKey(rule.version, rule.line);
		const known = this.rules.get(key);
		if (!known) {
			this.rules.set(key, { ...rule, examples: [...examples] });
			return;
		}
		known.count += rule.count;
		for (const example of examples) addExample(known, example);
	}

	/** Valid until these counters change. */
	toData(): CrawlerCountsData {
		return {
			key: this.key,
			requests: this.requests,
			robotsTxt: this.robotsTxt,
			allowed: this.allowed,
			disallowed: this.disallowed,
			invalid: this.invalid,
			disallowedAfter: this.disallowedAfter,
			firstSeen: this.firstSeen,
			lastSeen: this.lastSeen,
			statuses: this.statuses,
			pauses: this.pauses.toData(),
			hasty: this.hasty,
			delayed: this.delayed,
			crawlDelay: this.crawlDelay,
			rules: [...this.rules.values()],
			series: this.series.toData(),
			firstTime: this.#firstTime,
			firstDelay: this.#firstDelay,
			lastTime: this.#lastTime,
		};
	}
}

/** CrawlerCounts as plain data. */
export interface CrawlerCountsData {
	readonly key: CrawlerKey;
	readonly requests: number;
	readonly robotsTxt: number;
	readonly allowed: number;
	readonly disallowed: number;
	readonly invalid: number;
	readonly disallowedAfter: number;
	readonly firstSeen: number;
	readonly lastSeen: number;
	readonly statuses: readonly number[];
	readonly pauses: CountData;
	readonly hasty: number;
	readonly delayed: number;
	readonly crawlDelay: number | undefined;
	readonly rules: readonly RuleCount[];
	readonly series: TimeSeriesData;
	/** Times of the first and the last line that has one, in the order of lines. */
	readonly firstTime: number;
	readonly firstDelay: number | undefined;
	readonly lastTime: number;
}

/** A key for a rule: a robots.txt has fewer lines than a matcher has bytes. */
export function ruleKey(version: number, line: number): number {
	return version * 2 ** 30 + line;
}

export function addExample(rule: RuleCount, example: string): void {
	if (rule.examples.length < EXAMPLES && !rule.examples.includes(example))
		rule.examples.push(example);
}

/** A line that could not be parsed. */
export interface UnparsedLine {
	/** From 0, among the lines counted. */
	readonly index: number;
	/** Decoded and truncated. */
	readonly text: string;
}

/** Counters of lines, by COUNT_ (assembly/format/log.ts). */
export type Counters = readonly number[];

/** What was counted over consecutive lines. */
export interface SegmentData {
	readonly counters: Counters;
	/** Times of the first and the last line of the period, Infinity and -Infinity without. */
	readonly firstTime: number;
	readonly lastTime: number;
	readonly unparsed: readonly UnparsedLine[];
	readonly crawlers: PackedCounts;
	/** What stands in the first request that is not for a URL where its target should. */
	readonly invalidTarget: string | undefined;
	/** Lines with a disallowed target, as in the log; empty unless asked for. */
	readonly violations: readonly Uint8Array[];
}
