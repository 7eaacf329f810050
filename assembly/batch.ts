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
	indexStarts,
	lineCount,
	lineEnds,
	starts,
	STRETCH,
} from "./lines";
import { filterOf, HIT_SIZE, listHead, listShort, matchPath } from "./match";
import { scratch } from "./memory";
import {
	dropSpecial,
	oddRecords,
	oddSize,
	plainPath,
	R_BEST,
	R_END,
	R_PATH,
	readOddPaths,
	readPaths,
	RECORD,
	records,
	recordsEnd,
	returnOdd,
} from "./records";
import { clearMarks, run } from "./run";
import { findAny } from "./scan";
import { locate, pathEnd } from "./url";

/**
 * Lines of one site. A stretch is gone through several times, by loops that branch on next to nothing: paths are found, then the
 * heads that have code for them, then that code runs. Line by line, where every path may or may not have code, mispredicted
 * branches took a third more time on real paths, a fifth more where most paths have code.
 */

const LF: u32 = 0x0a;

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
	if (path) return matchPath(program, path, end);
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
		dropSpecial(line < from);
		matchPrefixes(program, records, recordsEnd());
		if (filter) matchFloats(program, filter, records);
		if (oddSize()) matchOdd(program, filter, line);
		to = writeVerdicts(to);
		line = <usize>load<u32>(lineEnds + ((<usize>lineCount - 1) << 2)) + 1;
	}
	return <u32>(to - first);
}

/**
 * Judges the odd lines, whose paths in normal form are as any. Judging each as soon as it was in normal form took 5% more, all
 * searched for literals twice.
 */
function matchOdd(program: usize, filter: usize, line: usize): void {
	const end = readOddPaths(program, line);
	matchPrefixes(program, oddRecords, oddRecords + oddSize());
	let record = oddRecords;
	for (let at = scratch; filter && at < end; at += STRETCH) {
		indexStarts(at, min(at + STRETCH, end), filter);
		record = matchFloats(program, filter, record);
	}
	returnOdd();
}

/** Runs the prefix code. What records without a path get is of no account. */
function matchPrefixes(program: usize, first: usize, last: usize): void {
	const heads = program + HEADER_SIZE;
	const always = load<u32>(program, H_ALWAYS);
	let end = hits;
	for (let record = first; record < last; record += RECORD) {
		const path: usize = load<u32>(record, R_PATH);
		store<u32>(record, always, R_BEST);
		end = path ? listHead(heads, path + 1, record, end) : end;
	}
	if (load<u32>(heads, HEADS_SHORT)) {
		for (let record = first; record < last; record += RECORD) {
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

/** Runs the literal code at the listed positions that lie in paths, from a record on; returns the record of the last one. */
function matchFloats(program: usize, filter: usize, record: usize): usize {
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
	for (let hit = hits; hit < end; hit += HIT_SIZE) {
		const at: usize = load<u32>(hit);
		if (<usize>load<u32>(record, R_END) <= at) {
			clearMarks(marks);
			do record += RECORD;
			while (<usize>load<u32>(record, R_END) <= at);
		}
		if (<usize>load<u32>(record, R_PATH) > at) continue;
		if (load<u32>(record, R_BEST) < maxFloating)
			runHit(program, hit, record, at);
	}
	clearMarks(marks);
	return record;
}

/** Writes verdicts at `to` and returns their end. */
function writeVerdicts(to: usize): usize {
	const last = recordsEnd();
	for (let record = records; record < last; record += RECORD) {
		const best = load<u32>(record, R_BEST);
		const verdict = (best & 1) | u32(best == 0);
		store<u8>(to++, best == MATCH_INVALID ? VERDICT_INVALID : verdict);
	}
	return to;
}
