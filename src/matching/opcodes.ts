import {
	OP_BRANCH,
	OP_FLOAT,
	OP_FLOAT1,
	OP_LITERAL,
	OP_NEED,
	OP_ONCE,
	OP_PREFIXED,
	OP_RULE,
	OP_RULE_END,
	OP_RULE_STOP,
	OP_STOP,
	OP_TEXT,
	OP_TEXT_WILD,
	OP_WILD,
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
} from "../../assembly/format/opcodes.ts";

/**
 * How an operand is written. `rank` is a u24; `shape` and `flags` are u8; `bytes` are as many as the nearest u8, varint or shape in
 * front says; `arms` are u8 their number less one, that many bytes, and that many u24 targets; `tail` is a wildcard tail.
 */
export type OperandForm =
	| "u8"
	| "u24"
	| "varint"
	| "rank"
	| "shape"
	| "flags"
	| "bytes"
	| "arms"
	| "tail";

export type OperandName =
	| "after-length"
	| "arms"
	| "before"
	| "before-length"
	| "bit"
	| "byte"
	| "flags"
	| "length"
	| "prefix"
	| "prefix-length"
	| "rank"
	| "shape"
	| "size"
	| "skip"
	| "tail"
	| "text";

export interface Operand {
	readonly name: OperandName;
	readonly form: OperandForm;
}

interface OpcodeLayout {
	/** The opcode's byte. */
	readonly code: number;
	readonly name: string;
	/** In the order in which they follow the opcode. */
	readonly operands: readonly Operand[];
	/** One sentence: what it does. */
	readonly does: string;
}

/** What each operand of format/opcodes.ts is written as. */
const forms: ReadonlyMap<number, readonly Operand[]> = new Map([
	[OPERAND_RANK, [{ name: "rank", form: "rank" }]],
	[OPERAND_SIZE, [{ name: "size", form: "u24" }]],
	[OPERAND_SHORT_SIZE, [{ name: "size", form: "u8" }]],
	[OPERAND_SKIP, [{ name: "skip", form: "u24" }]],
	[OPERAND_BIT, [{ name: "bit", form: "u24" }]],
	[OPERAND_BYTE, [{ name: "byte", form: "u8" }]],
	[OPERAND_FLAGS, [{ name: "flags", form: "flags" }]],
	[OPERAND_SHAPE, [{ name: "shape", form: "shape" }]],
	[OPERAND_LENGTH, [{ name: "length", form: "u8" }]],
	[OPERAND_TEXT, [{ name: "text", form: "bytes" }]],
	[OPERAND_ARMS, [{ name: "arms", form: "arms" }]],
	[
		OPERAND_BEFORE,
		[
			{ name: "before-length", form: "varint" },
			{ name: "before", form: "bytes" },
		],
	],
	[OPERAND_AFTER, [{ name: "after-length", form: "varint" }]],
	[
		OPERAND_PREFIX,
		[
			{ name: "prefix-length", form: "varint" },
			{ name: "prefix", form: "bytes" },
		],
	],
	[OPERAND_TAIL, [{ name: "tail", form: "tail" }]],
]);

/** The operands that an OPERANDS_ constant lists, four bits each. */
function operandList(packed: number): readonly Operand[] {
	const list: Operand[] = [];
	for (let rest = packed; rest > 0; rest >>>= 4)
		list.push(...(forms.get(rest & 15) ?? []));
	return list;
}

/** All opcodes, by their codes: what format/opcodes.ts says, with names. The disassembler and the table in docs/design.md are made of it. */
export const opcodes = [
	{
		code: OP_STOP,
		name: "stop",
		operands: operandList(OPERANDS_STOP),
		does: "Ends the run: no pattern goes on from here.",
	},
	{
		code: OP_RULE_STOP,
		name: "rule_stop",
		operands: operandList(OPERANDS_RULE),
		does: "A rule's pattern ends here; the run ends.",
	},
	{
		code: OP_RULE,
		name: "rule",
		operands: operandList(OPERANDS_RULE),
		does: "A rule's pattern ends here; longer patterns follow.",
	},
	{
		code: OP_RULE_END,
		name: "rule_end",
		operands: operandList(OPERANDS_RULE),
		does: "A pattern with `$` ends here: the rule counts if the path ends here, too.",
	},
	{
		code: OP_LITERAL,
		name: "literal",
		operands: operandList(OPERANDS_LITERAL),
		does: "Compares a text with the path; ends the run if they differ.",
	},
	{
		code: OP_BRANCH,
		name: "branch",
		operands: operandList(OPERANDS_BRANCH),
		does: "Jumps to the target of the path's next byte; ends the run if the byte has none.",
	},
	{
		code: OP_WILD,
		name: "wild",
		operands: operandList(OPERANDS_WILD),
		does: "Tries a wildcard tail from here on.",
	},
	{
		code: OP_NEED,
		name: "need",
		operands: operandList(OPERANDS_NEED),
		does: "Skips the patterns that follow if the rest of the path lacks a required byte.",
	},
	{
		code: OP_ONCE,
		name: "once",
		operands: operandList(OPERANDS_ONCE),
		does: "Skips the patterns that follow if the visited set says that they were tried on this path before.",
	},
	{
		code: OP_FLOAT1,
		name: "float1",
		operands: operandList(OPERANDS_FLOAT1),
		does: "The needle of an unanchored pattern with one literal was found: compares the literal's bytes in front of the needle.",
	},
	{
		code: OP_FLOAT,
		name: "float",
		operands: operandList(OPERANDS_WILD),
		does: "The needle of an unanchored pattern was found: tries the whole pattern from the start of the path.",
	},
	{
		code: OP_PREFIXED,
		name: "prefixed",
		operands: operandList(OPERANDS_PREFIXED),
		does: "As `float`, for a pattern that begins with a prefix: compares that first.",
	},
	{
		code: OP_TEXT,
		name: "text",
		operands: operandList(OPERANDS_TEXT),
		does: "Compares the rest of a pattern with the path; the next instruction starts at the same byte of the path.",
	},
	{
		code: OP_TEXT_WILD,
		name: "text_wild",
		operands: operandList(OPERANDS_TEXT_WILD),
		does: "As `text`, for a pattern that goes on with a wildcard tail.",
	},
] as const satisfies readonly OpcodeLayout[];

export type Mnemonic = (typeof opcodes)[number]["name"];
