/**
 * What the sections of a report's text share: names, numbers and times as they are shown, colours, and columns that line up in a terminal. Texts
 * from logs pass `printable`: they could drive the terminal.
 */

import stringWidth from "string-width";
import { printable } from "#robotrie/common/printable";
import type { CrawlerReport } from "../options/report.ts";
import { textOf } from "./html-parts.ts";
import { type TextReportOptions, WIDTH } from "./text-options.ts";

const CODES = { bold: [1, 22], dim: [2, 22], red: [31, 39], yellow: [33, 39] };

/** Colours a text, or leaves it as it is. */
export type Paint = (style: keyof typeof CODES, text: string) => string;

const plain: Paint = (_, text) => text;

const painted: Paint = (style, text) => {
	const [begin, end] = CODES[style];
	return `\x1b[${begin}m${text}\x1b[${end}m`;
};

/** What a text is made for: its options, with defaults. */
export type TextSettings = ReturnType<typeof settingsOf>;

export function settingsOf(options: TextReportOptions) {
	const { top = 25, width = WIDTH, colors, commandHints = false } = options;
	return { top, width, commandHints, paint: colors ? painted : plain };
}

/**
 * A crawler, and whether its addresses are its operator's. Other labels (an address, a header) come
 * from logs, too, so that every name passes `printable`.
 */
export function nameOf(crawler: Parameters<typeof textOf>[0]): string {
	return printable(textOf(crawler));
}

/** The same, cut to what a line has room for: a header may have thousands of characters. */
export function shortName(crawler: Parameters<typeof textOf>[0]): string {
	return fittedMiddle(nameOf(crawler), 40);
}

/** A percentage, rounded down: 100% means all. */
export function share(compliance: CrawlerReport["compliance"]): string {
	return compliance === null
		? "-"
		: `${(Math.floor(compliance * 10) / 10).toFixed(1)}%`;
}

/**
 * A text, cut to a width; what would be too short to read is left out. Under 12 characters a cut
 * text says nothing.
 */
export function cut(text: string, width: number): string {
	return width < 12 ? "" : fitted(text, width);
}

/** What a reader takes for a character, which may consist of several. */
const characters = new Intl.Segmenter("en", { granularity: "grapheme" });

/**
 * The most that is looked at of a text for each column it has: a header may have a million characters, and what finds whole ones takes 20 s
 * for 120,000, four times as long for twice as many.
 */
const LOOKED_AT = 20;

/** The columns that a text takes, up to a width. */
export function widthUpTo(text: string, width: number): number {
	if (text.length > LOOKED_AT * width) return width;
	return Math.min(widthOf(text), width);
}

/** Whether a text has to be cut. */
const isWider = (text: string, width: number): boolean =>
	widthUpTo(text, width + 1) > width;

/** A text that takes no more than some columns of a terminal. */
export function fitted(text: string, width: number): string {
	if (!isWider(text, width)) return text;
	return `${takenOf(beginningOf(text, width), width - 1).join("")}…`;
}

/** The same, but cut in the middle, as headers begin alike and differ at their end. */
export function fittedMiddle(text: string, width: number): string {
	if (!isWider(text, width)) return text;
	const right = Math.floor(width / 2);
	const end = text.slice(-LOOKED_AT * width).replace(/^\p{Surrogate}/u, "");
	const start = takenOf(beginningOf(text, width), width - 1 - right);
	const last = takenOf([...segmentsOf(end)].reverse(), right).reverse();
	return `${start.join("")}…${last.join("")}`;
}

/** What is looked at of a text: whole characters, also where half of one is left at the end. */
const beginningOf = (text: string, width: number) =>
	segmentsOf(text.slice(0, LOOKED_AT * width).replace(/\p{Surrogate}$/u, ""));

/** The first characters, as many as fit. */
function takenOf(all: Iterable<string>, width: number): string[] {
	const taken: string[] = [];
	let rest = width;
	for (const each of all) {
		rest -= widthOf(each);
		if (rest < 0) break;
		taken.push(each);
	}
	return taken;
}

function* segmentsOf(text: string): Generator<string> {
	for (const { segment } of characters.segment(text)) yield segment;
}

/** Breaks a sentence at blanks, so that it fits. */
export function wrapped(text: string, width = WIDTH): string {
	return text
		.replace(new RegExp(`(.{1,${width}})(?: +|$)`, "g"), "$1\n")
		.trimEnd();
}

/** How the columns of a table are laid out. */
export interface Columns {
	/** Columns from the left, and from `rest` on, whose texts begin at the left; the others end at the right. */
	readonly left: number;
	readonly rest?: number;
	/** The least widths of columns, without the blank after them. */
	readonly widths?: readonly number[];
}

/** Rows under a heading, in columns that are as wide as their widest text, a blank apart. */
export function columns(
	rows: readonly (readonly string[])[],
	{ left, rest = Number.POSITIVE_INFINITY, widths = [] }: Columns,
): string {
	const [head = []] = rows;
	const widest = head.map((_, at) =>
		rows.reduce(
			(most, row) => Math.max(most, widthOf(row[at] as string)),
			widths[at] ?? 0,
		),
	);
	return rows
		.map((row) =>
			row
				.map((text, at) => {
					const blanks = " ".repeat((widest[at] as number) - widthOf(text));
					return at < left || at >= rest ? text + blanks : blanks + text;
				})
				.join(" ")
				.trimEnd(),
		)
		.join("\n");
}

/** Columns of a terminal: Chinese characters and emoji take two, colours none. */
export function widthOf(text: string): number {
	return /^[ -~]*$/.test(text) ? text.length : stringWidth(text);
}
