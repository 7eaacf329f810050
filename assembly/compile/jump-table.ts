import { beginTree, emitTree } from "./emit";
import {
	keyedPointer,
	keyOf,
	setKeyed,
	setPointer,
	sortSpread,
} from "../bytes/sort";
import { Entry, entryAt, sortEntries } from "./entry";
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

/** Bytes before the key of an entry: 1 for prefixes, behind the "/", 0 for unanchored patterns. */
let depth: u32 = 0;

function isShort(entry: Entry): bool {
	return entry.length < depth + KEY_BYTES;
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

/** The part whose code is being added: its sorted entries, working memory, and the first entry whose code is still to come. */
let current: Part = changetype<Part>(0);
let entries: usize = 0;
let entryCount: u32 = 0;
let working: usize = 0;
let isUnanchored: bool = false;
let next: u32 = 0;

/**
 * Makes the jump table and the code of entries, in the order of their slots, short ones first. Entries of prefixes share their first
 * byte; `sorted` is their order afterwards. `spare` has SORT_SIZE bytes for each; slots and byte set go to `room`, whose rest is
 * returned. The code comes by `emitSlots`.
 */
export function beginPart(
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
	const shorts = shortsFirst(sorted, count, spare);
	const bits = jumpBits(
		sortByHash(sorted + ((<usize>shorts) << 2), count - shorts, spare),
	);
	part.bits = bits;
	part.shortSet = room;
	part.slots = room + BYTE_SET_SIZE;
	memory.fill(room, 0, BYTE_SET_SIZE + slotsSize(bits));
	part.short = shorts ? instructionCount() : 0;
	if (shorts) {
		for (let i: u32 = 0; i < shorts; i++)
			addShort(part.shortSet, entryAt(sorted, i));
		sortEntries(sorted, shorts, spare, depth);
		beginTree(sorted, shorts, depth, unanchored, spare);
	}
	current = part;
	entries = sorted;
	entryCount = count;
	working = spare;
	isUnanchored = unanchored;
	next = shorts;
	return part.slots + slotsSize(bits);
}

/** Adds about `most` instructions to the code of the part that was begun; whether there is more. */
export function emitSlots(most: u32): bool {
	const end = instructionCount() + most;
	while (!emitTree(end)) {
		if (next == entryCount) {
			current.end = instructionCount();
			return false;
		}
		beginSlot();
	}
	return true;
}

/** Fills the slot of the next entry, and begins the code of all entries that share it. */
function beginSlot(): void {
	const first = next;
	const bits = current.bits;
	const hash = entryAt(entries, first).hash;
	const slot = slotOf(hash, bits);
	let tag = (hash & 254) | 1;
	let end = first + 1;
	for (; end < entryCount; end++) {
		const other = entryAt(entries, end).hash;
		if (slotOf(other, bits) != slot) break;
		if (other != hash) tag = 0;
	}
	store<u32>(
		current.slots + ((<usize>slot) << 2),
		(instructionCount() << 8) | tag,
	);
	const group = entries + ((<usize>first) << 2);
	const size = end - first;
	if (size > 1)
		sortEntries(group, size, working, tag ? depth + KEY_BYTES : depth);
	beginTree(group, size, depth, isUnanchored, working);
	next = end;
}

/** Moves short entries to the front and returns how many there are; lists the others, with the hashes of their keys, at `list`. */
function shortsFirst(sorted: usize, count: u32, list: usize): u32 {
	let shorts: u32 = 0;
	for (let i: u32 = 0; i < count; i++) {
		const entry = entryAt(sorted, i);
		if (isShort(entry)) {
			setPointer(sorted, shorts++, changetype<usize>(entry));
			continue;
		}
		const hash = hashKey(entry.text + depth);
		entry.hash = hash;
		setKeyed(list, i - shorts, hash, changetype<usize>(entry));
	}
	return shorts;
}

/** Sorts the list of entries with their hashes at `list`, which goes to `sorted`; returns how many keys they have. */
function sortByHash(sorted: usize, count: u32, list: usize): u32 {
	sortSpread(list, count, list + ((<usize>count) << 3));
	let keys: u32 = 0;
	let previous: u32 = 0;
	for (let i: u32 = 0; i < count; i++) {
		// No two keys have the same hash.
		const hash = keyOf(list, i);
		if (i == 0 || hash != previous) keys++;
		previous = hash;
		setPointer(sorted, i, keyedPointer(list, i));
	}
	return keys;
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
