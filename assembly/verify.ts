import {
	FEATURE_FLOATING,
	FEATURE_GOOGLE_URL,
	FEATURE_SHORT,
	FILTER_SIZE,
	FORMAT_VERSION,
	H_ALWAYS,
	H_BYTE_LENGTH,
	H_FEATURES,
	H_HEAD_BITS,
	H_MARKS,
	H_LITERALS,
	H_RANKS,
	H_SHORT,
	H_TABLE,
	H_VERSION,
	HEAD_SLOT_SIZE,
	HEADER_SIZE,
	MAX_HEAD_BITS,
	MAX_U24,
	MIN_HEAD_BITS,
	OP_BRANCH,
	OP_FLOAT,
	OP_FLOAT1,
	OP_LITERAL,
	OP_NEED,
	OP_ONCE,
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
import { filterOf } from "./match";
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
	const features: u32 = load<u8>(program, H_FEATURES);
	const table: u32 = load<u8>(program, H_TABLE);
	const literals: usize = load<u32>(program, H_LITERALS);
	const marks = load<u32>(program, H_MARKS);
	const floating = (features & FEATURE_FLOATING) != 0;
	if (
		features & ~(FEATURE_FLOATING | FEATURE_GOOGLE_URL | FEATURE_SHORT) ||
		(table >= <u32>TABLE_COUNT && table != TABLE_NONE) ||
		floating != (literals != 0) ||
		load<u32>(program, H_RANKS) > <u32>MAX_U24 >> 1 ||
		marks > <u32>length ||
		(load<u32>(program, H_ALWAYS) != 0 &&
			!isRank(program, load<u32>(program, H_ALWAYS)))
	) {
		return VERIFY_HEADER;
	}
	const headBits: u32 = load<u8>(program, H_HEAD_BITS);
	const short = load<u32>(program, H_SHORT);
	if (
		headBits < <u32>MIN_HEAD_BITS ||
		headBits > <u32>MAX_HEAD_BITS ||
		(features & FEATURE_SHORT ? short == 0 : short != 0)
	) {
		return VERIFY_HEADER;
	}
	const code =
		filterOf(program) - program + (floating ? <usize>FILTER_SIZE : 0);
	if (code >= length || (floating && (literals <= code || literals >= length)))
		return VERIFY_HEADER;

	let at = code;
	let onceEnd: usize = 0;
	while (at < length) {
		const opcode: u32 = load<u8>(program + at);
		// Wildcards cost time in proportion to the path. The literal code runs at each of its octets, so there they
		// stand behind a ONCE, and no way but through it leads to them.
		if (at < onceEnd != (opcode == OP_FLOAT)) return VERIFY_OPCODE;
		const floats = floating && at >= literals;
		if (
			floats
				? opcode == OP_WILD || opcode == OP_NEED
				: opcode == OP_ONCE || opcode == OP_FLOAT1
		)
			return VERIFY_OPCODE;
		if (opcode != OP_FLOAT) mark(bits, at);
		const size = instructionSize(program, at, length);
		if (failure) return failure;
		if (opcode == OP_ONCE) onceEnd = at + load24(program + at + 1);
		at += size;
		if (opcode == OP_FLOAT && at > onceEnd) return VERIFY_TARGET;
		// The prefix code must not run on into the literal code, nor past the end.
		const ends =
			opcode == OP_STOP || opcode == OP_RULE_STOP || opcode == OP_BRANCH;
		if (!ends && (at == literals || at >= length)) return VERIFY_TRUNCATED;
	}
	if (floating && !isMarked(bits, literals)) return VERIFY_ENTRY;
	const prefixEnd = floating ? literals : length;
	if (short && !isEntry(bits, short, prefixEnd)) return VERIFY_ENTRY;
	const heads = program + HEADER_SIZE;
	for (let i: usize = 0; i < (<usize>HEAD_SLOT_SIZE) << headBits; i += 4) {
		const slot = load<u32>(heads + i);
		if (!isEntry(bits, slot >> 8, prefixEnd)) return VERIFY_ENTRY;
	}
	return verifyTargets(program, code, length, literals, bits);
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

function isEntry(bits: usize, at: usize, end: usize): bool {
	return at < end && isMarked(bits, at);
}

/** Octets of the instruction at offset `at`, all of it checked but targets. */
function instructionSize(program: usize, at: usize, length: usize): usize {
	const pc = program + at;
	const left = length - at;
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
	if (opcode > <u32>OP_FLOAT) return fail(VERIFY_OPCODE);
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

function verifyTargets(
	program: usize,
	code: usize,
	length: usize,
	literals: usize,
	bits: usize,
): u32 {
	for (let at = code; at < length; at++) {
		if (!isMarked(bits, at)) continue;
		const opcode: u32 = load<u8>(program + at);
		const bound = at < literals ? literals : length;
		if (opcode == OP_ONCE || opcode == OP_NEED) {
			const skip = load24(program + at + (opcode == OP_ONCE ? 1 : 2));
			const target = at + skip;
			if (target <= at) return VERIFY_TARGET;
			if (target >= bound || !isMarked(bits, target)) return VERIFY_TARGET;
		} else if (opcode == OP_BRANCH) {
			const count: usize = <usize>load<u8>(program + at + 1) + 1;
			const targets = program + at + 2 + count;
			for (let i: usize = 0; i < count; i++) {
				const target: usize = load24(targets + i * 3);
				if (target <= at || target >= bound || !isMarked(bits, target))
					return VERIFY_TARGET;
			}
		}
	}
	return VERIFY_OK;
}
