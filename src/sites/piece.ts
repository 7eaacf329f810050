import { CHUNK, chunksOf } from "../common/chunks.ts";
import { Column } from "../common/column.ts";
import type { OriginTable } from "./origin-table.ts";
import type { SharedIndex } from "./shared-index.ts";

/** Lines; with offsets, rows of a column. */
export interface Text {
	readonly bytes: Uint8Array<ArrayBuffer>;
	readonly offsets?: Int32Array<ArrayBuffer>;
}

/** What a worker is to judge. */
export interface Piece extends Text {
	/** Number of the index that judges. */
	readonly number: number;
	/** Indexes with smaller numbers are no longer needed. */
	readonly oldest: number;
	/** That index, for a worker that does not have it. */
	readonly shared?: SharedIndex | undefined;
}

/** What a worker answers that does not have the index. */
export const NO_INDEX = 1;
/** What it answers when a line or row is longer than it has room for. */
export const TOO_LONG = 2;

/** Verdicts for the lines or rows of a piece, or why there are none. */
export type PieceAnswer = Uint8Array | typeof NO_INDEX | typeof TOO_LONG;

/** Judges lines or rows in a worker's workspace, which has room for a CHUNK. */
export function judgeText(
	table: OriginTable,
	{ bytes, offsets }: Text,
): Uint8Array | typeof TOO_LONG {
	if (offsets) {
		for (let row = 1; row < offsets.length; row++)
			if ((offsets[row] ?? 0) - (offsets[row - 1] ?? 0) > CHUNK)
				return TOO_LONG;
		return table.matchColumn(new Column("matchColumn", offsets, bytes));
	}
	for (const chunk of chunksOf(bytes, CHUNK))
		if (chunk.length > CHUNK) return TOO_LONG;
	return table.matchLines(bytes);
}
