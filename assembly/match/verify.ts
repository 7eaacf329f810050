import {
	bitsSize,
	fail,
	hasBit,
	isSubset,
	readFrom,
	reader,
	setBit,
} from "../bytes/checked";
import { load24 } from "../bytes/memory";
import {
	OP_BRANCH,
	OP_FLOAT,
	OP_FLOAT1,
	OP_LITERAL,
	OP_NEED,
	OP_ONCE,
	OP_PREFIXED,
	OP_RULE_STOP,
	OP_STOP,
	OP_TEXT,
	OP_TEXT_WILD,
	OP_WILD,
} from "../format/opcodes";
import {
	BYTE_SET_SIZE,
	FILTER_SIZE,
	FORMAT_VERSION,
	H_ALWAYS,
	H_BYTE_LENGTH,
	H_MAX_UNANCHORED,
	H_RANKS,
	H_TABLE,
	H_UNANCHORED,
	H_VERSION,
	H_VISITED,
	HEADER_SIZE,
	JUMP_BITS,
	JUMP_SHORT,
	JUMP_SLOT_SIZE,
	JUMP_SLOTS,
	MAX_JUMP_BITS,
	MAX_U24,
	MIN_JUMP_BITS,
	TABLE_COUNT,
	TABLE_NONE,
	TEXT_LAST,
	VERIFY_ENTRY,
	VERIFY_HEADER,
	VERIFY_LENGTH,
	VERIFY_OK,
	VERIFY_OPCODE,
	VERIFY_RANK,
	VERIFY_TARGET,
	VERIFY_TRUNCATED,
	VERIFY_VERSION,
} from "../format/program";
import { slotsEnd } from "./candidates";
import { operands, readInstruction } from "./operands";

/** The program, and a bit for each of its offsets: does an instruction begin there that may be a target, is it a target? */
let program: usize = 0;
let instructions: usize = 0;
let targets: usize = 0;

/**
 * Checks everything that execution relies on, so that any program that passes can run over any path: instructions are
 * contiguous, targets are instructions further on, execution never leaves the code, ranks are in range, texts are not
 * empty and have no LF. `bits` are `bitsSize` bytes of zeros.
 */
export function verify(at: usize, length: usize, bits: usize): u32 {
	program = at;
	instructions = bits;
	targets = bits + (bitsSize(length) >> 1);
	if (
		length <= <usize>HEADER_SIZE ||
		length > <usize>MAX_U24 ||
		load<u32>(program, H_BYTE_LENGTH) != <u32>length
	)
		return VERIFY_LENGTH;
	if (load<u8>(program, H_VERSION) != FORMAT_VERSION) return VERIFY_VERSION;
	const table: u32 = load<u8>(program, H_TABLE);
	const unanchored: usize = load<u32>(program, H_UNANCHORED);
	const always = load<u32>(program, H_ALWAYS);
	if (
		(table >= <u32>TABLE_COUNT && table != TABLE_NONE) ||
		unanchored > length ||
		(unanchored == 0 && load<u32>(program, H_MAX_UNANCHORED) != 0) ||
		load<u32>(program, H_RANKS) > <u32>MAX_U24 >> 1 ||
		load<u32>(program, H_VISITED) > <u32>length ||
		(always != 0 && !isRank(always))
	)
		return VERIFY_HEADER;
	const prefixEnd = unanchored ? unanchored : length;
	let reason = verifyPart(HEADER_SIZE, prefixEnd, false);
	if (!reason && unanchored)
		reason = verifyPart(unanchored + FILTER_SIZE, length, true);
	if (reason) return reason;
	return isSubset(targets, instructions, bitsSize(length) >> 1)
		? VERIFY_OK
		: VERIFY_TARGET;
}

/** Verifies the jump table at offset `table` and the code behind it, up to `end`. */
function verifyPart(table: usize, end: usize, isUnanchored: bool): u32 {
	if (table + JUMP_SLOTS > end) return VERIFY_HEADER;
	const jumpBits = load<u32>(program + table, JUMP_BITS);
	const short: usize = load<u32>(program + table, JUMP_SHORT);
	if (jumpBits < <u32>MIN_JUMP_BITS || jumpBits > <u32>MAX_JUMP_BITS)
		return VERIFY_HEADER;
	const slots = table + JUMP_SLOTS;
	const slotsBehind = table + slotsEnd(jumpBits);
	const code = slotsBehind + (short ? <usize>BYTE_SET_SIZE : 0);
	if (code >= end) return VERIFY_HEADER;
	const reason = verifyCode(code, end, isUnanchored);
	if (reason) return reason;
	if (short && !isInstruction(short, code, end)) return VERIFY_ENTRY;
	for (let at = slots; at < slotsBehind; at += JUMP_SLOT_SIZE) {
		const target: usize = load<u32>(program + at) >> 8;
		if (!isInstruction(target, code, end)) return VERIFY_ENTRY;
	}
	return VERIFY_OK;
}

/** Verifies the instructions from `code` to `end` and notes those that may be targets. */
function verifyCode(code: usize, end: usize, isUnanchored: bool): u32 {
	let onceEnd: usize = 0;
	/** Where a NEED within a ONCE goes on; 0 when that was reached. */
	let needEnd: usize = 0;
	readFrom(program + code, program + end);
	for (let at = code; at < end; ) {
		const opcode = readInstruction();
		// Wildcards cost time in proportion to the path. The code of unanchored patterns runs at each of its bytes, so there they
		// follow a ONCE, and can be reached only through it: none of it is a target, but for one of a NEED within the same ONCE.
		const isNeed = isUnanchored && opcode == OP_NEED;
		const once = opcode == OP_FLOAT || opcode == OP_PREFIXED || isNeed;
		if (at < onceEnd != once || isMisplaced(opcode, isUnanchored))
			return VERIFY_OPCODE;
		if (at == needEnd) needEnd = 0;
		if (needEnd && (at > needEnd || isNeed)) return VERIFY_TARGET;
		if (!once) setBit(instructions, at);
		checkNumbers(opcode);
		if (isNeed) {
			needEnd = at + operands.skip;
			if (needEnd < reader.at - program || needEnd > onceEnd)
				return VERIFY_TARGET;
		} else noteTargets(opcode, at, end);
		if (reader.fault) return reader.fault;
		if (opcode == OP_ONCE) onceEnd = at + operands.skip;
		// What goes on behind its ONCE has the ONCE's target within it, which is refused in the end.
		at = reader.at - program;
		if (at == end && !isLast(opcode)) return VERIFY_TRUNCATED;
	}
	return VERIFY_OK;
}

/** Whether the opcode is one of the other part of a program. */
function isMisplaced(opcode: u32, isUnanchored: bool): bool {
	return isUnanchored
		? opcode == OP_WILD || opcode == OP_TEXT || opcode == OP_TEXT_WILD
		: opcode == OP_ONCE || opcode == OP_FLOAT1;
}

/** Whether execution never continues behind the instruction that was read last. */
function isLast(opcode: u32): bool {
	if (opcode == OP_TEXT || opcode == OP_TEXT_WILD)
		return (operands.small & TEXT_LAST) != 0;
	return opcode == OP_STOP || opcode == OP_RULE_STOP || opcode == OP_BRANCH;
}

function isInstruction(at: usize, from: usize, end: usize): bool {
	return at >= from && at < end && hasBit(instructions, at);
}

/** Checks the rank, or the bit of the visited set, of the instruction that was read last. */
function checkNumbers(opcode: u32): void {
	const valid =
		opcode == OP_ONCE
			? operands.bit < load<u32>(program, H_VISITED)
			: opcode == OP_STOP ||
				opcode == OP_LITERAL ||
				opcode == OP_BRANCH ||
				opcode == OP_NEED ||
				isRank(operands.rank);
	if (!valid) fail(VERIFY_RANK);
}

function isRank(encoded: u32): bool {
	return encoded > 1 && encoded >> 1 <= load<u32>(program, H_RANKS);
}

/** Notes the targets of the instruction that was read last, which begins at offset `at`; they have to be further on. */
function noteTargets(opcode: u32, at: usize, end: usize): void {
	if (reader.fault) return;
	if (opcode == OP_BRANCH) {
		const last = operands.targets + operands.length * 3;
		for (let target = operands.targets; target < last; target += 3)
			noteTarget(load24(target), at, end);
	} else if (opcode == OP_ONCE || opcode == OP_NEED) {
		noteTarget(at + operands.skip, reader.at - program - 1, end);
	}
}

/** Notes a target, which has to lie behind `after` and in front of `end`. */
function noteTarget(target: usize, after: usize, end: usize): void {
	if (target <= after || target >= end) fail(VERIFY_TARGET);
	else setBit(targets, target);
}
