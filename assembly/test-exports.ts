/**
 * Parts of the modules by themselves, for test/units only: the tests write items into linear memory and read them back.
 */
import { limitSize } from "./bytes/budget";
import { Entry } from "./compile/entry";
import { KIND_PREFIX, Rule } from "./compile/rule";
import { JUMP_SHORT } from "./format/program";
import {
	Candidate,
	listKey,
	listShort,
	shortSet,
	slotShift,
} from "./match/candidates";
import { PathSpan } from "./match/path-spans";
import { runCandidates } from "./match/run";
import {
	add,
	firstGroup,
	HashTable,
	hasFree,
	initialise,
	itemAt,
	itemIn,
	likeIn,
	nextGroup,
	nextSlot,
	remove,
	reserve,
	TABLE_HEAD,
} from "./sites/hash-table";

export { allocate, release } from "./bytes/memory";
export { sortKeyed } from "./bytes/sort";
export { sortEntries, sortBySlot } from "./compile/entry";
export { buildFilter } from "./compile/filter";
export { emitJumpTable } from "./compile/jump-table";

/** A new entry of `length` bytes at `text`, with a rule of its own; 0 when there is no memory. */
export function makeEntry(
	text: usize,
	length: u32,
	requiredByte: u32,
	rank: u32,
	slot: u32,
): usize {
	const rule = changetype<Rule>(heap.alloc(offsetof<Rule>()));
	rule.kind = KIND_PREFIX;
	rule.requiredByte = requiredByte;
	rule.rank = rank;
	const entry = changetype<Entry>(heap.alloc(offsetof<Entry>()));
	entry.text = text;
	entry.length = length;
	entry.rule = rule;
	entry.slot = slot;
	return changetype<usize>(entry);
}

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

const table = changetype<HashTable>(memory.data(TABLE_HEAD));

/** The hash of an item stands in it. */
function hashOf(item: usize): u32 {
	return load<u32>(item);
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

/** Whether probing for its hash comes to an item. */
export function tableHas(item: usize): bool {
	const hash = hashOf(item);
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

/** The sum of all items that a walk comes to. */
export function tableWalk(): u64 {
	let sum: u64 = 0;
	for (let slot = nextSlot(table, 0); slot; slot = nextSlot(table, slot))
		sum += itemAt(slot);
	return sum;
}
