/**
 * Where texts occur in a long path; `matchTail` (run.ts) asks. Each wildcard rule that fails searches to the end of the path; with
 * thousands of such rules and a long path that is what matching costs. So once searches have gone over a path SCANS times, the path
 * is indexed, and a text is looked up. Answers are the same with and without the index.
 * It is about one path at a time: `forgetOccurrences` must be called before another path is searched.
 *
 * The index is that of Karp, Miller and Rosenberg (1972). For "abcabca", with windows of 2 bytes:
 *
 *     window  ab bc ca ab bc ca           names: equal windows have equal numbers
 *     name     0  1  2  0  1  2
 *     list    0 3, 1 4, 2 5               positions by name, each name's in ascending order
 *
 * There is a level for windows of 1, 2, 4, 8, … bytes, made when the first text needs it. A window of more than 8 bytes is named by the
 * pair of the names of the windows that it begins and ends with, so that naming never compares more than eight bytes. A text of another
 * length is where the longest window that it begins with stands so far in front of the one that it ends with; of the two lists the shorter
 * one is gone through. A text with a window that has no name is nowhere. Once going through lists for texts of one length has cost as much as
 * a level for that length, it is made, too: then each text has a name or is nowhere, and its name says where it is first and last. So
 * thousands of rules, each with words of its own, take some steps each and no search.
 *
 * Tried before: chains of windows with equal hashes. In "aaa…" all windows are in one chain, so texts were searched for after all.
 *
 *     arena: Level for each width; the answers; the levels' tables
 */
import { arena, ARENA_SIZE, reserveArena } from "../bytes/memory";
import { varintEnd, readVarint } from "../bytes/numbers";
import { equal, search } from "../bytes/scan";
import { WILD_ANCHORED } from "../format/program";
import { searched } from "./trace";

/** Shorter paths are searched and nothing else. With 1,024 bytes, 500 KiB of rules took 25 ms on a path just below, now 6. */
export const LONG_PATH: usize = 256;
/** Making a level takes as long as some 40 scans of the path. */
const SCANS: usize = 32;
/** Up to this level, 8 bytes, windows are named by their bytes. */
const WORD_LEVEL: u32 = 3;
const WORD: u32 = 1 << WORD_LEVEL;
const LEVELS: u32 = 24;
/** Texts of up to so many bytes may have a level of their own length. Of longer ones 500 KiB hold too few to matter. */
const MOST_EXACT: u32 = 128;
/** What a text costs that is found by two windows, beside the positions that are gone through. */
const PAIR_COST: u32 = 16;
/** Positions gone through that cost as much as making a level, for each of its windows. */
const LEVEL_COST: u32 = 4;
const HASH: u64 = 0x9e3779b97f4a7c15;
/** No name; no position known yet. */
const NONE: u32 = u32.MAX_VALUE;
const UNDECIDED: usize = 1;

/** The windows of one width. Positions are offsets in the path. */
@unmanaged
class Level {
	/** Made, or NO_ROOM; 0 before. */
	state: u32;
	/** What was spent for want of it, in positions gone through. */
	spent: u32;
	width: u32;
	/** Bytes between the two windows of `halfOf` that name a window of more than WORD bytes. */
	gap: u32;
	/** Number of windows. */
	count: u32;
	/** Hash table: 1 + name. */
	slots: usize;
	/** What shifts a hash to its slot. */
	shift: u32;
	/** The name at each position. */
	names: usize;
	/** Where a name's positions begin in `list`; one more at the end. */
	starts: usize;
	list: usize;
}
const MADE: u32 = 1;
const NO_ROOM: u32 = 2;

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

/** Offsets in the arena: levels by the logarithm of their width, those of other widths, an Answer for each value of ANSWER_BITS of a hash, the tables. */
const EXACT: usize = offsetof<Level>() * LEVELS;
const ANSWERS: usize = EXACT + offsetof<Level>() * (MOST_EXACT + 1);
const ANSWER_BITS: u32 = 8;
const TABLES: usize = ANSWERS + (offsetof<Answer>() << ANSWER_BITS);

/** Bytes that searches have gone over or compared in the path. */
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

/** The same in a long path, which begins at `start`: by its index once there is one. */
export function scanLong(
	text: usize,
	length: usize,
	start: usize,
	from: usize,
	end: usize,
): usize {
	if (from + length > end) return 0;
	if (!indexed) {
		const found = scanCounting(text, length, from, end, SCANS * (end - start));
		if (found != UNDECIDED) return found;
		// Without memory for an index, counting begins anew, so that memory is asked for once in SCANS passes and not at each search.
		if (!open(start, end)) {
			scanned = 0;
			return scan(text, length, from, end);
		}
	}
	const found = lookUp(text, <u32>length, from);
	return found == UNDECIDED ? scan(text, length, from, end) : found;
}

/** Position after the first "?" of a long path, or after its end. */
export function afterQuestionMark(start: usize, end: usize): usize {
	const found = scanLong(QUESTION_MARK, 1, start, start, end);
	return (found ? found : end) + 1;
}

/**
 * As `scan`; UNDECIDED where `scanned` exceeds `most` before an end, since comparisons of long texts cost more than the way. It is the loop of
 * `search` (bytes/scan.ts) with a count, which short searches do without.
 */
function scanCounting(
	text: usize,
	length: usize,
	from: usize,
	end: usize,
	most: usize,
): usize {
	const begin = from;
	const last = end - length;
	const first = v128.load8_splat(text);
	const tail = v128.load8_splat(text + length - 1);
	for (; from <= last; from += 16) {
		let matches = i8x16.bitmask(
			v128.and(
				i8x16.eq(v128.load(from), first),
				i8x16.eq(v128.load(from + length - 1), tail),
			),
		);
		scanned += 16;
		for (; matches; matches &= matches - 1) {
			const at = from + ctz(matches);
			if (at > last) break;
			if (equal(at, text, length)) {
				if (isDefined(TRACED)) searched(at - begin);
				return at;
			}
			scanned += length;
		}
		if (scanned > most) break;
	}
	if (isDefined(TRACED)) searched(min(from, end) - begin);
	return scanned > most ? UNDECIDED : 0;
}

/** Begins the index of a path; false without memory for it. */
function open(start: usize, end: usize): bool {
	if (!reserveArena()) return false;
	indexed = start;
	indexedEnd = end;
	free = arena + TABLES;
	memory.fill(arena, 0, TABLES);
	return true;
}

/** Position of the first occurrence of a text from `from` on, 0 for none, UNDECIDED where there is no room for any level. */
function lookUp(text: usize, length: u32, from: usize): usize {
	const exact = exactOf(length);
	if (exact && changetype<Level>(exact).state == MADE)
		return firstOf(changetype<Level>(exact), text, from);
	let log = 31 - clz(length);
	while (log && levelOf(log).state != MADE) log--;
	const level = levelOf(log);
	if (level.state != MADE) return UNDECIDED;
	const width: u32 = 1 << log;
	if (length == width) return firstOf(level, text, from);
	const gap = length - width;
	const first = nameOf(level, text);
	if (first == NONE) return 0;
	// Only where there is no room for larger windows are there any between the first and the last one.
	for (let middle = width; middle < gap; middle += width)
		if (nameOf(level, text + middle) == NONE) return 0;
	const second = nameOf(level, text + gap);
	if (second == NONE) return 0;
	const answer = answerAt(first, second, gap);
	if (answers(answer, text, length, from)) return answer.found;
	passed = PAIR_COST;
	let found = firstPair(level, first, second, gap, <u32>(from - indexed));
	if (gap > width) {
		while (found != NONE && !equal(indexed + found, text, length))
			found = firstPair(level, first, second, gap, found + 1);
	}
	answer.text = text;
	answer.length = length;
	answer.from = from;
	answer.found = found == NONE ? 0 : indexed + found;
	if (exact) spend(changetype<Level>(exact), length);
	return answer.found;
}

/** Positions that the last search by two windows went through, and PAIR_COST. */
let passed: u32 = 0;

/** The level of all texts of a length, whether it is made or not; 0 where windows of that length have one in any case, or none. */
function exactOf(length: u32): usize {
	if (length > MOST_EXACT || popcnt(length) == 1) return 0;
	return arena + EXACT + <usize>length * offsetof<Level>();
}

/** Counts what a search took that a level would have spared, and makes the level when that is as much as it costs. */
function spend(exact: Level, length: u32): void {
	exact.spent += passed;
	if (exact.state || exact.spent < LEVEL_COST * <u32>(indexedEnd - indexed))
		return;
	exact.state = makeLevel(exact, length) ? MADE : NO_ROOM;
}

/** Where a text as long as a level's windows stands first from `from` on, or 0. */
function firstOf(level: Level, text: usize, from: usize): usize {
	const name = nameOf(level, text);
	if (name == NONE) return 0;
	const at = firstFrom(level, name, <u32>(from - indexed));
	return at < endOf(level, name) ? indexed + load<u32>(at) : 0;
}

function answerAt(first: u32, second: u32, gap: u32): Answer {
	const hash = (((<u64>first) << 32) ^ ((<u64>gap) << 24) ^ second) * HASH;
	const index = <usize>(hash >> (64 - ANSWER_BITS));
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

/** The first position from `from` on where one name stands and, `gap` bytes further, another; or NONE. */
function firstPair(
	level: Level,
	first: u32,
	second: u32,
	gap: u32,
	from: u32,
): u32 {
	const names = level.names;
	const count = level.count;
	let at = firstFrom(level, first, from);
	const end = endOf(level, first);
	let other = firstFrom(level, second, from + gap);
	const otherEnd = endOf(level, second);
	if (end - at <= otherEnd - other) {
		if (isDefined(TRACED)) searched((end - at) >> 2);
		for (; at < end; at += 4) {
			passed++;
			const position = load<u32>(at);
			// Positions ascend: what does not fit from here on, never does.
			if (position + gap >= count) return NONE;
			if (load<u32>(names + ((<usize>(position + gap)) << 2)) == second)
				return position;
		}
		return NONE;
	}
	if (isDefined(TRACED)) searched((otherEnd - other) >> 2);
	for (; other < otherEnd; other += 4) {
		passed++;
		const position = load<u32>(other) - gap;
		if (load<u32>(names + ((<usize>position) << 2)) == first) return position;
	}
	return NONE;
}

/** End of a name's positions. */
function endOf(level: Level, name: u32): usize {
	const index = load<u32>(level.starts + ((<usize>name) << 2), 4);
	return level.list + ((<usize>index) << 2);
}

/** Address of the first of a name's positions that is not in front of `from`, or their end. */
function firstFrom(level: Level, name: u32, from: u32): usize {
	let low = load<u32>(level.starts + ((<usize>name) << 2));
	let high = load<u32>(level.starts + ((<usize>name) << 2), 4);
	// Most searches begin in front of all positions.
	if (load<u32>(level.list + ((<usize>low) << 2)) >= from) high = low;
	while (low < high) {
		const middle = (low + high) >> 1;
		if (load<u32>(level.list + ((<usize>middle) << 2)) < from) low = middle + 1;
		else high = middle;
	}
	return level.list + ((<usize>low) << 2);
}

function levelAt(log: u32): Level {
	return changetype<Level>(arena + <usize>log * offsetof<Level>());
}

/** The windows of 2^log bytes, of which the path has at least one; made when they are needed. */
function levelOf(log: u32): Level {
	const level = levelAt(log);
	if (!level.state)
		level.state = log < LEVELS && makeLevel(level, 1 << log) ? MADE : NO_ROOM;
	return level;
}

/** The level whose windows, two of them, name those of a level of more than WORD bytes. */
function halfOf(level: Level): Level {
	return levelAt(31 - clz(level.width - 1));
}

/** The name of the window at an address, in the path or elsewhere; NONE if the path has none like it. */
function nameOf(level: Level, window: usize): u32 {
	const width = level.width;
	if (width <= WORD) return nameOfKey(level, wordOf(width, window));
	const half = halfOf(level);
	const first = nameOf(half, window);
	if (first == NONE) return NONE;
	const second = nameOf(half, window + level.gap);
	if (second == NONE) return NONE;
	return nameOfKey(level, ((<u64>second) << 32) | first);
}

function wordOf(width: u32, window: usize): u64 {
	return load<u64>(window) & (u64.MAX_VALUE >> (64 - (width << 3)));
}

/** What tells windows apart: their bytes, or the names of the windows that they begin and end with. */
function keyAt(level: Level, position: usize): u64 {
	const width = level.width;
	if (width <= WORD) return wordOf(width, indexed + position);
	const names = halfOf(level).names + (position << 2);
	return (
		((<u64>load<u32>(names + ((<usize>level.gap) << 2))) << 32) |
		load<u32>(names)
	);
}

function slotOf(level: Level, key: u64): usize {
	const hash = (key ^ (key >> 29)) * HASH;
	return <usize>((hash ^ (hash << 32)) >> level.shift);
}

function nameOfKey(level: Level, key: u64): u32 {
	const mask = ((<usize>1) << (64 - level.shift)) - 1;
	let slot = slotOf(level, key);
	while (true) {
		const name = load<u32>(level.slots + (slot << 2));
		if (!name) return NONE;
		const start = load<u32>(level.starts + ((<usize>(name - 1)) << 2));
		const position = load<u32>(level.list + ((<usize>start) << 2));
		if (keyAt(level, position) == key) return name - 1;
		slot = (slot + 1) & mask;
	}
}

/** Gives all windows names and lists them; false without room. */
function makeLevel(level: Level, width: u32): bool {
	level.width = width;
	// The narrower level first: it takes its room from the same arena, and its names make the keys of this one.
	if (width > WORD) {
		const log = 31 - clz(width - 1);
		if (levelOf(log).state != MADE) return false;
		level.gap = width - (1 << log);
	}
	const count = <u32>(indexedEnd - indexed) + 1 - width;
	// At most two thirds of the slots get taken, even if all windows differ: a probe always meets a free one.
	const bits = max<u32>(32 - clz(count + (count >> 1)), 1);
	const slots = (<usize>4) << bits;
	const size = slots + (<usize>count * 3 + 1) * 4;
	if (size > arena + ARENA_SIZE - free) return false;
	level.count = count;
	level.shift = 64 - bits;
	level.slots = free;
	level.names = free + slots;
	level.starts = level.names + ((<usize>count) << 2);
	level.list = level.starts + ((<usize>count) << 2) + 4;
	free += size;
	memory.fill(level.slots, 0, slots);
	if (isDefined(TRACED)) searched(count);
	listPositions(level, nameWindows(level));
	level.state = MADE;
	return true;
}

/**
 * Names the windows and returns how many names there are. Leaves the number of each name's positions in `starts`; `list` holds
 * its first one meanwhile.
 */
function nameWindows(level: Level): u32 {
	const mask = ((<usize>1) << (64 - level.shift)) - 1;
	const starts = level.starts;
	let used: u32 = 0;
	for (let position: usize = 0; position < level.count; position++) {
		const key = keyAt(level, position);
		let slot = slotOf(level, key);
		let name: u32 = 0;
		while (true) {
			name = load<u32>(level.slots + (slot << 2));
			if (!name) {
				store<u32>(level.slots + (slot << 2), ++used);
				name = used;
				store<u32>(level.list + ((<usize>(name - 1)) << 2), <u32>position);
				store<u32>(starts + ((<usize>(name - 1)) << 2), 0);
				break;
			}
			if (
				keyAt(level, load<u32>(level.list + ((<usize>(name - 1)) << 2))) == key
			)
				break;
			slot = (slot + 1) & mask;
		}
		const counter = starts + ((<usize>(name - 1)) << 2);
		store<u32>(counter, load<u32>(counter) + 1);
		store<u32>(level.names + (position << 2), name - 1);
	}
	return used;
}

/** Sorts the positions by name. Each name's start is moved to its end while they are listed, and back afterwards. */
function listPositions(level: Level, used: u32): void {
	const starts = level.starts;
	let place: u32 = 0;
	for (let name: usize = 0; name < used; name++) {
		const size = load<u32>(starts + (name << 2));
		store<u32>(starts + (name << 2), place);
		place += size;
	}
	for (let position: usize = 0; position < level.count; position++) {
		const name = load<u32>(level.names + (position << 2));
		const start = starts + ((<usize>name) << 2);
		const at = load<u32>(start);
		store<u32>(start, at + 1);
		store<u32>(level.list + ((<usize>at) << 2), <u32>position);
	}
	// Each start is now its name's end, which is the next one's start: shifting them by one name restores them, without a second list.
	for (let name: usize = used; name > 0; name--)
		store<u32>(starts + (name << 2), load<u32>(starts + ((name - 1) << 2)));
	store<u32>(starts, 0);
}

/**
 * False where the last literal of a wildcard tail cannot stand after the bytes that the literals in front of it take from `at` on.
 * May be true in any case.
 */
export function lastFits(tail: usize, at: usize, end: usize): bool {
	if (!indexed) return true;
	let next = tail + 1;
	let text: usize = 0;
	let length: usize = 0;
	let count = readVarint(next);
	for (next = varintEnd; count; count--) {
		const lengthAndForms = readVarint(next);
		// One of two forms may be shorter.
		if (lengthAndForms & 1) return true;
		at += length;
		text = varintEnd;
		length = lengthAndForms >> 1;
		next = text + length;
	}
	if (at + length > end) return false;
	if (length == 0) return true;
	if (load<u8>(tail) & WILD_ANCHORED) return equal(end - length, text, length);
	const exact = exactOf(<u32>length);
	const level =
		exact && changetype<Level>(exact).state == MADE
			? changetype<Level>(exact)
			: levelOf(min<u32>(31 - clz(<u32>length), WORD_LEVEL));
	if (level.state != MADE) return true;
	const window = length - level.width;
	const name = nameOf(level, text + window);
	if (name == NONE) return false;
	return indexed + load<u32>(endOf(level, name) - 4) >= at + window;
}
