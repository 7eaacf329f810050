import { allocate } from "./memory";
import { equal } from "./scan";

/**
 * Tables of texts that come again and again, each with a number that the host gave it: open addressing, at most half
 * full. Texts are copied, as lines go; when there is no room left the host has all of them forgotten.
 */
@unmanaged
export class Interner {
	/** A hash, an address, a length and a value, u32 each; address 0 for a free slot. */
	slots: usize;
	mask: u32;
	count: u32;
	texts: usize;
	used: usize;
	room: usize;
}

const SLOT_SIZE: u32 = 16;

/** Sets up a table of at most 2 ** (bits - 1) texts with `room` octets altogether; false when there is no memory. */
export function open(table: Interner, bits: u32, room: usize): bool {
	const size = (<usize>SLOT_SIZE) << (<usize>bits);
	table.slots = allocate(size);
	table.texts = allocate(room);
	table.mask = ((<u32>1) << bits) - 1;
	table.room = room;
	if (!table.slots || !table.texts) return false;
	forget(table);
	return true;
}

export function forget(table: Interner): void {
	memory.fill(table.slots, 0, (<usize>table.mask + 1) * <usize>SLOT_SIZE);
	table.count = 0;
	table.used = 0;
}

const K1: u64 = 0x9e3779b97f4a7c15;
const K2: u64 = 0xc2b2ae3d27d4eb4f;

/** Two lanes, as one multiplication has to wait for the one before it. Reads whole words past the end. */
function hashOf(from: usize, length: u32): u32 {
	let a: u64 = length;
	let b: u64 = K2;
	const last = from + (<usize>length & ~15);
	for (; from < last; from += 16) {
		a = (a ^ load<u64>(from)) * K1;
		b = (b ^ load<u64>(from, 8)) * K2;
		a ^= a >> 32;
		b ^= b >> 29;
	}
	const rest: u64 = length & 15;
	if (rest > 8) {
		a = (a ^ load<u64>(from)) * K1;
		b = (b ^ (load<u64>(from, 8) << ((16 - rest) << 3))) * K2;
	} else if (rest) {
		a = (a ^ (load<u64>(from) << ((8 - rest) << 3))) * K1;
	}
	// The upper bits know of all octets, the lower ones, which choose the slot, only of some: fold them.
	a = ((a ^ (a >> 32)) + (b ^ (b >> 32))) * K2;
	return <u32>(a ^ (a >> 32));
}

/** The slot of a text, or the free one where it would go. */
export function slotOf(table: Interner, from: usize, length: u32): usize {
	const hash = hashOf(from, length);
	let index = hash & table.mask;
	let slot = table.slots + <usize>index * <usize>SLOT_SIZE;
	while (load<u32>(slot, 4) != 0) {
		if (
			load<u32>(slot) == hash &&
			load<u32>(slot, 8) == length &&
			(length == 0 || equal(load<u32>(slot, 4), from, length))
		)
			break;
		index = (index + 1) & table.mask;
		slot = table.slots + <usize>index * <usize>SLOT_SIZE;
	}
	return slot;
}

/** As slotOf, where the text is likely to be that of `last`, a slot of the table. */
export function slotNear(
	table: Interner,
	last: usize,
	from: usize,
	length: u32,
): usize {
	const text: usize = load<u32>(last, 4);
	if (
		text &&
		length &&
		load<u32>(last, 8) == length &&
		equal(text, from, length)
	)
		return last;
	return slotOf(table, from, length);
}

export function valueOf(slot: usize): u32 {
	return load<u32>(slot, 12);
}

/** Enters a text that is not there yet; false when the table has to be emptied first. */
export function enter(
	table: Interner,
	from: usize,
	length: u32,
	value: u32,
): bool {
	if (
		table.count > table.mask >> 1 ||
		table.used + <usize>length + 16 > table.room
	)
		return false;
	const slot = slotOf(table, from, length);
	const text = table.texts + table.used;
	memory.copy(text, from, length);
	store<u32>(slot, hashOf(from, length));
	store<u32>(slot, <u32>text, 4);
	store<u32>(slot, length, 8);
	store<u32>(slot, value, 12);
	table.count++;
	table.used += <usize>length;
	return true;
}
