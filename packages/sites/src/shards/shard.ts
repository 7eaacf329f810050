/**
 * Which shard a host, a URL, a line or a row belongs to, and lines and rows sorted by their shards, with verdicts put back into their own
 * order. `index`, `match --index` and `stream` use it. The hash is a stored format: docs/sharding.md gives it to other languages.
 */
import { type ColumnOffsets, Verdict } from "robotrie";
import { check, parseUrl } from "#robotrie/common/arguments";
import { lineFeedIn } from "#robotrie/common/chunks";
import { Column } from "#robotrie/common/column";
import { number, textKind } from "#robotrie/common/kinds";

/**
 * CRC-32 of each byte, then of each byte followed by one, two and three zeros. Four tables, for
 * four bytes a step (slicing-by-4).
 */
const table = new Int32Array(4 * 256);
for (let i = 0; i < table.length; i++) {
	let sum = i < 256 ? i : (table[i - 256] as number);
	for (let bit = 0; bit < 8; bit++)
		sum = sum & 1 ? (sum >>> 1) ^ 0xedb88320 : sum >>> 1;
	table[i] = sum;
}

/** CRC-32 of bytes [from, to), as `zlib.crc32` gives it, whose call takes several times as long for the bytes of a host. */
export function crc32Of(bytes: Uint8Array, from: number, to: number): number {
	// The running remainder, inverted as CRC-32 is.
	let sum = -1;
	let at = from;
	// Four bytes per step, as hosts are short and the tables stay in the first-level cache.
	for (; at + 4 <= to; at += 4) {
		sum ^=
			(bytes[at] as number) |
			((bytes[at + 1] as number) << 8) |
			((bytes[at + 2] as number) << 16) |
			((bytes[at + 3] as number) << 24);
		sum =
			(table[768 + (sum & 0xff)] as number) ^
			(table[512 + ((sum >>> 8) & 0xff)] as number) ^
			(table[256 + ((sum >>> 16) & 0xff)] as number) ^
			(table[sum >>> 24] as number);
	}
	for (; at < to; at++)
		sum = (sum >>> 8) ^ (table[(sum ^ (bytes[at] as number)) & 0xff] as number);
	return ~sum >>> 0;
}

/** Loaded when a shard is asked for: commands without shards have a file in common with those. */
let zlib: typeof import("node:zlib") | undefined;

/**
 * The shard of a host, from 0 to `shards` - 1: CRC-32 of its bytes (ISO 3309, as in zip and gzip), unsigned, modulo `shards`. All
 * origins of a host share a shard. docs/sharding.md has it in other languages, with test vectors.
 * @param host As `URL.hostname` gives it: in lower case and punycode, IPv6 addresses in brackets, without the port.
 * @throws {RobotrieError} invalid-argument.
 * @example
 * shardOf("example.com", 16); // 9
 */
export function shardOf(host: string, shards: number): number {
	if (typeof host !== "string") check("host", host, textKind);
	if (!(shards >= 1)) check("shards", shards, number(1));
	zlib ??= process.getBuiltinModule("node:zlib");
	return zlib.crc32(host) % shards;
}

/** The shard of a URL's host. The URL standard leaves the case of hosts as it is where it does not know the scheme. */
export function shardOfUrl({ hostname }: URL, shards: number): number {
	return shardOf(hostname.toLowerCase(), shards);
}

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

/** The shard of a line that is not a URL: any will do, as none has its origin. */
const NO_SHARD = 0xffff;

const https = new TextEncoder().encode("https://");
const http = new TextEncoder().encode("http://");
const decoder = new TextDecoder("utf-8", { ignoreBOM: true });

/** Finds the shards of lines, each a URL. */
export class LineShards {
	readonly #count: number;
	/** Lines that were looked at last. */
	number = 0;
	/**
	 * Where each of them ends, its line end included. Only the first `number` of these count. Grown
	 * when needed and never shrunk: blocks of one run are of one size.
	 */
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
			// No object per line: a block has some ten thousand of them.
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
function shardOfLine(
	lines: Uint8Array,
	from: number,
	to: number,
	count: number,
): number {
	// Plain hosts are the common case; what is left goes through the URL parser.
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
	// Without a scheme, or with another one, the URL parser decides.
	const scheme = lines[from + 4] === COLON ? http : https;
	if (to - from <= scheme.length) return 0;
	for (let i = 0; i < scheme.length; i++)
		if (lines[from + i] !== scheme[i]) return 0;
	return scheme.length;
}

/**
 * Where the host ends, if the URL parser surely leaves it as it is (finding shards then takes half
 * the time): a name of lower-case ASCII letters, digits, "-", "_" and dots that is no IPv4 address
 * and has no "--", as punycode has; else `from`. What a parser would change (upper case, escapes,
 * dots, IP addresses) is left to it; the shard of a host must not depend on how it was written.
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
	// Before an empty last label there is another one, which may be a number.
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
	// A port does not belong to the host's hash.
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

/** Bytes written beyond a line at most, to be overwritten by the next one of its shard. */
const SLACK = 3;

/** Lines put together by their shards, each group in their order, and verdicts in the order of all lines. */
export class SortedLines {
	/** For the lines that were sorted last: INVALID for those that are not URLs. */
	verdicts: Uint8Array = new Uint8Array();
	readonly #lineShards: LineShards;
	#sorted: Uint8Array = new Uint8Array();
	/** Where the lines of each shard begin and end in `#sorted`. */
	readonly #starts: Float64Array;
	readonly #ends: Float64Array;
	/** Numbers of lines, shard by shard, and where those of each shard begin. */
	#numbers: Uint32Array = new Uint32Array();
	readonly #first: Uint32Array;

	/** @param count The number of shards. */
	constructor(count: number) {
		this.#lineShards = new LineShards(count);
		this.#starts = new Float64Array(count);
		this.#ends = new Float64Array(count);
		this.#first = new Uint32Array(count + 1);
	}

	/**
	 * Sorts whole lines, of which the last one may lack its end. Until then what `linesOf` gave
	 * holds. `#starts` and `#ends` are first sizes, then positions: two passes, and no list per
	 * shard.
	 */
	sort(lines: Uint8Array): void {
		const found = this.#lineShards;
		found.find(lines);
		const { number, ends, shards } = found;
		// A new one: callers keep it.
		this.verdicts = new Uint8Array(number).fill(Verdict.Invalid);
		const sizes = this.#ends.fill(0);
		const first = this.#first.fill(0);
		let start = 0;
		for (let line = 0; line < number; line++) {
			const end = ends[line] as number;
			const shard = shards[line] as number;
			if (shard !== NO_SHARD) {
				sizes[shard] = (sizes[shard] as number) + end - start;
				// A line that is not a URL is in no shard; its verdict is INVALID and stays so.
				first[shard + 1] = (first[shard + 1] as number) + 1;
			}
			start = end;
		}
		let size = 0;
		for (let shard = 0; shard < sizes.length; shard++) {
			this.#starts[shard] = size;
			// The last line of all gets an end if it has none.
			size += (sizes[shard] as number) + 1 + SLACK;
			first[shard + 1] =
				(first[shard + 1] as number) + (first[shard] as number);
		}
		if (this.#sorted.length < size) this.#sorted = new Uint8Array(size);
		if (this.#numbers.length < number) this.#numbers = new Uint32Array(number);
		this.#fill(lines);
	}

	// Lines are copied by their shard, four bytes at a time; the last three of the input are copied
	// singly.
	#fill(lines: Uint8Array): void {
		const { number, ends, shards } = this.#lineShards;
		const input = new DataView(lines.buffer, lines.byteOffset, lines.length);
		const sorted = this.#sorted;
		const output = new DataView(sorted.buffer);
		const numbers = this.#numbers;
		const next = this.#first.slice();
		const to = this.#ends;
		to.set(this.#starts);
		/** Up to here four bytes can be read. */
		const last = lines.length - SLACK;
		let at = 0;
		for (let line = 0; line < number; line++) {
			const end = ends[line] as number;
			const shard = shards[line] as number;
			if (shard !== NO_SHARD) {
				const shift = (to[shard] as number) - at;
				for (const most = Math.min(end, last); at < most; at += 4)
					output.setInt32(at + shift, input.getInt32(at, true), true);
				for (; at < end; at++) sorted[at + shift] = lines[at] as number;
				to[shard] = end + shift;
				const place = next[shard] as number;
				numbers[place] = line;
				next[shard] = place + 1;
			}
			at = end;
		}
		const shard = shards[number - 1] ?? NO_SHARD;
		// Without an end of its own, the last line would merge with the next shard's.
		if (number > 0 && shard !== NO_SHARD && lines[lines.length - 1] !== LF) {
			const end = to[shard] as number;
			sorted[end] = LF;
			to[shard] = end + 1;
		}
	}

	/** Shards that have lines. */
	needed(): number[] {
		return [...this.#starts.keys()].filter(
			(shard) => (this.#first[shard] as number) < (this.#first[shard + 1] ?? 0),
		);
	}

	linesOf(shard: number): Uint8Array {
		return this.#sorted.subarray(this.#starts[shard], this.#ends[shard]);
	}

	/** Verdicts for the lines of a shard. */
	setVerdicts(shard: number, verdicts: Uint8Array): void {
		const from = this.#first[shard] as number;
		const numbers = this.#numbers;
		const all = this.verdicts;
		// Back to the order of the lines, by the number each row had.
		for (let i = 0; i < verdicts.length; i++)
			all[numbers[from + i] as number] = verdicts[i] as number;
	}
}

/** Rows of a column put together by their shards, each group in their order, and verdicts in the order of all rows. */
export class SortedColumn {
	/** INVALID for rows that are not URLs. */
	readonly verdicts: Uint8Array;
	/** The rows of all shards, one after the other: fewer than 2³¹ bytes, as a frame has no more. */
	readonly bytes: Uint8Array;
	readonly #offsets: Int32Array;
	/** Numbers of rows, shard by shard, and where those of each shard begin. */
	readonly #rows: Uint32Array;
	readonly #first: Uint32Array;

	/**
	 * A column is sorted once when it comes, as its rows are judged once.
	 * @throws {RobotrieError} invalid-argument, for offsets that fall or lie outside `bytes`.
	 */
	constructor(offsets: ColumnOffsets, bytes: Uint8Array, count: number) {
		const column = new Column("matchColumn", offsets, bytes);
		column.checkOffsets();
		const { length } = column;
		this.verdicts = new Uint8Array(length).fill(Verdict.Invalid);
		const shards = new Uint16Array(length);
		const first = new Uint32Array(count + 1);
		for (let row = 0; row < length; row++) {
			const from = column.offset(row);
			const to = column.offset(row + 1);
			const shard = shardOfLine(bytes, from, to, count);
			shards[row] = shard;
			if (shard !== NO_SHARD) first[shard + 1] = (first[shard + 1] ?? 0) + 1;
		}
		for (let shard = 1; shard <= count; shard++)
			first[shard] = (first[shard] ?? 0) + (first[shard - 1] ?? 0);
		this.#first = first;
		const rows = rowsByShard(shards, first);
		// Row texts are copied together by shard; offsets say where each one lies.
		const ends = new Int32Array(rows.length + 1);
		const sorted = new Uint8Array(column.offset(length) - column.offset(0));
		let at = 0;
		for (let place = 0; place < rows.length; place++) {
			const row = rows[place] as number;
			const to = column.offset(row + 1);
			for (let from = column.offset(row); from < to; from++)
				sorted[at++] = bytes[from] as number;
			ends[place + 1] = at;
		}
		this.#rows = rows;
		this.#offsets = ends;
		this.bytes = sorted;
	}

	/** Shards that have rows. */
	needed(): number[] {
		return [...this.#first.keys()].filter(
			(shard) => (this.#first[shard] as number) < (this.#first[shard + 1] ?? 0),
		);
	}

	/** Where the rows of a shard are in `bytes`. */
	offsetsOf(shard: number): Int32Array {
		const to = this.#first[shard + 1] as number;
		// One more offset than rows, as Arrow's layout has it.
		return this.#offsets.subarray(this.#first[shard], to + 1);
	}

	/** Verdicts for the rows of a shard. */
	setVerdicts(shard: number, verdicts: Uint8Array): void {
		const from = this.#first[shard] as number;
		const rows = this.#rows;
		const all = this.verdicts;
		for (let i = 0; i < verdicts.length; i++)
			all[rows[from + i] as number] = verdicts[i] as number;
	}
}

/** Numbers of rows that have a shard; those of each shard begin at `first`. */
function rowsByShard(shards: Uint16Array, first: Uint32Array): Uint32Array {
	const next = first.slice();
	const rows = new Uint32Array(first.at(-1) as number);
	for (let row = 0; row < shards.length; row++) {
		const shard = shards[row] as number;
		if (shard === NO_SHARD) continue;
		const place = next[shard] as number;
		rows[place] = row;
		next[shard] = place + 1;
	}
	return rows;
}
