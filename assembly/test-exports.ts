/**
 * Parts of the modules by themselves, for test/units only: the tests write items into linear memory and read them back.
 */
import { limitSize } from "./bytes/budget";
import { Entry } from "./compile/entries";
import { clearInstructions, code, prefixPart } from "./compile/instructions";
import { KIND_PREFIX, Rule } from "./compile/rule";
import { beginPart, emitSlots, jumpTableSize } from "./compile/tables";
import { writeProgram } from "./compile/write-program";
import { JUMP_SHORT } from "./format/program";
import {
	Candidate,
	listKey,
	listShort,
	PathSpan,
	shortSet,
	slotShift,
} from "./match/path-spans";
import { runCandidates } from "./match/run";
import {
	add,
	firstGroup,
	hasFree,
	HashTable,
	initialise,
	isGrowing,
	itemAt,
	itemIn,
	likeIn,
	nextGroup,
	previousOf,
	remove,
	replace,
	reserve,
	slotsEnd,
	slotsFrom,
	TABLE_HEAD,
} from "./sites/hash-table";
import { programs } from "./sites/programs";
import { spareBits, symbols } from "./sites/string-table";
import { choiceAt, hexValue, tableAt } from "./url/normalise";

export { allocate, growPages, release } from "./bytes/memory";
export { sortKeyed, sortSpread } from "./bytes/sort";
export { sortEntries } from "./compile/entries";
export { buildFilter } from "./compile/tables";
export { keepProgram } from "./sites/programs";

/** What the modules' tables have, for a byte, code or set. */
export function classOf(table: u32, byte: u32): u32 {
	return load<u8>(tableAt(table) + byte);
}

export function hexValueOf(byte: u32): u32 {
	return hexValue(byte);
}

export function choiceOf(set: u32): u64 {
	return load<u64>(choiceAt(set));
}

export function symbolOf(code: u32): u64 {
	return load<u64>(symbols + ((<usize>code) << 3));
}

export function spareBitsOf(code: u32): u32 {
	return <u32>spareBits(code);
}

/** A new entry of `length` bytes at `text`, with a rule of its own; 0 when there is no memory. */
export function makeEntry(
	text: usize,
	length: u32,
	requiredByte: u32,
	rank: u32,
): usize {
	const rule = changetype<Rule>(heap.alloc(offsetof<Rule>()));
	rule.kind = KIND_PREFIX;
	rule.requiredByte = <u8>requiredByte;
	rule.rank = rank;
	const entry = changetype<Entry>(heap.alloc(offsetof<Entry>()));
	entry.text = text;
	entry.length = length;
	entry.rule = rule;
	return changetype<usize>(entry);
}

/** The program of entries for prefixes, until the next one; 0 when there is no memory. `spare` has SORT_SIZE bytes for each. */
export function makeProgram(entries: usize, count: u32, spare: usize): usize {
	const room = heap.alloc(jumpTableSize(count));
	clearInstructions();
	code.filter = 0;
	beginPart(prefixPart, entries, count, spare, room, false);
	emitSlots(i32.MAX_VALUE);
	const program = writeProgram();
	heap.free(room);
	return program;
}

/** One path and its candidates, in place of the lists that a batch has. */
const span = changetype<PathSpan>(memory.data(offsetof<PathSpan>()));
const candidates = memory.data(2 * offsetof<Candidate>());

/** The best rank that the jump table of a program's prefixes, at `table`, and its code give the path [path, end). */
export function bestOf(
	program: usize,
	table: usize,
	path: usize,
	end: usize,
): u32 {
	span.path = <u32>path;
	span.end = <u32>end;
	span.best = 0;
	const address = changetype<usize>(span);
	let last = listKey(table, slotShift(table), address, path + 1, candidates);
	const short = load<u32>(table, JUMP_SHORT);
	if (short) last = listShort(shortSet(table), short, address, path + 1, last);
	runCandidates(program, candidates, last);
	return span.best;
}

/** An empty table of programs; false when there is no room. */
export function programsMake(limit: usize): bool {
	limitSize(limit);
	return initialise(programs);
}

export function programsCount(): u32 {
	return programs.count;
}

/** A table by itself, whose items are any memory of a test, from a multiple of 16 on. */
const table = changetype<HashTable>(memory.data(TABLE_HEAD));

/** How often a hash was asked for: work that grows with the items that are moved. */
let hashes: u32 = 0;

/** The hash of an item stands in it. */
function hashOf(item: usize): u32 {
	hashes++;
	return load<u32>(item);
}

export function tableHashes(): u32 {
	return hashes;
}

/** Makes room for `more` items; false if there is none. */
export function tableReserve(more: u32): bool {
	return reserve(table, more, hashOf);
}

export function tableMake(limit: usize): bool {
	limitSize(limit);
	table.count = 0;
	return initialise(table);
}

export function tableAdd(item: usize): bool {
	if (!reserve(table, 1, hashOf)) return false;
	add(table, item, hashOf(item));
	return true;
}

export function tableRemove(item: usize): void {
	remove(table, item, hashOf(item), hashOf);
}

/** Puts an item in the place of another one with the same hash. */
export function tableReplace(item: usize, by: usize): void {
	replace(table, item, by, hashOf(item));
}

/** Whether probing for its hash comes to an item. */
export function tableHas(item: usize): bool {
	return (
		isIn(table, item) || (isGrowing(table) && isIn(previousOf(table), item))
	);
}

function isIn(table: HashTable, item: usize): bool {
	const hash = load<u32>(item);
	let group = firstGroup(table, hash);
	while (true) {
		for (let like = likeIn(group, hash); like; like &= like - 1)
			if (itemIn(group, like) == item) return true;
		if (hasFree(group)) return false;
		group = nextGroup(table, group);
	}
}

export function tableCount(): u32 {
	return table.count;
}

export function tableSlots(): u32 {
	return table.mask + 1;
}

/** The sum of all items in the table's slots. */
export function tableWalk(): u64 {
	return sumOf(false) + sumOf(true);
}

function sumOf(previous: bool): u64 {
	let sum: u64 = 0;
	const end = slotsEnd(table, previous);
	for (let slot = slotsFrom(table, previous); slot < end; slot += 4)
		sum += itemAt(slot);
	return sum;
}
