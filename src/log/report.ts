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
import type { Unit, Verification } from "./tally.ts";
import { TimeSeries, widthFor } from "./time-series.ts";
import type { Totals, UnparsedLine } from "./totals.ts";

/** How crawlers are grouped in a report. */
export type GroupBy = "name" | "category" | "header";

/** A rule that was disregarded. */
export interface ViolatedRule {
	/** The robots.txt it stands in. */
	readonly file: string;
	/** From 1. */
	readonly line: number;
	/** As written. */
	readonly pattern: string;
	readonly count: number;
	/** The first three different targets. */
	readonly examples: readonly string[];
}

export interface CrawlDelayReport {
	/** What robots.txt asks for, in seconds. */
	readonly seconds: number;
	/** Half of the pauses were at least so long, in seconds; null with less than two requests. */
	readonly medianGap: number | null;
	/** Pauses that were shorter than asked for. */
	readonly shorter: number;
	/** The median is at least what was asked for; null with less than two requests. */
	readonly kept: boolean | null;
}

/** Requests of a step of time. */
export interface SeriesPoint {
	/** RFC 3339, UTC. */
	readonly start: string;
	readonly allowed: number;
	readonly disallowed: number;
	/** robots.txt, and what is no URL. */
	readonly other: number;
}

export interface SiteReport {
	/** Null for the robots.txt that holds for every host. */
	readonly host: string | null;
	readonly requests: number;
	readonly allowed: number;
	readonly disallowed: number;
}

export interface CrawlerReport {
	readonly name: string;
	readonly category: string;
	/** By published address ranges; null where none are given. */
	readonly verification: Verification;
	/** robotsTxt + allowed + disallowed + invalid */
	readonly requests: number;
	/** Requests for /robots.txt, never a violation. */
	readonly robotsTxt: number;
	readonly allowed: number;
	readonly disallowed: number;
	/** What is no request, or not for a URL. */
	readonly invalid: number;
	/** allowed of allowed + disallowed, in percent; null without either. */
	readonly compliance: number | null;
	/** Disallowed requests behind the first request for robots.txt, in the order of the log. */
	readonly disallowedAfterRobotsTxt: number;
	/** RFC 3339, UTC; null where the log has no times. */
	readonly firstSeen: string | null;
	readonly lastSeen: string | null;
	readonly statuses: Readonly<Record<string, number>>;
	/** Seconds; null with less than two requests. */
	readonly medianGap: number | null;
	/** Null where robots.txt asks for none. */
	readonly crawlDelay: CrawlDelayReport | null;
	/** Most disregarded first. */
	readonly rules: readonly ViolatedRule[];
	readonly sites: readonly SiteReport[];
	readonly series: readonly SeriesPoint[];
}

/** What an audit found; `docs/audit.schema.json` is its schema. */
export interface AuditReport {
	readonly lines: number;
	/** Lines that are not of the format. */
	readonly unparsed: number;
	/** Requests of crawlers, judged by a robots.txt: those of `crawlers` together. */
	readonly judged: number;
	/** Requests of people's browsers. */
	readonly people: number;
	/** Requests without a User-Agent header. */
	readonly withoutAgent: number;
	/** Requests of crawlers that the audit was not about. */
	readonly leftOut: number;
	/** Requests of crawlers to hosts, or at times, that no robots.txt is given for. */
	readonly withoutRobots: number;
	/** Lines before or after the time asked for. */
	readonly outside: number;
	/** Blank lines and directives. */
	readonly blank: number;
	/** Time of the first and the last judged request, RFC 3339, UTC. */
	readonly from: string | null;
	readonly to: string | null;
	readonly groupBy: GroupBy;
	/** Seconds of a step of the series. */
	readonly step: number;
	/** The first lines that could not be parsed. */
	readonly unparsedLines: readonly UnparsedLine[];
	readonly robots: readonly {
		readonly file: string;
		readonly host: string | null;
		readonly since: string | null;
	}[];
	/** Those with most disallowed requests first. */
	readonly crawlers: readonly CrawlerReport[];
}

export function reportOf(
	totals: Totals,
	book: RuleBook,
	groupBy: GroupBy,
): AuditReport {
	const units = [...totals.units.values()];
	const first = Math.min(...units.map((unit) => unit.firstSeen));
	const last = Math.max(...units.map((unit) => unit.lastSeen));
	const width = widthFor(first, last);
	const groups = new Map<string, Unit[]>();
	for (const unit of units) {
		const { name, category, verification } = unit.key;
		const label = groupBy === "category" ? category : name;
		const key = `${verification} ${label}`;
		const group = groups.get(key);
		if (group) group.push(unit);
		else groups.set(key, [unit]);
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
		robots: book.rows.map(({ source, since }) => ({
			file: source.file,
			host: source.host ?? null,
			since: timestamp(since),
		})),
		crawlers,
	};
}

function crawlerReport(
	units: readonly Unit[],
	book: RuleBook,
	groupBy: GroupBy,
	width: number,
): CrawlerReport {
	const [{ key }] = units as [Unit];
	const total = (of: (unit: Unit) => number) => sum(units, of);
	const allowed = total((unit) => unit.allowed);
	const disallowed = total((unit) => unit.disallowed);
	const judged = allowed + disallowed;
	const series = new TimeSeries();
	for (const unit of units) series.merge(unit.series.toData());
	series.widen(width);
	const category = categoryOf(units);
	return {
		name: groupBy === "category" ? category : key.name,
		category,
		verification: key.verification,
		requests: total((unit) => unit.requests),
		robotsTxt: total((unit) => unit.robotsTxt),
		allowed,
		disallowed,
		invalid: total((unit) => unit.invalid),
		compliance: judged === 0 ? null : percent(allowed, judged),
		disallowedAfterRobotsTxt: total((unit) => unit.disallowedAfter),
		firstSeen: timestamp(Math.min(...units.map((unit) => unit.firstSeen))),
		lastSeen: timestamp(Math.max(...units.map((unit) => unit.lastSeen))),
		statuses: Object.fromEntries(
			["none", "1xx", "2xx", "3xx", "4xx", "5xx"]
				.map((name, index) => [
					name,
					total((unit) => unit.statuses[index] ?? 0),
				])
				.filter(([, count]) => count !== 0),
		),
		medianGap: medianGap(units),
		crawlDelay: crawlDelayReport(units),
		rules: violatedRules(units, book),
		sites: siteReports(units, book),
		series: series.entries().map(([start, counts]) => ({
			start: timestamp(start) ?? "",
			allowed: counts[0],
			disallowed: counts[1],
			other: counts[2],
		})),
	};
}

/** The category of most requests: headers of one name can be of several. */
function categoryOf(units: readonly Unit[]): string {
	const requests = new Map<string, number>();
	for (const { key, requests: more } of units)
		requests.set(key.category, (requests.get(key.category) ?? 0) + more);
	const [[category] = [""]] = [...requests].sort(
		([a, many], [b, others]) => others - many || compare(a, b),
	);
	return category;
}

function siteReports(units: readonly Unit[], book: RuleBook): SiteReport[] {
	return book.sites
		.map(({ host }, site) => {
			const own = units.filter(({ key }) => key.site === site);
			return {
				host: host ?? null,
				requests: sum(own, ({ requests }) => requests),
				allowed: sum(own, ({ allowed }) => allowed),
				disallowed: sum(own, ({ disallowed }) => disallowed),
			};
		})
		.filter(({ requests }) => requests > 0);
}

function violatedRules(units: readonly Unit[], book: RuleBook): ViolatedRule[] {
	const rules = new Map<string, ViolatedRule>();
	for (const unit of units)
		for (const { row, line, pattern, count, examples } of unit.rules.values()) {
			const key = `${row} ${line}`;
			const known = rules.get(key);
			rules.set(key, {
				file: book.rows[row]?.source.file ?? "",
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

function crawlDelayReport(units: readonly Unit[]): CrawlDelayReport | null {
	const delayed = units.filter(({ crawlDelay }) => crawlDelay !== undefined);
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
function medianGap(units: readonly Unit[]): number | null {
	const all = new Pauses();
	for (const unit of units) all.merge(unit.pauses.toData());
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
