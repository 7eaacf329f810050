/**
 * URLs without the query parameters that Clean-param lines declare irrelevant. `RobotsTxt.canonicalUrl` and `canonicalLines` call it. What
 * is no URL, or has nothing to remove, comes out byte for byte as it went in.
 */
import { CHUNK, chunksOf } from "../common/chunks.ts";
import { NO_URL, PathPatterns } from "../engine/engine.ts";
import type { CleanParam } from "../robots-txt/other-fields.ts";
import {
	AMPERSAND,
	CR,
	ENDS_NAME,
	ENDS_VALUE,
	HASH_SEED,
	hashOf,
	hashStep,
	LF,
	NameTable,
	QueryBlock,
} from "./query-block.ts";

const PERCENT = 37;

const encoder = new TextEncoder();
const decoder = new TextDecoder("utf-8", { ignoreBOM: true });

/** To tell what is a URL. */
const noPatterns = new PathPatterns([]);

/** Pages that a parameter changes nothing about. */
interface Pages {
	/** Undefined: all of the site. */
	readonly patterns: PathPatterns | undefined;
	/** Number of the last URL, and its result. */
	url: number;
	match: boolean;
}

/**
 * What a site's Clean-param lines make of URLs. Built once per robots.txt, on first use; `release`
 * frees the patterns in linear memory.
 */
export class Canonical {
	readonly #names: NameTable;
	/** By the name's value in the table. */
	readonly #pages: readonly Pages[];

	constructor(lines: readonly CleanParam[]) {
		const pathsByName = new Map<string, Set<string>>();
		for (const { parameters, path } of lines) {
			for (const parameter of parameters) {
				// Names are compared after undoing escapes, as the URL standard reads a query: "%72ef" and
				// "ref" are one parameter.
				const name = latin1(unescaped(encoder.encode(parameter)));
				const paths = pathsByName.get(name);
				if (paths) paths.add(path);
				else pathsByName.set(name, new Set([path]));
			}
		}
		this.#names = new NameTable([...pathsByName.keys()].map(bytesOf));
		const pagesByPaths = new Map<string, Pages>();
		// Parameters with the same paths share one set of patterns, so that a URL's path is looked at
		// once for all of them.
		this.#pages = [...pathsByName.values()].map((set) => {
			const paths = [...set].some((path) => /^\/?\**$/.test(path))
				? []
				: [...set].sort();
			const key = paths.join("\n");
			// A path of "" or "/" or "*" is every page: no pattern is needed to know that.
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

	release(): void {
		for (const { patterns } of this.#pages) patterns?.release();
	}

	/**
	 * The canonical form of one URL; undefined for a text that is not a URL. What is no URL is
	 * returned as undefined here, but as it was by `lines`, which is a filter.
	 */
	url(url: string): string | undefined {
		if (noPatterns.longest(url) === NO_URL) return undefined;
		// Without a query there is nothing to remove, and without lines nothing would be.
		if (this.#pages.length === 0 || !url.includes("?")) return url;
		const bytes = encoder.encode(url);
		const out = new Uint8Array(bytes);
		const length = this.#shorten(new QueryBlock(bytes, false), out, 0, 0);
		// What stays as it is comes back unharmed even if it is no well-formed text.
		return length === bytes.length
			? url
			: decoder.decode(out.subarray(0, length));
	}

	/** The canonical form of every line; line ends and lines that are not URLs stay unchanged. */
	lines(bytes: Uint8Array): Uint8Array {
		// Not `slice`, which for Node's buffers copies nothing.
		const out = new Uint8Array(bytes);
		if (this.#pages.length === 0) return out;
		let end = 0;
		let from = 0;
		for (const chunk of chunksOf(bytes, CHUNK)) {
			end = this.#shorten(new QueryBlock(chunk, true), out, from, end);
			from += chunk.length;
		}
		return out.subarray(0, end);
	}

	/**
	 * Moves what stays of a block, a copy of which lies at `from` in `out`, to `end` there, and
	 * returns where that ends. What stays is moved in stretches from one parameter that goes to the
	 * next, and queries are looked for natively: byte by byte through all lines takes twice as long,
	 * as most have no query. Nothing is gained by a loop for short stretches, by a cheaper hash, or
	 * by telling values' bytes without the table. Invariant: [0, end) is done, and what is copied is
	 * never moved twice.
	 */
	#shorten(
		block: QueryBlock,
		out: Uint8Array,
		from: number,
		end: number,
	): number {
		const { bytes, stops } = block;
		const to = bytes.length;
		let length = end;
		// All in front of `moved` is where it belongs, [moved, cut) stays, [cut, next) goes.
		let moved = 0;
		let cut = 0;
		let next = 0;
		// Only lines with a query cost more than the search for one.
		for (let at = block.nextQuery(0); at < to; at = block.nextQuery(at)) {
			const query = at;
			let byte = 0;
			let kept = false;
			do {
				const name = ++at;
				let hash = HASH_SEED;
				let escaped = false;
				for (; at < to; at++) {
					byte = bytes[at] as number;
					// A CR ends a parameter only as part of a line end.
					if (
						(stops[byte] as number) & ENDS_NAME &&
						(byte !== CR || bytes[at + 1] === LF)
					)
						break;
					if (byte === PERCENT) escaped = true;
					hash = hashStep(hash, byte);
				}
				const nameEnd = at;
				for (; at < to; at++) {
					byte = bytes[at] as number;
					if (
						(stops[byte] as number) & ENDS_VALUE &&
						(byte !== CR || bytes[at + 1] === LF)
					)
						break;
				}
				// The pages of the parameter decide, not its name alone.
				if (this.#goes(block, name, nameEnd, hash, escaped)) {
					// With it goes the "&" before it, or after it where nothing stays before it.
					const first = kept ? name - 1 : name;
					// What stays is copied in one piece up to here.
					if (first !== next) {
						out.copyWithin(length, from + moved, from + cut);
						length += cut - moved;
						moved = next;
						cut = first;
					}
					next = at < to && byte === AMPERSAND && !kept ? at + 1 : at;
				} else kept = true;
			} while (at < to && byte === AMPERSAND);
			// With the last parameter its "?" goes, too.
			if (cut === query + 1 && next === at) cut = query;
		}
		out.copyWithin(length, from + moved, from + cut);
		length += cut - moved;
		out.copyWithin(length, from + next, from + to);
		return length + to - next;
	}

	/** Whether a parameter, whose name lies in [from, to), goes from the URL that the block is at. */
	#goes(
		block: QueryBlock,
		from: number,
		to: number,
		hash: number,
		escaped: boolean,
	): boolean {
		// Escapes in names are rare; a name without one is looked up where it lies.
		const value = escaped
			? this.#findEscaped(block.bytes.subarray(from, to))
			: this.#names.find(block.bytes, from, to, hash);
		if (value < 0) return false;
		const pages = this.#pages[value] as Pages;
		// One answer per URL and set of pages: a URL often has several parameters of one set.
		if (pages.url !== block.url) {
			pages.url = block.url;
			pages.match = pages.patterns
				? block.longest(pages.patterns) >= 0
				: block.beginsLikeUrl() || block.longest(noPatterns) !== NO_URL;
		}
		return pages.match;
	}

	#findEscaped(name: Uint8Array): number {
		const bytes = unescaped(name);
		const hash = hashOf(bytes, 0, bytes.length);
		return this.#names.find(bytes, 0, bytes.length, hash);
	}
}

/** Bytes with their percent-escapes undone, as the URL standard reads names: "%72ef" is "ref". */
function unescaped(name: Uint8Array): Uint8Array {
	const out = new Uint8Array(name.length);
	let end = 0;
	for (let at = 0; at < name.length; at++) {
		let byte = name[at] as number;
		if (byte === PERCENT) {
			const digits = latin1(name.subarray(at + 1, at + 3));
			if (/^[\da-f]{2}$/i.test(digits)) {
				byte = Number.parseInt(digits, 16);
				at += 2;
			}
		}
		out[end++] = byte;
	}
	return out.subarray(0, end);
}

/** A character for every byte, to make keys of. */
function latin1(bytes: Uint8Array): string {
	let text = "";
	for (const byte of bytes) text += String.fromCharCode(byte);
	return text;
}

function bytesOf(text: string): Uint8Array {
	return Uint8Array.from(text, (character) => character.charCodeAt(0));
}
