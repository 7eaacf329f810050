import { hashBytes } from "../url/authority";
import { giveBack, take } from "../bytes/budget";
import { C_LENGTH } from "../format/compact";
import { marksOf } from "./compact-run";
import {
	add,
	firstGroup,
	HashTable,
	isLike,
	itemAt,
	remove,
	reserve,
	slotBehind,
	TABLE_HEAD,
} from "./hash-table";
import { load24, reserveMarks } from "../bytes/memory";
import { equal } from "../bytes/scan";

/** The programs of an index, each kept once for all origins that obey it and counted. */

/** In front of a program: u32 origins that obey it. */
const PROGRAM_HEAD: usize = 4;

export const programs = changetype<HashTable>(memory.data(TABLE_HEAD));

/** Bytes of programs: of all, and of those that origins would have without sharing. */
export let programSize: u64 = 0;
export let unsharedSize: u64 = 0;

function lengthOf(program: usize): usize {
	return load24(program + C_LENGTH);
}

function hashOfItem(item: usize): u32 {
	const program = item + PROGRAM_HEAD;
	return hashBytes(program, program + lengthOf(program));
}

/** The kept program that is the same as `bytes`, or 0. */
function findProgram(bytes: usize, length: usize, hash: u32): usize {
	let slot = firstGroup(programs, hash);
	for (; load<u32>(slot); slot = slotBehind(programs, slot)) {
		const program = itemAt(slot) + PROGRAM_HEAD;
		if (
			isLike(slot, hash) &&
			lengthOf(program) == length &&
			equal(program, bytes, length)
		)
			return program;
	}
	return 0;
}

/** Makes room in the table for so many more; false when there is none. */
export function reservePrograms(more: u32): bool {
	return reserve(programs, more, hashOfItem);
}

/**
 * The kept program that is the same as `bytes`, with one reference more, or a copy that is kept from now on. 0 when there is
 * no room.
 */
export function keepProgram(bytes: usize): usize {
	const length = lengthOf(bytes);
	const hash = hashBytes(bytes, bytes + length);
	let program = findProgram(bytes, length, hash);
	if (!program) {
		if (!reservePrograms(1) || !reserveMarks(marksOf(bytes))) return 0;
		const item = take(PROGRAM_HEAD + length);
		if (!item) return 0;
		program = item + PROGRAM_HEAD;
		memory.copy(program, bytes, length);
		store<u32>(item, 0);
		add(programs, item, hash);
		programSize += length;
	}
	countReference(program, 1);
	return program;
}

export function countReference(program: usize, change: i32): i32 {
	const item = program - PROGRAM_HEAD;
	const references = load<i32>(item) + change;
	store<i32>(item, references);
	unsharedSize += <i64>change * <i64>lengthOf(program);
	return references;
}

/** Takes back a reference; without any, a program goes. */
export function dropProgram(program: usize): void {
	if (countReference(program, -1)) return;
	const item = program - PROGRAM_HEAD;
	const length = lengthOf(program);
	remove(programs, item, hashOfItem(item), hashOfItem);
	programSize -= length;
	giveBack(item, PROGRAM_HEAD + length);
}
