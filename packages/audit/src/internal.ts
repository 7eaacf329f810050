/**
 * The entry for the other packages of this repository (@robotrie/audit/internal): what the command line and the playground need besides the
 * public entry to scan with threads and to show reports. Not for users; it changes without notice.
 */

export { addressOf, type NetworkNames, prefixOf } from "./addresses.ts";
export { headerPatterns } from "./agent-classes.ts";
export {
	Calendar,
	calendarOf,
	everyNames,
	plainCalendar,
	zoneOf,
} from "./calendar.ts";
export {
	byTime,
	type FormatAdvice,
	formatFor,
	formatOfHead,
	HEAD,
	timeOfFirstLine,
} from "./detect.ts";
export {
	fieldFormats,
	formatOfString,
	isFormatName,
	parseFields,
} from "./formats.ts";
export {
	headlineOf,
	isUnread,
	isUnverified,
	outcomesOf,
	unboundText,
} from "./headline.ts";
export { cutMiddle, STYLE, sizeText } from "./html-parts.ts";
export {
	type FormatSummary,
	summaryOf,
	tells,
	withDirective,
} from "./log-format.ts";
export { reportOf } from "./make-report.ts";
export type { EachFormat, ScanSettings } from "./options.ts";
export { anonymizing, SHORTEST_KEY, scanSettings } from "./options.ts";
export type { SegmentData } from "./packed-counts.ts";
export { packed, unpacked } from "./packed-counts.ts";
export { isAi, purposeNames } from "./purposes.ts";
export { fieldsOf } from "./records.ts";
export {
	dialectText,
	groupNoun,
	pagesOf,
	percent,
	unjudged,
	unusableSigns,
	violationsOf,
} from "./report.ts";
export {
	type DnsAnswer,
	RESOLVE_LIMITS,
	ResolvingAhead,
	ReverseDns,
} from "./reverse-dns.ts";
export type { EachRows } from "./row-bytes.ts";
export type { RowWriter } from "./row-writer.ts";
export {
	checkHosts,
	isHost,
	type ReadingOptions,
	RuleBook,
} from "./rule-book.ts";
export { LONGEST_LINE, LogScanner } from "./scanner.ts";
export { SegmentSum } from "./segment-sum.ts";
export {
	type OpenState,
	openState,
	type StateSegment,
	StateWriter,
} from "./state.ts";
export {
	compareSettings,
	type StateSettings,
	settingsOf,
} from "./state-codec.ts";
export { offendersOf } from "./suggestions.ts";
export type { Segment } from "./totals.ts";
export { EvenSteps, Totals } from "./totals.ts";
export { Where } from "./where.ts";

/** Code that few audits need, loaded on demand. */
export const load = {
	csv: (): Promise<typeof import("./csv.ts")> => import("./csv.ts"),
	html: (): Promise<typeof import("./html.ts")> => import("./html.ts"),
	openMetrics: (): Promise<typeof import("./open-metrics.ts")> =>
		import("./open-metrics.ts"),
	rows: (): Promise<typeof import("./row-writer.ts")> =>
		import("./row-writer.ts"),
	rowsAsCsv: (): Promise<typeof import("./csv.ts")> => import("./csv.ts"),
	rowsAsJson: (): Promise<typeof import("./row-bytes.ts")> =>
		import("./row-bytes.ts"),
};
