import { C_FLOATS } from "../format/compact";
import { alwaysOf, listHits, prefixHeads } from "./compact-run";
import { lineCount } from "../url/lines";

/** What is kept and listed of the lines of a stretch while they are judged (mixed.ts). */

/** For every line its start, u32 as all of it, later the literal heads; */
export const RECORD: usize = 20;
export const R_START: usize = 0;
export const R_HEADS: usize = 0;
/** its path's; */
export const R_PATH: usize = 4;
/** the head of its origin or 0, later the end of its path; */
export const R_HEAD: usize = 8;
export const R_END: usize = 8;
/** the hash of its origin, later the program or what there is in place of one; */
export const R_HASH: usize = 12;
export const R_PROGRAM: usize = 12;
/** the best level so far or, with what is no level, the verdict. */
export const R_BEST: usize = 16;

const RECORDS_SIZE: i32 = (8192 + 1) * 20;
export let records: usize = memory.data(RECORDS_SIZE);

/** A stretch has fewer lines with a program, as those take at least nine bytes. */
const MOST_LINES: i32 = 1024;
/** Addresses of records whose programs have literal code, u32. */
const FLOATS_SIZE: i32 = MOST_LINES * 4;
export let floats: usize = memory.data(FLOATS_SIZE);
export let floatsEnd: usize = 0;

/** Positions where a literal may begin, u32, each with its record, u32. When there are enough, code is run for them. */
export const P_RECORD: usize = 4;
export const ENOUGH_POSITIONS: i32 = MOST_LINES - 64 - 4;
const POSITIONS_SIZE: i32 = MOST_LINES * 8;
export let positions: usize = memory.data(POSITIONS_SIZE);

/** Hits (hits.ts) with addresses in place of offsets: a head and a short text for each line, or for each position. */
const HITS_SIZE: i32 = (MOST_LINES * 2 + 1) * 12;
export let hits: usize = memory.data(HITS_SIZE);
export let hitsEnd: usize = 0;

/** Has all that elsewhere, at WORK_SIZE bytes of its own: for instances that share their memory. */
export function moveWork(to: usize): void {
	records = to;
	floats = records + RECORDS_SIZE;
	positions = floats + FLOATS_SIZE;
	hits = positions + POSITIONS_SIZE;
}
export const WORK_SIZE: i32 =
	RECORDS_SIZE + FLOATS_SIZE + POSITIONS_SIZE + HITS_SIZE;

export function recordsEnd(): usize {
	return records + <usize>lineCount * RECORD;
}

export function clearLists(): void {
	hitsEnd = hits;
	floatsEnd = floats;
}

/** Makes a path that of a record, and lists its prefix code. */
export function addPath(
	record: usize,
	program: usize,
	path: usize,
	end: usize,
): void {
	store<u32>(record, <u32>program, R_PROGRAM);
	store<u32>(record, <u32>path, R_PATH);
	store<u32>(record, <u32>end, R_END);
	store<u32>(record, alwaysOf(program), R_BEST);
	hitsEnd = listHits(prefixHeads(program), record, path + 1, hitsEnd);
	store<u32>(floatsEnd, <u32>record);
	floatsEnd += (<usize>load<u8>(program, C_FLOATS)) << 2;
}
