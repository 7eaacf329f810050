import { stringify } from "csv-stringify/sync";
import type { AuditReport } from "./report.ts";

/** A report as CSV: a row a crawler; what is a list in JSON is left out, but for the rule that was disregarded most. */
export function csvReport({ crawlers }: AuditReport): string {
	const rows = crawlers.map((crawler) => ({
		name: crawler.name,
		category: crawler.category,
		verification: crawler.verification,
		requests: crawler.requests,
		robots_txt: crawler.robotsTxt,
		allowed: crawler.allowed,
		disallowed: crawler.disallowed,
		invalid: crawler.invalid,
		compliance: crawler.compliance,
		disallowed_after_robots_txt: crawler.disallowedAfterRobotsTxt,
		first_seen: crawler.firstSeen,
		last_seen: crawler.lastSeen,
		...Object.fromEntries(
			["1xx", "2xx", "3xx", "4xx", "5xx"].map((name) => [
				`status_${name}`,
				crawler.statuses[name] ?? 0,
			]),
		),
		median_gap: crawler.medianGap,
		crawl_delay: crawler.crawlDelay?.seconds,
		crawl_delay_kept: crawler.crawlDelay?.kept,
		top_rule_file: crawler.rules[0]?.file,
		top_rule_line: crawler.rules[0]?.line,
		top_rule: crawler.rules[0]?.pattern,
		top_rule_count: crawler.rules[0]?.count,
	}));
	return stringify(rows, {
		header: true,
		columns: CSV_COLUMNS,
		cast: { boolean: String },
		// A spreadsheet would run a name that begins with "=".
		escape_formulas: true,
	});
}

const CSV_COLUMNS = [
	"name",
	"category",
	"verification",
	"requests",
	"robots_txt",
	"allowed",
	"disallowed",
	"invalid",
	"compliance",
	"disallowed_after_robots_txt",
	"first_seen",
	"last_seen",
	"status_1xx",
	"status_2xx",
	"status_3xx",
	"status_4xx",
	"status_5xx",
	"median_gap",
	"crawl_delay",
	"crawl_delay_kept",
	"top_rule_file",
	"top_rule_line",
	"top_rule",
	"top_rule_count",
];
