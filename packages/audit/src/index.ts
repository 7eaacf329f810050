export {
	type AuditOptions,
	LogAudit,
} from "./audit.ts";
export {
	type AuditRowsOptions,
	auditRows,
	type VerdictRow,
} from "./audit-rows.ts";
export {
	apacheFormat,
	formatNames,
	formatOf,
	type JsonFields,
	jsonFormat,
	type LogField,
	type LogFormat,
	nginxFormat,
} from "./formats.ts";
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
