/**
 * A program's jump tables as objects: for the disassembler, which marks the code that they lead to, and for the playground, which draws
 * them. The program was verified, so it can be read without checks.
 */
import {
	BYTE_SET_SIZE,
	FILTER_SIZE,
	H_BYTE_LENGTH,
	H_UNANCHORED,
	HEADER_SIZE,
	JUMP_BITS,
	JUMP_SHORT,
	JUMP_SLOT_SIZE,
	JUMP_SLOTS,
	KEY_BYTES,
	KEY_HASH,
} from "../../assembly/format/program.ts";

/** A slot with code of its own. */
export interface JumpSlot {
	readonly slot: number;
	/** Where its code begins, in bytes of the program. */
	readonly offset: number;
	/** Whether all its patterns have the same key: then a tag in the slot stops most paths that have another one. */
	readonly isTagged: boolean;
}

/** Offsets are bytes of the program. */
export interface JumpTable {
	/** What leads to its code: the path's first bytes, or bytes anywhere in it. */
	readonly part: "prefixes" | "unanchored";
	/** How many slots it has, a power of two. */
	readonly size: number;
	/** Those with code of their own, in their order. All others lead to the first instruction of the part, which ends the run. */
	readonly slots: readonly JumpSlot[];
	/** Patterns shorter than a key: their code, and the bytes that they begin with, in ascending order. */
	readonly short: {
		readonly offset: number;
		readonly bytes: readonly number[];
	} | null;
	/** The part's code, from its first instruction to behind its last one. */
	readonly from: number;
	/** See `from`. */
	readonly to: number;
}

/**
 * The jump table of the prefixes, and that of unanchored patterns if there are any.
 * @example
 * const [prefixes] = jumpTables(matcher.program);
 * for (const { slot, offset } of prefixes.slots) console.log(slot, offset);
 */
export function jumpTables(program: Uint8Array): readonly JumpTable[] {
	const view = viewOf(program);
	const length = view.getUint32(H_BYTE_LENGTH, true);
	const unanchored = view.getUint32(H_UNANCHORED, true);
	const prefixes = tableAt(view, "prefixes", HEADER_SIZE, unanchored || length);
	return unanchored === 0
		? [prefixes]
		: [prefixes, tableAt(view, "unanchored", unanchored + FILTER_SIZE, length)];
}

function viewOf({ buffer, byteOffset, length }: Uint8Array): DataView {
	return new DataView(buffer, byteOffset, length);
}

function tableAt(
	view: DataView,
	part: JumpTable["part"],
	table: number,
	to: number,
): JumpTable {
	const short = view.getUint32(table + JUMP_SHORT, true);
	const size = 1 << view.getUint32(table + JUMP_BITS, true);
	const slotsEnd = table + JUMP_SLOTS + size * JUMP_SLOT_SIZE;
	// A set of first bytes follows the slots only if there are short entries.
	const from = slotsEnd + (short ? BYTE_SET_SIZE : 0);
	const slots: JumpSlot[] = [];
	for (let slot = 0; slot < size; slot++) {
		const at = table + JUMP_SLOTS + slot * JUMP_SLOT_SIZE;
		const value = view.getUint32(at, true);
		const offset = value >>> 8;
		if (offset !== from)
			slots.push({ slot, offset, isTagged: (value & 1) !== 0 });
	}
	return {
		...{ part, size, slots, from, to },
		short: short ? { offset: short, bytes: bytesIn(view, slotsEnd) } : null,
	};
}

/** The bytes of the set at an offset. */
function bytesIn(view: DataView, set: number): readonly number[] {
	return Array.from({ length: 256 }, (_, byte) => byte).filter(
		(byte) => (view.getUint8(set + (byte >> 3)) >> (byte & 7)) & 1,
	);
}

/** How many bytes of a path are a key. */
export const keyBytes = KEY_BYTES;

/**
 * The slot, in a table of `size`, of the KEY_BYTES bytes that begin at `at`.
 * @example
 * const path = new TextEncoder().encode("/private/a.html");
 * const slot = slotOf(path, 1, 32); // which has the code of patterns that begin with /pri
 */
export function slotOf(bytes: Uint8Array, at: number, size: number): number {
	let key = 0;
	for (let i = 0; i < KEY_BYTES; i++) key |= (bytes[at + i] ?? 0) << (8 * i);
	// By the hash's upper bits, as many as the table's size has.
	return (Math.imul(key, KEY_HASH) >>> 0) >>> (Math.clz32(size) + 1);
}
