/**
 * The table of opcodes, for the module and the host. An entry says all about an opcode but what it does: its number, what follows it in
 * either encoding, where it may stand, how it is listed, and a sentence. Both writers, both verifiers, the reader of programs, the
 * disassembler, the playground and the page in docs/design.md are made of it; only the run loops (match/run.ts, sites/compact-run.ts)
 * are written out. Numbers never change their meaning: programs are stored.
 *
 * An entry is a block of constants, since AssemblyScript and TypeScript both read those, and a line in OPCODE_ROWS, opcodeWords and
 * COMPACT_ROWS, which do not compile where the block lacks a constant. test/opcodes.test.ts fails where a line or a run loop does.
 */

/*
 * Operands. Where the compact encoding has another form of one, that comes second; varints are LEB128.
 */

/** u24: the encoded rank of a rule. Compact: varint, its priority. */
export const OPERAND_RANK = 1;
/** u24: bytes of the whole instruction. Compact: varint, bytes of the operands after it. */
export const OPERAND_SIZE = 2;
/** u8: likewise. Compact: none. */
export const OPERAND_SHORT_SIZE = 3;
/** u24: bytes from the instruction's begin to its target. Compact: varint, from its end. */
export const OPERAND_SKIP = 4;
/** u24: a bit of the visited set. Compact: varint. */
export const OPERAND_BIT = 5;
/** u8: a byte of a path. Compact: none. */
export const OPERAND_BYTE = 6;
/** u8: WILD_ flags. */
export const OPERAND_FLAGS = 7;
/** u8: TEXT_ flags and the length, less one, of the text. Compact: none, the opcode says it. */
export const OPERAND_SHAPE = 8;
/** u8: bytes of the text, at least one. Compact: varint, symbols or arms. */
export const OPERAND_LENGTH = 9;
/** As many bytes as the length or shape in front says. Compact: as many symbols as the length, or else the opcode, says. */
export const OPERAND_TEXT = 10;
/**
 * u8 number of arms less one; a byte for each; a u24 target for each. Compact: a byte for each; with a length in front a u24 distance for
 * each, otherwise the opcode says how many less one, and all but the first, which follows directly, have a u8.
 */
export const OPERAND_ARMS = 11;
/** A varint, and as many bytes: text in front of a needle. Compact: symbols up to the end of the operands. */
export const OPERAND_BEFORE = 12;
/** A varint: the length of a needle. */
export const OPERAND_AFTER = 13;
/** A varint, at least 1, and as many bytes: the prefix of a pattern. */
export const OPERAND_PREFIX = 14;
/** What follows a pattern's first "*": match/run.ts, `matchTail`. */
export const OPERAND_TAIL = 15;
/**
 * u8 number of bytes that are hashed, u8 binary logarithm of the number of slots, a u24 target for each slot or 0. Compact: in place of
 * the targets a bitmap of slots, as in a jump table, and a u24 distance from the bitmap for each bit.
 */
export const OPERAND_SLOTS = 16;

/** Bits of an operand in a packed list of them, and the same as a mask. */
export const OPERAND_BITS = 5;
export const OPERAND_MASK = 31;

/*
 * Traits: what an opcode may follow, and what may follow it.
 */

/** Stands in the code of prefixes only. */
export const PREFIX_ONLY = 1;
/** Stands in the code of unanchored patterns only. */
export const UNANCHORED_ONLY = 2;
/** Takes time in proportion to the path, and so stands under a guard, where nothing else may stand and no jump leads. */
export const GUARDED = 4;
/** A guard: what follows up to its target is run once on a path. It has a bit of the visited set in place of a rank. */
export const GUARDS = 8;
/** Nothing is run after it: code may end with it. */
export const ENDS = 16;
/** Likewise if it is the last of several texts (TEXT_LAST). Compact programs write a STOP after it. */
export const MAY_END = 32;
/** Stands in the code of prefixes only, but an index takes it anywhere. */
export const PREFIX_ONLY_IN_PROGRAMS = 64;
/** Likewise guarded in the code of unanchored patterns only. */
export const GUARDED_IF_UNANCHORED = 128;

/*
 * Kinds.
 */

/** Notes a rule, or ends. */
export const DECIDES = 0;
export const COMPARES = 1;
/** By a byte. */
export const CHOOSES = 2;
export const SEARCHES = 3;

/** Compact opcodes from here on have no number from 0 to 31 in their lower five bits. */
export const C_PLAIN = 0xc0;
/** In place of a compact opcode: an index does without the instruction. */
export const C_NONE = -1;

/*
 * Entries. OPERANDS_ are the operands in the order in which they follow the opcode, OPERAND_BITS each, the first one lowest. C_ is the compact
 * opcode and C_OPERANDS_ what follows that; a further compact form has the opcode's name at the end of its own. KIND_ is what it does with
 * a path. WORDS_ gives its name, how the disassembler shows the operands, and a sentence that begins with a verb: functions, as
 * AssemblyScript puts the text of every constant into every module.
 */

export const OP_STOP = 0;
export const OPERANDS_STOP = 0;
export const C_STOP = 0xc0;
export const C_OPERANDS_STOP = 0;
export const TRAITS_STOP = ENDS;
export const KIND_STOP = DECIDES;
export function WORDS_STOP(): string[] {
	return ["stop", "", "Ends the run: no pattern goes on from here."];
}

export const OP_RULE_STOP = 1;
export const OPERANDS_RULE_STOP = OPERAND_RANK;
/** Symbols, as many as its number says; a rule of priority C_LOWEST ends after them, and no other rule continues. */
export const C_RULE_STOP = 0x20;
export const C_OPERANDS_RULE_STOP = OPERAND_TEXT;
/** Likewise with another priority, which follows the text. */
export const C_PRIORITY_RULE_STOP = 0x40;
export const C_OPERANDS_PRIORITY_RULE_STOP = OPERAND_TEXT | (OPERAND_RANK << 5);
export const TRAITS_RULE_STOP = ENDS;
export const KIND_RULE_STOP = DECIDES;
export function WORDS_RULE_STOP(): string[] {
	return [
		"rule_stop",
		"{rank}",
		"Notes a rule whose pattern ends here, and ends the run.",
	];
}

export const OP_RULE = 2;
export const OPERANDS_RULE = OPERAND_RANK;
export const C_RULE = 0xc2;
export const C_OPERANDS_RULE = OPERAND_RANK;
export const TRAITS_RULE = 0;
export const KIND_RULE = DECIDES;
export function WORDS_RULE(): string[] {
	return [
		"rule",
		"{rank}",
		"Notes a rule whose pattern ends here; longer patterns follow.",
	];
}

export const OP_RULE_END = 3;
export const OPERANDS_RULE_END = OPERAND_RANK;
export const C_RULE_END = 0xc3;
export const C_OPERANDS_RULE_END = OPERAND_RANK;
export const TRAITS_RULE_END = 0;
export const KIND_RULE_END = DECIDES;
export function WORDS_RULE_END(): string[] {
	return [
		"rule_end",
		"{rank}",
		"Notes a rule whose pattern ends with $ here, if the path ends here, too.",
	];
}

export const OP_LITERAL = 4;
export const OPERANDS_LITERAL = OPERAND_LENGTH | (OPERAND_TEXT << 5);
/** The code goes on only if the path has the text. */
export const C_LITERAL = 0x00;
export const C_OPERANDS_LITERAL = OPERAND_TEXT;
/** More than 31 symbols. */
export const C_LONG_LITERAL = 0xde;
export const C_OPERANDS_LONG_LITERAL = OPERAND_LENGTH | (OPERAND_TEXT << 5);
export const TRAITS_LITERAL = 0;
export const KIND_LITERAL = COMPARES;
export function WORDS_LITERAL(): string[] {
	return [
		"literal",
		"{text}",
		"Compares a text with the path; ends the run if they differ.",
	];
}

export const OP_BRANCH = 5;
export const OPERANDS_BRANCH = OPERAND_ARMS;
export const C_BRANCH = 0xa0;
export const C_OPERANDS_BRANCH = OPERAND_ARMS;
/** More than 32 arms, or targets that are far. */
export const C_FAR_BRANCH = 0xdf;
export const C_OPERANDS_FAR_BRANCH = OPERAND_LENGTH | (OPERAND_ARMS << 5);
export const TRAITS_BRANCH = ENDS;
export const KIND_BRANCH = CHOOSES;
export function WORDS_BRANCH(): string[] {
	return [
		"branch",
		"{arms}",
		"Jumps to the target of the path's next byte; ends the run if the byte has none.",
	];
}

export const OP_WILD = 6;
export const OPERANDS_WILD =
	OPERAND_SIZE | (OPERAND_RANK << 5) | (OPERAND_TAIL << 10);
export const C_WILD = 0xc6;
export const C_OPERANDS_WILD =
	OPERAND_RANK | (OPERAND_SIZE << 5) | (OPERAND_TAIL << 10);
export const TRAITS_WILD = PREFIX_ONLY;
export const KIND_WILD = SEARCHES;
export function WORDS_WILD(): string[] {
	return ["wild", "{tail} {rank}", "Tries a wildcard tail from here on."];
}

export const OP_NEED = 7;
export const OPERANDS_NEED = OPERAND_BYTE | (OPERAND_SKIP << 5);
/** What it saves, an index does not need. */
export const C_NEED = C_NONE;
export const C_OPERANDS_NEED = 0;
export const TRAITS_NEED = GUARDED_IF_UNANCHORED;
export const KIND_NEED = SEARCHES;
export function WORDS_NEED(): string[] {
	return [
		"need",
		"{byte}, else past {skip}",
		"Skips the patterns that follow if the rest of the path lacks a required byte.",
	];
}

export const OP_ONCE = 8;
export const OPERANDS_ONCE = OPERAND_SKIP | (OPERAND_BIT << 5);
export const C_ONCE = 0xc8;
export const C_OPERANDS_ONCE = OPERAND_SKIP | (OPERAND_BIT << 5);
export const TRAITS_ONCE = UNANCHORED_ONLY | GUARDS;
export const KIND_ONCE = DECIDES;
export function WORDS_ONCE(): string[] {
	return [
		"once",
		"bit {bit}, then past {skip}",
		"Skips the patterns that follow if the visited set says that they were tried on this path before.",
	];
}

export const OP_FLOAT1 = 9;
export const OPERANDS_FLOAT1 =
	OPERAND_SIZE |
	(OPERAND_RANK << 5) |
	(OPERAND_FLAGS << 10) |
	(OPERAND_BEFORE << 15) |
	(OPERAND_AFTER << 20);
export const C_FLOAT1 = 0xc9;
export const C_OPERANDS_FLOAT1 =
	OPERAND_RANK |
	(OPERAND_SIZE << 5) |
	(OPERAND_FLAGS << 10) |
	(OPERAND_AFTER << 15) |
	(OPERAND_BEFORE << 20);
export const TRAITS_FLOAT1 = UNANCHORED_ONLY;
export const KIND_FLOAT1 = SEARCHES;
export function WORDS_FLOAT1(): string[] {
	return [
		"float1",
		"{start}… {before} + {after-length}{end} {rank}",
		"Compares the bytes in front of a needle that was found, for an unanchored pattern with one literal.",
	];
}

export const OP_FLOAT = 10;
export const OPERANDS_FLOAT =
	OPERAND_SIZE | (OPERAND_RANK << 5) | (OPERAND_TAIL << 10);
export const C_FLOAT = 0xca;
export const C_OPERANDS_FLOAT =
	OPERAND_RANK | (OPERAND_SIZE << 5) | (OPERAND_TAIL << 10);
export const TRAITS_FLOAT = GUARDED;
export const KIND_FLOAT = SEARCHES;
export function WORDS_FLOAT(): string[] {
	return [
		"float",
		"{start}{tail} {rank}",
		"Tries an unanchored pattern whose needle was found, from the start of the path.",
	];
}

export const OP_PREFIXED = 11;
export const OPERANDS_PREFIXED =
	OPERAND_SIZE |
	(OPERAND_RANK << 5) |
	(OPERAND_PREFIX << 10) |
	(OPERAND_TAIL << 15);
export const C_PREFIXED = 0xcb;
export const C_OPERANDS_PREFIXED =
	OPERAND_RANK |
	(OPERAND_SIZE << 5) |
	(OPERAND_PREFIX << 10) |
	(OPERAND_TAIL << 15);
export const TRAITS_PREFIXED = GUARDED;
export const KIND_PREFIXED = SEARCHES;
export function WORDS_PREFIXED(): string[] {
	return [
		"prefixed",
		"{prefix} {tail} {rank}",
		"Compares the prefix of a pattern whose needle was found, and tries the rest after it.",
	];
}

export const OP_TEXT = 12;
export const OPERANDS_TEXT =
	OPERAND_SHAPE | (OPERAND_RANK << 5) | (OPERAND_TEXT << 10);
/** A rule of priority C_LOWEST ends with these symbols, whether the path has them or not: the code goes on at the same position. */
export const C_TEXT = 0x60;
export const C_OPERANDS_TEXT = OPERAND_TEXT;
/** Likewise with another priority, which follows the text. */
export const C_PRIORITY_TEXT = 0x80;
export const C_OPERANDS_PRIORITY_TEXT = OPERAND_TEXT | (OPERAND_RANK << 5);
/** More than 31 symbols. */
export const C_LONG_TEXT = 0xcc;
export const C_OPERANDS_LONG_TEXT =
	OPERAND_RANK |
	(OPERAND_SIZE << 5) |
	(OPERAND_LENGTH << 10) |
	(OPERAND_TEXT << 15);
/** A text that has to end where the path does. */
export const C_END_TEXT = 0xce;
export const C_OPERANDS_END_TEXT =
	OPERAND_RANK |
	(OPERAND_SIZE << 5) |
	(OPERAND_LENGTH << 10) |
	(OPERAND_TEXT << 15);
export const TRAITS_TEXT = PREFIX_ONLY_IN_PROGRAMS | MAY_END;
export const KIND_TEXT = COMPARES;
export function WORDS_TEXT(): string[] {
	return [
		"text",
		"{text}{end}{last} {rank}",
		"Compares the rest of a pattern with the path; the next instruction starts at the same byte of the path.",
	];
}

export const OP_TEXT_WILD = 13;
export const OPERANDS_TEXT_WILD =
	OPERAND_SHORT_SIZE |
	(OPERAND_SHAPE << 5) |
	(OPERAND_RANK << 10) |
	(OPERAND_TEXT << 15) |
	(OPERAND_TAIL << 20);
export const C_TEXT_WILD = 0xcd;
export const C_OPERANDS_TEXT_WILD =
	OPERAND_RANK |
	(OPERAND_SIZE << 5) |
	(OPERAND_LENGTH << 10) |
	(OPERAND_TEXT << 15) |
	(OPERAND_TAIL << 20);
export const TRAITS_TEXT_WILD = PREFIX_ONLY | MAY_END;
export const KIND_TEXT_WILD = COMPARES;
export function WORDS_TEXT_WILD(): string[] {
	return [
		"text_wild",
		"{text} {tail}{last} {rank}",
		"Compares a text with the path, and tries the wildcard tail after it; the next instruction starts at the same byte of the path.",
	];
}

export const OP_HASH = 14;
export const OPERANDS_HASH = OPERAND_SLOTS;
export const C_HASH = 0xc1;
export const C_OPERANDS_HASH = OPERAND_SLOTS;
export const TRAITS_HASH = PREFIX_ONLY | ENDS;
export const KIND_HASH = CHOOSES;
export function WORDS_HASH(): string[] {
	return [
		"hash",
		"{length} bytes, {slots}",
		"Jumps to the target of the slot that the path's next bytes hash to, and stays at them; ends the run if the slot has none.",
	];
}

/** By opcode: operands, compact opcode, traits, kind. */
// biome-ignore format: a line for each opcode
export const OPCODE_ROWS = [
	OPERANDS_STOP, C_STOP, TRAITS_STOP, KIND_STOP,
	OPERANDS_RULE_STOP, C_RULE_STOP, TRAITS_RULE_STOP, KIND_RULE_STOP,
	OPERANDS_RULE, C_RULE, TRAITS_RULE, KIND_RULE,
	OPERANDS_RULE_END, C_RULE_END, TRAITS_RULE_END, KIND_RULE_END,
	OPERANDS_LITERAL, C_LITERAL, TRAITS_LITERAL, KIND_LITERAL,
	OPERANDS_BRANCH, C_BRANCH, TRAITS_BRANCH, KIND_BRANCH,
	OPERANDS_WILD, C_WILD, TRAITS_WILD, KIND_WILD,
	OPERANDS_NEED, C_NEED, TRAITS_NEED, KIND_NEED,
	OPERANDS_ONCE, C_ONCE, TRAITS_ONCE, KIND_ONCE,
	OPERANDS_FLOAT1, C_FLOAT1, TRAITS_FLOAT1, KIND_FLOAT1,
	OPERANDS_FLOAT, C_FLOAT, TRAITS_FLOAT, KIND_FLOAT,
	OPERANDS_PREFIXED, C_PREFIXED, TRAITS_PREFIXED, KIND_PREFIXED,
	OPERANDS_TEXT, C_TEXT, TRAITS_TEXT, KIND_TEXT,
	OPERANDS_TEXT_WILD, C_TEXT_WILD, TRAITS_TEXT_WILD, KIND_TEXT_WILD,
	OPERANDS_HASH, C_HASH, TRAITS_HASH, KIND_HASH,
];
/** Numbers of a row of OPCODE_ROWS. */
export const OPCODE_FIELDS = 4;

/** By opcode: its words. */
// biome-ignore format: a line for each opcode
export function opcodeWords(): string[][] {
	return [
		WORDS_STOP(),
		WORDS_RULE_STOP(),
		WORDS_RULE(),
		WORDS_RULE_END(),
		WORDS_LITERAL(),
		WORDS_BRANCH(),
		WORDS_WILD(),
		WORDS_NEED(),
		WORDS_ONCE(),
		WORDS_FLOAT1(),
		WORDS_FLOAT(),
		WORDS_PREFIXED(),
		WORDS_TEXT(),
		WORDS_TEXT_WILD(),
		WORDS_HASH(),
	];
}

/** Of a compact row that no opcode has. */
export const UNKNOWN = -1;
/** By compact opcode, first those with a number by their upper three bits, then the others from C_PLAIN on: operands, traits, opcode. */
// biome-ignore format: a line for each opcode
export const COMPACT_ROWS = [
	C_OPERANDS_LITERAL, TRAITS_LITERAL, OP_LITERAL,
	C_OPERANDS_RULE_STOP, TRAITS_RULE_STOP, OP_RULE_STOP,
	C_OPERANDS_PRIORITY_RULE_STOP, TRAITS_RULE_STOP, OP_RULE_STOP,
	C_OPERANDS_TEXT, TRAITS_TEXT, OP_TEXT,
	C_OPERANDS_PRIORITY_TEXT, TRAITS_TEXT, OP_TEXT,
	C_OPERANDS_BRANCH, TRAITS_BRANCH, OP_BRANCH,
	C_OPERANDS_STOP, TRAITS_STOP, OP_STOP,
	C_OPERANDS_HASH, TRAITS_HASH, OP_HASH,
	C_OPERANDS_RULE, TRAITS_RULE, OP_RULE,
	C_OPERANDS_RULE_END, TRAITS_RULE_END, OP_RULE_END,
	UNKNOWN, UNKNOWN, UNKNOWN,
	UNKNOWN, UNKNOWN, UNKNOWN,
	C_OPERANDS_WILD, TRAITS_WILD, OP_WILD,
	UNKNOWN, UNKNOWN, UNKNOWN,
	C_OPERANDS_ONCE, TRAITS_ONCE, OP_ONCE,
	C_OPERANDS_FLOAT1, TRAITS_FLOAT1, OP_FLOAT1,
	C_OPERANDS_FLOAT, TRAITS_FLOAT, OP_FLOAT,
	C_OPERANDS_PREFIXED, TRAITS_PREFIXED, OP_PREFIXED,
	C_OPERANDS_LONG_TEXT, TRAITS_TEXT, OP_TEXT,
	C_OPERANDS_TEXT_WILD, TRAITS_TEXT_WILD, OP_TEXT_WILD,
	C_OPERANDS_END_TEXT, TRAITS_TEXT, OP_TEXT,
	UNKNOWN, UNKNOWN, UNKNOWN,
	UNKNOWN, UNKNOWN, UNKNOWN,
	UNKNOWN, UNKNOWN, UNKNOWN,
	UNKNOWN, UNKNOWN, UNKNOWN,
	UNKNOWN, UNKNOWN, UNKNOWN,
	UNKNOWN, UNKNOWN, UNKNOWN,
	UNKNOWN, UNKNOWN, UNKNOWN,
	UNKNOWN, UNKNOWN, UNKNOWN,
	UNKNOWN, UNKNOWN, UNKNOWN,
	UNKNOWN, UNKNOWN, UNKNOWN,
	UNKNOWN, UNKNOWN, UNKNOWN,
	UNKNOWN, UNKNOWN, UNKNOWN,
	UNKNOWN, UNKNOWN, UNKNOWN,
	UNKNOWN, UNKNOWN, UNKNOWN,
	UNKNOWN, UNKNOWN, UNKNOWN,
	C_OPERANDS_LONG_LITERAL, TRAITS_LITERAL, OP_LITERAL,
	C_OPERANDS_FAR_BRANCH, TRAITS_BRANCH, OP_BRANCH,
];
/** Numbers of a row of COMPACT_ROWS. */
export const COMPACT_FIELDS = 3;
/** The row of C_PLAIN. */
export const FIRST_PLAIN_ROW = 6;
/** Bits of a compact opcode that are its number, below C_PLAIN, or what it is, from C_PLAIN on. */
export const C_NUMBER = 31;
