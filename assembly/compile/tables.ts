/**
 * What stands in front of a part's code: its jump table and, for unanchored patterns, the prefilter. compile.ts begins each part here and
 * has its code emitted slot by slot. A table may let a position through that has no match, as its code decides; it must never hold back one
 * that has. match/path-spans.ts and bytes/scan.ts read the tables.
 */
import { setBit } from "../bytes/numbers";
import {
	keyedPointer,
	keyOf,
	setKeyed,
	setPointer,
	sortSpread,
} from "../bytes/sort";
import { OP_STOP } from "../format/opcodes";
import {
	BYTE_SET_SIZE,
	FILTER_DEPTH,
	FILTER_SECOND,
	FILTER_SIZE,
	FILTER_THIRD,
	JUMP_SLOT_SIZE,
	KEY_BYTES,
	MAX_JUMP_BITS,
	MIN_JUMP_BITS,
} from "../format/program";
import { hashKey } from "../match/path-spans";
import { beginTree, emitTree } from "./emit";
import { Entry, entryAt, sortEntries } from "./entries";
import { addInstruction, instructionCount, Part } from "./instructions";

/** Bytes before the key of an entry: 1 for prefixes, after the "/", 0 for unanchored patterns. */
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
	// With a tag all of them share the key, so that comparing goes on after it; without, the slot is one of different keys.
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
		// The hash is a product with an odd number, modulo 2 ** 32: no two keys have the same.
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

/**
 * The tables of the prefilter (the idea is Hyperscan's "Teddy"). Needles are spread over eight bits. Needles of the same bit let
 * mixtures of their bytes through, so they should be alike.
 */

const BITS: u32 = 8;

/**
 * A group of needles. Costs are kept, since most merges leave most of them as they are.
 *
 *      0  u32  nibbles of first bytes: a bit for each low nibble; from bit 16 on, for each high nibble
 *      4  u32  low nibbles of second bytes
 *      8  u32  low nibbles of third bytes
 *     12  i32  cost of the group
 *     16  i32  cost of it and the next group as one
 */
@unmanaged
class Group {
	first: u32;
	second: u32;
	third: u32;
	cost: i32;
	costWithNext: i32;
}

const GROUP_SIZE: usize = offsetof<Group>();
/** Bytes of all nibbles, which are walked as a list where all bytes of a needle are alike. */
const NIBBLES_SIZE: usize = 12;
const MAX_GROUPS: u32 = 64;
const groups: usize = memory.data(64 * 20);

/**
 * Fills the tables. Neighbours in sorted order share their first bytes: the two neighbouring groups whose union costs least are
 * merged until there is one group for each bit. Groups of equal size let half as many positions again through.
 */
export function buildFilter(filter: usize, sorted: usize, count: u32): void {
	let prefixes: u32 = 0;
	for (let i: u32 = 0; i < count; i++) if (isNewPrefix(sorted, i)) prefixes++;
	const size = (prefixes + MAX_GROUPS - 1) / MAX_GROUPS;
	memory.fill(groups, 0, 64 * GROUP_SIZE);
	let index: u32 = 0;
	for (let i: u32 = 0; i < count; i++) {
		if (!isNewPrefix(sorted, i)) continue;
		addPrefix(groups + (index++ / size) * GROUP_SIZE, entryAt(sorted, i));
	}
	let left = (prefixes + size - 1) / size;
	if (left > BITS) setCosts(groups, groups + <usize>left * GROUP_SIZE);
	while (left > BITS) mergeNeighbours(left--);
	memory.fill(filter, 0, FILTER_SIZE);
	for (let bit: u32 = 0; bit < left; bit++) {
		const group = changetype<Group>(groups + bit * GROUP_SIZE);
		// The table for the high nibbles follows the one for the low ones.
		fillTable(filter, group.first, bit);
		fillTable(filter + FILTER_SECOND, group.second, bit);
		fillTable(filter + FILTER_THIRD, group.third, bit);
	}
}

function fillTable(table: usize, nibbles: u32, bit: u32): void {
	for (; nibbles; nibbles &= nibbles - 1) {
		const entry = table + <usize>ctz(nibbles);
		store<u8>(entry, <u32>load<u8>(entry) | (1 << bit));
	}
}

/** Whether the needle at `index` differs from the one before it in the bytes that the prefilter tests. */
function isNewPrefix(sorted: usize, index: u32): bool {
	if (index == 0) return true;
	const entry = entryAt(sorted, index);
	const previous = entryAt(sorted, index - 1);
	const length = min<u32>(entry.length, FILTER_DEPTH);
	return (
		length != min<u32>(previous.length, FILTER_DEPTH) ||
		memory.compare(entry.text, previous.text, length) != 0
	);
}

/** Adds the first bytes of a needle to a group. Bytes after a short needle may be anything. */
function addPrefix(group: usize, entry: Entry): void {
	for (let depth: u32 = 0; depth < <u32>FILTER_DEPTH; depth++, group += 4) {
		let nibbles: u32 = -1;
		if (depth < entry.length) {
			const byte: u32 = load<u8>(entry.text + depth);
			nibbles = (1 << (byte & 15)) | (0x10000 << (byte >> 4));
		}
		if (depth) nibbles &= 0xffff;
		store<u32>(group, load<u32>(group) | nibbles);
	}
}

/** Sets the costs of groups from one on; there is none from `end` on. */
function setCosts(from: usize, end: usize): void {
	for (; from < end; from += GROUP_SIZE) {
		const next = from + GROUP_SIZE;
		const group = changetype<Group>(from);
		group.cost = cost(from, from);
		if (next < end) group.costWithNext = cost(from, next);
	}
}

/** Makes one group of the two neighbours for which that lets least more through. */
function mergeNeighbours(count: u32): void {
	const last = groups + (<usize>count - 1) * GROUP_SIZE;
	let least = i32.MAX_VALUE;
	let best: usize = 0;
	for (let at = groups; at < last; at += GROUP_SIZE) {
		const group = changetype<Group>(at);
		const next = changetype<Group>(at + GROUP_SIZE);
		const more = group.costWithNext - group.cost - next.cost;
		if (more >= least) continue;
		least = more;
		best = at;
	}
	const next = best + GROUP_SIZE;
	for (let i: usize = 0; i < NIBBLES_SIZE; i += 4)
		store<u32>(best + i, load<u32>(best + i) | load<u32>(next + i));
	memory.copy(next, next + GROUP_SIZE, last - next);
	setCosts(
		max(best, groups + GROUP_SIZE) - GROUP_SIZE,
		min(next + GROUP_SIZE, last),
	);
}

/** How much two groups let through as one: the mixtures, high nibbles of small letters counting three times. */
function cost(a: usize, b: usize): i32 {
	const high = (load<u32>(a) | load<u32>(b)) >> 16;
	let product = <i32>(popcnt(high) + 2 * popcnt(high & 0xc0));
	for (let i: usize = 0; i < NIBBLES_SIZE; i += 4)
		product *= <i32>popcnt((load<u32>(a + i) | load<u32>(b + i)) & 0xffff);
	return product;
}
