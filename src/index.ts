/**
 * The entry `robotrie`. It re-exports and runs nothing, so that bundlers leave out what a program does not use; readable.test.ts has the
 * sizes.
 * @module
 */

export type { Agent } from "./common/agents.ts";
export type { Url } from "./common/arguments.ts";
export type { ColumnOffsets, ColumnOptions } from "./common/column.ts";
export { RobotrieError, type RobotrieErrorCode } from "./common/errors.ts";
export type { Crawler, CrawlerKind } from "./crawlers/crawler-data.ts";
export {
	crawlers,
	type FindCrawlerOptions,
	findCrawler,
	type Recognised,
	recognise,
} from "./crawlers/crawlers.ts";
export { Verdict } from "./engine/engine.ts";
export { dialectFor } from "./matching/agents.ts";
export type {
	DialectExplanations,
	Explanation,
} from "./matching/answers.ts";
export { Matcher } from "./matching/matcher.ts";
export type {
	ContentUse,
	Preference,
	Preferences,
	UsagePreferences,
} from "./matching/preferences.ts";
export {
	type Group,
	type ParseOptions,
	RobotsTxt,
} from "./matching/robots-txt.ts";
export type { Rule, SortedRule } from "./matching/rules.ts";
export type {
	Diagnostic,
	DiagnosticCode,
	Severity,
} from "./robots-txt/diagnostics.ts";
export { type Dialect, dialectNames } from "./robots-txt/dialect.ts";
export type {
	CleanParam,
	RequestRate,
	TimeWindow,
	VisitTime,
} from "./robots-txt/other-fields.ts";
export type { UseLevel } from "./robots-txt/usage-statement.ts";
export type { Access, Rules } from "./sites/compact-programs.ts";
export type {
	IndexExplanation,
	IndexOptions,
	IndexStats,
} from "./sites/robots-index.ts";
export { RobotsIndex } from "./sites/robots-index.ts";
export { appliesTo, robotsUrlFor } from "./sites/scope.ts";
