import { C_UNANCHORED } from "../format/compact";
import { LONGEST_LIST, lineCount } from "../url/lines";
import { Candidate } from "../match/candidates";
import { alwaysOf, listCandidates, prefixTable } from "./compact-run";

/** What is known of each line of a stretch while it is matched (multi-site-batch.ts), and the lists that matching goes through. */

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
export let spans: usize = memory.data(SPANS_SIZE);

/** A stretch has fewer lines with a program, as those take at least nine bytes. */
const MOST_LINES: i32 = 1024;
/** Addresses, u32, of spans whose programs have unanchored patterns. */
const UNANCHORED_SIZE: i32 = MOST_LINES * 4;
export let unanchored: usize = memory.data(UNANCHORED_SIZE);
export let unanchoredEnd: usize = 0;

/** A position where the prefilter lets a literal begin. */
@unmanaged
export class Position {
	at: u32;
	/** Address of its UrlSpan. */
	span: u32;
}

export const POSITION_SIZE: usize = offsetof<Position>();

/** When there are so many positions, code is run for them: a block adds 64 at most, and 4 are written in advance. */
export const ENOUGH_POSITIONS: i32 = MOST_LINES - 64 - 4;
const POSITIONS_SIZE: i32 = MOST_LINES * 8;
export let positions: usize = memory.data(POSITIONS_SIZE);

/** Candidates with absolute addresses: two for each line or position, one for a full entry and one for a short one. */
const CANDIDATES_SIZE: i32 = (MOST_LINES * 2 + 1) * 12;
export let candidates: usize = memory.data(CANDIDATES_SIZE);
export let candidatesEnd: usize = 0;

/** Moves all of that to WORK_SIZE bytes elsewhere: for instances that share their memory. */
export function moveWork(to: usize): void {
	spans = to;
	unanchored = spans + SPANS_SIZE;
	positions = unanchored + UNANCHORED_SIZE;
	candidates = positions + POSITIONS_SIZE;
}
export const WORK_SIZE: i32 =
	SPANS_SIZE + UNANCHORED_SIZE + POSITIONS_SIZE + CANDIDATES_SIZE;

export function spansEnd(): usize {
	return spans + <usize>lineCount * SPAN_SIZE;
}

export function clearLists(): void {
	candidatesEnd = candidates;
	unanchoredEnd = unanchored;
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
	candidatesEnd = listCandidates(
		prefixTable(program),
		address,
		path + 1,
		candidatesEnd,
	);
	store<u32>(unanchoredEnd, <u32>address);
	unanchoredEnd += (<usize>load<u8>(program, C_UNANCHORED)) << 2;
}
