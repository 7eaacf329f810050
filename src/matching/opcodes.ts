import * as table from "../../assembly/format/opcodes.ts";

/**
 * The table of opcodes (assembly/format/opcodes.ts) as objects, for the disassembler, the playground and the page in docs/design.md. It
 * names no opcode: what begins with `OP_` there is one, and this file does not compile where a constant of it is missing.
 */

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

export interface Operand {
	readonly name: string;
	readonly form: OperandForm;
}

type Table = typeof table;
type Names<Prefix extends string> = {
	[Key in keyof Table]: Key extends `${Prefix}_${infer Name}` ? Name : never;
}[keyof Table];
type Name = Names<"OP">;
type Complete = Readonly<
	Record<
		`${"OP" | "OPERANDS" | "C" | "C_OPERANDS" | "TRAITS" | "KIND"}_${Name}`,
		number
	> &
		Record<`WORDS_${Name}`, () => readonly string[]>
>;
const entries: Complete = table;

export type Mnemonic = Lowercase<Name>;

/** What an instruction does with a path. */
export type OpcodeKind = "compare" | "choose" | "search" | "decide";

export interface Opcode {
	/** The opcode's byte. */
	readonly code: number;
	readonly name: Mnemonic;
	/** In the order in which they follow the opcode. */
	readonly operands: readonly Operand[];
	/** Its forms in compact programs, the usual one first: byte and OPERAND_ numbers. */
	readonly compact: readonly CompactForm[];
	/** TRAITS: what it may follow, and what may follow it. */
	readonly traits: number;
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
const forms: Readonly<
	Record<(typeof table)[`OPERAND_${Names<"OPERAND">}`], readonly Operand[]>
> = {
	[table.OPERAND_RANK]: [{ name: "rank", form: "rank" }],
	[table.OPERAND_SIZE]: [{ name: "size", form: "u24" }],
	[table.OPERAND_SHORT_SIZE]: [{ name: "size", form: "u8" }],
	[table.OPERAND_SKIP]: [{ name: "skip", form: "u24" }],
	[table.OPERAND_BIT]: [{ name: "bit", form: "u24" }],
	[table.OPERAND_BYTE]: [{ name: "byte", form: "u8" }],
	[table.OPERAND_FLAGS]: [{ name: "flags", form: "flags" }],
	[table.OPERAND_SHAPE]: [{ name: "shape", form: "shape" }],
	[table.OPERAND_LENGTH]: [{ name: "length", form: "u8" }],
	[table.OPERAND_TEXT]: [{ name: "text", form: "bytes" }],
	[table.OPERAND_ARMS]: [{ name: "arms", form: "arms" }],
	[table.OPERAND_BEFORE]: [
		{ name: "before-length", form: "varint" },
		{ name: "before", form: "bytes" },
	],
	[table.OPERAND_AFTER]: [{ name: "after-length", form: "varint" }],
	[table.OPERAND_PREFIX]: [
		{ name: "prefix-length", form: "varint" },
		{ name: "prefix", form: "bytes" },
	],
	[table.OPERAND_TAIL]: [{ name: "tail", form: "tail" }],
};

const kinds: Readonly<Record<number, OpcodeKind>> = {
	[table.DECIDES]: "decide",
	[table.COMPARES]: "compare",
	[table.CHOOSES]: "choose",
	[table.SEARCHES]: "search",
};

/** The numbers that an OPERANDS_ constant packs, four bits each. */
export function unpacked(operands: number): number[] {
	const list: number[] = [];
	for (let rest = operands; rest > 0; rest >>>= 4) list.push(rest & 15);
	return list;
}

const names = Object.keys(table).flatMap((key) =>
	key.startsWith("OP_") ? [key.slice(3) as Name] : [],
);

/** The opcode of which a compact opcode is a form: that of its name, without a first word that no opcode has. */
const ownerOf = (form: string): string =>
	`OP_${form}` in table ? form : form.replace(/^[A-Z]+_/, "");

function compactForms(name: Name): CompactForm[] {
	const constants: Readonly<Record<string, unknown>> = table;
	return Object.keys(constants)
		.flatMap((key) => /^C_OPERANDS_(.+)$/.exec(key)?.[1] ?? [])
		.filter((form) => ownerOf(form) === name)
		.sort((a, b) => Number(b === name) - Number(a === name))
		.map((form) => ({
			code: constants[`C_${form}`] as number,
			operands: unpacked(constants[`C_OPERANDS_${form}`] as number),
		}))
		.filter(({ code }) => code !== table.C_NONE);
}

/** All opcodes, by their numbers. */
export const opcodes: readonly Opcode[] = names
	.map((name): Opcode => {
		const [listing = "", does = ""] = entries[`WORDS_${name}`]();
		return {
			code: entries[`OP_${name}`],
			name: name.toLowerCase() as Mnemonic,
			operands: unpacked(entries[`OPERANDS_${name}`]).flatMap(
				(kind) => forms[kind as keyof typeof forms],
			),
			compact: compactForms(name),
			traits: entries[`TRAITS_${name}`],
			kind: kinds[entries[`KIND_${name}`]] as OpcodeKind,
			listing,
			does,
		};
	})
	.sort((a, b) => a.code - b.code);
