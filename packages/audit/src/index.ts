/**
 * The public entry, @robotrie/audit. Everything exported here is documented and keeps its name; docs/audit.md is its guide.
 * @module
 */

export { LogAudit } from "./audit.ts";
export { auditRows, type VerdictRow } from "./audit-rows.ts";
export {
	type DnsLookups,
	type NetworkNames,
	parseRanges,
	type RangeSource,
} from "./common/addresses.ts";
export { type Every, parseTime, type WiderStep } from "./common/calendar.ts";
export {
	apacheFormat,
	fieldFormats,
	formatNames,
	formatOf,
	jsonFormat,
	nginxFormat,
} from "./formats/formats.ts";
export type {
	FormatLines,
	JsonFields,
	LogField,
	LogFormat,
} from "./formats/log-format.ts";
export type { AuditOptions, AuditRowsOptions } from "./options/options.ts";
export type { Purpose } from "./options/purposes.ts";
export type {
	AuditReport,
	BurstReport,
	CrawlDelayReport,
	CrawlerReport,
	GroupBy,
	PurposeReport,
	Ranking,
	RobotsFetches,
	SeriesPoint,
	SharedPage,
	SharedPages,
	SiteReport,
	SuspectReport,
	SuspectSign,
	SuspectsReport,
	TakenRanking,
	TakenReport,
	TakenText,
	VersionReport,
	ViolatedRule,
} from "./options/report.ts";
export type { RobotsSource } from "./options/rule-book.ts";
export type { FormatAdvice } from "./scan/detect.ts";
export {
	type NamedLog,
	type SortedLog,
	type SortLogsOptions,
	sortLogs,
} from "./scan/sort-logs.ts";
export {
	type Change,
	type ComparedCounts,
	type ComparedPeriod,
	type CrawlerChange,
	compareReports,
	type ReportComparison,
} from "./show/compare-reports.ts";
export type { ReportTable, TableRow } from "./show/csv.ts";
export {
	checkReport,
	csvReport,
	htmlReport,
	openMetrics,
	type ReportCheck,
	type ReportProblem,
	reportTable,
	textComparison,
	textReport,
} from "./show/reports.ts";
export { type Suggestions, suggestions } from "./show/suggestions.ts";
export type {
	TextComparisonOptions,
	TextReportOptions,
} from "./show/text-options.ts";
