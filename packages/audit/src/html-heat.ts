import { escapeHtml } from "./escape-html.ts";
import { label, number, shortLabel, time } from "./html-parts.ts";
import type { AuditReport, CrawlerReport } from "./report.ts";

/** Crawlers, and steps of time. */
const MOST_ROWS = 15;
const MOST_COLUMNS = 48;
const HOUR = 3_600_000;
const WIDTHS = [1, 2, 3, 6, 12, 24, 48, 168, 336, 672].map(
	(hours) => hours * HOUR,
);

/** Who came when: requests of the busiest crawlers by hour, day or more. */
export function heatMap({ crawlers, from, to, step }: AuditReport): string {
	const first = Date.parse(from ?? "");
	const last = Date.parse(to ?? "");
	const width =
		WIDTHS.find(
			(each) =>
				each >= step * 1000 && (last - first) / each <= MOST_COLUMNS - 1,
		) ?? Math.max(Math.ceil((last - first) / MOST_COLUMNS), step * 1000);
	const begin = Math.floor(first / width) * width;
	const columns = Math.floor((last - begin) / width) + 1;
	if (columns < 3) return "";
	const shown = crawlers
		.toSorted((a, b) => b.requests - a.requests)
		.slice(0, MOST_ROWS);
	const rows = shown.map((crawler) => cells(crawler, begin, width, columns));
	const most = Math.max(...rows.map((row) => Math.max(...row)), 1);
	const hours = width / HOUR;
	const name =
		hours === 1
			? "an hour"
			: hours === 24
				? "a day"
				: hours > 24
					? `${Math.round(hours / 24)} days`
					: `${hours} hours`;
	return `<h2>Who came when</h2>
<div class="card"><div class="bars heat">${rows
		.map((row, at) => {
			const crawler = shown[at] as CrawlerReport;
			return `<div><span class="name" title="${label(crawler)}">${shortLabel(crawler)}</span><svg class="bar" viewBox="0 0 ${columns} 1" preserveAspectRatio="none" role="img" aria-label="Requests of ${label(crawler)} over time">${row
				.map((count, column) =>
					count === 0
						? ""
						: `<rect class="allowed" x="${column}" width="1" height="1" fill-opacity="${(0.12 + 0.88 * Math.sqrt(count / most)).toFixed(2)}"><title>${escapeHtml(time(new Date(begin + column * width).toISOString()))} UTC: ${number(count)} requests</title></rect>`,
				)
				.join(
					"",
				)}</svg><span class="count">${number(crawler.requests)}</span></div>`;
		})
		.join("\n")}</div>
<p class="faint note">A cell is ${name}; the darkest has ${number(most)} requests. ${escapeHtml(time(from))} to ${escapeHtml(time(to))} UTC.</p></div>`;
}

function cells(
	{ series }: CrawlerReport,
	begin: number,
	width: number,
	columns: number,
): number[] {
	const row = new Array<number>(columns).fill(0);
	for (const { start, allowed, disallowed, other } of series) {
		const column = Math.max(Math.floor((Date.parse(start) - begin) / width), 0);
		row[column] = (row[column] ?? 0) + allowed + disallowed + other;
	}
	return row.slice(0, columns);
}
