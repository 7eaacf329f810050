/**
 * Writes instructions as a program: format/program.ts. index.ts calls it after a compilation; the program stands until the next one.
 * Targets have a fixed width, so it is written from its start, and they are filled in at the end of each part (`setTargets`). From then on
 * an instruction's text is its place: instructions can be written once.
 *
 * An index has the other writer, write-compact.ts. One encoding for both was measured on 1,225 real sites (`npm run bench -- encodings`):
 * with this one, an index takes 90% more bytes; with the other one, which then needs ranks, an index takes 12% more bytes, and a matcher a
 * third more time for paths and a fifth for URLs.
 */
import { append, Buffer, clear } from "../bytes/memory";
import { store24, storeVarint } from "../bytes/numbers";
import { copyForward } from "../bytes/scan";
import {
	OPERAND_AFTER,
	OPERAND_ARMS,
	OPERAND_BEFORE,
	OPERAND_BIT,
	OPERAND_BITS,
	OPERAND_BYTE,
	OPERAND_FLAGS,
	OPERAND_LENGTH,
	OPERAND_MASK,
	OPERAND_PREFIX,
	OPERAND_RANK,
	OPERAND_SHAPE,
	OPERAND_SHORT_SIZE,
	OPERAND_SIZE,
	OPERAND_SKIP,
	OPERAND_SLOTS,
	OPERAND_TAIL,
	OPERAND_TEXT,
	OPERANDS_RULE,
	OPERANDS_TEXT,
} from "../format/opcodes";
import {
	BYTE_SET_SIZE,
	FILTER_SIZE,
	FORMAT_VERSION,
	H_ALWAYS,
	H_BYTE_LENGTH,
	H_MAX_UNANCHORED,
	H_ONCE_ONLY,
	H_RANKS,
	H_TABLE,
	H_UNANCHORED,
	H_VERSION,
	H_VISITED,
	HEADER_SIZE,
	JUMP_BITS,
	JUMP_SHORT,
	JUMP_SLOTS,
	MAX_BLOCK,
} from "../format/program";
import { operandsOf } from "../match/operands";
import { slotsEnd } from "../match/path-spans";
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

/** The program, until the next one. */
const draft = changetype<Buffer>(memory.data(12, 4));
/** Its start, from which offsets count. */
let program: usize = 0;

/** Number of the last instruction written that has targets. */
let lastJump: u32 = 0;
const NO_JUMP: u32 = u32.MAX_VALUE;

/** Most bytes of an instruction without its texts. */
const MAX_FIXED: usize = 16;

/** The program of `code` and the instructions, which may be larger than MAX_U24; 0 if memory cannot grow. */
export function writeProgram(): usize {
	const size: u64 =
		<u64>HEADER_SIZE +
		MAX_FIXED +
		partSize(prefixPart) +
		(code.filter ? FILTER_SIZE + partSize(unanchoredPart) : 0) +
		<u64>instructionCount() * MAX_FIXED +
		totals.bytes;
	clear(draft);
	if (size > <u64>MAX_BLOCK) return 0;
	// Room that the compiler no longer needs.
	program = code.room;
	// Up to 32 bytes more are written.
	if (size + 32 > code.roomEnd - code.room)
		program = append(draft, <usize>size);
	if (!program) return 0;
	memory.fill(program, 0, HEADER_SIZE);
	let end = writePart(prefixPart, program + HEADER_SIZE);
	if (code.filter) {
		store<u32>(program, <u32>(end - program), H_UNANCHORED);
		memory.copy(end, code.filter, FILTER_SIZE);
		end = writePart(unanchoredPart, end + FILTER_SIZE);
	}
	store<u32>(program, <u32>(end - program), H_BYTE_LENGTH);
	store<u8>(program, FORMAT_VERSION, H_VERSION);
	store<u8>(program, code.table, H_TABLE);
	store<u8>(program, code.onceOnly ? 1 : 0, H_ONCE_ONLY);
	store<u32>(program, code.ranks, H_RANKS);
	store<u32>(program, code.visitedBits, H_VISITED);
	store<u32>(program, code.largestUnanchored, H_MAX_UNANCHORED);
	store<u32>(program, code.always, H_ALWAYS);
	return program;
}

/** Most bytes of a jump table. */
function partSize(part: Part): u64 {
	return <u64>slotsEnd(part.bits) + BYTE_SET_SIZE;
}

/** Writes a jump table and its code at `table`; returns their end. */
function writePart(part: Part, table: usize): usize {
	let to = table + slotsEnd(part.bits);
	if (part.short) {
		memory.copy(to, part.shortSet, BYTE_SET_SIZE);
		to += BYTE_SET_SIZE;
	}
	lastJump = NO_JUMP;
	for (let i = part.first; i < part.end; i++) to = write(i, to);
	setTargets();

	store<u32>(table, part.bits, JUMP_BITS);
	store<u32>(table, part.short ? offsetOf(part.short) : 0, JUMP_SHORT);
	// Where no text leads: the first instruction of the part, a STOP. With bit 0 it has a tag like others, so that only one hash of 128
	// gets as far as running it.
	const empty = (part.first << 8) | 1;
	const end = table + slotsEnd(part.bits);
	let slot = part.slots;
	for (let at = table + JUMP_SLOTS; at < end; at += 4, slot += 4) {
		// No branch: which slots have entries cannot be predicted.
		const given = load<u32>(slot);
		const entry = select<u32>(given, empty, given != 0);
		store<u32>(at, (offsetOf(entry >> 8) << 8) | (entry & 255));
	}
	return to;
}

/** Offset of an instruction that has been written. */
function offsetOf(index: u32): u32 {
	return <u32>(instructionAt(index).place - program);
}

/** Writes an instruction but for its targets; returns its end. */
function write(index: u32, to: usize): usize {
	const instruction = instructionAt(index);
	const opcode: u32 = instruction.opcode;
	if (opcode == ARM) return to;
	const text = instruction.text;
	const length: usize = instruction.length;
	instruction.place = to;
	store<u8>(to, opcode);
	const operands = operandsOf(opcode);
	// Most instructions by far, at once.
	if (operands == OPERANDS_TEXT) {
		store<u8>(to, instruction.operand, 1);
		store24(to + 2, instruction.rank);
		return copyText(text, length, to + 5);
	}
	if (operands == OPERANDS_RULE) {
		store24(to + 1, instruction.rank);
		return to + 4;
	}
	return writeOperands(index, operands, text, to + 1);
}

/** Writes operands of any kinds after an opcode; returns their end. */
function writeOperands(
	index: u32,
	operands: u32,
	text: usize,
	to: usize,
): usize {
	const instruction = instructionAt(index);
	const length = instruction.length;
	const begin = to - 1;
	let size: u32 = 0;
	for (; operands; operands >>= OPERAND_BITS) {
		switch (operands & OPERAND_MASK) {
			case OPERAND_RANK:
			case OPERAND_BIT:
				store24(to, instruction.rank);
				to += 3;
				break;
			case OPERAND_SIZE:
				size = OPERAND_SIZE;
				to += 3;
				break;
			case OPERAND_SHORT_SIZE:
				size = OPERAND_SHORT_SIZE;
				to++;
				break;
			case OPERAND_SKIP:
				instruction.length = <u32>(to - begin);
				noteJump(index, instruction);
				to += 3;
				break;
			case OPERAND_BYTE:
			case OPERAND_FLAGS:
			case OPERAND_SHAPE:
				store<u8>(to++, instruction.operand);
				break;
			case OPERAND_LENGTH:
				store<u8>(to++, length);
				break;
			case OPERAND_TEXT:
				to = copyForward(text, length, to);
				break;
			case OPERAND_ARMS:
				noteJump(index, instruction);
				to = writeArms(index, to);
				break;
			case OPERAND_SLOTS:
				noteJump(index, instruction);
				to = writeSlots(index, to);
				break;
			case OPERAND_BEFORE:
			case OPERAND_PREFIX:
				to = copyForward(text, length, storeVarint(to, length));
				break;
			case OPERAND_AFTER:
				to = storeVarint(to, instruction.tailLength);
				break;
			case OPERAND_TAIL:
				to = copyForward(instruction.tail, instruction.tailLength, to);
				break;
		}
	}
	// The size includes opcode and size, as `run` adds it to the address of the instruction.
	const bytes = <u32>(to - begin);
	if (size == OPERAND_SIZE) store24(begin + 1, bytes);
	else if (size) store<u8>(begin, bytes, 1);
	return to;
}

/** Copies a text of at most MAX_TEXT bytes; up to 32 bytes after it are overwritten. Its length cannot be predicted: no loop. */
function copyText(text: usize, length: usize, to: usize): usize {
	v128.store(to, v128.load(text));
	v128.store(to, v128.load(text, 16), 16);
	return to + length;
}

/** Writes the arms of an instruction; the place of each is that of its target. */
function writeArms(branch: u32, to: usize): usize {
	const count = instructionAt(branch).length;
	const targets = to + 1 + count;
	store<u8>(to, count - 1);
	for (let i: u32 = 0; i < count; i++) {
		const arm = instructionAt(branch + 1 + i);
		store<u8>(to + 1 + i, arm.operand);
		arm.place = targets + i * 3;
	}
	return targets + count * 3;
}

/** Writes the slots of an instruction, likewise; those that no ARM has lead nowhere. */
function writeSlots(hash: u32, to: usize): usize {
	const instruction = instructionAt(hash);
	const bits = <u32>instruction.tail;
	const size = (<usize>3) << bits;
	store<u8>(to, instruction.operand);
	store<u8>(to, bits, 1);
	memory.fill(to + 2, 0, size);
	for (let i: u32 = 1; i <= instruction.length; i++) {
		const arm = instructionAt(hash + i);
		arm.place = to + 2 + <usize>arm.length * 3;
	}
	return to + 2 + size;
}

/**
 * Adds a written instruction to the list of those whose targets are still to come: `tailLength` leads to the one before. Without arms its
 * `length` is the offset of its skip.
 */
function noteJump(index: u32, instruction: Instruction): void {
	instruction.tailLength = lastJump;
	lastJump = index;
}

/** Fills in the targets of the instructions in the list, and empties it. A list, as few of all instructions have targets. */
function setTargets(): void {
	while (lastJump != NO_JUMP) {
		const jump = instructionAt(lastJump);
		if (instructionAt(lastJump + 1).opcode == ARM) {
			for (let i: u32 = 1; i <= jump.length; i++) {
				const arm = instructionAt(lastJump + i);
				store24(arm.place, offsetOf(arm.target));
			}
		} else {
			const place = jump.place;
			store24(
				place + jump.length,
				<u32>(instructionAt(jump.target).place - place),
			);
		}
		lastJump = jump.tailLength;
	}
}
