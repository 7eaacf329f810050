import { compareEntries, Entry, emitTree } from "./emit";
import {
	H_HEAD_BITS,
	H_SHORT,
	HEAD_OCTETS,
	HEADER_SIZE,
	MAX_HEAD_BITS,
	MIN_HEAD_BITS,
	OCTET_SET_SIZE,
	OP_STOP,
} from "./format";
import { hashHead, headTableEnd } from "./match";
import { pointerAt, sortPointers } from "./sort";

/** Slot of the entries that are too short to have a head: in front of all others. */
const SHORT_SLOT: u32 = 0;

function entryAt(sorted: usize, index: u32): Entry {
	return changetype<Entry>(pointerAt(sorted, index));
}

function isShort(entry: Entry): bool {
	return entry.length <= <u32>HEAD_OCTETS;
}

function hashOf(entry: Entry): u32 {
	return hashHead(entry.text + 1);
}

/** How many of the sorted entries come first for their lack of a head. */
let shortCount: u32 = 0;

/**
 * Sorts entries of the prefix code into the order of their code: short ones, then by slot. Leaves the head table's size
 * in the header; at least one and a half slots a head keep most slots to one head.
 */
export function arrangeHeads(
	program: usize,
	sorted: usize,
	count: u32,
	spare: usize,
): void {
	for (let i: u32 = 0; i < count; i++) entryAt(sorted, i).slot = 0;
	sortPointers(sorted, count, spare, compareEntries);
	let heads: u32 = 0;
	let previous: u32 = 0;
	shortCount = 0;
	for (let i: u32 = 0; i < count; i++) {
		const entry = entryAt(sorted, i);
		if (isShort(entry)) {
			shortCount++;
		} else {
			const hash = hashOf(entry);
			if (heads == 0 || hash != previous) heads++;
			previous = hash;
		}
	}
	const bits = headBits(heads);
	store<u8>(program, bits, H_HEAD_BITS);
	for (let i: u32 = 0; i < count; i++) {
		const entry = entryAt(sorted, i);
		entry.slot = isShort(entry) ? SHORT_SLOT : slotOf(hashOf(entry), bits) + 1;
	}
	sortPointers(sorted, count, spare, compareEntries);
}

/** Binary logarithm of the slots for a number of heads. */
export function headBits(heads: u32): u32 {
	let bits: u32 = MIN_HEAD_BITS;
	while (bits < <u32>MAX_HEAD_BITS && (<u32>2) << bits < heads * 3) bits++;
	return bits;
}

function slotOf(hash: u32, bits: u32): u32 {
	return hash >>> (32 - bits);
}

export function hasShort(): bool {
	return shortCount > 0;
}

/** Writes the code of arranged entries at `to`, fills octet set and head table, and returns the code's end. */
export function emitHeads(
	program: usize,
	to: usize,
	sorted: usize,
	count: u32,
	pending: usize,
): usize {
	const bits: u32 = load<u8>(program, H_HEAD_BITS);
	const table = program + HEADER_SIZE;
	const octets = program + headTableEnd(bits);
	// What most paths meet: a slot without patterns, whose code ends at once.
	store<u8>(to, OP_STOP);
	const empty = ((<u32>(to++ - program)) << 8) | 1;
	for (let at = table; at < octets; at += 4) store<u32>(at, empty);
	if (shortCount) {
		memory.fill(octets, 0, OCTET_SET_SIZE);
		for (let i: u32 = 0; i < shortCount; i++)
			addShort(octets, entryAt(sorted, i));
		store<u32>(program, <u32>(to - program), H_SHORT);
		to = emitTree(program, to, sorted, shortCount, 1, false, pending);
	}
	for (let first = shortCount; first < count; ) {
		const head = entryAt(sorted, first);
		const hash = hashOf(head);
		let tag = (hash & 254) | 1;
		let end = first;
		while (end < count && entryAt(sorted, end).slot == head.slot) {
			if (hashOf(entryAt(sorted, end)) != hash) tag = 0;
			end++;
		}
		const slot = ((<u32>(to - program)) << 8) | tag;
		store<u32>(table + ((<usize>slotOf(hash, bits)) << 2), slot);
		const group = sorted + ((<usize>first) << 2);
		to = emitTree(program, to, group, end - first, 1, false, pending);
		first = end;
	}
	return to;
}

function addShort(octets: usize, entry: Entry): void {
	if (entry.length > 1) {
		setBit(octets, load<u8>(entry.text + 1));
	} else {
		// "/$": what follows the path's "/" is its line end.
		setBit(octets, 0x0a);
		setBit(octets, 0x0d);
	}
}

function setBit(bits: usize, index: u32): void {
	const octet = bits + (index >> 3);
	store<u8>(octet, <u32>load<u8>(octet) | ((<u32>1) << (index & 7)));
}
