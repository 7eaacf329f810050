import type { CountData } from "./count-table.ts";
import { Pauses } from "./pauses.ts";
import {
	ALLOWED,
	DISALLOWED,
	OTHER,
	TimeSeries,
	type TimeSeriesData,
} from "./time-series.ts";

/** What is known of the address a crawler's requests come from. */
export type Verification = "verified" | "claimed" | null;

/** Whose requests are counted together: one name, of one category, on one site. */
export interface UnitKey {
	readonly name: string;
	readonly category: string;
	/** Index of the site. */
	readonly site: number;
	readonly verification: Verification;
}

/** Tells units apart. */
export function unitName(key: UnitKey): string {
	const { name, category, site, verification } = key;
	return `${site} ${verification} ${category} ${name}`;
}

/** How often a rule was disregarded, and by what. */
export interface RuleCount {
	readonly row: number;
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
 * Counts of a crawler on a site, over a run of lines. Runs that follow each other are put together by `append`, and
 * give what one run over all of their lines would: what depends on the order is kept at both ends.
 */
export class Unit {
	requests = 0;
	robotsTxt = 0;
	allowed = 0;
	disallowed = 0;
	invalid = 0;
	/** Of the disallowed ones, those behind the first request for robots.txt. */
	disallowedAfter = 0;
	firstSeen = Number.POSITIVE_INFINITY;
	lastSeen = Number.NEGATIVE_INFINITY;
	readonly statuses: number[] = new Array<number>(CLASSES).fill(0);
	/** Between requests. */
	readonly pauses: Pauses;
	/** Pauses shorter than the Crawl-delay in force, and all where there is one. */
	hasty = 0;
	delayed = 0;
	/** The Crawl-delay of the last request that has one, in milliseconds. */
	crawlDelay: number | undefined;
	readonly rules = new Map<number, RuleCount>();
	readonly series: TimeSeries;
	#firstTime = Number.NaN;
	#firstDelay: number | undefined;
	#lastTime = Number.NaN;

	/** @param before Of no more use: its tables are, which grow to be of the right size. */
	constructor(
		readonly key: UnitKey,
		before?: Unit,
	) {
		this.pauses = before?.pauses ?? new Pauses();
		this.series = before?.series ?? new TimeSeries();
	}

	/** Counts a request, but for what became of it. `time` is NaN without, `delay` the Crawl-delay in force. */
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

	/** Lines stand in the order of answers, so that one may be a little before the last: no pause at all. */
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

	/** Adds what was counted in the lines that follow. */
	append(next: UnitData): void {
		// All that is disallowed behind these lines is so after the first request for robots.txt, if there was one.
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
	 * Adds the counts of another crawler, whose lines lie among these: only what does not depend on their order, so that it
	 * does not depend on where logs were cut either.
	 */
	addOther(other: UnitData): void {
		this.#sum(other);
		for (const rule of other.rules) this.#appendRule(rule, []);
	}

	/** Adds what does not depend on the order of lines. */
	#sum(next: UnitData): void {
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
		const key = ruleKey(rule.row, rule.line);
		const known = this.rules.get(key);
		if (!known) {
			this.rules.set(key, { ...rule, examples: [...examples] });
			return;
		}
		known.count += rule.count;
		for (const example of examples) addExample(known, example);
	}

	/** Good until the unit, or one that it is the `before` of, counts any further. */
	toData(): UnitData {
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

/** A unit as it goes to another thread. */
export interface UnitData {
	readonly key: UnitKey;
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

/** A robots.txt has fewer lines than a matcher has bytes. */
export function ruleKey(row: number, line: number): number {
	return row * 2 ** 30 + line;
}

export function addExample(rule: RuleCount, example: string): void {
	if (rule.examples.length < EXAMPLES && !rule.examples.includes(example))
		rule.examples.push(example);
}

/** A line that could not be parsed. */
export interface UnparsedLine {
	/** From 0, within what was counted. */
	readonly index: number;
	/** Decoded, cut where it is long. */
	readonly text: string;
}

/** Counters of lines, in the order of assembly/log-format.ts. */
export type Counters = readonly number[];

/** What came of a run of lines. */
export interface SegmentData {
	readonly counters: Counters;
	readonly unparsed: readonly UnparsedLine[];
	readonly units: readonly UnitData[];
	/** Lines with a disallowed target, as they stand in the log, if asked for. */
	readonly violations: readonly Uint8Array[];
}
