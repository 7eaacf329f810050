import {
	COUNT_BLANK,
	COUNT_LINES,
	COUNT_MISSING,
	COUNT_OUTSIDE,
	COUNT_UNPARSED,
	COUNTERS,
} from "../assembly/format.ts";
import {
	CrawlerCounts,
	type CrawlerCountsData,
	type CrawlerKey,
	keyText,
} from "./crawler-counts.ts";
import type { FormatSummary } from "./log-format.ts";
import type { UnparsedLine } from "./report.ts";
import { TimeSeries, type TimeSeriesData, widthFor } from "./time-series.ts";

/** Lines that could not be parsed, of which the text is kept. */
export const UNPARSED_KEPT = 5;

/** A line that could not be parsed. */
export interface UnparsedText {
	/** From 0, among the lines counted. */
	readonly index: number;
	/** Decoded and truncated. */
	readonly text: string;
}

/** Counters of lines, by COUNT_ (assembly/format/log.ts). */
export type Counters = readonly number[];

/** What was counted over consecutive lines. */
export interface Segment {
	readonly counters: Counters;
	/** Times of the first and the last line of the period, Infinity and -Infinity without. */
	readonly firstTime: number;
	readonly lastTime: number;
	readonly unparsed: readonly UnparsedText[];
	/** From a scanner, good until it goes on. */
	readonly crawlers: Iterable<CrawlerCountsData>;
	/** What stands in the first request that is not for a URL where its target should. */
	readonly invalidTarget: string | undefined;
	/** Lines with a disallowed target, as in the log; empty unless asked for. */
	readonly violations: readonly Uint8Array[];
}

/** Crawlers that are counted separately; anybody can send headers with ever new names. */
const MAX_CRAWLERS = 5000;
/** The name under which all others are counted, without pauses, order and examples (`CrawlerCounts.addOther`). */
const OTHERS = "(others)";

/**
 * Different paths, directories and addresses that are counted for each crawler on a site: the first ones in the order of the log, so
 * that where it was cut changes nothing. Requests with others are counted together. And times that wait to be put in order (`Pacing`), 16
 * bytes each. Crawlers beyond the first ones get few.
 */
const MOST = { texts: 1000, times: 32_768 };
const WITH_MOST = 100;
const FEW = { texts: 5, times: 64 };

/** Adds up the segments of logs, in the order of their lines. */
export class Totals {
	readonly counters: number[] = new Array<number>(COUNTERS).fill(0);
	readonly unparsed: UnparsedLine[] = [];
	readonly crawlers = new Map<string, CrawlerCounts>();
	/** Times of the first and the last line of the period, Infinity and -Infinity without. */
	firstTime = Number.POSITIVE_INFINITY;
	lastTime = Number.NEGATIVE_INFINITY;
	/** The first request that is not for a URL. */
	invalid: InvalidRequest | undefined;
	/** Lines by log, in the order of the logs. */
	readonly #linesOf = new Map<string, number>();
	readonly #headers = new Map<string, LogHeaders>();

	/** Names of the logs. */
	get logs(): readonly string[] {
		return [...this.#linesOf.keys()];
	}

	append(file: string, segment: Segment, format?: FormatSummary): void {
		const before = this.#linesOf.get(file) ?? 0;
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
		if (format) this.#countHeaders(file, segment.counters, format.name);
		for (const data of segment.crawlers) this.#count(data);
	}

	#countHeaders(
		file: string,
		counters: readonly number[],
		format: string,
	): void {
		const of = (counter: number) => counters[counter] ?? 0;
		const others = of(COUNT_UNPARSED) + of(COUNT_BLANK) + of(COUNT_OUTSIDE);
		const known = this.#headers.get(file);
		this.#headers.set(file, {
			file,
			format,
			requests: (known?.requests ?? 0) + of(COUNT_LINES) - others,
			without: (known?.without ?? 0) + of(COUNT_MISSING),
		});
	}

	/** How many requests of each log have no User-Agent header. */
	get headers(): readonly LogHeaders[] {
		return [...this.#headers.values()];
	}

	/** Lines of a log that are counted so far. */
	linesOf(file: string): number {
		return this.#linesOf.get(file) ?? 0;
	}

	/** The lines that follow are from the beginning of another file of the same name. */
	beginFile(file: string): void {
		this.#linesOf.set(file, 0);
	}

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

	/** The counters with a key; new ones if there are none yet. */
	#countsOf(key: CrawlerKey): CrawlerCounts {
		const name = keyText(key);
		const counts =
			this.crawlers.get(name) ??
			new CrawlerCounts(
				key,
				undefined,
				this.crawlers.size < WITH_MOST ? MOST : FEW,
			);
		this.crawlers.set(name, counts);
		return counts;
	}
}

/** A request that is not for a URL. */
export interface InvalidRequest {
	/** Name of the log file. */
	readonly file: string;
	/** What stands where its target should. */
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
 * Brings the series of segments, in their order, to steps that depend on the logs alone: a scanner begins with those of the segments that
 * it counted before, which with several threads are not all.
 */
export class EvenSteps {
	#first = Number.POSITIVE_INFINITY;
	#last = Number.NEGATIVE_INFINITY;

	of(segment: Segment): Segment {
		const crawlers = [...segment.crawlers];
		for (const { series } of crawlers) {
			this.#first = Math.min(this.#first, series.first);
			this.#last = Math.max(this.#last, series.end);
		}
		const width = widthFor(this.#first, this.#last);
		return {
			...segment,
			crawlers: crawlers.map((counts) => ({
				...counts,
				series: widened(counts.series, width),
			})),
		};
	}
}

function widened(data: TimeSeriesData, width: number): TimeSeriesData {
	if (data.width >= width) return data;
	const series = new TimeSeries();
	series.merge(data);
	series.widen(width);
	return series.toData();
}
