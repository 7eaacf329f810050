import { authorityOf } from "../url/authority";
import { MATCH_INVALID } from "../format/program";
import { lineCount, lineEnds, specials } from "../url/lines";
import { scratch } from "../bytes/memory";
import { findAny } from "../bytes/scan";
import { locate, pathEnd } from "../url/url";

/** Where the paths lie of the lines of a stretch, and of those among them that are written out in normal form first. */

const CR: u32 = 0x0d;
const SPACE: u32 = 0x20;
const SLASH: u32 = 0x2f;
const BACKSLASH: u32 = 0x5c;
const TWO_SLASHES: u32 = 0x2f2f;

/**
 * For every line of a stretch: u32 start and u32 end of its path, both 0 where it is odd, u32 best encoded rank so far. A path
 * beyond all positions follows.
 */
export const RECORD: usize = 12;
export const records: usize = memory.data((8192 + 1) * 12);
export const R_PATH: usize = 0;
export const R_END: usize = 4;
export const R_BEST: usize = 8;

/** Lines whose path only `locate` can tell: u32 address of what lists its end. Each has a record of its own here, too. */
const odd: usize = memory.data(8192 * 4);
let oddEnd: usize = 0;
export const oddRecords: usize = memory.data((8192 + 1) * 12);

export function recordsEnd(): usize {
	return records + <usize>lineCount * RECORD;
}

/** The bytes of records that odd lines take. */
export function oddSize(): usize {
	return (oddEnd - odd) * 3;
}

/** Where the path begins in a line of the common form, which is a path or an "http" or "https" URL with one; else 0. */
export function plainPath(start: usize, end: usize, google: bool): usize {
	const first: u32 = load<u16>(start);
	if ((first & 0xff) == SLASH)
		return google && first == TWO_SLASHES ? 0 : start;
	const authority = authorityOf(start);
	if (!authority) return 0;
	// Of what `usualPath` (url.ts) wants, "#" aside, which is a special byte.
	if (!google && (load<u8>(authority) <= SLASH || load<u8>(end - 1) <= SPACE))
		return 0;
	const path = findAny(SLASH, 0x3f, google ? 0x3b : BACKSLASH, authority, end);
	return path < end && load<u8>(path) == SLASH ? path : 0;
}

/** The end of a line's text, as a CR may precede its line feed. */
function endOfText(start: usize, feed: usize): usize {
	return feed - (usize(load<u8>(feed - 1) == CR) & usize(feed > start));
}

/** Fills the records; `start` is where the first line begins. */
export function readPaths(start: usize, google: bool): void {
	const last = recordsEnd();
	const other = google ? TWO_SLASHES : 0;
	let at = lineEnds;
	oddEnd = odd;
	for (let record = records; record < last; record += RECORD, at += 4) {
		const feed: usize = load<u32>(at);
		const end = endOfText(start, feed);
		// As `plainPath` begins: calling it for every path costs 1 ns a line.
		const first: u32 = load<u16>(start);
		let path = start;
		if ((first & 0xff) != SLASH) path = plainPath(start, end, google);
		else if (first == other) path = 0;
		setRecord(record, path, end);
		if (!path) becomeOdd(record, at);
		start = feed + 1;
	}
	closeRecords(last);
}

export function setRecord(record: usize, path: usize, end: usize): void {
	store<u32>(record, <u32>path, R_PATH);
	store<u32>(record, <u32>end, R_END);
}

/** Puts the path beyond all positions at `last`. */
export function closeRecords(last: usize): void {
	setRecord(last, u32.MAX_VALUE, u32.MAX_VALUE);
}

/** Lines with special bytes become odd, and the first line if it begins in front of what was looked through. */
export function dropSpecial(first: bool): void {
	if (first && load<u32>(records)) becomeOdd(records, lineEnds);
	const last = recordsEnd();
	let record = records;
	let at = lineEnds;
	for (let tail = specials; load<u32>(tail) != u32.MAX_VALUE; tail += 4) {
		while (record < last && load<u32>(at) < load<u32>(tail)) {
			record += RECORD;
			at += 4;
		}
		// What is left belongs to a line that ends in the next stretch.
		if (record == last) return;
		if (load<u32>(record)) becomeOdd(record, at);
	}
}

function becomeOdd(record: usize, at: usize): void {
	setRecord(record, 0, 0);
	store<u32>(oddEnd, <u32>at);
	oddEnd += 4;
}

/**
 * Writes the paths of odd lines to scratch, one behind the other, and fills their records; returns where they end. `line` is where
 * the first line begins.
 */
export function readOddPaths(program: usize, line: usize): usize {
	let record = oddRecords;
	let to = scratch;
	for (let listed = odd; listed < oddEnd; listed += 4, record += RECORD) {
		const at: usize = load<u32>(listed);
		const start = at == lineEnds ? line : <usize>load<u32>(at - 4) + 1;
		const found = locate(program, start, endOfText(start, load<u32>(at)), to);
		setRecord(record, found ? to : 0, found ? pathEnd : 0);
		if (found) to = pathEnd + 1;
	}
	closeRecords(record);
	return to;
}

/** Has the lines' records say what those of the odd ones do, once they are judged. */
export function returnOdd(): void {
	let record = oddRecords;
	for (let listed = odd; listed < oddEnd; listed += 4, record += RECORD) {
		const best = load<u32>(record, R_PATH)
			? load<u32>(record, R_BEST)
			: MATCH_INVALID;
		const at: usize = load<u32>(listed);
		store<u32>(records + (at - lineEnds) * 3, best, R_BEST);
	}
}
