/**
 * The entry for the other packages of this repository (@robotrie/audit/internal): what the command line and the playground need besides the
 * public entry to scan with threads and to show reports. Not for users; it changes without notice.
 */

export { addressOf, type NetworkNames, prefixOf } from "./common/addresses.ts";
export {
	Calendar,
	calendarOf,
	everyNames,
	plainCalendar,
	zoneOf,
} from "./common/calendar.ts";
export type { EachRows } from "./common/row-bytes.ts";
export type { SegmentData } from "./count/packed-counts.ts";
export { packed, unpacked } from "./count/packed-counts.ts";
export type { RowWriter } from "./count/row-writer.ts";
export { SegmentSum } from "./count/segment-sum.ts";
export type { Segment } from "./count/totals.ts";
export { EvenSteps, Totals } from "./count/totals.ts";
export { Where } from "./count/where.ts";
export {
	fieldFormats,
	formatOfString,
	isFormatName,
	parseFields,
} from "./formats/formats.ts";
export {
	type FormatSummary,
	summaryOf,
	tells,
	withDirective,
} from "./formats/log-format.ts";
export { fieldsOf } from "./formats/records.ts";
export type { EachFormat, ScanSettings } from "./options/options.ts";
export { anonymizing, SHORTEST_KEY, scanSettings } from "./options/options.ts";
export { isAi, purposeNames } from "./options/purposes.ts";
export {
	dialectText,
	groupNoun,
	pagesOf,
	percent,
	unjudged,
	unusableSigns,
	violationsOf,
} from "./options/report.ts";
export {
	checkHosts,
	isHost,
	type ReadingOptions,
	RuleBook,
} from "./options/rule-book.ts";
export { reportOf } from "./report/make-report.ts";
export {
	byTime,
	type FormatAdvice,
	formatFor,
	formatOfHead,
	HEAD,
	timeOfFirstLine,
} from "./scan/detect.ts";
export {
	type DnsAnswer,
	RESOLVE_LIMITS,
	ResolvingAhead,
	ReverseDns,
} from "./scan/reverse-dns.ts";
export { LONGEST_LINE, LogScanner } from "./scan/scanner.ts";
export {
	headlineOf,
	isUnread,
	isUnverified,
	outcomesOf,
	unboundText,
} from "./show/headline.ts";
export { cutMiddle, STYLE, sizeText } from "./show/html-parts.ts";
export { offendersOf } from "./show/suggestions.ts";
export {
	type OpenState,
	openState,
	type StateSegment,
	StateWriter,
} from "./state/state.ts";
export {
	compareSettings,
	type StateSettings,
	settingsOf,
} from "./state/state-codec.ts";
export { headerPatterns } from "./who/agent-classes.ts";

/** Code that few audits need, loaded on demand. */
export const load = {
	csv: (): Promise<typeof import("./show/csv.ts")> => import("./show/csv.ts"),
	html: (): Promise<typeof import("./show/html.ts")> =>
		import("./show/html.ts"),
	openMetrics: (): Promise<typeof import("./show/open-metrics.ts")> =>
		import("./show/open-metrics.ts"),
	rows: (): Promise<typeof import("./count/row-writer.ts")> =>
		import("./count/row-writer.ts"),
	rowsAsCsv: (): Promise<typeof import("./show/csv.ts")> =>
		import("./show/csv.ts"),
	rowsAsJson: (): Promise<typeof import("./common/row-bytes.ts")> =>
		import("./common/row-bytes.ts"),
};
