/**
 * What an instruction of the listing does, for the pane that steps through byte-code: its kind, shown in a colour, its words, and the bytes
 * it looks at. Names, kinds, operands and words come from the engine's table of opcodes, so a new opcode needs nothing here; only the form
 * of a line of `disassemble` is taken apart.
 */
import { type Opcode, opcodes } from "robotrie/disassemble";
import type { Instruction } from "../../page/messages.ts";

export type InstructionKind = Opcode["kind"];

export const kindWords: Readonly<Record<InstructionKind, string>> = {
	compare: "compares bytes",
	choose: "chooses by the next bytes",
	search: "searches",
	decide: "notes a rule, or ends",
};

const byName: ReadonlyMap<string, Opcode> = new Map(
	opcodes.map((opcode) => [opcode.name, opcode]),
);

const FRONT = /^([> ]\s*\d+ {2})(\w+)/;
/** Texts stand in quotes, in which no quote is bare: a ";" outside of them begins the remark. */
const OPERANDS = /^(?:[^";]|"[^"]*")*/;

/** The name of an instruction, and where it stands in the line. */
export function nameOf({ text }: Instruction): {
	readonly name: string;
	readonly from: number;
	readonly to: number;
} {
	const [, front = "", name = ""] = FRONT.exec(text) ?? [];
	return { name, from: front.length, to: front.length + name.length };
}

export function kindOf(instruction: Instruction): InstructionKind | undefined {
	return byName.get(nameOf(instruction).name)?.kind;
}

/**
 * Where its arms lead, by the byte that each is for; arms of a hash are for no byte, as their code compares the hashed ones. Empty for all
 * that does not choose.
 */
export function armsOf(
	instruction: Instruction,
): readonly (readonly [bytes: readonly number[], offset: number])[] {
	if (kindOf(instruction) !== "choose") return [];
	const [operands = ""] = OPERANDS.exec(instruction.text) ?? [];
	const slots = /^[^"]* slots: (.*)$/.exec(operands)?.[1];
	if (slots !== undefined)
		return slots.split(", ").map((offset) => [[], Number(offset)] as const);
	return [...operands.matchAll(/"([^"]*)" (\d+)/g)].map(
		([, byte = "", offset]) =>
			[[bytesOf(byte)[0] ?? 0], Number(offset)] as const,
	);
}

/** Whether no other text is compared at the same place after its own. */
export function isLastText({ text }: Instruction): boolean {
	const [operands = ""] = OPERANDS.exec(text) ?? [];
	return operands.replaceAll(/"[^"]*"/g, "").includes(", stop");
}

/** What it does, in words that follow "the instruction". */
export function wordsOf(instruction: Instruction): string {
	const { name } = nameOf(instruction);
	const does = byName.get(name)?.does;
	return does
		? `${does.slice(0, 1).toLowerCase()}${does.slice(1, -1)}`
		: `is ${name}`;
}

/** Where, from `at` on, the bytes end that an instruction looks at. */
export function lookedAt(
	instruction: Instruction,
	path: Uint8Array,
	at: number,
): number {
	const opcode = byName.get(nameOf(instruction).name);
	const kind = opcode?.kind;
	// By kind and not by opcode, so that opcodes which are added later have a span, too.
	if (kind === "choose") {
		const [, bytes = "1"] = / (\d+) bytes, /.exec(instruction.text) ?? [];
		return Math.min(at + Number(bytes), path.length);
	}
	if (kind === "search") return path.length;
	// What decides looks at no byte: only at what was compared before it.
	if (kind !== "compare") return at;
	const text = textOf(instruction);
	for (let i = 0; i < text.length; i++) {
		if (at + i >= path.length) return path.length;
		// The byte that differs was looked at, too.
		if (path[at + i] !== text[i]) return at + i + 1;
	}
	// With a tail the search goes on from where the text ends, to an end that only a trace could tell: all of the rest is marked.
	const goesOn = opcode?.operands.some(({ form }) => form === "tail");
	return goesOn ? path.length : at + text.length;
}

/** The bytes of the first text among the operands. */
export function textOf({ text }: Instruction): Uint8Array {
	const [operands = ""] = OPERANDS.exec(text) ?? [];
	return bytesOf(/"([^"]*)"/.exec(operands)?.[1] ?? "");
}

/** The bytes of what stands in quotes; others than printable ASCII stand there as \xHH. */
function bytesOf(quoted: string): Uint8Array {
	return Uint8Array.from(quoted.match(/\\x..|./g) ?? [], (part) =>
		part.length > 1 ? Number.parseInt(part.slice(2), 16) : part.charCodeAt(0),
	);
}
