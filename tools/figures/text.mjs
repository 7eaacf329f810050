// Texts with figures in them.
import { combined, Figure } from "./results.mjs";

/** A text that has figures, and where they come from. `missing` says what no stored result has. */
export class Text {
	constructor(text, sources = [], missing = []) {
		this.text = text;
		this.sources = sources;
		this.missing = missing;
	}
}

/**
 * A text with figures in it: strings, Texts and lists of them. It is empty if one of them is undefined, so that a row or a sentence
 * whose figure has not been measured yet is left out.
 */
export function say(strings, ...values) {
	const parts = values.flat();
	if (values.includes(undefined))
		return new Text("", [], [strings.join("…").replaceAll("\n", " ").trim()]);
	const shown = values.map((value) =>
		Array.isArray(value)
			? value.map((one) => one.text).join("")
			: value instanceof Text
				? value.text
				: String(value),
	);
	const texts = parts.filter((part) => part instanceof Text);
	return new Text(
		String.raw({ raw: strings }, ...shown),
		texts.flatMap(({ text, sources }) =>
			sources.map((source) =>
				source.includes(" <- ") ? source : `${text} <- ${source}`,
			),
		),
		texts.flatMap(({ missing }) => missing),
	);
}

/** A row of a table; empty if a cell has not been measured. */
export const row = (label, ...cells) =>
	cells.includes(undefined)
		? new Text("", [], [label])
		: say`| ${label} |${cells.map((cell) => say` ${cell} |`)}\n`;

/** A table; empty if it has no rows. */
export function table(labels, allRows) {
	const rows = allRows.flat();
	const head = `| ${labels.join(" | ")} |\n${"|---".repeat(labels.length)}|\n`;
	return rows.every(({ text }) => text === "")
		? say`${rows}`
		: say`${head}${rows}`;
}

/** A figure in a form of its own. */
export const shown = (figure, form) =>
	figure && new Text(form(figure.value), figure.sources);

const thousands = (value) => Math.round(value).toLocaleString("en-US");

/** Three digits or more, one behind the point below 100. */
export const plain = (value) =>
	value >= 1000
		? thousands(value)
		: value >= 100
			? value.toFixed(0)
			: value.toFixed(1);

/** Milliseconds of calls that may take microseconds. */
export const fine = (value) =>
	value < 0.01
		? value.toFixed(3)
		: value < 1
			? value.toFixed(2)
			: value < 10
				? value.toFixed(1)
				: thousands(value);

export const whole = thousands;
export const digits = (count) => (value) => value.toFixed(count);

/** "best (median)". */
export function pair(best, median, form = plain) {
	return best && median
		? new Text(`${form(best.value)} (${form(median.value)})`, [
				...best.sources,
				...median.sources,
			])
		: undefined;
}

/** "3 to 5", both rounded down; "3" if they are the same. Undefined where nothing has been measured. */
export function range(figures, form = (value) => String(Math.floor(value))) {
	const known = figures.filter((one) => one !== undefined);
	if (known.length === 0) return undefined;
	const values = known.map(({ value }) => value);
	const [low, high] = [Math.min(...values), Math.max(...values)].map(form);
	return new Text(
		low === high ? low : `${low} to ${high}`,
		known.flatMap(({ sources }) => sources),
	);
}

export const scaled = (figure, by) => combined([figure], (value) => value * by);

/** A number that a run of the benchmark did not measure but knows. */
export const known = (value, source) =>
	value === undefined ? undefined : new Figure(value, [source]);
