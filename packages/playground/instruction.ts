import type { Instruction } from "./messages.ts";

/** What an instruction does with a path; the program shows each kind in its colour. */
export type InstructionKind = "compare" | "choose" | "search" | "decide";

export const kindWords: Readonly<Record<InstructionKind, string>> = {
	compare: "compares bytes",
	choose: "chooses by a byte",
	search: "searches",
	decide: "notes a rule, or ends",
};

interface Meaning {
	readonly kind: InstructionKind;
	readonly words: string;
}

const compares: Meaning = {
	kind: "compare",
	words: "compares the next bytes with a text",
};
const searches: Meaning = {
	kind: "search",
	words: "searches the rest of the path for what follows a *",
};
const meanings: Readonly<Record<string, Meaning>> = {
	stop: { kind: "decide", words: "ends this way through the rules" },
	rule: { kind: "decide", words: "notes that a rule matches" },
	rule_stop: { kind: "decide", words: "notes that a rule matches, and ends" },
	rule_end: {
		kind: "decide",
		words: "notes that a rule matches if the path ends here",
	},
	once: { kind: "decide", words: "passes over what was tried before" },
	literal: compares,
	text: compares,
	text_wild: {
		kind: "compare",
		words: "compares the next bytes with a text, and searches behind it",
	},
	branch: { kind: "choose", words: "chooses the way by the next byte" },
	need: {
		kind: "search",
		words: "searches the rest of the path for a byte that rules need",
	},
	wild: searches,
	float: searches,
	float1: searches,
	prefixed: searches,
};

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
	return meanings[nameOf(instruction).name]?.kind;
}

/** What it does, in words that follow "the instruction". */
export function wordsOf(instruction: Instruction): string {
	const { name } = nameOf(instruction);
	return meanings[name]?.words ?? `is ${name}`;
}

/** Where, from `at` on, the bytes end that an instruction looks at. */
export function lookedAt(
	instruction: Instruction,
	path: Uint8Array,
	at: number,
): number {
	const { name } = nameOf(instruction);
	const kind = meanings[name]?.kind;
	if (kind === "choose") return Math.min(at + 1, path.length);
	if (kind === "search") return path.length;
	if (kind !== "compare") return at;
	const text = firstText(instruction);
	for (let i = 0; i < text.length; i++) {
		if (at + i >= path.length) return path.length;
		// The byte that differs was looked at, too.
		if (path[at + i] !== text[i]) return at + i + 1;
	}
	return name === "text_wild" ? path.length : at + text.length;
}

/** The bytes of the first text among the operands; others than printable ASCII stand there as \xHH. */
function firstText({ text }: Instruction): Uint8Array {
	const [operands = ""] = OPERANDS.exec(text) ?? [];
	const quoted = /"([^"]*)"/.exec(operands)?.[1] ?? "";
	return Uint8Array.from(quoted.match(/\\x..|./g) ?? [], (part) =>
		part.length > 1 ? Number.parseInt(part.slice(2), 16) : part.charCodeAt(0),
	);
}
