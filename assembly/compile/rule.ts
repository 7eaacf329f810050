import {
	COMPILE_GOOGLE,
	FILTER_DEPTH,
	RULE_ALLOW,
	RULE_ANCHORED,
	RULE_SUPREME,
	WILD_AFTER_SLASH,
	WILD_ANCHORED,
} from "../format/program";
import { copyPlain, normalise, escapedLength } from "../url/normalise";
import { find } from "../bytes/scan";

/**
 * A rule while it is compiled. Texts are in normal form.
 *
 * `prefix` is the text up to the first "*". A wildcard rule has a `tail` for what follows (see `matchBody`), and a needle: the end of
 * one of its literals, the part that paths are least likely to contain.
 */
@unmanaged
export class Rule {
	prefix: usize;
	prefixLength: u32;
	kind: u32;
	/** A wildcard rule that is found by its needle, not by its prefix. */
	unanchored: bool;
	allow: u32;
	/** The rarest byte of the literals; 0 if one has two forms. */
	requiredByte: u32;
	/** Bytes that count for precedence. */
	length: u32;
	/** Encoded rank, once ranked. */
	rank: u32;
	/** Number of its source in the file. */
	source: u32;
	tail: usize;
	tailLength: u32;
	/** Number of literals in the tail. */
	literals: u32;
	/** The literal that ends with the needle, and the needle's offset in it. */
	literal: usize;
	literalLength: u32;
	needleOffset: u32;
	/** The same literal as the query may have it, or 0. */
	queryLiteral: usize;
	queryLiteralLength: u32;
}

/** The rule at an index of a list of rules. */
export function ruleAt(rules: usize, index: u32): Rule {
	return changetype<Rule>(rules + <usize>index * offsetof<Rule>());
}

/** Some text of the rules read since `resetCuts` can match a part of an escape: "%C", or "9" behind a "*". */
export let cutsEscapes: bool = false;

export function resetCuts(): void {
	cutsEscapes = false;
}

function isHexDigit(byte: u32): bool {
	return byte - 0x30 < 10 || byte - 0x41 < 6;
}

function noteCuts(from: usize, to: usize, behindStar: bool): void {
	if (from == to) return;
	const last: u32 = load<u8>(to - 1);
	cutsEscapes =
		cutsEscapes ||
		last == PERCENT ||
		(to - from > 1 && load<u8>(to - 2) == PERCENT && isHexDigit(last)) ||
		(behindStar && isHexDigit(load<u8>(from)));
}

/** Can match no path: the google dialect takes text literally that does not begin with "/". */
export const KIND_NEVER: u32 = 0;
export const KIND_PREFIX: u32 = 1;
export const KIND_PREFIX_END: u32 = 2;
export const KIND_WILD: u32 = 3;

const STAR: u32 = 0x2a;
const QUESTION_MARK: u32 = 0x3f;
const DOLLAR: u32 = 0x24;
const SLASH: u32 = 0x2f;
const PERCENT: u32 = 0x25;
const DOT: u32 = 0x2e;

/** Bytes of arena that `readRule` may use for a pattern of a given length: escapes, both forms, lengths. */
export function arenaFor(length: u32): u64 {
	return <u64>length * 12 + 32;
}

/** Fills in everything but rank and source, writing texts from `arena` on; returns the end of what it used. */
export function readRule(
	rule: Rule,
	text: usize,
	length: usize,
	flags: u32,
	compileFlags: u32,
	table: usize,
	arena: usize,
): usize {
	const google = (compileFlags & COMPILE_GOOGLE) != 0;
	const first: u32 = length ? load<u8>(text) : 0;
	let end = text + length;
	let anchored = (flags & RULE_ANCHORED) != 0;
	let counted: u32 = anchored ? 1 : 0;
	rule.allow = flags & RULE_ALLOW;
	rule.kind = KIND_NEVER;
	if (length && !anchored && load<u8>(end - 1) == DOLLAR) {
		anchored = true;
		counted = 1;
		end--;
	}
	if (google) {
		if (length && first != SLASH && first != STAR) return arena;
	} else if (!anchored) {
		// A trailing "*" is ignored, for precedence too.
		while (end > text && load<u8>(end - 1) == STAR) end--;
	}

	rule.prefix = arena;
	if (!google && first != SLASH && first != STAR) store<u8>(arena++, SLASH);
	let at = find(STAR, text, end);
	if (copyPlain(text, at, arena) == at) {
		arena += at - text;
		rule.prefixLength = <u32>(arena - rule.prefix);
		counted += rule.prefixLength;
	} else {
		arena = normalise(table, text, at, arena, false);
		rule.prefixLength = <u32>(arena - rule.prefix);
		counted += escapedLength(table, rule.prefix, arena);
	}
	noteCuts(rule.prefix, arena, false);

	const wild = at < end;
	const literals = countLiterals(at, end);
	if (wild && load<u8>(end - 1) == STAR) anchored = false;
	rule.literals = literals;
	rule.tail = arena;
	store<u8>(
		arena++,
		(anchored ? WILD_ANCHORED : 0) | (rule.prefixLength ? WILD_AFTER_SLASH : 0),
	);
	arena = storeVarint(arena, literals);
	bestWeight = -1;
	rule.requiredByte = 0;
	let twoForms = false;
	rule.literalLength = 0;
	rule.queryLiteral = 0;
	rule.queryLiteralLength = 0;
	let query = wild && find(QUESTION_MARK, text, at) < at;
	while (at < end) {
		// `at` is a "*".
		counted++;
		const from = at + 1;
		at = find(STAR, from, end);
		if (from == at) continue;
		// Room for the length, which is known afterwards.
		const written = arena + 5;
		const plain = copyPlain(from, at, written) == at;
		const writtenEnd = plain
			? written + (at - from)
			: normalise(table, from, at, written, query);
		const size = writtenEnd - written;
		counted += plain ? <u32>size : escapedLength(table, written, writtenEnd);
		noteCuts(written, writtenEnd, true);
		let differs = false;
		const other = writtenEnd;
		let otherSize: usize = 0;
		if (!query && !plain) {
			otherSize = normalise(table, from, at, other, true) - other;
			differs = otherSize != size || memory.compare(other, written, size) != 0;
		}
		query = query || find(QUESTION_MARK, from, at) < at;
		arena = storeVarint(arena, <u32>((size << 1) | (differs ? 1 : 0)));
		// Nearer to the front by at most four bytes, and the query form behind it likewise.
		memory.copy(arena, written, size + otherSize);
		const literal = arena;
		arena += size;
		let queryLiteral: usize = 0;
		if (differs) {
			twoForms = true;
			memory.copy(arena + 5, arena, otherSize);
			const lengthEnd = storeVarint(arena, <u32>otherSize);
			memory.copy(lengthEnd, arena + 5, otherSize);
			queryLiteral = lengthEnd;
			arena = lengthEnd + otherSize;
		}
		chooseNeedle(rule, literal, <u32>size, queryLiteral, <u32>otherSize);
	}
	if (twoForms) rule.requiredByte = 0;
	rule.tailLength = <u32>(arena - rule.tail);
	rule.length = flags & RULE_SUPREME ? u32.MAX_VALUE : counted;
	rule.unanchored = literals > 0 && rule.prefixLength <= 1;
	rule.kind = literals
		? KIND_WILD
		: anchored && !wild
			? KIND_PREFIX_END
			: KIND_PREFIX;
	return arena;
}

function countLiterals(at: usize, end: usize): u32 {
	let count: u32 = 0;
	while (at < end) {
		const from = at + 1;
		at = find(STAR, from, end);
		if (from != at) count++;
	}
	return count;
}

export function storeVarint(to: usize, value: u32): usize {
	while (value > 127) {
		store<u8>(to++, (value & 127) | 128);
		value >>= 7;
	}
	store<u8>(to, value);
	return to + 1;
}

/**
 * How rare each byte from " " to "~" is in the paths of real URLs: -log2 of its frequency, 15 at most. Counted over
 * 111,000 URLs of 1,225 sites; other bytes count as 15.
 */
const RARITY = memory.data<u8>([
	15, 15, 15, 15, 15, 8, 9, 15, 15, 15, 15, 10, 12, 4, 7, 4, 7, 6, 7, 8, 8, 8,
	8, 8, 7, 7, 12, 15, 15, 8, 15, 8, 15, 9, 9, 9, 9, 10, 10, 11, 10, 10, 12, 11,
	11, 10, 10, 11, 10, 12, 11, 9, 10, 11, 11, 11, 12, 12, 12, 15, 15, 15, 15, 8,
	15, 4, 6, 5, 5, 4, 6, 6, 5, 4, 9, 7, 5, 5, 4, 4, 5, 10, 4, 4, 4, 6, 7, 7, 8,
	6, 9, 15, 12, 15, 15,
]);

function rarity(byte: u32): i32 {
	return byte - 32 < 95 ? <i32>load<u8>(RARITY + byte - 32) : 15;
}

/** Weight of the best needle so far. */
let bestWeight: i32 = -1;

/**
 * Takes the literal's end, from its rarest three bytes on, as the rule's needle if it is better than the one before. The first byte
 * counts more, as the prefilter tests both of its nibbles: a third fewer positions pass. The extension of a file name counts less,
 * as the paths of a site share it: a fifth fewer positions have code to run.
 */
function chooseNeedle(
	rule: Rule,
	literal: usize,
	length: u32,
	queryLiteral: usize,
	queryLiteralLength: u32,
): void {
	let offset: u32 = 0;
	let weight: i32 = -1;
	let extension: i32 = 0;
	for (let i: u32 = 0; i < length; i++) {
		const byte: u32 = load<u8>(literal + i);
		if (!rule.requiredByte || rarity(byte) > rarity(rule.requiredByte))
			rule.requiredByte = byte;
		// If the needle is too short for the prefilter, only its first byte is tested.
		if (i && i + FILTER_DEPTH > length) continue;
		if (byte == DOT) extension = 16;
		let sum = 2 * rarity(byte) - extension;
		for (let j = i; j < min(i + FILTER_DEPTH, length); j++)
			sum += 3 * rarity(load<u8>(literal + j));
		if (sum > weight) {
			weight = sum;
			offset = i;
		}
	}
	// A literal with two forms is searched as a whole.
	if (queryLiteral) {
		weight = 0;
		offset = 0;
	}
	if (weight <= bestWeight) return;
	bestWeight = weight;
	rule.literal = literal;
	rule.literalLength = length;
	rule.needleOffset = offset;
	rule.queryLiteral = queryLiteral;
	rule.queryLiteralLength = queryLiteral ? queryLiteralLength : 0;
}
