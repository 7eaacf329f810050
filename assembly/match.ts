import { literalStarts } from "./blocks";
import {
	FILTER_SIZE,
	H_ALWAYS,
	H_LITERALS,
	H_MARKS,
	H_MAX_FLOATING,
	HEAD_HASH,
	HEAD_SLOT_SIZE,
	HEADER_SIZE,
	HEADS_BITS,
	HEADS_SHORT,
	HEADS_SLOTS,
} from "./format";
import { clearMarks, run } from "./run";

/** Hash of the HEAD_OCTETS octets at `head`: the slot comes from its top, the tag from its low octet. */
export function hashHead(head: usize): u32 {
	return (load<u32>(head) & 0xffffff) * <u32>HEAD_HASH;
}

/** Octets of heads with their slots, in front of the octet set. */
export function slotsEnd(bits: u32): usize {
	return <usize>HEADS_SLOTS + ((<usize>HEAD_SLOT_SIZE) << bits);
}

/** The slot of a head's hash. */
function slotOf(heads: usize, hash: u32): u32 {
	const index = hash >>> (32 - load<u32>(heads, HEADS_BITS));
	return load<u32>(heads + (index << 2), HEADS_SLOTS);
}

/** Not 0 where all texts of a slot have another head. A single test: bits 1 to 7 must be the hash's where bit 0 says so. */
function differs(slot: u32, hash: u32): u32 {
	return (slot ^ hash) & (0 - (slot & 1)) & 254;
}

/** Offset of the code that `heads` have for the head at `at`; 0 where there is none. */
function targetOf(heads: usize, at: usize): u32 {
	const hash = hashHead(at);
	const slot = slotOf(heads, hash);
	return differs(slot, hash) ? 0 : slot >> 8;
}

/** 1 where a short text of the heads may begin at `at`, else 0. */
function mayBeShort(heads: usize, at: usize): u32 {
	const octet: u32 = load<u8>(at);
	const set = heads + slotsEnd(load<u32>(heads, HEADS_BITS));
	return (<u32>load<u8>(set + (octet >> 3)) >> (octet & 7)) & 1;
}

/** A place where code is to run: u32 of the caller's choice, u32 offset of the code. */
export const HIT_SIZE: usize = 8;

/** Lists the code for the head at `at` if there is any. Always writes, and branches on nothing; returns the list's end. */
export function listHead(
	heads: usize,
	at: usize,
	key: usize,
	to: usize,
): usize {
	const hash = hashHead(at);
	const slot = slotOf(heads, hash);
	store<u32>(to, <u32>key);
	store<u32>(to, slot >> 8, 4);
	return to + (differs(slot, hash) ? 0 : HIT_SIZE);
}

/** As `listHead`, for the code for short texts, of which there must be some. */
export function listShort(
	heads: usize,
	at: usize,
	key: usize,
	to: usize,
): usize {
	store<u32>(to, <u32>key);
	store<u32>(to, load<u32>(heads, HEADS_SHORT), 4);
	return to + ((<usize>mayBeShort(heads, at)) << 3);
}

/** The encoded rank of the best rule for the path [start, end), 0 when none matches; for what it must be like see `run`. */
export function matchPath(program: usize, start: usize, end: usize): u32 {
	const heads = program + HEADER_SIZE;
	const always = load<u32>(program, H_ALWAYS);
	const best = enter(program, heads, start, start + 1, end, always);
	return best < load<u32>(program, H_MAX_FLOATING)
		? matchFloating(program, start, end, best)
		: best;
}

/** Runs the code that `heads` have for position `at` of the path [start, end). */
function enter(
	program: usize,
	heads: usize,
	start: usize,
	at: usize,
	end: usize,
	best: u32,
): u32 {
	const short: usize = load<u32>(heads, HEADS_SHORT);
	if (short && mayBeShort(heads, at))
		best = run(program, program + short, start, at, end, best);
	const target = targetOf(heads, at);
	return target ? run(program, program + target, start, at, end, best) : best;
}

/** The filter of a program with literal code. */
export function filterOf(program: usize): usize {
	return program + load<u32>(program, H_LITERALS);
}

/**
 * Runs the literal code at every position where the filter says that one of its literals may begin. Most paths end within
 * the first 64 octets; looking at 32 or 16 at a time takes as long.
 */
function matchFloating(
	program: usize,
	start: usize,
	end: usize,
	best: u32,
): u32 {
	const filter = filterOf(program);
	const heads = filter + FILTER_SIZE;
	for (let at = start; at < end; at += 64) {
		let mask = literalStarts(filter, at);
		if (end - at < 64) mask &= ((<u64>1) << (end - at)) - 1;
		while (mask) {
			best = enter(program, heads, start, at + <usize>ctz(mask), end, best);
			mask &= mask - 1;
		}
	}
	clearMarks(load<u32>(program, H_MARKS));
	return best;
}
