export type { Agent } from "./agents.ts";
export type { CleanParam } from "./clean-param.ts";
export type { RequestRate, TimeWindow } from "./crawl-rate.ts";
export {
	type Crawler,
	type CrawlerKind,
	crawlers,
	findCrawler,
} from "./crawlers.ts";
export type { Diagnostic, DiagnosticCode, Severity } from "./diagnostics.ts";
export type { Dialect } from "./dialect.ts";
export { RobotrieError, type RobotrieErrorCode } from "./errors.ts";
export type { DialectExplanations, Explanation } from "./explanation.ts";
export { Matcher } from "./matcher.ts";
export type {
	Preference,
	Preferences,
	UsagePreferences,
} from "./preferences.ts";
export {
	type Access,
	type IndexOptions,
	type IndexStats,
	RobotsIndex,
} from "./robots-index.ts";
export { type Group, type ParseOptions, RobotsTxt } from "./robots-txt.ts";
export type { Rule } from "./rules.ts";
export { appliesTo, robotsUrlFor } from "./scope.ts";
export { Verdict } from "./verdict.ts";
