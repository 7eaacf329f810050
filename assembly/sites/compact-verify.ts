import {
	C_BRANCH,
	C_FAR_BRANCH,
	C_FLOAT,
	C_FLOAT1,
	C_UNANCHORED,
	C_ALWAYS,
	C_HEADER_SIZE,
	C_LEAF,
	C_LENGTH,
	C_PRIORITY,
	C_LONG_TEXT,
	C_LONG_TRY,
	C_NUMBER,
	C_ONCE,
	C_PREFIXED,
	C_RULE_END,
	C_STOP,
	C_TABLE,
	C_TRY,
	C_TRY_END,
	C_TRY_PRIORITY,
	C_TRY_WILD,
	C_WILD,
	CJ_BITS,
	CJ_BLOCK,
	CJ_ONE_BLOCK,
	CJ_SHORT,
	CJ_SHORT_SIZE,
	CJ_WIDE,
} from "../format/compact";
import { bitmapSize } from "./compact-run";
import {
	FILTER_SIZE,
	MAX_JUMP_BITS,
	MAX_U24,
	MIN_JUMP_BITS,
	OP_BRANCH,
	OP_LITERAL,
	OP_NEED,
	OP_RULE_STOP,
	TABLE_COUNT,
	TABLE_NONE,
	VERIFY_ENTRY,
	VERIFY_HEADER,
	VERIFY_LENGTH,
	VERIFY_BYTE,
	VERIFY_OK,
	VERIFY_OPCODE,
	VERIFY_RANK,
	VERIFY_TARGET,
	VERIFY_TRUNCATED,
} from "../format/program";
import { load24 } from "../bytes/memory";
import { find } from "../bytes/scan";
import { ESCAPE } from "./string-table";

/** A bit for each byte of the program: does an instruction begin there, is it the target of a jump? */
let instructions: usize = 0;
let targets: usize = 0;
let program: usize = 0;

/** Current position, and where reading has to end. Varints may be read past that end, which is checked afterwards. */
let cursor: usize = 0;
let readEnd: usize = 0;
/** Why reading failed, or VERIFY_OK. */
let fault: u32 = 0;

/** Bytes that hold two bits for each byte of a program. */
export function compactBitsSize(length: usize): usize {
	return ((length + 63) >> 6) << 4;
}

/**
 * Checks everything that execution relies on, like `verify` for programs: a program that passes can run over any path. `bits` are
 * `compactBitsSize` bytes of zeros.
 */
export function verifyCompact(at: usize, length: usize, bits: usize): u32 {
	program = at;
	instructions = bits;
	targets = bits + (compactBitsSize(length) >> 1);
	const end = at + length;
	if (
		length <= C_ALWAYS ||
		length > <usize>MAX_U24 ||
		load24(at + C_LENGTH) != <u32>length
	)
		return VERIFY_LENGTH;
	const unanchored: u32 = load<u8>(at, C_UNANCHORED);
	const table: u32 = load<u8>(at, C_TABLE);
	if (unanchored > 1 || (table >= <u32>TABLE_COUNT && table != TABLE_NONE))
		return VERIFY_HEADER;
	cursor = at + C_ALWAYS;
	readNumber();
	visitedBits = 0;
	let filter = end;
	if (unanchored) {
		const distance: usize = load24(cursor);
		cursor += 3;
		readNumber();
		visitedBits = readNumber();
		if (visitedBits > <u32>MAX_U24) return VERIFY_HEADER;
		readEnd = end;
		fault = VERIFY_OK;
		filter = cursor + distance;
		const table = cursor;
		skip(distance);
		skip(FILTER_SIZE);
		if (fault) return VERIFY_HEADER;
		cursor = table;
	}
	if (cursor != at + <usize>load<u8>(at, C_HEADER_SIZE)) return VERIFY_HEADER;
	let reason = verifyPart(cursor, filter, false);
	if (!reason && unanchored)
		reason = verifyPart(filter + FILTER_SIZE, end, true);
	if (reason) return reason;
	const size = compactBitsSize(length) >> 1;
	for (let i: usize = 0; i < size; i += 8) {
		if (load<u64>(targets + i) & ~load<u64>(instructions + i))
			return VERIFY_TARGET;
	}
	return VERIFY_OK;
}

/** Bits of the program's visited set. */
let visitedBits: u32 = 0;

function setBit(bits: usize, at: usize): void {
	const offset = at - program;
	const byte = bits + (offset >> 3);
	store<u8>(byte, <u32>load<u8>(byte) | ((<u32>1) << (<u32>offset & 7)));
}

/** Whether an instruction begins `distance` bytes behind the start of the jump table. */
function isInstruction(
	table: usize,
	distance: usize,
	code: usize,
	end: usize,
): bool {
	const at = table + distance;
	if (at < code || at >= end) return false;
	const offset = at - program;
	return (
		((<u32>load<u8>(instructions + (offset >> 3)) >> (<u32>offset & 7)) & 1) !=
		0
	);
}

/** Verifies a jump table and the code behind it, up to `end`. */
function verifyPart(table: usize, end: usize, unanchored: bool): u32 {
	if (table >= end) return VERIFY_HEADER;
	const flags: u32 = load<u8>(table);
	const bits = flags & CJ_BITS;
	if (bits < <u32>MIN_JUMP_BITS || bits > <u32>MAX_JUMP_BITS)
		return VERIFY_HEADER;
	const map = table + 1 + (flags & CJ_SHORT ? CJ_SHORT_SIZE : 0);
	const entries = map + bitmapSize(bits);
	if (entries > end) return VERIFY_HEADER;
	const count = countEntries(map, bits);
	const entrySize: usize = flags & CJ_WIDE ? 4 : 3;
	if (count < 0 || <usize>count * entrySize > end - entries)
		return VERIFY_HEADER;
	const code = entries + <usize>count * entrySize;
	const reason = verifyCode(code, end, unanchored);
	if (reason) return reason;
	if (flags & CJ_SHORT && !isInstruction(table, load24(table + 1), code, end))
		return VERIFY_ENTRY;
	for (let entry = entries; entry < code; entry += entrySize) {
		const distance: usize =
			entrySize == 4 ? load<u32>(entry) >> 8 : <u32>load<u16>(entry, 1);
		if (!isInstruction(table, distance, code, end)) return VERIFY_ENTRY;
	}
	return VERIFY_OK;
}

/** Number of slots that lead to code, or -1 if the counts between them are wrong. */
function countEntries(map: usize, bits: u32): i32 {
	if (bits <= CJ_ONE_BLOCK) {
		let slots = load<u64>(map);
		if (bits < CJ_ONE_BLOCK) slots &= ((<u64>1) << (bitmapSize(bits) << 3)) - 1;
		return <i32>popcnt(slots);
	}
	let count: i32 = 0;
	const end = map + bitmapSize(bits);
	for (; map < end; map += CJ_BLOCK) {
		if (load<u32>(map, 8) != <u32>count) return -1;
		count += <i32>popcnt(load<u64>(map));
	}
	return count;
}

/** Verifies the instructions from `at` to `end` and notes where they begin. */
function verifyCode(at: usize, end: usize, unanchored: bool): u32 {
	let onceEnd: usize = 0;
	cursor = at;
	readEnd = end;
	while (cursor < end) {
		const from = cursor++;
		const opcode: u32 = load<u8>(from);
		// As in `verify`: wildcards follow a ONCE in the code of unanchored patterns.
		const once = opcode == C_FLOAT || opcode == C_PREFIXED;
		const misplaced = unanchored
			? opcode == C_WILD || opcode == C_TRY_WILD
			: opcode == C_ONCE || opcode == C_FLOAT1;
		if (misplaced || from < onceEnd != once) return VERIFY_OPCODE;
		if (!once) setBit(instructions, from);
		fault = VERIFY_OK;
		readOperands(opcode);
		if (fault) return fault;
		// Code may end with a branch: its first target follows or is far.
		const ends =
			opcode == C_STOP ||
			(opcode >= C_LEAF && opcode < C_TRY) ||
			(opcode >= C_BRANCH && opcode < C_STOP) ||
			opcode == C_FAR_BRANCH;
		if (cursor > end || (cursor == end && !ends) || (once && cursor > onceEnd))
			return VERIFY_TRUNCATED;
		if (opcode == C_ONCE) onceEnd = target;
	}
	return VERIFY_OK;
}

/** Of opcodes of format/program.ts, those that have another form here or none. */
const OTHERS: u32 =
	(1 << OP_RULE_STOP) | (1 << OP_LITERAL) | (1 << OP_BRANCH) | (1 << OP_NEED);

/** Reads up to the next instruction; may read past `readEnd`, without an effect. */
function readOperands(opcode: u32): void {
	if (opcode < C_BRANCH) {
		readText(opcode & C_NUMBER);
		if (opcode >= C_TRY_PRIORITY || (opcode >= C_PRIORITY && opcode < C_TRY))
			readNumber();
	} else if (opcode < C_STOP) {
		readBranch(<usize>(opcode & C_NUMBER) + 1, true);
	} else if (opcode == C_LONG_TEXT) {
		readText(readNumber());
	} else if (opcode == C_FAR_BRANCH) {
		readBranch(readNumber(), false);
	} else if (opcode == C_ONCE) {
		const distance: usize = readNumber();
		if (readNumber() >= visitedBits) fault = VERIFY_RANK;
		wantTarget(distance);
	} else if (opcode > C_TRY_END || ((OTHERS >> (opcode - C_STOP)) & 1) != 0) {
		fault = VERIFY_OPCODE;
	} else if (opcode != C_STOP) {
		readNumber();
		if (opcode > C_RULE_END) readWild(opcode);
	}
}

/** As readVarint in run.ts. */
function readNumber(shift: u32 = 0): u32 {
	const byte: u32 = load<u8>(cursor++);
	const value = (byte & 127) << shift;
	return byte < 128 || shift == 21 ? value : value | readNumber(shift + 7);
}

/** The target that was read last. */
let target: usize = 0;

/** A target that lies `distance` bytes behind the cursor. */
function wantTarget(distance: usize): void {
	target = cursor + distance;
	if (cursor > readEnd || distance >= readEnd - cursor) fault = VERIFY_TARGET;
	else setBit(targets, target);
}

/** Skips bytes; a fault if there are fewer. */
function skip(length: usize): void {
	if (cursor > readEnd || length > readEnd - cursor) fault = VERIFY_TRUNCATED;
	else cursor += length;
}

function readText(length: usize): void {
	let at = cursor;
	skip(length);
	if (fault) return;
	// Most texts have no byte of their own.
	while ((at = find(ESCAPE, at, cursor)) < cursor) {
		if (at + 1 == cursor || load<u8>(at, 1) == 0x0a) {
			fault = VERIFY_BYTE;
			return;
		}
		at += 2;
	}
}

function readBranch(count: usize, near: bool): void {
	const bytes = cursor;
	const width: usize = near ? 1 : 3;
	const arms = near ? count - 1 : count;
	if (count - 1 > 255) fault = VERIFY_TRUNCATED;
	else skip(count + arms * width);
	if (fault) return;
	if (find(0x0a, bytes, bytes + count) < bytes + count) fault = VERIFY_BYTE;
	if (near) wantTarget(0);
	for (let at = bytes + count; at < cursor; at += width)
		wantTarget(near ? <usize>load<u8>(at) : <usize>load24(at));
}

function readWild(opcode: u32): void {
	const size: usize = readNumber();
	const from = cursor;
	skip(size);
	if (fault) return;
	const outer = readEnd;
	readEnd = cursor;
	cursor = from;
	if (opcode >= C_LONG_TRY) readText(readNumber());
	if (opcode == C_FLOAT1) {
		cursor++;
		readNumber();
		readText(readEnd - cursor);
	} else if (opcode != C_LONG_TRY && opcode != C_TRY_END) {
		if (opcode == C_PREFIXED) readBytes(readNumber());
		cursor++;
		for (let count = readNumber(); count && !fault; count--) {
			const literal = readNumber();
			readBytes(literal >> 1);
			if (literal & 1) readBytes(readNumber());
		}
	}
	if (cursor != readEnd) fault = VERIFY_TRUNCATED;
	readEnd = outer;
}

/** A text that may not be empty. */
function readBytes(length: u32): void {
	if (length == 0) fault = VERIFY_TRUNCATED;
	skip(length);
}
