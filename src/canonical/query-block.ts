/**
 * The parts of a URL that canonical.ts asks about, found in bytes without making strings: a table of parameter names, and the URL's query
 * with its parameters.
 */
import { type PathPatterns, place } from "../engine/engine.ts";

/**
 * Names of query parameters as bytes, to be looked up byte for byte in a URL. A hash table over
 * bytes: a Map would need a string for every parameter, which takes longer than everything else.
 * Names come from a robots.txt, so its author chooses them; the hash is seeded (HASH_SEED).
 */
export class NameTable {
	readonly #bytes: Uint8Array;
	/** Three numbers a slot: hash, where the name ends in `bytes`, its length; length -1 for an empty slot. */
	readonly #slots: Int32Array;
	readonly #values: Int32Array;
	readonly #mask: number;

	/**
	 * Names are distinct; values are theirs, from 0 on. Open addressing, built once and never
	 * changed: no names are removed, so the first free slot ends every probe.
	 */
	constructor(names: readonly Uint8Array[]) {
		this.#bytes = new Uint8Array(
			names.reduce((size, { length }) => size + length, 0),
		);
		// At most half of the slots are taken.
		const size = 2 << (32 - Math.clz32(names.length));
		this.#mask = size - 1;
		this.#slots = new Int32Array(size * 3).fill(-1);
		this.#values = new Int32Array(size);
		let end = 0;
		names.forEach((name, value) => {
			this.#bytes.set(name, end);
			end += name.length;
			const hash = hashOf(name, 0, name.length);
			let slot = hash & this.#mask;
			while (this.#slots[slot * 3 + 2] !== -1) slot = (slot + 1) & this.#mask;
			this.#slots.set([hash, end, name.length], slot * 3);
			this.#values[slot] = value;
		});
	}

	/**
	 * The value of the name in bytes [from, to), whose hash is given; -1 if the table does not have
	 * it. The hash is given because the caller has computed it while looking for the name's end.
	 */
	find(bytes: Uint8Array, from: number, to: number, hash: number): number {
		const slots = this.#slots;
		for (let slot = hash & this.#mask; ; slot = (slot + 1) & this.#mask) {
			const length = slots[slot * 3 + 2] as number;
			if (length < 0) return -1;
			if (
				slots[slot * 3] === hash &&
				length === to - from &&
				this.#equals(bytes, from, to, slots[slot * 3 + 1] as number)
			)
				return this.#values[slot] as number;
		}
	}

	#equals(bytes: Uint8Array, from: number, to: number, end: number): boolean {
		const shift = end - to;
		for (let at = from; at < to; at++)
			if (bytes[at] !== this.#bytes[at + shift]) return false;
		return true;
	}
}

/** Chosen anew by every process, so that nobody can write names that all fall into one slot. */
export const HASH_SEED: number = Math.floor(Math.random() * 2 ** 31);
const MULTIPLIER = Math.floor(Math.random() * 2 ** 31) | 1;

/** The hash of some bytes and one more. */
export function hashStep(hash: number, byte: number): number {
	const mixed = Math.imul(hash ^ byte, MULTIPLIER);
	return mixed ^ (mixed >>> 15);
}

export function hashOf(bytes: Uint8Array, from: number, to: number): number {
	let hash = HASH_SEED;
	for (let at = from; at < to; at++) hash = hashStep(hash, bytes[at] as number);
	return hash;
}

export const LF = 10;
export const CR = 13;
const HASH = 35;
export const AMPERSAND = 38;
const SLASH = 47;
const EQUALS = 61;
const QUESTION = 63;

/**
 * Bytes that end a parameter's name, or its value, as bits. One table look-up tells for each byte
 * whether it ends the name, the value, or neither.
 */
export const ENDS_NAME = 1;
export const ENDS_VALUE = 2;

/** By byte, what ends there: a CR ends it only in front of an LF. */
function stopTable(lines: boolean): Uint8Array {
	const stops = new Uint8Array(256);
	stops[EQUALS] = ENDS_NAME;
	for (const byte of lines ? [HASH, AMPERSAND, LF, CR] : [HASH, AMPERSAND])
		stops[byte] = ENDS_NAME | ENDS_VALUE;
	return stops;
}

const stopsOfLines = stopTable(true);
const stopsOfText = stopTable(false);

const encoder = new TextEncoder();

/**
 * URLs looked at so far, by all sites. Numbers of URLs, so that an answer can be remembered for
 * "this URL" without keeping its text.
 */
let urls = 0;

/**
 * Bytes, of lines or of a single URL, and the URL among them that is looked at. Queries are found
 * from the left; what lies before one is only looked at if a parameter has pages.
 */
export class QueryBlock {
	readonly stops: Uint8Array;
	readonly #lines: boolean;
	/** Number of the URL that is looked at. */
	url = 0;
	#query = 0;
	/** Where it begins, -1 while nobody asked. */
	#first = -1;
	/**
	 * The first "#" from some place in front of the query on. A "?" after a "#" is part of a fragment
	 * and begins no query.
	 */
	#hash = -1;
	/** Where the bytes are placed for the module, -1 while they are not: most queries need no path looked at. */
	#address = -1;

	constructor(
		readonly bytes: Uint8Array,
		lines: boolean,
	) {
		this.#lines = lines;
		this.stops = lines ? stopsOfLines : stopsOfText;
	}

	/** The "?" of the first URL after `at` that has a query, or where the block ends. `at` lies after all queries so far. */
	nextQuery(at: number): number {
		const { bytes } = this;
		const end = bytes.length;
		let from = at;
		// A fragment may hold a "?". From the end of the last query on, as none can begin before that.
		if (bytes[at] === HASH) from = this.#lineEnd(at);
		for (;;) {
			const query = bytes.indexOf(QUESTION, from);
			if (query < 0) return end;
			this.#query = query;
			this.#first = -1;
			if (this.#hash < from) this.#hash = this.#find(HASH, from);
			if (this.#hash < query) {
				const start = this.#start();
				if (this.#hash < start) this.#hash = this.#find(HASH, start);
				if (this.#hash < query) {
					from = this.#lineEnd(query);
					continue;
				}
			}
			this.url = ++urls;
			return query;
		}
	}

	beginsLikeUrl(): boolean {
		const start = this.#start();
		return (
			this.bytes[start] === SLASH || isHttp(this.bytes, start, this.#query)
		);
	}

	longest(patterns: PathPatterns): number {
		if (this.#address < 0) this.#address = place(this.bytes);
		const start = this.#start();
		return patterns.longestPlaced(this.#address + start, this.#query - start);
	}

	/**
	 * Where the URL begins. Looked for backwards and only when somebody asks, as most parameters are
	 * on all pages.
	 */
	#start(): number {
		if (this.#first < 0) {
			const within = this.#lines && this.#query > 0;
			this.#first = within
				? this.bytes.lastIndexOf(LF, this.#query - 1) + 1
				: 0;
		}
		return this.#first;
	}

	#lineEnd(at: number): number {
		return this.#lines ? this.#find(LF, at) : this.bytes.length;
	}

	#find(byte: number, from: number): number {
		const found = this.bytes.indexOf(byte, from);
		return found < 0 ? this.bytes.length : found;
	}
}

const HTTP = encoder.encode("http");
const COLON_SLASH_SLASH = encoder.encode("://");

/**
 * The common start of a URL; for everything else the module decides whether it is one. Testing the
 * two usual schemes here saves a call of the module for nearly every line.
 */
function isHttp(bytes: Uint8Array, from: number, to: number): boolean {
	const secure = bytes[from + HTTP.length] === 0x73 ? 1 : 0;
	const colon = from + HTTP.length + secure;
	const authority = colon + COLON_SLASH_SLASH.length;
	return (
		authority < to &&
		// A slash or white space here may be followed by no authority.
		(bytes[authority] as number) > SLASH &&
		holds(bytes, from, HTTP) &&
		holds(bytes, colon, COLON_SLASH_SLASH)
	);
}

function holds(bytes: Uint8Array, from: number, text: Uint8Array): boolean {
	for (let i = 0; i < text.length; i++)
		if (bytes[from + i] !== text[i]) return false;
	return true;
}
