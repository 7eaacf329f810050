import {
	escapedBytes,
	inSet,
	LINE_SPECIALS,
	mask64,
	prefilter,
	rareMask64,
	withoutLineEnds,
} from "../bytes/blocks";

/**
 * Line ends and special bytes of a stretch of text, found 64 bytes at a time and listed, so that the loop over
 * lines has nothing to search for. Listing costs 1 to 2 ns a line; a branch on "is there another line end in this
 * block" is mispredicted for most lines and costs 5.
 */

/** Most bytes that one call of `indexLines` reads: text and lists stay in the first-level cache. */
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
 * Lists the line feeds of [from, to), at most STRETCH bytes, and of every line's special bytes the first in each
 * block; returns the number of line feeds. Special are those of the dialect (bytes/blocks.ts), and
 * what the standard escapes ("*", "$", all that is not ASCII) when `escaped`.
 * With a `filter`, the positions that pass it are listed too, but not of blocks within a line that has a special byte: for whole
 * blocks that takes half the time of a path at a time.
 *
 * Special bytes are below most bytes of URLs: where the least of all bytes but line feeds is above "%", as in most blocks, one
 * comparison says so for 64 bytes, and one for each special byte is not needed. Where they are frequent, as CRs and escapes may be,
 * that is skipped. Looking up all bytes in a table took 2 to 5% more; a pass of its own for tabs and CRs, up to 7%.
 */
export function indexLines(
	from: usize,
	to: usize,
	google: bool,
	escaped: bool,
	filter: usize,
): u32 {
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
	store<u32>(listed, u32.MAX_VALUE);
	store<u32>(passing, u32.MAX_VALUE);
	return <u32>((lines - lineEnds()) >> 2);
}

/** Lists the positions of [from, to), at most STRETCH bytes, that pass a filter. */
export function indexPositions(from: usize, to: usize, filter: usize): void {
	let passing = candidatePositions();
	for (let block = from; block < to; block += 64)
		passing = list(prefilter(filter, block), block, passing);
	store<u32>(passing, u32.MAX_VALUE);
}
