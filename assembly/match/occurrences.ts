import { equal, search } from "../bytes/scan";
import { arena, ARENA_SIZE, reserveArena } from "../bytes/memory";
import { searched } from "./trace";
import { behind, readVarint } from "../bytes/varint";
import { WILD_ANCHORED } from "../format/program";

/**
 * Where texts occur in a long path. Each wildcard rule that fails searches to the end of the path; with thousands of such rules
 * and a long path that is what matching costs. So once searches have gone over a path SCANS times, the path is indexed, and a
 * search for a text that is far away or missing takes a look at a table.
 *
 * There is a table for each length of window, 1 to WIDEST bytes, made when the first text needs it; a text is looked up by its
 * last window. A table is a hash table of u32, 1 + the offset of the last window with that hash, 0 for none, followed by a u32 for each
 * byte of the path, likewise for the window before with the same hash. Answers are the same with and without tables.
 *
 *     arena: u32 address of each table, 0 before it is made, NO_TABLE without room; the answers; the tables
 */

/** Shorter paths are searched and nothing else. */
export const LONG_PATH: usize = 1024;
/** Bytes that are searched first: most texts are found there. */
const NEAR: usize = 256;
/** Making a table takes as long as some 40 scans of the path. */
const SCANS: usize = 32;
const WIDEST: usize = 8;
/** Windows with the hash of a text that are looked at. Where there are more, the text is searched for. */
const MOST_STEPS: u32 = 64;

const NO_TABLE: usize = 1;
const MIN_BITS: u32 = 10;
const HASH: u64 = 0x9e3779b97f4a7c15;

/** The answer of an earlier search. */
@unmanaged
class Answer {
	text: usize;
	length: usize;
	/** Where the search began. */
	from: usize;
	/** Where the text is, 0 for nowhere. */
	found: usize;
}

/** Offsets in the arena: an Answer for each value of ANSWER_BITS of a hash, behind them the tables. */
const ANSWERS: usize = 64;
const ANSWER_BITS: u32 = 8;
const TABLES: usize = ANSWERS + (offsetof<Answer>() << ANSWER_BITS);

/** Bytes of the path that searches have gone over, those within NEAR not counted. */
let scanned: usize = 0;
/** The path that is indexed, 0 when none is. */
let indexed: usize = 0;
let indexedEnd: usize = 0;
/** Where the next table goes. */
let free: usize = 0;

const QUESTION_MARK = memory.data<u8>([0x3f]);

/** To be called between two paths. */
export function forgetOccurrences(): void {
	scanned = 0;
	indexed = 0;
}

/** Position of the first occurrence of a text in [from, end), or 0. */
export function scan(
	text: usize,
	length: usize,
	from: usize,
	end: usize,
): usize {
	const found = search(text, length, from, end);
	if (isDefined(TRACED)) searched((found ? found : max(from, end)) - from);
	return found;
}

/** The same in a long path, which begins at `start`. */
export function scanLong(
	text: usize,
	length: usize,
	start: usize,
	from: usize,
	end: usize,
): usize {
	const near = from + NEAR + length;
	if (near >= end) return scan(text, length, from, end);
	const found = scan(text, length, from, near);
	return found ? found : scanFar(text, length, start, from + NEAR, end);
}

/** Position behind the first "?" of a long path, or behind its end. */
export function behindQuestionMark(start: usize, end: usize): usize {
	const found = scanLong(QUESTION_MARK, 1, start, start, end);
	return (found ? found : end) + 1;
}

function scanFar(
	text: usize,
	length: usize,
	start: usize,
	from: usize,
	end: usize,
): usize {
	if (!indexed) {
		const found = scan(text, length, from, end);
		scanned += (found ? found : end) - from;
		if (scanned > SCANS * (end - start)) open(start, end);
		return found;
	}
	const width = min(length, WIDEST);
	const hash = hashOf(text + length - width, width);
	const answer = answerAt(hash);
	if (answers(answer, text, length, from)) return answer.found;
	const table = tableOf(width);
	if (table != NO_TABLE) {
		const found = follow(table, hash, text, length, width, from);
		if (found != UNDECIDED) return found;
	}
	const found = scan(text, length, from, end);
	answer.text = text;
	answer.length = length;
	answer.from = from;
	answer.found = found;
	return found;
}

function open(start: usize, end: usize): void {
	if (!reserveArena()) return;
	indexed = start;
	indexedEnd = end;
	free = arena + TABLES;
	memory.fill(arena, 0, TABLES);
}

function answerAt(hash: u64): Answer {
	const index = <usize>(hash & ((1 << ANSWER_BITS) - 1));
	return changetype<Answer>(arena + ANSWERS + index * offsetof<Answer>());
}

/** Whether an earlier search, which began no later and found nothing in front of `from`, has the answer. */
function answers(
	answer: Answer,
	text: usize,
	length: usize,
	from: usize,
): bool {
	const found = answer.found;
	return (
		answer.length == length &&
		answer.from <= from &&
		(found == 0 || found >= from) &&
		equal(answer.text, text, length)
	);
}

function hashOf(window: usize, width: usize): u64 {
	const bytes =
		load<u64>(window) & (u64.MAX_VALUE >> (64 - ((<u64>width) << 3)));
	return bytes * HASH;
}

/** The hash's top bits are its slot: as many slots as the path has bytes, or half as many. */
function slotOf(table: usize, hash: u64): usize {
	return table + ((<usize>(hash >> (64 - slotBits()))) << 2);
}

function slotBits(): u64 {
	return <u64>max(MIN_BITS, 31 - <u32>clz<u32>(<u32>(indexedEnd - indexed)));
}

/** The table for windows of a width, made when there is none. */
function tableOf(width: usize): usize {
	const entry = arena + (width << 2);
	const known: usize = load<u32>(entry);
	if (known) return known;
	const slots = (<usize>4) << (<usize>slotBits());
	const size = slots + ((indexedEnd - indexed) << 2);
	let table = NO_TABLE;
	if (size <= arena + ARENA_SIZE - free) {
		table = free;
		free += size;
		fillTable(table, table + slots, width);
	}
	store<u32>(entry, <u32>table);
	return table;
}

function fillTable(table: usize, previous: usize, width: usize): void {
	memory.fill(table, 0, previous - table);
	if (isDefined(TRACED)) searched(indexedEnd - indexed);
	const last = indexedEnd - width;
	for (let at = indexed; at <= last; at++, previous += 4) {
		const slot = slotOf(table, hashOf(at, width));
		store<u32>(previous, load<u32>(slot));
		store<u32>(slot, <u32>(at - indexed) + 1);
	}
}

/** Not known yet; no position. */
const UNDECIDED: usize = 1;

/** Goes back from the last window with a text's hash to the text's first occurrence from `from` on; 0 for none. */
function follow(
	table: usize,
	hash: u64,
	text: usize,
	length: usize,
	width: usize,
	from: usize,
): usize {
	const previous = table + ((<usize>4) << (<usize>slotBits()));
	const before = length - width;
	let first: usize = 0;
	let window = load<u32>(slotOf(table, hash));
	for (let steps: u32 = 0; window; steps++) {
		const at = indexed + window - 1;
		if (at < from + before) break;
		if (steps == MOST_STEPS) return UNDECIDED;
		if (isDefined(TRACED)) searched(1);
		if (equal(at - before, text, length)) first = at - before;
		window = load<u32>(previous + ((<usize>window - 1) << 2));
	}
	return first;
}

/**
 * False where the last literal of a wildcard tail cannot stand behind the bytes that the literals in front of it take from `at` on.
 * May be true in any case.
 */
export function lastFits(tail: usize, at: usize, end: usize): bool {
	if (!indexed) return true;
	let next = tail + 1;
	let text: usize = 0;
	let length: usize = 0;
	let count = readVarint(next);
	for (next = behind; count; count--) {
		const lengthAndForms = readVarint(next);
		// One of two forms may be shorter.
		if (lengthAndForms & 1) return true;
		at += length;
		text = behind;
		length = lengthAndForms >> 1;
		next = text + length;
	}
	if (at + length > end) return false;
	if (length == 0 || load<u8>(tail) & WILD_ANCHORED) return true;
	const width = min(length, WIDEST);
	const table = tableOf(width);
	if (table == NO_TABLE) return true;
	const window = load<u32>(slotOf(table, hashOf(text + length - width, width)));
	return window != 0 && indexed + window - 1 >= at + length - width;
}
