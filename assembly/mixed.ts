import {
	isPlainHost,
	afterPort,
	authorityOf,
	originEnd,
	readOrigin,
} from "./authority";
import { allows } from "./compact-run";
import {
	H_TABLE,
	TABLE_SPELLED,
	VERDICT_INVALID,
	VERDICT_UNKNOWN,
	VERDICT_UNUSUAL,
} from "./format";
import { indexLines, lineCount, lineEnds, specials, STRETCH } from "./lines";
import { scratch } from "./memory";
import { hashOrigin, programOf } from "./origins";
import { locate, pathEnd } from "./url";

/**
 * Lines of URLs of many origins. A stretch is gone through three times, so that the cache misses of many lines overlap:
 * hashes are taken, then origins looked up and programs fetched, then paths matched. With a million origins that takes three
 * quarters of the time of looking up and matching in one go, and two thirds of doing all at once; with a thousand it is the same.
 *
 * Tried there and lost: fetching slots while hashes are taken (10% slower: the loop over look-ups has many under way by itself);
 * a further pass that fetches origins and programs before origins are compared (5%); fetching also a program's second line
 * of cache, or its slot for the path's head and its filter (nothing to 5%).
 */

const LF: u32 = 0x0a;
const CR: u32 = 0x0d;
const SLASH: u32 = 0x2f;
const COLON: u32 = 0x3a;

/** For every line of a stretch: u32 start, u32 end of the origin or 0, u32 start of the path, u32 hash, later the program. */
const RECORD: usize = 16;
export const RECORDS_SIZE: i32 = (8192 + 1) * 16;
let records: usize = memory.data(RECORDS_SIZE);
const R_START: usize = 0;
const R_ORIGIN_END: usize = 4;
const R_PATH: usize = 8;
const R_HASH: usize = 12;
/** What a record has in place of a program. */
const UNUSUAL: u32 = 0;
const UNKNOWN: u32 = 1;
const INVALID: u32 = 2;
const NO_PROGRAM: u32 = 2;

/** Has the records elsewhere, at RECORDS_SIZE octets of its own: for instances that share their memory. */
export function moveRecords(to: usize): void {
	records = to;
}

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
		to = judge(to);
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
			const hash = hashOrigin(start, authority, originEnd);
			store<u32>(record, <u32>originEnd, R_ORIGIN_END);
			store<u32>(record, <u32>afterPort, R_PATH);
			store<u32>(record, hash, R_HASH);
		} else {
			store<u32>(record, 0, R_ORIGIN_END);
		}
		start = <usize>load<u32>(at) + 1;
	}
	store<u32>(record, <u32>start, R_START);
}

function findPrograms(): void {
	const last = records + <usize>lineCount * RECORD;
	for (let record = records; record < last; record += RECORD) {
		const start: usize = load<u32>(record, R_START);
		const originEnd: usize = load<u32>(record, R_ORIGIN_END);
		let program: usize;
		if (originEnd) {
			const hash = load<u32>(record, R_HASH);
			program = programOf(hash, start, originEnd - start);
			if (program) fetched += load<u32>(program);
			else if (isPlainHost(authorityOf(start), originEnd)) program = UNKNOWN;
		} else {
			program = mayBeUrl(start) ? UNUSUAL : INVALID;
		}
		store<u32>(record, <u32>program, R_HASH);
	}
}

/** The URL standard skips spaces and control characters in front, and wants a letter and, somewhere behind, a colon. */
function mayBeUrl(at: usize): bool {
	const first: u32 = load<u8>(at);
	if (first > 0x20 && (first | 0x20) - 0x61 >= 26) return false;
	while (load<u8>(at) != LF && load<u8>(at) != COLON) at++;
	return load<u8>(at) == COLON;
}

function judge(to: usize): usize {
	let tail = specials;
	let special: usize = load<u32>(tail);
	let soiled = tainted;
	let record = records;
	const last = records + <usize>lineCount * RECORD;
	for (; record < last; record += RECORD) {
		const start: usize = load<u32>(record, R_START);
		const feed: usize = <usize>load<u32>(record, RECORD + R_START) - 1;
		const program: usize = load<u32>(record, R_HASH);
		let plain = true;
		if (special < feed || soiled) {
			plain = soiled = false;
			while (special < feed) {
				tail += 4;
				special = load<u32>(tail);
			}
		}
		let verdict: u32;
		if (program > NO_PROGRAM) {
			let end = feed;
			if (load<u8>(feed - 1) == CR && feed > start) end--;
			let path: usize = load<u32>(record, R_PATH);
			if (
				!plain ||
				load<u8>(path) != SLASH ||
				load<u8>(program, H_TABLE) == TABLE_SPELLED
			) {
				locate(program, start, end, scratch);
				path = scratch;
				end = pathEnd;
			}
			verdict = allows(program, path, end);
		} else if (program == UNUSUAL) {
			verdict = VERDICT_UNUSUAL;
			store<u32>(unusualEnd, <u32>start);
			unusualEnd += 4;
		} else {
			verdict = program == UNKNOWN ? VERDICT_UNKNOWN : VERDICT_INVALID;
		}
		store<u8>(to++, verdict);
	}
	line = load<u32>(record, R_START);
	tainted = soiled || special != u32.MAX_VALUE;
	return to;
}

/** Verdict for the path of one text; its line ends count as octets. */
export function matchOne(program: usize, start: usize, length: usize): u32 {
	if (!locate(program, start, start + length, scratch)) return VERDICT_INVALID;
	return allows(program, scratch, pathEnd);
}
