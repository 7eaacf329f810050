import type { EachFormat } from "./each-notation.ts";
import type { RangeSource } from "./ranges.ts";
import type { GroupBy } from "./report.ts";
import type { ReadingOptions, RobotsSource } from "./rule-book.ts";

/** What is written for each line. Plain data, so that it can go to other threads. */
export interface EachSettings {
	readonly format: EachFormat;
	/** Lines that are not judged, too. */
	readonly all: boolean;
}

/** What a scanner needs to know. Plain data, so that it can go to other threads. */
export interface ScanSettings {
	readonly robots: readonly RobotsSource[];
	readonly reading: ReadingOptions;
	/** See `AgentDirectory`. */
	readonly agents: readonly string[];
	/** Patterns of headers that are people's or crawlers', whatever the lists say; see `headerPatterns`. */
	readonly people: readonly string[];
	readonly crawlers: readonly string[];
	readonly groupBy: GroupBy;
	/** Headers of people are counted like those of crawlers, under the category PEOPLE. */
	readonly withPeople: boolean;
	/** See `ClientAddresses`. */
	readonly trustedProxies: readonly string[];
	/** The crawler that requests without a User-Agent header are counted for; undefined to leave them out. */
	readonly defaultAgent?: string | undefined;
	/** Milliseconds since 1970, the second one not included. */
	readonly since: number;
	readonly until: number;
	readonly ranges: readonly RangeSource[];
	readonly keepViolations: boolean;
	/** How to write a row for each line; undefined for none. */
	readonly each?: EachSettings | undefined;
}
