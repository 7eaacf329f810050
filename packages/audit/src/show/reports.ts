/**
 * A report in every form but JSON, which it is already: text for people, a page, tables, counts for monitoring, and what a job decides by. Forms
 * are loaded when they are asked for, as most audits want one at most.
 */

import { RobotrieError } from "robotrie";
import {
	check,
	checkOptions,
	type OptionTable,
} from "#robotrie/common/arguments";
import { flagKind, list, textKind, wholeNumber } from "#robotrie/common/kinds";
import {
	type AuditReport,
	reportKind,
	violationsOf,
} from "../options/report.ts";
import type { ReportTable } from "./csv.ts";
import { isUnread } from "./headline.ts";
import {
	type TextComparisonOptions,
	type TextReportOptions,
	WIDTH,
} from "./text-options.ts";

const topKinds: OptionTable<TextComparisonOptions> = {
	top: wholeNumber(1),
	commandHints: flagKind,
};
const textKinds: OptionTable<TextReportOptions> = {
	...topKinds,
	width: wholeNumber(WIDTH),
	colors: flagKind,
};

/**
 * A report as text, as `robotrie audit` prints it: who disregarded robots.txt, a row per crawler, and the rules that were disregarded. Control
 * characters of the log are shown as `\x1b`.
 * @throws {RobotrieError} invalid-argument: the promise rejects.
 * @example
 * console.log(await textReport(audit.report(), { top: 10 }));
 */
export async function textReport(
	report: AuditReport,
	options: TextReportOptions = {},
): Promise<string> {
	check("report", report, reportKind);
	checkOptions("textReport", options, textKinds);
	const { reportText } = await import("./text.ts");
	return reportText(report, options);
}

/**
 * What `compareReports` finds between two reports, as text: a sentence, and a row for each crawler, those that changed most first.
 * @throws {RobotrieError} invalid-argument, also for reports that are grouped by different things: the promise rejects.
 * @example
 * console.log(await textComparison(may.report(), june.report()));
 */
export async function textComparison(
	before: AuditReport,
	after: AuditReport,
	options: TextComparisonOptions = {},
): Promise<string> {
	check("before", before, reportKind);
	check("after", after, reportKind);
	checkOptions("textComparison", options, topKinds);
	const { comparisonText } = await import("./text.ts");
	return comparisonText(before, after, options);
}

/**
 * A report as one HTML file, which loads nothing: the result in a sentence, charts, a table that can be sorted, what to do, and the rules that each
 * crawler disregarded. Light or dark like the reader's system; printed, it takes two pages.
 * @throws {RobotrieError} invalid-argument: the promise rejects.
 * @example
 * writeFileSync("report.html", await htmlReport(audit.report()));
 */
export async function htmlReport(report: AuditReport): Promise<string> {
	check("report", report, reportKind);
	const html = await import("./html.ts");
	return html.htmlReport(report);
}

/**
 * A report as one table, to be written in other formats than CSV: a row for each suspect with the option `suspects`, for each crawler and step
 * with `every`, else for each crawler. docs/audit-pipelines.md describes the columns.
 * @throws {RobotrieError} invalid-argument: the promise rejects.
 * @example
 * const { columns, rows } = await reportTable(audit.report());
 */
export async function reportTable(report: AuditReport): Promise<ReportTable> {
	check("report", report, reportKind);
	const { tableOf } = await import("./csv.ts");
	return tableOf(report);
}

/**
 * A report as CSV: the table of `reportTable`. Texts that a spreadsheet would take for formulas are escaped, and control characters shown as `\x1b`.
 * @throws {RobotrieError} invalid-argument: the promise rejects.
 * @example
 * writeFileSync("report.csv", await csvReport(audit.report()));
 */
export async function csvReport(report: AuditReport): Promise<string> {
	check("report", report, reportKind);
	const csv = await import("./csv.ts");
	return csv.csvReport(report);
}

/**
 * A report by name or category as OpenMetrics text, for Prometheus. Crawlers that no list knows share one time series, except those whose names are
 * given, in any case.
 * @throws {RobotrieError} invalid-argument, also for a report by address or header: the promise rejects.
 * @example
 * const text = await openMetrics(audit.report(), ["ExampleBot"]);
 */
export async function openMetrics(
	report: AuditReport,
	names: readonly string[] = [],
): Promise<string> {
	check("report", report, reportKind);
	check("names", names, list(textKind, "strings"));
	const { groupBy } = report;
	// Anybody could make up as many time series as they like.
	if (groupBy !== "name" && groupBy !== "category")
		throw new RobotrieError(
			"invalid-argument",
			`openMetrics takes a report by name or category, not by ${groupBy}`,
		);
	const metrics = await import("./open-metrics.ts");
	return metrics.openMetrics(report, names);
}

/**
 * What keeps a report from saying who obeyed. "unparsed": more than half of the lines have another format. "no-robots": no robots.txt can be
 * read as such. "not-judged": there were requests, but none that a robots.txt is for, or none with a User-Agent header.
 */
export type ReportProblem = "unparsed" | "no-robots" | "not-judged";

/** What `checkReport` returns. */
export interface ReportCheck {
	/** Disallowed requests under names of crawlers that robots.txt binds, also those from other addresses than their operators'. */
	readonly violations: number;
	/** What keeps the report from saying who obeyed; empty if nothing does. */
	readonly problems: readonly ReportProblem[];
}

/**
 * What a job decides by: whether crawlers disregarded robots.txt, and whether the report can say so.
 * @throws {RobotrieError} invalid-argument, for what is not a report.
 * @example
 * checkReport(audit.report()).problems; // []
 */
export function checkReport(report: AuditReport): ReportCheck {
	check("report", report, reportKind);
	const { crawlers, lines, blank, unparsed } = report;
	const problems: readonly (readonly [ReportProblem, boolean])[] = [
		// Blank lines and directives are no lines of a log.
		["unparsed", 2 * unparsed > lines - blank],
		["no-robots", isUnread(report)],
		["not-judged", isUnjudged(report)],
	];
	return {
		violations: crawlers.reduce((sum, each) => sum + violationsOf(each), 0),
		problems: problems.flatMap(([problem, holds]) => (holds ? problem : [])),
	};
}

/**
 * Whether nothing was judged although requests were read; not where people came and no crawler. Some requests without a header are usual, as those
 * of monitoring are.
 */
function isUnjudged(report: AuditReport): boolean {
	const { judged, people, withoutAgent, withoutRobots, robots } = report;
	// A robots.txt that begins later than the log does is what was asked for.
	const isElsewhere =
		withoutRobots > 0 && robots.every(({ since }) => since === null);
	return judged === 0 && (isElsewhere || withoutAgent > people);
}
