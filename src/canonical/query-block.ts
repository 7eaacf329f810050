import { place } from "../engine/engine.ts";
import type { PathPatterns } from "../engine/path-patterns.ts";

export const LF = 10;
export const CR = 13;
const HASH = 35;
export const AMPERSAND = 38;
const SLASH = 47;
const EQUALS = 61;
const QUESTION = 63;

/** Bytes that end a parameter's name, or its value, as bits. */
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

/** URLs looked at so far, by all sites. */
let urls = 0;

/** Bytes, of lines or of a single URL, and the URL among them that is looked at. */
export class QueryBlock {
	readonly stops: Uint8Array;
	readonly #lines: boolean;
	/** Number of the URL that is looked at. */
	url = 0;
	#query = 0;
	/** Where it begins, -1 while nobody asked. */
	#first = -1;
	/** The first "#" from some place in front of the query on. */
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

	/** The "?" of the first URL behind `at` that has a query, or where the block ends. `at` lies behind all queries so far. */
	nextQuery(at: number): number {
		const { bytes } = this;
		const end = bytes.length;
		let from = at;
		// A fragment may hold a "?".
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

	/** Where the URL begins. */
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

/** The common start of a URL; for everything else the module decides whether it is one. */
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
