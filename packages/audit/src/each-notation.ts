export type EachFormat = "ndjson" | "csv";

/** How values are written. */
export interface Notation {
	/** In front of a column's value. */
	before(column: string): string;
	value(value: string | number | null): string;
	/** At the end of a row. */
	readonly end: string;
	/** Around a text of plain bytes. */
	readonly quote: string;
	/** What may stand in a text as it is; and at its beginning. */
	isPlain(byte: number): boolean;
	isPlainFirst(byte: number): boolean;
}

const QUOTE = 0x22;
const BACKSLASH = 0x5c;

export const ndjson: Notation = {
	before: (column) => `,"${column}":`,
	value: (value) => JSON.stringify(value),
	end: "}\n",
	quote: '"',
	isPlain: (byte) =>
		byte >= 0x20 && byte < 0x7f && byte !== QUOTE && byte !== BACKSLASH,
	isPlainFirst: () => true,
};
