import { C_UNANCHORED } from "../format/compact";
import { LONGEST_LIST } from "../url/lines";
import { alwaysOf, listCandidates, prefixTable } from "./compact-run";

/** The lines of a stretch while they are matched (multi-site-batch.ts), and the lists that matching goes through. */

/**
 * A line until its path is found:
 *
 *      0  start of the line
 *      4  where the line goes on behind its origin
 *      8  header of its origin (`headerOf`), or 0
 *     12  hash of its origin, later its program or what it has instead
 *     16  (unused)
 */
@unmanaged
export class LineSpan {
	start: u32;
	afterOrigin: u32;
	originHeader: u32;
	hashOrProgram: u32;
	unused: u32;
}

/**
 * The same 20 bytes once the path is found:
 *
 *      0  start of the line, later the jump table of the unanchored patterns
 *      4  start of the path
 *      8  end of the path
 *     12  program, or NO_PROGRAM and less
 *     16  best priority so far; or JUDGED and a verdict
 */
@unmanaged
export class UrlSpan {
	startOrTable: u32;
	path: u32;
	end: u32;
	program: u32;
	best: u32;
}

export const SPAN_SIZE: usize = offsetof<UrlSpan>();

/** One more than lines, for the start of the next stretch's first line. */
const SPANS_SIZE: i32 = (LONGEST_LIST + 1) * 20;

/** A stretch has fewer lines with a program, as those take at least nine bytes. */
const MOST_LINES: i32 = 1024;
const UNANCHORED_SIZE: i32 = MOST_LINES * 4;

/** A position where the prefilter lets a literal begin. */
@unmanaged
export class Position {
	at: u32;
	/** Address of its UrlSpan. */
	span: u32;
}

export const POSITION_SIZE: usize = offsetof<Position>();

/** From this many positions on their code is run: a block adds at most 64, and 4 are written in advance. */
export const ENOUGH_POSITIONS: i32 = MOST_LINES - 64 - 4;
const POSITIONS_SIZE: i32 = MOST_LINES * 8;

/** Two candidates for each line or position: one for a full entry and one for a short one. */
const CANDIDATES_SIZE: i32 = (MOST_LINES * 2 + 1) * 12;

/** Bytes of all lists. */
export const WORK_SIZE: i32 =
	SPANS_SIZE + UNANCHORED_SIZE + POSITIONS_SIZE + CANDIDATES_SIZE;
let work: usize = memory.data(WORK_SIZE);
let endOfUnanchored: usize = 0;
let endOfCandidates: usize = 0;

/** Moves the lists to WORK_SIZE bytes elsewhere: for instances that share their memory. */
export function moveWork(to: usize): void {
	work = to;
}

/** A LineSpan or UrlSpan for each line of a stretch. */
export function spans(): usize {
	return work;
}

/** End of the spans of a stretch with `lineCount` lines. */
export function spansEnd(lineCount: u32): usize {
	return work + <usize>lineCount * SPAN_SIZE;
}

/** Addresses, u32, of spans whose programs have unanchored patterns. */
export function unanchored(): usize {
	return work + SPANS_SIZE;
}

export function unanchoredEnd(): usize {
	return endOfUnanchored;
}

/** Positions to look up in jump tables. */
export function positions(): usize {
	return work + (SPANS_SIZE + UNANCHORED_SIZE);
}

/** Candidates with absolute addresses. */
export function candidates(): usize {
	return work + (SPANS_SIZE + UNANCHORED_SIZE + POSITIONS_SIZE);
}

export function candidatesEnd(): usize {
	return endOfCandidates;
}

export function clearLists(): void {
	endOfCandidates = candidates();
	endOfUnanchored = unanchored();
}

/** Completes a span, and lists the code of its program's prefixes. */
export function addPath(
	address: usize,
	program: usize,
	path: usize,
	end: usize,
): void {
	const span = changetype<UrlSpan>(address);
	span.program = <u32>program;
	span.path = <u32>path;
	span.end = <u32>end;
	span.best = alwaysOf(program);
	endOfCandidates = listCandidates(
		prefixTable(program),
		address,
		path + 1,
		endOfCandidates,
	);
	store<u32>(endOfUnanchored, <u32>address);
	endOfUnanchored += (<usize>load<u8>(program, C_UNANCHORED)) << 2;
}
