/**
 * What crawlers take, in the HTML report of an audit with `paths`: a table of bytes, statuses and content types, a list of sections and paths
 * for each crawler, and the pages that several AI crawlers take.
 */

import {
	type AuditReport,
	type CrawlerReport,
	groupNoun,
	type TakenRanking,
} from "../options/report.ts";
import {
	escapeHtml,
	label,
	number,
	shortLabel,
	sizeText,
} from "./html-parts.ts";

/** Most crawlers in the table, and most with a list of paths. */
const MOST_ROWS = 50;
const MOST_LISTS = 20;

const STATUSES = ["2xx", "3xx", "4xx", "5xx"] as const;

/** The section; empty if nothing was counted. */
export function takenSection(report: AuditReport): string {
	const { sharedPages, crawlers, groupBy } = report;
	if (!sharedPages) return "";
	const takers = crawlers
		.filter(({ taken }) => taken && taken.paths.different > 0)
		.sort((a, b) => bytesOf(b) - bytesOf(a) || b.requests - a.requests);
	if (takers.length === 0) return "";
	const shown = takers.slice(0, MOST_ROWS);
	const noun = groupNoun(groupBy, 1);
	return `<h2 class="screen">What they take</h2>
<div class="card scroll screen" tabindex="0" role="region" aria-label="What they take"><table class="sortable">
<thead><tr>${[noun.charAt(0).toUpperCase() + noun.slice(1), "Bytes", "Of all bytes", ...STATUSES, "Content types", "Most in"].map((name, at) => `<th scope="col"${at > 6 ? ' class="left"' : ""}>${name}</th>`).join("")}</tr></thead>
<tbody>${shown.map(rowOf).join("\n")}</tbody>
</table></div>
${takers.length > shown.length ? `<p class="note screen">${number(takers.length - shown.length)} more are in the JSON report.</p>` : ""}
<p class="faint note screen">All requests but those for robots.txt, allowed or not. Of all bytes: those of people and others included.</p>
<div class="card screen">${takers.slice(0, MOST_LISTS).map(listOf).join("\n")}</div>
${sharedTable(report)}`;
}

function bytesOf({ bytes }: CrawlerReport): number {
	return bytes.allowed + bytes.disallowed + bytes.other;
}

function rowOf(crawler: CrawlerReport): string {
	const { taken, statuses } = crawler;
	const bytes = bytesOf(crawler);
	const share = taken?.share ?? null;
	const types = (taken?.contentTypes.top ?? [])
		.slice(0, 3)
		.map(({ text, count }) => `${escapeHtml(text)} ${number(count)}`);
	const [section] = taken?.sections.top ?? [];
	const cells: [text: string, order: string | number, style?: string][] = [
		[label(crawler), crawler.name.toLowerCase()],
		[bytes > 0 ? sizeText(bytes) : "-", bytes],
		[share === null ? "-" : `${share}%`, share ?? -1],
		...STATUSES.map((name): [string, number] => {
			const times = statuses[name] ?? 0;
			return [number(times), times];
		}),
		[types.length > 0 ? types.join(", ") : "-", types[0] ?? "", "left"],
		[
			section ? `${escapeHtml(section.text)} ${number(section.requests)}` : "-",
			section?.requests ?? 0,
			"left",
		],
	];
	return `<tr>${cells.map(([text, order, style]) => `<td data-sort="${escapeHtml(String(order))}"${style ? ` class="${style}"` : ""}>${text}</td>`).join("")}</tr>`;
}

/** Sections and paths of a crawler. */
function listOf(crawler: CrawlerReport, at: number): string {
	const { taken } = crawler;
	if (!taken) return "";
	return `<details${at === 0 ? " open" : ""}><summary><b>${shortLabel(crawler)}</b> <span class="faint">${number(taken.sections.different)} sections, ${number(taken.paths.different)} paths${taken.paths.uncounted > 0 ? " counted" : ""}</span></summary>
${rankingOf("Sections", taken.sections)}
${rankingOf("Paths", taken.paths)}</details>`;
}

function rankingOf(title: string, { top, uncounted }: TakenRanking): string {
	const rows = top.map(
		({ text, requests, disallowed, bytes }) =>
			`<li><code>${escapeHtml(text)}</code> ${number(requests)}${disallowed > 0 ? `, <span class="bad">${number(disallowed)} disallowed</span>` : ""}${bytes > 0 ? `, ${sizeText(bytes)}` : ""}</li>`,
	);
	return `<div>${title}<ol>${rows.join("\n")}</ol>${uncounted > 0 ? `<p class="faint">Each came perhaps up to ${number(uncounted)} times more, and none that is missing more often than that.</p>` : ""}</div>`;
}

/** Pages that several AI crawlers take. */
function sharedTable({ sharedPages }: AuditReport): string {
	if (!sharedPages || sharedPages.top.length === 0) return "";
	const { top, different, exact } = sharedPages;
	const rows = top.map(
		({ host, path, crawlers, requests, disallowed, bytes }) =>
			`<tr><td><code>${escapeHtml(`${host ?? ""}${path}`)}</code></td><td class="left">${crawlers.map(escapeHtml).join(", ")}</td><td>${number(requests)}</td><td${disallowed > 0 ? ' class="bad"' : ""}>${number(disallowed)}</td><td>${bytes > 0 ? sizeText(bytes) : "-"}</td></tr>`,
	);
	return `<h2 class="screen">Pages that several AI crawlers take</h2>
<div class="card scroll screen" tabindex="0" role="region" aria-label="Pages that several AI crawlers take"><table>
<thead><tr>${["Page", "Crawlers", "Requests", "Disallowed", "Bytes"].map((name) => `<th scope="col"${name === "Crawlers" ? ' class="left"' : ""}>${name}</th>`).join("")}</tr></thead>
<tbody>${rows.join("\n")}</tbody>
</table></div>
<p class="faint note screen">${exact ? "" : "At least "}${number(different)} in all; those of most crawlers first.</p>`;
}
