import {
	C_BRANCH,
	C_FAR_BRANCH,
	C_ALWAYS,
	C_HEADER_SIZE,
	C_UNANCHORED,
	C_LEAF,
	C_PRIORITY,
	C_LONG_TEXT,
	C_LOWEST,
	C_NUMBER,
	C_STOP,
	C_TABLE,
	C_LONG_TRY,
	C_TEXT,
	C_TRY,
	C_TRY_END,
	C_TRY_WILD,
	CJ_BLOCK,
	CJ_ONE_BLOCK,
	CJ_SHORT,
	CJ_SHORT_SIZE,
	CJ_WIDE,
} from "../format/compact";
import { bitmapSize } from "./compact-run";
import { behind, readVarint } from "../bytes/varint";
import {
	FILTER_SIZE,
	H_ALWAYS,
	H_BYTE_LENGTH,
	H_UNANCHORED,
	H_VISITED,
	H_RANKS,
	H_TABLE,
	HEADER_SIZE,
	JUMP_BITS,
	JUMP_SHORT,
	JUMP_SLOTS,
	MAX_U24,
	BYTE_SET_SIZE,
	OP_BRANCH,
	OP_FLOAT1,
	OP_LITERAL,
	OP_NEED,
	OP_ONCE,
	OP_RULE_END,
	OP_RULE_STOP,
	OP_STOP,
	OP_TEXT,
	OP_TEXT_WILD,
	TEXT_END,
	TEXT_LAST,
	TEXT_LENGTH,
} from "../format/program";
import { slotsEnd } from "../match/candidates";
import { allocate, load24, store24 } from "../bytes/memory";
import { encodeText } from "./string-table";

/**
 * Turns a verified program into a compact one. It is written from its end to its start, so that the distance of every target is
 * known when it is needed.
 */

/** The program, and the start of what has been written of its compact form. */
let program: usize = 0;
let out: usize = 0;
/** For each offset of an instruction a u32: where its compact form begins. */
let compactOffsets: usize = 0;
/** u32 offsets of the program's instructions. */
let offsets: usize = 0;
/** u32 priorities of the encoded ranks. */
let priorities: usize = 0;
/** Room for the symbols of one text. */
let text: usize = 0;

/** Bytes of room for a compact program: texts may double, branches take two bytes more, jump tables of few slots too. */
function roomFor(length: usize): usize {
	return length * 2 + 512;
}

/** The block that `pack` allocated; the caller releases it. */
export let packed: usize = 0;

/**
 * Writes the compact form of the verified program at `from` into a block, `packed`, and returns its start; 0 if there is no room.
 */
export function pack(from: usize): usize {
	const length: usize = load<u32>(from, H_BYTE_LENGTH);
	const ranks = load<u32>(from, H_RANKS) * 2 + 2;
	const room = roomFor(length);
	packed = allocate(room + length * 10 + <usize>ranks * 4);
	if (!packed) return 0;
	program = from;
	compactOffsets = packed + room;
	offsets = compactOffsets + length * 4;
	priorities = offsets + length * 4;
	text = priorities + <usize>ranks * 4;
	memory.fill(priorities, 0, <usize>ranks * 4);

	const literals: usize = load<u32>(from, H_UNANCHORED);
	noteRank(load<u32>(from, H_ALWAYS));
	const prefixCount = listOffsets(HEADER_SIZE, literals ? literals : length, 0);
	const count = literals
		? listOffsets(literals + FILTER_SIZE, length, prefixCount)
		: prefixCount;
	setPriorities(ranks);
	out = compactOffsets;
	packProgram(literals, prefixCount, count);
	return compactOffsets - out > <usize>MAX_U24 ? 0 : out;
}

/** A program whose filter is at offset `literals`, or 0, and its instructions' numbers. */
function packProgram(literals: usize, prefixCount: usize, count: usize): void {
	largest = 0;
	if (literals) {
		packCode(prefixCount, count);
		packTable(literals + FILTER_SIZE);
		out -= FILTER_SIZE;
		memory.copy(out, program + literals, FILTER_SIZE);
	}
	const filter = out;
	const largestFloating = largest;
	packCode(0, prefixCount);
	packTable(HEADER_SIZE);
	const table = out;
	if (literals) {
		number(load<u32>(program, H_VISITED));
		number(largestFloating);
		out -= 3;
		store24(out, <u32>(filter - table));
	}
	number(priorityOf(load<u32>(program, H_ALWAYS)));
	out -= C_ALWAYS;
	store<u32>(out, <u32>(compactOffsets - out));
	store<u8>(out, <u8>(table - out), C_HEADER_SIZE);
	store<u8>(out, literals ? 1 : 0, C_UNANCHORED);
	store<u8>(out, load<u8>(program, H_TABLE), C_TABLE);
}

function byte(value: u32): void {
	store<u8>(--out, value);
}

function number(value: u32): void {
	if (value > 127) {
		number(value >> 7);
		value = (value & 127) | 128;
	}
	byte(value);
}

function noteRank(encoded: u32): void {
	store<u32>(priorities + ((<usize>encoded) << 2), 1);
}

function priorityOf(encoded: u32): u32 {
	return load<u32>(priorities + ((<usize>encoded) << 2));
}

/** The largest priority met. */
let largest: u32 = 0;

/** Numbers the encoded ranks in use, which are below `end`. */
function setPriorities(end: u32): void {
	store<u32>(priorities, 0);
	let current: u32 = 0;
	for (let encoded: u32 = 1; encoded < end; encoded++) {
		if (!priorityOf(encoded)) continue;
		if (current == 0) current = C_LOWEST - (encoded & 1);
		else if ((current ^ encoded) & 1) current++;
		store<u32>(priorities + ((<usize>encoded) << 2), current);
	}
}

/** Where the code behind the jump table at offset `table` begins. */
function codeOf(table: usize): usize {
	const at = program + table;
	const end = table + slotsEnd(load<u32>(at, JUMP_BITS));
	return load<u32>(at, JUMP_SHORT) ? end + BYTE_SET_SIZE : end;
}

function sizeOf(pc: usize): usize {
	const opcode: u32 = load<u8>(pc);
	if (opcode == OP_STOP) return 1;
	if (opcode <= <u32>OP_RULE_END) return 4;
	if (opcode == OP_LITERAL) return <usize>load<u8>(pc, 1) + 2;
	if (opcode == OP_BRANCH) return (<usize>load<u8>(pc, 1) + 1) * 4 + 2;
	if (opcode == OP_TEXT) return <usize>(load<u8>(pc, 1) & TEXT_LENGTH) + 6;
	if (opcode == OP_TEXT_WILD) return load<u8>(pc, 1);
	if (opcode == OP_NEED) return 5;
	return opcode == OP_ONCE ? 7 : load24(pc + 1);
}

/** Lists the instructions of a part from number `count` on, and notes ranks in use; returns the next number. */
function listOffsets(table: usize, end: usize, count: usize): usize {
	for (let offset = codeOf(table); offset < end; ) {
		store<u32>(offsets + (count++ << 2), <u32>offset);
		const pc = program + offset;
		const opcode: u32 = load<u8>(pc);
		if (hasRank(opcode)) noteRank(load24(rankOf(pc)));
		offset += sizeOf(pc);
	}
	return count;
}

/** Whether an instruction is about a rule. */
function hasRank(opcode: u32): bool {
	return (
		opcode != OP_STOP &&
		opcode != OP_LITERAL &&
		opcode != OP_BRANCH &&
		opcode != OP_NEED &&
		opcode != OP_ONCE
	);
}

/** Address of its rank. */
function rankOf(pc: usize): usize {
	const opcode: u32 = load<u8>(pc);
	if (opcode == OP_TEXT) return pc + 2;
	if (opcode == OP_TEXT_WILD) return pc + 3;
	return opcode > <u32>OP_RULE_END ? pc + 4 : pc + 1;
}

function placeOf(offset: usize): usize {
	return load<u32>(compactOffsets + (offset << 2));
}

/** The instructions with numbers from `first` to `last`, the last one first. */
function packCode(first: usize, last: usize): void {
	for (let i = last; i > first; ) {
		i--;
		const offset: usize = load<u32>(offsets + (i << 2));
		// What slots without texts lead to, which have no entry.
		if (i > first || load<u8>(program + offset) != OP_STOP)
			packInstruction(offset);
		store<u32>(compactOffsets + (offset << 2), <u32>out);
	}
}

function packInstruction(offset: usize): void {
	const pc = program + offset;
	const opcode: u32 = load<u8>(pc);
	if (opcode == OP_LITERAL) return packText(pc);
	if (opcode == OP_BRANCH) return packBranch(pc);
	if (opcode == OP_TEXT || opcode == OP_TEXT_WILD)
		return packRuleText(pc, opcode == OP_TEXT_WILD);
	let compact = C_STOP + opcode;
	// What it saves, an index does not need.
	if (opcode == OP_NEED) return;
	if (opcode == OP_ONCE) {
		const distance = placeOf(offset + load24(pc + 1)) - out;
		number(load24(pc + 4));
		number(<u32>distance);
	} else if (opcode != OP_STOP) {
		if (opcode > <u32>OP_RULE_END) {
			const behind = out;
			if (opcode == OP_FLOAT1) packBefore(pc);
			else copy(pc + 7, pc + <usize>load24(pc + 1));
			number(<u32>(behind - out));
		}
		const priority = priorityAt(pc);
		if (opcode == OP_RULE_STOP)
			compact = priority == C_LOWEST ? C_LEAF : C_PRIORITY;
		if (compact != C_LEAF) number(priority);
	}
	byte(compact);
}

/** Operands of a FLOAT1. */
function packBefore(pc: usize): void {
	const length: usize = readVarint(pc + 8);
	const before = behind;
	copy(text, encodeText(before, before + length, text));
	number(readVarint(before + length));
	byte(load<u8>(pc, 7));
}

function copy(from: usize, end: usize): void {
	out -= end - from;
	memory.copy(out, from, end - from);
}

function packText(pc: usize): void {
	const from = pc + 2;
	const end = from + <usize>load<u8>(pc, 1);
	const size = encodeText(from, end, text) - text;
	copy(text, text + size);
	if (size <= <usize>C_NUMBER) {
		byte(C_TEXT | <u32>size);
	} else {
		number(<u32>size);
		byte(C_LONG_TEXT);
	}
}

/** The priority of an instruction about a rule. */
function priorityAt(pc: usize): u32 {
	const priority = priorityOf(load24(rankOf(pc)));
	largest = max(largest, priority);
	return priority;
}

/** A TEXT or TEXT_WILD. */
function packRuleText(pc: usize, wild: bool): void {
	const shape: u32 = load<u8>(wild ? pc + 2 : pc + 1);
	const from = pc + (wild ? 6 : 5);
	const end = from + <usize>(shape & TEXT_LENGTH) + 1;
	const size = encodeText(from, end, text) - text;
	const priority = priorityAt(pc);
	const last = (shape & TEXT_LAST) != 0;
	if (!wild && !(shape & TEXT_END) && size <= <usize>C_NUMBER) {
		const lowest = priority == C_LOWEST;
		if (!lowest) number(priority);
		copy(text, text + size);
		let opcode = last ? C_LEAF : C_TRY;
		if (!lowest) opcode += 0x20;
		byte(opcode | <u32>size);
		return;
	}
	if (last) byte(C_STOP);
	const behind = out;
	if (wild) copy(end, pc + <usize>load<u8>(pc, 1));
	copy(text, text + size);
	number(<u32>size);
	number(<u32>(behind - out));
	number(priority);
	byte(wild ? C_TRY_WILD : shape & TEXT_END ? C_TRY_END : C_LONG_TRY);
}

function packBranch(pc: usize): void {
	const end = out;
	const arms: usize = <usize>load<u8>(pc, 1) + 1;
	const bytes = pc + 2;
	const targets = bytes + arms;
	let near = arms <= <usize>C_NUMBER + 1 && placeOf(load24(targets)) == end;
	for (let arm: usize = 0; arm < arms; arm++)
		near = near && placeOf(load24(targets + arm * 3)) - end <= 0xff;
	const least: usize = near ? 1 : 0;
	const width: usize = near ? 1 : 3;
	for (let arm = arms; arm > least; ) {
		const distance = placeOf(load24(targets + --arm * 3)) - end;
		out -= width;
		if (near) store<u8>(out, <u8>distance);
		else store24(out, <u32>distance);
	}
	out -= arms;
	memory.copy(out, bytes, arms);
	if (!near) number(<u32>arms);
	byte(near ? C_BRANCH | (<u32>arms - 1) : C_FAR_BRANCH);
}

/** Whether anything can match at an offset. */
function isCode(offset: usize): bool {
	return load<u8>(program + offset) != OP_STOP;
}

/** Writes a jump table, which is at offset `table` of the program, in front of its code, which has been written last. */
function packTable(table: usize): void {
	const at = program + table;
	const bits = load<u32>(at, JUMP_BITS);
	let short: usize = load<u32>(at, JUMP_SHORT);
	if (short && !isCode(short)) short = 0;
	const slots = at + JUMP_SLOTS;
	const count: usize = (<usize>1) << bits;
	let used: usize = 0;
	let furthest: usize = 0;
	for (let i: usize = 0; i < count; i++) {
		const slot = load<u32>(slots + (i << 2));
		if (!isCode(slot >> 8)) continue;
		used++;
		furthest = max(furthest, placeOf(slot >> 8) - out);
	}
	let fixed = bitmapSize(bits) + 1;
	if (short) fixed += CJ_SHORT_SIZE;
	const wide = fixed + used * 3 + furthest > 0xffff;
	const entrySize: usize = wide ? 4 : 3;
	out -= fixed + used * entrySize;
	let flags = bits;
	if (wide) flags |= CJ_WIDE;
	let map = out + 1;
	if (short) {
		flags |= CJ_SHORT;
		store24(map, <u32>(placeOf(short) - out));
		memory.copy(map + 3, at + slotsEnd(bits), BYTE_SET_SIZE);
		map += CJ_SHORT_SIZE;
	}
	store<u8>(out, flags);
	let entry = map + bitmapSize(bits);
	memory.fill(map, 0, entry - map);
	let entries: u32 = 0;
	for (let i: usize = 0; i < count; i++) {
		if (bits > CJ_ONE_BLOCK && (i & 63) == 0)
			store<u32>(map + (i >> 6) * CJ_BLOCK + 8, entries);
		const slot = load<u32>(slots + (i << 2));
		if (!isCode(slot >> 8)) continue;
		const byte =
			bits > CJ_ONE_BLOCK
				? map + (i >> 6) * CJ_BLOCK + ((i & 63) >> 3)
				: map + (i >> 3);
		store<u8>(byte, <u32>load<u8>(byte) | (1 << (<u32>i & 7)));
		const distance = <u32>(placeOf(slot >> 8) - out);
		store<u8>(entry, slot);
		store<u16>(entry, <u16>distance, 1);
		if (wide) store<u8>(entry, distance >> 16, 3);
		entry += entrySize;
		entries++;
	}
}
