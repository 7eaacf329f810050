/** Clients that call themselves browsers and behave like crawlers, in the HTML report of an audit with `suspects`: a table, and what it does not say. */

import {
	type AuditReport,
	groupNoun,
	pagesOf,
	type SuspectReport,
	unusableSigns,
} from "../options/report.ts";
import { escapeHtml, number, time } from "./html-parts.ts";

const columns: readonly [name: string, style?: string][] = [
	["Address"],
	["Network", "left"],
	["Requests"],
	["Pages"],
	["Images, styles, scripts"],
	["Disallowed to all crawlers"],
	["First seen", "left"],
	["Last seen", "left"],
	["Why", "left"],
];

/** The section; empty without the option. */
export function suspectsSection({ suspects }: AuditReport): string {
	if (!suspects) return "";
	const { top, different, clients } = suspects;
	const hasSystems = top.some(({ system }) => system !== null);
	const isShown = (at: number) => at !== 1 || hasSystems;
	const unusable = unusableSigns(suspects);
	const unused = unusable === "" ? "" : ` ${unusable}`;
	const rows = top.map(
		(suspect) =>
			`<tr>${cellsOf(suspect)
				.filter((_, at) => isShown(at))
				.join("")}</tr>`,
	);
	const heads = columns
		.filter((_, at) => isShown(at))
		.map(
			([name, style]) =>
				`<th scope="col"${style ? ` class="${style}"` : ""}>${name}</th>`,
		);
	return `<h2 class="screen">Suspects among browsers</h2>
${
	top.length > 0
		? `<div class="card scroll screen" tabindex="0" role="region" aria-label="Suspects among browsers"><table class="sortable">
<thead><tr>${heads.join("")}</tr></thead>
<tbody>${rows.join("\n")}</tbody>
</table></div>
${different > top.length ? `<p class="note screen">${number(different - top.length)} more were found.</p>` : ""}
<p class="faint note screen">These clients call themselves browsers and read pages as crawlers do. That is a suspicion: people behind proxies and some programs of people look alike, and robots.txt binds no person. Look at their requests in the log before you refuse them. They are in no other part of this report.${unused}</p>`
		: `<p class="card screen">None of ${number(clients)} ${groupNoun("address", clients)} with a browser's User-Agent behaves like a crawler.${unused}</p>`
}`;
}

function cellsOf(suspect: SuspectReport): string[] {
	const { disallowed, pages, firstSeen, lastSeen } = suspect;
	const cell = (text: string, order: string | number, style?: string) =>
		`<td data-sort="${escapeHtml(String(order))}"${style ? ` class="${style}"` : ""}>${text}</td>`;
	const day = (text: string | null) =>
		cell(text ? time(text) : "-", text ?? "", "left");
	return [
		cell(escapeHtml(suspect.address), suspect.address),
		cell(escapeHtml(suspect.system ?? "-"), suspect.system ?? "", "left"),
		cell(number(suspect.requests), suspect.requests),
		cell(pagesOf(suspect), pages),
		cell(number(suspect.assets), suspect.assets),
		cell(number(disallowed), disallowed, disallowed > 0 ? "bad" : undefined),
		day(firstSeen),
		day(lastSeen),
		cell(escapeHtml(suspect.reason), suspect.reason, "left"),
	];
}
