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
} from "../../assembly/format/program.ts";

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
	| "byte"
	| "flags"
	| "length"
	| "mark"
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

const rank: Operand = { name: "rank", form: "rank" };
const size: Operand = { name: "size", form: "u24" };
const skip: Operand = { name: "skip", form: "u24" };
const shape: Operand = { name: "shape", form: "shape" };
const text: Operand = { name: "text", form: "bytes" };
const tail: Operand = { name: "tail", form: "tail" };

/** All opcodes, by their codes. The disassembler and the table in docs/design.md are made of this. */
export const opcodes = [
	{
		code: OP_STOP,
		name: "stop",
		operands: [],
		does: "Ends the run: no pattern goes on from here.",
	},
	{
		code: OP_RULE_STOP,
		name: "rule_stop",
		operands: [rank],
		does: "A rule's pattern ends here; the run ends.",
	},
	{
		code: OP_RULE,
		name: "rule",
		operands: [rank],
		does: "A rule's pattern ends here; longer patterns follow.",
	},
	{
		code: OP_RULE_END,
		name: "rule_end",
		operands: [rank],
		does: "A pattern with `$` ends here: the rule counts if the path ends here, too.",
	},
	{
		code: OP_LITERAL,
		name: "literal",
		operands: [{ name: "length", form: "u8" }, text],
		does: "Compares a text with the path; ends the run if they differ.",
	},
	{
		code: OP_BRANCH,
		name: "branch",
		operands: [{ name: "arms", form: "arms" }],
		does: "Jumps to the target of the path's next byte; ends the run if the byte has none.",
	},
	{
		code: OP_WILD,
		name: "wild",
		operands: [size, rank, tail],
		does: "Tries a wildcard tail from here on.",
	},
	{
		code: OP_NEED,
		name: "need",
		operands: [{ name: "byte", form: "u8" }, skip],
		does: "Skips the patterns that follow if the rest of the path lacks a required byte.",
	},
	{
		code: OP_ONCE,
		name: "once",
		operands: [skip, { name: "mark", form: "u24" }],
		does: "Skips the patterns that follow if the visited set says that they were tried on this path before.",
	},
	{
		code: OP_FLOAT1,
		name: "float1",
		operands: [
			size,
			rank,
			{ name: "flags", form: "flags" },
			{ name: "before-length", form: "varint" },
			{ name: "before", form: "bytes" },
			{ name: "after-length", form: "varint" },
		],
		does: "The needle of an unanchored pattern with one literal was found: compares the literal's bytes in front of the needle.",
	},
	{
		code: OP_FLOAT,
		name: "float",
		operands: [size, rank, tail],
		does: "The needle of an unanchored pattern was found: tries the whole pattern from the start of the path.",
	},
	{
		code: OP_PREFIXED,
		name: "prefixed",
		operands: [
			size,
			rank,
			{ name: "prefix-length", form: "varint" },
			{ name: "prefix", form: "bytes" },
			tail,
		],
		does: "As `float`, for a pattern that begins with a prefix: compares that first.",
	},
	{
		code: OP_TEXT,
		name: "text",
		operands: [shape, rank, text],
		does: "Compares the rest of a pattern with the path; the next instruction starts at the same byte of the path.",
	},
	{
		code: OP_TEXT_WILD,
		name: "text_wild",
		operands: [{ name: "size", form: "u8" }, shape, rank, text, tail],
		does: "As `text`, for a pattern that goes on with a wildcard tail.",
	},
] as const satisfies readonly OpcodeLayout[];

export type Mnemonic = (typeof opcodes)[number]["name"];
