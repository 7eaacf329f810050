/**
 * CrawlerCounts: all counters of one crawler on one site over consecutive lines. A scanner fills one for each crawler it meets, packs it
 * (packed-counts.ts) and sends it on; Totals appends these, in the order of lines, to one that covers all logs, from which the report is made.
 * The rule that everything here obeys: appending the counters of consecutive segments gives exactly the counters of all lines at once.
 */

import type { Verification } from "../common/addresses.ts";
import type { Calendar } from "../common/calendar.ts";
import { CountTable } from "../common/count-table.ts";
import {
	addExample,
	appendVersion,
	directoryOf,
	newVersionCounts,
	type RuleCount,
	ruleKey,
	sumVersion,
	TextCounts,
	type TextCountsData,
	type VersionCounts,
} from "../common/keyed-counts.ts";
import {
	ALLOWED,
	DISALLOWED,
	KINDS,
	OTHER,
	TimeSeries,
	type TimeSeriesData,
} from "../common/time-series.ts";
import { eachTime, Pacing, TimeLog, type TimesData } from "./pacing.ts";
import { Fetches, type FetchesData } from "./pauses.ts";
import {
	NOTHING_TAKEN,
	Taken,
	type TakenData,
	TakenLog,
	TakenSum,
} from "./taken.ts";

/** How requests are counted. */
export interface CountingOptions {
	/** The steps of series. */
	readonly calendar?: Calendar | undefined;
	/** Whether all paths are counted, not only disallowed ones. */
	readonly paths?: boolean | undefined;
}

/**
 * What distinguishes the requests that are counted together: crawler, site, and whether the address
 * is the crawler's. Plain and small: a key is sent to other threads with its counters, and stored
 * in states.
 */
export interface CrawlerKey {
	readonly name: string;
	readonly category: string;
	/** Index in `RuleBook.sites`. */
	readonly site: number;
	readonly verification: Verification;
}

/**
 * A key as text, for maps. The name comes last, as it is the only field that may contain spaces.
 */
export function keyText(key: CrawlerKey): string {
	const { name, category, site, verification } = key;
	return `${site} ${verification} ${category} ${name}`;
}

/**
 * Classes of status codes. 403, 429 and 451, with which servers refuse crawlers, are a class of
 * their own and not in 4xx. Stored in states by index: new classes go to the end.
 */
export const STATUSES = [
	"none",
	"1xx",
	"2xx",
	"3xx",
	"4xx",
	"5xx",
	"refused",
] as const;
const REFUSED = 6;

/** Index in STATUSES. */
function statusClass(status: number): number {
	if (status === 403 || status === 429 || status === 451) return REFUSED;
	const first = (status / 100) | 0;
	return first < REFUSED ? first : 0;
}

/**
 * The counters. What depends on the order of lines (whether robots.txt was read before, pauses, stale copies) is kept in a form that
 * leaves the decision to `append`, which knows the lines before.
 */
export class CrawlerCounts {
	requests = 0;
	robotsTxt = 0;
	allowed = 0;
	disallowed = 0;
	/** Requests among these that robots.txt does not bind. */
	exempt = 0;
	exemptDisallowed = 0;
	invalid = 0;
	/** Disallowed requests after the first request for robots.txt. */
	disallowedAfter = 0;
	firstSeen = Number.POSITIVE_INFINITY;
	lastSeen = Number.NEGATIVE_INFINITY;
	/**
	 * Requests by kind (ALLOWED, DISALLOWED, OTHER) and class of status. One flat list in place of an
	 * object per kind: it is allocated for each crawler that comes, and most of it is zero.
	 */
	readonly answers: number[] = zeros(KINDS * STATUSES.length);
	/** Bytes of the responses, by kind. */
	readonly bytes = new Float64Array(KINDS);
	/** The Crawl-delay of the last line without a time, in milliseconds; undefined if there is none. */
	untimedDelay: number | undefined;
	/**
	 * The times of these lines, until `pacing` sorts them. Not pauses: those depend on the lines
	 * before the segment, which a thread does not know.
	 */
	readonly times: TimeLog;
	/** Sorts the times, in the counters that cover all lines. */
	readonly pacing: Pacing | undefined;
	readonly fetches: Fetches;
	/** By version, if the site has several robots.txt files. */
	#versions: Map<number, VersionCounts> | undefined;
	#rules: Map<number, RuleCount> | undefined;
	/**
	 * Disallowed paths without their queries, and the first directories of these. Whole paths by
	 * their text, where `#pathNumbers` counts by number; a path becomes text once per segment.
	 */
	readonly paths: TextCounts;
	readonly directories: TextCounts;
	/** Addresses of requests that are "claimed". */
	readonly addresses: TextCounts;
	/** Names of the autonomous systems that requests came from, if names are given. */
	readonly systems: TextCounts;
	readonly series: TimeSeries;
	/** With the option `paths`: what was taken, in the counters that cover all lines; and the requests of a segment until they are named. */
	readonly taken: Taken | undefined;
	readonly #takenLog: TakenLog | undefined;
	#takenNamed: TakenData | undefined;
	/** What was taken in the segments that were appended to these counters, if those do not cover all lines. */
	#takenSum: TakenSum | undefined;
	/** Content types of responses, with the option `paths`. */
	readonly types: TextCounts;
	/** Disallowed paths by their number in the segment, until `namePaths`. */
	#pathNumbers: CountTable | undefined;

	/**
	 * @param before Finished counters whose (already grown) tables are reused.
	 * @param most Given for counters that cover all lines: how many different paths, directories and addresses are counted, and how many
	 * times wait to be put in order.
	 * @param how Plain steps for the series, and no paths, by default.
	 */
	constructor(
		readonly key: CrawlerKey,
		before?: CrawlerCounts,
		most?: { readonly texts: number; readonly times: number },
		{ calendar, paths }: CountingOptions = {},
	) {
		this.times = before?.times ?? new TimeLog();
		this.pacing = most && new Pacing(most.times);
		this.series = before?.series ?? new TimeSeries(calendar);
		this.fetches = before?.fetches ?? new Fetches(most !== undefined);
		this.paths = new TextCounts(most?.texts);
		this.directories = new TextCounts(most?.texts);
		this.addresses = new TextCounts(most?.texts);
		this.systems = new TextCounts(most?.texts);
		this.types = new TextCounts(most?.texts);
		if (paths && most) this.taken = new Taken(most.texts);
		else if (paths) this.#takenLog = new TakenLog();
	}

	/** Counts a request, whatever its verdict. `time` is NaN if unknown; `delay` is the Crawl-delay that applies, in milliseconds. */
	arrive(time: number, delay: number | undefined): void {
		this.requests++;
		// No time, no pause; only the delay is remembered, so that the report can say that there was
		// one.
		if (Number.isNaN(time)) {
			if (delay !== undefined) this.untimedDelay = delay;
			return;
		}
		if (time < this.firstSeen) this.firstSeen = time;
		if (time > this.lastSeen) this.lastSeen = time;
		this.times.add(time, delay);
	}

	/** Counts a response by kind and status. */
	#answer(kind: number, time: number, status: number, bytes: number): void {
		this.series.add(time, kind);
		const at = kind * STATUSES.length + statusClass(status);
		this.answers[at] = (this.answers[at] as number) + 1;
		this.bytes[kind] = (this.bytes[kind] as number) + bytes;
	}

	/** Counts an allowed request. Each request calls `arrive` and one of the following four. */
	allow(time: number, status: number, bytes: number, isExempt: boolean): void {
		this.allowed++;
		if (isExempt) this.exempt++;
		this.fetches.request(time);
		this.#answer(ALLOWED, time, status, bytes);
	}

	/** Counts a disallowed request. */
	disallow(
		time: number,
		status: number,
		bytes: number,
		isExempt: boolean,
	): void {
		this.disallowed++;
		if (isExempt) {
			this.exempt++;
			this.exemptDisallowed++;
		}
		// In the order of lines; `append` corrects it for what came before the segment.
		if (this.robotsTxt > 0) this.disallowedAfter++;
		this.fetches.request(time);
		this.#answer(DISALLOWED, time, status, bytes);
	}

	/** Counts a request for robots.txt, which is never a violation. */
	fetchRobotsTxt(time: number, status: number, bytes: number): void {
		this.robotsTxt++;
		this.fetches.fetch(time);
		this.#answer(OTHER, time, status, bytes);
	}

	/** Counts a request whose target is not a URL. */
	rejectTarget(time: number, status: number, bytes: number): void {
		this.invalid++;
		this.fetches.request(time);
		this.#answer(OTHER, time, status, bytes);
	}

	/** Counts a disallowed request's path, by its number in the segment. */
	countPath(number: number): void {
		// A number for each request and a text for each path: a path is decoded once per segment,
		// however often it is requested.
		this.#pathNumbers ??= new CountTable(1);
		this.#pathNumbers.add(number, 0, 1);
	}

	/** Counts a request's path, by its number in the segment, if all paths are wanted. */
	take(path: number, isDisallowed: boolean, bytes: number): void {
		this.#takenLog?.add(path, isDisallowed, bytes);
	}

	/**
	 * Replaces the numbers of paths by their names, once for each path of the segment. Called by
	 * `take`, when the numbers of the segment are about to be forgotten.
	 */
	namePaths(nameOf: (number: number) => string): void {
		this.#takenNamed = this.#takenLog?.toData(nameOf);
		if (!this.#pathNumbers) return;
		const { size, cells } = this.#pathNumbers.toData();
		for (let at = 0; at < 2 * size; at += 2) {
			const path = nameOf(cells[at] as number);
			const count = cells[at + 1] as number;
			this.paths.add(path, count);
			this.directories.add(directoryOf(path), count);
		}
		this.#pathNumbers = undefined;
	}

	/** The counters of a version of robots.txt. */
	version(version: number): VersionCounts {
		this.#versions ??= new Map();
		let counts = this.#versions.get(version);
		if (!counts) {
			counts = newVersionCounts(version);
			this.#versions.set(version, counts);
		}
		return counts;
	}

	get versions(): readonly VersionCounts[] {
		return this.#versions ? [...this.#versions.values()] : NONE;
	}

	/** By `ruleKey`. */
	get rules(): ReadonlyMap<number, RuleCount> {
		return this.#rules ?? NO_RULES;
	}

	addRule(rule: RuleCount): void {
		this.#rules ??= new Map();
		this.#rules.set(ruleKey(rule.version, rule.line), rule);
	}

	/** Adds the counters of the lines that follow. */
	append(next: CrawlerCountsData): void {
		// If robots.txt was requested before, all disallowed requests that follow come after it. The
		// same reasoning in `appendVersion`; everything else is a sum or keeps its own order.
		this.disallowedAfter +=
			this.robotsTxt > 0 ? next.disallowed : next.disallowedAfter;
		this.#sum(next);
		this.untimedDelay = next.untimedDelay ?? this.untimedDelay;
		const times = this.pacing ?? this.times;
		eachTime(next.times, (time, delay) => times.add(time, delay));
		this.fetches.append(next.fetches);
		for (const version of next.versions)
			appendVersion(this.version(version.version), version);
		this.paths.append(next.paths);
		this.directories.append(next.directories);
		this.addresses.append(next.addresses);
		this.systems.append(next.systems);
		if (this.taken) this.taken.append(next.taken);
		else if (next.taken.texts.length > 0) {
			this.#takenSum ??= new TakenSum();
			this.#takenSum.append(next.taken);
		}
		this.types.append(next.types);
		for (const rule of next.rules) this.#appendRule(rule, rule.examples);
	}

	/**
	 * Adds the counters of another crawler over the same lines, for "(others)": only what does not
	 * depend on the order of lines, as otherwise the sum would depend on where logs were cut. Pauses
	 * of several crawlers together would mean nothing, and paths would fill the limits of one row.
	 */
	addOther(other: CrawlerCountsData): void {
		this.#sum(other);
		this.taken?.miss(other.allowed + other.disallowed);
		for (const version of other.versions)
			sumVersion(this.version(version.version), version);
		for (const rule of other.rules) this.#appendRule(rule, []);
	}

	/** Adds the counters that do not depend on the order of lines. */
	#sum(next: CrawlerCountsData): void {
		this.requests += next.requests;
		this.robotsTxt += next.robotsTxt;
		this.allowed += next.allowed;
		this.exempt += next.exempt;
		this.exemptDisallowed += next.exemptDisallowed;
		this.disallowed += next.disallowed;
		this.invalid += next.invalid;
		this.firstSeen = Math.min(this.firstSeen, next.firstSeen);
		this.lastSeen = Math.max(this.lastSeen, next.lastSeen);
		addTo(this.answers, next.answers);
		addTo(this.bytes, next.bytes);
		this.series.merge(next.series);
	}

	/** Adds the count of a rule; `examples` are those to keep, in the order of lines. */
	#appendRule(rule: RuleCount, examples: readonly string[]): void {
		const key = ruleKey(rule.version, rule.line);
		const known = this.rules.get(key);
		if (!known) {
			// A copy: the rule may belong to a segment whose scanner goes on.
			this.addRule({ ...rule, examples: [...examples] });
			return;
		}
		known.count += rule.count;
		for (const example of examples) addExample(known, example);
	}

	/**
	 * Valid until these counters change. Shares its lists with this object; `packed` copies what has
	 * to outlive the next line.
	 */
	toData(): CrawlerCountsData {
		return {
			key: this.key,
			requests: this.requests,
			robotsTxt: this.robotsTxt,
			allowed: this.allowed,
			exempt: this.exempt,
			exemptDisallowed: this.exemptDisallowed,
			disallowed: this.disallowed,
			invalid: this.invalid,
			disallowedAfter: this.disallowedAfter,
			firstSeen: this.firstSeen,
			lastSeen: this.lastSeen,
			answers: this.answers,
			bytes: this.bytes,
			untimedDelay: this.untimedDelay,
			times: this.times.toData(),
			fetches: this.fetches.toData(),
			versions: this.versions,
			paths: this.paths.toData(),
			directories: this.directories.toData(),
			addresses: this.addresses.toData(),
			systems: this.systems.toData(),
			rules: this.#rules ? [...this.#rules.values()] : NONE,
			series: this.series.toData(),
			taken: this.#takenSum?.toData() ?? this.#takenNamed ?? NOTHING_TAKEN,
			types: this.types.toData(),
		};
	}
}

/** Shared, as most crawlers come once and have none. */
const NONE: readonly never[] = [];
const NO_RULES: ReadonlyMap<number, RuleCount> = new Map();

/** CrawlerCounts as plain data; the fields are those of the class. */
export interface CrawlerCountsData {
	readonly key: CrawlerKey;
	readonly requests: number;
	readonly robotsTxt: number;
	readonly allowed: number;
	readonly exempt: number;
	readonly exemptDisallowed: number;
	readonly disallowed: number;
	readonly invalid: number;
	readonly disallowedAfter: number;
	readonly firstSeen: number;
	readonly lastSeen: number;
	readonly answers: readonly number[];
	readonly bytes: ArrayLike<number>;
	readonly untimedDelay: number | undefined;
	readonly times: TimesData;
	readonly fetches: FetchesData;
	readonly versions: readonly VersionCounts[];
	readonly paths: TextCountsData;
	readonly directories: TextCountsData;
	readonly addresses: TextCountsData;
	readonly systems: TextCountsData;
	readonly rules: readonly RuleCount[];
	readonly series: TimeSeriesData;
	readonly taken: TakenData;
	readonly types: TextCountsData;
}

function zeros(length: number): number[] {
	return new Array<number>(length).fill(0);
}

function addTo(sums: number[] | Float64Array, more: ArrayLike<number>): void {
	for (let at = 0; at < more.length; at++)
		sums[at] = (sums[at] as number) + (more[at] as number);
}
