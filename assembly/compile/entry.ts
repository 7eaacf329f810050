import {
	keyedPointer,
	keyOf,
	pointerAt,
	setKeyed,
	setPointer,
	sortKeyed,
} from "../bytes/sort";
import { Rule } from "./rule";

/** A text in the tree, and the rule that it leads to. */
@unmanaged
export class Entry {
	text: usize;
	length: u32;
	rule: Rule;
	/** Hash of its key (jump-table.ts). */
	hash: u32;
}

export const ENTRY_SIZE: usize = 16;

/** Bytes of working memory for each entry that is sorted: two keyed lists and a pending range. */
export const SORT_SIZE: usize = 8 + 8 + 12;

/** Up to this many entries, comparing texts is faster than a radix sort. */
const FEW: u32 = 20;

export function entryAt(entries: usize, index: u32): Entry {
	return changetype<Entry>(pointerAt(entries, index));
}

export function sameText(a: Entry, b: Entry): bool {
	return a.length == b.length && memory.compare(a.text, b.text, a.length) == 0;
}

/**
 * Sorts entries by text, then by required byte, then by rank, the best first. Their texts share `depth` bytes. `spare` has SORT_SIZE
 * bytes for each.
 */
export function sortEntries(
	sorted: usize,
	count: u32,
	spare: usize,
	depth: u32,
): void {
	if (count <= FEW) {
		insertEntries(sorted, 0, count, depth);
		return;
	}
	const list = spare;
	const other = list + ((<usize>count) << 3);
	const pending = other + ((<usize>count) << 3);
	top = pending;
	push(0, count, depth);
	while (top > pending) {
		top -= offsetof<PendingRange>();
		const range = changetype<PendingRange>(top);
		const first = range.first;
		const size = range.count;
		const depth = range.depth;
		if (size <= FEW) {
			insertEntries(sorted, first, first + size, depth);
			continue;
		}
		for (let i: u32 = 0; i < size; i++) {
			const entry = entryAt(sorted, first + i);
			setKeyed(list, i, chunkOf(entry, depth), changetype<usize>(entry));
		}
		sortKeyed(list, size, other);
		for (let i: u32 = 0; i < size; i++)
			setPointer(sorted, first + i, keyedPointer(list, i));
		sortEqualKeys(sorted, first, size, depth, list, other);
	}
}

/** Entries that are still to be sorted. */
@unmanaged
class PendingRange {
	first: u32;
	count: u32;
	/** Bytes that their texts share. */
	depth: u32;
}

/** End of the stack of pending ranges. */
let top: usize = 0;

function push(first: u32, count: u32, depth: u32): void {
	const range = changetype<PendingRange>(top);
	range.first = first;
	range.count = count;
	range.depth = depth;
	top += offsetof<PendingRange>();
}

/** Bytes of a text in one sort key. */
const CHUNK: u32 = 3;

/** The next three bytes of a text and, to tell an end from a NUL, how many there are: 4 where the text goes on. */
function chunkOf(entry: Entry, depth: u32): u32 {
	const left = entry.length - depth;
	const bytes = bswap(load<u32>(entry.text + depth)) & 0xffffff00;
	if (left > CHUNK) return bytes | (CHUNK + 1);
	return (bytes & ~(<u32>(<u64>0xffffffff >> (left << 3)))) | left;
}

/** Ranges of equal keys: pushed if their texts continue, sorted by required byte and rank if their texts are equal. */
function sortEqualKeys(
	sorted: usize,
	first: u32,
	size: u32,
	depth: u32,
	list: usize,
	spare: usize,
): void {
	for (let begin: u32 = 0; begin < size; ) {
		const key = keyOf(list, begin);
		let end = begin + 1;
		while (end < size && keyOf(list, end) == key) end++;
		if (end - begin > 1) {
			if ((key & 255) > CHUNK) push(first + begin, end - begin, depth + CHUNK);
			else
				sortEqual(
					sorted,
					first + begin,
					end - begin,
					list + ((<usize>begin) << 3),
					spare,
				);
		}
		begin = end;
	}
}

function sortEqual(
	sorted: usize,
	first: u32,
	count: u32,
	list: usize,
	spare: usize,
): void {
	for (let i: u32 = 0; i < count; i++) {
		const entry = entryAt(sorted, first + i);
		setKeyed(list, i, ~entry.rule.rank, changetype<usize>(entry));
	}
	sortKeyed(list, count, spare);
	for (let i: u32 = 0; i < count; i++) {
		const entry = keyedPointer(list, i);
		setKeyed(list, i, changetype<Entry>(entry).rule.requiredByte, entry);
	}
	sortKeyed(list, count, spare);
	for (let i: u32 = 0; i < count; i++)
		setPointer(sorted, first + i, keyedPointer(list, i));
}

/**
 * Sorts entries [first, end), whose texts share `depth` bytes, by comparing them. Keeping eight bytes of each beside its pointer takes
 * as long.
 */
function insertEntries(sorted: usize, first: u32, end: u32, depth: u32): void {
	for (let i = first + 1; i < end; i++) {
		const entry = entryAt(sorted, i);
		let hole = i;
		for (
			;
			hole > first && follows(entryAt(sorted, hole - 1), entry, depth);
			hole--
		)
			setPointer(sorted, hole, pointerAt(sorted, hole - 1));
		setPointer(sorted, hole, changetype<usize>(entry));
	}
}

/** Whether `a` belongs behind `b`. */
function follows(a: Entry, b: Entry, depth: u32): bool {
	const shorter = min(a.length, b.length);
	for (let at = depth; at < shorter; at += 8) {
		const left = bswap(load<u64>(a.text + at)),
			right = bswap(load<u64>(b.text + at));
		if (left == right) continue;
		if (at + (<u32>clz(left ^ right) >> 3) >= shorter) break;
		return left > right;
	}
	if (a.length != b.length) return a.length > b.length;
	const left = a.rule,
		right = b.rule;
	if (left.requiredByte != right.requiredByte)
		return left.requiredByte > right.requiredByte;
	return left.rank < right.rank;
}
