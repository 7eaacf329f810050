import { authorityOf } from "./authority";
import {
	FILTER_SIZE,
	H_ALWAYS,
	H_LITERALS,
	H_MARKS,
	H_MAX_FLOATING,
	H_TABLE,
	HEADER_SIZE,
	HEADS_SHORT,
	MATCH_INVALID,
	TABLE_NONE,
	TABLE_SPELLED,
	VERDICT_INVALID,
} from "./format";
import {
	indexLines,
	lineCount,
	lineEnds,
	specials,
	starts,
	STRETCH,
} from "./lines";
import { filterOf, HIT_SIZE, listHead, listShort, matchPath } from "./match";
import { scratch } from "./memory";
import { clearMarks, run } from "./run";
import { findAny } from "./scan";
import { locate, pathEnd } from "./url";

/**
 * Lines of one site. A stretch is gone through several times, by loops that branch on next to nothing: paths are found, then the
 * heads that have code for them, then that code runs. Line by line, where every path may or may not have code, mispredicted
 * branches took a third more time on real paths, a fifth more where most paths have code.
 */

const LF: u32 = 0x0a;
const CR: u32 = 0x0d;
const SLASH: u32 = 0x2f;
const TWO_SLASHES: u32 = 0x2f2f;

/**
 * For every line of a stretch: u32 start and u32 end of its path, both 0 where only `locate` can tell, u32 best encoded rank
 * so far. An end beyond all positions follows.
 */
const RECORD: usize = 12;
const records: usize = memory.data((8192 + 1) * 12);
const R_PATH: usize = 0;
const R_END: usize = 4;
const R_BEST: usize = 8;

/** Hits (match.ts): a head and a short text for every octet. */
const hits: usize = memory.data((8192 * 2 + 1) * 8);

function isGoogle(program: usize): bool {
	return load<u8>(program, H_TABLE) == TABLE_NONE;
}

/** "#" ends a URL in every dialect; "%" needs work in most, NUL in Google's. */
function specialOctet(google: bool): u32 {
	return google ? 0 : 0x25;
}

/** URLs with octets that the standard escapes need work. */
function isSpelled(program: usize): bool {
	return load<u8>(program, H_TABLE) == TABLE_SPELLED;
}

/**
 * One text, judged as a line; line ends in it count as octets. The encoded rank of the rule that decides, 0 for none,
 * MATCH_INVALID for no URL.
 */
export function matchOne(program: usize, start: usize, length: usize): u32 {
	const google = isGoogle(program);
	const end = start + length;
	const special = specialOctet(google);
	store<u8>(end, LF);
	const plain =
		!isSpelled(program) && findAny(0x23, special, special, start, end) == end;
	const path = plain ? plainPath(start, end, google) : 0;
	return path ? matchPath(program, path, end) : matchOther(program, start, end);
}

/** As `matchOne`, about any line. */
function matchOther(program: usize, start: usize, end: usize): u32 {
	return locate(program, start, end, scratch)
		? matchPath(program, scratch, pathEnd)
		: MATCH_INVALID;
}

/**
 * Judges the lines of [start, start + length) and writes a verdict octet for each at `to`; returns their number.
 * LF or CRLF ends a line, the last one may lack it.
 */
export function matchLines(
	program: usize,
	start: usize,
	length: usize,
	to: usize,
): u32 {
	if (length == 0) return 0;
	const google = isGoogle(program);
	const special = specialOctet(google);
	const spelled = isSpelled(program);
	const filter = load<u32>(program, H_LITERALS) ? filterOf(program) : 0;
	const first = to;
	let end = start + length;
	if (load<u8>(end - 1) != LF) store<u8>(end++, LF);
	let line = start;
	for (let from = start; from < end; from += STRETCH) {
		indexLines(from, min(from + STRETCH, end), special, spelled, filter);
		if (!lineCount) continue;
		readPaths(line, google);
		dropOthers(line < from);
		matchPrefixes(program);
		if (filter) matchFloats(program, filter);
		to = writeVerdicts(program, line, to);
		line = <usize>load<u32>(lineEnds + ((<usize>lineCount - 1) << 2)) + 1;
	}
	return <u32>(to - first);
}

/** Where the path begins in a line of the common form, which is a path or an "http" or "https" URL with one; else 0. */
function plainPath(start: usize, end: usize, google: bool): usize {
	const first: u32 = load<u16>(start);
	if ((first & 0xff) == SLASH)
		return google && first == TWO_SLASHES ? 0 : start;
	const authority = authorityOf(start);
	if (!authority) return 0;
	const path = findAny(SLASH, 0x3f, google ? 0x3b : 0x3f, authority, end);
	return path < end && load<u8>(path) == SLASH ? path : 0;
}

function recordsEnd(): usize {
	return records + <usize>lineCount * RECORD;
}

/** The end of a line's text, as a CR may precede its line feed. */
function endOfText(start: usize, feed: usize): usize {
	return feed - (usize(load<u8>(feed - 1) == CR) & usize(feed > start));
}

/** Fills the records; `start` is where the first line begins. */
function readPaths(start: usize, google: bool): void {
	const last = recordsEnd();
	const other = google ? TWO_SLASHES : 0;
	let at = lineEnds;
	for (let record = records; record < last; record += RECORD, at += 4) {
		const feed: usize = load<u32>(at);
		const end = endOfText(start, feed);
		// As `plainPath` begins: calling it for every path costs 1 ns a line.
		const first: u32 = load<u16>(start);
		let path = start;
		if ((first & 0xff) != SLASH) path = plainPath(start, end, google);
		else if (first == other) path = 0;
		store<u32>(record, <u32>path, R_PATH);
		store<u32>(record, path ? <u32>end : 0, R_END);
		start = feed + 1;
	}
	store<u32>(last, u32.MAX_VALUE, R_END);
}

/** Takes the paths from lines with special octets, and from the first line if it begins in front of what is listed. */
function dropOthers(first: bool): void {
	if (first) dropPath(records);
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
		dropPath(record);
	}
}

function dropPath(record: usize): void {
	store<u32>(record, 0, R_PATH);
	store<u32>(record, 0, R_END);
}

/** Runs the prefix code. What records without a path get is of no account. */
function matchPrefixes(program: usize): void {
	const heads = program + HEADER_SIZE;
	const always = load<u32>(program, H_ALWAYS);
	const last = recordsEnd();
	let end = hits;
	for (let record = records; record < last; record += RECORD) {
		const path: usize = load<u32>(record, R_PATH);
		store<u32>(record, always, R_BEST);
		end = path ? listHead(heads, path + 1, record, end) : end;
	}
	if (load<u32>(heads, HEADS_SHORT)) {
		for (let record = records; record < last; record += RECORD) {
			const path: usize = load<u32>(record, R_PATH);
			end = path ? listShort(heads, path + 1, record, end) : end;
		}
	}
	for (let hit = hits; hit < end; hit += HIT_SIZE) {
		const record: usize = load<u32>(hit);
		runHit(program, hit, record, <usize>load<u32>(record, R_PATH) + 1);
	}
}

/** Runs the code of a hit at position `at` of a record's path. */
function runHit(program: usize, hit: usize, record: usize, at: usize): void {
	const best = run(
		program,
		program + <usize>load<u32>(hit, 4),
		load<u32>(record, R_PATH),
		at,
		load<u32>(record, R_END),
		load<u32>(record, R_BEST),
	);
	store<u32>(record, best, R_BEST);
}

/** Runs the literal code at the listed positions that lie in paths. */
function matchFloats(program: usize, filter: usize): void {
	const heads = filter + FILTER_SIZE;
	const short = load<u32>(heads, HEADS_SHORT) != 0;
	let end = hits;
	for (let list = starts; load<u32>(list) != u32.MAX_VALUE; list += 4) {
		const at: usize = load<u32>(list);
		end = listHead(heads, at, at, end);
		if (short) end = listShort(heads, at, at, end);
	}
	const maxFloating = load<u32>(program, H_MAX_FLOATING);
	const marks = load<u32>(program, H_MARKS);
	let record = records;
	for (let hit = hits; hit < end; hit += HIT_SIZE) {
		const at: usize = load<u32>(hit);
		if (<usize>load<u32>(record, R_END) <= at) {
			clearMarks(marks);
			do record += RECORD;
			while (<usize>load<u32>(record, R_END) <= at);
		}
		if (record == recordsEnd()) break;
		if (<usize>load<u32>(record, R_PATH) > at) continue;
		if (load<u32>(record, R_BEST) < maxFloating)
			runHit(program, hit, record, at);
	}
	clearMarks(marks);
}

/** Writes verdicts at `to` and returns their end, judging lines without a path on the way; `line` is where the first one begins. */
function writeVerdicts(program: usize, line: usize, to: usize): usize {
	const last = recordsEnd();
	let at = lineEnds;
	for (let record = records; record < last; record += RECORD, at += 4) {
		let best = load<u32>(record, R_BEST);
		if (!load<u32>(record, R_PATH)) {
			const start = at == lineEnds ? line : <usize>load<u32>(at - 4) + 1;
			best = matchOther(program, start, endOfText(start, load<u32>(at)));
		}
		const verdict = (best & 1) | u32(best == 0);
		store<u8>(to++, best == MATCH_INVALID ? VERDICT_INVALID : verdict);
	}
	return to;
}
