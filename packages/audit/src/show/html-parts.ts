/**
 * What the sections of the HTML report share: escaping, numbers, times and labels as the page shows them, and its style sheet. The report
 * contains texts that anybody can send (headers, paths, hosts), so every text goes through escapeHtml.
 */

import type { CrawlerReport } from "../options/report.ts";

const entities: Readonly<Record<string, string>> = {
	"&": "&amp;",
	"<": "&lt;",
	">": "&gt;",
	'"': "&quot;",
	"'": "&#39;",
};

/**
 * A text as HTML, also for quoted attributes. Control characters, which anybody can write to a log,
 * become U+FFFD. They would not be dangerous in HTML, but make a text look like
 * another one, those of writing direction above all.
 */
export function escapeHtml(text: string): string {
	return text
		.replace(/[&<>"']/g, (character) => entities[character] ?? "")
		.replace(/[\p{Cc}\p{Bidi_Control}]/gu, "\ufffd");
}

/**
 * A text of at most `length` characters, cut in the middle, as headers begin alike and differ at
 * their end. By code points, so that a pair of surrogates is not split.
 */
export function cutMiddle(text: string, length: number): string {
	const characters = [...text];
	if (characters.length <= length) return text;
	const end = Math.floor(length / 2);
	const start = length - 1 - end;
	return `${characters.slice(0, start).join("")}…${end > 0 ? characters.slice(-end).join("") : ""}`;
}

/** The legend of charts; of exempt requests only where there are any. */
export function legend(crawlers: readonly CrawlerReport[]): string {
	const exempt = crawlers.some(({ exemptDisallowed }) => exemptDisallowed > 0)
		? '<span class="exempt">disallowed, but exempt</span>'
		: "";
	return `<p class="legend"><span class="disallowed">disallowed</span>${exempt}<span class="allowed">allowed</span><span class="other">robots.txt itself, or no valid URL</span></p>`;
}

/** "1,234" */
export function number(value: number): string {
	return value.toLocaleString("en-US");
}

/** "9.5 MB": powers of 1000, as servers and bills count bytes. */
export function sizeText(bytes: number): string {
	const units = ["bytes", "kB", "MB", "GB", "TB"];
	const power = Math.min(Math.floor(Math.log10(bytes) / 3), units.length - 1);
	const value = bytes / 1000 ** power;
	return `${value.toLocaleString("en-US", { maximumFractionDigits: value < 10 ? 1 : 0 })} ${units[power]}`;
}

/** "2025-10-14 12:30" of an RFC 3339 time; "-" without one. */
export function time(timestamp: string | null): string {
	// Seconds are left out: the tables are about days, and a tooltip has the rest.
	return timestamp ? timestamp.slice(0, 16).replace("T", " ") : "-";
}

/** What clocks of the report's time zone show, as milliseconds since 1970 as if it were UTC: charts have midnights where readers have theirs. */
export function wallTime(timestamp: string): number {
	return Date.parse(timestamp.replace(/(?:Z|[+-]\d\d:\d\d)$/, "Z"));
}

/** The name of a crawler, with its verification in parentheses. */
export function textOf({
	name,
	verification,
}: Pick<CrawlerReport, "name" | "verification">): string {
	return verification ? `${name} (${verification})` : name;
}

/** The name of a crawler, with its verification. */
export function label(crawler: CrawlerReport): string {
	return escapeHtml(textOf(crawler));
}

/** Most characters of a short label. */
const SHORT = 24;

/** The same, cut to fit the column in front of a bar. */
export function shortLabel(crawler: CrawlerReport): string {
	return escapeHtml(cutMiddle(textOf(crawler), SHORT));
}

/**
 * The report's style sheet: colours for light and dark, and one column on a phone. A string and not
 * a .css file, as the report has to be one file.
 */
export const STYLE = `
:root {
  color-scheme: light dark;
  --page: #f3f5f6; --card: #fff; --line: #d6dde0; --text: #1b2327; --faint: #566369; --shadow: rgb(0 0 0 / .28);
  --allowed: #3b7dd8; --disallowed: #d4382c; --other: #a9b1bf; --mark: #fdecea; --kept: #1f7a43;
  --exempt: #b7791f;
}
@media (prefers-color-scheme: dark) {
  :root {
    --page: #121518; --card: #1a1e22; --line: #323a40; --text: #e4e9ec; --faint: #9aa7ae; --shadow: rgb(0 0 0 / .9);
    --allowed: #5b9bf0; --disallowed: #f0655a; --other: #5d6675; --mark: #3a2220; --kept: #5fc389;
    --exempt: #d9a441;
  }
}
* { box-sizing: border-box; }
body {
  margin: 0; background: var(--page); color: var(--text);
  font: 15px/1.5 system-ui, -apple-system, "Segoe UI", Roboto, sans-serif;
}
main { max-width: 1240px; margin: 0 auto; padding: 24px 16px 48px; }
h1 { font-size: 1.5rem; line-height: 1.25; margin: 0 0 4px; }
h2 { font-size: 1.1rem; margin: 32px 0 12px; }
p { margin: 0 0 8px; }
.lead { font-size: 1.15rem; margin: 8px 0; overflow-wrap: anywhere; }
.faint { color: var(--faint); }
.note { margin-top: 12px; }
.card { background: var(--card); border: 1px solid var(--line); border-radius: 10px; padding: 16px; }
.tiles { display: grid; grid-template-columns: repeat(auto-fit, minmax(150px, 1fr)); gap: 12px; margin: 20px 0 0; }
.tiles div { padding: 12px 16px; }
.tiles b { display: block; font-size: 1.6rem; line-height: 1.2; font-variant-numeric: tabular-nums; }
.alert b { color: var(--disallowed); }
.legend { display: flex; flex-wrap: wrap; gap: 4px 16px; margin: 0 0 8px; color: var(--faint); font-size: .9rem; }
.legend span::before { content: ""; display: inline-block; width: 10px; height: 10px; border-radius: 2px; margin-right: 6px; }
.legend .disallowed::before { background: var(--disallowed); } .legend .allowed::before { background: var(--allowed); } .legend .other::before { background: var(--other); } .legend .exempt::before { background: var(--exempt); }
svg { display: block; width: 100%; height: auto; }
svg text { fill: var(--faint); font: 11px system-ui, sans-serif; }
svg .gap rect { fill: var(--page); } svg .gap path { stroke: var(--faint); fill: none; }
svg .grid { stroke: var(--line); fill: none; }
svg .allowed { fill: var(--allowed); } svg .disallowed { fill: var(--disallowed); } svg .other { fill: var(--other); } svg .exempt { fill: var(--exempt); }
svg .hints rect { fill: transparent; } svg .hints rect:hover { fill: var(--text); opacity: .12; }
.narrow { display: none; }
.bars { display: grid; gap: 6px; }
.bars > div { display: grid; gap: 2px 12px; grid-template: "name bar count" / 220px 1fr 5em; align-items: center; }
.bars .name { grid-area: name; overflow: hidden; text-overflow: ellipsis; white-space: nowrap; }
.bars .bar { grid-area: bar; height: 14px; }
.purposes > div { grid-template-columns: 220px 1fr 12em; }
.bars .count { grid-area: count; text-align: right; font-variant-numeric: tabular-nums; color: var(--faint); }
.scroll { overflow-x: auto; padding: 0; }
/* Shadows at the sides where there is more to scroll to. */
.card.scroll {
  background:
    linear-gradient(to right, var(--card) 30%, transparent) left / 40px 100% local no-repeat,
    linear-gradient(to left, var(--card) 30%, transparent) right / 40px 100% local no-repeat,
    radial-gradient(farthest-side at left, var(--shadow), transparent) left / 14px 100% no-repeat,
    radial-gradient(farthest-side at right, var(--shadow), transparent) right / 14px 100% no-repeat,
    var(--card);
}
table { border-collapse: collapse; width: 100%; font-size: .92rem; }
th, td { padding: 7px 9px; text-align: right; white-space: nowrap; border-bottom: 1px solid var(--line); font-variant-numeric: tabular-nums; }
tr:last-child td { border-bottom: 0; }
th { color: var(--faint); font-weight: 600; white-space: normal; vertical-align: bottom; }
th:first-child, td:first-child, .left { text-align: left; }
.sortable th { cursor: pointer; user-select: none; }
.sortable th::after { content: " \\25be"; opacity: 0; }
.sortable th:hover::after { opacity: .4; }
.sortable th[aria-sort=descending]::after { opacity: 1; }
.sortable th[aria-sort=ascending]::after { content: " \\25b4"; opacity: 1; }
.scroll td:first-child, .scroll th:first-child { position: sticky; left: 0; background: var(--card); min-width: min(180px, 40vw); max-width: min(280px, 45vw); white-space: normal; overflow-wrap: anywhere; border-right: 1px solid var(--line); }
.bad { color: var(--disallowed); font-weight: 600; }
.good { color: var(--kept); }
.unbound { color: var(--exempt); font-weight: 600; }
.tag { border: 1px solid var(--line); border-radius: 99px; padding: 0 8px; font-size: .82rem; color: var(--faint); white-space: nowrap; }
details { margin: 0 0 10px; }
summary { cursor: pointer; display: flex; flex-wrap: wrap; gap: 4px 10px; align-items: baseline; }
summary::before { content: "\\25b8"; color: var(--faint); }
details[open] > summary::before { content: "\\25be"; }
summary::-webkit-details-marker { display: none; }
details > *:not(summary) { margin-top: 12px; }
.rule { border-left: 3px solid var(--disallowed); padding: 2px 0 2px 12px; margin: 10px 0; }
code { font: .9em ui-monospace, SFMono-Regular, Menlo, Consolas, monospace; overflow-wrap: anywhere; }
.rule > code { background: var(--mark); border-radius: 4px; padding: 1px 5px; }
ul, ol { margin: 4px 0 0; padding-left: 18px; }
pre { margin: 0; padding: 10px 12px; overflow-x: auto; background: var(--page); border-radius: 6px; font: .85em/1.45 ui-monospace, SFMono-Regular, Menlo, Consolas, monospace; user-select: all; }
:focus-visible { outline: 2px solid var(--allowed); outline-offset: 2px; }
/* Below this, three tiles do not stand side by side, and the third would stand alone. */
@media (max-width: 520px) {
  .tiles { grid-template-columns: 1fr; gap: 8px; }
  .tiles div { display: flex; align-items: baseline; gap: 12px; }
  .tiles b { flex: none; min-width: 6rem; }
}
@media (max-width: 640px) {
  main { padding: 16px 12px 32px; }
  .card { padding: 12px; } .scroll { padding: 0; }
  .wide { display: none; } .narrow { display: block; }
  .bars > div { grid-template: "name count" "bar bar" / 1fr max-content; }
}
/* Two pages: what disobeyed, since when and what to do. The rest is for the screen. */
@media print {
  @page { margin: 12mm; }
  :root {
    color-scheme: light;
    --page: #fff; --card: #fff; --line: #d6dde0; --text: #1b2327; --faint: #566369; --exempt: #b7791f;
    --allowed: #3b7dd8; --disallowed: #d4382c; --other: #a9b1bf; --mark: #fdecea; --kept: #1f7a43;
  }
  html { font-size: 11px; }
  body { font-size: 11px; print-color-adjust: exact; -webkit-print-color-adjust: exact; }
  main { max-width: none; padding: 0; }
  h2 { margin: 16px 0 6px; break-after: avoid; }
  .card { padding: 8px; break-inside: avoid; } .card.long { break-inside: auto; }
  details:not([open]) { display: none; }
  .wide svg { max-height: 150px; }
  .tiles { grid-template-columns: repeat(3, 1fr); margin-top: 10px; } .tiles div { display: block; }
  .screen, .sortable th::after { display: none; }
  .wide { display: block; } .narrow { display: none; }
  .bars > div, .purposes > div { grid-template: "name bar count" / 150px 1fr 13em; }
  .card.scroll { padding: 0; overflow: visible; background: none; }
  th, td { padding: 3px 6px; }
  .scroll td:first-child, .scroll th:first-child { position: static; min-width: 0; white-space: nowrap; }
  .sortable th:nth-child(n + 9), .sortable td:nth-child(n + 9), .sortable tbody tr:nth-child(n + 26) { display: none; }
  pre { white-space: pre-wrap; }
}
`;
