import {
	KEY_HASH,
	JUMP_SLOT_SIZE,
	JUMP_BITS,
	JUMP_SLOTS,
} from "../format/program";

/**
 * Hits: places where code is to run, as the heads of a program say. Lists of them are written without a branch, as whether a
 * position has code cannot be guessed.
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

/** u32 address of the record of the path, u32 offset of the code, u32 address in the path where it begins. */
export const HIT_SIZE: usize = 12;
export const HIT_RECORD: usize = 0;
export const HIT_CODE: usize = 4;
export const HIT_AT: usize = 8;

/** Hash of the KEY_BYTES bytes at `head`: the slot comes from its top, the tag from its low byte. */
export function hashKey(head: usize): u32 {
	return (load<u32>(head) & 0xffffff) * <u32>KEY_HASH;
}

/** Bytes of heads with their slots, in front of the byte set. */
export function slotsEnd(bits: u32): usize {
	return <usize>JUMP_SLOTS + ((<usize>JUMP_SLOT_SIZE) << bits);
}

/** How far a hash is shifted to the right for its slot's index. */
export function slotShift(heads: usize): u32 {
	return 32 - load<u32>(heads, JUMP_BITS);
}

/** The slot of a head's hash. */
function slotOf(heads: usize, hash: u32, shift: u32): u32 {
	return load<u32>(heads + ((hash >>> shift) << 2), JUMP_SLOTS);
}

/** Not 0 where all texts of a slot have another head. A single test: bits 1 to 7 must be the hash's where bit 0 says so. */
function differs(slot: u32, hash: u32): u32 {
	return (slot ^ hash) & (0 - (slot & 1)) & 254;
}

/** A bit for each byte that the short texts of the heads begin with. */
export function shortSet(heads: usize): usize {
	return heads + slotsEnd(load<u32>(heads, JUMP_BITS));
}

/** 1 where a short text may begin at `at`, else 0. */
function mayBeShort(set: usize, at: usize): u32 {
	const byte: u32 = load<u8>(at);
	return (<u32>load<u8>(set + (byte >> 3)) >> (byte & 7)) & 1;
}

/** Lists the code for the head at `at` if there is any; returns the list's end. `shift` is slotShift(heads). */
export function listHead(
	heads: usize,
	shift: u32,
	record: usize,
	at: usize,
	to: usize,
): usize {
	const hash = hashKey(at);
	const slot = slotOf(heads, hash, shift);
	store<u32>(to, <u32>record, HIT_RECORD);
	store<u32>(to, slot >> 8, HIT_CODE);
	store<u32>(to, <u32>at, HIT_AT);
	return to + (differs(slot, hash) ? 0 : HIT_SIZE);
}

/** As `listHead`, for the code for short texts, which is at offset `short`; `set` is shortSet(heads). */
export function listShort(
	set: usize,
	short: u32,
	record: usize,
	at: usize,
	to: usize,
): usize {
	store<u32>(to, <u32>record, HIT_RECORD);
	store<u32>(to, short, HIT_CODE);
	store<u32>(to, <u32>at, HIT_AT);
	return to + <usize>mayBeShort(set, at) * HIT_SIZE;
}
