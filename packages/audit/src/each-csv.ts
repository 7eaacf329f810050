import { stringify } from "csv-stringify/sync";
import type { Notation } from "./each-notation.ts";

const QUOTE = 0x22;
const COMMA = 0x2c;

export const csv: Notation = {
	before: () => ",",
	value: (value) => csvRow([value]),
	end: "\n",
	quote: "",
	isPlain: (byte) =>
		byte > 0x20 && byte < 0x7f && byte !== QUOTE && byte !== COMMA,
	isPlainFirst: (byte) => !"=+-@".includes(String.fromCharCode(byte)),
};

/** A row of CSV without its end. */
export function csvRow(values: readonly (string | number | null)[]): string {
	// A spreadsheet would run a text that begins with "=".
	return stringify([values.map(cell)], { eof: false, escape_formulas: true });
}

/**
 * A text as a cell of CSV has it. Anybody can send control characters in a header: they could drive the terminal that shows the file, and
 * an escape says as much. A line feed is not among them, as a cell may hold it.
 */
export function cell<Value>(value: Value): Value | string {
	if (typeof value !== "string") return value;
	return value.replace(
		/[^\P{Cc}\n]/gu,
		(byte) => `\\x${byte.charCodeAt(0).toString(16).padStart(2, "0")}`,
	);
}
