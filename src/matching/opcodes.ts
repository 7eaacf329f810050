/**
 * The table of opcodes (assembly/format/opcodes.ts) as objects, for the disassembler, the playground and the page in docs/design.md. It
 * names no opcode, but reads the rows there: an import of all constants would make bundles load one more file.
 */
import {
	C_PLAIN,
	CHOOSES,
	COMPACT_FIELDS,
	COMPACT_ROWS,
	COMPARES,
	DECIDES,
	FIRST_PLAIN_ROW,
	OPCODE_FIELDS,
	OPCODE_ROWS,
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
	opcodeWords,
	SEARCHES,
} from "../../assembly/format/opcodes.ts";

/**
 * How an operand is written. `rank` is a u24; `shape` and `flags` are u8; `bytes` are as many as the nearest u8, varint or shape in
 * front says; `arms` are u8 their number less one, that many bytes, and that many u24 targets; `slots` are u8 the binary logarithm of
 * their number, and a u24 target or 0 for each; `tail` is a wildcard tail.
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
	| "slots"
	| "tail";

export interface Operand {
	readonly name: string;
	readonly form: OperandForm;
}

/** What an instruction does with a path. */
export type OpcodeKind = "compare" | "choose" | "search" | "decide";

/**
 * An opcode, with all that its entry says. Objects are made of the packed numbers when the file is
 * loaded, which only tools do.
 */
export interface Opcode {
	/** The opcode's byte. */
	readonly code: number;
	/** In lower case, as listings have it. */
	readonly name: string;
	/** In the order in which they follow the opcode. */
	readonly operands: readonly Operand[];
	/** Its forms in compact programs, the usual one first: byte and OPERAND_ numbers. */
	readonly compact: readonly CompactForm[];
	/** TRAITS: what it may follow, and what may follow it. */
	readonly traits: number;
	/** What it does with a path. */
	readonly kind: OpcodeKind;
	/** How the disassembler shows its operands, whose names are in braces. */
	readonly listing: string;
	/** A sentence that begins with a verb: what it does. */
	readonly does: string;
}

export interface CompactForm {
	readonly code: number;
	/** OPERAND_ numbers, in their order. */
	readonly operands: readonly number[];
}

/** What each operand is written as. */
const forms: Readonly<Record<number, readonly Operand[]>> = {
	[OPERAND_RANK]: [{ name: "rank", form: "rank" }],
	[OPERAND_SIZE]: [{ name: "size", form: "u24" }],
	[OPERAND_SHORT_SIZE]: [{ name: "size", form: "u8" }],
	[OPERAND_SKIP]: [{ name: "skip", form: "u24" }],
	[OPERAND_BIT]: [{ name: "bit", form: "u24" }],
	[OPERAND_BYTE]: [{ name: "byte", form: "u8" }],
	[OPERAND_FLAGS]: [{ name: "flags", form: "flags" }],
	[OPERAND_SHAPE]: [{ name: "shape", form: "shape" }],
	[OPERAND_LENGTH]: [{ name: "length", form: "u8" }],
	[OPERAND_TEXT]: [{ name: "text", form: "bytes" }],
	[OPERAND_ARMS]: [{ name: "arms", form: "arms" }],
	[OPERAND_BEFORE]: [
		{ name: "before-length", form: "varint" },
		{ name: "before", form: "bytes" },
	],
	[OPERAND_AFTER]: [{ name: "after-length", form: "varint" }],
	[OPERAND_PREFIX]: [
		{ name: "prefix-length", form: "varint" },
		{ name: "prefix", form: "bytes" },
	],
	[OPERAND_TAIL]: [{ name: "tail", form: "tail" }],
	[OPERAND_SLOTS]: [
		{ name: "length", form: "u8" },
		{ name: "slots", form: "slots" },
	],
};

const kinds: Readonly<Record<number, OpcodeKind>> = {
	[DECIDES]: "decide",
	[COMPARES]: "compare",
	[CHOOSES]: "choose",
	[SEARCHES]: "search",
};

/** The numbers that an OPERANDS_ constant packs, OPERAND_BITS each. */
export function unpacked(operands: number): number[] {
	const list: number[] = [];
	for (let rest = operands; rest > 0; rest >>>= OPERAND_BITS)
		list.push(rest & OPERAND_MASK);
	return list;
}

/** Rows of a table of so many fields. */
const rowsOf = (numbers: readonly number[], fields: number) =>
	Array.from({ length: numbers.length / fields }, (_, row) =>
		numbers.slice(row * fields, (row + 1) * fields),
	);

/**
 * The compact forms of an opcode, the one that its row names first. One opcode may have several
 * compact forms, for short and long operands.
 */
function compactForms(opcode: number, first: number): CompactForm[] {
	return rowsOf(COMPACT_ROWS, COMPACT_FIELDS)
		.flatMap(([operands = 0, , owner], row) =>
			owner === opcode
				? [
						{
							code:
								row < FIRST_PLAIN_ROW
									? row << 5
									: C_PLAIN + row - FIRST_PLAIN_ROW,
							operands: unpacked(operands),
						},
					]
				: [],
		)
		.sort((a, b) => Number(b.code === first) - Number(a.code === first));
}

const words = opcodeWords();

/** All opcodes, by their numbers. */
export const opcodes: readonly Opcode[] = rowsOf(
	OPCODE_ROWS,
	OPCODE_FIELDS,
).map(([operands = 0, compact = 0, traits = 0, kind = 0], code): Opcode => {
	const [name = "", listing = "", does = ""] = words[code] ?? [];
	return {
		code,
		name,
		operands: unpacked(operands).flatMap((one) => forms[one] ?? []),
		compact: compactForms(code, compact),
		traits,
		kind: kinds[kind] as OpcodeKind,
		listing,
		does,
	};
});
