import type { LogFormat } from "./formats.ts";
import type { RangeSource } from "./ranges.ts";
import type { GroupBy } from "./report.ts";
import type { ReadingOptions, RobotsSource } from "./rule-book.ts";

/** Options of a LogAudit. */
export interface AuditOptions extends ReadingOptions {
	/** The robots.txt files, at least one. Several differ in host or time. */
	readonly robots: readonly RobotsSource[];
	/** The name of a format (`formatNames`) or a format. Default: detected from the first lines of each log. */
	readonly format?: string | LogFormat | undefined;
	/**
	 * Names of the crawlers to audit, in any case. A name with "+" in front adds a crawler to the known ones instead.
	 */
	readonly agents?: readonly string[] | undefined;
	/** Patterns of User-Agent headers that are people's, whatever the lists say: text that a header contains, with "*" for anything. */
	readonly people?: readonly string[] | undefined;
	/** Patterns of headers that are crawlers', whatever the lists say. `people` goes first. */
	readonly crawlers?: readonly string[] | undefined;
	/** How crawlers are grouped. Default "name". */
	readonly groupBy?: GroupBy | undefined;
	/** The crawler that requests without a User-Agent header are counted for. */
	readonly defaultAgent?: string | undefined;
	/** Requests from this time on. */
	readonly since?: Date | undefined;
	/** Requests before this time. */
	readonly until?: Date | undefined;
	/** Published addresses, from `parseRanges`. */
	readonly ranges?: readonly RangeSource[] | undefined;
	/** Keeps what `state` needs: about 2% of the size of the logs. Default false. */
	readonly keepState?: boolean | undefined;
	/**
	 * Address ranges of trusted proxies, or one number, how many there are: the client's address is the last one in front of these in
	 * X-Forwarded-For. Default: the address of the connection.
	 */
	readonly trustedProxies?: readonly string[] | undefined;
}

/** Options of `auditRows`: those of a LogAudit that decide about lines. */
export interface AuditRowsOptions
	extends Omit<AuditOptions, "groupBy" | "keepState"> {
	/** Rows for all lines but blank ones, not only for judged requests. Default false. */
	readonly all?: boolean | undefined;
}
