import { MAX_LINE } from "../../assembly/format/program.ts";
import { checkLength, chunksOf } from "../common/chunks.ts";
import type { Column } from "../common/column.ts";
import type { Text } from "./piece.ts";
import type { OwnTable } from "./shared-index.ts";

/** Bytes that a worker gets at once: a millisecond of work, against a message's 20 µs. */
const PIECE = 1024 * 1024;
/** Rows likewise. */
const ROWS = PIECE / 16;

/** A part of what a call judges. */
export interface Part {
	/** Copies of it, for a worker. */
	readonly copy: () => Text;
	/** Judges it here. */
	readonly judge: (table: OwnTable) => Uint8Array;
}

/** Lines in parts. */
export function* partsOfLines(bytes: Uint8Array): Generator<Part> {
	for (const lines of chunksOf(bytes, PIECE)) yield partOfLines(lines);
}

export function partOfLines(lines: Uint8Array): Part {
	const room = Math.min(lines.length, MAX_LINE);
	return {
		// The slice of a Buffer of Node would be a view.
		copy: () => ({ bytes: new Uint8Array(lines) }),
		judge: (table) =>
			table.withRoom(room).read((index) => index.matchLines(lines)),
	};
}

/** Rows of a column in parts; those that are null may get any verdict. @throws {RobotrieError} limit-exceeded, for a row that is too long. */
export function* partsOfColumn(column: Column): Generator<Part> {
	for (let first = 0; first < column.length; ) {
		const start = column.offset(first);
		let last = first + 1;
		while (
			last < column.length &&
			last - first < ROWS &&
			column.offset(last + 1) - start <= PIECE
		)
			last++;
		yield partOfColumn(column, first, last);
		first = last;
	}
}

export function partOfColumn(
	column: Column,
	first: number,
	last: number,
): Part {
	const rows = last - first;
	const start = column.offset(first);
	// A row that is null may be longer than any other.
	const isNull = rows === 1 && column.isNull(first);
	const size = isNull ? 0 : column.offset(last) - start;
	if (rows === 1) checkLength("a URL", size);
	return {
		copy() {
			const offsets = new Int32Array(rows + 1);
			for (let row = 1; row <= rows && !isNull; row++)
				offsets[row] = column.offset(first + row) - start;
			const bytes = column.between(start, start + size);
			return { bytes: new Uint8Array(bytes), offsets };
		},
		judge: (table) =>
			table
				.withRoom(size)
				.read((index) => index.matchColumn(column.slice(first, last))),
	};
}
