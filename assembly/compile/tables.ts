/**
 * What stands in front of a part's code: its jump table and, for unanchored patterns, the prefilter. compile.ts begins each part here and
 * has its code emitted slot by slot. A table may let a position through that has no match, as its code decides; it must never hold back one
 * that has. match/path-spans.ts and bytes/scan.ts read the tables.
 */
import { setBit } from "../bytes/numbers";
import {
	beginSort,
	continueSort,
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
import {
	ALL_ENTRIES,
	beginSortEntries,
	comparedBytes,
	continueSortEntries,
	dropCovered,
	Entry,
	entryAt,
	FEW,
	MANY_PREFIXES,
	sortEntries,
} from "./entries";
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

/** What `continuePart` does next with the entries from `partAt` on. */
const SHORTS_FIRST: u32 = 0;
const SORT_HASHES: u32 = 1;
const SET_ORDER: u32 = 2;
const ADD_SHORTS: u32 = 3;
const SORT_GROUP: u32 = 4;
const DROP_COVERED: u32 = 5;
const EMIT: u32 = 6;
const FIND_SLOT: u32 = 7;
let phase: u32 = EMIT;
let partAt: u32 = 0;
let room: usize = 0;
let shorts: u32 = 0;
/** Of the entries in the order of their hashes: how many keys there are, and the last one's hash. */
let keys: u32 = 0;
let previous: u32 = 0;
/** It is not all done in one go. */
let isStep: bool = false;
/** The entries that share a slot, or the short ones: the first, how many, and how many are left. */
let group: usize = 0;
let groupSize: u32 = 0;
let groupKept: u32 = 0;
/** What sorting groups has taken in this step, in instructions. */
let sortedHere: u32 = 0;
/** The slot that is being filled, its tag and the end of its entries as far as they have been seen. */
let slot: u32 = 0;
let tag: u32 = 0;
let slotEnd: u32 = 0;

/**
 * Begins the jump table and the code of entries, in the order of their slots, short ones first; `continuePart` goes on. Entries of prefixes
 * share their first byte; `sorted` is their order afterwards. `spare` has SORT_SIZE bytes for each; slots and byte set go to `to`.
 */
export function beginPart(
	part: Part,
	sorted: usize,
	count: u32,
	spare: usize,
	to: usize,
	unanchored: bool,
): void {
	depth = unanchored ? 0 : 1;
	part.first = instructionCount();
	// Most positions lead to a slot without entries, whose code ends at once.
	addInstruction(OP_STOP, 0, 0);
	current = part;
	entries = sorted;
	entryCount = count;
	working = spare;
	room = to;
	isUnanchored = unanchored;
	phase = SHORTS_FIRST;
	partAt = 0;
	shorts = 0;
	keys = 0;
}

/** The end of a finished part's slots. */
export function partEnd(part: Part): usize {
	return part.slots + slotsSize(part.bits);
}

/** Goes over about `most` entries of the part that was begun, or adds as many instructions to its code; whether there is more. */
export function continuePart(most: u32): bool {
	isStep = most < ALL_ENTRIES;
	if (phase == EMIT) return emitSlots(most);
	const end = min(phase == ADD_SHORTS ? shorts : entryCount, partAt + most);
	if (phase == SHORTS_FIRST) {
		shortsFirst(partAt, end);
		if (nextPart(end, entryCount)) beginHashes(most);
	} else if (phase == SORT_HASHES) {
		if (!continueSort(most)) phase = SET_ORDER;
	} else if (phase == SET_ORDER) {
		setOrder(partAt, min(end, entryCount - shorts));
		if (nextPart(end, entryCount - shorts)) beginTable();
	} else if (phase == ADD_SHORTS) {
		for (let i = partAt; i < end; i++)
			addShort(current.shortSet, entryAt(entries, i));
		if (nextPart(end, shorts)) beginGroup(entries, shorts, depth);
	} else if (phase == SORT_GROUP) {
		if (!continueSortEntries(most)) endSort();
	} else if (phase == DROP_COVERED) {
		const to = min(groupSize, partAt + most);
		groupKept = dropCovered(group, partAt, to, groupKept);
		if (nextPart(to, groupSize)) endGroup();
	} else findSlot(most);
	return true;
}

/** Whether a phase has gone over all of its entries. */
function nextPart(end: u32, count: u32): bool {
	partAt = end;
	if (end < count) return false;
	partAt = 0;
	return true;
}

function beginHashes(most: u32): void {
	const count = entryCount - shorts;
	const spare = working + ((<usize>count) << 3);
	phase = SET_ORDER;
	if (count <= most) sortSpread(working, count, spare);
	else {
		beginSort(working, count, spare);
		phase = SORT_HASHES;
	}
}

function beginTable(): void {
	const bits = jumpBits(keys);
	current.bits = bits;
	current.shortSet = room;
	current.slots = room + BYTE_SET_SIZE;
	memory.fill(room, 0, BYTE_SET_SIZE + slotsSize(bits));
	current.short = shorts ? instructionCount() : 0;
	next = shorts;
	beginTree(entries, 0, depth, isUnanchored, working);
	phase = shorts ? ADD_SHORTS : EMIT;
}

/** Begins the code of entries that lie one after another in the part. */
function beginGroup(from: usize, size: u32, shared: u32): void {
	group = from;
	groupSize = size;
	groupKept = size;
	if (size > (isStep ? FEW : MANY_PREFIXES)) {
		beginSortEntries(from, size, working, shared);
		phase = SORT_GROUP;
		return;
	}
	if (isStep) sortedHere += comparedBytes(from, 0, size, shared);
	if (size > 1) sortEntries(from, size, working, shared);
	endGroup();
}

function endSort(): void {
	if (isUnanchored || groupSize <= MANY_PREFIXES) {
		endGroup();
		return;
	}
	phase = DROP_COVERED;
	groupKept = 0;
}

function endGroup(): void {
	beginTree(group, groupKept, depth, isUnanchored, working);
	phase = EMIT;
}

/** Adds about `most` instructions to the code of the part that was begun; whether there is more of the part. */
function emitSlots(most: u32): bool {
	const end = instructionCount() + most;
	sortedHere = 0;
	while (!emitTree(end)) {
		if (next == entryCount) {
			current.end = instructionCount();
			return false;
		}
		beginSlot(most);
		if (phase != EMIT || sortedHere > most) return true;
	}
	return true;
}

/** Begins to fill the slot of the next entry. */
function beginSlot(most: u32): void {
	const hash = entryAt(entries, next).hash;
	slot = slotOf(hash, current.bits);
	tag = (hash & 254) | 1;
	slotEnd = next + 1;
	findSlot(most);
}

/** Looks among `most` more entries for the end of those that share the slot, fills it, and begins their code. */
function findSlot(most: u32): void {
	const bits = current.bits;
	const hash = entryAt(entries, next).hash;
	const stop = min(entryCount, slotEnd + most);
	let end = slotEnd;
	for (; end < stop; end++) {
		const other = entryAt(entries, end).hash;
		if (slotOf(other, bits) != slot) break;
		if (other != hash) tag = 0;
	}
	slotEnd = end;
	if (end == stop && stop < entryCount) {
		phase = FIND_SLOT;
		return;
	}
	store<u32>(
		current.slots + ((<usize>slot) << 2),
		(instructionCount() << 8) | tag,
	);
	const first = entries + ((<usize>next) << 2);
	const size = end - next;
	next = end;
	phase = EMIT;
	beginGroup(first, size, tag ? depth + KEY_BYTES : depth);
}

/** Moves short entries to the front, and lists the others with the hashes of their keys. */
function shortsFirst(from: u32, to: u32): void {
	let count = shorts;
	for (let i = from; i < to; i++) {
		const entry = entryAt(entries, i);
		if (isShort(entry)) {
			setPointer(entries, count++, changetype<usize>(entry));
			continue;
		}
		const hash = hashKey(entry.text + depth);
		entry.hash = hash;
		setKeyed(working, i - count, hash, changetype<usize>(entry));
	}
	shorts = count;
}

/** Sets entries in the order of the list, after the short ones, and counts their keys. */
function setOrder(from: u32, to: u32): void {
	const sorted = entries + ((<usize>shorts) << 2);
	for (let i = from; i < to; i++) {
		// No two keys have the same hash.
		const hash = keyOf(working, i);
		if (i == 0 || hash != previous) keys++;
		previous = hash;
		setPointer(sorted, i, keyedPointer(working, i));
	}
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

/** The first bytes of needles that have been seen: how many there are of them, and of those in a group. */
let prefixes: u32 = 0;
let groupPrefixes: u32 = 0;
let prefixIndex: u32 = 0;

/** Fills the tables at once. */
export function buildFilter(filter: usize, sorted: usize, count: u32): void {
	beginFilter();
	countPrefixes(sorted, 0, count);
	groupNeedles(sorted, 0, count);
	endFilter(filter);
}

export function beginFilter(): void {
	prefixes = 0;
	prefixIndex = 0;
	memory.fill(groups, 0, 64 * GROUP_SIZE);
}

/** For all needles, before `groupNeedles`. */
export function countPrefixes(sorted: usize, from: u32, to: u32): void {
	for (let i = from; i < to; i++) if (isNewPrefix(sorted, i)) prefixes++;
	groupPrefixes = (prefixes + MAX_GROUPS - 1) / MAX_GROUPS;
}

export function groupNeedles(sorted: usize, from: u32, to: u32): void {
	for (let i = from; i < to; i++) {
		if (!isNewPrefix(sorted, i)) continue;
		const group = groups + (prefixIndex++ / groupPrefixes) * GROUP_SIZE;
		addPrefix(group, entryAt(sorted, i));
	}
}

/**
 * Fills the tables. Neighbours in sorted order share their first bytes: the two neighbouring groups whose union costs least are
 * merged until there is one group for each bit. Groups of equal size let half as many positions again through.
 */
export function endFilter(filter: usize): void {
	const size = groupPrefixes;
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
