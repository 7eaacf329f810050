/**
 * The parts of the HTML report about single crawlers and lines: what each crawler disregarded, with examples and a chart, and the lines that
 * could not be parsed. html.ts puts them on the page. Numbers of rules are bounded, as anybody can make a crawler break thousands.
 */

import { count } from "#robotrie/common/wording";
import { purposeNames } from "../options/purposes.ts";
import {
	type AuditReport,
	type CrawlerReport,
	isBound,
	type ViolatedRule,
} from "../options/report.ts";
import { chartOf, pointsOf } from "./chart.ts";
import { listed, outcomesOf } from "./headline.ts";
import { escapeHtml, label, legend, number, shortLabel } from "./html-parts.ts";

/** Most rules in a section. */
const MOST_RULES = 20;

/** What one crawler disregarded. The first sections are open. */
export function section(
	crawler: CrawlerReport,
	report: AuditReport,
	isOpen: boolean,
): string {
	// Sentences that apply are joined; empty ones are dropped.
	const { rules, crawlDelay, disallowedAfterRobotsTxt: after } = crawler;
	const hidden = rules.length - MOST_RULES;
	const facts = [
		`${number(crawler.disallowed)} of ${number(crawler.requests)} requests were disallowed${after > 0 ? `, ${number(after)} of them after its first request for robots.txt` : ""}.`,
		crawler.dialect === null
			? ""
			: `robots.txt was read as ${crawler.dialect}, ${report.dialect === "auto" ? "as its operator does" : "as was asked for"}.`,
		isBound(crawler)
			? ""
			: "It is exempt: it fetches when a person asks, or its operator says that it need not obey. This does not count as disregarding robots.txt.",
		// A question that people ask first: they see an allowed request of a crawler that "Disallow: /"
		// is for.
		crawler.allowed > 0 && rules.some(({ pattern }) => pattern === "/")
			? `${count(crawler.allowed, "request")} ${crawler.allowed === 1 ? "was" : "were"} allowed in spite of &ldquo;Disallow: /&rdquo;, by a longer Allow rule or by the robots.txt of another time or site.`
			: "",
		answers(crawler),
		origins(crawler),
		crawlDelay && crawlDelay.medianGap !== null
			? `robots.txt asks for ${crawlDelay.seconds} s between requests; half of the pauses lasted at most ${crawlDelay.medianGap} s, and ${number(crawlDelay.shorter)} were too short.`
			: "",
	];
	const chart =
		crawler.series.length > 1
			? `${legend([crawler])}${chartOf(pointsOf(crawler), report, 130)}`
			: "";
	return `<details class="card"${isOpen ? " open" : ""}><summary><b title="${label(crawler)}">${shortLabel(crawler)}</b><span class="tag">${purposeNames[crawler.purpose].title}</span>${isBound(crawler) ? `<span class="bad">${number(crawler.disallowed)} disallowed</span>` : `<span class="unbound">${number(crawler.disallowed)} disallowed, exempt</span>`}</summary>
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
	const directories = disallowedDirectories.top
		.slice(0, 5)
		.map(({ text, count }) => `${escapeHtml(text)} (${number(count)})`);
	return `Of these, ${listed(outcomesOf(disallowedStatuses))}. Most went to ${listed(directories)}.`;
}

/** Which networks its requests came from, if they are known. */
function origins({ systems }: CrawlerReport): string {
	if (systems.top.length === 0) return "";
	const named = systems.top
		.slice(0, 5)
		.map(({ text, count }) => `${escapeHtml(text)} (${number(count)})`);
	const rest = systems.different - named.length;
	if (rest > 0) named.push(`${number(rest)} more`);
	return `Its requests came from ${listed(named)}.`;
}

/** A rule that was broken, with examples. The file is only named if there are several. */
function ruleBox(
	{ file, line, pattern, count, examples }: ViolatedRule,
	named: boolean,
): string {
	return `<div class="rule"><code>Disallow: ${escapeHtml(pattern)}</code> ${named ? `${escapeHtml(file)}, ` : ""}line ${line}: ${number(count)} requests, such as
<ul>${examples.map((example) => `<li><code>${escapeHtml(example)}</code></li>`).join("")}</ul></div>`;
}

/** How many lines had which format, where there are several or some have a prefix. */
export function formats({ formats: all }: AuditReport): string {
	if (all.length < 2 && all.every(({ prefix }) => prefix === null)) return "";
	const items = all.map(
		({ name, prefix, lines }) =>
			`<li>${number(lines)}: ${escapeHtml(name)}${prefix === null ? "" : `, behind a prefix (${escapeHtml(prefix)})`}</li>`,
	);
	return `<h2 class="screen">Lines by format</h2>
<div class="card screen"><ul>${items.join("")}</ul></div>`;
}

/** The first lines that could not be parsed. */
export function unparsed({
	unparsed: count,
	unparsedLines,
}: AuditReport): string {
	if (count === 0) return "";
	const title = `<h2 class="screen">Lines that could not be parsed</h2>`;
	// Where addresses are replaced, no line is shown.
	if (unparsedLines.length === 0)
		return `${title}
<div class="card screen"><p>${number(count)}</p></div>`;
	return `${title}
<div class="card screen"><p>${number(count)}, the first of which are:</p>
<ul>${unparsedLines.map(({ file, line, text }) => `<li>${escapeHtml(file)}:${line}<br><code>${escapeHtml(text)}</code></li>`).join("")}</ul></div>`;
}
