import {
	C_BRANCH,
	C_FAR_BRANCH,
	C_FLOAT,
	C_FLOAT1,
	C_FLOATS,
	C_ALWAYS,
	C_HEADER_SIZE,
	C_LEAF,
	C_LENGTH,
	C_LEVEL,
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
	C_TRY_LEVEL,
	C_TRY_WILD,
	C_WILD,
	CH_BITS,
	CH_BLOCK,
	CH_ONE_BLOCK,
	CH_SHORT,
	CH_SHORT_SIZE,
	CH_WIDE,
} from "../format/compact";
import { bitmapSize } from "./compact-run";
import {
	FILTER_SIZE,
	MAX_HEAD_BITS,
	MAX_U24,
	MIN_HEAD_BITS,
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

/** A bit for each byte of the program where an instruction begins, and one for each that is jumped to. */
let there: usize = 0;
let wanted: usize = 0;
let program: usize = 0;

/** Where reading has come to and where it has to end; varints may be read past that, which is noticed afterwards. */
let cursor: usize = 0;
let limit: usize = 0;
/** Why reading failed, or VERIFY_OK. */
let failure: u32 = 0;

/** Bytes that hold two bits for each byte of a program. */
export function compactBitsSize(length: usize): usize {
	return ((length + 63) >> 6) << 4;
}

/**
 * Checks what execution relies on, as `verify` does for programs: what passes can be run over any path. `bits` is cleared room of
 * `compactBitsSize` bytes.
 */
export function verifyCompact(at: usize, length: usize, bits: usize): u32 {
	program = at;
	there = bits;
	wanted = bits + (compactBitsSize(length) >> 1);
	const end = at + length;
	if (
		length <= C_ALWAYS ||
		length > <usize>MAX_U24 ||
		load24(at + C_LENGTH) != <u32>length
	)
		return VERIFY_LENGTH;
	const floats: u32 = load<u8>(at, C_FLOATS);
	const table: u32 = load<u8>(at, C_TABLE);
	if (floats > 1 || (table >= <u32>TABLE_COUNT && table != TABLE_NONE))
		return VERIFY_HEADER;
	cursor = at + C_ALWAYS;
	readNumber();
	marks = 0;
	let filter = end;
	if (floats) {
		const distance: usize = load24(cursor);
		cursor += 3;
		readNumber();
		marks = readNumber();
		if (marks > <u32>MAX_U24) return VERIFY_HEADER;
		limit = end;
		failure = VERIFY_OK;
		filter = cursor + distance;
		const heads = cursor;
		skip(distance);
		skip(FILTER_SIZE);
		if (failure) return VERIFY_HEADER;
		cursor = heads;
	}
	if (cursor != at + <usize>load<u8>(at, C_HEADER_SIZE)) return VERIFY_HEADER;
	let reason = verifyPart(cursor, filter, false);
	if (!reason && floats) reason = verifyPart(filter + FILTER_SIZE, end, true);
	if (reason) return reason;
	const size = compactBitsSize(length) >> 1;
	for (let i: usize = 0; i < size; i += 8) {
		if (load<u64>(wanted + i) & ~load<u64>(there + i)) return VERIFY_TARGET;
	}
	return VERIFY_OK;
}

/** Marks that the program at hand has. */
let marks: u32 = 0;

function mark(bits: usize, at: usize): void {
	const offset = at - program;
	const byte = bits + (offset >> 3);
	store<u8>(byte, <u32>load<u8>(byte) | ((<u32>1) << (<u32>offset & 7)));
}

/** Whether an instruction begins `distance` bytes behind the heads. */
function isEntry(heads: usize, distance: usize, code: usize, end: usize): bool {
	const at = heads + distance;
	if (at < code || at >= end) return false;
	const offset = at - program;
	return ((<u32>load<u8>(there + (offset >> 3)) >> (<u32>offset & 7)) & 1) != 0;
}

/** Heads and the code behind them, up to `end`. */
function verifyPart(heads: usize, end: usize, floats: bool): u32 {
	if (heads >= end) return VERIFY_HEADER;
	const flags: u32 = load<u8>(heads);
	const bits = flags & CH_BITS;
	if (bits < <u32>MIN_HEAD_BITS || bits > <u32>MAX_HEAD_BITS)
		return VERIFY_HEADER;
	const map = heads + 1 + (flags & CH_SHORT ? CH_SHORT_SIZE : 0);
	const entries = map + bitmapSize(bits);
	if (entries > end) return VERIFY_HEADER;
	const count = countEntries(map, bits);
	const entrySize: usize = flags & CH_WIDE ? 4 : 3;
	if (count < 0 || <usize>count * entrySize > end - entries)
		return VERIFY_HEADER;
	const code = entries + <usize>count * entrySize;
	const reason = verifyCode(code, end, floats);
	if (reason) return reason;
	if (flags & CH_SHORT && !isEntry(heads, load24(heads + 1), code, end))
		return VERIFY_ENTRY;
	for (let entry = entries; entry < code; entry += entrySize) {
		const distance: usize =
			entrySize == 4 ? load<u32>(entry) >> 8 : <u32>load<u16>(entry, 1);
		if (!isEntry(heads, distance, code, end)) return VERIFY_ENTRY;
	}
	return VERIFY_OK;
}

/** Slots that lead to code, or -1 where the counts between them are wrong. */
function countEntries(map: usize, bits: u32): i32 {
	if (bits <= CH_ONE_BLOCK) {
		let slots = load<u64>(map);
		if (bits < CH_ONE_BLOCK) slots &= ((<u64>1) << (bitmapSize(bits) << 3)) - 1;
		return <i32>popcnt(slots);
	}
	let count: i32 = 0;
	const end = map + bitmapSize(bits);
	for (; map < end; map += CH_BLOCK) {
		if (load<u32>(map, 8) != <u32>count) return -1;
		count += <i32>popcnt(load<u64>(map));
	}
	return count;
}

/** Goes through instructions from `at` to `end` and marks where they begin. */
function verifyCode(at: usize, end: usize, floats: bool): u32 {
	let onceEnd: usize = 0;
	cursor = at;
	limit = end;
	while (cursor < end) {
		const from = cursor++;
		const head: u32 = load<u8>(from);
		// As in `verify`: what takes time in proportion to the path stands behind a ONCE in the literal code.
		const once = head == C_FLOAT || head == C_PREFIXED;
		const misplaced = floats
			? head == C_WILD || head == C_TRY_WILD
			: head == C_ONCE || head == C_FLOAT1;
		if (misplaced || from < onceEnd != once) return VERIFY_OPCODE;
		if (!once) mark(there, from);
		failure = VERIFY_OK;
		readOperands(head);
		if (failure) return failure;
		// Behind a branch its first target is asked for, or there is none.
		const ends =
			head == C_STOP ||
			(head >= C_LEAF && head < C_TRY) ||
			(head >= C_BRANCH && head < C_STOP) ||
			head == C_FAR_BRANCH;
		if (cursor > end || (cursor == end && !ends) || (once && cursor > onceEnd))
			return VERIFY_TRUNCATED;
		if (head == C_ONCE) onceEnd = target;
	}
	return VERIFY_OK;
}

/** Of opcodes of format.ts, those that have another form here or none. */
const OTHERS: u32 =
	(1 << OP_RULE_STOP) | (1 << OP_LITERAL) | (1 << OP_BRANCH) | (1 << OP_NEED);

/** Reads up to the next instruction; what lies behind `limit` is read, too, and has no effect. */
function readOperands(head: u32): void {
	if (head < C_BRANCH) {
		readText(head & C_NUMBER);
		if (head >= C_TRY_LEVEL || (head >= C_LEVEL && head < C_TRY)) readNumber();
	} else if (head < C_STOP) {
		readBranch(<usize>(head & C_NUMBER) + 1, true);
	} else if (head == C_LONG_TEXT) {
		readText(readNumber());
	} else if (head == C_FAR_BRANCH) {
		readBranch(readNumber(), false);
	} else if (head == C_ONCE) {
		const distance: usize = readNumber();
		if (readNumber() >= marks) failure = VERIFY_RANK;
		wantTarget(distance);
	} else if (head > C_TRY_END || ((OTHERS >> (head - C_STOP)) & 1) != 0) {
		failure = VERIFY_OPCODE;
	} else if (head != C_STOP) {
		readNumber();
		if (head > C_RULE_END) readWild(head);
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
	if (cursor > limit || distance >= limit - cursor) failure = VERIFY_TARGET;
	else mark(wanted, target);
}

/** Passes over bytes, unless there are fewer. */
function skip(length: usize): void {
	if (cursor > limit || length > limit - cursor) failure = VERIFY_TRUNCATED;
	else cursor += length;
}

function readText(length: usize): void {
	let at = cursor;
	skip(length);
	if (failure) return;
	// Most texts have no byte of their own.
	while ((at = find(ESCAPE, at, cursor)) < cursor) {
		if (at + 1 == cursor || load<u8>(at, 1) == 0x0a) {
			failure = VERIFY_BYTE;
			return;
		}
		at += 2;
	}
}

function readBranch(count: usize, near: bool): void {
	const bytes = cursor;
	const width: usize = near ? 1 : 3;
	const arms = near ? count - 1 : count;
	if (count - 1 > 255) failure = VERIFY_TRUNCATED;
	else skip(count + arms * width);
	if (failure) return;
	if (find(0x0a, bytes, bytes + count) < bytes + count) failure = VERIFY_BYTE;
	if (near) wantTarget(0);
	for (let at = bytes + count; at < cursor; at += width)
		wantTarget(near ? <usize>load<u8>(at) : <usize>load24(at));
}

function readWild(head: u32): void {
	const size: usize = readNumber();
	const from = cursor;
	skip(size);
	if (failure) return;
	const outer = limit;
	limit = cursor;
	cursor = from;
	if (head >= C_LONG_TRY) readText(readNumber());
	if (head == C_FLOAT1) {
		cursor++;
		readNumber();
		readText(limit - cursor);
	} else if (head != C_LONG_TRY && head != C_TRY_END) {
		if (head == C_PREFIXED) readBytes(readNumber());
		cursor++;
		for (let count = readNumber(); count && !failure; count--) {
			const literal = readNumber();
			readBytes(literal >> 1);
			if (literal & 1) readBytes(readNumber());
		}
	}
	if (cursor != limit) failure = VERIFY_TRUNCATED;
	limit = outer;
}

/** A text that may not be empty. */
function readBytes(length: u32): void {
	if (length == 0) failure = VERIFY_TRUNCATED;
	skip(length);
}
