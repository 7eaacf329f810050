/**
 * Runs byte-code: one URL, many lines, rows of a column, and path patterns of lines that are no rules. Programs are in JavaScript memory
 * and are copied to WebAssembly memory when they match; a cache keeps those used last, so that a million matchers need no memory of the
 * module.
 */
import {
	LINES_PADDING,
	MATCH_INVALID,
	MATCH_NO_MEMORY,
	PADDING,
	RULE_ALLOW,
	VERDICT_ALLOWED,
	VERDICT_DISALLOWED,
	VERDICT_INVALID,
	VERDICT_LATER,
	VERDICT_UNKNOWN,
} from "../../assembly/format/program.ts";
import {
	CHUNK,
	checkLength,
	checkTextLength,
	chunksOf,
	deliver,
	fill,
	judgeInChunks,
	judgeTexts,
} from "../common/chunks.ts";
import type { Column } from "../common/column.ts";
import { judgeColumn } from "./columns.ts";
import { compilePatterns, rankedSources } from "./compiler.ts";
import { outOfMemory } from "./linear-memory.ts";
import { linear } from "./workspace.ts";

/**
 * What bulk matching says about a line, one byte each. Compare with `Verdict.Allowed`: all numbers but 0 are truthy, and only 1 is a
 * permission.
 * @example
 * const allowed = urls.filter((_, i) => verdicts[i] === Verdict.Allowed);
 */
export const Verdict = Object.freeze({
	Disallowed: VERDICT_DISALLOWED,
	Allowed: VERDICT_ALLOWED,
	/** Its origin is not in the index. */
	Unknown: VERDICT_UNKNOWN,
	/** Not a URL. */
	Invalid: VERDICT_INVALID,
	/**
	 * The origin's robots.txt cannot be had for now (429, 5xx, network): do not fetch the URL, and do not drop it; ask again later (RFC 9309
	 * §2.3.1.4). Of indexes and clients; a Matcher never gives it.
	 */
	Later: VERDICT_LATER,
});

/** One of its numbers. */
export type Verdict = (typeof Verdict)[keyof typeof Verdict];

/** A program's copy in WebAssembly memory; pointer 0 if not loaded. Loaded ones form a ring, in the order of their last use. */
export class CacheSlot {
	pointer = 0;
	/** Bytes taken, including the allocator's overhead. */
	size = 0;
	/** The one used just before, and the one used just after. */
	older: CacheSlot = this;
	newer: CacheSlot = this;
}

/**
 * Programs belong to their matchers on the JavaScript heap and are garbage-collected with them. Linear memory is a cache (LRU) of
 * this many bytes: it holds copies of the programs in use. So neither a loop that never yields, where finalisers do not run,
 * nor a forgotten matcher makes memory grow.
 */
const CACHE_SIZE = 64 * 1024 * 1024;
/** Bytes that a block takes in addition to its content. */
const BLOCK_OVERHEAD = PADDING + 20;
/** Where the ring begins and ends: its newer slot is the least recently used one, its older slot the one used last. */
const ends = new CacheSlot();
let loadedSize = 0;
/** The instance that they are loaded in. */
let instance = 0;

/** Loads a program into linear memory unless it is there; returns its address, valid until the next call. */
function load(program: Uint8Array, slot: CacheSlot): number {
	if (instance !== linear.instance) forgetAll();
	if (slot.pointer !== 0) {
		if (ends.older !== slot) {
			detach(slot);
			attach(slot);
		}
		return slot.pointer;
	}
	const size = program.length + BLOCK_OVERHEAD;
	while (loadedSize + size > CACHE_SIZE && ends.newer !== ends)
		unload(ends.newer);
	const pointer = linear.module.allocate(program.length) >>> 0;
	if (pointer === 0) throw outOfMemory(`a program of ${program.length} bytes`);
	linear.bytes().set(program, pointer);
	if (linear.module.reserveVisited(pointer) === 0) {
		linear.module.release(pointer);
		throw outOfMemory(`a program of ${program.length} bytes`);
	}
	slot.pointer = pointer;
	slot.size = size;
	loadedSize += size;
	attach(slot);
	return pointer;
}

/** Frees a program's copy in linear memory. */
export function unload(slot: CacheSlot): void {
	if (instance !== linear.instance) forgetAll();
	if (slot.pointer === 0) return;
	linear.module.release(slot.pointer);
	slot.pointer = 0;
	loadedSize -= slot.size;
	detach(slot);
}

/** After a trap there is another instance, in which nothing is loaded. */
function forgetAll(): void {
	loadedSize = 0;
	for (let slot = ends.newer; slot !== ends; slot = ends.newer) {
		slot.pointer = 0;
		detach(slot);
	}
	instance = linear.instance;
}

/** Makes a slot the one used last. */
function attach(slot: CacheSlot): void {
	const last = ends.older;
	slot.older = last;
	slot.newer = ends;
	last.newer = slot;
	ends.older = slot;
}

function detach(slot: CacheSlot): void {
	const { older, newer } = slot;
	older.newer = newer;
	newer.older = older;
	// Else an unloaded slot, and its matcher's neighbours, would keep each other alive.
	slot.older = slot;
	slot.newer = slot;
}

/** Verifies bytes as a program: a VERIFY_ code. */
export function verify(program: Uint8Array): number {
	const pointer = linear.input(program.length);
	linear.bytes().set(program, pointer);
	const reason = linear.module.verify(pointer, program.length);
	if (reason < 0) throw outOfMemory(`a program of ${program.length} bytes`);
	return reason;
}

/** Verdict bytes, one per line of `bytes` (ended by LF or CRLF; the last line may lack it), in `into` if given. */
export function matchLines(
	program: Uint8Array,
	slot: CacheSlot,
	bytes: Uint8Array,
	into: Uint8Array | undefined,
): Uint8Array {
	return judgeInChunks(bytes, into, (chunk, size, part) => {
		const from = linear.input(chunkRoom(size));
		const address = load(program, slot);
		linear.bytes().set(chunk, from);
		const lines = matchInput(address, from, size);
		const to = verdictsAt(from, size);
		return deliver(linear.bytes(), to, to + lines, part);
	});
}

/** Verdict bytes, one per row of a column. */
export function matchColumn(
	program: Uint8Array,
	slot: CacheSlot,
	column: Column,
): Uint8Array {
	return judgeColumn(column, {
		linear,
		roomOf: chunkRoom,
		judgeLines(from, length, into) {
			const lines = matchInput(load(program, slot), from, length);
			const to = verdictsAt(from, length);
			return deliver(linear.bytes(), to, to + lines, into);
		},
		judgeOne: (row) =>
			verdictOf(matchPlaced(program, slot, place(row), row.length)),
	});
}

/** Bytes for a chunk of lines, padding and verdicts. */
function chunkRoom(length: number): number {
	return length + LINES_PADDING + length + 1;
}

/** Where the verdicts of a chunk are. */
function verdictsAt(from: number, length: number): number {
	return from + length + LINES_PADDING;
}

/** Judges a chunk; returns its lines. */
function matchInput(address: number, from: number, length: number): number {
	const to = verdictsAt(from, length);
	const lines = linear.module.matchLines(address, from, length, to);
	if (lines < 0) throw outOfMemory(`an input of ${length} bytes`);
	return lines;
}

/** Bytes of a label: 16 of text, then its length and a count of lines, u32 each (assembly/url/lines.ts). */
const LABEL_SIZE = 24;
/** Bytes that are written after the last line. */
const LABEL_SLACK = 16;

/**
 * Texts that go before lines, by verdict. The module writes them: one line after the other in JavaScript took four times as long, more than
 * judging.
 */
export class LineLabels {
	readonly #table: Uint8Array<ArrayBuffer>;
	readonly #longest: number;

	/** @param texts Of up to 16 ASCII characters, by verdict. */
	constructor(texts: readonly string[]) {
		this.#table = new Uint8Array(texts.length * LABEL_SIZE);
		this.#longest = Math.max(...texts.map(({ length }) => length));
		const words = new Uint32Array(this.#table.buffer);
		for (const [verdict, text] of texts.entries()) {
			encoder.encodeInto(text, this.#table.subarray(verdict * LABEL_SIZE));
			words[verdict * 6 + 4] = text.length;
		}
	}

	/** Bytes that lines take with their labels, and the end of the last one, at most. */
	room(bytes: number, lines: number): number {
		return bytes + lines * this.#longest + LABEL_SLACK;
	}

	/**
	 * Copies lines to the front of `into`, which has room for them, each after the label of its verdict, and returns the bytes written. Of
	 * one verdict only, unless `only` is negative. The last line gets a line end. Adds the lines of each verdict to `counts`.
	 */
	label(
		lines: Uint8Array,
		verdicts: Uint8Array,
		only: number,
		into: Uint8Array,
		counts: Float64Array,
	): number {
		const table = this.#table;
		let line = 0;
		let written = 0;
		for (const chunk of chunksOf(lines, CHUNK)) {
			const size = chunk.length;
			// A line that is longer than a chunk is alone.
			const most = size > CHUNK ? 1 : Math.min(size, verdicts.length - line);
			const before = table.length + size + LINES_PADDING + most;
			const input = linear.input(3 + before + this.room(size, most));
			const labels = ((input + 3) & ~3) >>> 0;
			const from = labels + table.length;
			const judged = verdictsAt(from, size);
			const to = judged + most;
			const memory = linear.bytes();
			memory.set(table, labels);
			memory.set(chunk, from);
			memory.set(verdicts.subarray(line, line + most), judged);
			const { labelLines } = linear.module;
			const end = labelLines(from, size, judged, labels, only, to) >>> 0;
			into.set(memory.subarray(to, end), written);
			written += end - to;
			const words = linear.words();
			for (let verdict = 0; verdict < table.length / LABEL_SIZE; verdict++) {
				const had = words[(labels >>> 2) + verdict * 6 + 5] as number;
				counts[verdict] = (counts[verdict] as number) + had;
				line += had;
			}
		}
		return written;
	}
}

/** Verdict bytes, one per text, in `into` if given. */
export function matchMany(
	program: Uint8Array,
	slot: CacheSlot,
	texts: readonly string[],
	into: Uint8Array | undefined,
): Uint8Array {
	return judgeTexts(
		texts,
		into,
		(joined, some, part) => {
			const from = linear.input(chunkRoom(joined.length * 3));
			const address = load(program, slot);
			const length = linear.encodeInput(joined);
			const lines = matchInput(address, from, length);
			if (lines !== some.length) return false;
			fill(part, linear.bytes(), verdictsAt(from, length));
			return true;
		},
		(text) => verdictOf(matchOne(program, slot, text)),
	);
}

/** Whether a URL may be fetched by the encoded rank that decides it: those of Allow rules are odd, and no rule at all (0) allows as well. */
export function isAllow(best: number): boolean {
	return best === 0 || (best & 1) === 1;
}

/** The rank in an encoded one: a rule's place in the order of precedence, from 1 on. */
export function rankOf(best: number): number {
	return best >> 1;
}

/** The verdict of what `matchOne` returns. */
function verdictOf(best: number): number {
	if (best < 0) return VERDICT_INVALID;
	return isAllow(best) ? VERDICT_ALLOWED : VERDICT_DISALLOWED;
}

/**
 * The encoded rank of the rule that decides one text (rank * 2 + 1 for allow), 0 when there is none,
 * MATCH_INVALID when the text is not a URL.
 */
export function matchOne(
	program: Uint8Array,
	slot: CacheSlot,
	text: string,
): number {
	checkTextLength(text);
	const from = linear.input(text.length * 3);
	const address = load(program, slot);
	const length = linear.encodeInput(text);
	checkLength("a URL", length);
	const best = linear.module.matchOne(address, from, length);
	if (best <= MATCH_NO_MEMORY) throw outOfMemory(`a URL of ${length} bytes`);
	return best;
}

/**
 * Copies bytes to where `matchPlaced` reads them; returns their address, valid until the next use of the input region.
 * @throws {RobotrieError} limit-exceeded.
 */
export function place(bytes: Uint8Array): number {
	checkLength("a line", bytes.length);
	const from = linear.input(bytes.length);
	linear.bytes().set(bytes, from);
	return from;
}

/** As `matchOne`, for `length` placed bytes at an address. The byte after them is overwritten. */
function matchPlaced(
	program: Uint8Array,
	slot: CacheSlot,
	from: number,
	length: number,
): number {
	const best = linear.module.matchOne(load(program, slot), from, length);
	if (best <= MATCH_NO_MEMORY) throw outOfMemory(`a URL of ${length} bytes`);
	return best;
}

const encoder = new TextEncoder();

/** Returned in place of a pattern's index: the text is not a URL. */
export const NO_URL = -2;
const NO_MATCH = -1;

/**
 * Path patterns of lines other than rules, matched like the pattern of a rule (RFC 9309 §2.2.2, §2.2.3). In every dialect with the
 * standard's escaping: no document has another one for such lines.
 */
export class PathPatterns {
	readonly #patterns: readonly string[];
	#program: Uint8Array | undefined;
	/** Index of the pattern of each rank from 1 on. */
	#ranked: Int32Array = new Int32Array();
	readonly #slot = new CacheSlot();

	constructor(patterns: readonly string[]) {
		this.#patterns = patterns;
	}

	/** Index of the longest pattern that matches a URL, NO_MATCH for none, NO_URL if the text is not a URL. */
	longest(url: string): number {
		return this.#indexOf(matchOne(this.#compiled(), this.#slot, url));
	}

	/** As `longest`, for placed bytes (engine.ts). */
	longestPlaced(from: number, length: number): number {
		return this.#indexOf(
			matchPlaced(this.#compiled(), this.#slot, from, length),
		);
	}

	/** Frees linear memory; the next call takes it again. */
	release(): void {
		unload(this.#slot);
	}

	#indexOf(best: number): number {
		if (best === MATCH_INVALID) return NO_URL;
		return best === 0 ? NO_MATCH : (this.#ranked[rankOf(best) - 1] ?? NO_MATCH);
	}

	#compiled(): Uint8Array {
		if (this.#program) return this.#program;
		const patterns = this.#patterns.map((pattern) => encoder.encode(pattern));
		this.#program = compilePatterns(patterns, RULE_ALLOW);
		this.#ranked = rankedSources(this.#program);
		return this.#program;
	}
}
