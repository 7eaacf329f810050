/**
 * The scanner's one hash table: interned texts, each with a number that its user gave it. log.ts interns headers and hosts, entries.ts
 * paths, program-table.ts the pairs that have a program.
 *
 *     slots    hash, address of an entry      8 bytes each, a power of two, at most half of them taken
 *     entries  length, value, text            concatenated, each from a multiple of 16 on
 *
 * Open addressing with linear probing. Invariant: a probe stops at the first free slot, so single texts are never removed; a table
 * that is full is emptied (`forget`) or doubled (`grow`). Slots are small and apart from the texts, so that the slots of very many
 * texts stay in the second-level cache. To look up many texts, take each step for all of them before the next one (`candidate`,
 * `touch`, `lookUp`): then the waits for memory overlap.
 *
 * The library's table of origins (assembly/sites/hash-table.ts) is another one: it removes items, grows a few items at a time under a
 * budget, and may be shared by threads. Its slots have no room for the hash that `candidate` compares without waiting for an entry.
 */
import { allocate, release } from "../../../assembly/bytes/memory";
import { equal } from "../../../assembly/bytes/scan";
import { hashBytesInline } from "../../../assembly/url/url";

/** A table: `open` allocates one, and `forget` empties it. */
@unmanaged
export class Interner {
	/** Address of the slots. */
	slots: usize;
	/** Slots less one. */
	mask: u32;
	count: u32;
	/** Address of the entries, bytes used and bytes allocated. */
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

/** The beginning of an entry; its text follows. */
@unmanaged
class Entry {
	length: u32;
	value: u32;
}

const SLOT_SIZE: usize = offsetof<Slot>();
const ENTRY_HEADER: usize = offsetof<Entry>();

/**
 * Allocates a table of at most 2 ** (bits - 1) texts with `room` bytes altogether, and releases what it had. False when there is no
 * memory; then the table stays as it was.
 */
export function open(table: Interner, bits: u32, room: usize): bool {
	const slots = allocate(SLOT_SIZE << (<usize>bits));
	const entries = allocate(room);
	if (!slots || !entries) {
		release(slots);
		release(entries);
		return false;
	}
	release(table.slots);
	release(table.entries);
	table.slots = slots;
	table.entries = entries;
	table.mask = ((<u32>1) << bits) - 1;
	table.room = room;
	forget(table);
	return true;
}

/** Forgets all texts. */
export function forget(table: Interner): void {
	memory.fill(table.slots, 0, (<usize>table.mask + 1) * SLOT_SIZE);
	table.count = 0;
	table.used = 0;
}

/**
 * The hash of a text. Its keys are secret: anybody can send headers and host names, and with a known hash could make them all collide.
 */
export function hashOf(from: usize, length: u32): u32 {
	return hashBytesInline(from, from + <usize>length);
}

/** See `probes`. */
let probeCount: u32 = 0;

/** Slots that look-ups probed after the first one, for tests. */
export function probes(): u32 {
	return probeCount;
}

/** The slot of an index, which may be beyond the last one: it wraps around. */
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

/** The differences of 64 bytes, ored. */
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

/** Whether an entry's text is this one. */
function holds(entry: usize, from: usize, length: u32): bool {
	return (
		changetype<Entry>(entry).length == length &&
		(length == 0 || same(entry + ENTRY_HEADER, from, length))
	);
}

/** The value of a text, 0 if it is not in the table; `likely` is its `candidate`. */
export function lookUp(
	table: Interner,
	likely: usize,
	hash: u32,
	from: usize,
	length: u32,
): u32 {
	const entry = entryOf(table, likely, hash, from, length);
	return entry ? valueOf(entry) : 0;
}

/** The value of an entry. */
export function valueOf(entry: usize): u32 {
	return changetype<Entry>(entry).value;
}

/** The same for the entry of a text. */
export function entryOf(
	table: Interner,
	likely: usize,
	hash: u32,
	from: usize,
	length: u32,
): usize {
	if (likely && holds(likely, from, length)) return likely;
	let index = hash;
	let slot = slotAt(table, index);
	while (slot.entry) {
		const entry: usize = slot.entry;
		if (slot.hash == hash && holds(entry, from, length)) return entry;
		slot = slotAt(table, ++index);
		probeCount++;
	}
	return 0;
}

/** Bytes of an entry whose text has this length. */
function sizeOf(length: u32): usize {
	return (ENTRY_HEADER + <usize>length + 15) & ~15;
}

/** Puts an entry into the first free slot for its hash. */
function link(table: Interner, entry: usize): void {
	const hash = hashOf(entry + ENTRY_HEADER, changetype<Entry>(entry).length);
	let index = hash;
	let slot = slotAt(table, index);
	while (slot.entry) slot = slotAt(table, ++index);
	slot.hash = hash;
	slot.entry = <u32>entry;
}

/** Adds a text that is not in the table yet; false when the table is full. */
export function enter(
	table: Interner,
	from: usize,
	length: u32,
	value: u32,
): bool {
	const size = sizeOf(length);
	if (table.count > table.mask >> 1 || table.used + size + TOUCHED > table.room)
		return false;
	const address = table.entries + table.used;
	const entry = changetype<Entry>(address);
	entry.length = length;
	entry.value = value;
	memory.copy(address + ENTRY_HEADER, from, length);
	link(table, address);
	table.count++;
	table.used += size;
	return true;
}

/** Doubles a table. Entries keep their order but not their addresses. False when there is no memory; then it stays as it was. */
export function grow(table: Interner): bool {
	const entries = table.entries;
	const used = table.used;
	const count = table.count;
	// Not to be released while they are copied.
	table.entries = 0;
	const bits = 33 - clz(table.mask);
	if (!open(table, bits, table.room << 1)) {
		table.entries = entries;
		return false;
	}
	memory.copy(table.entries, entries, used);
	release(entries);
	table.used = used;
	table.count = count;
	const end = table.entries + used;
	for (let at = table.entries; at < end; ) {
		link(table, at);
		at += sizeOf(changetype<Entry>(at).length);
	}
	return true;
}
