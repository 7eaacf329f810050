/**
 * Entries: the texts by which rules are found, a prefix or a needle each, sorted for the tree. compile.ts collects them from the ranked
 * rules, and tables.ts and emit.ts walk them in order. Texts may be read some bytes past their ends, as they lie in padded memory.
 */
import {
	keyedPointer,
	keyOf,
	pointerAt,
	setKeyed,
	setPointer,
	sortKeyed,
} from "../bytes/sort";
import { code } from "./instructions";
import { KIND_PREFIX, KIND_WILD, Rule, ruleAt } from "./rule";

/** A text in the tree, and the rule that it leads to. */
@unmanaged
export class Entry {
	text: usize;
	length: u32;
	rule: Rule;
	/** Hash of its key (tables.ts). */
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
		// By rank first and then by byte: sorting is stable, so that within a byte the best rank stays in front.
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

/** Whether `a` comes after `b`. */
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

/** A needle shared by more rules than this is replaced by the whole literal, so that lists stay short. */
const MAX_SHARED_NEEDLE: u32 = 8;

/**
 * Bytes of a needle. At each position of a path the code passes all needles that it has there, "aa", "aaa", "aaaa" and so on: their
 * length bounds the time for a position, which for 1,000 such rules was that of 1,000 comparisons. Where a needle alone does not
 * decide, fewer bytes are enough: its rules are tried once for each path.
 */
const MAX_SINGLE_NEEDLE: u32 = 16;
const MAX_NEEDLE: u32 = 8;
/** Most bytes of a single literal: they are compared wherever its needle is. */
const MAX_SINGLE_LITERAL: u32 = 64;

/**
 * Wildcard rules of a prefix with more of them than this are found by their literals, all at once. At 8, sites with 25 to 50 rules
 * of one prefix were a fifth slower: most paths contain some literal, few begin with that prefix.
 */
const MAX_PREFIXED: u32 = 64;

/** Decides which wildcard rules with a prefix are found by their needles, like unanchored patterns. */
export function unanchorCrowds(
	live: u32,
	rules: usize,
	entry: usize,
	sorted: usize,
	spare: usize,
): void {
	let count: u32 = 0;
	for (let i: u32 = 0; i < live; i++) {
		const rule = ruleAt(rules, i);
		if (rule.kind != KIND_WILD || rule.unanchored) continue;
		setEntry(entry, rule.prefix, rule.prefixLength, rule);
		setPointer(sorted, count++, entry);
		entry += ENTRY_SIZE;
	}
	if (count <= MAX_PREFIXED) return;
	sortEntries(sorted, count, spare, 0);
	for (let first: u32 = 0; first < count; ) {
		const end = endOfEqual(sorted, first, count);
		const crowded = end - first > MAX_PREFIXED;
		for (; first < end; first++)
			entryAt(sorted, first).rule.unanchored = crowded;
	}
}

function setEntry(entry: usize, text: usize, length: u32, rule: Rule): void {
	const target = changetype<Entry>(entry);
	target.text = text;
	target.length = length;
	target.rule = rule;
}

/** The best encoded rank among entries. */
export function bestRank(sorted: usize, count: u32): u32 {
	let best: u32 = 0;
	for (let i: u32 = 0; i < count; i++)
		best = max(best, entryAt(sorted, i).rule.rank);
	return best;
}

/** Collects the entries of the prefix code; the best rule that matches every path goes to `code` instead. */
export function collectPrefixes(
	live: u32,
	rules: usize,
	entry: usize,
	sorted: usize,
): u32 {
	let count: u32 = 0;
	let always: u32 = 0;
	for (let i: u32 = 0; i < live; i++) {
		const rule = ruleAt(rules, i);
		if (rule.unanchored) continue;
		// "/" and the empty pattern match every path: a number in the header, and no code.
		if (rule.kind == KIND_PREFIX && rule.prefixLength <= 1) {
			always = max(always, rule.rank);
			continue;
		}
		setEntry(entry, rule.prefix, rule.prefixLength, rule);
		setPointer(sorted, count++, entry);
		entry += ENTRY_SIZE;
	}
	code.always = always;
	return count;
}

/** Collects the entries of the unanchored patterns, two for a needle with two forms. */
export function collectNeedles(
	live: u32,
	rules: usize,
	entry: usize,
	sorted: usize,
): u32 {
	let count: u32 = 0;
	for (let i: u32 = 0; i < live; i++) {
		const rule = ruleAt(rules, i);
		if (!rule.unanchored) continue;
		const wildcard = rule.wildcard;
		const length = wildcard.literalLength - wildcard.needleOffset;
		wildcard.single = isSingle(rule, length);
		// Rules are tried where their needle is for the first time in a path: what is required comes after it.
		rule.requiredByte = wildcard.laterByte;
		setEntry(
			entry,
			wildcard.literal + wildcard.needleOffset,
			wildcard.single ? length : min(length, MAX_NEEDLE),
			rule,
		);
		setPointer(sorted, count++, entry);
		entry += ENTRY_SIZE;
		if (wildcard.queryLiteral) {
			setEntry(
				entry,
				wildcard.queryLiteral,
				min(wildcard.queryLiteralLength, MAX_NEEDLE),
				rule,
			);
			setPointer(sorted, count++, entry);
			entry += ENTRY_SIZE;
		}
	}
	return count;
}

function isSingle(rule: Rule, needleLength: u32): bool {
	const wildcard = rule.wildcard;
	return (
		wildcard.literals == 1 &&
		wildcard.queryLiteral == 0 &&
		rule.prefixLength <= 1 &&
		needleLength <= MAX_SINGLE_NEEDLE &&
		wildcard.literalLength <= MAX_SINGLE_LITERAL
	);
}

/** End of the entries with the same text as the one at `first`. */
function endOfEqual(sorted: usize, first: u32, count: u32): u32 {
	const entry = entryAt(sorted, first);
	let end = first + 1;
	while (end < count && sameText(entry, entryAt(sorted, end))) end++;
	return end;
}

/** Replaces needles that lead to long lists by longer ones: all rules of a list are tried wherever the needle occurs. */
export function lengthenSharedNeedles(sorted: usize, count: u32): bool {
	let changed = false;
	for (let first: u32 = 0; first < count; ) {
		const end = endOfEqual(sorted, first, count);
		if (end - first > MAX_SHARED_NEEDLE) {
			for (; first < end; first++) {
				const entry = entryAt(sorted, first);
				const wildcard = entry.rule.wildcard;
				if (!wildcard.single) continue;
				wildcard.single = wildcard.literalLength <= MAX_SINGLE_NEEDLE;
				entry.text = wildcard.literal;
				entry.length = wildcard.single ? wildcard.literalLength : MAX_NEEDLE;
				changed = true;
			}
		}
		first = end;
	}
	return changed;
}

/** Drops rules that cannot win: of rules with the same single literal only the best can. */
export function dropRepeated(sorted: usize, count: u32): u32 {
	let kept: u32 = 0;
	// Of equal texts the best rank comes first; four kinds of pattern can share a whole literal.
	let seen: u32 = 0;
	for (let i: u32 = 0; i < count; i++) {
		const entry = entryAt(sorted, i);
		if (kept == 0 || !sameText(entry, entryAt(sorted, i - 1))) seen = 0;
		const wildcard = entry.rule.wildcard;
		if (wildcard.single && entry.length == wildcard.literalLength) {
			const kind: u32 = 1 << load<u8>(wildcard.tail);
			if (seen & kind) continue;
			seen |= kind;
		}
		setPointer(sorted, kept++, changetype<usize>(entry));
	}
	return kept;
}
