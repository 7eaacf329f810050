/**
 * Code before it is encoded: a list of instructions. emit.ts adds those of a compilation; `readProgram` reads those of a program back, for
 * a matcher whose rules go to an index. write-program.ts and write-compact.ts encode the list. It must be cleared before new code begins,
 * and `isIncomplete` asked before it is written.
 */
import { append, Buffer, clear, clearFor } from "../bytes/memory";
import { load24, reader, readFrom } from "../bytes/numbers";
import {
	OP_STOP,
	OPERAND_BITS,
	OPERAND_MASK,
	OPERAND_SKIP,
	OPERAND_SLOTS,
} from "../format/opcodes";
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
import { operands, operandsOf, readInstruction } from "../match/operands";
import { shortSet } from "../match/path-spans";

/** An instruction; which fields count depends on the opcode. */
@unmanaged
export class Instruction {
	/** An OP_ of format/opcodes.ts, or ARM. */
	opcode: u8;
	/** Byte, flags or shape; the byte of an ARM; how many bytes a HASH takes. */
	operand: u8;
	/** The encoded rank of its rule; the bit of a guard. */
	rank: u32;
	/**
	 * The text of a LITERAL or TEXT, the prefix of a PREFIXED, what stands in front of the needle of a FLOAT1. Once the instruction
	 * is written, where that is.
	 */
	text: usize;
	/** Bytes of the text; the arms of a BRANCH or a HASH; the slot of an ARM of a HASH. */
	length: u32;
	/**
	 * The wildcard tail; the number of the instruction at which an ARM goes on, or to which others skip; binary logarithm of the slots of
	 * a HASH.
	 */
	tail: usize;
	/** Bytes of the tail, or of the needle of a FLOAT1. */
	tailLength: u32;

	get place(): usize {
		return this.text;
	}
	set place(address: usize) {
		this.text = address;
	}
	get target(): u32 {
		return <u32>this.tail;
	}
	set target(number: u32) {
		this.tail = number;
	}
}

/** One way of the BRANCH or HASH in front of it: part of that instruction. Beyond all opcodes. */
export const ARM: u32 = 255;

/** Whether an instruction has `target`. */
function hasTarget(opcode: u32): bool {
	if (opcode == ARM) return true;
	for (let rest = operandsOf(opcode); rest; rest >>= OPERAND_BITS)
		if ((rest & OPERAND_MASK) == OPERAND_SKIP) return true;
	return false;
}

const list = changetype<Buffer>(memory.data(12, 4));

/** Instructions that are made room for at once. */
const MORE: usize = 128;
/** Takes what does not fit into memory. */
const nowhere = changetype<Instruction>(
	memory.data(offsetof<Instruction>(), 4),
);
let lacksMemory: bool = false;

/** Sums over the list. */
@unmanaged
class Totals {
	/** Bytes of all texts and tails. */
	bytes: usize;
	/** Bytes of the longest text. */
	longest: u32;
}

export const totals = changetype<Totals>(memory.data(offsetof<Totals>(), 4));

/** Empties the list, for the code of so many rules. */
export function clearInstructions(rules: u32 = 0): void {
	// Most rules take two, as their texts branch.
	clearFor(list, <usize>rules * 2 * offsetof<Instruction>());
	lacksMemory = false;
	code.room = 0;
	code.roomEnd = 0;
	totals.bytes = 0;
	totals.longest = 0;
}

/** Whether memory could not grow, so that instructions are missing. */
export function isIncomplete(): bool {
	return lacksMemory;
}

export function instructionCount(): u32 {
	return <u32>((list.end - list.start) / offsetof<Instruction>());
}

export function instructionAt(index: u32): Instruction {
	return changetype<Instruction>(
		list.start + <usize>index * offsetof<Instruction>(),
	);
}

/** Adds an instruction without texts. It stays where it is until the next one is added. */
export function addInstruction(
	opcode: u32,
	operand: u32,
	rank: u32,
): Instruction {
	let instruction = nowhere;
	if (list.blockEnd - list.end >= offsetof<Instruction>() || makeRoom()) {
		instruction = changetype<Instruction>(list.end);
		list.end += offsetof<Instruction>();
	}
	instruction.opcode = <u8>opcode;
	instruction.operand = <u8>operand;
	instruction.rank = rank;
	instruction.text = 0;
	instruction.length = 0;
	instruction.tail = 0;
	instruction.tailLength = 0;
	return instruction;
}

function makeRoom(): bool {
	const at = append(list, MORE * offsetof<Instruction>());
	lacksMemory = lacksMemory || at == 0;
	if (at) list.end = at;
	return at != 0;
}

export function setText(
	instruction: Instruction,
	text: usize,
	length: u32,
): void {
	instruction.text = text;
	instruction.length = length;
	totals.bytes += length;
	totals.longest = max(totals.longest, length);
}

export function setTail(
	instruction: Instruction,
	tail: usize,
	length: u32,
): void {
	instruction.tail = tail;
	instruction.tailLength = length;
	totals.bytes += length;
}

/** Gives a HASH its slots, two to the power of `bits`. */
export function setSlots(instruction: Instruction, bits: u32): void {
	instruction.tail = bits;
	totals.bytes += (<usize>3) << bits;
}

/** A jump table, and the code that it leads to. */
@unmanaged
export class Part {
	/** Numbers of the first instruction, a STOP for slots without entries, and of the one after the last. */
	first: u32;
	end: u32;
	/** Binary logarithm of the number of slots. */
	bits: u32;
	/** A u32 for each slot: the number of an instruction, and in the low byte the tag. */
	slots: usize;
	/** Number of the instruction that short entries lead to, or 0; the set of bytes that they begin with. */
	short: u32;
	shortSet: usize;
}

/** Code whose instructions are in the list. */
@unmanaged
class Code {
	/** As the fields of a program's header: format/program.ts. */
	table: u32;
	ranks: u32;
	always: u32;
	visitedBits: u32;
	largestUnanchored: u32;
	onceOnly: bool;
	/** Tables of the prefilter; 0 without unanchored patterns. */
	filter: usize;
	/** Memory that a program may be written to, from here to there: what is reserved once, WebAssembly never gives back. */
	room: usize;
	roomEnd: usize;
}

export const code = changetype<Code>(memory.data(offsetof<Code>(), 4));
export const prefixPart = changetype<Part>(memory.data(offsetof<Part>(), 4));
export const unanchoredPart = changetype<Part>(
	memory.data(offsetof<Part>(), 4),
);

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
	const hasSlots = (operands.kinds & (1 << OPERAND_SLOTS)) != 0;
	if (hasSlots) setSlots(instruction, 31 - clz(operands.length));
	// Slots without a target have no arm.
	let arms: u32 = 0;
	for (let i: u32 = 0; i < operands.length; i++)
		if (load24(operands.targets + i * 3)) arms++;
	instruction.length = arms;
	for (let i: u32 = 0; i < operands.length; i++) {
		const target = load24(operands.targets + i * 3);
		if (!target) continue;
		const byte: u32 = hasSlots ? 0 : load<u8>(operands.text + i);
		const arm = addInstruction(ARM, byte, 0);
		arm.target = target;
		arm.length = i;
	}
}
