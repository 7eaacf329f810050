import {
	LINES_PADDING,
	MATCH_NO_MEMORY,
	VERDICT_ALLOWED,
	VERDICT_INVALID,
} from "../../assembly/format/program.ts";
import {
	checkLength,
	checkTextLength,
	deliver,
	fill,
	judgeInChunks,
	judgeTexts,
} from "../common/chunks.ts";
import type { Column } from "../common/column.ts";
import { judgeColumn } from "./columns.ts";
import { linear } from "./instance.ts";
import { outOfMemory } from "./linear-memory.ts";
import { type CacheSlot, load } from "./program-cache.ts";

/** Verifies bytes as a program: a VERIFY_ code. */
export function verify(program: Uint8Array): number {
	const pointer = linear.input(program.length);
	linear.bytes().set(program, pointer);
	const reason = linear.module.verify(pointer, program.length);
	if (reason < 0) throw outOfMemory(`a program of ${program.length} bytes`);
	return reason;
}

/** Verdict bytes, one per line of `bytes` (ended by LF or CRLF; the last line may lack it), in `into` if given. */
export function matchLines(
	program: Uint8Array,
	slot: CacheSlot,
	bytes: Uint8Array,
	into: Uint8Array | undefined,
): Uint8Array {
	return judgeInChunks(bytes, into, (chunk, size, part) => {
		const from = linear.input(chunkRoom(size));
		const address = load(program, slot);
		linear.bytes().set(chunk, from);
		const lines = matchInput(address, from, size);
		const to = verdictsAt(from, size);
		return deliver(linear.bytes(), to, to + lines, part);
	});
}

/** Verdict bytes, one per row of a column. */
export function matchColumn(
	program: Uint8Array,
	slot: CacheSlot,
	column: Column,
): Uint8Array {
	return judgeColumn(column, {
		linear,
		roomOf: chunkRoom,
		judgeLines(from, length, into) {
			const lines = matchInput(load(program, slot), from, length);
			const to = verdictsAt(from, length);
			return deliver(linear.bytes(), to, to + lines, into);
		},
		judgeOne: (row) =>
			verdictOf(matchPlaced(program, slot, place(row), row.length)),
	});
}

/** Bytes for a chunk of lines, padding and verdicts. */
function chunkRoom(length: number): number {
	return length + LINES_PADDING + length + 1;
}

/** Where the verdicts of a chunk are. */
function verdictsAt(from: number, length: number): number {
	return from + length + LINES_PADDING;
}

/** Judges a chunk; returns its lines. */
function matchInput(address: number, from: number, length: number): number {
	const to = verdictsAt(from, length);
	const lines = linear.module.matchLines(address, from, length, to);
	if (lines < 0) throw outOfMemory(`an input of ${length} bytes`);
	return lines;
}

/** Verdict bytes, one per text, in `into` if given. */
export function matchMany(
	program: Uint8Array,
	slot: CacheSlot,
	texts: readonly string[],
	into: Uint8Array | undefined,
): Uint8Array {
	return judgeTexts(
		texts,
		into,
		(joined, some, part) => {
			const from = linear.input(chunkRoom(joined.length * 3));
			const address = load(program, slot);
			const length = linear.encodeInput(joined);
			const lines = matchInput(address, from, length);
			if (lines !== some.length) return false;
			fill(part, linear.bytes(), verdictsAt(from, length));
			return true;
		},
		(text) => verdictOf(matchOne(program, slot, text)),
	);
}

/** The verdict of what `matchOne` returns. */
function verdictOf(best: number): number {
	if (best === 0) return VERDICT_ALLOWED;
	return best < 0 ? VERDICT_INVALID : best & 1;
}

/**
 * The encoded rank of the rule that decides one text (rank * 2 + 1 for allow), 0 when there is none,
 * MATCH_INVALID when the text is not a URL.
 */
export function matchOne(
	program: Uint8Array,
	slot: CacheSlot,
	text: string,
): number {
	checkTextLength(text);
	const from = linear.input(text.length * 3);
	const address = load(program, slot);
	const length = linear.encodeInput(text);
	checkLength("a URL", length);
	const best = linear.module.matchOne(address, from, length);
	if (best <= MATCH_NO_MEMORY) throw outOfMemory(`a URL of ${length} bytes`);
	return best;
}

/**
 * Copies bytes to where `matchPlaced` reads them; returns their address, valid until the next use of the input region.
 * @throws {RobotrieError} limit-exceeded.
 */
export function place(bytes: Uint8Array): number {
	checkLength("a line", bytes.length);
	const from = linear.input(bytes.length);
	linear.bytes().set(bytes, from);
	return from;
}

/** As `matchOne`, for `length` placed bytes at an address. The byte behind them is overwritten. */
export function matchPlaced(
	program: Uint8Array,
	slot: CacheSlot,
	from: number,
	length: number,
): number {
	const best = linear.module.matchOne(load(program, slot), from, length);
	if (best <= MATCH_NO_MEMORY) throw outOfMemory(`a URL of ${length} bytes`);
	return best;
}
