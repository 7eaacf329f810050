import { emitTree } from "./emit";
import { Entry, entryAt, sortBySlot } from "./entry";
import {
	HEAD_BYTES,
	HEADS_BITS,
	HEADS_SHORT,
	HEADS_SLOTS,
	MAX_HEAD_BITS,
	MIN_HEAD_BITS,
	BYTE_SET_SIZE,
	OP_STOP,
} from "../format/program";
import { hashKey, slotsEnd } from "../match/candidates";

/** Slot of the entries that are too short to have a head: in front of all others. */
const SHORT_SLOT: u32 = 0;

/** Bytes in front of the heads of the entries at hand: 1 in the prefix code, behind the "/", 0 in the literal code. */
let depth: u32 = 0;

function isShort(entry: Entry): bool {
	return entry.length < depth + HEAD_BYTES;
}

function hashOf(entry: Entry): u32 {
	return hashKey(entry.text + depth);
}

function slotOf(hash: u32, bits: u32): u32 {
	return hash >>> (32 - bits);
}

/** Most bytes that the heads of a number of entries take. */
export function headsSize(entries: u32): usize {
	return slotsEnd(headBits(entries)) + BYTE_SET_SIZE + 1;
}

/** Binary logarithm of the slots: two for each head, at least, keep most slots to one: paths with many wildcards take 3% less time than with one and a half. */
function headBits(heads: u32): u32 {
	let bits: u32 = MIN_HEAD_BITS;
	while (bits < <u32>MAX_HEAD_BITS && (<u32>2) << bits < heads * 4) bits++;
	return bits;
}

/**
 * Writes heads and code of sorted entries at `to` and returns the code's end. The entries share their first
 * `passed` bytes. They are sorted anew, short ones in front, then by slot. `spare` has SORT_SIZE bytes for each.
 */
export function emitHeads(
	program: usize,
	to: usize,
	sorted: usize,
	count: u32,
	spare: usize,
	passed: u32,
	floating: bool,
): usize {
	depth = passed;
	const heads = to;
	const bits = headBits(countHeads(sorted, count));
	let shorts: u32 = 0;
	for (let i: u32 = 0; i < count; i++) {
		const entry = entryAt(sorted, i);
		if (isShort(entry)) shorts++;
		entry.slot = isShort(entry) ? SHORT_SLOT : slotOf(hashOf(entry), bits) + 1;
	}
	sortBySlot(sorted, count, spare);
	const bytes = heads + slotsEnd(bits);
	to = bytes + (shorts ? <usize>BYTE_SET_SIZE : 0);
	// What most positions meet: a slot without texts, whose code ends at once.
	store<u8>(to, OP_STOP);
	const empty = ((<u32>(to++ - program)) << 8) | 1;
	for (let at = heads + HEADS_SLOTS; at < bytes; at += 4) store<u32>(at, empty);

	store<u32>(heads, bits, HEADS_BITS);
	store<u32>(heads, shorts ? <u32>(to - program) : 0, HEADS_SHORT);
	if (shorts) {
		memory.fill(bytes, 0, BYTE_SET_SIZE);
		for (let i: u32 = 0; i < shorts; i++) addShort(bytes, entryAt(sorted, i));
		to = emitTree(program, to, sorted, shorts, depth, floating, spare);
	}
	for (let first = shorts; first < count; ) {
		const hash = hashOf(entryAt(sorted, first));
		const slot = entryAt(sorted, first).slot;
		let tag = (hash & 254) | 1;
		let end = first;
		while (end < count && entryAt(sorted, end).slot == slot) {
			if (hashOf(entryAt(sorted, end)) != hash) tag = 0;
			end++;
		}
		const target = ((<u32>(to - program)) << 8) | tag;
		store<u32>(heads + ((<usize>slotOf(hash, bits)) << 2), target, HEADS_SLOTS);
		const group = sorted + ((<usize>first) << 2);
		to = emitTree(program, to, group, end - first, depth, floating, spare);
		first = end;
	}
	return to;
}

function countHeads(sorted: usize, count: u32): u32 {
	let heads: u32 = 0;
	let previous: u32 = 0;
	for (let i: u32 = 0; i < count; i++) {
		const entry = entryAt(sorted, i);
		if (isShort(entry)) continue;
		const hash = hashOf(entry);
		if (heads == 0 || hash != previous) heads++;
		previous = hash;
	}
	return heads;
}

function addShort(bytes: usize, entry: Entry): void {
	if (entry.length > depth) {
		setBit(bytes, load<u8>(entry.text + depth));
	} else {
		// "/$": what follows the path's "/" is its line end.
		setBit(bytes, 0x0a);
		setBit(bytes, 0x0d);
	}
}

function setBit(bits: usize, index: u32): void {
	const byte = bits + (index >> 3);
	store<u8>(byte, <u32>load<u8>(byte) | ((<u32>1) << (index & 7)));
}
