/**
 * The HTML report: one file without anything to load, for --output html and the playground. It begins with what a board reads, on two printed
 * pages: one sentence, three numbers, a chart by purpose, the table, and what to do; details follow. Sections are functions from the report to
 * HTML; charts, tables and crawlers have files of their own. The page's policy (Content-Security-Policy) allows no request and no script
 * but its own, by hash. Numbers of rows are bounded, as a page must open on a phone whatever was sent.
 */

import { sha256 } from "@noble/hashes/sha2.js";
import sortable from "sortable-tablesort/dist/sortable.auto.min.js?raw";
import { count } from "#robotrie/common/wording";
import { purposeNames } from "../options/purposes.ts";
import {
	type AuditReport,
	type CrawlerReport,
	dialectText,
	groupNoun,
	isBound,
	percent,
	unjudged,
	violationsOf,
} from "../options/report.ts";
import { sum } from "../report/crawler-report.ts";
import {
	type ChartPoint,
	chartOf,
	heatMap,
	pointsOf,
	stepName,
} from "./chart.ts";
import {
	compareTimes,
	headlineOf,
	isUnread,
	listed,
	servedOf,
	subjectOf,
	unboundText,
} from "./headline.ts";
import { formats, section, unparsed } from "./html-offences.ts";
import {
	cutMiddle,
	escapeHtml,
	label,
	legend,
	number,
	STYLE,
	shortLabel,
	sizeText,
	textOf,
	time,
} from "./html-parts.ts";
import { suspectsSection } from "./html-suspects.ts";
import { table, versionTable } from "./html-tables.ts";
import { takenSection } from "./html-taken.ts";
import { offendersOf, suggestions } from "./suggestions.ts";

/** Most crawlers in the bar chart, and most with a section of their own. */
const MOST_BARS = 20;
const MOST_SECTIONS = 100;

/** The source of a script or style in a policy. */
function hashOf(text: string): string {
	const bytes = sha256(new TextEncoder().encode(text));
	return `'sha256-${btoa(String.fromCharCode(...bytes))}'`;
}

/**
 * A report as one HTML file: the result in a sentence, charts by purpose, over time and per crawler, a table that can be sorted, what to do,
 * and the rules that each crawler disregarded. Light or dark like the reader's system; printed, it takes two pages.
 */
export function htmlReport(report: AuditReport): string {
	// Sections are for crawlers that broke a rule; the table has the others as well.
	const { crawlers, groupBy } = report;
	const offenders = crawlers.filter(({ rules }) => rules.length > 0);
	const sections = offenders
		.slice(0, MOST_SECTIONS)
		// Exempt crawlers come last, as they disregarded nothing.
		.sort((a, b) => Number(isBound(b)) - Number(isBound(a)));
	const points = sumOf(crawlers.map(pointsOf));
	// Logs without times have no series, and then no charts over time.
	const timed = points.length > 0;
	const { result, rest } = headlineOf(report, (crawler) =>
		cutMiddle(textOf(crawler), 40),
	);
	// Its policy allows no request at all: the report may be opened where the log's texts must not leak.
	return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src ${hashOf(STYLE)}; script-src ${hashOf(sortable)}; base-uri 'none'; form-action 'none'">
<title>Crawlers and robots.txt</title>
<style>${STYLE}</style>
</head>
<body>
<main>
<h1>Crawlers and robots.txt</h1>
<p class="lead"><b>${escapeHtml(result)}</b>${escapeHtml(rest)}</p>
<p class="faint">${period(report)}</p>
${
	crawlers.length === 0
		? '<p class="card">No request of a crawler was found.</p>'
		: `${tiles(report)}
${purposes(report)}
${table(report)}
${whatToDo(report)}`
}
${
	timed
		? `<h2>Over time</h2>
<div class="card">${legend(crawlers)}
${chartOf(points, report, 260)}
<p class="faint">A bar is ${stepName(report)}.</p></div>`
		: ""
}
${timed ? heatMap(report) : ""}
${crawlers.length > 0 ? bars(report) : ""}
${takenSection(report)}
${suspectsSection(report)}
${versionTable(report)}
${
	sections.length > 0
		? `<div class="screen"><h2>What was disregarded</h2>\n${sections.map((crawler, index) => section(crawler, report, index < 3)).join("\n")}</div>`
		: ""
}
${offenders.length > sections.length ? `<p class="faint screen">${number(offenders.length - sections.length)} more ${groupNoun(groupBy, offenders.length - sections.length)} disregarded rules; the JSON report has all of them.</p>` : ""}
${formats(report)}
${unparsed(report)}
<h2>About this report</h2>
<p class="faint">${sources(report)}</p>
<p class="faint">Requests for /robots.txt are never violations. A client that names a crawler need not be that crawler: anybody can send any User-Agent header, and only its address can prove it, by the ranges that operators publish or by DNS${report.crawlers.some(({ verification }) => verification) ? "" : " (<code>--verify</code> and <code>--resolve</code>, which were not given)"}. Browsers are not judged. Times are ${report.timeZone === "UTC" ? "UTC" : `those of ${escapeHtml(report.timeZone)}`}.</p>
</main>
<script>${sortable}</script>
</body>
</html>
`;
}

/** The time that the log covers. */
function period({ from, to, lines, timeZone }: AuditReport): string {
	const log = `${count(lines, "line")} of logs`;
	return from && to
		? `${time(from)} to ${time(to)} ${escapeHtml(timeZone)}, ${log}`
		: log;
}

/** robots.txt files with checksums, dialect, logs and what was not judged: what one needs to make the same report again. */
function sources(report: AuditReport): string {
	const { robots, dialect, logs } = report;
	const files = robots.map(
		({ file, host, since, bytes, sha256 }) =>
			`${escapeHtml(file)} (${number(bytes)} bytes, <span title="${sha256}">SHA-256 ${sha256.slice(0, 12)}…</span>)${host ? ` for ${escapeHtml(host)}` : ""}${since ? ` since ${time(since)}` : ""}`,
	);
	const shown = files.slice(0, 5);
	if (files.length > shown.length)
		shown.push(`${number(files.length - shown.length)} more`);
	const rest = unjudged(report);
	return `Judged by ${shown.join(", ")}, read as ${dialectText(dialect)}${logsOf(logs)}.${rest.length > 0 ? ` Lines not judged: ${rest.join(", ")}.` : ""}`;
}

/** The names of the first logs. */
function logsOf(logs: readonly string[]): string {
	if (logs.length === 0) return "";
	const more = logs.length > 5 ? ` and ${number(logs.length - 5)} more` : "";
	return `; logs: ${escapeHtml(logs.slice(0, 5).join(", "))}${more}`;
}

/** The three main numbers: who, how often, and what they got. */
function tiles(report: AuditReport): string {
	const { crawlers, judged } = report;
	const all = crawlers.filter((crawler) => violationsOf(crawler) > 0);
	const disallowed = sum(all, violationsOf);
	const subject = subjectOf(report);
	const [offending = 0, bound = 0] = [
		subject.offenders.length,
		subject.bound.length,
	];
	const served = servedOf(all);
	const bytes = sum(all, (crawler) => crawler.bytes.disallowed);
	const last =
		served === null
			? [
					sum(all, (crawler) => crawler.disallowedAfterRobotsTxt),
					"of these after the crawler had read robots.txt",
				]
			: [
					served,
					`of these ${served === 1 ? "was" : "were"} served${bytes > 0 ? `; ${sizeText(bytes)} were sent in all` : ""}`,
				];
	const tile = (isBad: boolean, value: string, text: string) =>
		`<div class="card${isBad ? " alert" : ""}"><b>${value}</b>${text}</div>`;
	return `<div class="tiles">
${isUnread(report) ? tile(true, "?", "nobody knows who disregarded robots.txt: it cannot be read") : tile(offending > 0, `${number(offending)} of ${number(bound)}`, `${subject.isAi ? "AI " : ""}${groupNoun(report.groupBy, bound)} disregarded robots.txt`)}
${tile(disallowed > 0, number(disallowed), `disallowed ${disallowed === 1 ? "request" : "requests"}, ${percent(disallowed, judged) ?? 0}% of the ${number(judged)} by all ${groupNoun(report.groupBy, 2)}`)}
${tile(Number(last[0]) > 0, number(Number(last[0])), String(last[1]))}
</div>`;
}

/** A bar for each purpose, and who is exempt. */
function purposes(report: AuditReport): string {
	const { purposes, crawlers } = report;
	const most = Math.max(...purposes.map(({ requests }) => requests), 1);
	const rows = purposes.map((row) => {
		const { title } = purposeNames[row.purpose];
		const counts = countsOf(row);
		const result =
			row.bound === 0 || isUnread(report)
				? `<span class="unbound">${row.bound === 0 ? unboundText(report, row.purpose) : "not judged"}</span>`
				: `<span class="${row.disregarding > 0 ? "bad" : "good"}">${number(row.disregarding)} of ${number(row.bound)}</span> disregarded it`;
		return `<span class="name">${title}</span>${barOf(counts, most)}<span class="count">${result}</span>`;
	});
	const exempt = crawlers.filter(
		({ exemptDisallowed }) => exemptDisallowed > 0,
	);
	const requests = sum(exempt, ({ exemptDisallowed }) => exemptDisallowed);
	return `<h2>By purpose</h2>
<div class="card">${legend(crawlers)}
<div class="bars purposes">${rows.map((row) => `<div>${row}</div>`).join("\n")}</div>
${requests > 0 ? `<p class="faint note">${count(requests, "disallowed request")} of ${listed(exempt.map(shortLabel), 3)} ${requests === 1 ? "is" : "are"} exempt and not counted as disregarding robots.txt: such crawlers fetch when a person asks, or their operators say that they need not obey.</p>` : ""}</div>`;
}

/** What a bar of requests is made of. */
function countsOf(row: {
	readonly requests: number;
	readonly allowed: number;
	readonly disallowed: number;
	readonly exemptDisallowed: number;
}): Readonly<Record<string, number>> {
	const { requests, allowed, disallowed, exemptDisallowed } = row;
	return {
		disallowed: disallowed - exemptDisallowed,
		exempt: exemptDisallowed,
		allowed,
		// Requests for robots.txt, and targets that are not URLs.
		other: requests - disallowed - allowed,
	};
}

/** The series of all crawlers together. */
function sumOf(all: readonly (readonly ChartPoint[])[]): ChartPoint[] {
	const sums = new Map<
		string,
		{ -readonly [Key in keyof ChartPoint]: ChartPoint[Key] }
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
			sum.exempt += point.exempt;
			sum.other += point.other;
		}
	return [...sums.values()].sort((a, b) => compareTimes(a.start, b.start));
}

/** A bar for each crawler, most requests first. */
function bars({ crawlers, groupBy }: AuditReport): string {
	const shown = crawlers
		.toSorted((a, b) => b.requests - a.requests)
		.slice(0, MOST_BARS);
	const most = shown[0]?.requests ?? 1;
	const rows = shown.map(
		(crawler) =>
			`<span class="name" title="${label(crawler)}">${shortLabel(crawler)}</span>${barOf(countsOf(crawler), most)}<span class="count">${number(crawler.requests)}</span>`,
	);
	const more = crawlers.length - shown.length;
	return `<h2 class="screen">Requests per ${groupNoun(groupBy, 1)}</h2>
<div class="card screen">${legend(crawlers)}
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
		.filter(([kind, count]) => kind !== "exempt" || count > 0)
		.map(([kind, count]) => `${number(count)} ${kind}`)
		.join(", ");
	return `<svg class="bar" viewBox="0 0 100 1" preserveAspectRatio="none" role="img" aria-label="${text}"><title>${text}</title>${bars.join("")}</svg>`;
}

/** What the owner of the site can do, with texts to copy. */
function whatToDo(report: AuditReport): string {
	const { blocked, search } = offendersOf(report);
	const texts = suggestions(report);
	const names = (some: readonly CrawlerReport[]) =>
		listed(some.map(shortLabel), 5);
	const hasAddresses = /^[^#]/m.test(texts.addresses);
	if (blocked.length === 0 && search.length === 0 && !hasAddresses) return "";
	const box = (title: string, text: string, isOpen = false) =>
		`<details${isOpen ? " open" : ""}><summary>${title}</summary><pre tabindex="0" role="region" aria-label="${title}">${preformatted(text)}</pre></details>`;
	return `<h2>What to do</h2>
<div class="card long">
<ul>
${blocked.length > 0 ? `<li>Refuse ${names(blocked)} at the server or the CDN. robots.txt asks; it cannot refuse.</li>` : ""}
${/^User-agent/m.test(texts.robotsTxt) ? "<li>Or first add the lines below to robots.txt: some crawlers obey only a group of their own.</li>" : ""}
${search.length > 0 ? `<li>Do not refuse ${names(search)}: a search engine that is refused drops the site from its results. Check the rules that it disregarded first; it may be an impostor, too.</li>` : ""}
<li>Compare addresses with those that operators publish before you complain: anybody can use any name.</li>
</ul>
<p class="faint note">To copy, and to read first:</p>
${blocked.length > 0 ? [box("robots.txt", texts.robotsTxt, true), box("nginx", texts.nginx), box("Apache", texts.apache), box("Cloudflare", texts.cloudflare)].join("\n") : ""}
${box("Addresses", texts.addresses)}
</div>`;
}

/** A text as HTML with its line feeds. */
function preformatted(text: string): string {
	return text.split("\n").map(escapeHtml).join("\n");
}
