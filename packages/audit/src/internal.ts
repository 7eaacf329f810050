/** What the packages beside this one need of it; it changes without notice. */
export {
	formatFor,
	formatOfHead,
	HEAD,
	scanSettings,
	summaryOf,
} from "./audit.ts";
export { cutMiddle } from "./cut-middle.ts";
export type { EachRows } from "./each-bytes.ts";
export type { EachFormat } from "./each-notation.ts";
export type { RowWriter } from "./each-rows.ts";
export { EvenSteps } from "./even-steps.ts";
export { byTime, timeOfFirstLine } from "./first-time.ts";
export {
	fieldFormats,
	formatOfString,
	isFormatName,
	parseFields,
	tells,
} from "./formats.ts";
export { groupNoun } from "./group-noun.ts";
export { headerPatterns } from "./header-patterns.ts";
export { checkHosts, isHost } from "./hosts.ts";
export { STYLE } from "./html-style.ts";
export { reportOf } from "./make-report.ts";
export { packed, unpacked } from "./packed-counts.ts";
export { violationsOf } from "./report.ts";
export { type ReadingOptions, RuleBook } from "./rule-book.ts";
export type { ScanSettings } from "./scan-settings.ts";
export { LogScanner } from "./scanner.ts";
export type { Segment, SegmentData } from "./segment.ts";
export {
	type FormatSummary,
	type OpenState,
	openState,
	type StatePart,
	StateWriter,
} from "./state.ts";
export {
	compareSettings,
	type StateSettings,
	settingsOf,
} from "./state-settings.ts";
export { Totals } from "./totals.ts";
export { unjudged } from "./unjudged.ts";

/** What few reports need: its code is loaded then. */
export const load = {
	csv: (): Promise<typeof import("./csv.ts")> => import("./csv.ts"),
	html: (): Promise<typeof import("./html.ts")> => import("./html.ts"),
	rows: (): Promise<typeof import("./each-rows.ts")> =>
		import("./each-rows.ts"),
	rowsAsCsv: (): Promise<typeof import("./each-csv.ts")> =>
		import("./each-csv.ts"),
	rowsAsJson: (): Promise<typeof import("./each-notation.ts")> =>
		import("./each-notation.ts"),
};
