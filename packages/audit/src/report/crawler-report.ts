/**
 * The entry of one crawler in a report, made of the counters of all its sites. Whatever depends on the order of lines was decided when counters
 * were appended; here they are only summed, ranked and named.
 */

import { count } from "#robotrie/common/wording";
import { networkOf } from "../common/addresses.ts";
import type { Calendar } from "../common/calendar.ts";
import {
	newVersionCounts,
	sumVersion,
	type TextCounts,
	type VersionCounts,
} from "../common/keyed-counts.ts";
import {
	ALLOWED,
	DISALLOWED,
	OTHER,
	TimeSeries,
} from "../common/time-series.ts";
import { type CrawlerCounts, STATUSES } from "../count/crawler-counts.ts";
import { isKept, type Pace } from "../count/pacing.ts";
import { Pauses } from "../count/pauses.ts";
import type { TakenTexts } from "../count/taken.ts";
import type { Totals } from "../count/totals.ts";
import { purposeOf } from "../options/purposes.ts";
import {
	type CrawlDelayReport,
	type CrawlerReport,
	type GroupBy,
	percent,
	type Ranking,
	type RobotsFetches,
	type SharedPages,
	type SiteReport,
	type TakenRanking,
	type TakenReport,
	type TakenText,
	type VersionReport,
	type ViolatedRule,
} from "../options/report.ts";
import type { RuleBook } from "../options/rule-book.ts";

/**
 * The report on one row of counters: those of a crawler on all sites, or of all crawlers of a
 * category.
 * @param totals Of which these are some.
 * @param width The common width of series, in milliseconds.
 */
export function crawlerReport(
	crawlers: readonly CrawlerCounts[],
	book: RuleBook,
	groupBy: GroupBy,
	{ calendar, bytes: allBytes }: Pick<Totals, "calendar" | "bytes">,
	width: number,
): CrawlerReport {
	// All of one row agree in what the report shows of the key, except for a category, which has many names.
	const [{ key }] = crawlers as [CrawlerCounts];
	const total = (of: (crawler: CrawlerCounts) => number) => sum(crawlers, of);
	const allowed = total((crawler) => crawler.allowed);
	const disallowed = total((crawler) => crawler.disallowed);
	const exempt = total((crawler) => crawler.exempt);
	// Compliance is about what robots.txt binds: exempt requests neither help nor harm it.
	const bound = allowed + disallowed - exempt;
	const exemptDisallowed = total((crawler) => crawler.exemptDisallowed);
	const paces = crawlers.flatMap(({ pacing }) => pacing?.total() ?? []);
	// Pauses are those within a site; a Crawl-delay is a site's, too.
	const pauses = pausesOf(paces);
	// All crawlers are shown in steps of the same width, so that their charts can be compared and added up.
	const series = new TimeSeries(calendar);
	for (const crawler of crawlers) series.merge(crawler.series.toData());
	series.widen(width);
	const category = categoryOf(crawlers);
	return {
		name: groupBy === "category" ? category : key.name,
		category,
		purpose: purposeOf(category),
		verification: key.verification,
		dialect: book.dialectOf(
			groupBy === "name" || groupBy === "header" ? key.name : undefined,
		),
		requests: total((crawler) => crawler.requests),
		robotsTxt: total((crawler) => crawler.robotsTxt),
		allowed,
		disallowed,
		invalid: total((crawler) => crawler.invalid),
		exempt,
		exemptDisallowed,
		// Without exempt requests on both sides of the fraction, so that an exempt crawler has null and
		// not 100.
		compliance: percent(bound - (disallowed - exemptDisallowed), bound),
		disallowedAfterRobotsTxt: total((crawler) => crawler.disallowedAfter),
		firstSeen: calendar.timestamp(
			Math.min(...crawlers.map((crawler) => crawler.firstSeen)),
		),
		lastSeen: calendar.timestamp(
			Math.max(...crawlers.map((crawler) => crawler.lastSeen)),
		),
		statuses: statusesOf(crawlers),
		disallowedStatuses: byStatus((index) =>
			total(({ answers }) => answers[answerAt(DISALLOWED, index)] ?? 0),
		),
		bytes: {
			allowed: total(({ bytes }) => bytes[ALLOWED] ?? 0),
			disallowed: total(({ bytes }) => bytes[DISALLOWED] ?? 0),
			other: total(({ bytes }) => bytes[OTHER] ?? 0),
		},
		taken: takenReport(crawlers, allBytes),
		medianGap: seconds(pauses.median()),
		p10Gap: seconds(pauses.quantile(0.1)),
		bursts: {
			count: sum(paces, ({ bursts }) => bursts),
			longest: Math.max(0, ...paces.map(({ longest }) => longest)),
		},
		robotsFetches: fetchesOf(crawlers),
		versions: versionReports(crawlers, book, calendar),
		disallowedPaths: ranking(crawlers.map(({ paths }) => paths)),
		disallowedDirectories: ranking(
			crawlers.map(({ directories }) => directories),
		),
		addresses: ranking(crawlers.map(({ addresses }) => addresses)),
		networks: ranking(
			crawlers.map(({ addresses }) => addresses),
			networkOf,
		),
		systems: ranking(crawlers.map(({ systems }) => systems)),
		crawlDelay: crawlDelayReport(crawlers, paces),
		rules: violatedRules(crawlers, book),
		sites: siteReports(crawlers, book),
		// Until here times are numbers.
		series: series.entries().map(([start, counts]) => ({
			start: calendar.timestamp(start) ?? "",
			allowed: counts[0],
			disallowed: counts[1],
			other: counts[2],
		})),
	};
}

/** The category of most requests, as headers of one name can be of several. */
function categoryOf(crawlers: readonly CrawlerCounts[]): string {
	const requests = new Map<string, number>();
	for (const { key, requests: more } of crawlers)
		requests.set(key.category, (requests.get(key.category) ?? 0) + more);
	// By name where two are equally frequent, so that the order does not depend on the log's.
	const [[category] = [""]] = [...requests].sort(
		([a, many], [b, others]) => others - many || compare(a, b),
	);
	return category;
}

/** Requests by site, in the order of the robots.txt files given. */
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

/**
 * The rules that were broken, the most often broken first. A rule is a line of a version of a robots.txt; the same line in two versions is
 * two rules, as they may differ.
 */
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
				// Three examples of all together, in the order of sites; Set keeps the first of equal ones.
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

/** Null if no Crawl-delay applied. The delay of the report is the longest, as sites and versions may ask for different ones. */
function crawlDelayReport(
	crawlers: readonly CrawlerCounts[],
	paces: readonly Pace[],
	// A Crawl-delay may apply to lines with a time and to lines without, even in one log.
): CrawlDelayReport | null {
	const delays = [
		...crawlers.map(({ untimedDelay }) => untimedDelay),
		...paces.map(({ crawlDelay }) => crawlDelay),
	].filter((delay) => delay !== undefined);
	if (delays.length === 0) return null;
	const delayed = paces.filter(({ crawlDelay }) => crawlDelay !== undefined);
	const shorter = sum(delayed, (pace) => pace.shorter);
	const pauses = sum(delayed, (pace) => pace.delayed);
	const late = sum(delayed, (pace) => pace.late);
	const kept = isKept(delayed);
	return {
		// The longest, as that is what the crawler was asked for at least somewhere.
		seconds: Math.max(...delays) / 1000,
		medianGap: seconds(pausesOf(delayed).median()),
		shorter,
		pauses,
		shorterShare: percent(shorter, pauses),
		kept,
		late,
		unknown:
			kept !== null
				? null
				: late === 0
					? "there are no two requests with a time"
					: `${count(late, "request")} came too late in the logs to be put in order of time`,
	};
}

/** The pauses of several sites as one histogram. Pauses between requests to different sites are not in it: a Crawl-delay is per site. */
function pausesOf(paces: readonly Pace[]): Pauses {
	const all = new Pauses();
	for (const { pauses } of paces) all.merge(pauses.toData());
	return all;
}

/** How often robots.txt was fetched. Intervals are those of each site, as each has a robots.txt of its own. */
function fetchesOf(crawlers: readonly CrawlerCounts[]): RobotsFetches {
	const intervals = new Pauses();
	const all = crawlers.map(({ fetches }) => fetches.toData());
	for (const fetches of all) intervals.merge(fetches.intervals);
	return {
		medianInterval: seconds(intervals.median()),
		longestInterval: seconds(intervals.longest()),
		stale: sum(all, ({ stale }) => stale),
	};
}

/** Index in `CrawlerCounts.answers`. */
function answerAt(kind: number, status: number): number {
	return kind * STATUSES.length + status;
}

/** Numbers by class of status, without zeros. */
function byStatus(of: (index: number) => number): Record<string, number> {
	return Object.fromEntries(
		STATUSES.map((name, index) => [name, of(index)] as const).filter(
			([, count]) => count !== 0,
		),
	);
}

/** All requests by class of status. Here "refused" is part of 4xx, in the place that 4xx has among the classes. */
function statusesOf(
	crawlers: readonly CrawlerCounts[],
): Record<string, number> {
	// Reports show "refused" only where it is asked for (`disallowedStatuses`): 403 is a 4xx to
	// everybody else.
	const { refused = 0, ...rest } = byStatus((index) =>
		sum(crawlers, ({ answers }) =>
			sum(
				[ALLOWED, DISALLOWED, OTHER],
				(kind) => answers[answerAt(kind, index)] ?? 0,
			),
		),
	);
	if (refused === 0) return rest;
	const all: Record<string, number> = {
		...rest,
		"4xx": (rest["4xx"] ?? 0) + refused,
	};
	// In the order of STATUSES, not of first appearance: reports of two runs stay comparable as text.
	return Object.fromEntries(
		STATUSES.filter((name) => all[name] !== undefined).map((name) => [
			name,
			all[name] ?? 0,
		]),
	);
}

/** Reports give seconds, counters milliseconds. */
function seconds(milliseconds: number | null): number | null {
	return milliseconds === null ? null : milliseconds / 1000;
}

/** By UTF-16 code units: localeCompare would make reports depend on the machine. */
export function compare(a: string, b: string): number {
	return a < b ? -1 : a > b ? 1 : 0;
}

export function sum<Item>(
	items: readonly Item[],
	of: (item: Item) => number,
): number {
	return items.reduce((total, item) => total + of(item), 0);
}

/** Most texts of a ranking. */
const MOST = 20;

/**
 * The texts of several counters together, most frequent first; `replace` maps a text to what it is
 * counted as. `uncounted` bounds the error of every count: a text beyond a crawler's limit may have
 * come that often.
 */
function ranking(
	all: readonly TextCounts[],
	replace: (text: string) => string = (text) => text,
): Ranking {
	const sums = new Map<string, number>();
	let uncounted = 0;
	for (const texts of all) {
		const { counts, others } = texts.toData();
		uncounted += others;
		for (const [text, count] of counts) {
			const name = replace(text);
			sums.set(name, (sums.get(name) ?? 0) + count);
		}
	}
	const top = [...sums]
		// Code units decide between equally frequent texts, see `compare`.
		.sort(([a, many], [b, few]) => few - many || (a < b ? -1 : 1))
		.slice(0, MOST)
		.map(([text, count]) => ({ text, count }));
	return { top, different: sums.size, uncounted };
}

/** What crawlers take; null if it was not counted. */
function takenReport(
	crawlers: readonly CrawlerCounts[],
	allBytes: number | undefined,
): TakenReport | null {
	if (allBytes === undefined) return null;
	const own = sum(crawlers, ({ bytes }) => sum([...bytes], (each) => each));
	const taken = crawlers.flatMap((crawler) => crawler.taken ?? []);
	return {
		paths: takenRanking(taken.map(({ paths }) => paths)),
		sections: takenRanking(taken.map(({ sections }) => sections)),
		contentTypes: ranking(crawlers.map(({ types }) => types)),
		share: percent(own, allBytes),
	};
}

/** The texts of several sites together, most frequent first. */
function takenRanking(all: readonly TakenTexts[]): TakenRanking {
	const sums = new Map<
		string,
		{ -readonly [Key in keyof TakenText]: TakenText[Key] }
	>();
	for (const texts of all)
		for (const { text, requests, disallowed, bytes } of texts.values()) {
			const known = sums.get(text);
			if (!known) {
				sums.set(text, { text, requests, disallowed, bytes });
				continue;
			}
			known.requests += requests;
			known.disallowed += disallowed;
			known.bytes += bytes;
		}
	return {
		top: [...sums.values()]
			.sort((a, b) => b.requests - a.requests || compare(a.text, b.text))
			.slice(0, MOST),
		different: sums.size,
		uncounted: sum(all, ({ bound }) => bound),
	};
}

/** Pages of a site that several of these crawlers requested. */
export function sharedPages(
	crawlers: readonly CrawlerCounts[],
	book: RuleBook,
): SharedPages {
	const pages = new Map<
		string,
		{
			site: number;
			path: string;
			names: Set<string>;
			requests: number;
			disallowed: number;
			bytes: number;
		}
	>();
	for (const { key, taken } of crawlers)
		for (const { text, requests, disallowed, bytes } of taken?.paths.values() ??
			[]) {
			const { site, name } = key;
			const id = `${site} ${text}`;
			const page = pages.get(id) ?? {
				...{ site, path: text, names: new Set() },
				...{ requests: 0, disallowed: 0, bytes: 0 },
			};
			page.names.add(name);
			page.requests += requests;
			page.disallowed += disallowed;
			page.bytes += bytes;
			pages.set(id, page);
		}
	const shared = [...pages.values()].filter(({ names }) => names.size > 1);
	return {
		top: shared
			.sort(
				(a, b) =>
					b.names.size - a.names.size ||
					b.requests - a.requests ||
					compare(a.path, b.path) ||
					a.site - b.site,
			)
			.slice(0, MOST)
			.map(({ site, path, names, requests, disallowed, bytes }) => ({
				host: book.sites[site]?.host ?? null,
				path,
				crawlers: [...names].sort(compare),
				requests,
				disallowed,
				bytes,
			})),
		different: shared.length,
		exact: crawlers.every(({ taken }) => !taken || taken.paths.bound === 0),
	};
}

/** The requests under each version of robots.txt, of sites that have several. */
function versionReports(
	crawlers: readonly CrawlerCounts[],
	book: RuleBook,
	calendar: Calendar,
): VersionReport[] {
	const sums = new Map<number, VersionCounts>();
	for (const { versions } of crawlers)
		for (const counts of versions) {
			const sum = sums.get(counts.version) ?? newVersionCounts(counts.version);
			sums.set(counts.version, sum);
			sumVersion(sum, counts);
			sum.allowedAfter += counts.allowedAfter;
			sum.disallowedAfter += counts.disallowedAfter;
		}
	return [...sums.values()]
		.sort((a, b) => a.version - b.version)
		.map((counts) => reportOf(counts, book, calendar));
}

/** One row of `VersionReport`. */
function reportOf(
	counts: VersionCounts,
	book: RuleBook,
	calendar: Calendar,
): VersionReport {
	const { source, since = Number.NaN } = book.versions[counts.version] ?? {};
	const { allowed, disallowed, allowedAfter, disallowedAfter } = counts;
	// Infinite if the version was always there, or was never fetched.
	const delay = (counts.firstFetch - since) / 1000;
	return {
		file: source?.file ?? "",
		host: source?.host ?? null,
		since: calendar.timestamp(since),
		requests: counts.requests,
		robotsTxt: counts.robotsTxt,
		allowed,
		disallowed,
		compliance: percent(allowed, allowed + disallowed),
		firstRequest: calendar.timestamp(counts.firstSeen),
		firstRobotsTxt: calendar.timestamp(counts.firstFetch),
		secondsToRobotsTxt: Number.isFinite(delay) ? delay : null,
		allowedAfterRobotsTxt: allowedAfter,
		disallowedAfterRobotsTxt: disallowedAfter,
		complianceAfterRobotsTxt: percent(
			allowedAfter,
			allowedAfter + disallowedAfter,
		),
	};
}
