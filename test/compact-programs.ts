import {
	OP_FLOAT,
	OP_FLOAT1,
	OP_ONCE,
	OP_PREFIXED,
	OP_RULE,
	OP_RULE_END,
	OP_TEXT,
	OP_TEXT_WILD,
	OP_WILD,
} from "../assembly/format/opcodes.ts";
import { FILTER_SIZE, TABLE_BARE } from "../assembly/format/program.ts";
import { ascii, type Bytes, u24, varint } from "./programs.ts";

/** Compact programs (assembly/format/compact.ts says what the bytes mean) put together by hand, sound or not. */

export const C_LITERAL = 0x00;
export const C_RULE_STOP = 0x20;
export const C_PRIORITY_RULE_STOP = 0x40;
export const C_TEXT = 0x60;
export const C_PRIORITY_TEXT = 0x80;
export const C_BRANCH = 0xa0;
/** Without a number in it, what OP_STOP and so on are in programs. */
export const C_STOP = 0xc0;
/** In place of OP_RULE_STOP's, which has numbers. */
export const C_HASH = 0xc1;
export const C_RULE = C_STOP + OP_RULE;
export const C_RULE_END = C_STOP + OP_RULE_END;
export const C_WILD = C_STOP + OP_WILD;
export const C_ONCE = C_STOP + OP_ONCE;
export const C_FLOAT1 = C_STOP + OP_FLOAT1;
export const C_FLOAT = C_STOP + OP_FLOAT;
export const C_PREFIXED = C_STOP + OP_PREFIXED;
export const C_LONG_TEXT = C_STOP + OP_TEXT;
export const C_TEXT_WILD = C_STOP + OP_TEXT_WILD;
export const C_END_TEXT = 0xce;
export const C_LONG_LITERAL = 0xde;
export const C_FAR_BRANCH = 0xdf;

const CJ_SHORT = 64;
const CJ_WIDE = 128;
const CJ_SHORT_SIZE = 35;
/** Up to 2^6 slots the bitmap is one block. */
const CJ_ONE_BLOCK = 6;
const CJ_BLOCK = 12;

/** The code of a byte that stands for itself. */
const ESCAPE = 255;

/** A text, each byte of it escaped. */
export const escaped = (text: string): Bytes =>
	ascii(text).flatMap((byte) => [ESCAPE, byte]);
export const stop: Bytes = [C_STOP];
/** LITERAL, RULE_STOP, PRIORITY_RULE_STOP, TEXT or PRIORITY_TEXT. */
export const short = (
	opcode: number,
	symbols: Bytes,
	...priority: readonly number[]
): Bytes => [opcode | symbols.length, ...symbols, ...priority.flatMap(varint)];
export const longText = (symbols: Bytes): Bytes => [
	C_LONG_LITERAL,
	...varint(symbols.length),
	...symbols,
];
/** Distances of all arms but the first. */
export const branch = (bytes: string, ...distances: Bytes): Bytes => [
	C_BRANCH | (bytes.length - 1),
	...ascii(bytes),
	...distances,
];
export const farBranch = (bytes: Bytes, ...distances: Bytes): Bytes => [
	C_FAR_BRANCH,
	...varint(bytes.length),
	...bytes,
	...distances.flatMap(u24),
];
/** With up to eight slots: their bits, and a distance from there for each bit. */
export const hash = (
	length: number,
	bits: number,
	map: number,
	...distances: Bytes
): Bytes => [C_HASH, length, bits, map, ...distances.flatMap(u24)];
export const once = (distance: number, bit: number): Bytes => [
	C_ONCE,
	...varint(distance),
	...varint(bit),
];
/** WILD, FLOAT and what else has a size: FLOAT1, PREFIXED, LONG_TEXT, TEXT_WILD, END_TEXT. */
export const sized = (
	opcode: number,
	priority: number,
	operands: Bytes,
	size = operands.length,
): Bytes => [opcode, ...varint(priority), ...varint(size), ...operands];
export const float1 = (priority: number, before: Bytes, after: number): Bytes =>
	sized(C_FLOAT1, priority, [0, ...varint(after), ...before]);
export const prefixed = (
	priority: number,
	prefix: string,
	body: Bytes,
): Bytes =>
	sized(C_PREFIXED, priority, [
		...varint(prefix.length),
		...ascii(prefix),
		...body,
	]);
/** LONG_TEXT, TEXT_WILD or END_TEXT: a text, and what follows it. */
export const tryLong = (
	opcode: number,
	priority: number,
	symbols: Bytes,
	body: Bytes = [],
): Bytes =>
	sized(opcode, priority, [...varint(symbols.length), ...symbols, ...body]);

/** A jump table and the code behind it. */
export interface Part {
	readonly code: Bytes;
	readonly bits?: number;
	/** By slot, the offset in the code. */
	readonly entries?: Readonly<Record<number, number>>;
	/** Offset of the code for short entries. */
	readonly short?: number;
	readonly wide?: boolean;
}

export interface Compact {
	readonly prefix?: Part;
	readonly unanchored?: Part;
	readonly always?: number;
	readonly table?: number;
	readonly visited?: number;
	/** Bytes that are cut off from the end. */
	readonly cut?: number;
	/** What is done to the bytes in the end. */
	readonly change?: (bytes: Uint8Array, view: DataView) => void;
}

const nothing: Part = { code: stop };

/** Its bytes. Unless it says otherwise, slot 0 leads to the first byte of the code, and the visited set has two bits. */
export function compactOf(spec: Compact): Uint8Array {
	const prefix = partOf(spec.prefix ?? nothing);
	const unanchored = spec.unanchored && partOf(spec.unanchored);
	const header = [
		unanchored ? 1 : 0,
		spec.table ?? TABLE_BARE,
		...varint(spec.always ?? 0),
		...(unanchored
			? [...u24(prefix.length), 0, ...varint(spec.visited ?? 2)]
			: []),
	];
	const parts = [
		...prefix,
		...(unanchored ? [...new Uint8Array(FILTER_SIZE), ...unanchored] : []),
	];
	const length = 4 + header.length + parts.length - (spec.cut ?? 0);
	const bytes = Uint8Array.from([
		...u24(length),
		4 + header.length,
		...header,
		...parts,
	]).slice(0, length);
	spec.change?.(bytes, new DataView(bytes.buffer));
	return bytes;
}

/** Bytes of a jump table, in front of its code. */
export function tableSize({
	bits = 1,
	entries = { 0: 0 },
	short,
	wide = false,
}: Omit<Part, "code">): number {
	return (
		1 +
		(short === undefined ? 0 : CJ_SHORT_SIZE) +
		bitmapSize(bits) +
		Object.keys(entries).length * (wide ? 4 : 3)
	);
}

function bitmapSize(bits: number): number {
	return bits > CJ_ONE_BLOCK
		? CJ_BLOCK << (bits - CJ_ONE_BLOCK)
		: Math.max(1, 2 ** (bits - 3));
}

function partOf(part: Part): Bytes {
	const { code, bits = 1, entries = { 0: 0 }, short, wide = false } = part;
	const codeAt = tableSize(part);
	const map = new Uint8Array(bitmapSize(bits));
	const slots = Object.keys(entries).map(Number);
	const blocks = bits > CJ_ONE_BLOCK;
	for (const slot of slots) {
		const at = blocks ? (slot >> 6) * CJ_BLOCK + ((slot & 63) >> 3) : slot >> 3;
		map[at] = (map[at] ?? 0) | (1 << (slot & 7));
	}
	if (blocks)
		for (let at = 0; at * CJ_BLOCK < map.length; at++)
			new DataView(map.buffer).setUint32(
				at * CJ_BLOCK + 8,
				slots.filter((slot) => slot < at * 64).length,
				true,
			);
	return [
		bits | (short === undefined ? 0 : CJ_SHORT) | (wide ? CJ_WIDE : 0),
		...(short === undefined
			? []
			: [...u24(codeAt + short), ...new Uint8Array(CJ_SHORT_SIZE - 3)]),
		...map,
		...Object.values(entries).flatMap((at) => [
			0,
			...u24(codeAt + at).slice(0, wide ? 3 : 2),
		]),
		...code,
	];
}
