import { candidates } from "./candidates";
import {
	FILTER_SIZE,
	H_ALWAYS,
	H_HEAD_BITS,
	H_LITERALS,
	H_MARKS,
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

/** The filter of a program with literal code. */
export function filterOf(program: usize): usize {
	return program + setsEnd(load<u8>(program, H_HEAD_BITS));
}

/**
 * The encoded rank of the best rule that the prefix code has for the path [start, end), 0 when none matches; for what the
 * path must be like see `run`. A path begins with "/".
 */
export function matchPrefix(program: usize, start: usize, end: usize): u32 {
	const best = load<u32>(program, H_ALWAYS);
	const bits: u32 = load<u8>(program, H_HEAD_BITS);
	const octet: u32 = load<u8>(start, 1);
	const head = headBit(start + 1, bits);
	// One test for both sets: two would cost a second misprediction.
	if (
		((load<u8>(program + (octet >> 3), HEADER_SIZE) >> (octet & 7)) |
			(load<u8>(program + (head >> 3), HEADER_SIZE + OCTET_SET_SIZE) >>
				(head & 7))) &
		1
	) {
		const filter: usize = load<u32>(program, H_LITERALS)
			? <usize>FILTER_SIZE
			: 0;
		const code = program + setsEnd(bits) + filter;
		return run(program, code, start, start + 1, end, best);
	}
	return best;
}

/** Runs the literal code at every position where the filter says that one of its literals may begin. */
export function matchFloating(
	program: usize,
	start: usize,
	end: usize,
	best: u32,
): u32 {
	const filter = filterOf(program);
	const code = program + load<u32>(program, H_LITERALS);
	for (let at = start; at < end; at += 16) {
		let mask = candidates(filter, at);
		if (end - at < 16) mask &= ((<u32>1) << (<u32>(end - at))) - 1;
		while (mask) {
			best = run(program, code, start, at + <usize>ctz(mask), end, best);
			mask &= mask - 1;
		}
	}
	clearMarks(load<u32>(program, H_MARKS));
	return best;
}

/** As matchFloating, from positions that were listed: those at `list` up to `end`. Returns the best encoded rank. */
export function matchListed(
	program: usize,
	list: usize,
	start: usize,
	end: usize,
	best: u32,
): u32 {
	const code = program + load<u32>(program, H_LITERALS);
	let at: usize = load<u32>(list);
	while (at < end) {
		best = run(program, code, start, at, end, best);
		list += 4;
		at = load<u32>(list);
	}
	clearMarks(load<u32>(program, H_MARKS));
	return best;
}
