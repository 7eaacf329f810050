/** What reports as text are made for: beside text.ts, which is loaded when a text is asked for. */

/** The columns of a terminal that every table fits. */
export const WIDTH = 80;

/** Options of `textReport`. */
export interface TextReportOptions {
	/** Most crawlers in the table. Default 25. */
	readonly top?: number | undefined;
	/** Columns of the terminal, from 80 on: wider ones show longer names and paths. Default 80. */
	readonly width?: number | undefined;
	/** With colours, as codes for terminals. Default false. */
	readonly colors?: boolean | undefined;
	/** With hints that name options of `robotrie audit`. Default false. */
	readonly commandHints?: boolean | undefined;
}

/** Options of `textComparison`. */
export type TextComparisonOptions = Pick<
	TextReportOptions,
	"top" | "commandHints"
>;
