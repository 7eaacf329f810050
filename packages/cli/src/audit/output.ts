import type { AuditReport } from "@robotrie/audit";
import { load } from "@robotrie/audit/internal";
import type { AuditCommandOptions } from "./options.ts";
import { auditTable } from "./table.ts";

/** A report as `--output` asks for it. */
export async function render(
	report: AuditReport,
	options: AuditCommandOptions,
): Promise<string> {
	const { output, top, out, listHeaders } = options;
	if (listHeaders)
		return (await import("./headers.ts")).headerList(report, options);
	switch (output) {
		case "json":
			return `${JSON.stringify(report, null, 2)}\n`;
		case "ndjson":
			return report.crawlers
				.map((crawler) => `${JSON.stringify(crawler)}\n`)
				.join("");
		case "csv":
			return (await load.csv()).csvReport(report);
		case "html": {
			const { htmlReport } = await load.html();
			return htmlReport(report);
		}
		case "table":
			return auditTable(report, top, out === undefined);
	}
}
