import type { Verification } from "./tally.ts";
import type { UnparsedLine } from "./totals.ts";

/** What an audit reports: plain data, as JSON has it. */

/** How crawlers are grouped in a report. */
export type GroupBy = "name" | "category" | "header";

/** A rule that a crawler broke. */
export interface ViolatedRule {
	/** The robots.txt it stands in. */
	readonly file: string;
	/** From 1. */
	readonly line: number;
	/** As written. */
	readonly pattern: string;
	/** Requests that broke it. */
	readonly count: number;
	/** The first three different request targets. */
	readonly examples: readonly string[];
}

/** How a crawler kept to its Crawl-delay. */
export interface CrawlDelayReport {
	/** The Crawl-delay of robots.txt, in seconds. */
	readonly seconds: number;
	/** Median pause between two requests, in seconds; null with fewer than two requests. */
	readonly medianGap: number | null;
	/** Number of pauses shorter than the Crawl-delay. */
	readonly shorter: number;
	/** Whether the median pause is at least the Crawl-delay; null with fewer than two requests. */
	readonly kept: boolean | null;
}

/** Requests within one step of the time series. */
export interface SeriesPoint {
	/** Start of the step: RFC 3339, UTC. */
	readonly start: string;
	/** Requests that robots.txt allows. */
	readonly allowed: number;
	/** Requests that robots.txt disallows. */
	readonly disallowed: number;
	/** Requests for robots.txt itself, and targets that are not URLs. */
	readonly other: number;
}

/** Requests of a crawler to one site. */
export interface SiteReport {
	/** Null for the robots.txt that governs every host. */
	readonly host: string | null;
	/** All requests. */
	readonly requests: number;
	/** Requests that robots.txt allows. */
	readonly allowed: number;
	/** Requests that robots.txt disallows. */
	readonly disallowed: number;
}

/** What one crawler did: one entry of `AuditReport.crawlers`. */
export interface CrawlerReport {
	/** Name of the crawler, of its category, or the User-Agent header, depending on `groupBy`. */
	readonly name: string;
	/** Category of the crawler, such as "search" or "ai-training". */
	readonly category: string;
	/** Whether its addresses are in the published ranges; null where no ranges were given. */
	readonly verification: Verification;
	/** robotsTxt + allowed + disallowed + invalid. */
	readonly requests: number;
	/** Requests for /robots.txt, which are never violations. */
	readonly robotsTxt: number;
	/** Requests that robots.txt allows. */
	readonly allowed: number;
	/** Requests that robots.txt disallows. */
	readonly disallowed: number;
	/** Lines without a request, or whose target is not a URL. */
	readonly invalid: number;
	/** allowed / (allowed + disallowed), in percent; null without either. */
	readonly compliance: number | null;
	/** Disallowed requests after the first request for robots.txt, in log order. */
	readonly disallowedAfterRobotsTxt: number;
	/** First request: RFC 3339, UTC; null if the log has no times. */
	readonly firstSeen: string | null;
	/** Last request: RFC 3339, UTC; null if the log has no times. */
	readonly lastSeen: string | null;
	/** Requests by class of status code: "none", "1xx" to "5xx". */
	readonly statuses: Readonly<Record<string, number>>;
	/** Median pause between two requests, in seconds; null with fewer than two requests. */
	readonly medianGap: number | null;
	/** Null if robots.txt has no Crawl-delay for this crawler. */
	readonly crawlDelay: CrawlDelayReport | null;
	/** Rules it broke, the most often broken first. */
	readonly rules: readonly ViolatedRule[];
	/** Its requests by site. */
	readonly sites: readonly SiteReport[];
	/** Its requests over time. */
	readonly series: readonly SeriesPoint[];
}

/** What an audit found; `docs/audit.schema.json` is its schema. */
export interface AuditReport {
	/** Lines read. */
	readonly lines: number;
	/** Lines that do not match the log format. */
	readonly unparsed: number;
	/** Requests of crawlers that were checked against a robots.txt: the sum over `crawlers`. */
	readonly judged: number;
	/** Requests from people's browsers. */
	readonly people: number;
	/** Requests without a User-Agent header. */
	readonly withoutAgent: number;
	/** Requests of crawlers that were not selected for the audit. */
	readonly leftOut: number;
	/** Requests of crawlers to hosts, or at times, for which no robots.txt was given. */
	readonly withoutRobots: number;
	/** Lines outside the requested period. */
	readonly outside: number;
	/** Blank lines and directives. */
	readonly blank: number;
	/** Time of the first line of the period, judged or not: RFC 3339, UTC; null if the log has no times. */
	readonly from: string | null;
	/** Time of the last line of the period, judged or not: RFC 3339, UTC; null if the log has no times. */
	readonly to: string | null;
	/** How `crawlers` are grouped. */
	readonly groupBy: GroupBy;
	/** Length of one step of the series, in seconds. */
	readonly step: number;
	/** The first lines that could not be parsed. */
	readonly unparsedLines: readonly UnparsedLine[];
	/** What makes the report doubtful: more than half of the judged requests are not for a URL. */
	readonly warnings: readonly string[];
	/** The robots.txt files the log was checked against. */
	readonly robots: readonly {
		/** Name of the file. */
		readonly file: string;
		/** Null if it governs every host. */
		readonly host: string | null;
		/** It governs requests from then on: RFC 3339, UTC; null if always. */
		readonly since: string | null;
	}[];
	/** The crawlers, those with the most disallowed requests first. */
	readonly crawlers: readonly CrawlerReport[];
}
