export { LogAudit } from "./audit.ts";
export type { AuditOptions, AuditRowsOptions } from "./audit-options.ts";
export { auditRows, type VerdictRow } from "./audit-rows.ts";
export {
	apacheFormat,
	formatNames,
	formatOf,
	jsonFormat,
	type LogFormat,
	nginxFormat,
} from "./formats.ts";
export type { JsonFields, LogField } from "./json-formats.ts";
export { parseRanges, type RangeSource } from "./ranges.ts";
export type {
	AuditReport,
	BurstReport,
	CrawlDelayReport,
	CrawlerReport,
	GroupBy,
	Ranking,
	RobotsFetches,
	SeriesPoint,
	SiteReport,
	VersionReport,
	ViolatedRule,
} from "./report.ts";
export type { RobotsSource } from "./rule-book.ts";
