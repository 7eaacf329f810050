/**
 * Which rules, instructions and bytes of a path belong together, for byte-code-pane.ts. One is made for each trace, as bytes belong to
 * instructions only by a path's way through the program.
 */
import { counted } from "../../page/dom.ts";
import type { Instruction, Trace } from "../../page/messages.ts";
import { nameOf, wordsOf } from "./instruction.ts";
import { type Span, spansOf } from "./spans.ts";

/** What belongs to the rule, the instruction or the byte that is pointed at. */
export interface Pointed {
	/** Of instructions. */
	readonly offsets: ReadonlySet<number>;
	/** Of robots.txt. */
	readonly lines: ReadonlySet<number>;
	/** Bytes of the path. */
	readonly ranges: readonly { readonly from: number; readonly to: number }[];
	readonly words: string;
}

export const NOTHING: Pointed = {
	offsets: new Set(),
	lines: new Set(),
	ranges: [],
	words: "",
};

/** Tells which instructions, rules and bytes of a path belong together. */
export class Pointing {
	readonly #instructions: readonly Instruction[];
	readonly #spans: readonly Span[];
	/** By the bytes of the path: 1 where an instruction looks. */
	readonly #seen: Uint8Array;

	constructor(
		instructions: readonly Instruction[],
		trace: Trace,
		instructionAt: (offset: number) => Instruction | undefined,
	) {
		this.#instructions = instructions;
		this.#spans = spansOf(trace, instructionAt);
		this.#seen = new Uint8Array(new TextEncoder().encode(trace.path).length);
		for (const { from, to } of this.#spans) this.#seen.fill(1, from, to);
	}

	isSeen(byte: number): boolean {
		return this.#seen[byte] === 1;
	}

	atRule(line: number): Pointed {
		// All rules that are in no file have line 0: pointing at one would mark the others.
		if (line === 0) return NOTHING;
		const own = this.#instructions.filter((one) => one.line === line);
		return {
			offsets: new Set(own.map(({ offset }) => offset)),
			lines: new Set([line]),
			ranges: this.#spans.filter(
				({ instruction }) => instruction.line === line,
			),
			words: "",
		};
	}

	atInstruction(instruction: Instruction): Pointed {
		const { line, offset } = instruction;
		return {
			offsets: new Set([offset]),
			lines: linesOf([instruction]),
			ranges: this.#spans.filter((span) => span.instruction.offset === offset),
			words: `The instruction at ${offset} ${wordsOf(instruction)}${line === 0 ? "" : `, for line ${line}`}.`,
		};
	}

	/** At code of some offsets; `to` is not included. */
	atCode(from: number, to: number, words: string): Pointed {
		const isIn = ({ offset }: Instruction) => offset >= from && offset < to;
		const own = this.#instructions.filter(isIn);
		return {
			offsets: new Set(own.map(({ offset }) => offset)),
			lines: linesOf(own),
			ranges: this.#spans.filter(({ instruction }) => isIn(instruction)),
			words,
		};
	}

	atByte(byte: number): Pointed {
		const instructions = this.#spansAt(byte).map(
			({ instruction }) => instruction,
		);
		return {
			offsets: new Set(instructions.map(({ offset }) => offset)),
			lines: linesOf(instructions),
			ranges: [{ from: byte, to: byte + 1 }],
			words: this.wordsOfByte(byte),
		};
	}

	/** Which instruction looks at a byte of the path, and when. */
	wordsOfByte(byte: number): string {
		const [span, ...others] = this.#spansAt(byte);
		const which = `Byte ${byte + 1}`;
		if (!span) return `${which}: no instruction looks at this byte.`;
		const { instruction, step } = span;
		const { offset, line } = instruction;
		const rule = line === 0 ? "" : `, for line ${line}`;
		const more =
			others.length === 0
				? ""
				: `; ${counted(others.length, "later step")} too`;
		return `${which}: the instruction at ${offset} (${nameOf(instruction).name}) looks at it in step ${step + 1}${rule}${more}.`;
	}

	#spansAt(byte: number): readonly Span[] {
		return this.#spans.filter(({ from, to }) => byte >= from && byte < to);
	}
}

/** The lines of their rules; every file has a rule that stands on none. */
function linesOf(instructions: readonly Instruction[]): ReadonlySet<number> {
	return new Set(
		instructions.map(({ line }) => line).filter((line) => line > 0),
	);
}
