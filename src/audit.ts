export {
	type AuditOptions,
	LogAudit,
} from "./log/audit.ts";
export {
	type AuditRowsOptions,
	auditRows,
	type VerdictRow,
} from "./log/audit-rows.ts";
export {
	apacheFormat,
	formatNames,
	formatOf,
	type JsonFields,
	jsonFormat,
	type LogField,
	type LogFormat,
	nginxFormat,
} from "./log/formats.ts";
export { parseRanges, type RangeSource } from "./log/ranges.ts";
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
} from "./log/report.ts";
export type { RobotsSource } from "./log/rule-book.ts";
