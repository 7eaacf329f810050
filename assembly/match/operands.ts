import {
	fail,
	holdsLineFeed,
	pass,
	passSome,
	passTail,
	read24,
	readByte,
	reader,
	readNumber,
} from "../bytes/checked";
import {
	OPCODE_COUNT,
	OPERAND_AFTER,
	OPERAND_ARMS,
	OPERAND_BEFORE,
	OPERAND_BIT,
	OPERAND_BYTE,
	OPERAND_FLAGS,
	OPERAND_LENGTH,
	OPERAND_PREFIX,
	OPERAND_RANK,
	OPERAND_SHAPE,
	OPERAND_SHORT_SIZE,
	OPERAND_SIZE,
	OPERAND_SKIP,
	OPERAND_TAIL,
	OPERAND_TEXT,
	OPERANDS_BRANCH,
	OPERANDS_FLOAT1,
	OPERANDS_LITERAL,
	OPERANDS_NEED,
	OPERANDS_ONCE,
	OPERANDS_PREFIXED,
	OPERANDS_RULE,
	OPERANDS_STOP,
	OPERANDS_TEXT,
	OPERANDS_TEXT_WILD,
	OPERANDS_WILD,
} from "../format/opcodes";
import {
	TEXT_LENGTH,
	VERIFY_BYTE,
	VERIFY_OPCODE,
	VERIFY_TRUNCATED,
} from "../format/program";

/** Reads instructions of a program, which may be any bytes, by the table of opcodes. */

/** For each opcode its operands: format/opcodes.ts. */
const OPERANDS = memory.data<u32>([
	OPERANDS_STOP,
	OPERANDS_RULE,
	OPERANDS_RULE,
	OPERANDS_RULE,
	OPERANDS_LITERAL,
	OPERANDS_BRANCH,
	OPERANDS_WILD,
	OPERANDS_NEED,
	OPERANDS_ONCE,
	OPERANDS_FLOAT1,
	OPERANDS_WILD,
	OPERANDS_PREFIXED,
	OPERANDS_TEXT,
	OPERANDS_TEXT_WILD,
]);

/** The operands of an instruction; 0 where it has none of a kind. */
@unmanaged
class Operands {
	rank: u32;
	bit: u32;
	/** Bytes from the instruction's begin to its target. */
	skip: u32;
	/** Byte, flags or shape. */
	small: u32;
	text: usize;
	length: u32;
	tail: usize;
	/** Its bytes; those of the needle of a FLOAT1. */
	tailLength: u32;
	/** Address of the targets of `length` arms, whose bytes are the text. */
	targets: usize;
}

/** Those that were read last. */
export const operands = changetype<Operands>(
	memory.data(offsetof<Operands>(), 4),
);

/** Reads the instruction at the reader's position, which is then behind it unless there is a fault; returns its opcode. */
export function readInstruction(): u32 {
	const from = reader.at;
	const opcode = readByte();
	if (opcode >= <u32>OPCODE_COUNT) fail(VERIFY_OPCODE);
	if (reader.fault) return opcode;
	memory.fill(changetype<usize>(operands), 0, offsetof<Operands>());
	/** Bytes of all of it, for those that say so. */
	let size: u32 = -1;
	let kinds = load<u32>(OPERANDS + ((<usize>opcode) << 2));
	for (; kinds && !reader.fault; kinds >>= 4) {
		const kind = kinds & 15;
		if (kind == OPERAND_SIZE) size = read24();
		else if (kind == OPERAND_SHORT_SIZE) size = readByte();
		else readOperand(kind);
	}
	if (size != -1 && reader.at != from + size) fail(VERIFY_TRUNCATED);
	return opcode;
}

function readOperand(kind: u32): void {
	switch (kind) {
		case OPERAND_RANK:
			operands.rank = read24();
			break;
		case OPERAND_SKIP:
			operands.skip = read24();
			break;
		case OPERAND_BIT:
			operands.bit = read24();
			break;
		case OPERAND_BYTE:
		case OPERAND_FLAGS:
			operands.small = readByte();
			break;
		case OPERAND_SHAPE:
			operands.small = readByte();
			operands.length = (operands.small & TEXT_LENGTH) + 1;
			break;
		case OPERAND_LENGTH:
			operands.length = readByte();
			break;
		case OPERAND_TEXT:
			operands.text = passSome(operands.length);
			checkText();
			break;
		case OPERAND_ARMS:
			operands.length = readByte() + 1;
			operands.text = pass(operands.length);
			checkText();
			operands.targets = pass(operands.length * 3);
			break;
		case OPERAND_BEFORE:
			operands.length = readNumber();
			operands.text = pass(operands.length);
			break;
		case OPERAND_AFTER:
			operands.tailLength = readNumber();
			break;
		case OPERAND_PREFIX:
			operands.length = readNumber();
			operands.text = passSome(operands.length);
			break;
		case OPERAND_TAIL:
			operands.tail = reader.at;
			passTail();
			operands.tailLength = <u32>(reader.at - operands.tail);
			break;
	}
}

/** Comparisons stop at a path's line feed, so a text may not have one. */
function checkText(): void {
	if (!reader.fault && holdsLineFeed(operands.text, operands.length))
		fail(VERIFY_BYTE);
}
