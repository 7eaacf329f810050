/**
 * Writes instructions as a compact program: format/compact.ts. It is written from its end to its start, so that the distance of every
 * target is known when it is needed: varints have no place to be filled in later. index.ts calls it after a compilation or `readProgram`,
 * and `listSymbols` before; the program stands until the next one.
 *
 * It shares the list of instructions with write-program.ts, and no code: that one writes forwards and fills targets in. Both encodings
 * are needed, for the figures there. Bytes count here, as an index has a million programs and is never asked which rule decides.
 */
import { append, Buffer, clear } from "../bytes/memory";
import { setBit, store24 } from "../bytes/numbers";
import { copyBackward } from "../bytes/scan";
import {
	C_ALWAYS,
	C_HEADER_SIZE,
	C_LATER,
	C_LOWEST,
	C_TABLE,
	C_UNANCHORED,
	CJ_BLOCK,
	CJ_ONE_BLOCK,
	CJ_SHORT,
	CJ_SHORT_SIZE,
	CJ_WIDE,
} from "../format/compact";
import {
	C_BRANCH,
	C_END_TEXT,
	C_FAR_BRANCH,
	C_HASH,
	C_LITERAL,
	C_LONG_LITERAL,
	C_LONG_TEXT,
	C_NONE,
	C_NUMBER,
	C_PRIORITY_RULE_STOP,
	C_PRIORITY_TEXT,
	C_RULE_STOP,
	C_STOP,
	C_TEXT,
	C_TEXT_WILD,
	GUARDS,
	OP_STOP,
	OPERAND_AFTER,
	OPERAND_BEFORE,
	OPERAND_BIT,
	OPERAND_BITS,
	OPERAND_FLAGS,
	OPERAND_MASK,
	OPERAND_PREFIX,
	OPERAND_RANK,
	OPERAND_SIZE,
	OPERAND_SKIP,
	OPERAND_TAIL,
} from "../format/opcodes";
import {
	BYTE_SET_SIZE,
	FILTER_SIZE,
	MAX_BLOCK,
	MAX_U24,
	TEXT_END,
	TEXT_LAST,
} from "../format/program";
import { compactOf, compactOperandsOf, traitsOf } from "../match/operands";
import { bitmapSize, entryOf } from "../sites/compact-run";
import { encodeText, listSize } from "./encode-text";
import {
	ARM,
	code,
	Instruction,
	instructionAt,
	instructionCount,
	Part,
	prefixPart,
	totals,
	unanchoredPart,
} from "./instructions";

/** The program, until the next one: room for it, u32 priorities of the encoded ranks, the symbols of one text, and what encoding it takes. */
const draft = changetype<Buffer>(memory.data(12, 4));
/** The start of what has been written. It goes down: every writer below stores in front of it. */
let out: usize = 0;
/**
 * By encoded rank, for which a matcher has three bytes everywhere: most files use few of them, so numbering those in use leaves one byte,
 * or none for C_LOWEST.
 */
let priorities: usize = 0;
let symbols: usize = 0;
let encoding: usize = 0;
/** The largest priority of the part that is being written. */
let largest: u32 = 0;

/** Most bytes of an instruction without its texts. */
const MAX_FIXED: usize = 24;
/** Most bytes of the header, whose numbers are varints. */
const MAX_HEADER: usize = 64;

/**
 * The compact program of `code` and the instructions; 0 if memory cannot grow or its size has more than 24 bits. With `later`, what the
 * rules disallow is to be asked again.
 */
export function writeCompact(later: bool): usize {
	// An encoded rank is a rank times two, plus 1 for an Allow.
	const ranks = code.ranks * 2 + 2;
	// Symbols take at most twice the bytes of a text.
	const room: u64 =
		<u64>MAX_HEADER +
		partSize(prefixPart) +
		(code.filter ? FILTER_SIZE + partSize(unanchoredPart) : 0) +
		<u64>instructionCount() * MAX_FIXED +
		<u64>totals.bytes * 2;
	const longest: usize = totals.longest;
	const size =
		room + <u64>ranks * 4 + <u64>longest * 2 + <u64>listSize(longest);
	clear(draft);
	// In 64 bits: with patterns of megabytes the bound does not fit in 32.
	if (size > <u64>MAX_BLOCK) return 0;
	const start = append(draft, <usize>size);
	if (!start) return 0;
	const end = start + <usize>room;
	priorities = end;
	symbols = end + ((<usize>ranks) << 2);
	encoding = symbols + longest * 2;
	setPriorities(ranks, later ? C_LATER : 0);
	out = end;
	writeParts(end);
	// The bound is generous: only now it is known how long the program is.
	return end - out > <usize>MAX_U24 ? 0 : out;
}

/** Most bytes of a jump table. */
function partSize(part: Part): u64 {
	return (
		<u64>1 + CJ_SHORT_SIZE + bitmapSize(part.bits) + ((<u64>4) << part.bits)
	);
}

function writeParts(end: usize): void {
	let filter: usize = 0;
	let largestUnanchored: u32 = 0;
	if (code.filter) {
		// The second part first, as writing goes backwards.
		writePart(unanchoredPart);
		out -= FILTER_SIZE;
		memory.copy(out, code.filter, FILTER_SIZE);
		filter = out;
		largestUnanchored = largest;
	}
	writePart(prefixPart);
	const table = out;
	if (filter) {
		number(code.visitedBits);
		number(largestUnanchored);
		out -= 3;
		store24(out, <u32>(filter - table));
	}
	number(priorityOf(code.always));
	out -= C_ALWAYS;
	store<u32>(out, <u32>(end - out));
	store<u8>(out, <u8>(table - out), C_HEADER_SIZE);
	store<u8>(out, filter ? 1 : 0, C_UNANCHORED);
	store<u8>(out, code.table, C_TABLE);
}

/** Numbers the encoded ranks in use, which are below `end`; all priorities get `flag`. */
function setPriorities(end: u32, flag: u32): void {
	memory.fill(priorities, 0, (<usize>end) << 2);
	setPriority(code.always, 1);
	const count = instructionCount();
	for (let i: u32 = 0; i < count; i++) {
		const instruction = instructionAt(i);
		// An ARM is no opcode, and has no rank.
		const rank = instruction.rank;
		if (rank && !(traitsOf(instruction.opcode) & GUARDS)) setPriority(rank, 1);
	}
	setPriority(0, 0);
	let current: u32 = 0;
	// A verdict is read from the best priority alone, from its lowest bit (`verdictOf`). So ranks in a row with the same bit share a
	// priority: which of them is best makes no difference.
	for (let encoded: u32 = 1; encoded < end; encoded++) {
		if (!priorityOf(encoded)) continue;
		if (current == 0) current = C_LOWEST - (encoded & 1);
		else if ((current ^ encoded) & 1) current++;
		setPriority(encoded, current | flag);
	}
}

function setPriority(encoded: u32, priority: u32): void {
	store<u32>(priorities + ((<usize>encoded) << 2), priority);
}

function priorityOf(encoded: u32): u32 {
	return load<u32>(priorities + ((<usize>encoded) << 2));
}

/** Writes one byte in front of what has been written. */
function byte(value: u32): void {
	store<u8>(--out, value);
}

/** Writes a varint; its last byte, which has no continuation bit, is written first. */
function number(value: u32): void {
	if (value > 127) {
		number(value >> 7);
		value = (value & 127) | 128;
	}
	byte(value);
}

/** Copies bytes, such as the tail of a wildcard pattern, which keeps its form. */
function bytes(from: usize, length: usize): void {
	out = copyBackward(from, length, out);
}

/** Puts the symbols of a text at `symbols`; returns how many bytes they are. */
function encode(from: usize, length: usize): usize {
	return encodeText(from, from + length, symbols, encoding) - symbols;
}

/** Writes the symbols of a text; returns how many bytes they are. */
function text(from: usize, length: usize): usize {
	const size = encode(from, length);
	bytes(symbols, size);
	return size;
}

/** Writes a jump table and its code. */
function writePart(part: Part): void {
	largest = 0;
	for (let i = part.end; i-- > part.first; ) {
		const instruction = instructionAt(i);
		// What slots without texts lead to, which have no entry.
		if (i > part.first || instruction.opcode != OP_STOP) write(i, instruction);
		instruction.place = out;
	}
	writeTable(part);
}

/** Where an instruction begins. It is known for all that come later in the code, and targets are later: code only jumps forwards. */
function placeOf(index: u32): usize {
	return instructionAt(index).place;
}

/**
 * Writes an instruction. Those that are nearly all of an index (texts, literals, branches, short rules) have ways of their own, as their
 * opcode also holds a size or a count; the others follow their operands in the opcode table.
 */
function write(index: u32, instruction: Instruction): void {
	const opcode: u32 = instruction.opcode;
	// Arms are written by their BRANCH or HASH.
	if (opcode == ARM) return;
	const compact = compactOf(opcode);
	switch (compact) {
		case C_NONE:
			return;
		case C_TEXT:
			return writeRuleText(instruction, false);
		case C_TEXT_WILD:
			return writeRuleText(instruction, true);
		case C_LITERAL:
			return writeText(instruction);
		case C_BRANCH:
			return writeBranch(index, instruction);
		case C_HASH:
			return writeSlots(index, instruction);
		case C_RULE_STOP:
			return writeShort(C_RULE_STOP, notePriority(instruction), 0);
	}
	writeOperands(instruction, compactOperandsOf(compact));
	byte(compact);
}

/** Writes operands, the last one first. */
function writeOperands(instruction: Instruction, operands: u32): void {
	const end = out;
	for (
		let shift = ((31 - <i32>clz(operands)) / OPERAND_BITS) * OPERAND_BITS;
		shift >= 0;
		shift -= OPERAND_BITS
	) {
		switch ((operands >> shift) & OPERAND_MASK) {
			case OPERAND_RANK:
				number(notePriority(instruction));
				break;
			case OPERAND_BIT:
				number(instruction.rank);
				break;
			// What follows it has been written, so its size is known.
			case OPERAND_SIZE:
				number(<u32>(end - out));
				break;
			case OPERAND_SKIP:
				number(<u32>(placeOf(instruction.target) - end));
				break;
			case OPERAND_FLAGS:
				byte(instruction.operand);
				break;
			case OPERAND_BEFORE:
				text(instruction.text, instruction.length);
				break;
			case OPERAND_AFTER:
				number(instruction.tailLength);
				break;
			case OPERAND_PREFIX:
				bytes(instruction.text, instruction.length);
				number(instruction.length);
				break;
			case OPERAND_TAIL:
				bytes(instruction.tail, instruction.tailLength);
				break;
		}
	}
}

/** The priority of an instruction about a rule. */
function notePriority(instruction: Instruction): u32 {
	const priority = priorityOf(instruction.rank);
	largest = max(largest, priority);
	return priority;
}

/** A rule, after as many symbols as are at `symbols`; `opcode` is that for C_LOWEST, and the next one has a priority. */
function writeShort(opcode: u32, priority: u32, size: usize): void {
	const lowest = priority == C_LOWEST;
	if (!lowest) number(priority);
	bytes(symbols, size);
	byte((lowest ? opcode : opcode + <u32>(C_NUMBER + 1)) | <u32>size);
}

/** A text that several patterns share: up to C_NUMBER symbols are counted in the opcode itself. */
function writeText(instruction: Instruction): void {
	const size = text(instruction.text, instruction.length);
	if (size <= <usize>C_NUMBER) {
		byte(<u32>C_LITERAL | <u32>size);
	} else {
		number(<u32>size);
		byte(C_LONG_LITERAL);
	}
}

/** A text that ends a pattern, or its part up to a wildcard tail. */
function writeRuleText(instruction: Instruction, wild: bool): void {
	const shape: u32 = instruction.operand;
	const last = (shape & TEXT_LAST) != 0;
	const size = encode(instruction.text, instruction.length);
	const priority = notePriority(instruction);
	if (!wild && !(shape & TEXT_END) && size <= <usize>C_NUMBER)
		return writeShort(last ? C_RULE_STOP : C_TEXT, priority, size);
	if (last) byte(C_STOP);
	// The size of the operands lets `run` skip them without reading symbols when a better rule is known.
	const operandsEnd = out;
	if (wild) bytes(instruction.tail, instruction.tailLength);
	bytes(symbols, size);
	number(<u32>size);
	number(<u32>(operandsEnd - out));
	number(priority);
	byte(wild ? C_TEXT_WILD : shape & TEXT_END ? C_END_TEXT : C_LONG_TEXT);
}

/**
 * A branch has one byte for the distance of each arm if all are near, and none for the first, which follows it directly; else it has three
 * for each.
 */
function writeBranch(index: u32, branch: Instruction): void {
	const end = out;
	const arms = branch.length;
	const first = index + 1;
	let near =
		arms <= <u32>(C_NUMBER + 1) && placeOf(instructionAt(first).target) == end;
	for (let arm: u32 = 0; near && arm < arms; arm++)
		near = placeOf(instructionAt(first + arm).target) - end <= 0xff;
	const least: u32 = near ? 1 : 0;
	const width: usize = near ? 1 : 3;
	for (let arm = arms; arm-- > least; ) {
		const distance = placeOf(instructionAt(first + arm).target) - end;
		out -= width;
		if (near) store<u8>(out, <u8>distance);
		else store24(out, <u32>distance);
	}
	for (let arm = arms; arm-- > 0; ) byte(instructionAt(first + arm).operand);
	if (!near) number(arms);
	byte(near ? <u32>C_BRANCH | (arms - 1) : <u32>C_FAR_BRANCH);
}

/** Sets a slot's bit in a bitmap. */
function setSlot(map: usize, bits: u32, slot: u32): void {
	const block = bits > CJ_ONE_BLOCK ? map + <usize>(slot >> 6) * CJ_BLOCK : map;
	setBit(block, bits > CJ_ONE_BLOCK ? slot & 63 : slot);
}

/** Puts after each block of a bitmap how many bits the blocks in front of it have, if there are several. */
function setCounts(map: usize, bits: u32): void {
	if (bits <= CJ_ONE_BLOCK) return;
	let count: u32 = 0;
	for (const end = map + bitmapSize(bits); map < end; map += CJ_BLOCK) {
		store<u32>(map, count, 8);
		count += <u32>popcnt(load<u64>(map));
	}
}

function writeSlots(index: u32, hash: Instruction): void {
	const bits = <u32>hash.tail;
	const mapSize = bitmapSize(bits);
	out -= mapSize + <usize>hash.length * 3;
	const map = out;
	memory.fill(map, 0, mapSize);
	for (let i: u32 = 1; i <= hash.length; i++)
		setSlot(map, bits, instructionAt(index + i).length);
	setCounts(map, bits);
	for (let i: u32 = 1; i <= hash.length; i++) {
		const arm = instructionAt(index + i);
		const entry = <usize>entryOf(map, bits, arm.length);
		store24(map + mapSize + entry * 3, <u32>(placeOf(arm.target) - map));
	}
	byte(bits);
	byte(hash.operand);
	byte(C_HASH);
}

/** Writes a jump table in front of its code. */
function writeTable(part: Part): void {
	const bits = part.bits;
	const count: usize = (<usize>1) << bits;
	// Only slots that are used have an entry; a bitmap says which these are, and counts before each block of 64 slots spare `tableEntry`
	// a loop.
	let used: usize = 0;
	let furthest: usize = 0;
	for (let i: usize = 0; i < count; i++) {
		const slot = load<u32>(part.slots + (i << 2));
		if (!slot) continue;
		used++;
		furthest = max(furthest, placeOf(slot >> 8) - out);
	}
	let fixed = bitmapSize(bits) + 1;
	if (part.short) fixed += CJ_SHORT_SIZE;
	// Distances count from the table's start, so its own size decides, too, whether two bytes are enough for them.
	const wide = fixed + used * 3 + furthest > 0xffff;
	const entrySize: usize = wide ? 4 : 3;
	out -= fixed + used * entrySize;
	let flags = bits;
	if (wide) flags |= CJ_WIDE;
	let map = out + 1;
	if (part.short) {
		flags |= CJ_SHORT;
		store24(map, <u32>(placeOf(part.short) - out));
		memory.copy(map + 3, part.shortSet, BYTE_SET_SIZE);
		map += CJ_SHORT_SIZE;
	}
	store<u8>(out, flags);
	let entry = map + bitmapSize(bits);
	memory.fill(map, 0, entry - map);
	for (let i: usize = 0; i < count; i++) {
		const slot = load<u32>(part.slots + (i << 2));
		if (!slot) continue;
		setSlot(map, bits, <u32>i);
		const distance = <u32>(placeOf(slot >> 8) - out);
		store<u8>(entry, slot);
		store<u16>(entry, <u16>distance, 1);
		if (wide) store<u8>(entry, distance >> 16, 3);
		entry += entrySize;
	}
	setCounts(map, bits);
}
