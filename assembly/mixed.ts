import {
	isPlainHost,
	afterPort,
	authorityOf,
	hashOctets,
	originEnd,
	readOrigin,
} from "./authority";
import { escapedOctets } from "./blocks";
import { C_FLOATS } from "./compact";
import {
	allowsLevel,
	alwaysOf,
	HIT_SIZE,
	listHits,
	prefixHeads,
	clearMarks,
	filter,
	largest,
	readFloats,
	run,
	startsIn,
} from "./compact-run";
import {
	FILTER_SIZE,
	H_TABLE,
	TABLE_SPELLED,
	VERDICT_INVALID,
	VERDICT_UNKNOWN,
	VERDICT_UNUSUAL,
} from "./format";
import { indexLines, lineCount, lineEnds, specials, STRETCH } from "./lines";
import { scratch } from "./memory";
import { headOf, keyOf, programOf } from "./origins";
import { locate, pathEnd } from "./url";

/**
 * Lines of URLs of many origins. A stretch is gone through several times, by loops that branch on next to nothing and whose cache
 * misses overlap: hashes are taken, then origins looked up and programs fetched, then paths found and the heads that have code
 * for them, then that code runs, then that for literals. With a million origins that takes three quarters of the time of
 * looking up and matching in one go, and two thirds of doing all at once.
 *
 * Tried there and lost: fetching slots while hashes are taken (10% slower: the loop over look-ups has many under way by itself);
 * a further pass that fetches origins and programs before origins are compared (5%); fetching also a program's second line
 * of cache, or its slot for the path's head and its filter (nothing to 5%).
 */

const LF: u32 = 0x0a;
const CR: u32 = 0x0d;
const SLASH: u32 = 0x2f;
const COLON: u32 = 0x3a;

/** For every line of a stretch its start, u32 as all of it, later the literal heads; */
const RECORD: usize = 20;
const R_START: usize = 0;
const R_HEADS: usize = 0;
/** its path's; */
const R_PATH: usize = 4;
/** the head of its origin or 0, later the end of its path; */
const R_HEAD: usize = 8;
const R_END: usize = 8;
/** the hash of its origin, later the program or what there is in place of one; */
const R_HASH: usize = 12;
const R_PROGRAM: usize = 12;
const UNUSUAL: u32 = 0;
const UNKNOWN: u32 = 1;
const INVALID: u32 = 2;
const NO_PROGRAM: u32 = 2;
/** the best level so far or, with what is no level, the verdict. */
const R_BEST: usize = 16;
const JUDGED: u32 = 1 << 31;

const RECORDS_SIZE: i32 = (8192 + 1) * 20;
let records: usize = memory.data(RECORDS_SIZE);

/** A stretch has fewer lines with a program, as those take at least nine octets. */
const MOST_LINES: i32 = 1024;
/** Addresses of records whose programs have literal code, u32. */
const FLOATS_SIZE: i32 = MOST_LINES * 4;
let floats: usize = memory.data(FLOATS_SIZE);
let floatsEnd: usize = 0;

/** Positions where a literal may begin, u32, each with its record, u32. When there are enough, code is run for them. */
const P_RECORD: usize = 4;
const ENOUGH_POSITIONS: i32 = MOST_LINES - 64 - 4;
const POSITIONS_SIZE: i32 = MOST_LINES * 8;
let positions: usize = memory.data(POSITIONS_SIZE);

/** Hits: a head and a short text for each line, or for each position. */
const HITS_SIZE: i32 = (MOST_LINES * 2 + 1) * 8;
let hits: usize = memory.data(HITS_SIZE);
let hitsEnd: usize = 0;

/** Has all that elsewhere, at WORK_SIZE octets of its own: for instances that share their memory. */
export function moveWork(to: usize): void {
	records = to;
	floats = records + RECORDS_SIZE;
	positions = floats + FLOATS_SIZE;
	hits = positions + POSITIONS_SIZE;
}
export const WORK_SIZE: i32 =
	RECORDS_SIZE + FLOATS_SIZE + POSITIONS_SIZE + HITS_SIZE;

/** Where the line begins that the next line end will end. */
let line: usize = 0;
/** A special octet was met in it already, in an earlier stretch. */
let tainted: bool = false;
/** Fetched words end here, so that they are. */
let fetched: u32 = 0;

/**
 * Judges the lines of [start, start + length) and writes a verdict octet for each at `to`; returns their number. Lines that
 * only the host can judge get VERDICT_UNUSUAL, and the address of each is appended, as u32, at `unusual`.
 */
export function matchOrigins(
	start: usize,
	length: usize,
	to: usize,
	unusual: usize,
	special: u32,
): u32 {
	if (length == 0) return 0;
	const first = to;
	let end = start + length;
	if (load<u8>(end - 1) != LF) store<u8>(end++, LF);
	line = start;
	tainted = false;
	unusualEnd = unusual;
	for (let from = start; from < end; from += STRETCH) {
		indexLines(from, min(from + STRETCH, end), special, false, 0);
		readOrigins();
		findPrograms();
		findPaths();
		runPrefixes();
		runLiterals();
		to = writeVerdicts(to);
	}
	return <u32>(to - first);
}

/** End of the list of unusual lines. */
export let unusualEnd: usize = 0;

function recordsEnd(): usize {
	return records + <usize>lineCount * RECORD;
}

function readOrigins(): void {
	let start = line;
	let record = records;
	const last = lineEnds + ((<usize>lineCount) << 2);
	for (let at = lineEnds; at < last; at += 4, record += RECORD) {
		const authority = authorityOf(start);
		store<u32>(record, <u32>start, R_START);
		if (authority && readOrigin(start, authority)) {
			const key = keyOf(start, authority);
			store<u32>(record, headOf(start, key, originEnd), R_HEAD);
			store<u32>(record, <u32>afterPort, R_PATH);
			store<u32>(record, hashOctets(key, originEnd), R_HASH);
		} else {
			store<u32>(record, 0, R_HEAD);
		}
		start = <usize>load<u32>(at) + 1;
	}
	store<u32>(record, <u32>start, R_START);
}

function findPrograms(): void {
	const last = recordsEnd();
	for (let record = records; record < last; record += RECORD) {
		const start: usize = load<u32>(record, R_START);
		const head = load<u32>(record, R_HEAD);
		let program: usize;
		if (head) {
			const key = start + ((<usize>head & 1) << 3);
			program = programOf(key, head, load<u32>(record, R_HASH));
			if (program) fetched += load<u32>(program);
			else if (isPlainHost(authorityOf(start), key + (head >> 1)))
				program = UNKNOWN;
		} else {
			program = mayBeUrl(start) ? UNUSUAL : INVALID;
		}
		store<u32>(record, <u32>program, R_PROGRAM);
	}
}

/** The URL standard skips spaces and control characters in front, and wants a letter and, somewhere behind, a colon. */
function mayBeUrl(at: usize): bool {
	const first: u32 = load<u8>(at);
	if (first > 0x20 && (first | 0x20) - 0x61 >= 26) return false;
	while (load<u8>(at) != LF && load<u8>(at) != COLON) at++;
	return load<u8>(at) == COLON;
}

function clearLists(): void {
	hitsEnd = hits;
	floatsEnd = floats;
}

/** Makes a path that of a record, and lists its prefix code. */
function addPath(record: usize, program: usize, path: usize, end: usize): void {
	store<u32>(record, <u32>program, R_PROGRAM);
	store<u32>(record, <u32>path, R_PATH);
	store<u32>(record, <u32>end, R_END);
	store<u32>(record, alwaysOf(program), R_BEST);
	hitsEnd = listHits(prefixHeads(program), path + 1, record, hitsEnd);
	store<u32>(floatsEnd, <u32>record);
	floatsEnd += (<usize>load<u8>(program, C_FLOATS)) << 2;
}

/**
 * Finds paths, and judges lines without a program. Where a path is not what the line has, its normal form is written to `scratch`,
 * one behind the other.
 */
function findPaths(): void {
	let tail = specials;
	let special: usize = load<u32>(tail);
	let soiled = tainted;
	let record = records;
	let written = scratch;
	clearLists();
	const last = recordsEnd();
	for (; record < last; record += RECORD) {
		const feed: usize = <usize>load<u32>(record, RECORD + R_START) - 1;
		let odd = soiled;
		soiled = false;
		while (special < feed) {
			odd = true;
			tail += 4;
			special = load<u32>(tail);
		}
		const program: usize = load<u32>(record, R_PROGRAM);
		if (program <= NO_PROGRAM) {
			store<u32>(record, JUDGED | verdictWithout(record), R_BEST);
			continue;
		}
		const start: usize = load<u32>(record, R_START);
		let path: usize = load<u32>(record, R_PATH);
		let end = feed - (usize(load<u8>(feed - 1) == CR) & usize(feed > start));
		if (
			odd ||
			load<u8>(path) != SLASH ||
			(load<u8>(program, H_TABLE) == TABLE_SPELLED && isSpelled(path, end))
		) {
			path = written;
			locate(program, start, end, path);
			end = pathEnd;
			written = end + 1;
		}
		addPath(record, program, path, end);
	}
	line = load<u32>(record, R_START);
	tainted = soiled || special != u32.MAX_VALUE;
}

/** Whether the standard may escape some octet of a path: one within 64 octets behind it counts, too. */
function isSpelled(path: usize, end: usize): bool {
	for (; path < end; path += 64) {
		if (escapedOctets(path)) return true;
	}
	return false;
}

/** The verdict for a line without a program, which is listed if only the host can judge it. */
function verdictWithout(record: usize): u32 {
	const program = load<u32>(record, R_PROGRAM);
	if (program != UNUSUAL)
		return program == UNKNOWN ? VERDICT_UNKNOWN : VERDICT_INVALID;
	store<u32>(unusualEnd, load<u32>(record, R_START));
	unusualEnd += 4;
	return VERDICT_UNUSUAL;
}

function runPrefixes(): void {
	for (let hit = hits; hit < hitsEnd; hit += HIT_SIZE) {
		const record: usize = load<u32>(hit);
		runHit(hit, record, <usize>load<u32>(record, R_PATH) + 1);
	}
}

/** Runs the code of a hit at position `at` of a record's path. */
function runHit(hit: usize, record: usize, at: usize): void {
	const best = run(
		load<u32>(hit, 4),
		load<u32>(record, R_PATH),
		at,
		load<u32>(record, R_END),
		load<u32>(record, R_BEST),
	);
	store<u32>(record, best, R_BEST);
}

/**
 * Runs the literal code of records that have some: lists where a literal may begin, and every so often lists the code for those
 * positions and runs it.
 */
function runLiterals(): void {
	let to = positions;
	marking = 0;
	for (let float = floats; float < floatsEnd; float += 4) {
		const record: usize = load<u32>(float);
		readFloats(load<u32>(record, R_PROGRAM));
		if (load<u32>(record, R_BEST) >= largest) continue;
		const ownFilter = filter;
		store<u32>(record, <u32>(ownFilter + FILTER_SIZE), R_HEADS);
		const end: usize = load<u32>(record, R_END);
		for (let at: usize = load<u32>(record, R_PATH); at < end; at += 64) {
			to = listPositions(startsIn(ownFilter, at, end), at, record, to);
			if (to > positions + <usize>(ENOUGH_POSITIONS * 8)) {
				runPositions(to);
				to = positions;
			}
		}
	}
	runPositions(to);
	if (marking) clearMarks(load<u32>(marking, R_PROGRAM));
}

/** Appends the positions of a mask's bits to a list and returns its end. */
function listPositions(
	mask: u64,
	block: usize,
	record: usize,
	to: usize,
): usize {
	const end = to + ((<usize>popcnt(mask)) << 3);
	// Few blocks of a path hold more than two: write two without looking.
	store<u32>(to, <u32>(block + <usize>ctz(mask)));
	store<u32>(to, <u32>record, P_RECORD);
	mask &= mask - 1;
	store<u32>(to, <u32>(block + <usize>ctz(mask)), 8);
	store<u32>(to, <u32>record, 8 + P_RECORD);
	for (to += 16; to < end; to += 8) {
		mask &= mask - 1;
		store<u32>(to, <u32>(block + <usize>ctz(mask)));
		store<u32>(to, <u32>record, P_RECORD);
	}
	return end;
}

/** The record whose marks may be set, or 0. */
let marking: usize = 0;

/** Runs the code for the listed positions. */
function runPositions(last: usize): void {
	let end = hits;
	for (let position = positions; position < last; position += 8) {
		const record: usize = load<u32>(position, P_RECORD);
		const heads = load<u32>(record, R_HEADS);
		end = listHits(heads, load<u32>(position), position, end);
	}
	for (let hit = hits; hit < end; hit += HIT_SIZE) {
		const position: usize = load<u32>(hit);
		const record: usize = load<u32>(position, P_RECORD);
		if (record != marking) {
			if (marking) clearMarks(load<u32>(marking, R_PROGRAM));
			marking = record;
		}
		runHit(hit, record, load<u32>(position));
	}
}

function writeVerdicts(to: usize): usize {
	const last = recordsEnd();
	for (let record = records; record < last; record += RECORD) {
		const best = load<u32>(record, R_BEST);
		store<u8>(to++, best & JUDGED ? best : allowsLevel(best));
	}
	return to;
}

/** Verdict for the path of one text; its line ends count as octets. */
export function matchOne(program: usize, start: usize, length: usize): u32 {
	if (!locate(program, start, start + length, scratch)) return VERDICT_INVALID;
	clearLists();
	addPath(records, program, scratch, pathEnd);
	runPrefixes();
	runLiterals();
	return allowsLevel(load<u32>(records, R_BEST));
}
