import {
	clearMarks,
	filter,
	largest,
	listHits,
	readFloats,
	run,
	startsIn,
} from "./compact-run";
import { FILTER_SIZE } from "../format/program";
import { HIT_AT, HIT_CODE, HIT_RECORD, HIT_SIZE } from "../match/candidates";
import {
	ENOUGH_POSITIONS,
	floats,
	floatsEnd,
	hits,
	hitsEnd,
	P_RECORD,
	positions,
	R_BEST,
	R_END,
	R_HEADS,
	R_PATH,
	R_PROGRAM,
} from "./url-spans";

/** Runs the code of the paths in records (mixed-records.ts). */

/** The record whose marks may be set, or 0. */
let marking: usize = 0;

/** Runs the prefix code that is listed. */
export function runPrefixes(): void {
	runHits(hitsEnd);
}

/** Runs the code of the hits up to `last`, of which those in one path follow each other. */
function runHits(last: usize): void {
	for (let hit = hits; hit < last; hit += HIT_SIZE) {
		const record: usize = load<u32>(hit, HIT_RECORD);
		if (record != marking) beginMarks(record);
		const best = run(
			load<u32>(hit, HIT_CODE),
			load<u32>(record, R_PATH),
			load<u32>(hit, HIT_AT),
			load<u32>(record, R_END),
			load<u32>(record, R_BEST),
		);
		store<u32>(record, best, R_BEST);
	}
}

function beginMarks(record: usize): void {
	if (marking) clearMarks(load<u32>(marking, R_PROGRAM));
	marking = record;
}

/**
 * Runs the literal code of records that have some: lists where a literal may begin, and every so often lists the code for those
 * positions and runs it.
 */
export function runLiterals(): void {
	let to = positions;
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
	beginMarks(0);
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

/** Runs the code for the listed positions. */
function runPositions(last: usize): void {
	let end = hits;
	for (let position = positions; position < last; position += 8) {
		const record: usize = load<u32>(position, P_RECORD);
		const heads = load<u32>(record, R_HEADS);
		end = listHits(heads, record, load<u32>(position), end);
	}
	runHits(end);
}
