/**
 * Entries: the texts by which rules are found, a prefix or a needle each, sorted for the tree. compile.ts collects them from the ranked
 * rules, and tables.ts and emit.ts walk them in order. Texts may be read some bytes past their ends, as they lie in padded memory.
 */
import {
	beginSort,
	continueSort,
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
export const FEW: u32 = 20;

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
	beginSortEntries(sorted, count, spare, depth);
	continueSortEntries(<u32>i32.MAX_VALUE);
}

/** The entries that are being sorted, and the two keyed lists that it takes; pending ranges lie from `pending` to `top`. */
let sorting: usize = 0;
let list: usize = 0;
let other: usize = 0;
let pending: usize = 0;

/** Begins what `sortEntries` does; `continueSortEntries` goes on. One list at a time. */
export function beginSortEntries(
	sorted: usize,
	count: u32,
	spare: usize,
	depth: u32,
): void {
	sorting = sorted;
	list = spare;
	other = list + ((<usize>count) << 3);
	pending = other + ((<usize>count) << 3);
	top = pending;
	longPhase = NO_PHASE;
	push(0, count, depth);
}

/** Goes on with about `most` entries; whether there is more to do. A range of more is sorted in phases of that many. */
export function continueSortEntries(most: u32): bool {
	let left = <i32>most;
	while (longPhase != NO_PHASE || top > pending) {
		if (left <= 0) return true;
		if (longPhase != NO_PHASE) {
			sortLong(most);
			left -= <i32>most;
			continue;
		}
		top -= offsetof<PendingRange>();
		const range = changetype<PendingRange>(top);
		const first = range.first;
		const size = range.count;
		const depth = range.depth;
		if (size > most || depth >= BY_RANK) {
			beginLong(first, size, depth);
			continue;
		}
		if (size <= FEW) {
			insertEntries(sorting, first, first + size, depth);
			left -=
				most < ALL_ENTRIES
					? <i32>comparedBytes(sorting, first, size, depth)
					: 1;
			continue;
		}
		for (let i: u32 = 0; i < size; i++) {
			const entry = entryAt(sorting, first + i);
			setKeyed(list, i, chunkOf(entry, depth), changetype<usize>(entry));
		}
		sortKeyed(list, size, other);
		for (let i: u32 = 0; i < size; i++)
			setPointer(sorting, first + i, keyedPointer(list, i));
		sortEqualKeys(sorting, first, size, depth, list, other);
		left -= <i32>size;
	}
	return false;
}

/** From as many on, nothing is counted: it all is done in one go. */
export const ALL_ENTRIES: u32 = 1 << 24;

/** How many entries an insertion counts for: long texts that are alike take as long to compare as they are. */
export function comparedBytes(
	sorted: usize,
	first: u32,
	size: u32,
	depth: u32,
): u32 {
	let bytes: u64 = 0;
	for (let i: u32 = 0; i < size; i++)
		bytes += entryAt(sorted, first + i).length - depth;
	return size + <u32>(bytes >> 5);
}

/** What happens next to the entries from `longAt` on of a range that is too long for one go. */
const NO_PHASE: u32 = 0;
const MAKE_KEYS: u32 = 1;
const SORT_KEYS: u32 = 2;
const SET_POINTERS: u32 = 3;
const FIND_EQUAL: u32 = 4;
let longPhase: u32 = NO_PHASE;
let longAt: u32 = 0;
let longFirst: u32 = 0;
let longSize: u32 = 0;
/** The bytes that its texts share, or by what equal texts are sorted: no text is as long as that. */
let longDepth: u32 = 0;
const BY_RANK: u32 = u32.MAX_VALUE - 1;
const BY_BYTE: u32 = u32.MAX_VALUE;

function beginLong(first: u32, size: u32, depth: u32): void {
	longPhase = MAKE_KEYS;
	longAt = 0;
	longFirst = first;
	longSize = size;
	longDepth = depth;
}

function longKeyOf(entry: Entry): u32 {
	if (longDepth == BY_RANK) return ~entry.rule.rank;
	if (longDepth == BY_BYTE) return entry.rule.requiredByte;
	return chunkOf(entry, longDepth);
}

function sortLong(most: u32): void {
	const end = min<u32>(longSize, longAt + most);
	if (longPhase == MAKE_KEYS) {
		for (; longAt < end; longAt++) {
			const entry = entryAt(sorting, longFirst + longAt);
			setKeyed(list, longAt, longKeyOf(entry), changetype<usize>(entry));
		}
		if (end < longSize) return;
		beginSort(list, longSize, other);
		longPhase = SORT_KEYS;
	} else if (longPhase == SORT_KEYS) {
		if (continueSort(most)) return;
		longAt = 0;
		longPhase = SET_POINTERS;
	} else if (longPhase == SET_POINTERS) {
		for (; longAt < end; longAt++)
			setPointer(sorting, longFirst + longAt, keyedPointer(list, longAt));
		if (end < longSize) return;
		longAt = 0;
		longPhase = FIND_EQUAL;
		if (longDepth == BY_RANK) beginLong(longFirst, longSize, BY_BYTE);
		else if (longDepth == BY_BYTE) longPhase = NO_PHASE;
	} else {
		while (longAt < end) longAt = sortEqualKey(longAt, most);
		if (longAt == longSize) longPhase = NO_PHASE;
	}
}

/** The entries of the long range that have the key of the one at `begin`: as `sortEqualKeys`, of one key. Returns their end. */
function sortEqualKey(begin: u32, most: u32): u32 {
	const key = keyOf(list, begin);
	let end = begin + 1;
	while (end < longSize && keyOf(list, end) == key) end++;
	const size = end - begin;
	const first = longFirst + begin;
	if (size == 1) return end;
	if ((key & 255) > CHUNK) push(first, size, longDepth + CHUNK);
	else if (size > most) push(first, size, BY_RANK);
	else sortEqual(sorting, first, size, list + ((<usize>begin) << 3), other);
	return end;
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

/**
 * What collects or changes entries, below, goes over a range of rules or entries in a call, so that compile.ts can do so in steps. Between
 * the calls these hold: the entries that have been collected, where the next one goes, and the pointers to them.
 */
let collected: u32 = 0;
let nextEntry: usize = 0;
let pointers: usize = 0;
/** Of the last entries: the first of those with the same text, and that text. */
let runFirst: u32 = 0;
let runText: usize = 0;
let runLength: u32 = 0;

export function beginCollecting(entry: usize, sorted: usize): void {
	collected = 0;
	nextEntry = entry;
	pointers = sorted;
}

export function collectedCount(): u32 {
	return collected;
}

function collect(text: usize, length: u32, rule: Rule): void {
	setEntry(nextEntry, text, length, rule);
	setPointer(pointers, collected++, nextEntry);
	nextEntry += ENTRY_SIZE;
}

/** Collects the entries of wildcard rules with a prefix; returns whether there are enough for crowds. */
export function collectWildcards(rules: usize, from: u32, to: u32): bool {
	for (let i = from; i < to; i++) {
		const rule = ruleAt(rules, i);
		if (rule.kind == KIND_WILD && !rule.unanchored)
			collect(rule.prefix, rule.prefixLength, rule);
	}
	return collected > MAX_PREFIXED;
}

/** Notes the text of a sorted entry; returns how many entries in front of it have the same one. */
function placeInRun(index: u32, entry: Entry): u32 {
	if (
		index == 0 ||
		entry.length != runLength ||
		memory.compare(entry.text, runText, runLength) != 0
	) {
		runFirst = index;
		runText = entry.text;
		runLength = entry.length;
	}
	return index - runFirst;
}

/** Decides which wildcard rules with a prefix, sorted by it, are found by their needles, like unanchored patterns. */
export function unanchorCrowds(sorted: usize, from: u32, to: u32): void {
	for (let i = from; i < to; i++) {
		const entry = entryAt(sorted, i);
		const before = placeInRun(i, entry);
		if (before < MAX_PREFIXED) continue;
		entry.rule.unanchored = true;
		if (before == MAX_PREFIXED)
			for (let first = runFirst; first < i; first++)
				entryAt(sorted, first).rule.unanchored = true;
	}
}

function setEntry(entry: usize, text: usize, length: u32, rule: Rule): void {
	const target = changetype<Entry>(entry);
	target.text = text;
	target.length = length;
	target.rule = rule;
}

/** The best encoded rank among entries. */
export function bestRank(sorted: usize, from: u32, to: u32): u32 {
	let best: u32 = 0;
	for (let i = from; i < to; i++)
		best = max(best, entryAt(sorted, i).rule.rank);
	return best;
}

/** Collects the entries of the prefix code; the best rule that matches every path goes to `code` instead. */
export function collectPrefixes(rules: usize, from: u32, to: u32): void {
	let always = code.always;
	for (let i = from; i < to; i++) {
		const rule = ruleAt(rules, i);
		if (rule.unanchored) continue;
		if (rule.kind == KIND_PREFIX && rule.prefixLength <= 1)
			always = max(always, rule.rank);
		else collect(rule.prefix, rule.prefixLength, rule);
	}
	code.always = always;
}

/** Collects the entries of the unanchored patterns, two for a needle with two forms. */
export function collectNeedles(rules: usize, from: u32, to: u32): void {
	for (let i = from; i < to; i++) {
		const rule = ruleAt(rules, i);
		if (!rule.unanchored) continue;
		const wildcard = rule.wildcard;
		const length = wildcard.literalLength - wildcard.needleOffset;
		wildcard.single = isSingle(rule, length);
		// Rules are tried where their needle is for the first time in a path: what is required comes after it.
		rule.requiredByte = wildcard.laterByte;
		collect(
			wildcard.literal + wildcard.needleOffset,
			wildcard.single ? length : min(length, MAX_NEEDLE),
			rule,
		);
		if (wildcard.queryLiteral)
			collect(
				wildcard.queryLiteral,
				min(wildcard.queryLiteralLength, MAX_NEEDLE),
				rule,
			);
	}
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

/** Replaces sorted needles that lead to long lists by longer ones: all rules of a list are tried wherever the needle occurs. */
export function lengthenSharedNeedles(sorted: usize, from: u32, to: u32): bool {
	let changed = false;
	for (let i = from; i < to; i++) {
		const entry = entryAt(sorted, i);
		const before = placeInRun(i, entry);
		if (before < MAX_SHARED_NEEDLE) continue;
		if (before == MAX_SHARED_NEEDLE)
			for (let first = runFirst; first < i; first++)
				changed = lengthen(entryAt(sorted, first)) || changed;
		changed = lengthen(entry) || changed;
	}
	return changed;
}

function lengthen(entry: Entry): bool {
	const wildcard = entry.rule.wildcard;
	if (!wildcard.single) return false;
	wildcard.single = wildcard.literalLength <= MAX_SINGLE_NEEDLE;
	entry.text = wildcard.literal;
	entry.length = wildcard.single ? wildcard.literalLength : MAX_NEEDLE;
	return true;
}

/** Kinds of the last text's patterns that were kept. */
let seen: u32 = 0;

/**
 * Drops rules that cannot win: of rules with the same single literal only the best can. Those of [from, to) that are left follow the first
 * `kept`; returns how many there are then.
 */
export function dropRepeated(
	sorted: usize,
	from: u32,
	to: u32,
	kept: u32,
): u32 {
	// Of equal texts the best rank comes first; four kinds of pattern can share a whole literal.
	for (let i = from; i < to; i++) {
		const entry = entryAt(sorted, i);
		if (placeInRun(i, entry) == 0) seen = 0;
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

/** More entries than this of prefixes that begin alike are rid of those that cannot win, as their code would be one long list. */
export const MANY_PREFIXES: u32 = 4000;

/** As `dropRepeated`, for sorted prefixes: of equal plain ones only the best counts, and of equal ones with "$". */
export function dropCovered(sorted: usize, from: u32, to: u32, kept: u32): u32 {
	for (let i = from; i < to; i++) {
		const entry = entryAt(sorted, i);
		if (placeInRun(i, entry) == 0) seen = 0;
		if (entry.rule.kind != KIND_WILD) {
			const kind: u32 = 1 << entry.rule.kind;
			if (seen & kind) continue;
			seen |= kind;
		}
		setPointer(sorted, kept++, changetype<usize>(entry));
	}
	return kept;
}
