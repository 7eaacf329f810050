import { candidates } from "./candidates";
import {
	FEATURE_SHORT,
	H_ALWAYS,
	H_FEATURES,
	H_HEAD_BITS,
	H_LITERALS,
	H_MARKS,
	H_SHORT,
	HEAD_HASH,
	HEAD_SLOT_SIZE,
	HEADER_SIZE,
	OCTET_SET_SIZE,
} from "./format";
import { clearMarks, run } from "./run";

/** Hash of the HEAD_OCTETS octets at `head`: the slot comes from its top, the tag from its low octet. */
export function hashHead(head: usize): u32 {
	return (load<u32>(head) & 0xffffff) * <u32>HEAD_HASH;
}

/** Octets of a program in front of its octet set. */
export function headTableEnd(bits: u32): usize {
	return <usize>HEADER_SIZE + ((<usize>HEAD_SLOT_SIZE) << bits);
}

/** The filter of a program with literal code. */
export function filterOf(program: usize): usize {
	const short =
		load<u8>(program, H_FEATURES) & FEATURE_SHORT ? <usize>OCTET_SET_SIZE : 0;
	return program + headTableEnd(load<u8>(program, H_HEAD_BITS)) + short;
}

/**
 * The encoded rank of the best rule that the prefix code has for the path [start, end), 0 when none matches; for what the
 * path must be like see `run`. A path begins with "/".
 */
export function matchPrefix(program: usize, start: usize, end: usize): u32 {
	let best = load<u32>(program, H_ALWAYS);
	const bits: u32 = load<u8>(program, H_HEAD_BITS);
	const short: usize = load<u32>(program, H_SHORT);
	const head = start + 1;
	if (short) {
		const octet: u32 = load<u8>(head);
		const set = program + headTableEnd(bits);
		if ((load<u8>(set + (octet >> 3)) >> (octet & 7)) & 1)
			best = run(program, program + short, start, head, end, best);
	}
	const hash = hashHead(head);
	const slot = load<u32>(program + ((hash >>> (32 - bits)) << 2), HEADER_SIZE);
	// A single branch: bits 1 to 7 must be the hash's where bit 0 says so.
	const mask = (0 - (slot & 1)) & 254;
	if (((slot ^ hash) & mask) == 0)
		best = run(program, program + (slot >> 8), start, head, end, best);
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
