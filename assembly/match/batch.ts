import {
	FILTER_SIZE,
	H_ALWAYS,
	H_UNANCHORED,
	H_MAX_UNANCHORED,
	H_TABLE,
	HEADER_SIZE,
	JUMP_SHORT,
	MATCH_INVALID,
	TABLE_NONE,
	TABLE_ESCAPED,
	VERDICT_INVALID,
} from "../format/program";
import {
	indexLines,
	indexStarts,
	lineCount,
	lineEnds,
	starts,
	STRETCH,
} from "../url/lines";
import {
	HIT_AT,
	HIT_CODE,
	HIT_RECORD,
	HIT_SIZE,
	listHead,
	listShort,
	shortSet,
	slotShift,
} from "./candidates";
import { scratch } from "../bytes/memory";
import {
	closeRecords,
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
	setRecord,
} from "./path-spans";
import { leavePath, runHits } from "./run";
import { findAny } from "../bytes/scan";
import { locate, pathEnd } from "../url/url";

/**
 * Lines of one site. A stretch is gone through several times, by loops that branch on next to nothing: paths are found, then the
 * heads that have code for them, then that code runs. Line by line, where every path may or may not have code, mispredicted
 * branches took a third more time on real paths, a fifth more where most paths have code.
 */

const LF: u32 = 0x0a;

/** A head and a short text for every byte. */
const hits: usize = memory.data((8192 * 2 + 1) * 12);

function isGoogle(program: usize): bool {
	return load<u8>(program, H_TABLE) == TABLE_NONE;
}

/** "#" ends a URL in every dialect; "%" needs work in most, NUL in Google's. */
function specialByte(google: bool): u32 {
	return google ? 0 : 0x25;
}

/** The filter of a program, 0 without literal code. */
function filterOf(program: usize): usize {
	const offset = load<u32>(program, H_UNANCHORED);
	return offset ? program + offset : 0;
}

/** URLs with bytes that the standard escapes need work. */
function isSpelled(program: usize): bool {
	return load<u8>(program, H_TABLE) == TABLE_ESCAPED;
}

/**
 * One text, judged as a line; line ends in it count as bytes. The encoded rank of the rule that decides, 0 for none,
 * MATCH_INVALID for no URL.
 */
export function matchOne(program: usize, start: usize, length: usize): u32 {
	const google = isGoogle(program);
	const end = start + length;
	const special = specialByte(google);
	store<u8>(end, LF);
	const plain =
		!isSpelled(program) && findAny(0x23, special, special, start, end) == end;
	const path = plain ? plainPath(start, end, google) : 0;
	if (path) return matchPath(program, path, end);
	return locate(program, start, end, scratch)
		? matchPath(program, scratch, pathEnd)
		: MATCH_INVALID;
}

/** The encoded rank of the best rule for the path [start, end), 0 when none matches; for what it must be like see `run` in run.ts. */
function matchPath(program: usize, start: usize, end: usize): u32 {
	const last = records + RECORD;
	setRecord(records, start, end);
	closeRecords(last);
	matchPrefixes(program, records, last);
	matchFloatsIn(program, records, start, end);
	leavePath(program);
	return load<u32>(records, R_BEST);
}

/**
 * Judges the lines of [start, start + length) and writes a verdict byte for each at `to`; returns their number.
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
	const special = specialByte(google);
	const spelled = isSpelled(program);
	const filter = filterOf(program);
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
		leavePath(program);
		if (oddSize()) matchOdd(program, line);
		to = writeVerdicts(to);
		line = <usize>load<u32>(lineEnds + ((<usize>lineCount - 1) << 2)) + 1;
	}
	return <u32>(to - first);
}

/**
 * Judges the odd lines, whose paths in normal form are as any. Judging each as soon as it was in normal form took 5% more, all
 * searched for literals twice.
 */
function matchOdd(program: usize, line: usize): void {
	const end = readOddPaths(program, line);
	matchPrefixes(program, oddRecords, oddRecords + oddSize());
	matchFloatsIn(program, oddRecords, scratch, end);
	leavePath(program);
	returnOdd();
}

/** Runs the prefix code. What records without a path get is of no account. */
function matchPrefixes(program: usize, first: usize, last: usize): void {
	const heads = program + HEADER_SIZE;
	const shift = slotShift(heads);
	const always = load<u32>(program, H_ALWAYS);
	let end = hits;
	for (let record = first; record < last; record += RECORD) {
		const path: usize = load<u32>(record, R_PATH);
		store<u32>(record, always, R_BEST);
		end = path ? listHead(heads, shift, record, path + 1, end) : end;
	}
	const short = load<u32>(heads, JUMP_SHORT);
	if (short) {
		const set = shortSet(heads);
		for (let record = first; record < last; record += RECORD) {
			const path: usize = load<u32>(record, R_PATH);
			end = path ? listShort(set, short, record, path + 1, end) : end;
		}
	}
	runHits(program, hits, end);
}

/** Runs the literal code for paths in [from, to), whose records follow each other. */
function matchFloatsIn(
	program: usize,
	record: usize,
	from: usize,
	to: usize,
): void {
	const filter = filterOf(program);
	if (!filter) return;
	for (; from < to; from += STRETCH) {
		indexStarts(from, min(from + STRETCH, to), filter);
		record = matchFloats(program, filter, record);
	}
}

/** Runs the literal code at the listed positions that lie in paths, from a record on; returns the record of the last one. */
function matchFloats(program: usize, filter: usize, record: usize): usize {
	const heads = filter + FILTER_SIZE;
	const shift = slotShift(heads);
	const short = load<u32>(heads, JUMP_SHORT);
	const set = shortSet(heads);
	let end = hits;
	for (let list = starts; load<u32>(list) != u32.MAX_VALUE; list += 4) {
		const at: usize = load<u32>(list);
		end = listHead(heads, shift, 0, at, end);
		if (short) end = listShort(set, short, 0, at, end);
	}
	// Those that are left move up, with their records.
	const maxFloating = load<u32>(program, H_MAX_UNANCHORED);
	let last = hits;
	for (let hit = hits; hit < end; hit += HIT_SIZE) {
		const at: usize = load<u32>(hit, HIT_AT);
		while (<usize>load<u32>(record, R_END) <= at) record += RECORD;
		const wanted =
			usize(<usize>load<u32>(record, R_PATH) <= at) &
			usize(load<u32>(record, R_BEST) < maxFloating);
		store<u32>(last, <u32>record, HIT_RECORD);
		store<u32>(last, load<u32>(hit, HIT_CODE), HIT_CODE);
		store<u32>(last, <u32>at, HIT_AT);
		last += wanted * HIT_SIZE;
	}
	runHits(program, hits, last);
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
