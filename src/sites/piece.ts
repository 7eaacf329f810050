import type { SharedIndex } from "./shared-index.ts";

/** Lines that a worker is to judge. */
export interface Piece {
	readonly lines: Uint8Array;
	/** Number of the index that they are judged by. */
	readonly number: number;
	/** Indexes with smaller numbers are no longer needed. */
	readonly oldest: number;
	/** That index, for a worker that does not have it. */
	readonly shared?: SharedIndex | undefined;
}

/** What a worker answers that does not have the index. */
export const NO_INDEX = 1;
/** What it answers when a line is longer than it has room for. */
export const TOO_LONG = 2;

/** Verdicts for the lines of a piece, or why there are none. */
export type PieceAnswer = Uint8Array | typeof NO_INDEX | typeof TOO_LONG;
