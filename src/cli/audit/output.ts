import type { AuditReport } from "../../log/report.ts";
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
			return (await import("../../log/csv.ts")).csvReport(report);
		case "html": {
			const { htmlReport } = await import("../../log/html.ts");
			return htmlReport(report);
		}
		case "table":
			return auditTable(report, top, out === undefined);
	}
}
