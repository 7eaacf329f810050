import type { AuditReport } from "@robotrie/audit";
import { count } from "robotrie/internal";
import { printable } from "../output/output.ts";
import type { AuditCommandOptions } from "./options.ts";

/** Which User-Agent headers are counted as people's and which as crawlers', those of most requests first. */
export function headerList(
	report: AuditReport,
	{ output, top }: AuditCommandOptions,
): string {
	const rows = report.crawlers
		.map(({ name, category, requests }) => ({
			header: name,
			category,
			requests,
		}))
		.sort((a, b) => b.requests - a.requests || (a.header < b.header ? -1 : 1));
	if (output === "json") return `${JSON.stringify(rows, null, 2)}\n`;
	if (output === "ndjson")
		return rows.map((row) => `${JSON.stringify(row)}\n`).join("");
	const shown = rows.slice(0, top);
	const hidden = rows.length - shown.length;
	const lines = shown.map(
		({ header, category, requests }) =>
			`${requests.toLocaleString("en-US").padStart(11)}  ${category.padEnd(12)}  ${printable(header)}`,
	);
	if (hidden > 0)
		lines.push(
			`… and ${count(hidden, "more header")}; --top ${rows.length} shows all`,
		);
	return `   requests  counted as    header\n${lines.join("\n")}\n`;
}
