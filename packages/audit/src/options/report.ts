/**
 * The report of an audit: its types, which are public and documented by docs/audit.schema.json, and the few functions that everything that
 * makes or shows a report shares. Reports are plain data, as JSON has it: times are RFC 3339 texts, missing values are null.
 */

import type { Dialect } from "robotrie";
import { isRecord, type Kind } from "#robotrie/common/arguments";
import type { Verification } from "../common/addresses.ts";
import type { Every, WiderStep } from "../common/calendar.ts";
import type { FormatLines } from "../formats/log-format.ts";
import type { Purpose } from "./purposes.ts";

/** How crawlers are grouped in a report. */
export type GroupBy = "name" | "category" | "header" | "address" | "network";

/** A rule that a crawler broke. */
export interface ViolatedRule {
	/** The robots.txt that contains it. */
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
	/** Number of pauses to which the Crawl-delay applied. */
	readonly pauses: number;
	/** shorter / pauses, in percent, rounded down; null without pauses. */
	readonly shorterShare: number | null;
	/**
	 * Whether fewer than half of these pauses are shorter, so that their median is at least the Crawl-delay. Null if unknown. A log has one
	 * time per request, so a pause includes one of the two downloads: false is certain, true is as far as the log can show.
	 */
	readonly kept: boolean | null;
	/** Requests that came too late in the logs to be put in order of time; the pauses around them are not the real ones. */
	readonly late: number;
	/** Why `kept` is unknown; null if it is known. */
	readonly unknown: string | null;
}

/** Requests within one step of the time series. */
export interface SeriesPoint {
	/** Start of the step: RFC 3339, in `timeZone`. */
	readonly start: string;
	/** Requests that robots.txt allows. */
	readonly allowed: number;
	/** Requests that robots.txt disallows. */
	readonly disallowed: number;
	/** Requests for robots.txt itself, and targets that are not URLs. */
	readonly other: number;
}

/** Texts by how often they came. */
export interface Ranking {
	/** The most frequent ones, at most 20. */
	readonly top: readonly {
		/** The path, directory, address or network. */
		readonly text: string;
		/** Requests with it. */
		readonly count: number;
	}[];
	/** How many different texts were counted. */
	readonly different: number;
	/**
	 * Requests that were not counted by their text. If 0, all counts are exact. Otherwise a text that is missing in `top` may have come up to
	 * this often, and one in `top` up to this much more often.
	 */
	readonly uncounted: number;
}

/** Requests for a path or a section, allowed or not. */
export interface TakenText {
	/** The path without its query, cut after 256 bytes; or its first segment: "/a/", "/" for files of the root. */
	readonly text: string;
	/** Requests for it. */
	readonly requests: number;
	/** Those of `requests` that robots.txt disallows. */
	readonly disallowed: number;
	/** Bytes of the responses, if the log has them. */
	readonly bytes: number;
}

/** Paths or sections by how often they were requested. */
export interface TakenRanking {
	/** The most frequent ones, at most 20. */
	readonly top: readonly TakenText[];
	/** How many are counted: all different ones if `uncounted` is 0. */
	readonly different: number;
	/**
	 * If 0, all numbers are exact. Otherwise a text that is missing in `top` may have come up to this often, and one in `top` up to this much
	 * more often; at most a thousandth of the requests, for each site.
	 */
	readonly uncounted: number;
}

/** What a crawler takes, with the option `paths`: its requests but those for robots.txt and for what is no URL. */
export interface TakenReport {
	/** Whole paths. */
	readonly paths: TakenRanking;
	/** First segments of paths. */
	readonly sections: TakenRanking;
	/** Content types of the responses, without parameters, if the log has them. */
	readonly contentTypes: Ranking;
	/** Bytes of all its responses in percent of those of all requests in the log, people's included; null if the log has no bytes. */
	readonly share: number | null;
}

/** A page that several AI crawlers requested. */
export interface SharedPage {
	/** Null for the robots.txt that governs every host. */
	readonly host: string | null;
	/** As in `TakenText`. */
	readonly path: string;
	/** Their names, in alphabetical order. */
	readonly crawlers: readonly string[];
	/** Their requests. */
	readonly requests: number;
	/** Those of `requests` that robots.txt disallows. */
	readonly disallowed: number;
	/** Bytes of the responses. */
	readonly bytes: number;
}

/** Pages that at least two AI crawlers requested, with the option `paths`. */
export interface SharedPages {
	/** Those of most crawlers, then of most requests; at most 20. */
	readonly top: readonly SharedPage[];
	/** How many there are. */
	readonly different: number;
	/** Whether all numbers are exact; otherwise they are at least this large. */
	readonly exact: boolean;
}

/**
 * What a client does that browsers do not: it takes no images, styles or scripts with its pages, sends no referrer, asks for robots.txt, or reads
 * page after page faster than people do.
 */
export type SuspectSign = "assets" | "referrers" | "robotsTxt" | "rate";

/** A client whose User-Agent is a browser's and that behaves like a crawler: a suspicion, not a verdict. */
export interface SuspectReport {
	/** Its address, or what stands for it with `anonymize`. */
	readonly address: string;
	/** Its autonomous system, by the option `systemOf`; null if it is not known. */
	readonly system: string | null;
	/** All its requests; if there are too many clients to count, since it is counted. */
	readonly requests: number;
	/** Different pages: URLs with their queries, without images, styles, scripts, fonts and media. */
	readonly pages: number;
	/** Whether `pages` is an estimate, off by 9% on average. */
	readonly pagesEstimated: boolean;
	/** Requests for pages. */
	readonly pageRequests: number;
	/** Requests for images, styles, scripts, fonts and media. */
	readonly assets: number;
	/** Requests for pages that have a referrer. */
	readonly referrers: number;
	/** Requests for robots.txt. */
	readonly robotsTxt: number;
	/** Requests that the rules for all crawlers (`*`) disallow. They bind no browser. */
	readonly disallowed: number;
	/** Requests for pages in a minute, on average over the minutes that have any; null if the log has no times. */
	readonly pagesPerMinute: number | null;
	/** The minute of its first request: RFC 3339, in `timeZone`; null if the log has no times. */
	readonly firstSeen: string | null;
	/** The minute of its last request: RFC 3339, in `timeZone`; null if the log has no times. */
	readonly lastSeen: string | null;
	/** Why it is suspected. */
	readonly signs: readonly SuspectSign[];
	/** The same in words, such as "no images, styles or scripts; 40 pages a minute". */
	readonly reason: string;
}

/** Clients whose User-Agent is a browser's and that behave like crawlers, with the option `suspects`. */
export interface SuspectsReport {
	/** Those of most disallowed requests, then of most pages; at most 100. */
	readonly top: readonly SuspectReport[];
	/** How many there are. */
	readonly different: number;
	/** Addresses that were looked at. */
	readonly clients: number;
	/** Most requests of an address that was not looked at: 0 up to 10,000 addresses, and then at most a 10,000th of all requests of browsers. */
	readonly uncounted: number;
	/** Signs that say nothing in this log, as hardly any client takes images, or sends referrers. */
	readonly unusable: readonly SuspectSign[];
}

/** How often a crawler read robots.txt. */
export interface RobotsFetches {
	/** Median time between two requests for robots.txt, in seconds; null with fewer than two. */
	readonly medianInterval: number | null;
	/** Longest time between two requests for robots.txt, in seconds; null with fewer than two. */
	readonly longestInterval: number | null;
	/** Other requests more than 24 hours after the last one for robots.txt (RFC 9309 §2.4), by whole minutes. */
	readonly stale: number;
}

/** Requests in quick succession. */
export interface BurstReport {
	/** Number of runs of 10 or more requests, each at most a second after the one before. */
	readonly count: number;
	/** Requests of the longest run; 0 without one. */
	readonly longest: number;
}

/** What a crawler did under one of several versions of a robots.txt. */
export interface VersionReport {
	/** Name of the file. */
	readonly file: string;
	/** Null if it governs every host. */
	readonly host: string | null;
	/** When it begins to apply: RFC 3339, in `timeZone`; null if always. */
	readonly since: string | null;
	/** All requests. */
	readonly requests: number;
	/** Requests for robots.txt. */
	readonly robotsTxt: number;
	/** Requests that this version allows. */
	readonly allowed: number;
	/** Requests that this version disallows. */
	readonly disallowed: number;
	/** allowed / (allowed + disallowed), in percent; null without either. */
	readonly compliance: number | null;
	/** Time of the first request under this version; null if the log has no times. */
	readonly firstRequest: string | null;
	/** Time of the first request for this version of robots.txt; null without any. */
	readonly firstRobotsTxt: string | null;
	/** Seconds from `since` to that request; null without one or the other. */
	readonly secondsToRobotsTxt: number | null;
	/** Requests allowed after it, in log order. */
	readonly allowedAfterRobotsTxt: number;
	/** Requests disallowed after it, in log order. */
	readonly disallowedAfterRobotsTxt: number;
	/** The share of requests after it that were allowed, in percent; null without any. */
	readonly complianceAfterRobotsTxt: number | null;
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

/** How robots.txt files are read, behind "read as". */
export function dialectText(dialect: AuditReport["dialect"]): string {
	return dialect === "auto" ? "each crawler's operator does" : dialect;
}

/** What one crawler did: one entry of `AuditReport.crawlers`. */
export interface CrawlerReport {
	/** Name of the crawler, of its category, or the User-Agent header, depending on `groupBy`. */
	readonly name: string;
	/** Category of the crawler, such as "search" or "ai-training". */
	readonly category: string;
	/** What it fetches for: its category, in the groups that a report shows; "other" if nothing is known. */
	readonly purpose: Purpose;
	/**
	 * Whether its addresses are its operator's, by published ranges or reverse DNS; "unknown" for requests without a usable address or a definite
	 * answer of DNS, null if neither was asked for or is known for it.
	 */
	readonly verification: Verification;
	/** The dialect in which robots.txt was read for it; null for rows that may have crawlers of several. */
	readonly dialect: Dialect | null;
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
	/**
	 * Allowed and disallowed requests of crawlers that robots.txt does not bind: their operators say so, they fetch when a person asks,
	 * or they do not obey `*` and no group names them.
	 */
	readonly exempt: number;
	/** Those of `exempt` that are disallowed. The rest of `disallowed` disregards robots.txt. */
	readonly exemptDisallowed: number;
	/** allowed / (allowed + disallowed), in percent, without exempt requests; null without others. */
	readonly compliance: number | null;
	/** Disallowed requests after the first request for robots.txt, in log order. */
	readonly disallowedAfterRobotsTxt: number;
	/** First request: RFC 3339, in `timeZone`; null if the log has no times. */
	readonly firstSeen: string | null;
	/** Last request: RFC 3339, in `timeZone`; null if the log has no times. */
	readonly lastSeen: string | null;
	/** Requests by class of status code: "none", "1xx" to "5xx". */
	readonly statuses: Readonly<Record<string, number>>;
	/** Disallowed requests by class of status code: "none", "1xx" to "5xx", and "refused" for 403, 429 and 451. */
	readonly disallowedStatuses: Readonly<Record<string, number>>;
	/** Bytes of the responses to allowed, disallowed and other requests, if the log has them. */
	readonly bytes: {
		/** Of requests that robots.txt allows. */
		readonly allowed: number;
		/** Of requests that robots.txt disallows. */
		readonly disallowed: number;
		/** Of requests for robots.txt, and of targets that are not URLs. */
		readonly other: number;
	};
	/** What it takes; null without the option `paths`. */
	readonly taken: TakenReport | null;
	/** Median pause between two requests, in seconds; null with fewer than two requests. */
	readonly medianGap: number | null;
	/** A tenth of all pauses is no longer, in seconds; null with fewer than two requests. */
	readonly p10Gap: number | null;
	/** Requests in quick succession. */
	readonly bursts: BurstReport;
	/** How often it read robots.txt. */
	readonly robotsFetches: RobotsFetches;
	/** Compliance with each version of robots.txt, where a site has several; otherwise empty. */
	readonly versions: readonly VersionReport[];
	/** Disallowed paths, without queries. */
	readonly disallowedPaths: Ranking;
	/** First directories of disallowed paths. */
	readonly disallowedDirectories: Ranking;
	/** Addresses of requests whose `verification` is "claimed". */
	readonly addresses: Ranking;
	/** Their networks: /24 for IPv4, /48 for IPv6. */
	readonly networks: Ranking;
	/** Autonomous systems that its requests came from, such as "AS15169 Google LLC", by the option `systemOf`; empty without it. */
	readonly systems: Ranking;
	/** Null if robots.txt has no Crawl-delay for this crawler. */
	readonly crawlDelay: CrawlDelayReport | null;
	/** Rules it broke, the most often broken first. */
	readonly rules: readonly ViolatedRule[];
	/** Its requests by site. */
	readonly sites: readonly SiteReport[];
	/** Its requests over time. */
	readonly series: readonly SeriesPoint[];
}

/** Disallowed requests of crawlers that robots.txt binds. */
export function violationsOf({
	disallowed,
	exemptDisallowed,
}: CrawlerReport): number {
	return disallowed - exemptDisallowed;
}

/** Whether robots.txt binds any of a crawler's requests. */
export function isBound({
	allowed,
	disallowed,
	exempt,
}: CrawlerReport): boolean {
	return exempt === 0 || exempt < allowed + disallowed;
}

/** A line that could not be parsed, and its position. */
export interface UnparsedLine {
	/** Name of the log file. */
	readonly file: string;
	/** Line number from 1, in the decompressed file. */
	readonly line: number;
	/** Its first 200 bytes, decoded. */
	readonly text: string;
}

/** What the crawlers of one purpose did: one entry of `AuditReport.purposes`. */
export interface PurposeReport {
	/** What they fetch for. */
	readonly purpose: Purpose;
	/** Entries of `AuditReport.crawlers` with this purpose. */
	readonly crawlers: number;
	/** Those of them that robots.txt binds, without those whose `verification` is "claimed". */
	readonly bound: number;
	/** Those of `bound` that made a disallowed request. */
	readonly disregarding: number;
	/** All their requests. */
	readonly requests: number;
	/** Requests that robots.txt allows. */
	readonly allowed: number;
	/** Requests that robots.txt disallows. */
	readonly disallowed: number;
	/** Those of `disallowed` that robots.txt does not bind. */
	readonly exemptDisallowed: number;
	/** As in `CrawlerReport`, of all of them together. */
	readonly compliance: number | null;
	/** Bytes of all responses, if the log has them. */
	readonly bytes: number;
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
	/** Requests of crawlers that `agents` leaves out, and requests that `where` leaves out. */
	readonly leftOut: number;
	/** Requests of crawlers to hosts, or at times, for which no robots.txt was given. */
	readonly withoutRobots: number;
	/** Lines outside the requested period. */
	readonly outside: number;
	/** Blank lines and directives. */
	readonly blank: number;
	/** Time of the first line of the period, judged or not: RFC 3339, in `timeZone`; null if the log has no times. */
	readonly from: string | null;
	/** Time of the last line of the period, judged or not: RFC 3339, in `timeZone`; null if the log has no times. */
	readonly to: string | null;
	/** How robots.txt files are read: in one dialect for all crawlers, or, "auto", for each in that of its operator. */
	readonly dialect: Dialect | "auto";
	/** Names of the logs, in order of time. */
	readonly logs: readonly string[];
	/** How `crawlers` are grouped. */
	readonly groupBy: GroupBy;
	/** The time zone of all times in the report: "UTC", or what the option `timeZone` says. */
	readonly timeZone: string;
	/** Length of one step of the series, in seconds; 30 days for months, 24 hours for days in a time zone. */
	readonly step: number;
	/** What the steps are, with the option `every`: wider ones if there would be more than 1,000. Null without it. */
	readonly every: Every | WiderStep | null;
	/** How many lines had which format, the most frequent first; a log may have several. Blank and unparsed lines have none. */
	readonly formats: readonly FormatLines[];
	/** The first lines that could not be parsed. */
	readonly unparsedLines: readonly UnparsedLine[];
	/** Reasons to doubt the report, such as that more than half of the judged requests are not for a URL. */
	readonly warnings: readonly string[];
	/** Bytes of the responses to all requests, people's included; null without the option `paths`. */
	readonly bytes: number | null;
	/** Pages that several AI crawlers take; null without the option `paths`. */
	readonly sharedPages: SharedPages | null;
	/** Clients with a browser's User-Agent that behave like crawlers; null without the option `suspects`. They are in no other number but `people`. */
	readonly suspects: SuspectsReport | null;
	/** The robots.txt files the log was checked against. */
	readonly robots: readonly {
		/** Name of the file. */
		readonly file: string;
		/** Null if it governs every host. */
		readonly host: string | null;
		/** When it begins to apply: RFC 3339, in `timeZone`; null if always. */
		readonly since: string | null;
		/** Its size in bytes. */
		readonly bytes: number;
		/** SHA-256 of its bytes, in hexadecimal. */
		readonly sha256: string;
		/** False if nothing in it can be read as a robots.txt, as in an image: all its requests count as allowed, but it was not obeyed. */
		readonly readable: boolean;
	}[];
	/** The crawlers by purpose: AI training, AI search and assistants, search engines and so on; only those that came. */
	readonly purposes: readonly PurposeReport[];
	/** The crawlers, those with the most disallowed requests first. */
	readonly crawlers: readonly CrawlerReport[];
}

/** What the functions that take a report accept. */
export const reportKind: Kind = {
	text: "a report of LogAudit",
	accepts: (value) =>
		isRecord(value) &&
		Array.isArray(value.crawlers) &&
		Array.isArray(value.purposes),
	hint: (value) =>
		isRecord(value) && "report" in value ? "call its report()" : undefined,
};

/**
 * How many lines were not judged, and why: "321 of people". Empty if all were. What is missing in a
 * report is as important as what is in it: without this, a log of the wrong format looks like a
 * quiet one.
 */
export function unjudged(report: AuditReport): readonly string[] {
	const reasons = [
		[report.people, "of people"],
		[report.withoutAgent, "without a User-Agent header"],
		[report.leftOut, "left out"],
		[report.withoutRobots, "without a robots.txt"],
		[report.outside, "at other times"],
		[report.unparsed, "not parsed"],
		[report.blank, "blank or directives"],
	] as const;
	return reasons
		.filter(([count]) => count > 0)
		.map(([count, reason]) => `${count.toLocaleString("en-US")} ${reason}`);
}

/** What a log may lack. */
const SIGNS: Readonly<Record<SuspectSign, string>> = {
	assets: "images, styles and scripts",
	referrers: "referrers",
	robotsTxt: "requests for robots.txt",
	rate: "pages a minute",
};

/** A sentence on the signs that say nothing in these logs; empty if all do. */
export function unusableSigns({ unusable }: SuspectsReport): string {
	if (unusable.length === 0) return "";
	return `Not looked at: ${unusable.map((sign) => SIGNS[sign]).join("; ")}, as hardly any client in these logs has them.`;
}

/** The number of a suspect's pages; an estimate has two digits that mean something. */
export function pagesOf({ pages, pagesEstimated }: SuspectReport): string {
	const shown = pagesEstimated ? Number(pages.toPrecision(2)) : pages;
	return `${pagesEstimated ? "~" : ""}${shown.toLocaleString("en-US")}`;
}

const nouns: Readonly<Record<GroupBy, readonly [one: string, many: string]>> = {
	name: ["crawler", "crawlers"],
	category: ["category", "categories"],
	header: ["header", "headers"],
	address: ["address", "addresses"],
	network: ["network", "networks"],
};

/** What the rows of a report are, for a number of them: "crawlers", or "networks" if it counts by network. */
export function groupNoun(groupBy: GroupBy, number: number): string {
	const [one, many] = nouns[groupBy];
	return number === 1 ? one : many;
}

/**
 * A share in percent with two decimals, rounded down so that 100 means all; null if there is
 * nothing to share.
 */
export function percent(count: number, whole: number): number | null {
	return whole === 0 ? null : Math.floor((count / whole) * 10_000) / 100;
}

/** RFC 3339 in UTC, for messages, given milliseconds since 1970; null if they are not finite. */
export function timestamp(time: number): string | null {
	return Number.isFinite(time) ? new Date(time).toISOString() : null;
}
