import {
	FILTER_SIZE,
	FORMAT_VERSION,
	H_ALWAYS,
	H_BYTE_LENGTH,
	H_MARKS,
	H_LITERALS,
	H_RANKS,
	H_TABLE,
	H_VERSION,
	HEAD_SLOT_SIZE,
	HEADER_SIZE,
	HEADS_BITS,
	HEADS_SHORT,
	HEADS_SLOTS,
	MAX_HEAD_BITS,
	MAX_U24,
	MIN_HEAD_BITS,
	OCTET_SET_SIZE,
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
	OP_WILD,
	TABLE_COUNT,
	TABLE_NONE,
	VERIFY_ENTRY,
	VERIFY_HEADER,
	VERIFY_LENGTH,
	VERIFY_OCTET,
	VERIFY_OK,
	VERIFY_OPCODE,
	VERIFY_RANK,
	VERIFY_TARGET,
	VERIFY_TRUNCATED,
	VERIFY_VERSION,
} from "./format";
import { slotsEnd } from "./match";
import { load24 } from "./memory";

/**
 * Checks what execution relies on, so that any program that passes can be run over any path: instructions lie
 * end to end, targets are instructions further on, no way leads out of the code, ranks are in range, texts are not
 * empty and hold no LF. `bits` is cleared room for a bit per octet of the program.
 */
export function verify(program: usize, length: usize, bits: usize): u32 {
	if (
		length <= <usize>HEADER_SIZE ||
		length > <usize>MAX_U24 ||
		load<u32>(program, H_BYTE_LENGTH) != <u32>length
	)
		return VERIFY_LENGTH;
	if (load<u8>(program, H_VERSION) != FORMAT_VERSION) return VERIFY_VERSION;
	const table: u32 = load<u8>(program, H_TABLE);
	const literals: usize = load<u32>(program, H_LITERALS);
	const marks = load<u32>(program, H_MARKS);
	const always = load<u32>(program, H_ALWAYS);
	if (
		(table >= <u32>TABLE_COUNT && table != TABLE_NONE) ||
		literals > length ||
		load<u32>(program, H_RANKS) > <u32>MAX_U24 >> 1 ||
		marks > <u32>length ||
		(always != 0 && !isRank(program, always))
	) {
		return VERIFY_HEADER;
	}
	const prefixEnd = literals ? literals : length;
	const reason = verifyPart(program, HEADER_SIZE, prefixEnd, false, bits);
	if (reason || !literals) return reason;
	return verifyPart(program, literals + FILTER_SIZE, length, true, bits);
}

/** Heads at offset `heads` and the code behind them, up to `end`; `floats` tells literal from prefix code. */
function verifyPart(
	program: usize,
	heads: usize,
	end: usize,
	floats: bool,
	bits: usize,
): u32 {
	if (heads + HEADS_SLOTS > end) return VERIFY_HEADER;
	const headBits = load<u32>(program + heads, HEADS_BITS);
	const short: usize = load<u32>(program + heads, HEADS_SHORT);
	if (headBits < <u32>MIN_HEAD_BITS || headBits > <u32>MAX_HEAD_BITS)
		return VERIFY_HEADER;
	const slots = heads + HEADS_SLOTS;
	const slotsBehind = heads + slotsEnd(headBits);
	const code = slotsBehind + (short ? <usize>OCTET_SET_SIZE : 0);
	if (code >= end) return VERIFY_HEADER;
	const reason = verifyCode(program, code, end, floats, bits);
	if (reason) return reason;
	if (short && !isEntry(bits, short, code, end)) return VERIFY_ENTRY;
	for (let at = slots; at < slotsBehind; at += HEAD_SLOT_SIZE) {
		const target: usize = load<u32>(program + at) >> 8;
		if (!isEntry(bits, target, code, end)) return VERIFY_ENTRY;
	}
	return verifyTargets(program, code, end, bits);
}

/** Goes through instructions from `code` to `end` and marks those that may be jumped to. */
function verifyCode(
	program: usize,
	code: usize,
	end: usize,
	floats: bool,
	bits: usize,
): u32 {
	let at = code;
	let onceEnd: usize = 0;
	while (at < end) {
		const opcode: u32 = load<u8>(program + at);
		// Wildcards cost time in proportion to the path. The literal code runs at each of its octets, so there they
		// stand behind a ONCE, and no way but through it leads to them.
		const once = opcode == OP_FLOAT || opcode == OP_PREFIXED;
		if (at < onceEnd != once) return VERIFY_OPCODE;
		const misplaced = floats
			? opcode == OP_WILD || opcode == OP_NEED
			: opcode == OP_ONCE || opcode == OP_FLOAT1;
		if (misplaced) return VERIFY_OPCODE;
		if (!once) mark(bits, at);
		const size = instructionSize(program, at, end);
		if (failure) return failure;
		if (opcode == OP_ONCE) onceEnd = at + load24(program + at + 1);
		at += size;
		if (once && at > onceEnd) return VERIFY_TARGET;
		const ends =
			opcode == OP_STOP || opcode == OP_RULE_STOP || opcode == OP_BRANCH;
		if (!ends && at >= end) return VERIFY_TRUNCATED;
	}
	return VERIFY_OK;
}

/** Why `instructionSize` gave up, or 0. */
let failure: u32 = 0;

function mark(bits: usize, at: usize): void {
	const octet = bits + (at >> 3);
	store<u8>(octet, <u32>load<u8>(octet) | ((<u32>1) << (<u32>at & 7)));
}

function isMarked(bits: usize, at: usize): bool {
	return ((<u32>load<u8>(bits + (at >> 3)) >> (<u32>at & 7)) & 1) != 0;
}

function isEntry(bits: usize, at: usize, from: usize, end: usize): bool {
	return at >= from && at < end && isMarked(bits, at);
}

/** Octets of the instruction at offset `at`, all of it checked but targets. */
function instructionSize(program: usize, at: usize, end: usize): usize {
	const pc = program + at;
	const left = end - at;
	const opcode: u32 = load<u8>(pc);
	failure = VERIFY_OK;
	if (opcode == OP_STOP) return 1;
	if (opcode == OP_RULE || opcode == OP_RULE_END || opcode == OP_RULE_STOP) {
		if (left < 4) return fail(VERIFY_TRUNCATED);
		return isRank(program, load24(pc + 1)) ? 4 : fail(VERIFY_RANK);
	}
	if (opcode == OP_LITERAL) {
		const size: usize = left < 2 ? 0 : load<u8>(pc, 1);
		if (size == 0 || size + 2 > left) return fail(VERIFY_TRUNCATED);
		return holdsLineFeed(pc + 2, size) ? fail(VERIFY_OCTET) : size + 2;
	}
	if (opcode == OP_BRANCH) {
		const count: usize = left < 2 ? 0 : <usize>load<u8>(pc, 1) + 1;
		if (count == 0 || count * 4 + 2 > left) return fail(VERIFY_TRUNCATED);
		return holdsLineFeed(pc + 2, count) ? fail(VERIFY_OCTET) : count * 4 + 2;
	}
	if (opcode == OP_NEED) return left < 5 ? fail(VERIFY_TRUNCATED) : 5;
	if (opcode > <u32>OP_PREFIXED) return fail(VERIFY_OPCODE);
	const size: usize = left < 8 ? 0 : load24(pc + 1);
	if (size < 8 || size > left) return fail(VERIFY_TRUNCATED);
	if (opcode == OP_ONCE) {
		// What it passes over is checked with the targets.
		return load24(pc + 4) < load<u32>(program, H_MARKS) ? 7 : fail(VERIFY_RANK);
	}
	if (!isRank(program, load24(pc + 4))) return fail(VERIFY_RANK);
	cursor = pc + 7;
	limit = pc + size;
	if (opcode == OP_FLOAT1) {
		cursor++;
		skipOctets(skipVarint(), 0);
		skipVarint();
	} else {
		if (opcode == OP_PREFIXED) skipOctets(skipVarint(), 1);
		skipBody();
	}
	return failure == VERIFY_OK && cursor == limit
		? size
		: fail(failure ? failure : VERIFY_TRUNCATED);
}

function fail(reason: u32): usize {
	failure = reason;
	return 1;
}

function isRank(program: usize, encoded: u32): bool {
	return encoded > 1 && encoded >> 1 <= load<u32>(program, H_RANKS);
}

function holdsLineFeed(text: usize, length: usize): bool {
	for (let i: usize = 0; i < length; i++)
		if (load<u8>(text + i) == 0x0a) return true;
	return false;
}

/** The operands of a wildcard instruction: read so far up to `cursor`, ending at `limit`. */
let cursor: usize = 0;
let limit: usize = 0;

function skipVarint(): u32 {
	let value: u32 = 0;
	for (let shift = 0; shift < 28; shift += 7) {
		if (cursor >= limit) break;
		const octet: u32 = load<u8>(cursor++);
		value |= (octet & 0x7f) << shift;
		if (!(octet & 0x80)) return value;
	}
	failure = VERIFY_TRUNCATED;
	return 0;
}

function skipOctets(length: u32, least: u32): void {
	if (failure) return;
	if (length < least || <usize>length > limit - cursor)
		failure = VERIFY_TRUNCATED;
	else cursor += length;
}

function skipBody(): void {
	if (cursor >= limit) {
		failure = VERIFY_TRUNCATED;
		return;
	}
	cursor++;
	for (let count = skipVarint(); count && !failure; count--) {
		const head = skipVarint();
		skipOctets(head >> 1, 1);
		if (head & 1) skipOctets(skipVarint(), 1);
	}
}

/** Every jump leads to an instruction further on. */
function verifyTargets(
	program: usize,
	code: usize,
	end: usize,
	bits: usize,
): u32 {
	for (let at = code; at < end; at++) {
		if (!isMarked(bits, at)) continue;
		const opcode: u32 = load<u8>(program + at);
		if (opcode == OP_ONCE || opcode == OP_NEED) {
			const skip: usize = load24(program + at + (opcode == OP_ONCE ? 1 : 2));
			if (!isEntry(bits, at + skip, at + 1, end)) return VERIFY_TARGET;
		} else if (opcode == OP_BRANCH) {
			const count: usize = <usize>load<u8>(program + at + 1) + 1;
			const targets = program + at + 2 + count;
			for (let i: usize = 0; i < count; i++) {
				const target: usize = load24(targets + i * 3);
				if (!isEntry(bits, target, at + 1, end)) return VERIFY_TARGET;
			}
		}
	}
	return VERIFY_OK;
}
