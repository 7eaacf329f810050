import { emitTree } from "./emit";
import { Entry, entryAt, sortBySlot } from "./entry";
import {
	KEY_BYTES,
	JUMP_BITS,
	JUMP_SHORT,
	JUMP_SLOTS,
	MAX_JUMP_BITS,
	MIN_JUMP_BITS,
	BYTE_SET_SIZE,
	OP_STOP,
} from "../format/program";
import { hashKey, slotsEnd } from "../match/candidates";

/** Slot of entries shorter than a key: before all others. */
const SHORT_SLOT: u32 = 0;

/** Bytes before the key of an entry: 1 for prefixes, behind the "/", 0 for unanchored patterns. */
let depth: u32 = 0;

function isShort(entry: Entry): bool {
	return entry.length < depth + KEY_BYTES;
}

function hashOf(entry: Entry): u32 {
	return hashKey(entry.text + depth);
}

function slotOf(hash: u32, bits: u32): u32 {
	return hash >>> (32 - bits);
}

/** Most bytes that the jump table of a number of entries takes. */
export function jumpTableSize(entries: u32): usize {
	return slotsEnd(jumpBits(entries)) + BYTE_SET_SIZE + 1;
}

/** Binary logarithm of the number of slots. At least two slots for each key: paths with many wildcards take 3% less time than with one and a half. */
function jumpBits(table: u32): u32 {
	let bits: u32 = MIN_JUMP_BITS;
	while (bits < <u32>MAX_JUMP_BITS && (<u32>2) << bits < table * 4) bits++;
	return bits;
}

/**
 * Writes the jump table and the code of sorted entries at `to` and returns the end of the code. They are sorted again, short ones first, then by slot. `spare` has SORT_SIZE bytes for each.
 */
export function emitJumpTable(
	program: usize,
	to: usize,
	sorted: usize,
	count: u32,
	spare: usize,
	unanchored: bool,
): usize {
	depth = unanchored ? 0 : 1;
	const table = to;
	const bits = jumpBits(countKeys(sorted, count));
	let shorts: u32 = 0;
	for (let i: u32 = 0; i < count; i++) {
		const entry = entryAt(sorted, i);
		if (isShort(entry)) shorts++;
		entry.slot = isShort(entry) ? SHORT_SLOT : slotOf(hashOf(entry), bits) + 1;
	}
	sortBySlot(sorted, count, spare);
	const bytes = table + slotsEnd(bits);
	to = bytes + (shorts ? <usize>BYTE_SET_SIZE : 0);
	// Most positions lead to a slot without entries, whose code ends at once.
	store<u8>(to, OP_STOP);
	const empty = ((<u32>(to++ - program)) << 8) | 1;
	for (let at = table + JUMP_SLOTS; at < bytes; at += 4) store<u32>(at, empty);

	store<u32>(table, bits, JUMP_BITS);
	store<u32>(table, shorts ? <u32>(to - program) : 0, JUMP_SHORT);
	if (shorts) {
		memory.fill(bytes, 0, BYTE_SET_SIZE);
		for (let i: u32 = 0; i < shorts; i++) addShort(bytes, entryAt(sorted, i));
		to = emitTree(program, to, sorted, shorts, depth, unanchored, spare);
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
		store<u32>(table + ((<usize>slotOf(hash, bits)) << 2), target, JUMP_SLOTS);
		const group = sorted + ((<usize>first) << 2);
		to = emitTree(program, to, group, end - first, depth, unanchored, spare);
		first = end;
	}
	return to;
}

function countKeys(sorted: usize, count: u32): u32 {
	let table: u32 = 0;
	let previous: u32 = 0;
	for (let i: u32 = 0; i < count; i++) {
		const entry = entryAt(sorted, i);
		if (isShort(entry)) continue;
		const hash = hashOf(entry);
		if (table == 0 || hash != previous) table++;
		previous = hash;
	}
	return table;
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
