import { instantiateSync } from "@assemblyscript/loader";
import {
	COMPILE_GOOGLE,
	H_RANKS,
	LINES_PADDING,
	MAX_U24,
	PADDING,
	RULE_RECORD_SIZE,
	TABLE_SIZE,
} from "../assembly/format.ts";
import { type DialectRules, octetClassTables } from "./dialect.ts";
import { RobotrieError } from "./errors.ts";
import { moduleBytes } from "./module.ts";

/** What assembly/index.ts exports; its contracts stand there. */
interface ModuleExports {
	readonly memory: WebAssembly.Memory;
	tables(): number;
	input(size: number): number;
	allocate(size: number): number;
	compile(text: number, records: number, count: number, flags: number): number;
	verify(program: number, length: number): number;
	reserveMarks(program: number): number;
	programLength(program: number): number;
	release(pointer: number): void;
	matchLines(program: number, from: number, length: number, to: number): number;
	matchOne(program: number, from: number, length: number): number;
	countLines(from: number, length: number): number;
}

const exports = instantiateSync(moduleBytes(), {}).instance
	.exports as unknown as ModuleExports;

/** The one view of linear memory; stale once memory has grown, so everything asks `memory()` for it. */
let view = new Uint8Array(exports.memory.buffer);

function memory(): Uint8Array {
	// Growing detaches the buffer, which empties its views; asking for the buffer itself takes ten times as long.
	if (view.length === 0) view = new Uint8Array(exports.memory.buffer);
	return view;
}

for (const [index, table] of octetClassTables())
	memory().set(table, exports.tables() + index * TABLE_SIZE);

function outOfMemory(what: string): RobotrieError {
	return new RobotrieError(
		"limit-exceeded",
		`${what} does not fit: a block of WebAssembly memory ends at 512 MiB, all of it at 4 GiB`,
	);
}

/** The module's input region and its octets, as of the last call that asked for more. */
let inputPointer = 0;
let inputSize = -1;

/** Room for `size` octets to hand to the module. */
function input(size: number): number {
	if (size > inputSize) {
		inputPointer = exports.input(size) >>> 0;
		inputSize = inputPointer === 0 ? -1 : size;
		if (inputPointer === 0) throw outOfMemory(`an input of ${size} octets`);
	}
	return inputPointer;
}

/** A program and the record behind each rank from 1 on. */
export interface Compilation {
	readonly program: Uint8Array;
	readonly records: Uint32Array;
}

/**
 * Compiles rules to byte-code. `records` holds RULE_RECORD triples whose offsets point into `text`, its parts
 * taken end to end.
 * @throws {RobotrieError} limit-exceeded, when the program would pass 16 MiB or memory 4 GiB.
 */
export function compile(
	text: readonly Uint8Array[],
	records: Uint32Array,
	dialect: DialectRules,
): Compilation {
	const count = records.byteLength / RULE_RECORD_SIZE;
	const textAt = records.byteLength;
	const pointer = input(
		text.reduce((size, part) => size + part.length, textAt),
	);
	memory().set(
		new Uint8Array(records.buffer, records.byteOffset, records.byteLength),
		pointer,
	);
	let end = pointer + textAt;
	for (const part of text) {
		memory().set(part, end);
		end += part.length;
	}
	const flags = dialect.googleMatching ? COMPILE_GOOGLE : 0;
	const program =
		exports.compile(pointer + textAt, pointer, count, flags) >>> 0;
	if (program === 0) throw outOfMemory(`a program of ${count} rules`);
	if (program === 1) {
		throw new RobotrieError(
			"limit-exceeded",
			`${count} rules need more than the ${MAX_U24} octets a program may have`,
		);
	}
	const length = exports.programLength(program);
	const octets = memory();
	const ranks = new DataView(octets.buffer, program).getUint32(H_RANKS, true);
	const result = {
		program: octets.slice(program, program + length),
		records: new Uint32Array(ranks),
	};
	new Uint8Array(result.records.buffer).set(
		octets.subarray(pointer, pointer + ranks * 4),
	);
	exports.release(program);
	return result;
}

/** The verifier's answer for octets that claim to be a program: a VERIFY_ code. */
export function verify(program: Uint8Array): number {
	const pointer = input(program.length);
	memory().set(program, pointer);
	const reason = exports.verify(pointer, program.length);
	if (reason < 0) throw outOfMemory(`a program of ${program.length} octets`);
	return reason;
}

/** A program's place in linear memory while it has one. */
export interface Residence {
	pointer: number;
	/** Octets taken, with what the allocator adds. */
	size: number;
	/** Clock of its last use. */
	used: number;
	/** Its place among the residents. */
	index: number;
}

export function noResidence(): Residence {
	return { pointer: 0, size: 0, used: 0, index: 0 };
}

/**
 * Programs belong to their matchers, on the JavaScript heap, and are collected with them; linear memory holds copies of
 * those in use, up to this many octets. So neither a loop that never yields (where finalisers do not run) nor
 * a forgotten matcher makes memory grow.
 */
const RESIDENT_LIMIT = 64 * 1024 * 1024;
/** What a block takes beside its octets. */
const BLOCK_OVERHEAD = PADDING + 20;
const residents: Residence[] = [];
let residentSize = 0;
let clock = 0;

/** Brings a program into linear memory unless it is there; returns its address, valid until the next call. */
export function admit(program: Uint8Array, residence: Residence): number {
	residence.used = ++clock;
	if (residence.pointer !== 0) return residence.pointer;
	const size = program.length + BLOCK_OVERHEAD;
	if (residentSize + size > RESIDENT_LIMIT) evict();
	const pointer = exports.allocate(program.length) >>> 0;
	if (pointer === 0) throw outOfMemory(`a program of ${program.length} octets`);
	memory().set(program, pointer);
	if (exports.reserveMarks(pointer) === 0) {
		exports.release(pointer);
		throw outOfMemory(`a program of ${program.length} octets`);
	}
	residence.pointer = pointer;
	residence.size = size;
	residence.index = residents.length;
	residentSize += size;
	residents.push(residence);
	return pointer;
}

/** Ends a program's stay in linear memory. */
export function dismiss(residence: Residence): void {
	if (residence.pointer === 0) return;
	exports.release(residence.pointer);
	residence.pointer = 0;
	residentSize -= residence.size;
	const last = residents.pop();
	if (last && last !== residence) {
		last.index = residence.index;
		residents[last.index] = last;
	}
}

/** Dismisses those used least recently until half the room is free. */
function evict(): void {
	for (const residence of residents.toSorted((a, b) => a.used - b.used)) {
		if (residentSize <= RESIDENT_LIMIT / 2) break;
		dismiss(residence);
	}
}

/** Octets handed to the module at once: they stay in the second-level cache from copying to matching. */
const CHUNK = 128 * 1024;

/** Verdict octets, one per line of `bytes` (LF or CRLF ends a line, the last may lack it). */
export function matchLines(
	program: Uint8Array,
	residence: Residence,
	bytes: Uint8Array,
): Uint8Array {
	if (bytes.length <= CHUNK) return matchChunk(program, residence, bytes);
	const parts: Uint8Array[] = [];
	let total = 0;
	for (let from = 0; from < bytes.length; ) {
		const to = chunkEnd(bytes, from);
		const part = matchChunk(program, residence, bytes.subarray(from, to));
		parts.push(part);
		total += part.length;
		from = to;
	}
	const verdicts = new Uint8Array(total);
	let at = 0;
	for (const part of parts) {
		verdicts.set(part, at);
		at += part.length;
	}
	return verdicts;
}

/** The end of the last whole line within a chunk, or of a single longer line. */
function chunkEnd(bytes: Uint8Array, from: number): number {
	const limit = from + CHUNK;
	if (limit >= bytes.length) return bytes.length;
	const last = bytes.lastIndexOf(10, limit - 1);
	if (last >= from) return last + 1;
	const next = bytes.indexOf(10, limit);
	return next < 0 ? bytes.length : next + 1;
}

function matchChunk(
	program: Uint8Array,
	residence: Residence,
	bytes: Uint8Array,
): Uint8Array {
	const from = input(chunkRoom(bytes.length));
	const address = admit(program, residence);
	memory().set(bytes, from);
	return matchInput(address, from, bytes.length);
}

/** Input octets, padding, and verdicts behind them. */
function chunkRoom(length: number): number {
	return length + LINES_PADDING + length + 1;
}

function matchInput(address: number, from: number, length: number): Uint8Array {
	const to = from + length + LINES_PADDING;
	const lines = exports.matchLines(address, from, length, to);
	if (lines < 0) throw outOfMemory(`an input of ${length} octets`);
	return memory().slice(to, to + lines);
}

const encoder = new TextEncoder();
/** Characters joined at once: at most CHUNK octets when they are ASCII. */
const STRING_CHUNK = 64 * 1024;

/** Verdict octets, one per text. */
export function matchMany(
	program: Uint8Array,
	residence: Residence,
	texts: readonly string[],
): Uint8Array {
	const verdicts = new Uint8Array(texts.length);
	for (let first = 0; first < texts.length; ) {
		let last = first;
		for (let length = 0; last < texts.length && length < STRING_CHUNK; last++)
			length += (texts[last]?.length ?? 0) + 1;
		const part = matchTexts(program, residence, texts.slice(first, last));
		verdicts.set(part, first);
		first = last;
	}
	return verdicts;
}

function matchTexts(
	program: Uint8Array,
	residence: Residence,
	texts: readonly string[],
): Uint8Array {
	const joined = `${texts.join("\n")}\n`;
	const capacity = joined.length * 3;
	const from = input(chunkRoom(capacity));
	const address = admit(program, residence);
	const { written } = encoder.encodeInto(
		joined,
		memory().subarray(from, from + capacity),
	);
	const verdicts = matchInput(address, from, written);
	// Line ends inside a text would make several lines of it, or be cut off its end.
	if (verdicts.length === texts.length && !joined.includes("\r"))
		return verdicts;
	return Uint8Array.from(texts, (text) => {
		const best = matchOne(program, residence, text);
		return best === 0 ? 1 : best < 0 ? 3 : best & 1;
	});
}

/** A short text is written octet by octet: below this length that beats the call of an encoder. */
const SHORT_TEXT = 256;

/**
 * The encoded rank of the rule that decides one text (rank * 2 + 1 for allow), 0 when there is none,
 * MATCH_INVALID when the text is no URL.
 */
export function matchOne(
	program: Uint8Array,
	residence: Residence,
	text: string,
): number {
	const capacity = text.length * 3;
	const from = input(capacity);
	const address = admit(program, residence);
	const octets = memory();
	let length = 0;
	if (text.length <= SHORT_TEXT) {
		for (; length < text.length; length++) {
			const unit = text.charCodeAt(length);
			if (unit > 127) break;
			octets[from + length] = unit;
		}
	}
	if (length < text.length)
		length = encoder.encodeInto(
			text,
			octets.subarray(from, from + capacity),
		).written;
	const best = exports.matchOne(address, from, length);
	if (best === -2) throw outOfMemory(`a URL of ${length} octets`);
	return best;
}

/** Lines in `bytes`, their ends found one by one: the floor of the benchmarks. */
export function countLines(bytes: Uint8Array): number {
	const from = input(bytes.length);
	memory().set(bytes, from);
	return exports.countLines(from, bytes.length);
}
