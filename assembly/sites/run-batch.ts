import {
	clearVisited,
	largestPriority,
	listCandidates,
	readUnanchored,
	run,
	positionsIn,
} from "./compact-run";
import { FILTER_SIZE } from "../format/program";
import { Candidate } from "../match/candidates";
import { forgetOccurrences } from "../match/occurrences";
import {
	candidates,
	candidatesEnd,
	ENOUGH_POSITIONS,
	Position,
	POSITION_SIZE,
	positions,
	unanchored,
	unanchoredEnd,
	UrlSpan,
} from "./url-spans";

/** Runs the code for the paths of a stretch (url-spans.ts). */

/** The span whose path has changed the visited set, or 0. */
let visiting: usize = 0;

/** Runs the listed prefix code. */
export function runPrefixes(): void {
	runCandidates(candidatesEnd());
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
		const table = changetype<UrlSpan>(span).startOrTable;
		end = listCandidates(table, span, position.at, end);
	}
	runCandidates(end);
}
