import type { CrawlerCountsData } from "./crawler-counts.ts";
import type { RuleCount } from "./rule-counts.ts";

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
export interface Segment {
	readonly counters: Counters;
	/** Times of the first and the last line of the period, Infinity and -Infinity without. */
	readonly firstTime: number;
	readonly lastTime: number;
	readonly unparsed: readonly UnparsedLine[];
	/** From a scanner, good until it goes on. */
	readonly crawlers: Iterable<CrawlerCountsData>;
	/** What stands in the first request that is not for a URL where its target should. */
	readonly invalidTarget: string | undefined;
	/** Lines with a disallowed target, as in the log; empty unless asked for. */
	readonly violations: readonly Uint8Array[];
}

/**
 * The counters of many crawlers, in few objects: clients can send any number of names, and each would need thirty objects
 * that are allocated, copied to another thread and collected.
 */
export interface PackedCounts {
	/** For each crawler its name, its category, and the texts that it counts. */
	readonly texts: readonly string[];
	/** For each crawler what `pack` writes. */
	readonly numbers: Float64Array<ArrayBuffer>;
	/** Of all crawlers, one after the other. */
	readonly rules: readonly RuleCount[];
	/** Likewise, the bytes of their times (`TimeLog`). */
	readonly times: Uint8Array;
}

/** A segment as plain data. */
export interface SegmentData extends Omit<Segment, "crawlers"> {
	readonly crawlers: PackedCounts;
}
