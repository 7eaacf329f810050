import { authorityOf, hashOctets } from "./authority";
import { C_LENGTH } from "./compact";
import { marksOf } from "./compact-run";
import { MAX_U24 } from "./format";
import {
	allocateTight,
	load24,
	release,
	reserveMarks,
	store24,
} from "./memory";
import { equal } from "./scan";

/**
 * Origins and the program that each of them obeys, in two hash tables with open addressing and linear probing. Programs are
 * kept once for all origins that share them and counted.
 */

/** A slot of the origins' table: u32 hash, u32 origin (0: free). */
const ORIGIN_SLOT: usize = 8;
const SLOT_ORIGIN: usize = 4;
/** An origin: u32 program; u24 twice its octets, plus 1 where "https://" in front of them is left out; those. */
const ORIGIN_HEAD: usize = 7;
const ORIGIN_LENGTH: usize = 4;
const HTTPS_SIZE: usize = 8;
/** In front of a program: u32 hash, u32 origins that obey it. A slot of the programs' table is its address. */
const PROGRAM_HEAD: usize = 8;
const PROGRAM_SLOT: usize = 4;

const LEAST_SLOTS: u32 = 16;

export let slots: usize = 0;
/** Slots less one: a power of two less one. */
export let slotMask: u32 = 0;
export let originCount: u32 = 0;
let programSlots: usize = 0;
let programMask: u32 = 0;
export let programCount: u32 = 0;

/** Octets of memory in use for all this, what the allocator adds included, and the most that may be. */
export let usedSize: usize = 0;
let sizeLimit: usize = 0;
/** Octets that the last `setOrigin` lacked. */
export let lackedSize: usize = 0;
/** Octets of programs: of all, and of those that origins would have without sharing. */
export let programSize: u64 = 0;
export let unsharedSize: u64 = 0;

/** Octets that the allocator takes for a block of `size`: with its own head, rounded up to 16. */
function blockSize(size: usize): usize {
	return (size + 4 + 15) & ~15;
}

function take(size: usize): usize {
	const taken = blockSize(size);
	lackedSize = taken;
	if (usedSize + taken > sizeLimit || usedSize + taken < usedSize) return 0;
	const pointer = allocateTight(size);
	if (pointer) usedSize += taken;
	return pointer;
}

function giveBack(pointer: usize, size: usize): void {
	release(pointer);
	usedSize -= blockSize(size);
}

function slotAt(table: usize, index: u32): usize {
	return table + <usize>index * ORIGIN_SLOT;
}

/** Hash of an origin; `authority` is behind its "://" when its scheme is http or https, 0 for others. */
export function hashOrigin(origin: usize, authority: usize, end: usize): u32 {
	if (!authority) return hashOctets(origin, end);
	// http and https differ in the length of what is left out.
	return hashOctets(authority, end) ^ <u32>(authority - origin);
}

/** Octets in front of an origin that are not kept. */
function leftOut(origin: usize): usize {
	return authorityOf(origin) == origin + HTTPS_SIZE ? HTTPS_SIZE : 0;
}

/** The slot of an origin, or the free one where probing for it ends. */
function slotOf(hash: u32, origin: usize, length: usize): usize {
	const skipped = leftOut(origin);
	const size = length - skipped;
	const head = <u32>(size << 1) | <u32>(skipped >> 3);
	let index = hash & slotMask;
	while (true) {
		const slot = slotAt(slots, index);
		const known: usize = load<u32>(slot, SLOT_ORIGIN);
		if (
			!known ||
			(load<u32>(slot) == hash &&
				load24(known + ORIGIN_LENGTH) == head &&
				equal(known + ORIGIN_HEAD, origin + skipped, size))
		)
			return slot;
		index = (index + 1) & slotMask;
	}
}

/** The program of an origin, 0 when it is unknown. */
export function findOrigin(origin: usize, length: usize): usize {
	const hash = hashOrigin(origin, authorityOf(origin), origin + length);
	return programOf(hash, origin, length);
}

/** The same where the hash is known. */
export function programOf(hash: u32, origin: usize, length: usize): usize {
	const entry: usize = load<u32>(slotOf(hash, origin, length), SLOT_ORIGIN);
	return entry ? load<u32>(entry) : 0;
}

/** Looks origins up in the table of another instance, which shares its memory and changes nothing meanwhile. */
export function borrowOrigins(itsSlots: usize, itsMask: u32): void {
	slots = itsSlots;
	slotMask = itsMask;
}

/** An empty table; 0 when there is no room for it. */
function newTable(count: u32, slotSize: usize): usize {
	const size = <usize>count * slotSize;
	const table = take(size);
	if (table) memory.fill(table, 0, size);
	return table;
}

/** Makes the empty tables; false when they do not fit the limit, in octets. */
export function initialise(limit: usize): bool {
	sizeLimit = limit;
	slots = newTable(LEAST_SLOTS, ORIGIN_SLOT);
	programSlots = newTable(LEAST_SLOTS, PROGRAM_SLOT);
	slotMask = programMask = LEAST_SLOTS - 1;
	return slots != 0 && programSlots != 0;
}

/** Room for one more origin in a table that is at most three quarters full. */
function reserveOrigin(): bool {
	const count = slotMask + 1;
	if (originCount < (count >> 2) * 3) return true;
	const table = newTable(count << 1, ORIGIN_SLOT);
	if (!table) return false;
	const mask = (count << 1) - 1;
	for (let i: u32 = 0; i < count; i++) {
		const from = slotAt(slots, i);
		if (!load<u32>(from, SLOT_ORIGIN)) continue;
		let index = load<u32>(from) & mask;
		while (load<u32>(slotAt(table, index), SLOT_ORIGIN))
			index = (index + 1) & mask;
		memory.copy(slotAt(table, index), from, ORIGIN_SLOT);
	}
	giveBack(slots, <usize>count * ORIGIN_SLOT);
	slots = table;
	slotMask = mask;
	return true;
}

function programAt(index: u32): usize {
	return load<u32>(programSlots + <usize>index * PROGRAM_SLOT);
}

function setProgramAt(index: u32, program: usize): void {
	store<u32>(programSlots + <usize>index * PROGRAM_SLOT, <u32>program);
}

function programHash(program: usize): u32 {
	return load<u32>(program - PROGRAM_HEAD);
}

function lengthOf(program: usize): usize {
	return load<u32>(program, C_LENGTH);
}

function reserveProgram(): bool {
	const count = programMask + 1;
	if (programCount < (count >> 2) * 3) return true;
	const table = newTable(count << 1, PROGRAM_SLOT);
	if (!table) return false;
	const old = programSlots;
	programSlots = table;
	programMask = (count << 1) - 1;
	for (let i: u32 = 0; i < count; i++) {
		const program: usize = load<u32>(old + <usize>i * PROGRAM_SLOT);
		if (program) setProgramAt(freeIndex(programHash(program)), program);
	}
	giveBack(old, <usize>count * PROGRAM_SLOT);
	return true;
}

function freeIndex(hash: u32): u32 {
	let index = hash & programMask;
	while (programAt(index)) index = (index + 1) & programMask;
	return index;
}

/**
 * The kept program that is the same as `octets`, with one reference more, or a copy that is kept from now on. 0 when there is
 * no room.
 */
export function keepProgram(octets: usize): usize {
	const length = lengthOf(octets);
	const hash = hashOctets(octets, octets + length);
	for (let i = hash & programMask; programAt(i); i = (i + 1) & programMask) {
		const known = programAt(i);
		if (
			programHash(known) == hash &&
			lengthOf(known) == length &&
			equal(known, octets, length)
		) {
			countReference(known, 1);
			return known;
		}
	}
	if (!reserveProgram() || !reserveMarks(marksOf(octets))) return 0;
	const block = take(PROGRAM_HEAD + length);
	if (!block) return 0;
	const program = block + PROGRAM_HEAD;
	memory.copy(program, octets, length);
	store<u32>(block, hash);
	store<u32>(block, 0, 4);
	countReference(program, 1);
	setProgramAt(freeIndex(hash), program);
	programCount++;
	programSize += length;
	return program;
}

function countReference(program: usize, change: i32): i32 {
	const references = load<i32>(program - 4) + change;
	store<i32>(program - 4, references);
	unsharedSize += <i64>change * <i64>lengthOf(program);
	return references;
}

/** Takes back a reference; without any, a program goes. */
export function dropProgram(program: usize): void {
	if (countReference(program, -1)) return;
	let hole = programHash(program) & programMask;
	while (programAt(hole) != program) hole = (hole + 1) & programMask;
	// Those behind move up, so that probing meets no hole.
	for (
		let i = (hole + 1) & programMask;
		programAt(i);
		i = (i + 1) & programMask
	) {
		const home = programHash(programAt(i)) & programMask;
		if (((i - home) & programMask) < ((i - hole) & programMask)) continue;
		setProgramAt(hole, programAt(i));
		hole = i;
	}
	setProgramAt(hole, 0);
	programCount--;
	programSize -= lengthOf(program);
	giveBack(program - PROGRAM_HEAD, PROGRAM_HEAD + lengthOf(program));
}

/** Gives an origin a kept program. Returns false when there is no room; everything is then as it was. */
export function setOrigin(origin: usize, length: usize, program: usize): bool {
	if (!reserveOrigin()) return false;
	const end = origin + length;
	const hash = hashOrigin(origin, authorityOf(origin), end);
	const slot = slotOf(hash, origin, length);
	const known: usize = load<u32>(slot, SLOT_ORIGIN);
	if (known) {
		const previous: usize = load<u32>(known);
		store<u32>(known, <u32>program);
		countReference(program, 1);
		dropProgram(previous);
		return true;
	}
	const skipped = leftOut(origin);
	const size = length - skipped;
	const entry = size > <usize>MAX_U24 >> 1 ? 0 : take(ORIGIN_HEAD + size);
	if (!entry) return false;
	store<u32>(entry, <u32>program);
	store24(entry + ORIGIN_LENGTH, <u32>(size << 1) | <u32>(skipped >> 3));
	memory.copy(entry + ORIGIN_HEAD, origin + skipped, size);
	store<u32>(slot, hash);
	store<u32>(slot, <u32>entry, SLOT_ORIGIN);
	countReference(program, 1);
	originCount++;
	return true;
}

/** Forgets an origin; false when it was unknown. */
export function deleteOrigin(origin: usize, length: usize): bool {
	const hash = hashOrigin(origin, authorityOf(origin), origin + length);
	let hole = slotOf(hash, origin, length);
	const entry: usize = load<u32>(hole, SLOT_ORIGIN);
	if (!entry) return false;
	dropProgram(load<u32>(entry));
	giveBack(entry, ORIGIN_HEAD + length - leftOut(origin));
	originCount--;
	let holeIndex = <u32>((hole - slots) / ORIGIN_SLOT);
	for (let i = (holeIndex + 1) & slotMask; ; i = (i + 1) & slotMask) {
		const slot = slotAt(slots, i);
		if (!load<u32>(slot, SLOT_ORIGIN)) break;
		const home = load<u32>(slot) & slotMask;
		if (((i - home) & slotMask) < ((i - holeIndex) & slotMask)) continue;
		memory.copy(hole, slot, ORIGIN_SLOT);
		hole = slot;
		holeIndex = i;
	}
	memory.fill(hole, 0, ORIGIN_SLOT);
	return true;
}

/** The taken slot behind another (0: the first), 0 behind the last. */
export function nextSlot(slot: usize): usize {
	const end = slotAt(slots, slotMask) + ORIGIN_SLOT;
	for (
		slot = slot ? slot + ORIGIN_SLOT : slots;
		slot < end;
		slot += ORIGIN_SLOT
	) {
		if (load<u32>(slot, SLOT_ORIGIN)) return slot;
	}
	return 0;
}
