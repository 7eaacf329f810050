import {
	KEY_HASH,
	JUMP_SLOT_SIZE,
	JUMP_BITS,
	JUMP_SLOTS,
} from "../format/program";
import { load24 } from "../bytes/memory";

/**
 * Candidates: positions of a path where a program's jump table has code to run, which then decides. They are listed without a
 * branch, as a branch on whether a position has code would be mispredicted.
 */

/** Code to run at a position of a path. */
@unmanaged
export class Candidate {
	/** Address of the path's span. */
	span: u32;
	/** The code: its offset in the program, in an index its address. */
	code: u32;
	/** Address of the position. */
	at: u32;
}

/** Hash of the KEY_BYTES bytes at an address: the slot comes from its top bits, the tag from its low byte. */
export function hashKey(at: usize): u32 {
	return load24(at) * <u32>KEY_HASH;
}

/** Bytes of a jump table without the byte set. */
export function slotsEnd(bits: u32): usize {
	return <usize>JUMP_SLOTS + ((<usize>JUMP_SLOT_SIZE) << bits);
}

/** The shift that turns a hash into the index of its slot. */
export function slotShift(table: usize): u32 {
	return 32 - load<u32>(table, JUMP_BITS);
}

/** The slot of a hash. */
function slotOf(table: usize, hash: u32, shift: u32): u32 {
	return load<u32>(table + ((hash >>> shift) << 2), JUMP_SLOTS);
}

/** Not 0 if all entries of a slot have another key. One test: if bit 0 is set, bits 1 to 7 must be those of the hash. */
function differs(slot: u32, hash: u32): u32 {
	return (slot ^ hash) & (0 - (slot & 1)) & 254;
}

/** Address of the set of bytes that short entries begin with. */
export function shortSet(table: usize): usize {
	return table + slotsEnd(load<u32>(table, JUMP_BITS));
}

/** 1 if a short entry may begin at `at`, else 0. */
function mayBeShort(set: usize, at: usize): u32 {
	const byte: u32 = load<u8>(at);
	return (<u32>load<u8>(set + (byte >> 3)) >> (byte & 7)) & 1;
}

export function setCandidate(
	to: usize,
	span: usize,
	code: u32,
	at: usize,
): void {
	const candidate = changetype<Candidate>(to);
	candidate.span = <u32>span;
	candidate.code = code;
	candidate.at = <u32>at;
}

/** Lists the code for the key at `at`, if there is any; returns the end of the list. `shift` is `slotShift(table)`. */
export function listKey(
	table: usize,
	shift: u32,
	span: usize,
	at: usize,
	to: usize,
): usize {
	const hash = hashKey(at);
	const slot = slotOf(table, hash, shift);
	setCandidate(to, span, slot >> 8, at);
	return to + (differs(slot, hash) ? 0 : offsetof<Candidate>());
}

/** As `listKey`, for the code for short entries, which is at offset `short`; `set` is `shortSet(table)`. */
export function listShort(
	set: usize,
	short: u32,
	span: usize,
	at: usize,
	to: usize,
): usize {
	setCandidate(to, span, short, at);
	return to + <usize>mayBeShort(set, at) * offsetof<Candidate>();
}
