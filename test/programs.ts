import {
	OP_BRANCH,
	OP_FLOAT1,
	OP_HASH,
	OP_LITERAL,
	OP_NEED,
	OP_ONCE,
	OP_PREFIXED,
	OP_STOP,
	OP_TEXT,
	OP_TEXT_WILD,
} from "../assembly/format/opcodes.ts";
import {
	BYTE_SET_SIZE,
	FILTER_SIZE,
	FORMAT_VERSION,
	H_ALWAYS,
	H_BYTE_LENGTH,
	H_MAX_UNANCHORED,
	H_RANKS,
	H_TABLE,
	H_UNANCHORED,
	H_VERSION,
	H_VISITED,
	HEADER_SIZE,
	JUMP_BITS,
	JUMP_SHORT,
	JUMP_SLOTS,
	TABLE_BARE,
} from "../assembly/format/program.ts";

/** Programs (assembly/format/program.ts) put together by hand, sound or not. */

export type Bytes = readonly number[];

export const u24 = (value: number): Bytes => [
	value & 255,
	(value >> 8) & 255,
	(value >> 16) & 255,
];
export const ascii = (text: string): Bytes => [...Buffer.from(text, "latin1")];
export const varint = (value: number): Bytes =>
	value < 128 ? [value] : [(value & 127) | 128, ...varint(value >> 7)];

/** A wildcard body: flags, and literals; one with a form for the query is a pair. */
export const body = (
	...literals: readonly (string | readonly [string, string])[]
): Bytes => [0, literals.length, ...literals.flatMap(literalOf)];
const literalOf = (literal: string | readonly [string, string]): Bytes => {
	if (typeof literal === "string")
		return [...varint(literal.length * 2), ...ascii(literal)];
	const [escaped, bare] = literal;
	return [
		...varint(escaped.length * 2 + 1),
		...ascii(escaped),
		...varint(bare.length),
		...ascii(bare),
	];
};

export const stop: Bytes = [OP_STOP];
/** RULE, RULE_END and RULE_STOP. */
export const rule = (opcode: number, rank: number): Bytes => [
	opcode,
	...u24(rank),
];
export const literal = (text: string): Bytes => [
	OP_LITERAL,
	text.length,
	...ascii(text),
];
/** Targets are offsets in the program. */
export const branch = (bytes: string, ...targets: Bytes): Bytes => [
	OP_BRANCH,
	bytes.length - 1,
	...ascii(bytes),
	...targets.flatMap(u24),
];
/** Targets of all slots, two to the power of `bits` unless it is to be wrong. */
export const hash = (
	length: number,
	bits: number,
	...targets: Bytes
): Bytes => [OP_HASH, length, bits, ...targets.flatMap(u24)];
export const need = (size: number): Bytes => [OP_NEED, 0x61, ...u24(size)];
export const once = (size: number, bit: number): Bytes => [
	OP_ONCE,
	...u24(size),
	...u24(bit),
];
export const text = (flags: number, rank: number, text: string): Bytes => [
	OP_TEXT,
	flags | (text.length - 1),
	...u24(rank),
	...ascii(text),
];
export const textWild = (
	flags: number,
	rank: number,
	text: string,
	body: Bytes,
): Bytes => [
	OP_TEXT_WILD,
	6 + text.length + body.length,
	flags | (text.length - 1),
	...u24(rank),
	...ascii(text),
	...body,
];
/** WILD, FLOAT and, with other operands than a body, FLOAT1 and PREFIXED. */
export const wild = (
	opcode: number,
	rank: number,
	operands: Bytes,
	size = operands.length + 7,
): Bytes => [opcode, ...u24(size), ...u24(rank), ...operands];
export const float1 = (rank: number, before: string, after: number): Bytes =>
	wild(OP_FLOAT1, rank, [
		0,
		...varint(before.length),
		...ascii(before),
		...varint(after),
	]);
export const prefixed = (rank: number, prefix: string, body: Bytes): Bytes =>
	wild(OP_PREFIXED, rank, [
		...varint(prefix.length),
		...ascii(prefix),
		...body,
	]);

/** Operands of a wildcard instruction that do not fill it, or do not fit. */
export const wrongBodies: readonly (readonly [what: string, Bytes])[] = [
	["no flags", []],
	["no count", [0]],
	["a byte too many", [...body("a"), 0]],
	["a literal too few", [0, 2, 2, 0x61]],
	["an empty literal", [0, 1, 0]],
	["a literal that is cut off", [0, 1, 4, 0x61]],
	["an empty form", [0, 1, 3, 0x61, 0]],
	["no form", [0, 1, 3, 0x61]],
	["a form that is cut off", [0, 1, 3, 0x61, 2, 0x61]],
	["a length without an end", [0, 1, 0x82]],
	["a length of five bytes", [0, 1, 0x82, 0x80, 0x80, 0x80, 0, 0x61]],
	["a length that wraps", [0, 1, 0xfe, 0xff, 0xff, 0x7f, 0x61]],
];

/** A jump table and the code behind it. */
export interface Part {
	/** The code; `at` is its offset in the program. */
	readonly code: Bytes | ((at: number) => Bytes);
	readonly bits?: number;
	/** Of slots, which lead to the code's first byte, those that lead elsewhere: offsets from there. */
	readonly slots?: Bytes;
	/** Offset of the code for short entries, likewise. */
	readonly short?: number;
}

export interface Program {
	readonly prefix?: Part;
	readonly unanchored?: Part;
	readonly version?: number;
	readonly table?: number;
	readonly ranks?: number;
	readonly visited?: number;
	readonly always?: number;
	readonly most?: number;
	/** Bytes in all: what is missing are zeros. */
	readonly length?: number;
	/** Bytes that are cut off from the end. */
	readonly cut?: number;
	/** What is done to the bytes in the end. */
	readonly change?: (bytes: Uint8Array, view: DataView) => void;
}

const nothing: Part = { code: stop };

/** Its bytes. Unless it says otherwise, ranks up to 7 are in range, and two bits of the visited set. */
export function programOf(spec: Program): Uint8Array {
	const prefix = partOf(spec.prefix ?? nothing, HEADER_SIZE);
	const filterAt = HEADER_SIZE + prefix.length;
	const unanchored = spec.unanchored
		? partOf(spec.unanchored, filterAt + FILTER_SIZE)
		: undefined;
	const size = filterAt + (unanchored ? FILTER_SIZE + unanchored.length : 0);
	const whole = new Uint8Array(Math.max(size, spec.length ?? 0));
	whole.set(prefix, HEADER_SIZE);
	if (unanchored) whole.set(unanchored, filterAt + FILTER_SIZE);
	const bytes = whole.slice(0, whole.length - (spec.cut ?? 0));
	const view = new DataView(bytes.buffer);
	view.setUint32(H_BYTE_LENGTH, bytes.length, true);
	view.setUint8(H_VERSION, spec.version ?? FORMAT_VERSION);
	view.setUint8(H_TABLE, spec.table ?? TABLE_BARE);
	view.setUint32(H_RANKS, spec.ranks ?? 3, true);
	view.setUint32(H_UNANCHORED, spec.unanchored ? filterAt : 0, true);
	view.setUint32(H_VISITED, spec.visited ?? 2, true);
	view.setUint32(H_MAX_UNANCHORED, spec.most ?? 0, true);
	view.setUint32(H_ALWAYS, spec.always ?? 0, true);
	spec.change?.(bytes, view);
	return bytes;
}

function partOf(
	{ code, bits = 1, slots = [], short }: Part,
	at: number,
): Uint8Array {
	const slotCount = 2 ** bits;
	const slotsEnd = JUMP_SLOTS + slotCount * 4;
	const codeAt = slotsEnd + (short === undefined ? 0 : BYTE_SET_SIZE);
	const written = typeof code === "function" ? code(at + codeAt) : code;
	const bytes = new Uint8Array(codeAt + written.length);
	const view = new DataView(bytes.buffer);
	view.setUint32(JUMP_BITS, bits, true);
	if (short !== undefined)
		view.setUint32(JUMP_SHORT, at + codeAt + short, true);
	for (let slot = 0; slot < slotCount; slot++)
		view.setUint32(
			JUMP_SLOTS + slot * 4,
			(at + codeAt + (slots[slot] ?? 0)) << 8,
			true,
		);
	bytes.set(written, codeAt);
	return bytes;
}
