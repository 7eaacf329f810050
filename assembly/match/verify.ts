import {
	FILTER_SIZE,
	FORMAT_VERSION,
	H_ALWAYS,
	H_BYTE_LENGTH,
	H_UNANCHORED,
	H_VISITED,
	H_MAX_UNANCHORED,
	H_RANKS,
	H_TABLE,
	H_VERSION,
	JUMP_SLOT_SIZE,
	HEADER_SIZE,
	JUMP_BITS,
	JUMP_SHORT,
	JUMP_SLOTS,
	MAX_JUMP_BITS,
	MAX_U24,
	MIN_JUMP_BITS,
	BYTE_SET_SIZE,
	OP_BRANCH,
	OP_FLOAT,
	OP_FLOAT1,
	OP_LITERAL,
	OP_NEED,
	OP_ONCE,
	OP_PREFIXED,
	OP_RULE,
	OP_RULE_END,
	OP_RULE_STOP,
	OP_STOP,
	OP_TEXT,
	OP_TEXT_WILD,
	OP_WILD,
	TABLE_COUNT,
	TABLE_NONE,
	TEXT_LAST,
	TEXT_LENGTH,
	VERIFY_ENTRY,
	VERIFY_HEADER,
	VERIFY_LENGTH,
	VERIFY_BYTE,
	VERIFY_OK,
	VERIFY_OPCODE,
	VERIFY_RANK,
	VERIFY_TARGET,
	VERIFY_TRUNCATED,
	VERIFY_VERSION,
} from "../format/program";
import { slotsEnd } from "./candidates";
import { load24 } from "../bytes/memory";
import { find } from "../bytes/scan";

/**
 * Checks everything that execution relies on, so that any program that passes can run over any path: instructions are
 * contiguous, targets are instructions further on, execution never leaves the code, ranks are in range, texts are not
 * empty and have no LF. `bits` are `bitsSize` bytes of zeros.
 */
export function verify(program: usize, length: usize, bits: usize): u32 {
	instructions = bits;
	targets = bits + (bitsSize(length) >> 1);
	if (
		length <= <usize>HEADER_SIZE ||
		length > <usize>MAX_U24 ||
		load<u32>(program, H_BYTE_LENGTH) != <u32>length
	)
		return VERIFY_LENGTH;
	if (load<u8>(program, H_VERSION) != FORMAT_VERSION) return VERIFY_VERSION;
	const classes: u32 = load<u8>(program, H_TABLE);
	const unanchored: usize = load<u32>(program, H_UNANCHORED);
	const visitedBits = load<u32>(program, H_VISITED);
	const always = load<u32>(program, H_ALWAYS);
	if (
		(classes >= <u32>TABLE_COUNT && classes != TABLE_NONE) ||
		unanchored > length ||
		(unanchored == 0 && load<u32>(program, H_MAX_UNANCHORED) != 0) ||
		load<u32>(program, H_RANKS) > <u32>MAX_U24 >> 1 ||
		visitedBits > <u32>length ||
		(always != 0 && !isRank(program, always))
	) {
		return VERIFY_HEADER;
	}
	const prefixEnd = unanchored ? unanchored : length;
	let reason = verifyPart(program, HEADER_SIZE, prefixEnd, false);
	if (!reason && unanchored)
		reason = verifyPart(program, unanchored + FILTER_SIZE, length, true);
	if (reason) return reason;
	for (let at: usize = 0; at < bitsSize(length) >> 1; at += 8) {
		if (load<u64>(targets + at) & ~load<u64>(instructions + at))
			return VERIFY_TARGET;
	}
	return VERIFY_OK;
}

/** Bytes that hold two bits for each byte of a program. */
export function bitsSize(length: usize): usize {
	return ((length + 63) >> 6) << 4;
}

/** A bit for each offset: does an instruction begin there that may be a target, is it a target? */
let instructions: usize = 0;
let targets: usize = 0;

/** Verifies the jump table at offset `table` and the code behind it, up to `end`. */
function verifyPart(
	program: usize,
	table: usize,
	end: usize,
	isUnanchored: bool,
): u32 {
	if (table + JUMP_SLOTS > end) return VERIFY_HEADER;
	const jumpBits = load<u32>(program + table, JUMP_BITS);
	const short: usize = load<u32>(program + table, JUMP_SHORT);
	if (jumpBits < <u32>MIN_JUMP_BITS || jumpBits > <u32>MAX_JUMP_BITS)
		return VERIFY_HEADER;
	const slots = table + JUMP_SLOTS;
	const slotsBehind = table + slotsEnd(jumpBits);
	const code = slotsBehind + (short ? <usize>BYTE_SET_SIZE : 0);
	if (code >= end) return VERIFY_HEADER;
	const reason = verifyCode(program, code, end, isUnanchored);
	if (reason) return reason;
	if (short && !isInstruction(short, code, end)) return VERIFY_ENTRY;
	for (let at = slots; at < slotsBehind; at += JUMP_SLOT_SIZE) {
		const target: usize = load<u32>(program + at) >> 8;
		if (!isInstruction(target, code, end)) return VERIFY_ENTRY;
	}
	return VERIFY_OK;
}

/** Verifies the instructions from `code` to `end` and notes those that may be targets. */
function verifyCode(
	program: usize,
	code: usize,
	end: usize,
	isUnanchored: bool,
): u32 {
	let at = code;
	let onceEnd: usize = 0;
	while (at < end) {
		const opcode: u32 = load<u8>(program + at);
		// Wildcards cost time in proportion to the path. The code of unanchored patterns runs at each of its bytes, so there they
		// follow a ONCE, and can be reached only through it.
		const once = opcode == OP_FLOAT || opcode == OP_PREFIXED;
		if (at < onceEnd != once) return VERIFY_OPCODE;
		const misplaced = isUnanchored
			? opcode == OP_WILD ||
				opcode == OP_NEED ||
				opcode == OP_TEXT ||
				opcode == OP_TEXT_WILD
			: opcode == OP_ONCE || opcode == OP_FLOAT1;
		if (misplaced) return VERIFY_OPCODE;
		if (!once) setBit(instructions, at);
		const size = instructionSize(program, at, end);
		if (fault) return fault;
		if (!noteTargets(program, at, opcode, end)) return VERIFY_TARGET;
		if (opcode == OP_ONCE) onceEnd = at + load24(program + at + 1);
		// What goes on behind its ONCE has the ONCE's target within it, which is refused in the end.
		at += size;
		if (at >= end && !isLast(program + at - size, opcode))
			return VERIFY_TRUNCATED;
	}
	return VERIFY_OK;
}

/** Whether execution never continues behind an instruction. */
function isLast(pc: usize, opcode: u32): bool {
	if (opcode == OP_TEXT) return (load<u8>(pc, 1) & TEXT_LAST) != 0;
	if (opcode == OP_TEXT_WILD) return (load<u8>(pc, 2) & TEXT_LAST) != 0;
	return opcode == OP_STOP || opcode == OP_RULE_STOP || opcode == OP_BRANCH;
}

/** Why `instructionSize` gave up, or 0. */
let fault: u32 = 0;

function setBit(bits: usize, at: usize): void {
	const byte = bits + (at >> 3);
	store<u8>(byte, <u32>load<u8>(byte) | ((<u32>1) << (<u32>at & 7)));
}

function isInstruction(at: usize, from: usize, end: usize): bool {
	if (at < from || at >= end) return false;
	return ((<u32>load<u8>(instructions + (at >> 3)) >> (<u32>at & 7)) & 1) != 0;
}

/** Bytes of the instruction at offset `at`, all of it checked but targets. */
function instructionSize(program: usize, at: usize, end: usize): usize {
	const pc = program + at;
	const left = end - at;
	const opcode: u32 = load<u8>(pc);
	fault = VERIFY_OK;
	if (opcode == OP_STOP) return 1;
	if (opcode == OP_RULE || opcode == OP_RULE_END || opcode == OP_RULE_STOP) {
		if (left < 4) return fail(VERIFY_TRUNCATED);
		return isRank(program, load24(pc + 1)) ? 4 : fail(VERIFY_RANK);
	}
	if (opcode == OP_LITERAL) {
		const size: usize = left < 2 ? 0 : load<u8>(pc, 1);
		if (size == 0 || size + 2 > left) return fail(VERIFY_TRUNCATED);
		return holdsLineFeed(pc + 2, size) ? fail(VERIFY_BYTE) : size + 2;
	}
	if (opcode == OP_BRANCH) {
		const count: usize = left < 2 ? 0 : <usize>load<u8>(pc, 1) + 1;
		if (count == 0 || count * 4 + 2 > left) return fail(VERIFY_TRUNCATED);
		return holdsLineFeed(pc + 2, count) ? fail(VERIFY_BYTE) : count * 4 + 2;
	}
	if (opcode == OP_NEED) return left < 5 ? fail(VERIFY_TRUNCATED) : 5;
	if (opcode == OP_TEXT) {
		const size: usize =
			left < 6 ? 0 : <usize>(load<u8>(pc, 1) & TEXT_LENGTH) + 6;
		if (size == 0 || size > left) return fail(VERIFY_TRUNCATED);
		return checkText(program, pc + 5, size - 5) ? size : 1;
	}
	if (opcode == OP_TEXT_WILD) {
		const length: usize =
			left < 7 ? 0 : <usize>(load<u8>(pc, 2) & TEXT_LENGTH) + 1;
		const size: usize = left < 7 ? 0 : load<u8>(pc, 1);
		if (size < length + 7 || size > left) return fail(VERIFY_TRUNCATED);
		if (!checkText(program, pc + 6, length)) return 1;
		cursor = pc + 6 + length;
		operandsEnd = pc + size;
		skipTail();
		return fault == VERIFY_OK && cursor == operandsEnd
			? size
			: fail(fault ? fault : VERIFY_TRUNCATED);
	}
	if (opcode > <u32>OP_TEXT_WILD) return fail(VERIFY_OPCODE);
	const size: usize = left < 8 ? 0 : load24(pc + 1);
	if (size < 8 || size > left) return fail(VERIFY_TRUNCATED);
	if (opcode == OP_ONCE) {
		// Its distance is checked with the targets.
		return load24(pc + 4) < load<u32>(program, H_VISITED)
			? 7
			: fail(VERIFY_RANK);
	}
	if (!isRank(program, load24(pc + 4))) return fail(VERIFY_RANK);
	cursor = pc + 7;
	operandsEnd = pc + size;
	if (opcode == OP_FLOAT1) {
		cursor++;
		skipBytes(skipVarint(), 0);
		skipVarint();
	} else {
		if (opcode == OP_PREFIXED) skipBytes(skipVarint(), 1);
		skipTail();
	}
	return fault == VERIFY_OK && cursor == operandsEnd
		? size
		: fail(fault ? fault : VERIFY_TRUNCATED);
}

/** Checks a text and the rank in front of it; notes a fault. */
function checkText(program: usize, text: usize, length: usize): bool {
	if (!isRank(program, load24(text - 3))) fault = VERIFY_RANK;
	else if (holdsLineFeed(text, length)) fault = VERIFY_BYTE;
	return fault == VERIFY_OK;
}

function fail(reason: u32): usize {
	fault = reason;
	return 1;
}

function isRank(program: usize, encoded: u32): bool {
	return encoded > 1 && encoded >> 1 <= load<u32>(program, H_RANKS);
}

function holdsLineFeed(text: usize, length: usize): bool {
	return find(0x0a, text, text + length) != text + length;
}

/** The operands of a wildcard instruction: current position and end. */
let cursor: usize = 0;
let operandsEnd: usize = 0;

function skipVarint(): u32 {
	let value: u32 = 0;
	for (let shift = 0; shift < 28; shift += 7) {
		if (cursor >= operandsEnd) break;
		const byte: u32 = load<u8>(cursor++);
		value |= (byte & 0x7f) << shift;
		if (!(byte & 0x80)) return value;
	}
	fault = VERIFY_TRUNCATED;
	return 0;
}

function skipBytes(length: u32, least: u32): void {
	if (fault) return;
	if (length < least || <usize>length > operandsEnd - cursor)
		fault = VERIFY_TRUNCATED;
	else cursor += length;
}

function skipTail(): void {
	if (cursor >= operandsEnd) {
		fault = VERIFY_TRUNCATED;
		return;
	}
	cursor++;
	for (let count = skipVarint(); count && !fault; count--) {
		const head = skipVarint();
		skipBytes(head >> 1, 1);
		if (head & 1) skipBytes(skipVarint(), 1);
	}
}

/** Notes the targets of the instruction at offset `at`; false if one is not further on. */
function noteTargets(program: usize, at: usize, opcode: u32, end: usize): bool {
	const pc = program + at;
	if (opcode == OP_BRANCH) {
		const count: usize = <usize>load<u8>(pc, 1) + 1;
		let target = pc + 2 + count;
		const last = target + count * 3;
		for (; target < last; target += 3) {
			const entry: usize = load24(target);
			if (entry <= at || entry >= end) return false;
			setBit(targets, entry);
		}
	} else if (opcode == OP_ONCE || opcode == OP_NEED) {
		const skip: usize = load24(pc + (opcode == OP_ONCE ? 1 : 2));
		if (skip == 0 || at + skip >= end) return false;
		setBit(targets, at + skip);
	}
	return true;
}
