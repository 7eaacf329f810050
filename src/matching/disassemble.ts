import {
	BYTE_SET_SIZE,
	FILTER_SIZE,
	H_ALWAYS,
	H_BYTE_LENGTH,
	H_LITERALS,
	H_RANKS,
	HEAD_SLOT_SIZE,
	HEADER_SIZE,
	HEADS_BITS,
	HEADS_SHORT,
	HEADS_SLOTS,
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
	TEXT_END,
	TEXT_LAST,
	TEXT_LENGTH,
	WILD_AFTER_SLASH,
	WILD_ANCHORED,
} from "../../assembly/format/program.ts";
import { check, type Kind } from "../common/arguments.ts";
import { Matcher } from "./matcher.ts";
import { RobotsTxt } from "./robots-txt.ts";
import type { RuleTable } from "./rules.ts";

const mnemonics: ReadonlyMap<number, string> = new Map([
	[OP_STOP, "stop"],
	[OP_RULE_STOP, "rule_stop"],
	[OP_RULE, "rule"],
	[OP_RULE_END, "rule_end"],
	[OP_LITERAL, "literal"],
	[OP_BRANCH, "branch"],
	[OP_WILD, "wild"],
	[OP_NEED, "need"],
	[OP_ONCE, "once"],
	[OP_FLOAT1, "float1"],
	[OP_FLOAT, "float"],
	[OP_PREFIXED, "prefixed"],
	[OP_TEXT, "text"],
	[OP_TEXT_WILD, "text_wild"],
]);

const matcherKind: Kind = {
	text: "a Matcher",
	accepts: (value) => value instanceof Matcher,
	hint: (value) =>
		value instanceof RobotsTxt ? "pass robots.for(agent)" : undefined,
};

/**
 * A matcher's byte-code as text, an instruction a line: ">" where the heads enter, offset, mnemonic, operands, and behind
 * ";" the rule that it stands for. What the opcodes do stands above their code in assembly/run.ts.
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

	run(): string {
		const length = this.#view.getUint32(H_BYTE_LENGTH, true);
		const literals = this.#view.getUint32(H_LITERALS, true);
		const always = this.#view.getUint32(H_ALWAYS, true);
		const lines = [
			`; ${length} bytes, ${this.#view.getUint32(H_RANKS, true)} rules`,
			`; every path: ${always ? this.#rankText(always) : "no rule"}`,
			"; prefix code",
			...this.#part(HEADER_SIZE, literals || length),
		];
		if (literals > 0) {
			lines.push("; literal code");
			lines.push(...this.#part(literals + FILTER_SIZE, length));
		}
		return `${lines.join("\n")}\n`;
	}

	/** The code behind heads, up to `end`. */
	#part(heads: number, end: number): string[] {
		const short = this.#view.getUint32(heads + HEADS_SHORT, true);
		const slots = heads + HEADS_SLOTS;
		const slotsEnd =
			slots +
			(HEAD_SLOT_SIZE << this.#view.getUint32(heads + HEADS_BITS, true));
		const entries = new Set([short]);
		for (let slot = slots; slot < slotsEnd; slot += HEAD_SLOT_SIZE) {
			entries.add(this.#view.getUint32(slot, true) >>> 8);
		}
		const lines: string[] = [];
		this.#at = slotsEnd + (short ? BYTE_SET_SIZE : 0);
		while (this.#at < end) {
			const at = `${entries.has(this.#at) ? ">" : " "}${String(this.#at).padStart(5)}`;
			lines.push(`${at}  ${this.#instruction()}`.trimEnd());
		}
		return lines;
	}

	#instruction(): string {
		const begin = this.#at;
		const opcode = this.#u8();
		const name = (mnemonics.get(opcode) ?? `opcode ${opcode}`).padEnd(10);
		switch (opcode) {
			case OP_RULE:
			case OP_RULE_END:
			case OP_RULE_STOP:
				return `${name}${this.#rank()}`;
			case OP_LITERAL:
				return `${name}${this.#text(this.#u8())}`;
			case OP_BRANCH:
				return `${name}${this.#arms(this.#u8() + 1)}`;
			case OP_NEED: {
				const byte = this.#text(1);
				return `${name}${byte}, else past ${begin + this.#u24()}`;
			}
			case OP_ONCE: {
				const target = begin + this.#u24();
				return `${name}mark ${this.#u24()}, then past ${target}`;
			}
			case OP_WILD: {
				this.#u24();
				const rank = this.#rank();
				return `${name}${this.#body()} ${rank}`;
			}
			case OP_FLOAT: {
				this.#u24();
				const rank = this.#rank();
				const start = opening(this.#bytes[this.#at] ?? 0);
				return `${name}${start}${this.#body()} ${rank}`;
			}
			case OP_PREFIXED: {
				this.#u24();
				const rank = this.#rank();
				const prefix = this.#text(this.#varint());
				return `${name}${prefix} ${this.#body()} ${rank}`;
			}
			case OP_TEXT: {
				const shape = this.#u8();
				const rank = this.#rank();
				const text = this.#text((shape & TEXT_LENGTH) + 1);
				const end = shape & TEXT_END ? " end" : "";
				return `${name}${text}${end}${lasting(shape)} ${rank}`;
			}
			case OP_TEXT_WILD: {
				this.#u8();
				const shape = this.#u8();
				const rank = this.#rank();
				const text = this.#text((shape & TEXT_LENGTH) + 1);
				return `${name}${text} ${this.#body()}${lasting(shape)} ${rank}`;
			}
			case OP_FLOAT1: {
				this.#u24();
				const rank = this.#rank();
				const flags = this.#u8();
				const before = this.#text(this.#varint());
				return `${name}${opening(flags)}… ${before} + ${this.#varint()}${ending(flags)} ${rank}`;
			}
			default:
				return name;
		}
	}

	#rank(): string {
		return this.#rankText(this.#u24());
	}

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

	#body(): string {
		const flags = this.#u8();
		const literals = Array.from({ length: this.#varint() }, () => {
			const head = this.#varint();
			const text = this.#text(head >> 1);
			return head & 1 ? `${text} or ${this.#text(this.#varint())}` : text;
		});
		return `… ${literals.join(" … ")}${ending(flags)}`;
	}

	/** Bytes in quotes, those that are not printable ASCII as \xHH. */
	#text(length: number): string {
		const bytes = this.#bytes.subarray(this.#at, this.#at + length);
		this.#at += length;
		const shown = Array.from(bytes, (byte) =>
			byte < 32 || byte > 126 || byte === 34 || byte === 92
				? `\\x${byte.toString(16).padStart(2, "0")}`
				: String.fromCharCode(byte),
		);
		return `"${shown.join("")}"`;
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

function opening(flags: number): string {
	return flags & WILD_AFTER_SLASH ? '"/" ' : "";
}

/** Behind a text without it the next instruction follows, whether the text was found or not. */
function lasting(shape: number): string {
	return shape & TEXT_LAST ? ", stop" : "";
}

function ending(flags: number): string {
	return flags & WILD_ANCHORED ? " end" : "";
}
