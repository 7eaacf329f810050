import type { CleanParam } from "./clean-param.ts";
import { chunkEnd, place } from "./engine.ts";
import { HASH_SEED, hashOf, hashStep, NameTable } from "./name-table.ts";
import { NO_URL, PathPatterns } from "./path-patterns.ts";

const LF = 10;
const CR = 13;
const HASH = 35;
const PERCENT = 37;
const AMPERSAND = 38;
const SLASH = 47;
const EQUALS = 61;
const QUESTION = 63;

/** Octets that end a parameter's name, or its value, as bits. */
const ENDS_NAME = 1;
const ENDS_VALUE = 2;

/** By octet, what ends there: a CR ends it only in front of an LF. */
function stopTable(lines: boolean): Uint8Array {
	const stops = new Uint8Array(256);
	stops[EQUALS] = ENDS_NAME;
	for (const octet of lines ? [HASH, AMPERSAND, LF, CR] : [HASH, AMPERSAND])
		stops[octet] = ENDS_NAME | ENDS_VALUE;
	return stops;
}

const stopsOfLines = stopTable(true);
const stopsOfText = stopTable(false);

const encoder = new TextEncoder();
const decoder = new TextDecoder("utf-8", { ignoreBOM: true });

/** Pages that a parameter changes nothing about. */
interface Pages {
	/** Undefined: all of the site. */
	readonly patterns: PathPatterns | undefined;
	/** Number of the URL that was last looked at, and what came of it. */
	url: number;
	match: boolean;
}

/** What a site's Clean-param lines make of URLs. */
export class Canonical {
	readonly #names: NameTable;
	/** By the name's value in the table. */
	readonly #pages: readonly Pages[];
	/** Without patterns, to tell what is a URL. */
	readonly #anything = new PathPatterns([]);

	constructor(lines: readonly CleanParam[]) {
		const pathsByName = new Map<string, Set<string>>();
		for (const { parameters, path } of lines) {
			for (const parameter of parameters) {
				const name = latin1(unescaped(encoder.encode(parameter)));
				const paths = pathsByName.get(name);
				if (paths) paths.add(path);
				else pathsByName.set(name, new Set([path]));
			}
		}
		this.#names = new NameTable([...pathsByName.keys()].map(octetsOf));
		const pagesByPaths = new Map<string, Pages>();
		this.#pages = [...pathsByName.values()].map((set) => {
			const paths = [...set].some((path) => /^\/?\**$/.test(path))
				? []
				: [...set].sort();
			const key = paths.join("\n");
			let pages = pagesByPaths.get(key);
			if (!pages) {
				const patterns =
					paths.length === 0 ? undefined : new PathPatterns(paths);
				pages = { patterns, url: 0, match: false };
				pagesByPaths.set(key, pages);
			}
			return pages;
		});
	}

	/** The canonical form of one URL, undefined for what is none. */
	url(url: string): string | undefined {
		if (this.#anything.longest(url) === NO_URL) return undefined;
		if (this.#pages.length === 0 || !url.includes("?")) return url;
		const bytes = encoder.encode(url);
		const out = bytes.slice();
		const length = this.#shorten(new Block(bytes, false), out, 0, 0);
		// What stays as it is comes back unharmed even if it is no well-formed text.
		return length === bytes.length
			? url
			: decoder.decode(out.subarray(0, length));
	}

	/** The canonical form of every line; what is no URL stays as it is, and so do line ends. */
	lines(bytes: Uint8Array): Uint8Array {
		const out = bytes.slice();
		if (this.#pages.length === 0) return out;
		let end = 0;
		for (let from = 0; from < bytes.length; ) {
			const to = chunkEnd(bytes, from);
			const block = new Block(bytes.subarray(from, to), true);
			end = this.#shorten(block, out, from, end);
			from = to;
		}
		return out.subarray(0, end);
	}

	/**
	 * Moves what stays of a block, a copy of which lies at `from` in `out`, to `end` there, and returns where that ends. What
	 * stays is moved in stretches from one parameter that goes to the next, and queries are looked for natively: octet by
	 * octet through all lines takes three times as long, as most have no query.
	 */
	#shorten(block: Block, out: Uint8Array, from: number, end: number): number {
		const { bytes, stops } = block;
		const to = bytes.length;
		let length = end;
		// All in front of `moved` is where it belongs, [moved, cut) stays, [cut, next) goes.
		let moved = 0;
		let cut = 0;
		let next = 0;
		for (let at = block.nextQuery(0); at < to; at = block.nextQuery(at)) {
			const query = at;
			let octet = 0;
			let kept = false;
			do {
				const name = ++at;
				let hash = HASH_SEED;
				let escaped = false;
				for (; at < to; at++) {
					octet = bytes[at] as number;
					if (
						(stops[octet] as number) & ENDS_NAME &&
						(octet !== CR || bytes[at + 1] === LF)
					)
						break;
					if (octet === PERCENT) escaped = true;
					hash = hashStep(hash, octet);
				}
				const nameEnd = at;
				for (; at < to; at++) {
					octet = bytes[at] as number;
					if (
						(stops[octet] as number) & ENDS_VALUE &&
						(octet !== CR || bytes[at + 1] === LF)
					)
						break;
				}
				if (this.#goes(block, name, nameEnd, hash, escaped)) {
					// With it goes the "&" in front of it, or behind it where nothing stays in front.
					const first = kept ? name - 1 : name;
					if (first !== next) {
						out.copyWithin(length, from + moved, from + cut);
						length += cut - moved;
						moved = next;
						cut = first;
					}
					next = at < to && octet === AMPERSAND && !kept ? at + 1 : at;
				} else kept = true;
			} while (at < to && octet === AMPERSAND);
			if (cut === query + 1 && next === at) cut = query;
		}
		out.copyWithin(length, from + moved, from + cut);
		length += cut - moved;
		out.copyWithin(length, from + next, from + to);
		return length + to - next;
	}

	/** Whether a parameter, whose name lies in [from, to), goes from the URL that the block is at. */
	#goes(
		block: Block,
		from: number,
		to: number,
		hash: number,
		escaped: boolean,
	): boolean {
		const value = escaped
			? this.#findEscaped(block.bytes.subarray(from, to))
			: this.#names.find(block.bytes, from, to, hash);
		if (value < 0) return false;
		const pages = this.#pages[value] as Pages;
		if (pages.url !== block.url) {
			pages.url = block.url;
			pages.match = pages.patterns
				? block.longest(pages.patterns) >= 0
				: block.beginsLikeUrl() || block.longest(this.#anything) !== NO_URL;
		}
		return pages.match;
	}

	#findEscaped(name: Uint8Array): number {
		const octets = unescaped(name);
		const hash = hashOf(octets, 0, octets.length);
		return this.#names.find(octets, 0, octets.length, hash);
	}
}

/** URLs looked at so far, by all sites. */
let urls = 0;

/** Octets, of lines or of a single URL, and the URL among them that is looked at. */
class Block {
	readonly stops: Uint8Array;
	readonly #lines: boolean;
	/** Number of the URL that is looked at. */
	url = 0;
	#query = 0;
	/** Where it begins, -1 while nobody asked. */
	#first = -1;
	/** The first "#" from some place in front of the query on. */
	#hash = -1;
	/** Where the octets are placed for the module, -1 while they are not: most queries need no path looked at. */
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
		if (patterns.prepare()) this.#address = -1;
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

	#find(octet: number, from: number): number {
		const found = this.bytes.indexOf(octet, from);
		return found < 0 ? this.bytes.length : found;
	}
}

const HTTP = encoder.encode("http");
const COLON_SLASH_SLASH = encoder.encode("://");

/** The common beginning of a URL: what else may be one is for the module to say. */
function isHttp(bytes: Uint8Array, from: number, to: number): boolean {
	const secure = bytes[from + HTTP.length] === 0x73 ? 1 : 0;
	const colon = from + HTTP.length + secure;
	return (
		colon + COLON_SLASH_SLASH.length <= to &&
		holds(bytes, from, HTTP) &&
		holds(bytes, colon, COLON_SLASH_SLASH)
	);
}

function holds(bytes: Uint8Array, from: number, text: Uint8Array): boolean {
	for (let i = 0; i < text.length; i++)
		if (bytes[from + i] !== text[i]) return false;
	return true;
}

/** Octets with their percent-escapes undone, as the URL standard reads names: "%72ef" is "ref". */
function unescaped(name: Uint8Array): Uint8Array {
	const out = new Uint8Array(name.length);
	let end = 0;
	for (let at = 0; at < name.length; at++) {
		let octet = name[at] as number;
		if (octet === PERCENT) {
			const digits = latin1(name.subarray(at + 1, at + 3));
			if (/^[\da-f]{2}$/i.test(digits)) {
				octet = Number.parseInt(digits, 16);
				at += 2;
			}
		}
		out[end++] = octet;
	}
	return out.subarray(0, end);
}

/** A character for every octet, to make keys of. */
function latin1(octets: Uint8Array): string {
	let text = "";
	for (const octet of octets) text += String.fromCharCode(octet);
	return text;
}

function octetsOf(text: string): Uint8Array {
	return Uint8Array.from(text, (character) => character.charCodeAt(0));
}
