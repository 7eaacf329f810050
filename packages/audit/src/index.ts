/**
 * The public entry, @robotrie/audit. Everything exported here is documented and keeps its name; docs/audit.md is its guide.
 * @module
 */

export {
	type DnsLookups,
	type NetworkNames,
	parseRanges,
	type RangeSource,
} from "./addresses.ts";
export { LogAudit } from "./audit.ts";
export { auditRows, type VerdictRow } from "./audit-rows.ts";
export type { Every, WiderStep } from "./calendar.ts";
export {
	type Change,
	type ComparedCounts,
	type ComparedPeriod,
	type CrawlerChange,
	compareReports,
	type ReportComparison,
} from "./compare-reports.ts";
export {
	apacheFormat,
	formatNames,
	formatOf,
	jsonFormat,
	nginxFormat,
} from "./formats.ts";
export type {
	FormatLines,
	JsonFields,
	LogField,
	LogFormat,
} from "./log-format.ts";
export type { AuditOptions, AuditRowsOptions } from "./options.ts";
export type { Purpose } from "./purposes.ts";
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
} from "./report.ts";
export type { RobotsSource } from "./rule-book.ts";
export { type Suggestions, suggestions } from "./suggestions.ts";
