/**
 * Segments and their sum. A `Segment` is what a scanner counted over consecutive lines of one log; `Totals` adds segments up in the order of
 * the lines, and the report is made from it. There is one Totals per audit, on the main thread, so its limits bound the memory of an audit
 * whatever clients send. `EvenSteps` prepares segments that are stored as a state.
 */

import {
	COUNT_BLANK,
	COUNT_LINES,
	COUNT_MISSING,
	COUNT_OUTSIDE,
	COUNT_UNPARSED,
	COUNTERS,
} from "../../assembly/format.ts";
import {
	type Calendar,
	type CalendarOptions,
	calendarOf,
	plainCalendar,
} from "../common/calendar.ts";
import { TimeSeries, type TimeSeriesData } from "../common/time-series.ts";
import type { FormatLines, FormatSummary } from "../formats/log-format.ts";
import type { UnparsedLine } from "../options/report.ts";
import {
	CrawlerCounts,
	type CrawlerCountsData,
	type CrawlerKey,
	keyText,
} from "./crawler-counts.ts";
import { Visitors, type VisitsData } from "./visits.ts";

/** Lines that could not be parsed whose text is kept, for the report. */
export const UNPARSED_KEPT = 5;

/** A line that could not be parsed. */
export interface UnparsedText {
	/** From 0, among the lines of the segment. */
	readonly index: number;
	/** Decoded and truncated. */
	readonly text: string;
}

/** What was counted over consecutive lines. */
export interface Segment {
	/** Counters of lines, by COUNT_ (assembly/format.ts). */
	readonly counters: readonly number[];
	/** Times of the first and last line of the period; Infinity and -Infinity without times. */
	readonly firstTime: number;
	readonly lastTime: number;
	readonly unparsed: readonly UnparsedText[];
	/** Valid until the scanner that they come from goes on. */
	readonly crawlers: Iterable<CrawlerCountsData>;
	/** What the first request that is not for a URL has in place of its target. */
	readonly invalidTarget: string | undefined;
	/** Lines of disallowed requests, as in the log; empty unless the settings ask for them. */
	readonly violations: readonly Uint8Array[];
	/** Bytes of all responses to requests, also those of people, with the option `paths`; else 0. */
	readonly bytes: number;
	/** Requests of browsers, with the option `suspects`; else NO_VISITS. */
	readonly visits: VisitsData;
	/** How many lines had which format; undefined in a state that does not say. */
	readonly formats?: readonly FormatLines[] | undefined;
	/** How often an unknown number of lines was lost, as of a log that was emptied while nobody looked; undefined for never. */
	readonly missing?: number | undefined;
}

/**
 * Crawlers that are counted by themselves: anybody can send headers with ever new names. Kept in
 * the order of appearance, so that which crawlers are "(others)" depends on the logs alone.
 */
const MAX_CRAWLERS = 5000;
/** Formats that are counted; there are fewer. */
const MAX_FORMATS = 200;
/** The name that all others are counted under, without pauses, order and examples (`CrawlerCounts.addOther`). */
const OTHERS = "(others)";

/**
 * Limits of one crawler on one site. `texts`: different paths, directories and addresses that are counted, the first in the order of the
 * log, so that the result does not depend on where it was cut; the others are counted together. `times`: times that wait to be put in
 * order (`Pacing`), 16 bytes each. The first WITH_MOST crawlers get MOST, all others FEW.
 */
const MOST = { texts: 1000, times: 32_768 };
const WITH_MOST = 100;
const FEW = { texts: 5, times: 64 };

/**
 * Adds up segments. They must be appended in the order of the lines of each log, and the logs in
 * the order of time. Not a class of the scanner's: threads scan, and one place adds up.
 */
export class Totals {
	readonly counters: number[] = new Array<number>(COUNTERS).fill(0);
	readonly unparsed: UnparsedLine[] = [];
	readonly crawlers = new Map<string, CrawlerCounts>();
	/** As in `Segment`, of all segments. */
	firstTime = Number.POSITIVE_INFINITY;
	lastTime = Number.NEGATIVE_INFINITY;
	/** The first request that is not for a URL. */
	invalid: InvalidRequest | undefined;
	/** Lines counted so far by log, in the order of the logs. */
	readonly #linesOf = new Map<string, number>();
	readonly #headers = new Map<string, LogHeaders>();
	readonly #formats = new Map<string, FormatLines>();

	readonly calendar: Calendar;
	/** Bytes of all responses, with the option `paths`; undefined without it. */
	bytes: number | undefined;
	readonly #paths: boolean;
	/** How often lines were lost, by log. */
	readonly missing = new Map<string, number>();
	/** The clients that call themselves browsers, with the option `suspects`; undefined without it. */
	readonly visitors: Visitors | undefined;

	/** @param options Those that the scanners have. */
	constructor(
		options: CalendarOptions & {
			readonly paths?: boolean | undefined;
			readonly suspects?: boolean | undefined;
		} = {},
	) {
		this.calendar = calendarOf(options);
		this.#paths = options.paths ?? false;
		if (this.#paths) this.bytes = 0;
		if (options.suspects) this.visitors = new Visitors();
	}

	/** Names of the logs. */
	get logs(): readonly string[] {
		return [...this.#linesOf.keys()];
	}

	/** Adds the next segment of a log. */
	append(file: string, segment: Segment, format?: FormatSummary): void {
		const before = this.#linesOf.get(file) ?? 0;
		// Segments count lines from 0; here the lines of a log go on.
		for (const { index, text } of segment.unparsed)
			if (this.unparsed.length < UNPARSED_KEPT)
				this.unparsed.push({ file, line: before + index + 1, text });
		segment.counters.forEach((count, index) => {
			this.counters[index] = (this.counters[index] ?? 0) + count;
		});
		const { invalidTarget } = segment;
		if (invalidTarget !== undefined)
			this.invalid ??= { file, text: invalidTarget };
		this.firstTime = Math.min(this.firstTime, segment.firstTime);
		this.lastTime = Math.max(this.lastTime, segment.lastTime);
		this.#linesOf.set(file, before + (segment.counters[COUNT_LINES] ?? 0));
		if (this.bytes !== undefined) this.bytes += segment.bytes;
		this.visitors?.append(segment.visits);
		if (segment.missing)
			this.missing.set(file, (this.missing.get(file) ?? 0) + segment.missing);
		if (format) this.#countHeaders(file, segment.counters, format.name);
		for (const each of segment.formats ?? []) this.#countFormat(each);
		for (const data of segment.crawlers) this.#count(data);
	}

	#countFormat({ name, prefix, lines }: FormatLines): void {
		const key = `${name}\n${prefix}`;
		const known = this.#formats.get(key)?.lines ?? 0;
		// Prefixes have few names, but a state may have been made by anybody.
		if (known > 0 || this.#formats.size < MAX_FORMATS)
			this.#formats.set(key, { name, prefix, lines: known + lines });
	}

	/** How many lines of all logs had which format, the most frequent first. */
	get formats(): readonly FormatLines[] {
		return [...this.#formats.values()].sort(
			(a, b) => b.lines - a.lines || (a.name < b.name ? -1 : 1),
		);
	}

	/** Counts requests with and without a User-Agent header. Unparsed, blank and outside lines are no requests. */
	#countHeaders(
		file: string,
		counters: readonly number[],
		format: string,
	): void {
		const of = (counter: number) => counters[counter] ?? 0;
		// What is left are requests.
		const others = of(COUNT_UNPARSED) + of(COUNT_BLANK) + of(COUNT_OUTSIDE);
		const known = this.#headers.get(file);
		this.#headers.set(file, {
			file,
			format,
			requests: (known?.requests ?? 0) + of(COUNT_LINES) - others,
			without: (known?.without ?? 0) + of(COUNT_MISSING),
		});
	}

	/** For each log, how many of its requests have no User-Agent header. */
	get headers(): readonly LogHeaders[] {
		return [...this.#headers.values()];
	}

	/** Lines of a log counted so far. */
	linesOf(file: string): number {
		return this.#linesOf.get(file) ?? 0;
	}

	/**
	 * What follows comes from another file of the same name, after rotation, of which so many lines were counted before.
	 * Without it, the line numbers of unparsed lines would go on from the old file.
	 */
	beginFile(file: string, lines: number): void {
		this.#linesOf.set(file, lines);
	}

	/**
	 * Adds the counters of a crawler to those of its key, or to the others if there are too many
	 * crawlers. Once there are MAX_CRAWLERS, those that come again are still counted by themselves.
	 */
	#count(data: CrawlerCountsData): void {
		const known = this.crawlers.get(keyText(data.key));
		if (known) known.append(data);
		else if (this.crawlers.size < MAX_CRAWLERS)
			this.#countsOf(data.key).append(data);
		else
			this.#countsOf({
				...data.key,
				name: OTHERS,
				category: "unknown",
			}).addOther(data);
	}

	/** The counters of a key, made if there are none yet. */
	#countsOf(key: CrawlerKey): CrawlerCounts {
		const name = keyText(key);
		const counts =
			this.crawlers.get(name) ??
			new CrawlerCounts(
				key,
				undefined,
				// First come, first served: most logs have fewer crawlers than WITH_MOST, and then none is
				// short of room.
				this.crawlers.size < WITH_MOST ? MOST : FEW,
				{ calendar: this.calendar, paths: this.#paths },
			);
		this.crawlers.set(name, counts);
		return counts;
	}
}

/** A request that is not for a URL. */
export interface InvalidRequest {
	/** Name of the log file. */
	readonly file: string;
	/** What it has in place of a target. */
	readonly text: string;
}

/** How many requests of a log have no User-Agent header. */
export interface LogHeaders {
	/** Name of the log file. */
	readonly file: string;
	/** Name of its format. */
	readonly format: string;
	readonly requests: number;
	readonly without: number;
}

/**
 * Widens the steps of segments' series, in their order, so that stored states depend on the logs
 * alone. A scanner starts with the width that the segments it counted before suggest, and with
 * several threads those are not all segments. Needed only where a state is stored: a report is the
 * same with steps of any width.
 */
export class EvenSteps {
	#first = Number.POSITIVE_INFINITY;
	#last = Number.NEGATIVE_INFINITY;
	readonly #calendar: Calendar;

	constructor(calendar: Calendar = plainCalendar) {
		this.#calendar = calendar;
	}

	/** A segment with widened series; call it for each segment once, in order. */
	of(segment: Segment): Segment {
		const crawlers = [...segment.crawlers];
		for (const { series } of crawlers) {
			this.#first = Math.min(this.#first, series.first);
			this.#last = Math.max(this.#last, series.end);
		}
		const calendar = this.#calendar;
		const { width } = calendar.stepsFor(this.#first, this.#last);
		return {
			...segment,
			crawlers: crawlers.map((counts) => ({
				...counts,
				series: widened(counts.series, width, calendar),
			})),
		};
	}
}

/** A series in steps of at least this width. */
function widened(
	data: TimeSeriesData,
	width: number,
	calendar: Calendar,
): TimeSeriesData {
	if (data.width >= width) return data;
	const series = new TimeSeries(calendar);
	series.merge(data);
	series.widen(width);
	return series.toData();
}
