import { append, Buffer, clear } from "../bytes/buffer";
import { readFrom, reader } from "../bytes/checked";
import { load24 } from "../bytes/memory";
import { OP_STOP } from "../format/opcodes";
import {
	BYTE_SET_SIZE,
	FILTER_SIZE,
	H_ALWAYS,
	H_BYTE_LENGTH,
	H_MAX_UNANCHORED,
	H_RANKS,
	H_TABLE,
	H_UNANCHORED,
	H_VISITED,
	HEADER_SIZE,
	JUMP_BITS,
	JUMP_SHORT,
	JUMP_SLOTS,
} from "../format/program";
import { shortSet } from "../match/candidates";
import { operands, readInstruction } from "../match/operands";
import {
	addInstruction,
	ARM,
	clearInstructions,
	code,
	hasTarget,
	instructionAt,
	instructionCount,
	isIncomplete,
	Part,
	prefixPart,
	setTail,
	setText,
	unanchoredPart,
} from "./instructions";

/** Reads a program back into instructions, for a matcher whose rules go to an index. */

/** For each offset of the program a u32, the number of the instruction there; then the slots of both parts. */
const work = changetype<Buffer>(memory.data(12, 4));
let numbers: usize = 0;
let program: usize = 0;

/** Reads a verified program into `code` and the instructions, which point into it; false if memory cannot grow. */
export function readProgram(at: usize): bool {
	const length: usize = load<u32>(at, H_BYTE_LENGTH);
	program = at;
	clearInstructions();
	// So that no number is 0.
	addInstruction(OP_STOP, 0, 0);
	clear(work);
	// The slots are a part of the program.
	numbers = append(work, length * 8);
	if (!numbers) return false;
	const unanchored: usize = load<u32>(at, H_UNANCHORED);
	code.table = load<u8>(at, H_TABLE);
	code.ranks = load<u32>(at, H_RANKS);
	code.always = load<u32>(at, H_ALWAYS);
	code.visitedBits = load<u32>(at, H_VISITED);
	code.largestUnanchored = load<u32>(at, H_MAX_UNANCHORED);
	code.filter = unanchored ? at + unanchored : 0;
	const room = readPart(
		prefixPart,
		at + HEADER_SIZE,
		at + (unanchored ? unanchored : length),
		numbers + length * 4,
	);
	if (unanchored)
		readPart(unanchoredPart, code.filter + FILTER_SIZE, at + length, room);
	return !isIncomplete();
}

/** Reads the jump table at `table` and its code, up to `end`; slots go to `room`, whose rest is returned. */
function readPart(part: Part, table: usize, end: usize, room: usize): usize {
	const short = load<u32>(table, JUMP_SHORT);
	const slots = table + JUMP_SLOTS;
	const slotsEnd = shortSet(table);
	part.bits = load<u32>(table, JUMP_BITS);
	part.first = instructionCount();
	readFrom(slotsEnd + (short ? BYTE_SET_SIZE : 0), end);
	while (reader.at < end) {
		store<u32>(numberAt(reader.at - program), instructionCount());
		add();
	}
	part.end = instructionCount();
	for (let i = part.first; i < part.end; i++) {
		const instruction = instructionAt(i);
		if (hasTarget(instruction.opcode))
			instruction.target = load<u32>(numberAt(instruction.target));
	}
	part.slots = room;
	for (let slot = slots; slot < slotsEnd; slot += 4, room += 4) {
		const entry = load<u32>(slot);
		const number = codeAt(entry >> 8);
		store<u32>(room, number ? (number << 8) | (entry & 255) : 0);
	}
	part.short = short ? codeAt(short) : 0;
	part.shortSet = slotsEnd;
	return room;
}

function numberAt(offset: usize): usize {
	return numbers + (offset << 2);
}

/** The number of the instruction at an offset, 0 if nothing can match there. */
function codeAt(offset: usize): u32 {
	const number = load<u32>(numberAt(offset));
	return instructionAt(number).opcode == OP_STOP ? 0 : number;
}

/** Adds the instruction at the reader's position. Targets are offsets for now. */
function add(): void {
	const at = <u32>(reader.at - program);
	const opcode = readInstruction();
	const instruction = addInstruction(opcode, operands.small, operands.rank);
	setText(instruction, operands.text, operands.length);
	setTail(instruction, operands.tail, operands.tailLength);
	if (operands.skip) instruction.target = at + operands.skip;
	if (!operands.targets) return;
	for (let i: u32 = 0; i < operands.length; i++)
		addInstruction(ARM, load<u8>(operands.text + i), 0).target = load24(
			operands.targets + i * 3,
		);
}
