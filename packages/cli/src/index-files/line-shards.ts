import { lineFeedIn, parseUrl } from "robotrie/internal";
import { crc32Of, shardOfUrl } from "./shard.ts";

const LF = 10;
const CR = 13;
const HYPHEN = 0x2d;
const DOT = 0x2e;
const SLASH = 0x2f;
const ZERO = 0x30;
const NINE = 0x39;
const COLON = 0x3a;
const QUESTION = 0x3f;
const HASH = 0x23;
const UNDERSCORE = 0x5f;

/** The shard of a line that is no URL: any will do, as none has its origin. */
export const NO_SHARD = 0xffff;

const https = new TextEncoder().encode("https://");
const http = new TextEncoder().encode("http://");
const decoder = new TextDecoder("utf-8", { ignoreBOM: true });

/** Finds the shards of lines, each a URL. */
export class LineShards {
	readonly #count: number;
	/** Lines that were looked at last. */
	number = 0;
	/** Where each of them ends, its line end included. There may be more behind them. */
	ends: Uint32Array = new Uint32Array(1024);
	/** The shard of each of them, or NO_SHARD. */
	shards: Uint16Array = new Uint16Array(1024);

	/** @param count The number of shards. */
	constructor(count: number) {
		this.#count = count;
	}

	find(lines: Uint8Array): void {
		const view = new DataView(lines.buffer, lines.byteOffset, lines.length);
		let number = 0;
		for (let from = 0; from < lines.length; ) {
			if (number === this.ends.length) {
				this.ends = grown(this.ends, new Uint32Array(number * 2));
				this.shards = grown(this.shards, new Uint16Array(number * 2));
			}
			const to = lineEnd(view, from, lines.length);
			this.shards[number] = shardOfLine(lines, from, to, this.#count);
			this.ends[number++] = to;
			from = to;
		}
		this.number = number;
	}
}

/** Where the line at `from` ends, its line end included, in `end` bytes. */
function lineEnd(view: DataView, from: number, end: number): number {
	let at = from;
	for (; at + 4 <= end; at += 4) {
		const feed = lineFeedIn(view.getInt32(at, true));
		if (feed >= 0) return at + feed + 1;
	}
	while (at < end) if (view.getUint8(at++) === LF) return at;
	return end;
}

function grown<Numbers extends Uint32Array | Uint16Array>(
	from: Numbers,
	to: Numbers,
): Numbers {
	to.set(from);
	return to;
}

/** The shard of the URL that is bytes [from, to), with or without a line end, or NO_SHARD. It may hold any bytes. */
export function shardOfLine(
	lines: Uint8Array,
	from: number,
	to: number,
	count: number,
): number {
	const start = from + schemeLength(lines, from, to);
	const end = start > from ? plainHostEnd(lines, start, to) : start;
	if (end > start) return crc32Of(lines, start, end) % count;
	let last = to;
	if (last > from && lines[last - 1] === LF) last--;
	if (last > from && lines[last - 1] === CR) last--;
	const url = parseUrl(decoder.decode(lines.subarray(from, last)));
	return url ? shardOfUrl(url, count) : NO_SHARD;
}

function schemeLength(lines: Uint8Array, from: number, to: number): number {
	const scheme = lines[from + 4] === COLON ? http : https;
	if (to - from <= scheme.length) return 0;
	for (let i = 0; i < scheme.length; i++)
		if (lines[from + i] !== scheme[i]) return 0;
	return scheme.length;
}

/**
 * Where the host ends, if the URL parser surely leaves it as it is: a name of lower-case ASCII letters, digits, "-", "_" and dots that is
 * no IPv4 address and has no "--", as punycode has; else `from`.
 */
function plainHostEnd(lines: Uint8Array, from: number, to: number): number {
	let label = from;
	let at = from;
	for (; at < to; at++) {
		const byte = lines[at] as number;
		if (byte >= 0x61 && byte <= 0x7a) continue;
		if (byte >= ZERO && byte <= NINE) continue;
		if (byte === DOT) label = at + 1;
		else if (byte === HYPHEN) {
			if (lines[at - 1] === HYPHEN) return from;
		} else if (byte !== UNDERSCORE) break;
	}
	const first = lines[label] as number;
	// An empty last label has another one in front of it, which may be a number.
	if (label === at || (first >= ZERO && first <= NINE)) return from;
	return isEndOfAuthority(lines, at, to) ? at : from;
}

/** Whether nothing but a port follows, and no "@". */
function isEndOfAuthority(
	lines: Uint8Array,
	from: number,
	to: number,
): boolean {
	let at = from;
	if (lines[at] === COLON)
		for (at++; at < to; at++) {
			const byte = lines[at] as number;
			if (byte < ZERO || byte > NINE) break;
		}
	if (at === to) return true;
	const byte = lines[at] as number;
	// A line feed elsewhere than at the end is dropped by the URL parser, and what follows is part of the authority.
	return (
		byte === SLASH ||
		byte === QUESTION ||
		byte === HASH ||
		(byte === LF && at + 1 === to) ||
		(byte === CR && at + 2 === to && lines[at + 1] === LF)
	);
}
