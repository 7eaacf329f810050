import { emitTree } from "./emit";
import { Entry, entryAt, sortBySlot } from "./entry";
import { addInstruction, instructionCount, Part } from "./instructions";
import { OP_STOP } from "../format/opcodes";
import {
	BYTE_SET_SIZE,
	JUMP_SLOT_SIZE,
	KEY_BYTES,
	MAX_JUMP_BITS,
	MIN_JUMP_BITS,
} from "../format/program";
import { hashKey } from "../match/candidates";

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

/** Most bytes that the slots and the byte set of a number of entries take. */
export function jumpTableSize(entries: u32): usize {
	return slotsSize(jumpBits(entries)) + BYTE_SET_SIZE;
}

function slotsSize(bits: u32): usize {
	return (<usize>JUMP_SLOT_SIZE) << bits;
}

/** Binary logarithm of the number of slots. At least two slots for each key: paths with many wildcards take 3% less time than with one and a half. */
function jumpBits(table: u32): u32 {
	let bits: u32 = MIN_JUMP_BITS;
	while (bits < <u32>MAX_JUMP_BITS && (<u32>2) << bits < table * 4) bits++;
	return bits;
}

/**
 * Makes the jump table and the code of sorted entries. The entries of prefixes share their first byte. They are sorted again, short
 * ones first, then by slot. `spare` has SORT_SIZE bytes for each; slots and byte set go to `room`, whose rest is returned.
 */
export function emitPart(
	part: Part,
	sorted: usize,
	count: u32,
	spare: usize,
	room: usize,
	unanchored: bool,
): usize {
	depth = unanchored ? 0 : 1;
	part.first = instructionCount();
	// Most positions lead to a slot without entries, whose code ends at once.
	addInstruction(OP_STOP, 0, 0);
	const bits = jumpBits(countKeys(sorted, count));
	part.bits = bits;
	part.shortSet = room;
	part.slots = room + BYTE_SET_SIZE;
	memory.fill(room, 0, BYTE_SET_SIZE + slotsSize(bits));
	const shorts = setSlots(sorted, count, bits);
	// A table has fewer than four slots a key.
	if (count) sortBySlot(sorted, count, (1 << bits) + 1, spare);
	part.short = shorts ? instructionCount() : 0;
	if (shorts) {
		for (let i: u32 = 0; i < shorts; i++)
			addShort(part.shortSet, entryAt(sorted, i));
		emitTree(sorted, shorts, depth, unanchored, spare);
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
		store<u32>(
			part.slots + ((<usize>slotOf(hash, bits)) << 2),
			(instructionCount() << 8) | tag,
		);
		const group = sorted + ((<usize>first) << 2);
		emitTree(group, end - first, depth, unanchored, spare);
		first = end;
	}
	part.end = instructionCount();
	return part.slots + slotsSize(bits);
}

/** Sets the slots of entries; returns how many are short. */
function setSlots(sorted: usize, count: u32, bits: u32): u32 {
	let shorts: u32 = 0;
	for (let i: u32 = 0; i < count; i++) {
		const entry = entryAt(sorted, i);
		const short = isShort(entry);
		if (short) shorts++;
		entry.slot = short ? SHORT_SLOT : slotOf(hashOf(entry), bits) + 1;
	}
	return shorts;
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
