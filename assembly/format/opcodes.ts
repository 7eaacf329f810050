/**
 * The opcodes of a program, and what follows each of them: constants only, shared by the module and the host. The verifier, the
 * reader of programs, the disassembler and the table in docs/design.md are made of it. Only the writer (compile/write-program.ts)
 * and the run loop (match/run.ts) spell the layouts out.
 */

export const OP_STOP = 0;
export const OP_RULE_STOP = 1;
export const OP_RULE = 2;
export const OP_RULE_END = 3;
export const OP_LITERAL = 4;
export const OP_BRANCH = 5;
export const OP_WILD = 6;
export const OP_NEED = 7;
export const OP_ONCE = 8;
export const OP_FLOAT1 = 9;
export const OP_FLOAT = 10;
export const OP_PREFIXED = 11;
export const OP_TEXT = 12;
export const OP_TEXT_WILD = 13;
/** Opcodes are smaller than this. */
export const OPCODE_COUNT = 14;

/** u24: the encoded rank of a rule. */
export const OPERAND_RANK = 1;
/** u24: bytes of the whole instruction. */
export const OPERAND_SIZE = 2;
/** u8: likewise. */
export const OPERAND_SHORT_SIZE = 3;
/** u24: bytes from the instruction's begin to its target. */
export const OPERAND_SKIP = 4;
/** u24: a bit of the visited set. */
export const OPERAND_BIT = 5;
/** u8: a byte of a path. */
export const OPERAND_BYTE = 6;
/** u8: WILD_ flags. */
export const OPERAND_FLAGS = 7;
/** u8: TEXT_ flags and the length, less one, of the text. */
export const OPERAND_SHAPE = 8;
/** u8: bytes of the text, at least one. */
export const OPERAND_LENGTH = 9;
/** As many bytes as the length or shape in front says. */
export const OPERAND_TEXT = 10;
/** u8 number of arms less one; a byte for each; a u24 target for each. */
export const OPERAND_ARMS = 11;
/** A varint, and as many bytes: text in front of a needle. */
export const OPERAND_BEFORE = 12;
/** A varint: the length of a needle. */
export const OPERAND_AFTER = 13;
/** A varint, at least 1, and as many bytes: the prefix of a pattern. */
export const OPERAND_PREFIX = 14;
/** What follows a pattern's first "*": match/run.ts, `matchTail`. */
export const OPERAND_TAIL = 15;

/** Operands in the order in which they follow an opcode: four bits each, the first one lowest. */
export const OPERANDS_STOP = 0;
export const OPERANDS_RULE = OPERAND_RANK;
export const OPERANDS_LITERAL = OPERAND_LENGTH | (OPERAND_TEXT << 4);
export const OPERANDS_BRANCH = OPERAND_ARMS;
export const OPERANDS_WILD =
	OPERAND_SIZE | (OPERAND_RANK << 4) | (OPERAND_TAIL << 8);
export const OPERANDS_NEED = OPERAND_BYTE | (OPERAND_SKIP << 4);
export const OPERANDS_ONCE = OPERAND_SKIP | (OPERAND_BIT << 4);
export const OPERANDS_FLOAT1 =
	OPERAND_SIZE |
	(OPERAND_RANK << 4) |
	(OPERAND_FLAGS << 8) |
	(OPERAND_BEFORE << 12) |
	(OPERAND_AFTER << 16);
export const OPERANDS_PREFIXED =
	OPERAND_SIZE |
	(OPERAND_RANK << 4) |
	(OPERAND_PREFIX << 8) |
	(OPERAND_TAIL << 12);
export const OPERANDS_TEXT =
	OPERAND_SHAPE | (OPERAND_RANK << 4) | (OPERAND_TEXT << 8);
export const OPERANDS_TEXT_WILD =
	OPERAND_SHORT_SIZE |
	(OPERAND_SHAPE << 4) |
	(OPERAND_RANK << 8) |
	(OPERAND_TEXT << 12) |
	(OPERAND_TAIL << 16);
