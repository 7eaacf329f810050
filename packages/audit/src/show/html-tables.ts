/**
 * The tables of the HTML report: all crawlers, sortable by any column, and compliance with each version of a robots.txt that changed.
 * Cells carry the value to sort by (data-sort), which sortable-tablesort reads.
 */

import { purposeNames } from "../options/purposes.ts";
import {
	type AuditReport,
	type CrawlerReport,
	type GroupBy,
	groupNoun,
	isBound,
} from "../options/report.ts";
import { escapeHtml, label, number, time } from "./html-parts.ts";

/**
 * Most rows of the table, so that sorting takes no noticeable time. The JSON report has all of
 * them; the page says how many are missing.
 */
const MOST_ROWS = 500;
/** Most crawlers whose versions are listed. */
const MOST_VERSIONED = 100;

/** Headings after the first one, in the order of the cells in `table`. A phone shows two columns, so what people look for comes first. */
const columns = [
	"Disallowed",
	"Purpose",
	"Requests",
	"For robots.txt",
	"Allowed",
	"After reading robots.txt",
	"Obeyed",
	"Crawl-delay",
	"Client errors",
	"Server errors",
	"First seen",
	"Last seen",
	"Exempt",
	"Disallowed, served",
	"Disallowed, refused",
	"Disallowed, bytes",
	"By a robots.txt over a day old",
	"Rapid series",
] as const;

/** The column that only reports with exempt crawlers have. */
const EXEMPT = 1 + columns.indexOf("Exempt");

/** One row per crawler. */
export function table({ crawlers, groupBy, timeZone }: AuditReport): string {
	// Already sorted by what people look for first: disallowed requests.
	const shown = crawlers.slice(0, MOST_ROWS);
	const hasExempt = crawlers.some(({ exempt }) => exempt > 0);
	const isShown = (_: unknown, at: number) => hasExempt || at !== EXEMPT;
	const rows = shown.map((crawler) => {
		const { crawlDelay, compliance, exempt } = crawler;
		// Each cell: what is shown, what the column is sorted by, and perhaps a class. Sort values of "-" come before all numbers.
		const cells: [text: string, order: string | number, style?: string][] = [
			[label(crawler), crawler.name.toLowerCase()],
			[
				number(crawler.disallowed),
				crawler.disallowed,
				crawler.disallowed === 0 ? "" : isBound(crawler) ? "bad" : "unbound",
			],
			[
				purposeNames[crawler.purpose].title,
				purposeNames[crawler.purpose].title,
				"left",
			],
			...[crawler.requests, crawler.robotsTxt, crawler.allowed].map(
				(count): [string, number] => [number(count), count],
			),
			[
				number(crawler.disallowedAfterRobotsTxt),
				crawler.disallowedAfterRobotsTxt,
			],
			[
				compliance !== null ? `${compliance}%` : exempt > 0 ? "exempt" : "-",
				// An exempt crawler sorts above 100%, one without a bound request below 0%.
				compliance ?? (exempt > 0 ? 101 : -1),
				compliance === null && exempt > 0 ? "unbound" : "",
			],
			// Kept sorts last, then not kept, then unknown.
			!crawlDelay
				? ["-", -1]
				: crawlDelay.kept === null
					? [
							crawlDelay.late > 0
								? `<span title="${escapeHtml(crawlDelay.unknown ?? "")}">${crawlDelay.seconds} s, unknown</span>`
								: `${crawlDelay.seconds} s`,
							0,
						]
					: crawlDelay.kept
						? [`${crawlDelay.seconds} s kept`, 2, "good"]
						: [`${crawlDelay.seconds} s, not kept`, 1, "bad"],
			...["4xx", "5xx"].map((name): [string, number] => {
				const count = crawler.statuses[name] ?? 0;
				return [number(count), count];
			}),
			...[crawler.firstSeen, crawler.lastSeen].map(
				(each): [string, number | string] => [
					day(each, timeZone),
					each === null ? "" : Date.parse(each),
				],
			),
			...[
				exempt,
				crawler.disallowedStatuses["2xx"] ?? 0,
				crawler.disallowedStatuses.refused ?? 0,
				crawler.bytes.disallowed,
				crawler.robotsFetches.stale,
				crawler.bursts.count,
			].map((count): [string, number] => [number(count), count]),
		];
		return `<tr>${cells
			.filter(isShown)
			.map(
				([text, order, style]) =>
					`<td data-sort="${escapeHtml(String(order))}"${style ? ` class="${style}"` : ""}>${text}</td>`,
			)
			.join("")}</tr>`;
	});
	const rest = crawlers.slice(MOST_ROWS);
	const title = `All ${groupNoun(groupBy, 2)}`;
	return `<h2>${title}</h2>
<div class="card scroll" tabindex="0" role="region" aria-label="${title}"><table class="sortable">
<thead><tr>${[rowName(groupBy), ...columns]
		.filter(isShown)
		.map(
			(name) =>
				`<th scope="col"${name === "Purpose" ? ' class="left"' : ""}${name === "Disallowed" ? ' aria-sort="descending"' : ""}>${name}</th>`,
		)
		.join("")}</tr></thead>
<tbody>${rows.join("\n")}</tbody>
</table></div>
${rest.length > 0 ? restOf(rest) : ""}
<p class="faint note screen">${hasExempt ? "Exempt requests come from crawlers that robots.txt does not bind. " : ""}Client and server errors: answered 4xx and 5xx. Served: answered 2xx; refused: 403, 429 or 451. By a robots.txt over a day old: requests more than 24 hours after the last one for robots.txt. Rapid series: 10 or more requests, each at most a second after the one before. Crawl-delay: the log has one time per request, so pauses include a download; &ldquo;not kept&rdquo; is certain, &ldquo;kept&rdquo; is as far as the log can show.</p>`;
}

/** The heading of the first column. */
function rowName(groupBy: GroupBy): string {
	const noun = groupNoun(groupBy, 1);
	return noun.charAt(0).toUpperCase() + noun.slice(1);
}

/** A sentence about the crawlers beyond the table's rows. */
function restOf(crawlers: readonly CrawlerReport[]): string {
	const total = (of: (crawler: CrawlerReport) => number) =>
		number(crawlers.reduce((sum, crawler) => sum + of(crawler), 0));
	return `<p class="note">${number(crawlers.length)} more, with ${total(({ requests }) => requests)} requests, ${total(({ disallowed }) => disallowed)} of them disallowed, are in the JSON report.</p>`;
}

/** Compliance with each version of a robots.txt that changed. */
export function versionTable({ crawlers, groupBy }: AuditReport): string {
	// One row per crawler and version: the question is what changed when robots.txt did.
	const rows = crawlers
		.slice(0, MOST_VERSIONED)
		.flatMap((crawler) =>
			crawler.versions.map(
				(version) =>
					`<tr><td>${label(crawler)}</td><td class="left">${escapeHtml(version.file)}${version.since ? ` since ${time(version.since)}` : ""}</td><td>${number(version.requests)}</td><td${version.disallowed > 0 ? ' class="bad"' : ""}>${number(version.disallowed)}</td><td>${share(version.compliance)}</td><td>${time(version.firstRequest)}</td><td>${version.firstRobotsTxt ? time(version.firstRobotsTxt) : "never"}</td><td>${share(version.complianceAfterRobotsTxt)}</td></tr>`,
			),
		);
	if (rows.length === 0) return "";
	return `<h2 class="screen">Before and after changes of robots.txt</h2>
<div class="card scroll screen" tabindex="0" role="region" aria-label="Versions of robots.txt"><table>
<thead><tr>${[rowName(groupBy), "Version", "Requests", "Disallowed", "Obeyed", "First request", "First read", "Obeyed then"].map((name) => `<th scope="col"${name === "Version" ? ' class="left"' : ""}>${name}</th>`).join("")}</tr></thead>
<tbody>${rows.join("\n")}</tbody>
</table></div>`;
}

/** A share of requests; "-" if there were none. */
function share(percent: number | null): string {
	return percent === null ? "-" : `${percent}%`;
}

/** The day, with the time as a tooltip. */
function day(timestamp: string | null, timeZone: string): string {
	return timestamp
		? `<time datetime="${timestamp}" title="${time(timestamp)} ${escapeHtml(timeZone)}">${timestamp.slice(0, 10)}</time>`
		: "-";
}
