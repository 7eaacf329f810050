import {
	BYTE_SET_SIZE,
	FILTER_HIGH,
	FILTER_SECOND,
	FILTER_SIZE,
	FILTER_THIRD,
	H_UNANCHORED,
	HEADER_SIZE,
	JUMP_BITS,
	JUMP_SHORT,
	JUMP_SLOTS,
	KEY_HASH,
	TEXT_END,
	TEXT_LAST,
	TEXT_LENGTH,
} from "../assembly/format/program.ts";
import { opcodes } from "../src/matching/opcodes.ts";

/** Reads a program field by field, for the dumps of docs/design.md. The layout is written out once more here, on purpose. */

export interface Field {
	readonly at: number;
	readonly size: number;
	readonly text: string;
}

export const u32 = (bytes: Uint8Array, at: number): number =>
	new DataView(bytes.buffer, bytes.byteOffset).getUint32(at, true);
const u24 = (bytes: Uint8Array, at: number) => u32(bytes, at - 1) >>> 8;

export const rankText = (encoded: number): string =>
	encoded === 0
		? "no rule"
		: `rank ${encoded >> 1}, ${encoded & 1 ? "allow" : "disallow"}`;

/** Bytes as text in quotes. */
export const quoted = (bytes: Uint8Array): string =>
	JSON.stringify(String.fromCharCode(...bytes));

/** The hash of the three bytes at `at`. */
export const hashOf = (bytes: Uint8Array, at: number): number =>
	Math.imul(u32(bytes, at) & 0xffffff, KEY_HASH) >>> 0;

export interface JumpTable {
	readonly slotBits: number;
	/** The slot for a hash, and the code that it leads to, if its tag is the hash's. */
	lookUp(hash: number): { slot: number; code: number | undefined };
	/** First byte behind the table. */
	readonly end: number;
}

export function jumpTable(program: Uint8Array, at: number): JumpTable {
	const slotBits = u32(program, at + JUMP_BITS);
	const slots = at + JUMP_SLOTS;
	return {
		slotBits,
		lookUp(hash) {
			const slot = hash >>> (32 - slotBits);
			const entry = u32(program, slots + 4 * slot);
			const matches = !(entry & 1) || (entry & 0xfe) === (hash & 0xfe);
			return { slot, code: matches ? entry >>> 8 : undefined };
		},
		end:
			slots +
			(4 << slotBits) +
			(u32(program, at + JUMP_SHORT) ? BYTE_SET_SIZE : 0),
	};
}

/** Whether the prefilter lets a position of a text pass. */
export function passes(
	program: Uint8Array,
	text: Uint8Array,
	at: number,
): boolean {
	return entriesAt(program, text, at).reduce((a, b) => a & b) !== 0;
}

/** The four table entries for a position. */
export function entriesAt(
	program: Uint8Array,
	text: Uint8Array,
	at: number,
): number[] {
	const filter = u32(program, H_UNANCHORED);
	const [first = 0, second = 0, third = 0] = text.subarray(at);
	return [
		filter + (first & 15),
		filter + FILTER_HIGH + (first >> 4),
		filter + FILTER_SECOND + (second & 15),
		filter + FILTER_THIRD + (third & 15),
	].map((entry) => program[entry] ?? 0);
}

/** A program's fields behind its header. */
export function* programFields(program: Uint8Array): Generator<Field> {
	const filter = u32(program, H_UNANCHORED);
	yield* partFields(program, HEADER_SIZE, filter);
	const tables = [
		"prefilter: byte 1, by its low four bits",
		"prefilter: byte 1, by its high four bits",
		"prefilter: byte 2, by its low four bits",
		"prefilter: byte 3, by its low four bits",
	];
	for (const [index, text] of tables.entries())
		yield { at: filter + 16 * index, size: 16, text };
	yield* partFields(program, filter + FILTER_SIZE, program.length);
}

function* partFields(
	program: Uint8Array,
	at: number,
	end: number,
): Generator<Field> {
	const table = jumpTable(program, at);
	const short = u32(program, at + JUMP_SHORT);
	if (short) throw new Error("the example has no short entries");
	yield { at, size: 4, text: "jump table: entries shorter than a key: none" };
	at += 4;
	yield { at, size: 4, text: `jump table: 2^${table.slotBits} slots` };
	const slots = at + 4;
	for (at = slots; at < table.end; at += 4) {
		const tag = program[at] ?? 0;
		const text = `slot ${(at - slots) / 4}: tag ${tag.toString(16).padStart(2, "0")}, code at ${u24(program, at + 1)}`;
		yield { at, size: 4, text };
	}
	while (at < end) at = yield* instructionFields(program, at);
}

/** The fields of an instruction; returns where the next one begins. */
function* instructionFields(
	program: Uint8Array,
	at: number,
): Generator<Field, number> {
	const layout = opcodes.find(({ code }) => code === program[at]);
	if (!layout) throw new Error(`no opcode ${program[at]}`);
	yield { at: at++, size: 1, text: layout.name };
	let length = 0;
	for (const { name, form } of layout.operands) {
		const byte = program[at] ?? 0;
		let size = 1;
		let text = `${name} ${byte}`;
		if (form === "rank" || form === "u24") {
			size = 3;
			const value = u24(program, at);
			text = form === "rank" ? rankText(value) : `${name} ${value}`;
		} else if (form === "bytes") {
			size = length;
			if (size === 0) continue;
			text = `${name} ${quoted(program.subarray(at, at + size))}`;
		} else if (form === "shape") {
			length = (byte & TEXT_LENGTH) + 1;
			const end = byte & TEXT_END ? ", the path must end after it" : "";
			text = `shape: ${length} bytes${end}${byte & TEXT_LAST ? ", the last text" : ""}`;
		} else if (form === "flags") {
			text = `flags ${byte}`;
		} else if (form === "u8" || form === "varint") {
			length = byte;
		} else {
			throw new Error(`the example has no ${form}`);
		}
		yield { at, size, text: `  ${text}` };
		at += size;
	}
	return at;
}

/** Bytes as "0a 0b". */
const hex = (bytes: Uint8Array): string =>
	Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join(" ");

/** A line a field: offset, bytes, explanation. */
export function dump(bytes: Uint8Array, fields: Iterable<Field>): string {
	const lines: string[] = [];
	let next = 0;
	for (const { at, size, text } of fields) {
		if (at !== next) throw new Error(`a field at ${at}, not at ${next}`);
		next = at + size;
		lines.push(
			`${String(at).padStart(4)}  ${hex(bytes.subarray(at, next)).padEnd(47)}  ${text}`,
		);
	}
	if (next !== bytes.length) throw new Error(`fields end at ${next}`);
	return lines.join("\n");
}
