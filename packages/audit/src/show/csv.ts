/**
 * CSV: the report with `--output csv`, and the notation of rows with `--each-format csv`. Loaded only when one of them is asked for, as few
 * audits need csv-stringify. Both protect the people who open the file: formulas are escaped for spreadsheets, control characters for terminals.
 */

// In pages, too: the package's other entries need Node's Buffer.
import { stringify } from "csv-stringify/browser/esm/sync";
import { escaped } from "#robotrie/common/printable";
import type { Notation } from "../common/row-bytes.ts";
import type { AuditReport, SuspectReport } from "../options/report.ts";

const QUOTE = 0x22;
const COMMA = 0x2c;

/**
 * Rows of CSV, without the line number in front. Plain bytes are those that csv-stringify would not
 * quote. `before` writes no name: the names are in the header line, in the order of COLUMNS.
 */
export const csv: Notation = {
	before: () => ",",
	value: (value) => csvRow([value]),
	end: "\n",
	quote: "",
	isPlain: (byte) =>
		byte > 0x20 && byte < 0x7f && byte !== QUOTE && byte !== COMMA,
	// The four characters that make a spreadsheet read a formula.
	isPlainFirst: (byte) => !"=+-@".includes(String.fromCharCode(byte)),
};

/** A row of CSV without its end. */
export function csvRow(values: readonly (string | number | null)[]): string {
	// A spreadsheet would evaluate a text that begins with "=".
	return stringify([values.map(cell)], { eof: false, escape_formulas: true });
}

/**
 * A value of a cell. Control characters and those of writing direction, which anybody can send in a header and which could drive the terminal
 * that shows the file, are written as \x1b. Line feeds stay, as a quoted cell may contain them.
 */
function cell<Value>(value: Value): Value | string {
	if (typeof value !== "string") return value;
	return value.replace(/[^\P{Cc}\n]|\p{Bidi_Control}/gu, escaped);
}

const STATUS_NAMES = ["1xx", "2xx", "3xx", "4xx", "5xx"];

/** A report as one table. */
export interface ReportTable {
	/** The columns' names, in order. */
	readonly columns: readonly string[];
	/** Rows, each with values by columns; what is missing is an empty cell. */
	readonly rows: readonly TableRow[];
}

/** A row for each suspect with the option `suspects`, for each crawler and step with `every`, else for each crawler. */
export function tableOf(report: AuditReport): ReportTable {
	const { suspects, every } = report;
	if (suspects)
		return { columns: SUSPECT_COLUMNS, rows: suspects.top.map(suspectRow) };
	return every === null
		? { columns: CRAWLER_COLUMNS, rows: crawlerRows(report) }
		: { columns: SERIES_COLUMNS, rows: seriesRows(report) };
}

/** A report as CSV: the rows of `tableOf`. */
export function csvReport(report: AuditReport): string {
	const { columns, rows } = tableOf(report);
	return stringify([...rows], {
		header: true,
		columns: [...columns],
		// csv-stringify writes booleans as "1" and "" by default.
		cast: { boolean: String, string: cell },
		// As in `csvRow`.
		escape_formulas: true,
	});
}

function suspectRow(suspect: SuspectReport): TableRow {
	return {
		address: suspect.address,
		system: suspect.system,
		requests: suspect.requests,
		pages: suspect.pages,
		pages_estimated: suspect.pagesEstimated,
		page_requests: suspect.pageRequests,
		assets: suspect.assets,
		referrers: suspect.referrers,
		robots_txt: suspect.robotsTxt,
		disallowed: suspect.disallowed,
		pages_per_minute: suspect.pagesPerMinute,
		first_seen: suspect.firstSeen,
		last_seen: suspect.lastSeen,
		reason: suspect.reason,
	};
}

const SUSPECT_COLUMNS = [
	...(["address", "system", "requests", "pages", "pages_estimated"] as const),
	...(["page_requests", "assets", "referrers", "robots_txt"] as const),
	...(["disallowed", "pages_per_minute"] as const),
	...(["first_seen", "last_seen", "reason"] as const),
];

/** A row per crawler and step of time. */
function seriesRows({ crawlers }: AuditReport): readonly TableRow[] {
	return crawlers.flatMap(
		({ name, category, purpose, verification, series }) => {
			const crawler = { name, category, purpose, verification };
			return series.map(({ start, allowed, disallowed, other }): TableRow => {
				const counts = { allowed, disallowed, other };
				return { start, ...crawler, ...counts };
			});
		},
	);
}

const SERIES_COLUMNS = [
	...(["start", "name", "category", "purpose", "verification"] as const),
	...(["allowed", "disallowed", "other"] as const),
] as const;

/**
 * A row per crawler. Of what is a list in JSON, only the most frequent rule,
 * path and directory are included. One header line and plain columns, so that a spreadsheet or a
 * data frame reads it without options.
 */
function crawlerRows({ crawlers }: AuditReport): readonly TableRow[] {
	// Names in snake case, as SQL and data frames have columns.
	return crawlers.map((crawler) => ({
		name: crawler.name,
		category: crawler.category,
		verification: crawler.verification,
		requests: crawler.requests,
		robots_txt: crawler.robotsTxt,
		allowed: crawler.allowed,
		disallowed: crawler.disallowed,
		invalid: crawler.invalid,
		exempt: crawler.exempt,
		exempt_disallowed: crawler.exemptDisallowed,
		compliance: crawler.compliance,
		disallowed_after_robots_txt: crawler.disallowedAfterRobotsTxt,
		first_seen: crawler.firstSeen,
		last_seen: crawler.lastSeen,
		// Classes that no request had are 0 here, while JSON leaves them out: a column needs a value in
		// every row.
		...Object.fromEntries(
			STATUS_NAMES.map((name) => [
				`status_${name}`,
				crawler.statuses[name] ?? 0,
			]),
		),
		...Object.fromEntries(
			[...STATUS_NAMES, "refused"].map((name) => [
				`disallowed_${name}`,
				crawler.disallowedStatuses[name] ?? 0,
			]),
		),
		bytes_allowed: crawler.bytes.allowed,
		bytes_disallowed: crawler.bytes.disallowed,
		bytes_other: crawler.bytes.other,
		median_gap: crawler.medianGap,
		p10_gap: crawler.p10Gap,
		bursts: crawler.bursts.count,
		longest_burst: crawler.bursts.longest,
		robots_txt_interval: crawler.robotsFetches.medianInterval,
		robots_txt_longest_interval: crawler.robotsFetches.longestInterval,
		stale: crawler.robotsFetches.stale,
		crawl_delay: crawler.crawlDelay?.seconds,
		crawl_delay_kept: crawler.crawlDelay?.kept,
		crawl_delay_shorter_share: crawler.crawlDelay?.shorterShare,
		addresses: crawler.addresses.different,
		networks: crawler.networks.different,
		top_directory: crawler.disallowedDirectories.top[0]?.text,
		top_path: crawler.disallowedPaths.top[0]?.text,
		top_rule_file: crawler.rules[0]?.file,
		top_rule_line: crawler.rules[0]?.line,
		top_rule: crawler.rules[0]?.pattern,
		top_rule_count: crawler.rules[0]?.count,
		purpose: crawler.purpose,
		bytes_share: crawler.taken?.share,
		top_section: crawler.taken?.sections.top[0]?.text,
		top_section_requests: crawler.taken?.sections.top[0]?.requests,
		top_taken_path: crawler.taken?.paths.top[0]?.text,
		top_taken_path_requests: crawler.taken?.paths.top[0]?.requests,
		top_content_type: crawler.taken?.contentTypes.top[0]?.text,
		systems: crawler.systems.different,
		top_system: crawler.systems.top[0]?.text,
		dialect: crawler.dialect,
	}));
}

/** A row of a `ReportTable`: values by the names of its columns. */
export type TableRow = Readonly<
	Record<string, string | number | boolean | null | undefined>
>;

/** The columns in their documented order, which csv-stringify does not take from the first row when there are no crawlers. */
const CRAWLER_COLUMNS = [
	"name",
	"category",
	"verification",
	"requests",
	"robots_txt",
	"allowed",
	"disallowed",
	"invalid",
	"exempt",
	"exempt_disallowed",
	"compliance",
	"disallowed_after_robots_txt",
	"first_seen",
	"last_seen",
	"status_1xx",
	"status_2xx",
	"status_3xx",
	"status_4xx",
	"status_5xx",
	"disallowed_1xx",
	"disallowed_2xx",
	"disallowed_3xx",
	"disallowed_4xx",
	"disallowed_5xx",
	"disallowed_refused",
	"bytes_allowed",
	"bytes_disallowed",
	"bytes_other",
	"median_gap",
	"p10_gap",
	"bursts",
	"longest_burst",
	"robots_txt_interval",
	"robots_txt_longest_interval",
	"stale",
	"crawl_delay",
	"crawl_delay_kept",
	"crawl_delay_shorter_share",
	"addresses",
	"networks",
	"top_directory",
	"top_path",
	"top_rule_file",
	"top_rule_line",
	"top_rule",
	"top_rule_count",
	"purpose",
	"bytes_share",
	"top_section",
	"top_section_requests",
	"top_taken_path",
	"top_taken_path_requests",
	"top_content_type",
	"systems",
	"top_system",
	"dialect",
] as const;
