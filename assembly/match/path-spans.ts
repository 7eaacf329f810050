/**
 * The lists by which a stretch of lines is judged: a span for the path of each line, and candidates, positions where a program's jump table
 * has code to run. batch.ts fills and empties them. Candidates are listed without a branch, as one on whether a position has code would be
 * mispredicted. Paths of lines on the slow path are written to scratch in normal form first.
 */
import { scratch } from "../bytes/memory";
import { load24 } from "../bytes/numbers";
import { equalShort, findAny } from "../bytes/scan";
import {
	H_TABLE,
	JUMP_BITS,
	JUMP_SLOT_SIZE,
	JUMP_SLOTS,
	KEY_HASH,
	MATCH_INVALID,
	TABLE_NONE,
} from "../format/program";
import { lineEnds, LONGEST_LIST, specials } from "../url/lines";
import { authorityOf, copyNormal, locate } from "../url/url";

/** Code to run at a position of a path. */
@unmanaged
export class Candidate {
	/** Address of the path's span. */
	span: u32;
	/** The code: its offset in the program, in an index its address. */
	code: u32;
	/** Address of the position. */
	at: u32;
}

/** Two to the power of 64, divided by the golden ratio. */
const BYTES_HASH: u64 = 0x9e3779b97f4a7c15;

/** Hash of the KEY_BYTES bytes at an address: the slot comes from its top bits, the tag from its low byte. */
export function hashKey(at: usize): u32 {
	return load24(at) * <u32>KEY_HASH;
}

/**
 * The hash of the 1 to 8 bytes at a position, of which HASH takes the upper bits. Eight are read in any case; those that do not count are
 * shifted out.
 */
export function hashBytes(at: usize, length: u32): u32 {
	const bytes = load<u64>(at) << (<u64>(64 - (length << 3)));
	return <u32>((bytes * BYTES_HASH) >> 32);
}

/** Bytes of a jump table without the byte set. */
export function slotsEnd(bits: u32): usize {
	return <usize>JUMP_SLOTS + ((<usize>JUMP_SLOT_SIZE) << bits);
}

/** The shift that turns a hash into the index of its slot. */
export function slotShift(table: usize): u32 {
	return 32 - load<u32>(table, JUMP_BITS);
}

/** The slot of a hash. */
function slotOf(table: usize, hash: u32, shift: u32): u32 {
	return load<u32>(table + ((hash >>> shift) << 2), JUMP_SLOTS);
}

/** Not 0 if all entries of a slot have another key. One test: if bit 0 is set, bits 1 to 7 must be those of the hash. */
function differs(slot: u32, hash: u32): u32 {
	return (slot ^ hash) & (0 - (slot & 1)) & 254;
}

/** Address of the set of bytes that short entries begin with. */
export function shortSet(table: usize): usize {
	return table + slotsEnd(load<u32>(table, JUMP_BITS));
}

/** 1 if a short entry may begin at `at`, else 0. */
function mayBeShort(set: usize, at: usize): u32 {
	const byte: u32 = load<u8>(at);
	return (<u32>load<u8>(set + (byte >> 3)) >> (byte & 7)) & 1;
}

export function setCandidate(
	to: usize,
	span: usize,
	code: u32,
	at: usize,
): void {
	const candidate = changetype<Candidate>(to);
	candidate.span = <u32>span;
	candidate.code = code;
	candidate.at = <u32>at;
}

/** Lists the code for the key at `at`, if there is any; returns the end of the list. `shift` is `slotShift(table)`. */
export function listKey(
	table: usize,
	shift: u32,
	span: usize,
	at: usize,
	to: usize,
): usize {
	// Near a path's end the key takes in the line feed, which no text has: then no slot's tag fits, or the slot's code finds the difference.
	const hash = hashKey(at);
	const slot = slotOf(table, hash, shift);
	setCandidate(to, span, slot >> 8, at);
	return to + (differs(slot, hash) ? 0 : offsetof<Candidate>());
}

/** As `listKey`, for the code for short entries, which is at offset `short`; `set` is `shortSet(table)`. */
export function listShort(
	set: usize,
	short: u32,
	span: usize,
	at: usize,
	to: usize,
): usize {
	setCandidate(to, span, short, at);
	return to + <usize>mayBeShort(set, at) * offsetof<Candidate>();
}

const CR: u32 = 0x0d;
const SPACE: u32 = 0x20;
const SLASH: u32 = 0x2f;
const BACKSLASH: u32 = 0x5c;
const TWO_SLASHES: u32 = 0x2f2f;

/** `equalShort` compares up to 32 bytes, of which the last one is the slash. */
const LONGEST_ORIGIN: usize = 32;

/** The path of a line. */
@unmanaged
export class PathSpan {
	/** Start of the path; 0 if the line is on the slow path. */
	path: u32;
	/** End of the path; 0 likewise. */
	end: u32;
	/** Best encoded rank so far. */
	best: u32;
}

export const SPAN_SIZE: usize = offsetof<PathSpan>();

/** 1 if the rule of a best encoded rank allows: those of Allow rules are odd, and no rule at all (0) allows as well; else 0. */
export function isAllow(best: u32): u32 {
	return (best & 1) | u32(best == 0);
}

/** One more than lines: a path after all positions follows. */
const SPANS_SIZE: i32 = (LONGEST_LIST + 1) * 12;

/** A PathSpan for each line of a stretch. */
export const spans: usize = memory.data(SPANS_SIZE);

/**
 * Lines on the slow path: u32, the address of the item of `lineEnds` for each. They have spans of their own, too, which at first hold the
 * start of the path in the line, 0 if it is not known, and the first special byte.
 */
const slowLines: usize = memory.data(LONGEST_LIST * 4);
let slowLinesEnd: usize = 0;
export const slowSpans: usize = memory.data(SPANS_SIZE);

/** End of the spans of a stretch with `lineCount` lines. */
export function spansEnd(lineCount: u32): usize {
	return spans + <usize>lineCount * SPAN_SIZE;
}

/** Bytes of the spans of lines on the slow path. */
export function slowSpansSize(): usize {
	return ((slowLinesEnd - slowLines) >> 2) * SPAN_SIZE;
}

/** The fast path: start of the path in a line of the common form, a path or an http or https URL with a path; else 0. */
export function plainPath(start: usize, end: usize, google: bool): usize {
	const first: u32 = load<u16>(start);
	// White space at the end is no part of the text.
	if (!google && <u32>load<u8>(end - 1) <= SPACE) return 0;
	if ((first & 0xff) == SLASH)
		return google && first == TWO_SLASHES ? 0 : start;
	const authority = authorityOf(start);
	if (!authority) return 0;
	// The conditions of `usualPath` (url.ts); "#" is a special byte.
	if (!google && load<u8>(authority) <= SLASH) return 0;
	const path = findAny(SLASH, 0x3f, google ? 0x3b : BACKSLASH, authority, end);
	return path < end && load<u8>(path) == SLASH ? path : 0;
}

/** End of a line's text: a CR may precede its line feed. */
function endOfText(start: usize, feed: usize): usize {
	return feed - (usize(load<u8>(feed - 1) == CR) & usize(feed > start));
}

/**
 * Fills the spans up to `last` and lists the candidates for their keys, which begin at `to`; returns the end of the list. `start` is
 * the start of the first line.
 *
 * Most URLs of a site have the origin of the URL before: comparing up to 32 bytes with that takes less than finding the
 * authority's end.
 */
export function readPaths(
	start: usize,
	last: usize,
	google: bool,
	best: u32,
	table: usize,
	to: usize,
): usize {
	const other = google ? TWO_SLASHES : 0;
	const shift = slotShift(table);
	let at = lineEnds();
	let origin = start;
	/** Bytes of the last origin and the slash after it; 0 before there is any. */
	let originLength: usize = 0;
	slowLinesEnd = slowLines;
	for (let span = spans; span < last; span += SPAN_SIZE, at += 4) {
		const feed: usize = load<u32>(at);
		// One test for most lines: they end in neither CR nor white space, which is no part of a text.
		let end = feed;
		let blank = false;
		if (<u32>load<u8>(feed - 1) <= SPACE) {
			end = endOfText(start, feed);
			blank = !google && <u32>load<u8>(end - 1) <= SPACE;
		}
		// The beginning of `plainPath`: calling it for every path costs 1 ns a line.
		const first: u32 = load<u16>(start);
		let path = start;
		if ((first & 0xff) != SLASH) {
			if (
				originLength &&
				!blank &&
				equalShort(start, origin, <u32>originLength)
			) {
				path = start + originLength - 1;
			} else {
				path = plainPath(start, end, google);
				if (path && path - start < LONGEST_ORIGIN) {
					origin = start;
					originLength = path - start + 1;
				}
			}
		} else if (first == other || blank) path = 0;
		setSpan(span, path, end);
		changetype<PathSpan>(span).best = best;
		to = path ? listKey(table, shift, span, path + 1, to) : to;
		if (!path) takeSlowPath(span, at, 0, 0);
		start = feed + 1;
	}
	closeSpans(last);
	return to;
}

export function setSpan(address: usize, path: usize, end: usize): void {
	const span = changetype<PathSpan>(address);
	span.path = <u32>path;
	span.end = <u32>end;
}

/** Puts the path after all positions at `last`. */
export function closeSpans(last: usize): void {
	setSpan(last, u32.MAX_VALUE, u32.MAX_VALUE);
}

/** Sends lines with special bytes to the slow path. Where those stand in the path, its start is the right one (not in the google dialect). */
export function dropSpecial(last: usize): void {
	let span = spans;
	let at = lineEnds();
	for (let tail = specials(); load<u32>(tail) != u32.MAX_VALUE; tail += 4) {
		while (span < last && load<u32>(at) < load<u32>(tail)) {
			span += SPAN_SIZE;
			at += 4;
		}
		// What is left belongs to a line of the next stretch.
		if (span == last) return;
		const path: usize = changetype<PathSpan>(span).path;
		const special: usize = load<u32>(tail);
		if (path) takeSlowPath(span, at, path < special ? path : 0, special);
	}
}

function takeSlowPath(
	span: usize,
	at: usize,
	path: usize,
	special: usize,
): void {
	setSpan(span, 0, 0);
	setSpan(slowSpans + slowSpansSize(), path, special);
	store<u32>(slowLinesEnd, <u32>at);
	slowLinesEnd += 4;
}

/**
 * Writes the paths of lines on the slow path to scratch, one after the other, and fills their spans; returns the end of the paths.
 * `first` is the start of the first line. Searching for the path where its start is known took a tenth of an escaped line's time.
 */
export function readSlowPaths(program: usize, first: usize): usize {
	const table: u32 = load<u8>(program, H_TABLE);
	let span = slowSpans;
	let to = scratch;
	for (
		let listed = slowLines;
		listed < slowLinesEnd;
		listed += 4, span += SPAN_SIZE
	) {
		const at: usize = load<u32>(listed);
		const start = at == lineEnds() ? first : <usize>load<u32>(at - 4) + 1;
		const textEnd = endOfText(start, load<u32>(at));
		const path: usize = changetype<PathSpan>(span).path;
		const end =
			path && table != TABLE_NONE
				? copyNormal(table, path, changetype<PathSpan>(span).end, textEnd, to)
				: locate(program, start, textEnd, to);
		setSpan(span, end ? to : 0, end);
		if (end) to = end + 1;
	}
	closeSpans(span);
	return to;
}

/** Copies the results of the slow path to the spans of the lines. */
export function copySlowResults(): void {
	let span = slowSpans;
	for (
		let listed = slowLines;
		listed < slowLinesEnd;
		listed += 4, span += SPAN_SIZE
	) {
		const best = changetype<PathSpan>(span).path
			? changetype<PathSpan>(span).best
			: MATCH_INVALID;
		const at: usize = load<u32>(listed);
		// An item of `lineEnds` has four bytes, and a span twelve.
		changetype<PathSpan>(spans + (at - lineEnds()) * 3).best = best;
	}
}
