/**
 * Searches over bytes by vectors of 16: comparisons, copies, and masks of 64 bytes for what is searched in stretches. Everything that looks
 * at paths, lines or patterns calls it. Searches may read up to PADDING bytes past their end, masks all of their block and a few bytes more
 * (LINES_PADDING); none uses those.
 */
import { FILTER_HIGH, FILTER_SECOND, FILTER_THIRD } from "../format/program";

/** Position of the first `byte` in [from, end), or `end`. */
export function find(byte: u32, from: usize, end: usize): usize {
	const wanted = i8x16.splat(<i8>byte);
	for (; from < end; from += 16) {
		const matches = i8x16.bitmask(i8x16.eq(v128.load(from), wanted));
		if (matches) return min(from + ctz(matches), end);
	}
	return end;
}

/** Position of the first of three bytes in [from, end), or `end`. */
export function findAny(
	a: u32,
	b: u32,
	c: u32,
	from: usize,
	end: usize,
): usize {
	const va = i8x16.splat(<i8>a),
		vb = i8x16.splat(<i8>b),
		vc = i8x16.splat(<i8>c);
	for (; from < end; from += 16) {
		const chunk = v128.load(from);
		const matches = i8x16.bitmask(
			v128.or(
				v128.or(i8x16.eq(chunk, va), i8x16.eq(chunk, vb)),
				i8x16.eq(chunk, vc),
			),
		);
		if (matches) return min(from + ctz(matches), end);
	}
	return end;
}

/** Whether `length` bytes, at least one, are the same; reads whole words past both ends. */
export function equal(a: usize, b: usize, length: usize): bool {
	// Most texts fit one vector: no loop whose end must be guessed.
	for (; length > 16; length -= 16, a += 16, b += 16) {
		if (v128.any_true(v128.xor(v128.load(a), v128.load(b)))) return false;
	}
	const same = i8x16.bitmask(i8x16.eq(v128.load(a), v128.load(b)));
	// The shift drops the differences after the text. Of length 0 it would drop none: hence at least one byte.
	return ~same << (32 - <u32>length) == 0;
}

/** As `equal`, for up to 32 bytes, with nothing to be mispredicted: 1 or 0. Always reads 32. */
export function equalShort(a: usize, b: usize, length: u32): u32 {
	const first = i8x16.bitmask(i8x16.eq(v128.load(a), v128.load(b)));
	const second = i8x16.bitmask(i8x16.eq(v128.load(a, 16), v128.load(b, 16)));
	return u32(<u32>ctz(~(first | (second << 16))) >= length);
}

/** Copies bytes from the first one on and returns their new end; up to 16 bytes after it are overwritten. */
export function copyForward(from: usize, length: usize, to: usize): usize {
	const end = to + length;
	for (; to < end; to += 16, from += 16) v128.store(to, v128.load(from));
	return end;
}

/** Copies bytes up to `end` and returns their new start; up to 16 bytes in front of it are overwritten. */
export function copyBackward(from: usize, length: usize, end: usize): usize {
	const start = end - length;
	from += length;
	for (; end > start; end -= 16, from -= 16)
		v128.store(end - 16, v128.load(from - 16));
	return start;
}

/**
 * Position of the first occurrence of a text in [from, end), or 0. Tests the text's first and last byte at 16
 * positions at once; only positions that pass both are compared in full.
 */
export function search(
	text: usize,
	length: usize,
	from: usize,
	end: usize,
): usize {
	if (from + length > end) return 0;
	const last = end - length;
	const first = v128.load8_splat(text);
	const tail = v128.load8_splat(text + length - 1);
	for (; from <= last; from += 16) {
		let matches = i8x16.bitmask(
			v128.and(
				i8x16.eq(v128.load(from), first),
				i8x16.eq(v128.load(from + length - 1), tail),
			),
		);
		while (matches) {
			// Positions ascend: after one from which the text would reach past the end, all others do, too.
			const at = from + ctz(matches);
			if (at > last) return 0;
			if (equal(at, text, length)) return at;
			matches &= matches - 1;
		}
	}
	return 0;
}

/**
 * Masks of blocks of 64 bytes: bit i stands for byte i. Most masks are empty; one test over all vectors finds that out before any
 * vector is turned into bits.
 */

/** The top bit of each byte of four vectors. */
export function mask64(a: v128, b: v128, c: v128, d: v128): u64 {
	return (
		<u64>i8x16.bitmask(a) |
		((<u64>i8x16.bitmask(b)) << 16) |
		((<u64>i8x16.bitmask(c)) << 32) |
		((<u64>i8x16.bitmask(d)) << 48)
	);
}

/** As mask64, for vectors that are mostly zero. */
export function rareMask64(a: v128, b: v128, c: v128, d: v128): u64 {
	const any = v128.or(v128.or(a, b), v128.or(c, d));
	return v128.any_true(any) ? mask64(a, b, c, d) : 0;
}

/** Either of two bytes, each splat over a vector. */
export function eitherByte(block: usize, a: v128, b: v128): u64 {
	const first = v128.load(block),
		second = v128.load(block, 16),
		third = v128.load(block, 32),
		fourth = v128.load(block, 48);
	return mask64(
		v128.or(i8x16.eq(first, a), i8x16.eq(first, b)),
		v128.or(i8x16.eq(second, a), i8x16.eq(second, b)),
		v128.or(i8x16.eq(third, a), i8x16.eq(third, b)),
		v128.or(i8x16.eq(fourth, a), i8x16.eq(fourth, b)),
	);
}

/**
 * Sets of special bytes no two of which share a low nibble: each stands at its nibble, other entries have another nibble than their
 * own. A byte is in the set if it equals the entry at its low nibble.
 */
const SPECIALS = memory.data<u8>([
	// In the google dialect: NUL, "#".
	0, 0, 0, 0x23, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
	// "#", "%", tab, CR.
	1, 0, 0, 0x23, 0, 0x25, 0, 0, 0, 0x09, 0, 0, 0, 0x0d, 0, 0,
	// The same and LF.
	1, 0, 0, 0x23, 0, 0x25, 0, 0, 0, 0x09, 0x0a, 0, 0, 0x0d, 0, 0,
]);
/** What sends a URL to the slow path in the google dialect, where its path ends at a NUL. */
export const GOOGLE_SPECIALS: usize = SPECIALS;
/** What sends a line to the slow path in the other dialects; a CR does not count in front of the LF. */
export const LINE_SPECIALS: usize = SPECIALS + 16;
/** The same for a URL that is no line. */
export const URL_SPECIALS: usize = SPECIALS + 32;

/** 255 for those of 16 bytes that are in a set, else 0. */
export function inSet(bytes: v128, set: v128): v128 {
	return i8x16.eq(i8x16.swizzle(set, v128.and(bytes, i8x16.splat(15))), bytes);
}

/** Special bytes of lines without the CRs that stand in front of one of the block's line feeds. Reads one byte more. */
export function withoutLineEnds(found: u64, block: usize, feeds: u64): u64 {
	const next = (<u64>u32(load<u8>(block, 64) == 0x0a)) << 63;
	const lastOfLines = (feeds >> 1) | next;
	return found & lastOfLines
		? found & ~(carriageReturns(block) & lastOfLines)
		: found;
}

function carriageReturns(block: usize): u64 {
	const cr = i8x16.splat(0x0d);
	return mask64(
		i8x16.eq(v128.load(block), cr),
		i8x16.eq(v128.load(block, 16), cr),
		i8x16.eq(v128.load(block, 32), cr),
		i8x16.eq(v128.load(block, 48), cr),
	);
}

/** Whether [from, end) has no byte of a set; reads up to 16 bytes more. */
export function lacks(specials: usize, from: usize, end: usize): bool {
	const set = v128.load(specials);
	for (; from < end; from += 16) {
		const found = i8x16.bitmask(inSet(v128.load(from), set));
		if (found) return from + ctz(found) >= end;
	}
	return true;
}

/**
 * Sets of any bytes: tables of 16 for the low nibble and 16 for the high one. A byte is in the set if its two entries have a bit in
 * common: bit 5 stands for the high nibble 0, 1 for 2, 2 for 3 and 5, 3 for 6, 4 for 7, and 0 for all others.
 */
const CLASSES = memory.data<u8>([
	// What the standard escapes, without tab, LF and CR.
	43, 33, 35, 33, 35, 33, 33, 33, 33, 1, 3, 49, 53, 17, 37, 49, 32, 1, 2, 4, 0,
	4, 8, 16, 1, 1, 1, 1, 1, 1, 1, 1,
	// The same with tab, LF, CR, "#" and "%".
	43, 33, 35, 35, 35, 35, 33, 33, 33, 33, 35, 49, 53, 49, 37, 49, 32, 1, 2, 4,
	0, 4, 8, 16, 1, 1, 1, 1, 1, 1, 1, 1,
]);
/** What the standard escapes (url/normalise.ts): "*", "$", bytes above 127 and those that no URL contains, but for those that it drops. */
const ESCAPED: usize = CLASSES;
/** What may have another normal form or length than its own (`copyPlain`). */
export const PLAIN_STOPS: usize = CLASSES + 32;

/** 255 for those of 16 bytes that are in a set of CLASSES, else 0. */
export function inClasses(bytes: v128, set: usize): v128 {
	const low = v128.and(bytes, i8x16.splat(15));
	const high = v128.and(i16x8.shr_u(bytes, 4), i8x16.splat(15));
	return v128.not(
		i8x16.eq(
			v128.and(
				i8x16.swizzle(v128.load(set), low),
				i8x16.swizzle(v128.load(set, 16), high),
			),
			i8x16.splat(0),
		),
	);
}

/** Bytes that the standard escapes, but for tab, LF and CR. */
export function escapedBytes(block: usize): u64 {
	let mask: u64 = 0;
	for (let i: usize = 0; i < 64; i += 16)
		mask |= (<u64>i8x16.bitmask(inClasses(v128.load(block + i), ESCAPED))) << i;
	return mask;
}

/** Whether [from, end) has such a byte; one up to 64 bytes after it counts, too. */
export function hasEscaped(from: usize, end: usize): bool {
	for (; from < end; from += 64) {
		if (escapedBytes(from)) return true;
	}
	return false;
}

/** Looks up the low nibbles of 16 bytes in a table. */
function lowNibbles(table: v128, at: usize): v128 {
	return i8x16.swizzle(table, v128.and(v128.load(at), i8x16.splat(15)));
}

/** 255 for those of 16 bytes where no literal may begin, else 0. */
function noLiteral(
	lows: v128,
	highs: v128,
	seconds: v128,
	thirds: v128,
	at: usize,
): v128 {
	const high = v128.and(i16x8.shr_u(v128.load(at), 4), i8x16.splat(15));
	const first = v128.and(lowNibbles(lows, at), i8x16.swizzle(highs, high));
	const next = v128.and(
		lowNibbles(seconds, at + 1),
		lowNibbles(thirds, at + 2),
	);
	return i8x16.eq(v128.and(first, next), i8x16.splat(0));
}

/**
 * Bytes where the prefilter lets a literal begin; reads two bytes more. Tables for all six nibbles pass a fifth less and took as
 * long. Tried without gain: an unrolled loop; entries reused in the next round.
 */
export function prefilter(filter: usize, block: usize): u64 {
	let mask: u64 = 0;
	const lows = v128.load(filter),
		highs = v128.load(filter, FILTER_HIGH),
		seconds = v128.load(filter, FILTER_SECOND),
		thirds = v128.load(filter, FILTER_THIRD);
	for (let i: usize = 0; i < 64; i += 16) {
		const none = noLiteral(lows, highs, seconds, thirds, block + i);
		mask |= (<u64>i8x16.bitmask(none)) << i;
	}
	return ~mask;
}
