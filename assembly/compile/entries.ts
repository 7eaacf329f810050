import { Entry, entryAt, ENTRY_SIZE, sameText, sortEntries } from "./entry";
import { code } from "./instructions";
import { KIND_PREFIX, KIND_WILD, Rule, ruleAt } from "./rule";
import { setPointer } from "../bytes/sort";

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
 * behind a prefix were a fifth slower: most paths contain some literal, few begin with that prefix.
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
