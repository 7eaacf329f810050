import { literalStarts } from "../bytes/blocks";
import {
	C_ALWAYS,
	C_BRANCH,
	C_FAR_BRANCH,
	C_FLOAT,
	C_FLOAT1,
	C_FLOATS,
	C_HEADER_SIZE,
	C_LEAF,
	C_LEVEL,
	C_LONG_TEXT,
	C_LONG_TRY,
	C_LOWEST,
	C_NUMBER,
	C_ONCE,
	C_PREFIXED,
	C_RULE,
	C_RULE_END,
	C_STOP,
	C_TRY,
	C_TRY_END,
	C_TRY_LEVEL,
	CH_BITS,
	CH_BLOCK,
	CH_ONE_BLOCK,
	CH_SHORT_SIZE,
} from "../format/compact";
import { WILD_AFTER_SLASH, WILD_ANCHORED } from "../format/program";
import {
	hashHead,
	HIT_AT,
	HIT_CODE,
	HIT_RECORD,
	HIT_SIZE,
} from "../match/candidates";
import { load24, marks } from "../bytes/memory";
import { branch, matchBody } from "../match/run";
import { equal } from "../bytes/scan";
import { behindText, textLength } from "./string-table";
import { behind, readVarint } from "../bytes/varint";

/** Bytes of a bitmap with its counts. */
export function bitmapSize(bits: u32): usize {
	if (bits > CH_ONE_BLOCK) return CH_BLOCK << (bits - CH_ONE_BLOCK);
	return bits > 3 ? (<usize>1) << (bits - 3) : 1;
}

/** The same for each number of bits. */
const BITMAP_SIZES = memory.data<u32>([
	1, 1, 1, 1, 2, 4, 8, 24, 48, 96, 192, 384, 768, 1536, 3072, 6144, 12288,
	24576, 49152, 98304, 196608, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
]);

/** ONCE has set some bit of `marks`. */
let marked: bool = false;

/** The level of the best rule that matches every path. */
export function alwaysOf(program: usize): u32 {
	return readVarint(program + C_ALWAYS);
}

/** Where the filter is of a program with literal code, and the largest level there, as `readFloats` has read them. */
export let filter: usize = 0;
export let largest: u32 = 0;

export function readFloats(program: usize): void {
	alwaysOf(program);
	filter = prefixHeads(program) + <usize>load24(behind);
	largest = readVarint(behind + 3);
}

/** Clears the marks that a program of this many has set, if any. */
export function clearMarks(program: usize): void {
	if (!marked) return;
	memory.fill(marks, 0, (marksOf(program) + 7) >> 3);
	marked = false;
}

export function prefixHeads(program: usize): usize {
	return program + <usize>load<u8>(program, C_HEADER_SIZE);
}

/**
 * Lists the code that `heads` have for position `at`, which may be one for short texts and one for the head there; returns the
 * list's end. Always writes, and branches on nothing: branches here would be guessed wrong.
 */
export function listHits(
	heads: usize,
	record: usize,
	at: usize,
	to: usize,
): usize {
	const flags: u32 = load<u8>(heads);
	const hasShort = (flags >> 6) & 1;
	const byte: u32 = load<u8>(at);
	const shorts: u32 = load<u8>(heads + 4 + (byte >> 3));
	store<u32>(to, <u32>record, HIT_RECORD);
	store<u32>(to, <u32>heads + load24(heads + 1), HIT_CODE);
	store<u32>(to, <u32>at, HIT_AT);
	to += <usize>((shorts >> (byte & 7)) & hasShort) * HIT_SIZE;

	const hash = hashHead(at);
	const bits = flags & CH_BITS;
	const slot = hash >>> (32 - bits);
	const map = heads + 1 + <usize>hasShort * CH_SHORT_SIZE;
	const block = map + <usize>(slot >> 6) * CH_BLOCK;
	const word = load<u64>(block) << (63 - (slot & 63));
	const counted = <u32>((<i32>CH_ONE_BLOCK - <i32>bits) >> 31);
	const index = (load<u32>(block, 8) & counted) + <u32>popcnt(word) - 1;
	const wide = 0 - (flags >> 7);
	const entry = load<u32>(
		map +
			<usize>load<u32>(BITMAP_SIZES + (bits << 2)) +
			index * 3 +
			(index & wide),
	);
	const other = (entry ^ hash) & (0 - (entry & 1)) & 254;
	store<u32>(to, <u32>record, HIT_RECORD);
	store<u32>(to, <u32>heads + ((entry >> 8) & (wide | 0xffff)), HIT_CODE);
	store<u32>(to, <u32>at, HIT_AT);
	return to + (other | <u32>(~word >> 63) ? 0 : HIT_SIZE);
}

/** Whether a path is allowed that has this level. */
export function allowsLevel(best: u32): u32 {
	return (best & 1) | u32(best == 0);
}

/** Of the 64 bytes at a position those in front of the end where a literal may begin. */
export function startsIn(filter: usize, at: usize, end: usize): u64 {
	const mask = literalStarts(filter, at);
	return end - at < 64 ? mask & (((<u64>1) << (end - at)) - 1) : mask;
}

/** Number of ONCE instructions of a program. */
export function marksOf(program: usize): u32 {
	if (!load<u8>(program, C_FLOATS)) return 0;
	readFloats(program);
	return readVarint(behind);
}

/**
 * Executes code from `pc` at position `at` of the path [start, end) and returns the best level. As `run` in run.ts, which says
 * what the instructions do.
 */
export function run(
	pc: usize,
	start: usize,
	at: usize,
	end: usize,
	best: u32,
): u32 {
	while (true) {
		const head: u32 = load<u8>(pc++);
		let count: usize = head & C_NUMBER;
		let value: u32 = 0;
		if (head >= C_STOP) {
			if (head == C_STOP) return best;
			value = readVarint(pc);
			pc = behind;
		}
		if (head < C_BRANCH || head == C_LONG_TEXT) {
			if (head == C_LONG_TEXT) count = value;
			const from = pc;
			pc += count;
			const after = behindText(from, pc, at);
			let level = C_LOWEST;
			if (head >= C_TRY && head < C_BRANCH) {
				if (head >= C_TRY_LEVEL) {
					level = readVarint(pc);
					pc = behind;
				}
				if (after) best = max(best, level);
				continue;
			}
			if (!after) return best;
			if (head < C_LEAF || head == C_LONG_TEXT) {
				at = after;
				continue;
			}
			return max(best, head < C_LEVEL ? level : readVarint(pc));
		}
		if (head < C_STOP || head == C_FAR_BRANCH) {
			const far = head == C_FAR_BRANCH;
			count = far ? <usize>value : count + 1;
			const arm = branch(pc, count, load<u8>(at));
			if (arm < 0) return best;
			at++;
			pc += count;
			if (far) {
				pc += count * 3 + <usize>load24(pc + <usize>arm * 3);
			} else {
				// There is no distance for the first arm.
				const distances = pc - 1;
				pc = distances + count;
				if (arm) pc += <usize>load<u8>(distances + <usize>arm);
			}
			continue;
		}
		if (head <= C_RULE_END) {
			if (head == C_RULE || at == end) best = max(best, value);
		} else {
			const second = readVarint(pc);
			pc = behind;
			if (head == C_ONCE) {
				const mark = marks + (second >> 3);
				const bits: u32 = load<u8>(mark),
					bit: u32 = 1 << (second & 7);
				if (bits & bit) pc += value;
				store<u8>(mark, bits | bit);
				marked = true;
			} else {
				if (value > best && matches(head, pc, second, start, at, end))
					best = value;
				pc += second;
			}
		}
	}
}

/** Whether a pattern matches whose operands are given. */
function matches(
	opcode: u32,
	operands: usize,
	size: usize,
	start: usize,
	at: usize,
	end: usize,
): bool {
	let body = operands;
	if (opcode >= C_LONG_TRY) {
		const length: usize = readVarint(operands);
		body = behind + length;
		at = behindText(behind, body, at);
		if (!at || opcode == C_LONG_TRY) return at != 0;
		if (opcode == C_TRY_END) return at == end;
	} else if (opcode == C_FLOAT) {
		at = start + usize(load<u8>(body) & WILD_AFTER_SLASH ? 1 : 0);
	} else if (opcode == C_PREFIXED) {
		const length: usize = readVarint(operands);
		body = behind + length;
		at = start + length;
		if (at > end || !equal(behind, start, length)) return false;
	} else if (opcode == C_FLOAT1) {
		const flags: u32 = load<u8>(operands);
		const after: usize = readVarint(operands + 1);
		const before = behind;
		const last = operands + size;
		const length = textLength(before, last) + after;
		return (
			length + (flags & WILD_AFTER_SLASH ? 1 : 0) <= at - start &&
			at <= end &&
			(at == end || !(flags & WILD_ANCHORED)) &&
			behindText(before, last, at - length) != 0
		);
	}
	return matchBody(body, start, at, end);
}
