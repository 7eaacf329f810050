/**
 * The entry for the other packages of this repository (@robotrie/audit/internal). Not for users; it changes without notice. It has more names
 * than any other: the command line still scans, keeps states and follows logs with the parts of an audit, and the page scans in a worker.
 */

// What `--state`, `--follow` and `merge` keep, add up and store; an audit of all logs at once needs none of it.
export { packed, unpacked } from "./count/packed-counts.ts";
export type { RowWriter } from "./count/row-writer.ts";
export { SegmentSum } from "./count/segment-sum.ts";
export type { Segment } from "./count/totals.ts";
export { Totals } from "./count/totals.ts";
export {
	type FormatSummary,
	summaryOf,
	tells,
	withDirective,
} from "./formats/log-format.ts";
export type { ScanSettings } from "./options/options.ts";
export { scanSettings } from "./options/options.ts";
// Files that are named by host, checked where they are chosen.
export {
	checkHosts,
	isHost,
	type ReadingOptions,
	RuleBook,
} from "./options/rule-book.ts";
export { reportOf } from "./report/make-report.ts";
// The first lines of logs, before any is read whole.
export {
	byTime,
	type FormatAdvice,
	formatFor,
	formatOfHead,
	HEAD,
	timeOfFirstLine,
} from "./scan/detect.ts";
// Look-ups ahead of the scan, which only a terminal that waits has.
export {
	type DnsAnswer,
	RESOLVE_LIMITS,
	ResolvingAhead,
	ReverseDns,
} from "./scan/reverse-dns.ts";
export { LONGEST_LINE, LogScanner } from "./scan/scanner.ts";
export {
	openState,
	type StateSegment,
	StateWriter,
} from "./state/state.ts";
export {
	compareSettings,
	settingsOf,
} from "./state/state-codec.ts";

/** Code that few audits need, loaded on demand. */
export const load = {
	rows: (): Promise<typeof import("./count/row-writer.ts")> =>
		import("./count/row-writer.ts"),
	rowsAsCsv: (): Promise<typeof import("./show/csv.ts")> =>
		import("./show/csv.ts"),
	rowsAsJson: (): Promise<typeof import("./common/row-bytes.ts")> =>
		import("./common/row-bytes.ts"),
};
