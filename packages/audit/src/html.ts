/**
 * The HTML report: one file without anything to load, for --output html and the playground. It is made of sections, each a function from the
 * report to HTML; charts and tables are in chart.ts and html-tables.ts. The page's policy (Content-Security-Policy) allows no request.
 * Numbers of rows are bounded, as a page must open on a phone whatever was sent.
 */

import { count } from "robotrie/internal";
import sortable from "sortable-tablesort/dist/sortable.auto.min.js?raw";
import { heatMap, timeChart } from "./chart.ts";
import {
	escapeHtml,
	LEGEND,
	label,
	number,
	STYLE,
	shortLabel,
	time,
} from "./html-parts.ts";
import { table, versionTable } from "./html-tables.ts";
import {
	type AuditReport,
	type CrawlerReport,
	groupNoun,
	isBound,
	type SeriesPoint,
	unjudged,
	type ViolatedRule,
	violationsOf,
} from "./report.ts";

/** Most crawlers in the bar chart, most with a section of their own, and most rules in a section. */
const MOST_BARS = 20;
const MOST_SECTIONS = 100;
const MOST_RULES = 20;

/**
 * A report as one HTML file: charts over time and per crawler, a table that can be sorted, and the rules that each crawler
 * disregarded. Light or dark like the reader's system.
 */
export function htmlReport(report: AuditReport): string {
	// Sections are for crawlers that broke a rule; the table has the others as well.
	const { crawlers, groupBy } = report;
	const offenders = crawlers.filter(({ rules }) => rules.length > 0);
	const sections = offenders.slice(0, MOST_SECTIONS);
	const series = sumOf(crawlers.map((crawler) => crawler.series));
	// Logs without times have no series, and then no charts over time.
	const timed = series.length > 0;
	// Its policy allows no request at all: the report may be opened where the log's texts must not leak.
	return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'">
<title>Crawlers and robots.txt</title>
<style>${STYLE}</style>
</head>
<body>
<main>
<h1>Crawlers and robots.txt</h1>
<p class="lead">${summary(report)}</p>
<p class="faint">${period(report)}</p>
${tiles(report)}
${
	crawlers.length === 0
		? '<p class="card">No request of a crawler was found.</p>'
		: ""
}
${
	timed
		? `<h2>Over time</h2>
<div class="card">${LEGEND}
${chartOf(series, report, 260)}
<p class="faint">A bar is ${stepName(report.step)}.</p></div>`
		: ""
}
${crawlers.length > 0 ? bars(report) : ""}
${timed ? heatMap(report) : ""}
${versionTable(report)}
${
	sections.length > 0
		? `<h2>What was disregarded</h2>\n${sections.map((crawler, index) => section(crawler, report, index < 3)).join("\n")}`
		: ""
}
${offenders.length > sections.length ? `<p class="faint">${number(offenders.length - sections.length)} more ${groupNoun(groupBy, offenders.length - sections.length)} disregarded rules; the JSON report has all of them.</p>` : ""}
${crawlers.length > 0 ? table(report) : ""}
${unparsed(report)}
<h2>How to read this</h2>
<p class="faint">Requests for /robots.txt are never violations. A client that names a crawler need not be that crawler: anybody can send any User-Agent header, and only the address ranges that operators publish can prove it${report.crawlers.some(({ verification }) => verification) ? "" : " (they were not given)"}. Browsers are not judged. Times are UTC.</p>
</main>
<script>${sortable}</script>
</body>
</html>
`;
}

/** Two drawings, of which the style sheet shows one: on a phone, the text of the wide one would be too small. */
function chartOf(
	series: readonly SeriesPoint[],
	{ from, to, step }: AuditReport,
	height: number,
): string {
	// Charts begin where a step begins, as series do. The report's own `from` may lie within a step.
	const first = Date.parse(from ?? "");
	const period = {
		from: first - (first % (step * 1000)),
		to: Date.parse(to ?? ""),
		step: step * 1000,
	};
	return `<div class="wide">${timeChart(series, period, 920, height)}</div>
<div class="narrow">${timeChart(series, period, 310, Math.min(height, 200))}</div>`;
}

/** Time span, robots.txt files with checksums, dialect and logs: what one needs to make the same report again. */
function period({ from, to, robots, dialect, logs }: AuditReport): string {
	// What a reader needs to make the same report again: the exact files, by their checksums.
	const files = robots.map(
		({ file, host, since, bytes, sha256 }) =>
			`${escapeHtml(file)} (${number(bytes)} bytes, <span title="${sha256}">SHA-256 ${sha256.slice(0, 12)}…</span>)${host ? ` for ${escapeHtml(host)}` : ""}${since ? ` since ${time(since)}` : ""}`,
	);
	const shown = files.slice(0, 5);
	if (files.length > shown.length)
		shown.push(`${number(files.length - shown.length)} more`);
	return `${from && to ? `${time(from)} to ${time(to)} UTC, j` : "J"}udged by ${shown.join(", ")}, read as ${dialect}${logsOf(logs)}`;
}

/** The names of the first logs. */
function logsOf(logs: readonly string[]): string {
	if (logs.length === 0) return "";
	const more = logs.length > 5 ? ` and ${number(logs.length - 5)} more` : "";
	return `; logs: ${escapeHtml(logs.slice(0, 5).join(", "))}${more}`;
}

/**
 * The main numbers, and lines that were not judged. Four tiles, so that they fit in a row on a
 * laptop and two by two on a phone.
 */
function tiles(report: AuditReport): string {
	const total = (of: (crawler: CrawlerReport) => number) =>
		report.crawlers.reduce((sum, crawler) => sum + of(crawler), 0);
	const disallowed = total(violationsOf);
	const exempt = total((crawler) => crawler.exemptDisallowed);
	const offenders = report.crawlers.filter(
		(crawler) => violationsOf(crawler) > 0,
	).length;
	const bound = report.crawlers.filter(isBound).length;
	const rest = unjudged(report);
	return `<div class="tiles">
<div class="card"><b>${number(report.lines)}</b>lines</div>
<div class="card"><b>${number(report.judged)}</b>requests of crawlers</div>
<div class="card${disallowed > 0 ? " alert" : ""}"><b>${number(disallowed)}</b>disallowed</div>
<div class="card${offenders > 0 ? " alert" : ""}"><b>${number(offenders)} of ${number(bound)}</b>${groupNoun(report.groupBy, bound)} disregarded rules</div>
</div>
${exempt > 0 ? `<p class="faint note">${count(exempt, "more disallowed request")} ${exempt === 1 ? "is" : "are"} of crawlers that robots.txt does not bind: exempt.</p>` : ""}
${rest.length > 0 ? `<p class="faint note">Lines not judged: ${rest.join(", ")}.</p>` : ""}`;
}

/** The series of all crawlers together. */
function sumOf(all: readonly (readonly SeriesPoint[])[]): SeriesPoint[] {
	const sums = new Map<
		string,
		{ start: string; allowed: number; disallowed: number; other: number }
	>();
	// Series have equal steps (`crawlerReport` widens them), so that their points add up by start.
	for (const series of all)
		for (const point of series) {
			const sum = sums.get(point.start);
			if (!sum) {
				sums.set(point.start, { ...point });
				continue;
			}
			sum.allowed += point.allowed;
			sum.disallowed += point.disallowed;
			sum.other += point.other;
		}
	return [...sums.values()].sort((a, b) => (a.start < b.start ? -1 : 1));
}

const steps: readonly [seconds: number, name: string][] = [
	[604_800, "week"],
	[86_400, "day"],
	[3600, "hour"],
	[60, "minute"],
];

/** "an hour", "10 minutes" */
function stepName(seconds: number): string {
	// The largest unit that divides the step: 1800 s are "30 minutes", not "0.5 hours".
	for (const [size, name] of steps) {
		if (seconds % size !== 0) continue;
		const count = seconds / size;
		return count === 1
			? `${name === "hour" ? "an" : "a"} ${name}`
			: `${count} ${name}s`;
	}
	return `${seconds} seconds`;
}

/** A bar for each crawler, most requests first. */
function bars({ crawlers, groupBy }: AuditReport): string {
	const shown = crawlers
		.toSorted((a, b) => b.requests - a.requests)
		.slice(0, MOST_BARS);
	const most = shown[0]?.requests ?? 1;
	const rows = shown.map((crawler) => {
		const { disallowed, allowed, requests } = crawler;
		const counts = {
			disallowed,
			allowed,
			// Requests for robots.txt, and targets that are not URLs.
			other: requests - disallowed - allowed,
		};
		return `<span class="name" title="${label(crawler)}">${shortLabel(crawler)}</span>${barOf(counts, most)}<span class="count">${number(requests)}</span>`;
	});
	const more = crawlers.length - shown.length;
	return `<h2>Requests per ${groupNoun(groupBy, 1)}</h2>
<div class="card">${LEGEND}
<div class="bars">${rows.map((row) => `<div>${row}</div>`).join("\n")}</div>
${more > 0 ? `<p class="faint note">The table has ${number(more)} more.</p>` : ""}</div>`;
}

/** Widths are attributes of SVG: a page that embeds the report may have a policy against style attributes. */
function barOf(counts: Readonly<Record<string, number>>, most: number): string {
	let left = 0;
	const bars = Object.entries(counts).map(([kind, count]) => {
		const width = (count / most) * 100;
		const bar = `<rect class="${kind}" x="${left.toFixed(2)}" width="${width.toFixed(2)}" height="1"/>`;
		left += width;
		return count > 0 ? bar : "";
	});
	const text = Object.entries(counts)
		.map(([kind, count]) => `${number(count)} ${kind}`)
		.join(", ");
	return `<svg class="bar" viewBox="0 0 100 1" preserveAspectRatio="none" role="img" aria-label="${text}"><title>${text}</title>${bars.join("")}</svg>`;
}

/** What one crawler disregarded. The first sections are open. */
function section(
	crawler: CrawlerReport,
	report: AuditReport,
	isOpen: boolean,
): string {
	// Sentences that apply are joined; empty ones are dropped.
	const { rules, crawlDelay, disallowedAfterRobotsTxt: after } = crawler;
	const hidden = rules.length - MOST_RULES;
	const facts = [
		`${number(crawler.disallowed)} of ${number(crawler.requests)} requests were disallowed${after > 0 ? `, ${number(after)} of them after its first request for robots.txt` : ""}.`,
		// A question that people ask first: they see an allowed request of a crawler that "Disallow: /"
		// is for.
		crawler.allowed > 0 && rules.some(({ pattern }) => pattern === "/")
			? `${count(crawler.allowed, "allowed request")} ${crawler.allowed === 1 ? "is" : "are"} no contradiction to Disallow: /. A longer Allow rule decides, or the robots.txt of another time or site.`
			: "",
		answers(crawler),
		crawlDelay && crawlDelay.medianGap !== null
			? `robots.txt asks for ${crawlDelay.seconds} s between requests; the median is ${crawlDelay.medianGap} s, and ${number(crawlDelay.shorter)} pauses were shorter.`
			: "",
	];
	const chart =
		crawler.series.length > 1
			? `${LEGEND}${chartOf(crawler.series, report, 130)}`
			: "";
	return `<details class="card"${isOpen ? " open" : ""}><summary><b title="${label(crawler)}">${shortLabel(crawler)}</b><span class="tag">${escapeHtml(crawler.category)}</span><span class="bad">${number(crawler.disallowed)} disallowed</span></summary>
<p>${facts.filter(Boolean).join(" ")}</p>
${chart}
${rules
	.slice(0, MOST_RULES)
	.map((rule) => ruleBox(rule, report.robots.length > 1))
	.join("\n")}
${hidden > 0 ? `<p class="faint">${number(hidden)} more rules.</p>` : ""}
</details>`;
}

/** How disallowed requests were answered, and which directories they were for. */
function answers({
	disallowedStatuses,
	disallowedDirectories,
}: CrawlerReport): string {
	const statuses = Object.entries(disallowedStatuses).map(
		([status, count]) => `${status} ${number(count)}×`,
	);
	const directories = disallowedDirectories.top
		.slice(0, 5)
		.map(({ text, count }) => `${escapeHtml(text)} ${number(count)}×`);
	return `The answers were ${statuses.join(", ")}; most went to ${directories.join(", ")}.`;
}

/** A rule that was broken, with examples. The file is only named if there are several. */
function ruleBox(
	{ file, line, pattern, count, examples }: ViolatedRule,
	named: boolean,
): string {
	return `<div class="rule"><code>Disallow: ${escapeHtml(pattern)}</code> ${named ? `${escapeHtml(file)}, ` : ""}line ${line}: ${number(count)} requests, such as
<ul>${examples.map((example) => `<li><code>${escapeHtml(example)}</code></li>`).join("")}</ul></div>`;
}

/** The first lines that could not be parsed. */
function unparsed({ unparsed: count, unparsedLines }: AuditReport): string {
	if (count === 0) return "";
	return `<h2>Lines that could not be parsed</h2>
<div class="card"><p>${number(count)}, the first of which are:</p>
<ul>${unparsedLines.map(({ file, line, text }) => `<li>${escapeHtml(file)}:${line}<br><code>${escapeHtml(text)}</code></li>`).join("")}</ul></div>`;
}

/** Most crawlers that the summary names. */
const NAMED = 3;

/** The result in one or two sentences. */
function summary({ crawlers, groupBy }: AuditReport): string {
	const bound = crawlers.filter(isBound);
	const offenders = bound.filter((crawler) => violationsOf(crawler) > 0);
	if (crawlers.length === 0) return "No crawler came.";
	const total = (of: (crawler: CrawlerReport) => number) =>
		offenders.reduce((sum, crawler) => sum + of(crawler), 0);
	// The report says first that nothing was found, instead of leaving a reader to search for it.
	if (offenders.length === 0)
		return `<b>No ${groupNoun(groupBy, 1)} disregarded robots.txt</b>; ${crawlers.length === 1 ? "one" : number(crawlers.length)} came.`;
	const disallowed = total(violationsOf);
	const served = total(
		({ disallowedStatuses }) => disallowedStatuses["2xx"] ?? 0,
	);
	const after = offenders.filter(
		(crawler) => crawler.disallowedAfterRobotsTxt > 0,
	);
	const unread = offenders.filter(({ robotsTxt }) => robotsTxt === 0);
	return [
		`<b>${number(offenders.length)} of ${number(bound.length)} ${groupNoun(groupBy, bound.length)} disregarded robots.txt in ${count(disallowed, "request")}</b>, of which ${number(served)} ${served === 1 ? "was" : "were"} served.`,
		after.length > 0 ? `${names(after)} did so after reading it.` : "",
		unread.length > 0 ? `${names(unread)} never read it.` : "",
	]
		.filter(Boolean)
		.join(" ");
}

/** The labels of the first crawlers, joined as in a sentence. */
function names(crawlers: readonly CrawlerReport[]): string {
	const more = crawlers.length - NAMED;
	const list = crawlers.slice(0, NAMED).map(shortLabel);
	if (more > 0) list.push(`${number(more)} more`);
	const last = list.pop() ?? "";
	return list.length > 0 ? `${list.join(", ")} and ${last}` : last;
}
