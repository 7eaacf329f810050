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
import type {
	AuditReport,
	CrawlDelayReport,
	CrawlerReport,
	GroupBy,
	SiteReport,
	ViolatedRule,
} from "./report.ts";
import type { RuleBook } from "./rule-book.ts";
import type { CrawlerCounts } from "./tally.ts";
import { TimeSeries, widthFor } from "./time-series.ts";
import type { Totals } from "./totals.ts";
import { warningsOf } from "./warnings.ts";

export function reportOf(
	totals: Totals,
	book: RuleBook,
	groupBy: GroupBy,
): AuditReport {
	const counted = [...totals.crawlers.values()];
	const { firstTime: first, lastTime: last } = totals;
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
		warnings: warningsOf(crawlers, totals.invalid),
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
	const bySite = new Map<number, CrawlerCounts[]>();
	for (const counts of crawlers) {
		const { site } = counts.key;
		const known = bySite.get(site);
		if (known) known.push(counts);
		else bySite.set(site, [counts]);
	}
	return [...bySite]
		.sort(([a], [b]) => a - b)
		.map(([site, own]) => ({
			host: book.sites[site]?.host ?? null,
			requests: sum(own, ({ requests }) => requests),
			allowed: sum(own, ({ allowed }) => allowed),
			disallowed: sum(own, ({ disallowed }) => disallowed),
		}))
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
