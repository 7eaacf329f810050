import {
	FILTER_SIZE,
	H_ALWAYS,
	H_HEAD_BITS,
	H_LITERALS,
	H_MARKS,
	H_MAX_FLOATING,
	HEAD_HASH,
	HEADER_SIZE,
	OCTET_SET_SIZE,
} from "./format";
import { clearMarks, run } from "./run";

/** The bit of the head set for the three octets at `head`. */
export function headBit(head: usize, bits: u32): u32 {
	return ((load<u32>(head) & 0xffffff) * <u32>HEAD_HASH) >>> (32 - bits);
}

/** Octets of header and sets: what stands behind them is the filter or the prefix code. */
export function setsEnd(bits: u32): usize {
	return <usize>(HEADER_SIZE + OCTET_SET_SIZE) + ((<usize>1) << (bits - 3));
}

/**
 * The encoded rank of the best rule for the path [start, end), 0 when none matches; for what the path must be like see
 * `run`. A path begins with "/".
 */
export function matchPath(program: usize, start: usize, end: usize): u32 {
	let best = load<u32>(program, H_ALWAYS);
	const bits: u32 = load<u8>(program, H_HEAD_BITS);
	const literals: usize = load<u32>(program, H_LITERALS);
	const octet: u32 = load<u8>(start, 1);
	const head = headBit(start + 1, bits);
	// One test for both sets: two would cost a second misprediction.
	if (
		((load<u8>(program + (octet >> 3), HEADER_SIZE) >> (octet & 7)) |
			(load<u8>(program + (head >> 3), HEADER_SIZE + OCTET_SET_SIZE) >>
				(head & 7))) &
		1
	) {
		const code = program + setsEnd(bits) + (literals ? <usize>FILTER_SIZE : 0);
		best = run(program, code, start, start + 1, end, best);
	}
	if (literals && best < load<u32>(program, H_MAX_FLOATING)) {
		const filter = program + setsEnd(bits);
		best = matchFloating(program, filter, literals, start, end, best);
	}
	return best;
}

/** Bit i is set where a literal may begin at octet i of the 16 at `at`. */
function candidates(filter: usize, at: usize): u32 {
	const nibble = i8x16.splat(15);
	const octets = v128.load(at);
	const next = v128.load(at, 1);
	const both = v128.and(
		v128.and(
			i8x16.swizzle(v128.load(filter), v128.and(octets, nibble)),
			i8x16.swizzle(v128.load(filter, 16), i8x16.shr_u(octets, 4)),
		),
		v128.and(
			i8x16.swizzle(v128.load(filter, 32), v128.and(next, nibble)),
			i8x16.swizzle(v128.load(filter, 48), i8x16.shr_u(next, 4)),
		),
	);
	return i8x16.bitmask(i8x16.ne(both, i8x16.splat(0)));
}

/** Runs the literal code at every position where the filter says that one of its literals may begin. */
function matchFloating(
	program: usize,
	filter: usize,
	literals: usize,
	start: usize,
	end: usize,
	best: u32,
): u32 {
	const code = program + literals;
	if (ASC_FEATURE_SIMD) {
		for (let at = start; at < end; at += 64) {
			// Most paths are shorter than 64 octets: no loop whose end must be guessed.
			let mask: u64 =
				<u64>candidates(filter, at) |
				((<u64>candidates(filter, at + 16)) << 16);
			if (at + 32 < end) {
				mask |=
					((<u64>candidates(filter, at + 32)) << 32) |
					((<u64>candidates(filter, at + 48)) << 48);
			}
			if (end - at < 64) mask &= ((<u64>1) << (end - at)) - 1;
			while (mask) {
				best = run(program, code, start, at + <usize>ctz(mask), end, best);
				mask &= mask - 1;
			}
		}
	} else {
		for (let at = start; at < end; at++) {
			const octet: u32 = load<u8>(at);
			const next: u32 = load<u8>(at, 1);
			if (
				load<u8>(filter + (octet & 15)) &
				load<u8>(filter + (octet >> 4), 16) &
				load<u8>(filter + (next & 15), 32) &
				load<u8>(filter + (next >> 4), 48)
			) {
				best = run(program, code, start, at, end, best);
			}
		}
	}
	clearMarks(load<u32>(program, H_MARKS));
	return best;
}
