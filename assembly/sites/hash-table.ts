import { giveBack, take } from "../bytes/budget";

/**
 * Hash tables with open addressing and linear probing. A slot is a u32, 0 if free: the address of an item, a multiple of 16, with
 * the top four bits of its hash (the tag) in place of the zeros. Probing begins at a multiple of four slots, which are compared at
 * once. Invariant: a probe stops at the first free slot.
 */

const SLOT: usize = 4;
const TAG: u32 = 15;
const LEAST_SLOTS: u32 = 16;
/** Slots compared at once. */
const GROUP: u32 = 4;

@unmanaged
export class HashTable {
	slots: usize;
	/** Slots less one: a power of two less one. */
	mask: u32;
	count: u32;
}
export const TABLE_HEAD: i32 = 12;

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

export function slotBehind(table: HashTable, slot: usize): usize {
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
	if (ASC_FEATURE_SIMD) {
		const tags = v128.and(v128.load(group), i32x4.splat(TAG));
		return i32x4.bitmask(i32x4.eq(tags, i32x4.splat(hash >>> 28)));
	}
	let like: u32 = 0;
	for (let i: u32 = 0; i < GROUP; i++)
		like |= u32(isLike(group + <usize>i * SLOT, hash)) << i;
	return like;
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

/** Whether probing ends in a group. */
export function hasFree(group: usize): bool {
	// Slots fill up from the first one on.
	return load<u32>(group + SLOT * (GROUP - 1)) == 0;
}

/** Makes a table empty; false when there is no room. */
export function initialise(table: HashTable): bool {
	table.mask = LEAST_SLOTS - 1;
	table.slots = newSlots(LEAST_SLOTS);
	return table.slots != 0;
}

function newSlots(count: u32): usize {
	const size = <usize>count * SLOT;
	const slots = take(size);
	if (slots) memory.fill(slots, 0, size);
	return slots;
}

/** Makes room for more items in a table that is at most three quarters full; false if there is none. */
export function reserve(
	table: HashTable,
	more: u32,
	hashOf: (item: usize) => u32,
): bool {
	const old = table.slots;
	const count = table.mask + 1;
	let wanted = count;
	while (table.count + more > (wanted >> 2) * 3) wanted <<= 1;
	if (wanted == count) return true;
	const slots = newSlots(wanted);
	if (!slots) return false;
	table.slots = slots;
	table.mask = wanted - 1;
	for (let i: u32 = 0; i < count; i++) {
		const item = itemAt(old + <usize>i * SLOT);
		if (item) put(table, item, hashOf(item));
	}
	giveBack(old, <usize>count * SLOT);
	return true;
}

/** Puts an item into the first free slot for its hash; there must be one. */
function put(table: HashTable, item: usize, hash: u32): void {
	let index = home(table, hash);
	while (load<u32>(slotAt(table, index))) index = (index + 1) & table.mask;
	store<u32>(slotAt(table, index), <u32>item | (hash >>> 28));
}

/** Adds an item for which room was reserved. */
export function add(table: HashTable, item: usize, hash: u32): void {
	put(table, item, hash);
	table.count++;
}

/** Frees the slot of an item that has this hash. */
export function remove(
	table: HashTable,
	item: usize,
	hash: u32,
	hashOf: (item: usize) => u32,
): void {
	const mask = table.mask;
	let hole = home(table, hash);
	while (itemAt(slotAt(table, hole)) != item) hole = (hole + 1) & mask;
	// Items behind move up: see the invariant.
	for (let i = (hole + 1) & mask; ; i = (i + 1) & mask) {
		const slot = load<u32>(slotAt(table, i));
		if (!slot) break;
		const from = home(table, hashOf(slot & ~TAG));
		if (((i - from) & mask) < ((i - hole) & mask)) continue;
		store<u32>(slotAt(table, hole), slot);
		hole = i;
	}
	store<u32>(slotAt(table, hole), 0);
	table.count--;
}

/** The taken slot behind another (0: the first), 0 behind the last. */
export function nextSlot(table: HashTable, slot: usize): usize {
	const end = slotAt(table, table.mask + 1);
	for (slot = slot ? slot + SLOT : table.slots; slot < end; slot += SLOT) {
		if (load<u32>(slot)) return slot;
	}
	return 0;
}
