import type { RangeSource } from "./ranges.ts";
import type { ReadingOptions, RobotsSource } from "./rule-book.ts";

/** What a scanner needs to know. Plain data, so that it can go to other threads. */
export interface ScanSettings {
	readonly robots: readonly RobotsSource[];
	readonly reading: ReadingOptions;
	/** See `AgentDirectory`. */
	readonly agents: readonly string[];
	/** Whether each User-Agent header is counted by itself. */
	readonly byHeader: boolean;
	/** The crawler that requests without a User-Agent header are counted for; undefined to leave them out. */
	readonly defaultAgent?: string | undefined;
	/** Milliseconds since 1970, the second one not included. */
	readonly since: number;
	readonly until: number;
	readonly ranges: readonly RangeSource[];
	readonly keepViolations: boolean;
}
