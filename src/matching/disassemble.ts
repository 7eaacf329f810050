/**
 * A matcher's byte-code as text. It reads the table of opcodes, so a new opcode needs nothing here. The program was verified, so it can be
 * read without checks.
 */
import {
	H_ALWAYS,
	H_BYTE_LENGTH,
	H_RANKS,
	TEXT_END,
	TEXT_LAST,
	TEXT_LENGTH,
	WILD_AFTER_SLASH,
	WILD_ANCHORED,
} from "../../assembly/format/program.ts";
import { check, type Kind } from "../common/arguments.ts";
import { type JumpTable, jumpTables } from "./jump-tables.ts";
import { Matcher } from "./matcher.ts";
import { type Opcode, opcodes } from "./opcodes.ts";
import { RobotsTxt } from "./robots-txt.ts";
import type { RuleTable } from "./rules.ts";

/** The operands of an instruction as text, by their names, and `start`, `end` and `last`, which say what flags do. */
type Operands = Readonly<Record<string, string>>;

/** By code, as the bytes have it. */
const layouts = new Map(opcodes.map((opcode) => [opcode.code, opcode]));

const matcherKind: Kind = {
	text: "a Matcher",
	accepts: (value) => value instanceof Matcher,
	hint: (value) =>
		value instanceof RobotsTxt ? "pass robots.for(agent)" : undefined,
};

/**
 * A matcher's byte-code as text, one instruction per line: ">" where the jump table enters, offset,
 * mnemonic, operands and, after ";", the rule. opcodes.ts describes the opcodes. Used by the
 * playground, by docs/design.md and by tests; its text is no stable format.
 * @example
 * console.log(disassemble(RobotsTxt.parse("User-agent: *\nDisallow: /private/").for("ExampleBot")));
 * @throws {RobotrieError} disposed; invalid-argument, for anything but a Matcher.
 */
export function disassemble(matcher: Matcher): string {
	check("matcher", matcher, matcherKind);
	return new Disassembler(matcher.program, matcher.rules).run();
}

class Disassembler {
	readonly #bytes: Uint8Array;
	readonly #view: DataView;
	readonly #rules: RuleTable;
	#at = 0;

	constructor(program: Uint8Array, rules: RuleTable) {
		this.#bytes = program;
		this.#view = new DataView(
			program.buffer,
			program.byteOffset,
			program.length,
		);
		this.#rules = rules;
	}

	// In the order of the bytes: header, prefix code, unanchored patterns.
	run(): string {
		const length = this.#view.getUint32(H_BYTE_LENGTH, true);
		const always = this.#view.getUint32(H_ALWAYS, true);
		const lines = [
			`; ${length} bytes, ${this.#view.getUint32(H_RANKS, true)} rules`,
			`; every path: ${always ? this.#rankText(always) : "no rule"}`,
			...jumpTables(this.#bytes).flatMap((table) => this.#part(table)),
		];
		return `${lines.join("\n")}\n`;
	}

	/** The code after a jump table. */
	#part({ part, size, slots, short, from, to }: JumpTable): string[] {
		// Where the jump table leads; these addresses get a ">".
		const entries = new Set(slots.map(({ offset }) => offset));
		if (slots.length < size) entries.add(from);
		if (short) entries.add(short.offset);
		const lines = [
			part === "prefixes" ? "; prefix code" : "; unanchored patterns",
		];
		this.#at = from;
		while (this.#at < to) {
			const at = `${entries.has(this.#at) ? ">" : " "}${String(this.#at).padStart(5)}`;
			lines.push(`${at}  ${this.#instruction()}`.trimEnd());
		}
		return lines;
	}

	#instruction(): string {
		const begin = this.#at;
		const opcode = this.#u8();
		const layout = layouts.get(opcode);
		// It cannot come from the verifier; it would from a table that lacks an entry.
		if (!layout) return `opcode ${opcode}`;
		const operands = this.#operands(layout.operands, begin);
		const shown = layout.listing.replace(
			/\{([\w-]+)\}/g,
			(_, name: string) => operands[name] ?? "",
		);
		return `${layout.name.padEnd(10)}${shown}`;
	}

	/**
	 * The operands that follow, as text; `begin` is where their instruction begins. Lengths are
	 * written before the bytes they count, so the last number read is kept.
	 */
	#operands(layout: Opcode["operands"], begin: number): Operands {
		const shown: Record<string, string> = {};
		/** Of the bytes to come. */
		let length = 0;
		for (const { name, form } of layout) {
			switch (form) {
				case "rank":
					shown.rank = this.#rankText(this.#u24());
					break;
				case "u24": {
					const value = this.#u24();
					// A skip counts from the instruction's own beginning.
					shown[name] = String(name === "skip" ? begin + value : value);
					break;
				}
				case "u8":
					length = this.#u8();
					shown[name] =
						name === "byte" ? quoted(Uint8Array.of(length)) : String(length);
					break;
				case "varint":
					length = this.#varint();
					shown[name] = String(length);
					break;
				case "shape": {
					const value = this.#u8();
					length = (value & TEXT_LENGTH) + 1;
					shown.end = value & TEXT_END ? " end" : "";
					shown.last = lasting(value);
					break;
				}
				case "flags": {
					const flags = this.#u8();
					shown.start = opening(flags);
					shown.end = ending(flags);
					break;
				}
				case "bytes":
					shown[name] = this.#text(length);
					break;
				case "arms":
					shown.arms = this.#arms(this.#u8() + 1);
					break;
				case "slots":
					shown.slots = this.#slots(2 ** this.#u8());
					break;
				case "tail":
					shown.start = opening(this.#bytes[this.#at] ?? 0);
					shown.tail = this.#tail();
					break;
			}
		}
		return shown;
	}

	// A rank is twice the rule's number, plus one for Allow.
	#rankText(encoded: number): string {
		const rule = this.#rules.at(encoded >> 1);
		const verdict = encoded & 1 ? "allow" : "disallow";
		const source = rule
			? `line ${rule.line}: ${rule.type} ${rule.pattern}`
			: "/robots.txt itself";
		return `#${encoded >> 1} ${verdict} ; ${source}`;
	}

	#arms(count: number): string {
		const bytes = Array.from({ length: count }, () => this.#text(1));
		return bytes.map((byte) => `${byte} ${this.#u24()}`).join(", ");
	}

	#slots(count: number): string {
		const targets = Array.from({ length: count }, () => this.#u24());
		return `${count} slots: ${targets.filter((target) => target > 0).join(", ")}`;
	}

	#tail(): string {
		const flags = this.#u8();
		const literals = Array.from({ length: this.#varint() }, () => {
			const lengthAndForms = this.#varint();
			const text = this.#text(lengthAndForms >> 1);
			return lengthAndForms & 1
				? `${text} or ${this.#text(this.#varint())}`
				: text;
		});
		return `… ${literals.join(" … ")}${ending(flags)}`;
	}

	/** Bytes as `quoted` shows them. */
	#text(length: number): string {
		const from = this.#at;
		this.#at += length;
		return quoted(this.#bytes.subarray(from, this.#at));
	}

	#u8(): number {
		return this.#view.getUint8(this.#at++);
	}

	#u24(): number {
		return this.#u8() | (this.#u8() << 8) | (this.#u8() << 16);
	}

	#varint(): number {
		let value = 0;
		for (let shift = 0; ; shift += 7) {
			const byte = this.#u8();
			value |= (byte & 127) << shift;
			if (byte < 128) return value;
		}
	}
}

/** Bytes in quotes, those that are not printable ASCII as \xHH. */
function quoted(bytes: Uint8Array): string {
	const shown = Array.from(bytes, (byte) =>
		byte < 32 || byte > 126 || byte === 34 || byte === 92
			? `\\x${byte.toString(16).padStart(2, "0")}`
			: String.fromCharCode(byte),
	);
	return `"${shown.join("")}"`;
}

function opening(flags: number): string {
	return flags & WILD_AFTER_SLASH ? '"/" ' : "";
}

/** After a text without it the next instruction follows, whether the text was found or not. */
function lasting(shape: number): string {
	return shape & TEXT_LAST ? ", stop" : "";
}

function ending(flags: number): string {
	return flags & WILD_ANCHORED ? " end" : "";
}
