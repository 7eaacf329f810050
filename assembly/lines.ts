import { candidates } from "./candidates";

/**
 * Line ends and special octets of a stretch of text, found 64 octets at a time and listed, so that the loop over
 * lines has nothing to search for. Listing costs 1 to 2 ns a line; a branch on "is there another line end in this
 * block" is mispredicted for most lines and costs 5.
 */

/** Octets that one call of `indexLines` looks at, at most: text and lists stay in the first-level cache. */
export const STRETCH: usize = 8192;

const LIST_SIZE: i32 = (8192 + 16) * 4;

/** Addresses, u32, of line feeds: `lineCount` of them. */
export const lineEnds: usize = memory.data(LIST_SIZE);
export let lineCount: u32 = 0;
/** Addresses, u32, of special octets, followed by the largest u32. */
export const specials: usize = memory.data(LIST_SIZE);

/** The top bits of eight octets, other bits clear, as the low eight bits. */
function gather(tops: u64): u64 {
	return ((tops >> 7) * 0x0102040810204080) >> 56;
}

/** Bit i is set where octet i of the 64 at `block` is `octet`. */
function occurrences(block: usize, octet: u32): u64 {
	if (ASC_FEATURE_SIMD) {
		const wanted = i8x16.splat(<i8>octet);
		return (
			<u64>i8x16.bitmask(i8x16.eq(v128.load(block), wanted)) |
			((<u64>i8x16.bitmask(i8x16.eq(v128.load(block, 16), wanted))) << 16) |
			((<u64>i8x16.bitmask(i8x16.eq(v128.load(block, 32), wanted))) << 32) |
			((<u64>i8x16.bitmask(i8x16.eq(v128.load(block, 48), wanted))) << 48)
		);
	}
	// Eight octets at a time: a zero octet sets its top bit.
	const pattern = <u64>octet * 0x0101010101010101;
	let mask: u64 = 0;
	for (let i: usize = 0; i < 64; i += 8) {
		const x = load<u64>(block + i) ^ pattern;
		const zero = ~(
			((x & 0x7f7f7f7f7f7f7f7f) + 0x7f7f7f7f7f7f7f7f) |
			x |
			0x7f7f7f7f7f7f7f7f
		);
		mask |= gather(zero) << i;
	}
	return mask;
}

/** Addresses, u32, of positions where a literal may begin, followed by the largest u32. */
export const starts: usize = memory.data(LIST_SIZE);

/** Appends the addresses of a mask's bits to a list and returns its end. */
function list(mask: u64, block: usize, to: usize): usize {
	const end = to + ((<usize>popcnt(mask)) << 2);
	// Few blocks hold more than four lines: write four without looking.
	for (let i: usize = 0; i < 16; i += 4) {
		store<u32>(to + i, <u32>(block + <usize>ctz(mask)));
		mask &= mask - 1;
	}
	for (to += 16; to < end; to += 4) {
		store<u32>(to, <u32>(block + <usize>ctz(mask)));
		mask &= mask - 1;
	}
	return end;
}

/** Bit i is set where octet i of the 64 at `block` is not ASCII. */
function nonAscii(block: usize): u64 {
	if (ASC_FEATURE_SIMD) {
		return (
			<u64>i8x16.bitmask(v128.load(block)) |
			((<u64>i8x16.bitmask(v128.load(block, 16))) << 16) |
			((<u64>i8x16.bitmask(v128.load(block, 32))) << 32) |
			((<u64>i8x16.bitmask(v128.load(block, 48))) << 48)
		);
	}
	let mask: u64 = 0;
	for (let i: usize = 0; i < 64; i += 8) {
		mask |= gather(load<u64>(block + i) & 0x8080808080808080) << i;
	}
	return mask;
}

/**
 * Of `marks`, the first in each stretch between `ends`. An addition carries from each stretch's start through unmarked
 * bits and stops where it meets a mark or an end. Escaped lines are full of marks, and one will do.
 */
function firstOfEach(marks: u64, ends: u64): u64 {
	return (~(marks | ends) + ((ends << 1) | 1)) & marks;
}

/**
 * Lists the line feeds of [from, to), at most STRETCH octets, and of every line's special octets the first in each
 * block. Special are "#" and `special`, and what the standard escapes ("*", "$", all that is not ASCII) when `spelled`.
 * With a `filter`, the positions that pass it are listed too: for whole blocks that takes half the time of a path at a
 * time.
 */
export function indexLines(
	from: usize,
	to: usize,
	special: u32,
	spelled: bool,
	filter: usize,
): void {
	let lines = lineEnds;
	let floats = starts;
	let others = specials;
	for (let block = from; block < to; block += 64) {
		let feeds = occurrences(block, 0x0a);
		let marks = occurrences(block, 0x23) | occurrences(block, special);
		if (spelled) {
			marks |=
				occurrences(block, 0x2a) | occurrences(block, 0x24) | nonAscii(block);
		}
		if (to - block < 64) {
			const within = ((<u64>1) << (to - block)) - 1;
			feeds &= within;
			marks &= within;
		}
		lines = list(feeds, block, lines);
		if (marks) others = list(firstOfEach(marks, feeds), block, others);
		if (filter) {
			const mask =
				<u64>candidates(filter, block) |
				((<u64>candidates(filter, block + 16)) << 16) |
				((<u64>candidates(filter, block + 32)) << 32) |
				((<u64>candidates(filter, block + 48)) << 48);
			if (mask) floats = list(mask, block, floats);
		}
	}
	lineCount = <u32>((lines - lineEnds) >> 2);
	store<u32>(others, u32.MAX_VALUE);
	store<u32>(floats, u32.MAX_VALUE);
}

/** Lists a single line that ends at `end`, with a special octet at its start or none. */
export function indexOne(start: usize, end: usize, plain: bool): void {
	store<u32>(lineEnds, <u32>end);
	lineCount = 1;
	store<u32>(specials, plain ? u32.MAX_VALUE : <u32>start);
	store<u32>(specials, u32.MAX_VALUE, 4);
}
