import type { ColumnOffsets, ColumnOptions } from "../src/index.ts";

/** A row: a text, bytes, or null. */
export type ColumnRow = string | Uint8Array | null;

/** How rows are laid out. */
export interface Layout {
	/** Offsets of 64 bits. */
	readonly wide?: boolean;
	/** Bytes in front of the first row's. */
	readonly before?: number;
	/** Bits in front of the first row's; without them there is no bitmap. */
	readonly bitOffset?: number;
}

export type ColumnArguments = readonly [
	offsets: ColumnOffsets,
	bytes: Uint8Array,
	options: ColumnOptions,
];

/** What `matchColumn` takes for rows, made one at a time. A null has bytes, too: they do not count. */
export function columnOf(
	rows: readonly ColumnRow[],
	{ wide = false, before = 0, bitOffset }: Layout = {},
): ColumnArguments {
	const parts = rows.map((row) =>
		typeof row === "string"
			? new TextEncoder().encode(row)
			: (row ?? new TextEncoder().encode("null\n")),
	);
	const ends: number[] = [before];
	for (const part of parts) ends.push((ends.at(-1) ?? 0) + part.length);
	const bytes = Buffer.concat(
		[Buffer.alloc(before, "\n"), ...parts, "\n/a"].map((part) =>
			Buffer.from(part),
		),
	);
	const offsets = wide
		? BigInt64Array.from(ends, BigInt)
		: Int32Array.from(ends);
	if (bitOffset === undefined) return [offsets, bytes, {}];
	const validity = new Uint8Array(Math.ceil((bitOffset + rows.length) / 8));
	// The bits around are set where a wrong one would make a row null, and the other way round.
	for (let bit = 0; bit < validity.length * 8; bit++) {
		const row = rows[bit - bitOffset];
		const isSet = row === undefined ? bit % 2 === 0 : row !== null;
		if (isSet)
			validity[bit >> 3] = (validity[bit >> 3] ?? 0) | (1 << (bit & 7));
	}
	return [offsets, bytes, { validity, bitOffset }];
}

/** Layouts that every column is tried in. */
export const layouts: readonly Layout[] = [
	{},
	{ wide: true },
	{ before: 7, bitOffset: 0 },
	{ before: 64, bitOffset: 13, wide: true },
];
