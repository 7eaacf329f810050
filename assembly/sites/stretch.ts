/**
 * A stretch of URLs while it is judged (multi-site-batch.ts): a span for each line, the lists of candidates and positions, and the passes
 * that run their code. The lists are static, or in a workspace where instances share a memory (`moveWork`); their sizes follow from
 * STRETCH, so nothing checks for room.
 */
import { C_UNANCHORED } from "../format/compact";
import { FILTER_SIZE } from "../format/program";
import { forgetOccurrences } from "../match/occurrences";
import { Candidate, hashKey } from "../match/path-spans";
import { candidatePositions, lineEnds, LONGEST_LIST } from "../url/lines";
import {
	alwaysOf,
	clearVisited,
	largestPriority,
	listEntry,
	listOpened,
	listShort,
	positionsIn,
	prefixTable,
	readUnanchored,
	run,
	tableEntry,
} from "./compact-run";

/**
 * A line until its path is found:
 *
 *      0  start of the line
 *      4  where the line goes on after its origin
 *      8  header of its origin (`headerOf`), or 0
 *     12  hash of its origin, later its program or what it has instead
 *     16  item that most likely is that of its origin, or 0
 */
@unmanaged
export class LineSpan {
	start: u32;
	afterOrigin: u32;
	originHeader: u32;
	hashOrProgram: u32;
	likelyItem: u32;
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
export const MOST_LINES: i32 = 1024;
const UNANCHORED_SIZE: i32 = MOST_LINES * 4;

/** A position where the prefilter lets a literal begin. */
@unmanaged
class Position {
	at: u32;
	/** Address of its UrlSpan. */
	span: u32;
}

const POSITION_SIZE: usize = offsetof<Position>();

/** From this many positions on their code is run: a block adds at most 64, and 4 are written in advance. */
const ENOUGH_POSITIONS: i32 = MOST_LINES - 64 - 4;
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

function unanchoredEnd(): usize {
	return endOfUnanchored;
}

/** Positions to look up in jump tables. */
function positions(): usize {
	return work + (SPANS_SIZE + UNANCHORED_SIZE);
}

/** Candidates with absolute addresses. */
export function candidates(): usize {
	return work + (SPANS_SIZE + UNANCHORED_SIZE + POSITIONS_SIZE);
}

function candidatesEnd(): usize {
	return endOfCandidates;
}

export function clearLists(): void {
	endOfCandidates = candidates();
	endOfUnanchored = unanchored();
}

function setPath(
	address: usize,
	program: usize,
	path: usize,
	end: usize,
	best: u32,
): void {
	const span = changetype<UrlSpan>(address);
	span.program = <u32>program;
	span.path = <u32>path;
	span.end = <u32>end;
	span.best = best;
}

/** Lists a span if its program has unanchored patterns. */
function listUnanchored(address: usize, program: usize): void {
	// Written for every path, and kept for some: a branch here would be mispredicted.
	store<u32>(endOfUnanchored, <u32>address);
	endOfUnanchored += (<usize>load<u8>(program, C_UNANCHORED)) << 2;
}

/** Completes a span, and lists the code of its program's prefixes. */
export function addPath(
	address: usize,
	program: usize,
	path: usize,
	end: usize,
): void {
	setPath(address, program, path, end, alwaysOf(program));
	const table = prefixTable(program);
	const at = path + 1;
	const hash = hashKey(at);
	endOfCandidates = listEntry(
		table,
		tableEntry(table, hash),
		hash,
		address,
		at,
		listShort(table, address, at, endOfCandidates),
	);
	listUnanchored(address, program);
}

/**
 * As `addPath`, for lines of one program: its table was opened (`openTable`), what every path begins with is given, and positions may be
 * listed already. Where `addPath` calls it, neither is inlined any more, and URLs take 3 to 5% more.
 */
export function addPathBy(
	address: usize,
	program: usize,
	always: u32,
	path: usize,
	end: usize,
	isListed: bool,
): void {
	setPath(address, program, path, end, always);
	const at = path + 1;
	endOfCandidates = listOpened(address, at, hashKey(at), endOfCandidates);
	if (!isListed) listUnanchored(address, program);
}

/** Runs the code for the path of one URL, and returns its best priority. */
export function runPath(program: usize, path: usize, end: usize): u32 {
	clearLists();
	const address = spans();
	setPath(address, program, path, end, alwaysOf(program));
	listUnanchored(address, program);
	changetype<UrlSpan>(address).startOrTable = <u32>prefixTable(program);
	const position = changetype<Position>(positions());
	position.at = <u32>(path + 1);
	position.span = <u32>address;
	runPositions(positions() + POSITION_SIZE);
	runUnanchored();
	return changetype<UrlSpan>(address).best;
}

/** The span whose path has changed the visited set, or 0. */
let visiting: usize = 0;

let touchedSum: u32 = 0;

/** Takes the sum of what a loop has read only to have it in the cache, or the loop would be optimised away. */
export function touched(sum: u32): void {
	touchedSum += sum;
}

/** Runs the listed prefix code. */
export function runPrefixes(): void {
	const last = candidatesEnd();
	let sum: u32 = 0;
	for (let next = candidates(); next < last; next += offsetof<Candidate>())
		sum += load<u8>(changetype<Candidate>(next).code);
	touched(sum);
	runCandidates(last);
}

/** Runs the code of the candidates up to `last`; those of one path must be adjacent. */
function runCandidates(last: usize): void {
	for (let next = candidates(); next < last; next += offsetof<Candidate>()) {
		const candidate = changetype<Candidate>(next);
		const address: usize = candidate.span;
		if (address != visiting) enterPath(address);
		const span = changetype<UrlSpan>(address);
		span.best = run(
			candidate.code,
			span.path,
			candidate.at,
			span.end,
			span.best,
		);
	}
}

/** Forgets what the path before has left: the visited set, and what occurs where. */
function enterPath(span: usize): void {
	forgetOccurrences();
	if (visiting) clearVisited(changetype<UrlSpan>(visiting).program);
	visiting = span;
}

/**
 * Runs the code of unanchored patterns: lists the positions that pass the prefilter and, whenever there are enough, the candidates
 * at them, which then run.
 */
export function runUnanchored(): void {
	const first = positions();
	const last = unanchoredEnd();
	let to = first;
	for (let next = unanchored(); next < last; next += 4) {
		const address: usize = load<u32>(next);
		const span = changetype<UrlSpan>(address);
		const filter = readUnanchored(span.program);
		// A prefix has found a better rule than any unanchored pattern is: the path need not be read.
		if (span.best >= largestPriority()) continue;
		span.startOrTable = <u32>(filter + FILTER_SIZE);
		const end: usize = span.end;
		for (let at: usize = span.path; at < end; at += 64) {
			to = listPositions(positionsIn(filter, at, end), at, address, to);
			if (to > first + <usize>ENOUGH_POSITIONS * POSITION_SIZE) {
				runPositions(to);
				to = first;
			}
		}
	}
	runPositions(to);
	// The lists are about other paths in the next stretch, at the same addresses.
	enterPath(0);
}

/** The same for the positions that `indexLines` has listed for the lines up to `last`, which are of one program. */
export function runListed(program: usize, last: usize): void {
	const table = readUnanchored(program) + FILTER_SIZE;
	const best = largestPriority();
	const first = positions();
	let to = first;
	let feed = lineEnds();
	let address = spans();
	for (let list = candidatePositions(); ; list += 4) {
		const at = load<u32>(list);
		while (address < last && load<u32>(feed) < at) {
			feed += 4;
			address += SPAN_SIZE;
		}
		// The rest belongs to a line that ends in the next stretch.
		if (address == last) break;
		const span = changetype<UrlSpan>(address);
		const position = changetype<Position>(to);
		position.at = at;
		position.span = <u32>address;
		// Where the path is not in the line but in scratch, none of the line's positions counts.
		const isWithin = u32(at >= span.path) & u32(at < span.end);
		to += <usize>(isWithin & u32(span.best < best)) * POSITION_SIZE;
		if (isWithin) span.startOrTable = <u32>table;
		if (to > first + <usize>ENOUGH_POSITIONS * POSITION_SIZE) {
			runPositions(to);
			to = first;
		}
	}
	runPositions(to);
	enterPath(0);
}

/** Appends the positions of a mask's bits to a list and returns its end. */
function listPositions(mask: u64, block: usize, span: usize, to: usize): usize {
	const end = to + <usize>popcnt(mask) * POSITION_SIZE;
	// Few blocks of a path hold more than two: write two without looking.
	setPosition(to, mask, block, span);
	mask &= mask - 1;
	setPosition(to + POSITION_SIZE, mask, block, span);
	for (to += 2 * POSITION_SIZE; to < end; to += POSITION_SIZE) {
		mask &= mask - 1;
		setPosition(to, mask, block, span);
	}
	return end;
}

/** Writes the position of a mask's lowest bit. */
function setPosition(to: usize, mask: u64, block: usize, span: usize): void {
	const position = changetype<Position>(to);
	position.at = <u32>(block + <usize>ctz(mask));
	position.span = <u32>span;
}

/** Runs the code for the listed positions. */
function runPositions(last: usize): void {
	let end = candidates();
	for (let next = positions(); next < last; next += POSITION_SIZE) {
		const position = changetype<Position>(next);
		const span: usize = position.span;
		const table: usize = changetype<UrlSpan>(span).startOrTable;
		const at: usize = position.at;
		const hash = hashKey(at);
		end = listEntry(
			table,
			tableEntry(table, hash),
			hash,
			span,
			at,
			listShort(table, span, at, end),
		);
	}
	runCandidates(end);
}
