/**
 * Verifies programs that come back from disks and networks, before anything runs them: whatever passes can run over any path without
 * leaving its code. index.ts calls it for `Matcher.fromBytes`, sites/compact-verify.ts does the same for compact programs. A check that is
 * missing here is a read out of bounds in run.ts, which checks nothing.
 */
import {
	bitsSize,
	fail,
	hasBit,
	isSubset,
	load24,
	reader,
	readFrom,
	setBit,
} from "../bytes/numbers";
import {
	ENDS,
	GUARDS,
	MAY_END,
	OPERAND_BIT,
	OPERAND_RANK,
	OPERAND_SKIP,
	OPERAND_SLOTS,
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
import {
	isGuarded,
	isMisplaced,
	operands,
	readInstruction,
	traitsOf,
} from "./operands";
import { slotsEnd } from "./path-spans";

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

/** Verifies the jump table at offset `table` and the code after it, up to `end`. */
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
	let guardEnd: usize = 0;
	/** Where an instruction under a guard skips to; 0 when that was reached. */
	let skipEnd: usize = 0;
	readFrom(program + code, program + end);
	for (let at = code; at < end; ) {
		const opcode = readInstruction();
		// An unknown opcode is a fault of the reader, which takes precedence over all other reasons.
		if (reader.fault == VERIFY_OPCODE) return VERIFY_OPCODE;
		const traits = traitsOf(opcode);
		if (isMisplaced(traits, isUnanchored, at < guardEnd)) return VERIFY_OPCODE;
		// No jump leads under a guard, but for one from there: to the start of an instruction under it or to its end.
		const guarded = isGuarded(traits, isUnanchored);
		const skips = guarded && (operands.kinds & (1 << OPERAND_SKIP)) != 0;
		if (at == skipEnd) skipEnd = 0;
		if (skipEnd && (at > skipEnd || skips)) return VERIFY_TARGET;
		if (!guarded) setBit(instructions, at);
		checkNumbers();
		if (skips) {
			skipEnd = at + operands.skip;
			if (skipEnd < reader.at - program || skipEnd > guardEnd)
				return VERIFY_TARGET;
		} else noteTargets(at, end);
		if (reader.fault) return reader.fault;
		if (traits & GUARDS) guardEnd = at + operands.skip;
		// What goes on past its guard's target has that target within it, which is refused in the end.
		at = reader.at - program;
		if (at == end && !isLast(traits)) return VERIFY_TRUNCATED;
	}
	return VERIFY_OK;
}

/** Whether execution never continues after the instruction that was read last. */
function isLast(traits: u32): bool {
	return (
		(traits & ENDS) != 0 ||
		((traits & MAY_END) != 0 && (operands.small & TEXT_LAST) != 0)
	);
}

function isInstruction(at: usize, from: usize, end: usize): bool {
	return at >= from && at < end && hasBit(instructions, at);
}

/** Checks the rank, or the bit of the visited set, of the instruction that was read last. */
function checkNumbers(): void {
	const kinds = operands.kinds;
	const valid =
		kinds & (1 << OPERAND_BIT)
			? operands.rank < load<u32>(program, H_VISITED)
			: !(kinds & (1 << OPERAND_RANK)) || isRank(operands.rank);
	if (!valid) fail(VERIFY_RANK);
}

function isRank(encoded: u32): bool {
	return encoded > 1 && encoded >> 1 <= load<u32>(program, H_RANKS);
}

/** Notes the targets of the instruction that was read last, which begins at offset `at`; they have to be further on. */
function noteTargets(at: usize, end: usize): void {
	if (reader.fault) return;
	if (operands.targets) {
		const hasSlots = (operands.kinds & (1 << OPERAND_SLOTS)) != 0;
		const last = operands.targets + operands.length * 3;
		for (let address = operands.targets; address < last; address += 3) {
			const target = load24(address);
			// A slot without a target ends the run.
			if (target || !hasSlots) noteTarget(target, at, end);
		}
	} else if (operands.kinds & (1 << OPERAND_SKIP)) {
		// A skip may lead to the next instruction. An arm that leads into this one is refused in the end, as no instruction begins there.
		noteTarget(at + operands.skip, reader.at - program - 1, end);
	}
}

/** Notes a target, which has to lie between `after` and `end`. */
function noteTarget(target: usize, after: usize, end: usize): void {
	if (target <= after || target >= end) fail(VERIFY_TARGET);
	else setBit(targets, target);
}
