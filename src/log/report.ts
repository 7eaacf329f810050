import {
	COUNT_BLANK,
	COUNT_LEFT_OUT,
	COUNT_LINES,
	COUNT_MISSING,
	COUNT_OUTSIDE,
	COUNT_PERSON,
	COUNT_UNPARSED,
	COUNT_WITHOUT_ROBOTS,
} from "../../assembly/format/log.ts";
import { Pauses } from "./pauses.ts";
import type { RuleBook } from "./rule-book.ts";
import type { CrawlerCounts, Verification } from "./tally.ts";
import { TimeSeries, widthFor } from "./time-series.ts";
import type { Totals, UnparsedLine } from "./totals.ts";

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
	/** Time of the first judged request: RFC 3339, UTC; null if the log has no times. */
	readonly from: string | null;
	/** Time of the last judged request: RFC 3339, UTC; null if the log has no times. */
	readonly to: string | null;
	/** How `crawlers` are grouped. */
	readonly groupBy: GroupBy;
	/** Length of one step of the series, in seconds. */
	readonly step: number;
	/** The first lines that could not be parsed. */
	readonly unparsedLines: readonly UnparsedLine[];
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

export function reportOf(
	totals: Totals,
	book: RuleBook,
	groupBy: GroupBy,
): AuditReport {
	const counted = [...totals.crawlers.values()];
	const first = Math.min(...counted.map(({ firstSeen }) => firstSeen));
	const last = Math.max(...counted.map(({ lastSeen }) => lastSeen));
	const width = widthFor(first, last);
	const groups = new Map<string, CrawlerCounts[]>();
	for (const crawler of counted) {
		const { name, category, verification } = crawler.key;
		const label = groupBy === "category" ? category : name;
		const key = `${verification} ${label}`;
		const group = groups.get(key);
		if (group) group.push(crawler);
		else groups.set(key, [crawler]);
	}
	const crawlers = Array.from(groups.values(), (group) =>
		crawlerReport(group, book, groupBy, width),
	).sort(
		(a, b) =>
			b.disallowed - a.disallowed ||
			b.requests - a.requests ||
			compare(a.name, b.name) ||
			compare(a.verification ?? "", b.verification ?? ""),
	);
	const counter = (index: number) => totals.counters[index] ?? 0;
	return {
		lines: counter(COUNT_LINES),
		unparsed: counter(COUNT_UNPARSED),
		judged: sum(crawlers, ({ requests }) => requests),
		people: counter(COUNT_PERSON),
		withoutAgent: counter(COUNT_MISSING),
		leftOut: counter(COUNT_LEFT_OUT),
		withoutRobots: counter(COUNT_WITHOUT_ROBOTS),
		outside: counter(COUNT_OUTSIDE),
		blank: counter(COUNT_BLANK),
		from: timestamp(first),
		to: timestamp(last),
		groupBy,
		step: width / 1000,
		unparsedLines: totals.unparsed,
		robots: book.versions.map(({ source, since }) => ({
			file: source.file,
			host: source.host ?? null,
			since: timestamp(since),
		})),
		crawlers,
	};
}

function crawlerReport(
	crawlers: readonly CrawlerCounts[],
	book: RuleBook,
	groupBy: GroupBy,
	width: number,
): CrawlerReport {
	const [{ key }] = crawlers as [CrawlerCounts];
	const total = (of: (crawler: CrawlerCounts) => number) => sum(crawlers, of);
	const allowed = total((crawler) => crawler.allowed);
	const disallowed = total((crawler) => crawler.disallowed);
	const judged = allowed + disallowed;
	const series = new TimeSeries();
	for (const crawler of crawlers) series.merge(crawler.series.toData());
	series.widen(width);
	const category = categoryOf(crawlers);
	return {
		name: groupBy === "category" ? category : key.name,
		category,
		verification: key.verification,
		requests: total((crawler) => crawler.requests),
		robotsTxt: total((crawler) => crawler.robotsTxt),
		allowed,
		disallowed,
		invalid: total((crawler) => crawler.invalid),
		compliance: judged === 0 ? null : percent(allowed, judged),
		disallowedAfterRobotsTxt: total((crawler) => crawler.disallowedAfter),
		firstSeen: timestamp(
			Math.min(...crawlers.map((crawler) => crawler.firstSeen)),
		),
		lastSeen: timestamp(
			Math.max(...crawlers.map((crawler) => crawler.lastSeen)),
		),
		statuses: Object.fromEntries(
			["none", "1xx", "2xx", "3xx", "4xx", "5xx"]
				.map((name, index) => [
					name,
					total((crawler) => crawler.statuses[index] ?? 0),
				])
				.filter(([, count]) => count !== 0),
		),
		medianGap: medianGap(crawlers),
		crawlDelay: crawlDelayReport(crawlers),
		rules: violatedRules(crawlers, book),
		sites: siteReports(crawlers, book),
		series: series.entries().map(([start, counts]) => ({
			start: timestamp(start) ?? "",
			allowed: counts[0],
			disallowed: counts[1],
			other: counts[2],
		})),
	};
}

/** The category of most requests: headers of one name can be of several. */
function categoryOf(crawlers: readonly CrawlerCounts[]): string {
	const requests = new Map<string, number>();
	for (const { key, requests: more } of crawlers)
		requests.set(key.category, (requests.get(key.category) ?? 0) + more);
	const [[category] = [""]] = [...requests].sort(
		([a, many], [b, others]) => others - many || compare(a, b),
	);
	return category;
}

function siteReports(
	crawlers: readonly CrawlerCounts[],
	book: RuleBook,
): SiteReport[] {
	return book.sites
		.map(({ host }, site) => {
			const own = crawlers.filter(({ key }) => key.site === site);
			return {
				host: host ?? null,
				requests: sum(own, ({ requests }) => requests),
				allowed: sum(own, ({ allowed }) => allowed),
				disallowed: sum(own, ({ disallowed }) => disallowed),
			};
		})
		.filter(({ requests }) => requests > 0);
}

function violatedRules(
	crawlers: readonly CrawlerCounts[],
	book: RuleBook,
): ViolatedRule[] {
	const rules = new Map<string, ViolatedRule>();
	for (const crawler of crawlers)
		for (const {
			version,
			line,
			pattern,
			count,
			examples,
		} of crawler.rules.values()) {
			const key = `${version} ${line}`;
			const known = rules.get(key);
			rules.set(key, {
				file: book.versions[version]?.source.file ?? "",
				line,
				pattern,
				count: (known?.count ?? 0) + count,
				examples: [...new Set([...(known?.examples ?? []), ...examples])].slice(
					0,
					3,
				),
			});
		}
	return [...rules.values()].sort(
		(a, b) => b.count - a.count || compare(a.file, b.file) || a.line - b.line,
	);
}

function crawlDelayReport(
	crawlers: readonly CrawlerCounts[],
): CrawlDelayReport | null {
	const delayed = crawlers.filter(({ crawlDelay }) => crawlDelay !== undefined);
	if (delayed.length === 0) return null;
	const seconds =
		Math.max(...delayed.map(({ crawlDelay }) => crawlDelay ?? 0)) / 1000;
	const median = medianGap(delayed);
	return {
		seconds,
		medianGap: median,
		shorter: sum(delayed, ({ hasty }) => hasty),
		kept: median === null ? null : median >= seconds,
	};
}

/** Seconds. */
function medianGap(crawlers: readonly CrawlerCounts[]): number | null {
	const all = new Pauses();
	for (const crawler of crawlers) all.merge(crawler.pauses.toData());
	const median = all.median();
	return median === null ? null : median / 1000;
}

function percent(part: number, whole: number): number {
	// Rounded down, so that 100 means all.
	return Math.floor((part / whole) * 10_000) / 100;
}

function timestamp(time: number): string | null {
	return Number.isFinite(time) ? new Date(time).toISOString() : null;
}

function compare(a: string, b: string): number {
	return a < b ? -1 : a > b ? 1 : 0;
}

function sum<Item>(items: readonly Item[], of: (item: Item) => number): number {
	return items.reduce((total, item) => total + of(item), 0);
}
