import {
	isPlainHost,
	afterPort,
	authorityOf,
	hashBytesInline,
	originEnd,
	readOrigin,
} from "../url/authority";
import { escapedBytes } from "../bytes/blocks";
import { allowsLevel } from "./compact-run";
import {
	H_TABLE,
	TABLE_SPELLED,
	VERDICT_INVALID,
	VERDICT_UNKNOWN,
	VERDICT_UNUSUAL,
} from "../format/program";
import {
	indexLines,
	lineCount,
	lineEnds,
	specials,
	STRETCH,
} from "../url/lines";
import { scratch } from "../bytes/memory";
import {
	addPath,
	clearLists,
	R_BEST,
	R_HASH,
	R_HEAD,
	R_PATH,
	R_PROGRAM,
	R_START,
	RECORD,
	records,
	recordsEnd,
} from "./url-spans";
import { runLiterals, runPrefixes } from "./run-batch";
import { headOf, keyOf, programOf } from "./origins";
import { locate, pathEnd } from "../url/url";

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
const SPACE: u32 = 0x20;
const SLASH: u32 = 0x2f;
const COLON: u32 = 0x3a;

/** What a record has in place of a program. */
const UNUSUAL: u32 = 0;
const UNKNOWN: u32 = 1;
const INVALID: u32 = 2;
const NO_PROGRAM: u32 = 2;
/** In a record's best level: the rest is a verdict. */
const JUDGED: u32 = 1 << 31;

/** Where the line begins that the next line end will end. */
let line: usize = 0;
/** A special byte was met in it already, in an earlier stretch. */
let tainted: bool = false;
/** Fetched words end here, so that they are. */
let fetched: u32 = 0;

/**
 * Judges the lines of [start, start + length) and writes a verdict byte for each at `to`; returns their number. Lines that
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
			store<u32>(record, hashBytesInline(key, originEnd), R_HASH);
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
			load<u8>(end - 1) <= SPACE ||
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

/** Whether the standard may escape some byte of a path: one within 64 bytes behind it counts, too. */
function isSpelled(path: usize, end: usize): bool {
	for (; path < end; path += 64) {
		if (escapedBytes(path)) return true;
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

function writeVerdicts(to: usize): usize {
	const last = recordsEnd();
	for (let record = records; record < last; record += RECORD) {
		const best = load<u32>(record, R_BEST);
		store<u8>(to++, best & JUDGED ? best : allowsLevel(best));
	}
	return to;
}

/** Verdict for the path of one text; its line ends count as bytes. */
export function matchOne(program: usize, start: usize, length: usize): u32 {
	if (!locate(program, start, start + length, scratch)) return VERDICT_INVALID;
	clearLists();
	addPath(records, program, scratch, pathEnd);
	runPrefixes();
	runLiterals();
	return allowsLevel(load<u32>(records, R_BEST));
}
