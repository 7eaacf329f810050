/**
 * Verifies compact programs, as match/verify.ts does programs: whatever passes can run over any path without leaving its code. snapshot.ts
 * calls it for every program of a snapshot that is loaded. `run` in compact-run.ts checks nothing, so everything that it relies on is
 * checked here.
 */
import {
	bitsSize,
	fail,
	hasBit,
	holdsLineFeed,
	isSubset,
	load24,
	pass,
	passSome,
	passTail,
	read24,
	readByte,
	reader,
	readFrom,
	readNumber,
	setBit,
} from "../bytes/numbers";
import { find } from "../bytes/scan";
import {
	C_ALWAYS,
	C_HEADER_SIZE,
	C_LENGTH,
	C_TABLE,
	C_UNANCHORED,
	CJ_BITS,
	CJ_BLOCK,
	CJ_ONE_BLOCK,
	CJ_SHORT,
	CJ_SHORT_SIZE,
	CJ_WIDE,
} from "../format/compact";
import {
	C_NUMBER,
	C_PLAIN,
	ENDS,
	GUARDED,
	GUARDS,
	OPERAND_AFTER,
	OPERAND_ARMS,
	OPERAND_BEFORE,
	OPERAND_BIT,
	OPERAND_BITS,
	OPERAND_FLAGS,
	OPERAND_LENGTH,
	OPERAND_MASK,
	OPERAND_PREFIX,
	OPERAND_RANK,
	OPERAND_SIZE,
	OPERAND_SKIP,
	OPERAND_SLOTS,
	OPERAND_TAIL,
	OPERAND_TEXT,
	UNKNOWN,
} from "../format/opcodes";
import {
	FILTER_SIZE,
	MAX_JUMP_BITS,
	MAX_U24,
	MIN_JUMP_BITS,
	TABLE_COUNT,
	TABLE_NONE,
	VERIFY_BYTE,
	VERIFY_ENTRY,
	VERIFY_HEADER,
	VERIFY_LENGTH,
	VERIFY_OK,
	VERIFY_OPCODE,
	VERIFY_RANK,
	VERIFY_TARGET,
	VERIFY_TRUNCATED,
} from "../format/program";
import {
	compactOperandsOf,
	compactTraitsOf,
	isMisplaced,
	readHashBits,
} from "../match/operands";
import { bitmapSize } from "./compact-run";
import { ESCAPE } from "./string-table";

/** The program, and a bit for each of its bytes: does an instruction begin there, is it the target of a jump? */
let program: usize = 0;
let instructions: usize = 0;
let targets: usize = 0;
/** Bits of the program's visited set. */
let visitedBits: u32 = 0;

/**
 * Checks everything that execution relies on, like `verify` for programs: a program that passes can run over any path. `bits` are
 * `bitsSize` bytes of zeros.
 */
export function verifyCompact(at: usize, length: usize, bits: usize): u32 {
	program = at;
	instructions = bits;
	targets = bits + (bitsSize(length) >> 1);
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
	// The reader notes the first fault and gives zeros from then on, so that it is asked once after several reads.
	readFrom(at + C_ALWAYS, end);
	readNumber();
	visitedBits = 0;
	let filter = end;
	if (unanchored) {
		const distance: usize = read24();
		readNumber();
		visitedBits = readNumber();
		const table = reader.at;
		filter = table + distance;
		// Only to see that the filter and what precedes it lie within the program.
		pass(distance);
		pass(FILTER_SIZE);
		reader.at = table;
	}
	const prefixes = at + <usize>load<u8>(at, C_HEADER_SIZE);
	// The header ends exactly where the first jump table begins: a program has one encoding, and no byte that nobody has looked at.
	if (reader.fault || reader.at != prefixes || visitedBits > <u32>MAX_U24)
		return VERIFY_HEADER;
	let reason = verifyPart(prefixes, filter, false);
	if (!reason && unanchored)
		reason = verifyPart(filter + FILTER_SIZE, end, true);
	if (reason) return reason;
	// Targets are compared with instructions only now, as most of them lie ahead of what jumps there.
	return isSubset(targets, instructions, bitsSize(length) >> 1)
		? VERIFY_OK
		: VERIFY_TARGET;
}

/** Whether an instruction begins `distance` bytes after the start of the jump table. */
function isInstruction(
	table: usize,
	distance: usize,
	code: usize,
	end: usize,
): bool {
	const at = table + distance;
	return at >= code && at < end && hasBit(instructions, at - program);
}

/** Verifies a jump table and the code after it, up to `end`. */
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
	// Compared with what is left, not added to an address, which could overflow.
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
		// `tableEntry` adds this count to an address without a check.
		if (load<u32>(map, 8) != <u32>count) return -1;
		count += <i32>popcnt(load<u64>(map));
	}
	return count;
}

/** Verifies the instructions from `at` to `end` and notes where they begin. */
function verifyCode(at: usize, end: usize, unanchored: bool): u32 {
	// Where the instructions end that a guard stands for; what may be there depends on it.
	let guardEnd: usize = 0;
	readFrom(at, end);
	while (reader.at < end) {
		const from = reader.at;
		const opcode = readByte();
		const operands = compactOperandsOf(opcode);
		if (operands == UNKNOWN) return VERIFY_OPCODE;
		const traits = compactTraitsOf(opcode);
		if (isMisplaced(traits, unanchored, from < guardEnd)) return VERIFY_OPCODE;
		// What stands after a guard belongs to it: nothing may jump there without it.
		if (!(traits & GUARDED)) setBit(instructions, from - program);
		readOperands(opcode, operands);
		if (reader.fault) return reader.fault;
		// `run` goes on until an instruction ends the code, so the last one has to.
		if (reader.at == end && !(traits & ENDS)) return VERIFY_TRUNCATED;
		// What goes on past its guard's target has that target within it, which is refused in the end.
		if (traits & GUARDS) guardEnd = target;
	}
	return VERIFY_OK;
}

/** Reads up to the next instruction. */
function readOperands(opcode: u32, operands: u32): void {
	// Most instructions by far are short texts.
	if (operands == OPERAND_TEXT) return passText(opcode & C_NUMBER);
	/** Symbols or arms. */
	let count: u32 = 0;
	let near = opcode < <u32>C_PLAIN;
	if (near) count = opcode & C_NUMBER;
	let distance: usize = -1;
	/** The end of the operands that follow, where they say so, and of the code. */
	let end: usize = 0;
	// Operands with a size are read within it, as `run` skips by it.
	const outer = reader.end;
	for (; operands && !reader.fault; operands >>= OPERAND_BITS) {
		switch (operands & OPERAND_MASK) {
			case OPERAND_RANK:
			case OPERAND_AFTER:
				readNumber();
				break;
			case OPERAND_SIZE: {
				const size: usize = readNumber();
				const at = pass(size);
				if (reader.fault) break;
				end = at + size;
				reader.at = at;
				reader.end = end;
				break;
			}
			case OPERAND_SKIP:
				distance = readNumber();
				break;
			case OPERAND_BIT:
				if (readNumber() >= visitedBits) fail(VERIFY_RANK);
				break;
			case OPERAND_FLAGS:
				readByte();
				break;
			case OPERAND_LENGTH:
				count = readNumber();
				near = false;
				break;
			case OPERAND_TEXT:
				passText(count);
				break;
			case OPERAND_ARMS:
				readArms(near ? count + 1 : count, near);
				break;
			case OPERAND_SLOTS:
				readSlots();
				break;
			case OPERAND_BEFORE:
				passText(end - reader.at);
				break;
			case OPERAND_PREFIX:
				passSome(readNumber());
				break;
			case OPERAND_TAIL:
				passTail();
				break;
		}
	}
	if (distance != -1 && !reader.fault) noteTarget(distance);
	if (end && reader.at != end) fail(VERIFY_TRUNCATED);
	reader.end = outer;
}

/** The target that was noted last. */
let target: usize = 0;

/** Notes a target, which lies `distance` bytes after the reader's position. */
function noteTarget(distance: usize): void {
	target = reader.at + distance;
	if (distance >= reader.end - reader.at) fail(VERIFY_TARGET);
	else setBit(targets, target - program);
}

/** Passes over the symbols of a text. */
function passText(length: usize): void {
	let at = pass(length);
	if (reader.fault) return;
	const end = reader.at;
	// Most texts have no byte of their own.
	while ((at = find(ESCAPE, at, end)) < end) {
		// A line feed in a text would match beyond the end of its line.
		if (at + 1 == end || load<u8>(at, 1) == 0x0a) return fail(VERIFY_BYTE);
		at += 2;
	}
}

/** The slots of a HASH: a bitmap, and a distance from it for each of its bits. */
function readSlots(): void {
	const bits = readHashBits(readByte());
	const map = pass(bitmapSize(bits));
	if (reader.fault) return;
	const count = countEntries(map, bits);
	if (count < 0) return fail(VERIFY_ENTRY);
	let entry = pass(<usize>count * 3);
	if (reader.fault) return;
	for (const end = reader.at; entry < end; entry += 3)
		// What leads into the slots is a distance that wraps round, and so too far.
		noteTarget(map + <usize>load24(entry) - end);
}

/** The bytes of a branch and their distances; near ones have none for the first arm. */
function readArms(count: u32, near: bool): void {
	const width: usize = near ? 1 : 3;
	const arms = near ? count - 1 : count;
	// Also refuses 0 arms, as the difference wraps round.
	if (count - 1 > 255) return fail(VERIFY_TRUNCATED);
	const bytes = pass(count);
	let distance = pass(arms * width);
	if (reader.fault) return;
	if (holdsLineFeed(bytes, count)) fail(VERIFY_BYTE);
	if (near) noteTarget(0);
	for (const end = reader.at; distance < end; distance += width)
		noteTarget(near ? <usize>load<u8>(distance) : <usize>load24(distance));
}
