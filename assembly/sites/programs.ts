/**
 * The programs of an index: equal ones are stored once, and count the origins that use them. origins.ts and snapshot.ts keep and drop
 * references; at the last one a program is freed. Programs here must be verified, since nothing checks them again.
 */
import { giveBack, take } from "../bytes/budget";
import { append, Buffer, reserveVisited } from "../bytes/memory";
import { load24 } from "../bytes/numbers";
import { equal } from "../bytes/scan";
import { C_LENGTH } from "../format/compact";
import { hashBytes } from "../url/url";
import { visitedBitsOf } from "./compact-run";
import {
	add,
	firstGroup,
	HashTable,
	isGrowing,
	isLike,
	itemAt,
	previousOf,
	remove,
	reserve,
	slotAfter,
	TABLE_HEAD,
} from "./hash-table";

/**
 * The item of a program in the table. Others hold the address of the program, which follows its item:
 *
 *     0  u32  references
 *     4  u32  hash
 *     8  u32  number
 *    12  program
 */
@unmanaged
class ProgramItem {
	/** Origins that use it. */
	references: u32;
	/** Kept, as hashing programs again was most of the time that growing the table took. */
	hash: u32;
	/** Less than `numberLimit`, and no other's while it is kept: snapshots count programs by it. */
	number: u32;
}

const ITEM_SIZE: usize = offsetof<ProgramItem>();

export const programs = changetype<HashTable>(memory.data(TABLE_HEAD));

let sharedBytes: u64 = 0;
let unsharedBytes: u64 = 0;

/** Bytes of all programs. */
export function programSize(): f64 {
	return <f64>sharedBytes;
}

/** Bytes of the programs if each origin had its own. */
export function unsharedSize(): f64 {
	return <f64>unsharedBytes;
}

function lengthOf(program: usize): usize {
	return load24(program + C_LENGTH);
}

let numbers: u32 = 0;

/** More than any program's number. */
export function numberLimit(): u32 {
	return numbers;
}

/** u32 numbers that were given back. */
const spareNumbers = changetype<Buffer>(memory.data(12, 4));

export function numberOf(program: usize): u32 {
	return changetype<ProgramItem>(program - ITEM_SIZE).number;
}

function takeNumber(): u32 {
	if (spareNumbers.end == spareNumbers.start) return numbers++;
	spareNumbers.end -= 4;
	return load<u32>(spareNumbers.end);
}

/** A number for whose return there is no memory is never used again. */
function giveNumberBack(number: u32): void {
	const at = append(spareNumbers, 4);
	if (at) store<u32>(at, number);
}

function hashOfItem(item: usize): u32 {
	return changetype<ProgramItem>(item).hash;
}

/** The stored program that is equal to `bytes`, or 0. */
function findProgram(bytes: usize, hash: u32): usize {
	const program = programIn(programs, bytes, hash);
	if (program || !isGrowing(programs)) return program;
	return programIn(previousOf(programs), bytes, hash);
}

function programIn(table: HashTable, bytes: usize, hash: u32): usize {
	let slot = firstGroup(table, hash);
	for (; load<u32>(slot); slot = slotAfter(table, slot)) {
		const program = itemAt(slot) + ITEM_SIZE;
		if (isLike(slot, hash) && isProgram(program, bytes)) return program;
	}
	return 0;
}

/** Whether two programs are equal. */
export function isProgram(program: usize, bytes: usize): bool {
	const length = lengthOf(bytes);
	return lengthOf(program) == length && equal(program, bytes, length);
}

/** Makes room in the table for more programs; false if there is none. */
export function reservePrograms(more: u32): bool {
	return reserve(programs, more, hashOfItem);
}

/**
 * Stores a copy of a program, or finds the equal one that is stored already, and adds a reference. 0 if there is no room.
 */
export function keepProgram(bytes: usize): usize {
	return keepHashed(bytes, hashBytes(bytes, bytes + lengthOf(bytes)));
}

/** The same for a program with this hash. */
export function keepHashed(bytes: usize, hash: u32): usize {
	const program = findProgram(bytes, hash);
	if (!program) return addProgram(bytes, hash);
	countReference(program, 1);
	return program;
}

/** The same for a program with this hash that need not be looked for. If an equal one is stored, both take memory. */
export function addProgram(bytes: usize, hash: u32): usize {
	const length = lengthOf(bytes);
	// Here and not when a path is matched: matching checks nothing, so no program may be stored whose visited set has no room.
	if (!reservePrograms(1) || !reserveVisited(visitedBitsOf(bytes))) return 0;
	const address = take(ITEM_SIZE + length);
	if (!address) return 0;
	const program = address + ITEM_SIZE;
	memory.copy(program, bytes, length);
	const item = changetype<ProgramItem>(address);
	item.references = 0;
	item.hash = hash;
	item.number = takeNumber();
	add(programs, address, hash);
	sharedBytes += length;
	countReference(program, 1);
	return program;
}

export function countReference(program: usize, change: i32): i32 {
	const item = changetype<ProgramItem>(program - ITEM_SIZE);
	const references = <i32>item.references + change;
	item.references = <u32>references;
	unsharedBytes += <i64>change * <i64>lengthOf(program);
	return references;
}

/** Removes a reference, such as the one that `keepProgram` gave; a program without any is freed. */
export function dropProgram(program: usize): void {
	if (countReference(program, -1)) return;
	const address = program - ITEM_SIZE;
	const length = lengthOf(program);
	remove(programs, address, hashOfItem(address), hashOfItem);
	sharedBytes -= length;
	giveNumberBack(numberOf(program));
	giveBack(address, ITEM_SIZE + length);
}
