/**
 * Line ends and special bytes of a stretch of text, found 64 bytes at a time and listed, so that the loop over lines has nothing to search
 * for. Listing costs 1 to 2 ns a line; a branch on "is there another line end in this block" is mispredicted for most lines and costs 5.
 * Both batches call `indexLines`; the second half of this file makes lines of a column's rows beforehand, for the host, and puts a text
 * before each line afterwards.
 */
import {
	copyForward,
	escapedBytes,
	find,
	GOOGLE_SPECIALS,
	hasEscaped,
	inSet,
	lacks,
	LINE_SPECIALS,
	mask64,
	prefilter,
	rareMask64,
	withoutLineEnds,
} from "../bytes/scan";

const LF: u32 = 0x0a;
const CR: u32 = 0x0d;

/** Most bytes of several lines that one call of `indexLines` reads: text and lists stay in the first-level cache. */
export const STRETCH: usize = 8192;

/** Most items of a list: a stretch may consist of line feeds. */
export const LONGEST_LIST: i32 = <i32>STRETCH;

/** 16 more than fit, for items that are written in advance. */
const LIST_SIZE: i32 = (LONGEST_LIST + 16) * 4;
/** Bytes of all lists. */
export const LISTS_SIZE: i32 = 3 * LIST_SIZE;
let lists: usize = memory.data(LISTS_SIZE);

/** Moves the lists to LISTS_SIZE bytes elsewhere: for instances that share their memory. */
export function moveLists(to: usize): void {
	lists = to;
}

/** Addresses, u32, of line feeds; `indexLines` returns their number. */
export function lineEnds(): usize {
	return lists;
}

/** Addresses, u32, of special bytes, followed by the largest u32. */
export function specials(): usize {
	return lists + LIST_SIZE;
}

/** Addresses, u32, of positions where a literal may begin, followed by the largest u32. */
export function candidatePositions(): usize {
	return lists + 2 * LIST_SIZE;
}

/** Appends the addresses of a mask's bits to a list and returns its end. */
function listInline(mask: u64, block: usize, to: usize): usize {
	const end = to + ((<usize>popcnt(mask)) << 2);
	// Few blocks hold more than three lines: write three without looking.
	store<u32>(to, <u32>(block + <usize>ctz(mask)));
	mask &= mask - 1;
	store<u32>(to, <u32>(block + <usize>ctz(mask)), 4);
	mask &= mask - 1;
	store<u32>(to, <u32>(block + <usize>ctz(mask)), 8);
	for (to += 12; to < end; to += 4) {
		mask &= mask - 1;
		store<u32>(to, <u32>(block + <usize>ctz(mask)));
	}
	return end;
}

/** The same, called: paths take 3% less time when only their line feeds are listed without a call. */
function list(mask: u64, block: usize, to: usize): usize {
	return listInline(mask, block, to);
}

/**
 * Of `flagged`, the first in each stretch between `ends`. An addition carries from each stretch's start through clear
 * bits and stops at a flag or an end. Escaped lines are full of flags, and one will do.
 */
function firstOfEach(flagged: u64, ends: u64): u64 {
	return (~(flagged | ends) + ((ends << 1) | 1)) & flagged;
}

/** Bytes to fill vectors with. V8 makes constants anew in every round of a loop, by two or three instructions each. */
const FILLS = memory.data<u8>([0x0a, 0x23, 0, 0x25]);

/**
 * Lists the line feeds of the first STRETCH bytes of [from, end), or of its first line if that is longer, and of every line's special
 * bytes the first in each block; returns the number of line feeds. Lines begin at `from` and end in a line feed before `end`; the next
 * call begins after the last line feed. Special are those of the dialect (bytes/scan.ts), and
 * what the standard escapes ("*", "$", all that is not ASCII) when `escaped`.
 * With a `filter`, the positions that pass it are listed too, but not of blocks within a line that has a special byte: for whole
 * blocks that takes half the time of a path at a time. Not those of a line that is longer than STRETCH (`isLong`).
 *
 * What follows the last line feed is read again by the next call: less time than a line in two stretches took on the slow path.
 *
 * Special bytes are below most bytes of URLs: where the least of all bytes but line feeds is above "%", as in most blocks, one
 * comparison says so for 64 bytes, and one for each special byte is not needed. Where they are frequent, as CRs and escapes may be,
 * that is skipped. Looking up all bytes in a table took 2 to 5% more; a pass of its own for tabs and CRs, up to 7%.
 */
export function indexLines(
	from: usize,
	end: usize,
	google: bool,
	escaped: bool,
	filter: usize,
): u32 {
	const to = min(from + STRETCH, end);
	const feed = v128.load8_splat(FILLS),
		hash = v128.load8_splat(FILLS, 1),
		nul = v128.load8_splat(FILLS, 2),
		percent = v128.load8_splat(FILLS, 3);
	let frequent = false;
	let lines = lineEnds();
	let passing = candidatePositions();
	let listed = specials();
	for (let block = from; block < to; block += 64) {
		const a = v128.load(block),
			b = v128.load(block, 16),
			c = v128.load(block, 32),
			d = v128.load(block, 48);
		const inA = i8x16.eq(a, feed),
			inB = i8x16.eq(b, feed),
			inC = i8x16.eq(c, feed),
			inD = i8x16.eq(d, feed);
		let feeds = mask64(inA, inB, inC, inD);
		let flagged: u64 = 0;
		if (google) {
			flagged = rareMask64(
				v128.or(i8x16.eq(a, hash), i8x16.eq(a, nul)),
				v128.or(i8x16.eq(b, hash), i8x16.eq(b, nul)),
				v128.or(i8x16.eq(c, hash), i8x16.eq(c, nul)),
				v128.or(i8x16.eq(d, hash), i8x16.eq(d, nul)),
			);
		} else {
			const least = i8x16.min_u(
				i8x16.min_u(v128.or(a, inA), v128.or(b, inB)),
				i8x16.min_u(v128.or(c, inC), v128.or(d, inD)),
			);
			if (frequent || v128.any_true(i8x16.le_u(least, percent))) {
				const set = v128.load(LINE_SPECIALS);
				flagged = rareMask64(
					inSet(a, set),
					inSet(b, set),
					inSet(c, set),
					inSet(d, set),
				);
				frequent = flagged != 0;
				if (frequent) flagged = withoutLineEnds(flagged, block, feeds);
			}
		}
		if (escaped) flagged |= escapedBytes(block);
		if (to - block < 64) {
			const within = ((<u64>1) << (to - block)) - 1;
			feeds &= within;
			flagged &= within;
		}
		lines = listInline(feeds, block, lines);
		if (flagged) listed = list(firstOfEach(flagged, feeds), block, listed);
		if (filter && (feeds || !flagged)) {
			const mask = prefilter(filter, block);
			if (mask) passing = list(mask, block, passing);
		}
	}
	if (lines == lineEnds()) return indexLong(from, to, end, google, escaped);
	store<u32>(listed, u32.MAX_VALUE);
	endPositions(passing);
	return <u32>((lines - lineEnds()) >> 2);
}

/** Lists a line with no line feed in front of `to`, and its start as special if any of its bytes is. */
function indexLong(
	from: usize,
	to: usize,
	end: usize,
	google: bool,
	escaped: bool,
): u32 {
	const feed = find(LF, to, end);
	store<u32>(lineEnds(), <u32>feed);
	const isPlain =
		lacks(
			google ? GOOGLE_SPECIALS : LINE_SPECIALS,
			from,
			feed - usize(load<u8>(feed - 1) == CR),
		) && !(escaped && hasEscaped(from, feed));
	const listed = specials();
	store<u32>(listed, isPlain ? u32.MAX_VALUE : <u32>from);
	store<u32>(listed, u32.MAX_VALUE, 4);
	endPositions(candidatePositions());
	return 1;
}

/** Whether the first line of those that were listed, which began at `from`, is one whose positions are not listed. */
export function isLong(from: usize): bool {
	return <usize>load<u32>(lineEnds()) - from >= STRETCH;
}

/** Lists the positions of [from, to), at most STRETCH bytes, that pass a filter. */
export function indexPositions(from: usize, to: usize, filter: usize): void {
	let passing = candidatePositions();
	for (let block = from; block < to; block += 64)
		passing = list(prefilter(filter, block), block, passing);
	endPositions(passing);
}

let positionsEnd: usize = 0;

function endPositions(end: usize): void {
	store<u32>(end, u32.MAX_VALUE);
	positionsEnd = end;
}

/** Positions that are listed. */
export function positionCount(): u32 {
	return <u32>((positionsEnd - candidatePositions()) >> 2);
}

/**
 * Rows of a column become lines: they lie end to end, and a line feed is put after each. So columns are judged by the same loop as
 * lines, which costs copying them (2 to 3 ns a URL).
 */

/** Bytes that are read and written at once: 16 at a time, the end of each row would be mispredicted; 64 take 2% longer on real paths. */
const BLOCK: usize = 128;
/** The end of lines when an offset falls or is too large. */
const WRONG_OFFSET: usize = 0;

let oddCount: u32 = 0;
/** The last `copyRows` met a byte up to CR, so that some row may not be a line. */
let mayBeOdd: bool = false;

/**
 * Copies `count` rows, at least one, to `to` as lines, and returns the end of the lines; 0 if an offset is smaller than the one before, or
 * not within the `size` bytes of the rows, which lie from `from` on. At `offsets` stand count + 1 of them, of 32 bits or of 64 if `wide`,
 * the first of which is that of `from`. After rows and lines is room for 128 bytes. Rows that are not a line, because they hold LF or
 * end in CR, become empty lines; their numbers, u32, stand at `offsets` afterwards.
 */
export function spreadRows(
	offsets: usize,
	wide: bool,
	count: u32,
	from: usize,
	size: usize,
	to: usize,
): usize {
	// After the rows stands what is no control character.
	memory.fill(from + size, 0x20, BLOCK);
	oddCount = 0;
	const end = copyRows(offsets, wide, count, from, size, to);
	return end && mayBeOdd ? copyLines(offsets, wide, count, from, to) : end;
}

/** Rows that the last `spreadRows` made empty lines of. */
export function oddRows(): u32 {
	return oddCount;
}

/** An offset, sign-extended: no difference to a smaller one than 2 ** 53 wraps to one that is right. */
function offsetAt(at: usize, wide: bool): i64 {
	return wide ? load<i64>(at) : <i64>load<i32>(at);
}

/** Copies the rows as if each were a line. */
function copyRows(
	offsets: usize,
	wide: bool,
	count: u32,
	from: usize,
	size: usize,
	to: usize,
): usize {
	const step: usize = wide ? 8 : 4;
	const last = offsets + <usize>count * step;
	const base = offsetAt(offsets, wide) - <i64>from;
	const limit = <i64>(from + size);
	let start = from;
	let least = i8x16.splat(0x20);
	for (let at = offsets; at < last; ) {
		at += step;
		const offset = offsetAt(at, wide) - base;
		if (offset < <i64>start || offset > limit) return WRONG_OFFSET;
		const end = <usize>offset;
		let next = to;
		to += end - start;
		do {
			const a = v128.load(start);
			const b = v128.load(start, 16);
			const c = v128.load(start, 32);
			const d = v128.load(start, 48);
			const e = v128.load(start, 64);
			const f = v128.load(start, 80);
			const g = v128.load(start, 96);
			const h = v128.load(start, 112);
			v128.store(next, a);
			v128.store(next, b, 16);
			v128.store(next, c, 32);
			v128.store(next, d, 48);
			v128.store(next, e, 64);
			v128.store(next, f, 80);
			v128.store(next, g, 96);
			v128.store(next, h, 112);
			const ad = i8x16.min_u(i8x16.min_u(a, b), i8x16.min_u(c, d));
			const eh = i8x16.min_u(i8x16.min_u(e, f), i8x16.min_u(g, h));
			least = i8x16.min_u(least, i8x16.min_u(ad, eh));
			start += BLOCK;
			next += BLOCK;
		} while (next < to);
		store<u8>(to++, LF);
		start = end;
	}
	mayBeOdd = v128.any_true(i8x16.le_u(least, i8x16.splat(<i8>CR)));
	return to;
}

/** The same, row by row, for offsets that are right. */
function copyLines(
	offsets: usize,
	wide: bool,
	count: u32,
	from: usize,
	to: usize,
): usize {
	const step: usize = wide ? 8 : 4;
	const base = offsetAt(offsets, wide) - <i64>from;
	let start = from;
	let at = offsets;
	for (let row: u32 = 0; row < count; row++) {
		at += step;
		const end = <usize>(offsetAt(at, wide) - base);
		if (isLine(start, end)) {
			to = copyForward(start, end - start, to);
		} else {
			// The offsets that were read make room for numbers.
			store<u32>(offsets + ((<usize>oddCount) << 2), row);
			oddCount++;
		}
		store<u8>(to++, LF);
		start = end;
	}
	return to;
}

function isLine(start: usize, end: usize): bool {
	if (end > start && load<u8>(end - 1) == CR) return false;
	return find(LF, start, end) == end;
}

/** Bytes of a `Label`: its text and two u32. */
const LABEL_SIZE: usize = 24;

/** What goes before lines of one verdict: up to 16 bytes of text, then how many of them count, and the lines that had the verdict. */
@unmanaged
class Label {
	first: u64;
	second: u64;
	length: u32;
	lines: u32;
}

/**
 * Copies the lines of [from, from + length), which lie in the input region, to `to`, each after the label of its verdict, and returns
 * their end. A byte at `verdicts` for each line says which of the `labels` that is; lines are counted there. Of verdict `only` alone if
 * that is not negative. The last line gets an end; there is room for 16 bytes more.
 */
export function labelLines(
	from: usize,
	length: usize,
	verdicts: usize,
	labels: usize,
	only: i32,
	to: usize,
): usize {
	const end = from + length;
	const feed = i8x16.splat(<i8>LF);
	store<u8>(end, LF);
	for (; from < end; verdicts++) {
		const verdict: i32 = load<u8>(verdicts);
		const label = changetype<Label>(labels + <usize>verdict * LABEL_SIZE);
		label.lines++;
		if (only >= 0 && verdict != only) {
			from = find(LF, from, end) + 1;
			continue;
		}
		v128.store(to, v128.load(changetype<usize>(label)));
		to += label.length;
		let feeds = 0;
		while (true) {
			const bytes = v128.load(from);
			v128.store(to, bytes);
			feeds = i8x16.bitmask(i8x16.eq(bytes, feed));
			if (feeds) break;
			from += 16;
			to += 16;
		}
		const rest = <usize>ctz(feeds) + 1;
		from += rest;
		to += rest;
	}
	return to;
}
