import { append, Buffer, clearFor } from "../bytes/buffer";
import { OPERAND_SKIP } from "../format/opcodes";
import { operandsOf } from "../match/operands";

/**
 * Code before it is encoded: a list of instructions. It comes from the tree of patterns (emit.ts) or from a program
 * (read-program.ts), and is written as a program (write-program.ts) or as a compact one (write-compact.ts).
 */

/** An instruction; which fields count depends on the opcode. */
@unmanaged
export class Instruction {
	/** An OP_ of format/opcodes.ts, or ARM. */
	opcode: u8;
	/** Byte, flags or shape; the byte of an ARM. */
	operand: u8;
	/** The encoded rank of its rule; the bit of a guard. */
	rank: u32;
	/**
	 * The text of a LITERAL or TEXT, the prefix of a PREFIXED, what stands in front of the needle of a FLOAT1. Once the instruction
	 * is written, where that is.
	 */
	text: usize;
	/** Bytes of the text; the arms of a BRANCH. */
	length: u32;
	/** The wildcard tail; the number of the instruction at which an ARM goes on, or to which others skip. */
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

/** One way of the BRANCH in front of it: part of that instruction. Beyond all opcodes. */
export const ARM: u32 = 255;

/** Whether an instruction has `target`. */
export function hasTarget(opcode: u32): bool {
	if (opcode == ARM) return true;
	for (let rest = operandsOf(opcode); rest; rest >>= 4)
		if ((rest & 15) == OPERAND_SKIP) return true;
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

/** What the list comes to. */
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

/** A jump table, and the code that it leads to. */
@unmanaged
export class Part {
	/** Numbers of the first instruction, a STOP for slots without entries, and of the one behind the last. */
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
export class Code {
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
