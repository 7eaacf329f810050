import { FILTER_HIGH, FILTER_SECOND, FILTER_THIRD } from "../format/program";

/**
 * Masks of blocks of 64 bytes: bit i stands for byte i. Most masks are empty; one test over all vectors finds that out before any
 * vector is turned into bits.
 */

/** The top bit of each byte of four vectors. */
function mask64(a: v128, b: v128, c: v128, d: v128): u64 {
	return (
		<u64>i8x16.bitmask(a) |
		((<u64>i8x16.bitmask(b)) << 16) |
		((<u64>i8x16.bitmask(c)) << 32) |
		((<u64>i8x16.bitmask(d)) << 48)
	);
}

/** As mask64, for vectors that are mostly zero. */
function rareMask64(a: v128, b: v128, c: v128, d: v128): u64 {
	const any = v128.or(v128.or(a, b), v128.or(c, d));
	return v128.any_true(any) ? mask64(a, b, c, d) : 0;
}

/** The top bits of eight bytes, other bits clear, as the low eight bits. */
function gather(tops: u64): u64 {
	return ((tops >> 7) * 0x0102040810204080) >> 56;
}

/** Without SIMD, eight bytes at a time: a matching byte becomes zero, which sets its top bit. */
function occurrences(block: usize, byte: u32): u64 {
	const pattern = <u64>byte * 0x0101010101010101;
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

function nonAscii(block: usize): u64 {
	let mask: u64 = 0;
	for (let i: usize = 0; i < 64; i += 8)
		mask |= gather(load<u64>(block + i) & 0x8080808080808080) << i;
	return mask;
}

/** Line feeds. */
export function lineFeeds(block: usize): u64 {
	if (ASC_FEATURE_SIMD) {
		const feed = i8x16.splat(0x0a);
		return mask64(
			i8x16.eq(v128.load(block), feed),
			i8x16.eq(v128.load(block, 16), feed),
			i8x16.eq(v128.load(block, 32), feed),
			i8x16.eq(v128.load(block, 48), feed),
		);
	}
	return occurrences(block, 0x0a);
}

/** Either of two bytes, each splat over a vector; for SIMD only. */
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

/** Bytes that send a URL to the slow path: "#" and `special`. */
export function specialBytes(block: usize, special: u32): u64 {
	if (ASC_FEATURE_SIMD) {
		const hash = i8x16.splat(0x23),
			other = i8x16.splat(<i8>special);
		const first = v128.load(block),
			second = v128.load(block, 16),
			third = v128.load(block, 32),
			fourth = v128.load(block, 48);
		return rareMask64(
			v128.or(i8x16.eq(first, hash), i8x16.eq(first, other)),
			v128.or(i8x16.eq(second, hash), i8x16.eq(second, other)),
			v128.or(i8x16.eq(third, hash), i8x16.eq(third, other)),
			v128.or(i8x16.eq(fourth, hash), i8x16.eq(fourth, other)),
		);
	}
	return occurrences(block, 0x23) | occurrences(block, special);
}

/** Bytes that the standard escapes: "*", "$" and bytes above 127. */
export function escapedBytes(block: usize): u64 {
	if (ASC_FEATURE_SIMD) {
		let mask: u64 = 0;
		for (let i: usize = 0; i < 64; i += 16) {
			const bytes = v128.load(block + i);
			const starOrDollar = v128.or(
				i8x16.eq(bytes, i8x16.splat(0x2a)),
				i8x16.eq(bytes, i8x16.splat(0x24)),
			);
			// Bytes above 127 have their top bit set.
			mask |= (<u64>i8x16.bitmask(v128.or(starOrDollar, bytes))) << i;
		}
		return mask;
	}
	return occurrences(block, 0x2a) | occurrences(block, 0x24) | nonAscii(block);
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
	if (ASC_FEATURE_SIMD) {
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
	for (let i: usize = 0; i < 64; i++) {
		const byte: u32 = load<u8>(block + i);
		const bits =
			load<u8>(filter + (byte & 15)) &
			load<u8>(filter + (byte >> 4), FILTER_HIGH) &
			load<u8>(filter + (load<u8>(block + i, 1) & 15), FILTER_SECOND) &
			load<u8>(filter + (load<u8>(block + i, 2) & 15), FILTER_THIRD);
		if (bits) mask |= (<u64>1) << (<u64>i);
	}
	return mask;
}
