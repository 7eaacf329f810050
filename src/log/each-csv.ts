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
	return stringify([[...values]], { eof: false, escape_formulas: true });
}
