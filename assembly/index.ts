/**
 * What the module offers to its host. Numbers go in and out; pointers are offsets in linear memory. Calls that take
 * memory may grow it, after which the host's views of it are stale.
 */
import {
	matchLines as matchLinesOf,
	matchOne as matchOneOf,
} from "./match/batch";
import { compileRules } from "./compile/compile";
import { H_BYTE_LENGTH, H_MARKS } from "./format/program";
import {
	allocate as allocateBlock,
	input as inputRegion,
	release as releaseBlock,
	reserveMarks as reserveMarkBits,
	reserveScratch,
	tables as tablesPointer,
} from "./bytes/memory";
import { countLines as countLinesOf } from "./bytes/scan";
import { bitsSize, verify as verifyProgram } from "./match/verify";

/** Where the byte-class tables go (format.ts: TABLE_COUNT of TABLE_SIZE bytes); the host writes them once. */
export function tables(): usize {
	return tablesPointer;
}

/**
 * A region of at least `size` bytes for the host to write to, 0 when there is no memory. It is the module's own and
 * stays until the next call, which may move it and lose what it held.
 */
export function input(size: usize): usize {
	return inputRegion(size);
}

/**
 * Compiles rules (format.ts: RULE_RECORD). Returns the program, which belongs to the caller until `release`; 0 when
 * memory cannot grow; 1 when the program would exceed MAX_U24 bytes. Afterwards `records` lists, as u32, the record of
 * each rank from 1 on.
 */
export function compile(
	text: usize,
	records: usize,
	count: u32,
	flags: u32,
): usize {
	return compileRules(text, records, count, flags);
}

/** `size` bytes for a program, the caller's until `release`; 0 when memory cannot grow. */
export function allocate(size: usize): usize {
	return allocateBlock(size);
}

/** Checks bytes that claim to be a program. Returns a VERIFY_ code, or -1 when memory cannot grow. */
export function verify(program: usize, length: usize): i32 {
	const size = bitsSize(length);
	const bits = allocateBlock(size);
	if (!bits) return -1;
	memory.fill(bits, 0, size);
	const reason = verifyProgram(program, length, bits);
	releaseBlock(bits);
	return <i32>reason;
}

/** Makes room for what matching a program keeps in mind; false when memory cannot grow. */
export function reserveMarks(program: usize): bool {
	return reserveMarkBits(load<u32>(program, H_MARKS));
}

/** Bytes of a program. */
export function programLength(program: usize): u32 {
	return load<u32>(program, H_BYTE_LENGTH);
}

/** Gives back a program. */
export function release(program: usize): void {
	releaseBlock(program);
}

/**
 * Judges the lines of [from, from + length), which lie in the input region; verdict bytes go to `to`, room for
 * length + 1 of them. Returns the number of lines, or -1 when memory cannot grow.
 */
export function matchLines(
	program: usize,
	from: usize,
	length: usize,
	to: usize,
): i32 {
	if (!reserveScratch(length)) return -1;
	return <i32>matchLinesOf(program, from, length, to);
}

/**
 * Judges one text in the input region. Returns its deciding rule's rank * 2 + (1 for allow), 0 for none,
 * MATCH_INVALID (-1) when it is no URL, -2 when memory cannot grow.
 */
export function matchOne(program: usize, from: usize, length: usize): i32 {
	if (!reserveScratch(length)) return -2;
	return <i32>matchOneOf(program, from, length);
}

/** Lines of [from, from + length), for benchmarks: the time it takes to find line ends one by one. */
export function countLines(from: usize, length: usize): u32 {
	return countLinesOf(from, from + length);
}
