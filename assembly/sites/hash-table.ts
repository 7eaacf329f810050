/**
 * The hash table of origins and of programs (origins.ts, programs.ts), with open addressing and linear probing. A slot is a u32, 0 if free:
 * the address of an item, a multiple of 16, with the top four bits of its hash (the tag) in place of the zeros. Probing begins at a
 * multiple of four slots, which are compared at once. Invariant: a probe stops at the first free slot.
 *
 * A table that is full gets twice the slots, but its items move there a few at a time: each call that adds an item moves some, and so do
 * look-ups of whoever owns the table (`moveSome`). Until all have moved, the previous slots stay as they were, and look-ups that find
 * nothing go on there (`previousOf`), which takes them twice the time.
 *
 * In memory that threads share, one of them changes a table while others look items up. An item is in its slot or, while it moves, in two,
 * at any time until it is removed; a removed one leaves a mark, as moving the items after it up would hide them for a moment. Both slots of
 * a table are published by one store (`publish`).
 *
 * Two other places look texts up by hash, each for a reason. The audit's table of texts (packages/audit/assembly/interner.ts) never removes
 * one, belongs to one thread, and has room for a whole hash in a slot, so that batches of look-ups compare it without waiting for an item.
 * A program's jump table is written once, by the compiler, and its slots hold code.
 */
import { giveBack, take } from "../bytes/budget";

const SLOT: usize = 4;
const TAG: u32 = 15;
const LEAST_SLOTS: u32 = 16;
/** Slots compared at once. */
const GROUP: u32 = 4;
/** In the previous slots, and in all of a shared table: what was removed. No item lies at address 0, and memory there is zero. */
const REMOVED: u32 = 1;
/**
 * Slots whose items move when one is added. With two all would have moved when the table is full again; with 8 an index that had just grown
 * was slow until it had a sixth more items, with 64 until it has a fiftieth more.
 */
const STEP: u32 = 64;

@unmanaged
export class HashTable {
	slots: usize;
	/** Slots less one: a power of two less one. */
	mask: u32;
	/** Items, those that have not moved included. */
	count: u32;
	/** Slots of removed items. */
	removed: u32;
}

/** After a table's head comes that of its previous slots, if there are any, where `count` are those whose items have moved. */
const HEAD_SIZE: usize = offsetof<HashTable>();
export const TABLE_HEAD: i32 = 32;

/** The slots of a table whose items have not all moved. */
export function previousOf(table: HashTable): HashTable {
	return changetype<HashTable>(changetype<usize>(table) + HEAD_SIZE);
}

export function isGrowing(table: HashTable): bool {
	return previousOf(table).slots != 0;
}

function slotAt(table: HashTable, index: u32): usize {
	return table.slots + <usize>index * SLOT;
}

/** Index of the first slot where an item with this hash may be. */
function home(table: HashTable, hash: u32): u32 {
	return hash & table.mask & ~(GROUP - 1);
}

export function firstGroup(table: HashTable, hash: u32): usize {
	return slotAt(table, home(table, hash));
}

export function nextGroup(table: HashTable, group: usize): usize {
	return orFirst(table, group + SLOT * GROUP);
}

export function slotAfter(table: HashTable, slot: usize): usize {
	return orFirst(table, slot + SLOT);
}

function orFirst(table: HashTable, slot: usize): usize {
	return slot == slotAt(table, table.mask + 1) ? table.slots : slot;
}

/**
 * A bit for each slot of a group whose tag is that of a hash. Free slots may be among them, like an item at address 0; the memory
 * there is zero, so that no lookup matches it.
 */
export function likeIn(group: usize, hash: u32): u32 {
	const tags = v128.and(v128.load(group), i32x4.splat(TAG));
	return i32x4.bitmask(i32x4.eq(tags, i32x4.splat(hash >>> 28)));
}

/** The same for one slot. */
export function isLike(slot: usize, hash: u32): bool {
	return (load<u32>(slot) & TAG) == hash >>> 28;
}

/** The item of the first slot in such a set, which is not empty. */
export function itemIn(group: usize, like: u32): usize {
	return itemAt(group + ((<usize>ctz(like)) << 2));
}

export function itemAt(slot: usize): usize {
	return load<u32>(slot) & ~TAG;
}

/** The same for a set that may be empty, without a branch: then 0. */
export function firstItem(group: usize, like: u32): usize {
	// The slot after the group, if there is none in it.
	const item = itemIn(group, like | (1 << GROUP));
	return like ? item : 0;
}

/** Whether probing ends in a group. */
export function hasFree(group: usize): bool {
	// Slots fill up from the first one on.
	return load<u32>(group + SLOT * (GROUP - 1)) == 0;
}

/** Makes a table empty; false when there is no room. */
export function initialise(table: HashTable): bool {
	table.mask = LEAST_SLOTS - 1;
	table.slots = newSlots(LEAST_SLOTS);
	table.removed = 0;
	previousOf(table).slots = 0;
	return table.slots != 0;
}

function slotsSize(table: HashTable): usize {
	return (<usize>table.mask + 1) * SLOT;
}

/** In shared memory the mask of slots stands in front of them, for threads that know their address alone. */
const SLOTS_HEADER: usize = ASC_FEATURE_THREADS ? 16 : 0;

function newSlots(count: u32): usize {
	const size = <usize>count * SLOT;
	const block = take(size + SLOTS_HEADER);
	if (!block) return 0;
	const slots = block + SLOTS_HEADER;
	if (ASC_FEATURE_THREADS) store<u32>(block, count - 1);
	// Memory that was given back is not zero, and 0 is what ends a probe.
	memory.fill(slots, 0, size);
	return slots;
}

function giveSlotsBack(table: HashTable): void {
	giveBack(table.slots - SLOTS_HEADER, slotsSize(table) + SLOTS_HEADER);
}

/** Lets other threads see a table's slots: u64 at `to`, the address of the slots and, above, of the previous ones. */
export function publish(table: HashTable, to: usize): void {
	const previous = <u64>previousOf(table).slots;
	atomic.store<u64>(to, (previous << 32) | <u64>table.slots);
}

/** Makes a table one that looks items up in what was published. */
export function readPublished(table: HashTable, from: usize): void {
	const slots = atomic.load<u64>(from);
	setSlots(table, <usize>(<u32>slots));
	setSlots(previousOf(table), <usize>(slots >> 32));
}

function setSlots(table: HashTable, slots: usize): void {
	table.slots = slots;
	table.mask = slots ? load<u32>(slots - SLOTS_HEADER) : 0;
}

/** More items than a table may have, whose slots would take half of all memory: the number of slots would overflow soon after. */
const TOO_MANY: u64 = 3 << 27;

/** Makes room for more items in a table that is at most three quarters full; false if there is none. */
export function reserve(
	table: HashTable,
	more: u32,
	hashOf: (item: usize) => u32,
): bool {
	if (isGrowing(table)) moveItems(table, STEP, hashOf);
	if (<u64>table.count + more > TOO_MANY) return false;
	const size = table.mask + 1;
	let wanted = size;
	while (table.count + more > (wanted >> 2) * 3) wanted <<= 1;
	if (wanted == size) {
		if (table.count + table.removed + more <= (size >> 2) * 3) return true;
		// Few marks would soon be too many again.
		if (table.count + more > size >> 1) wanted <<= 1;
	}
	// There is room for one list of previous slots: the last growth has to be over before the next one begins.
	if (isGrowing(table)) moveItems(table, u32.MAX_VALUE, hashOf);
	const slots = newSlots(wanted);
	if (!slots) return false;
	const previous = previousOf(table);
	previous.slots = table.slots;
	previous.mask = table.mask;
	previous.count = 0;
	table.slots = slots;
	table.mask = wanted - 1;
	table.removed = 0;
	moveItems(table, table.count ? STEP : u32.MAX_VALUE, hashOf);
	return true;
}

/** Moves the items of so many previous slots, if there are any. For the owner of a table that no other thread reads. */
export function moveSome(
	table: HashTable,
	most: u32,
	hashOf: (item: usize) => u32,
): void {
	if (isGrowing(table)) moveItems(table, most, hashOf);
}

/** Moves the items of so many previous slots. */
function moveItems(
	table: HashTable,
	most: u32,
	hashOf: (item: usize) => u32,
): void {
	const previous = previousOf(table);
	let index = previous.count;
	const end = index + min(most, previous.mask + 1 - index);
	for (; index < end; index++) {
		const item = itemAt(slotAt(previous, index));
		if (item) put(table, item, hashOf(item));
	}
	previous.count = end;
	if (end <= previous.mask) return;
	giveSlotsBack(previous);
	previous.slots = 0;
}

/** Puts an item into the first slot for its hash that has none; there must be one. */
function put(table: HashTable, item: usize, hash: u32): void {
	let index = home(table, hash);
	while (itemAt(slotAt(table, index))) index = (index + 1) & table.mask;
	const slot = slotAt(table, index);
	// Not 0, and yet without an item: a mark, whose slot is used again.
	if (load<u32>(slot)) table.removed--;
	setSlot(slot, <u32>item | (hash >>> 28));
}

/** What was written to an item before is seen by a thread that sees it in its slot. */
function setSlot(slot: usize, value: u32): void {
	if (ASC_FEATURE_THREADS) atomic.store<u32>(slot, value);
	else store<u32>(slot, value);
}

/** Adds an item for which room was reserved. */
export function add(table: HashTable, item: usize, hash: u32): void {
	put(table, item, hash);
	table.count++;
}

/** Puts another item with the same hash in an item's place: at any time a thread finds one of the two. */
export function replace(
	table: HashTable,
	item: usize,
	by: usize,
	hash: u32,
): void {
	const value = <u32>by | (hash >>> 28);
	// Not added and then removed: adding may make the table grow, and whoever began to read before that sees the previous slots alone.
	if (isGrowing(table)) {
		const slot = slotOf(previousOf(table), item, hash);
		if (slot) setSlot(slot, value);
	}
	const slot = slotOf(table, item, hash);
	if (slot) setSlot(slot, value);
}

/** Frees the slot of an item that has this hash. */
export function remove(
	table: HashTable,
	item: usize,
	hash: u32,
	hashOf: (item: usize) => u32,
): void {
	table.count--;
	if (isGrowing(table)) {
		// A mark in any case: moving goes through these slots by their index, and an item that moved up would be left behind.
		const slot = slotOf(previousOf(table), item, hash);
		if (slot) setSlot(slot, REMOVED);
	}
	const slot = slotOf(table, item, hash);
	if (!slot) return;
	if (ASC_FEATURE_THREADS) {
		setSlot(slot, REMOVED);
		table.removed++;
	} else {
		free(table, slot, hashOf);
	}
}

/** The slot of an item, or 0. */
function slotOf(table: HashTable, item: usize, hash: u32): usize {
	let slot = firstGroup(table, hash);
	for (; load<u32>(slot); slot = slotAfter(table, slot)) {
		if (itemAt(slot) == item) return slot;
	}
	return 0;
}

function free(
	table: HashTable,
	slot: usize,
	hashOf: (item: usize) => u32,
): void {
	const mask = table.mask;
	let hole = <u32>((slot - table.slots) / SLOT);
	// The items after it move up: see the invariant.
	for (let i = (hole + 1) & mask; ; i = (i + 1) & mask) {
		const slot = load<u32>(slotAt(table, i));
		if (!slot) break;
		const from = home(table, hashOf(slot & ~TAG));
		if (((i - from) & mask) < ((i - hole) & mask)) continue;
		store<u32>(slotAt(table, hole), slot);
		hole = i;
	}
	store<u32>(slotAt(table, hole), 0);
}

/**
 * First slot and end of the slots that hold all items: those of the table and, if `previous`, those whose items have not moved. Items
 * are their addresses but for the four lowest bits; 0 is none.
 */
export function slotsFrom(table: HashTable, previous: bool): usize {
	if (!previous) return table.slots;
	const old = previousOf(table);
	return old.slots ? slotAt(old, old.count) : 0;
}

export function slotsEnd(table: HashTable, previous: bool): usize {
	const which = previous ? previousOf(table) : table;
	return which.slots ? which.slots + slotsSize(which) : 0;
}
