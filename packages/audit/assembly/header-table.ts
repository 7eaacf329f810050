import { allocate } from "../../../assembly/bytes/memory";
import { equal } from "../../../assembly/bytes/scan";
import { hashBytesInline } from "../../../assembly/url/authority";

/**
 * Interned texts (headers, hosts), each with a number that the host gave it: a hash table with open addressing, at most half full.
 * Texts are copied. When there is no room left the host empties the table.
 *
 * Slots are small and apart from the texts, so that the slots of very many texts stay in the second-level cache. To look up many
 * texts, take each step for all of them before the next one (`candidate`, `touch`, `lookUp`): then the waits for memory overlap.
 */
@unmanaged
export class Interner {
	/** Slots: a power of two. */
	slots: usize;
	mask: u32;
	count: u32;
	/** Entries: each an Entry and its text. */
	entries: usize;
	used: usize;
	room: usize;
}

/** A text's slot; its entry is 0 where the slot is free. */
@unmanaged
class Slot {
	hash: u32;
	entry: u32;
}

/** In front of a text. */
@unmanaged
class Entry {
	length: u32;
	value: u32;
}

const SLOT_SIZE: usize = offsetof<Slot>();
const ENTRY_HEADER: usize = offsetof<Entry>();

/** Sets up a table of at most 2 ** (bits - 1) texts with `room` bytes altogether; false when there is no memory. */
export function open(table: Interner, bits: u32, room: usize): bool {
	const size = SLOT_SIZE << (<usize>bits);
	table.slots = allocate(size);
	table.entries = allocate(room);
	table.mask = ((<u32>1) << bits) - 1;
	table.room = room;
	if (!table.slots || !table.entries) return false;
	forget(table);
	return true;
}

export function forget(table: Interner): void {
	memory.fill(table.slots, 0, (<usize>table.mask + 1) * SLOT_SIZE);
	table.count = 0;
	table.used = 0;
}

/**
 * The hash of a text. Its keys are secret: anybody can send headers and host names, and with a known hash could make them all fall
 * into one slot.
 */
export function hashOf(from: usize, length: u32): u32 {
	return hashBytesInline(from, from + <usize>length);
}

let probeCount: u32 = 0;

/** Slots that look-ups probed beyond the first one, for tests. */
export function probes(): u32 {
	return probeCount;
}

function slotAt(table: Interner, index: u32): Slot {
	return changetype<Slot>(
		table.slots + <usize>(index & table.mask) * SLOT_SIZE,
	);
}

/** The entry that a text with this hash is likely to have, or 0. */
export function candidate(table: Interner, hash: u32): usize {
	// Both fields in one load.
	const slot = load<u64>(changetype<usize>(slotAt(table, hash)));
	return <u32>slot == hash ? <usize>(slot >> 32) : 0;
}

/** Bytes from an entry on that `touch` may read. */
const TOUCHED: usize = 192;

/** Prefetches what `lookUp` will compare. The caller must use the sum, or the loads are optimised away. */
export function touch(entry: usize): u32 {
	return load<u32>(entry) + load<u32>(entry, 64) + load<u32>(entry, 128);
}

function differ64(a: usize, b: usize): v128 {
	return v128.or(
		v128.or(
			v128.xor(v128.load(a), v128.load(b)),
			v128.xor(v128.load(a, 16), v128.load(b, 16)),
		),
		v128.or(
			v128.xor(v128.load(a, 32), v128.load(b, 32)),
			v128.xor(v128.load(a, 48), v128.load(b, 48)),
		),
	);
}

/** As `equal`, for texts of which most have more than 64 bytes. */
function same(a: usize, b: usize, length: usize): bool {
	if (length >= 64) {
		const end = a + length - 64;
		for (; a < end; a += 64, b += 64)
			if (v128.any_true(differ64(a, b))) return false;
		const over = a - end;
		return !v128.any_true(differ64(a - over, b - over));
	}
	return equal(a, b, length);
}

function holds(entry: usize, from: usize, length: u32): bool {
	return (
		changetype<Entry>(entry).length == length &&
		(length == 0 || same(entry + ENTRY_HEADER, from, length))
	);
}

/** The value of a text, 0 for one that is not there; `likely` is its `candidate`. */
export function lookUp(
	table: Interner,
	likely: usize,
	hash: u32,
	from: usize,
	length: u32,
): u32 {
	if (likely && holds(likely, from, length))
		return changetype<Entry>(likely).value;
	let index = hash;
	let slot = slotAt(table, index);
	while (slot.entry) {
		const entry: usize = slot.entry;
		if (slot.hash == hash && holds(entry, from, length))
			return changetype<Entry>(entry).value;
		slot = slotAt(table, ++index);
		probeCount++;
	}
	return 0;
}

/** Enters a text that is not there yet; false when the table has to be emptied first. */
export function enter(
	table: Interner,
	from: usize,
	length: u32,
	value: u32,
): bool {
	const size = (ENTRY_HEADER + <usize>length + 15) & ~15;
	if (table.count > table.mask >> 1 || table.used + size + TOUCHED > table.room)
		return false;
	const hash = hashOf(from, length);
	let index = hash;
	let slot = slotAt(table, index);
	while (slot.entry) slot = slotAt(table, ++index);
	const address = table.entries + table.used;
	const entry = changetype<Entry>(address);
	entry.length = length;
	entry.value = value;
	memory.copy(address + ENTRY_HEADER, from, length);
	slot.hash = hash;
	slot.entry = <u32>address;
	table.count++;
	table.used += size;
	return true;
}
