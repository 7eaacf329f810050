/**
 * A rule while it is compiled, and its needle: the end of the literal that paths are least likely to contain, by which a wildcard rule is
 * found. read-rule.ts fills both in; entries.ts and emit.ts read them. A needle only has to be contained in every path that the rule
 * matches; choosing a better one changes time, never a verdict.
 */
import { FILTER_DEPTH } from "../format/program";

/**
 * A rule while it is compiled. Texts are in normal form, and may lie in the file itself: they may be read some bytes beyond their ends,
 * but not written.
 */
@unmanaged
export class Rule {
	/** The text up to the first "*". */
	prefix: usize;
	prefixLength: u32;
	kind: u8;
	/** A wildcard rule that is found by its needle, not by its prefix. */
	unanchored: bool;
	allow: u8;
	/** The rarest byte of a wildcard rule's literals; 0 if one has two forms, and for other rules. */
	requiredByte: u8;
	/** Bytes that count for precedence. */
	length: u32;
	/** Encoded rank, once ranked. */
	rank: u32;
	/** Number of its source in the file. */
	source: u32;
	/** What a wildcard rule has besides. Most rules are none, and there may be very many. */
	wildcard: Wildcard;
}

/**
 * What follows a wildcard rule's prefix (see `matchTail`), and its needle: the end of one of its literals, the part that paths are least
 * likely to contain.
 */
@unmanaged
export class Wildcard {
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
	/** How rare the needle is; -1 while there is none. */
	needleWeight: i32;
	/** The rarest byte of the literals after the one with the needle, 0 for none. */
	laterByte: u8;
	/** An occurrence of the needle decides, but for the bytes in front of it: a pattern of one short literal in one form. */
	single: bool;
}

/** The rule at an index of a list of rules. */
export function ruleAt(rules: usize, index: u32): Rule {
	return changetype<Rule>(rules + <usize>index * offsetof<Rule>());
}

/** Can match no path: the google dialect takes text literally that does not begin with "/". */
export const KIND_NEVER: u8 = 0;
export const KIND_PREFIX: u8 = 1;
export const KIND_PREFIX_END: u8 = 2;
export const KIND_WILD: u8 = 3;

const DOT: u32 = 0x2e;

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

function rarityAt(text: usize, index: u32, length: u32): i32 {
	return index < length ? rarity(load<u8>(text + index)) : 0;
}

/** The rarer one of two bytes, of which the first may be 0 for none. */
function rarerOf(known: u8, byte: u32): u8 {
	return !known || rarity(byte) > rarity(known) ? <u8>byte : known;
}

/** Begins a wildcard rule without a needle. */
export function clearNeedle(rule: Rule): void {
	const wildcard = rule.wildcard;
	wildcard.needleWeight = -1;
	wildcard.laterByte = 0;
	wildcard.literalLength = 0;
	wildcard.queryLiteral = 0;
	wildcard.queryLiteralLength = 0;
}

/**
 * Takes the literal's end, from its rarest three bytes on, as the rule's needle if it is better than the one before. The first byte
 * counts more, as the prefilter tests both of its nibbles: a third fewer positions pass. The extension of a file name counts less,
 * as the paths of a site share it: a fifth fewer positions have code to run.
 */
export function chooseNeedle(
	rule: Rule,
	literal: usize,
	length: u32,
	queryLiteral: usize,
	queryLiteralLength: u32,
): void {
	let offset: u32 = 0;
	let weight: i32 = -1;
	let extension: i32 = 0;
	/** The rarest byte. */
	let rarest: u32 = 0;
	// How rare this byte and the next two are; 0 for none.
	let first = rarityAt(literal, 0, length);
	let second = rarityAt(literal, 1, length);
	let third = rarityAt(literal, 2, length);
	for (let i: u32 = 0; i < length; i++) {
		const byte: u32 = load<u8>(literal + i);
		if (!rarest || first > rarity(rarest)) rarest = byte;
		// If the needle is too short for the prefilter, only its first byte is tested.
		if (!i || i + FILTER_DEPTH <= length) {
			if (byte == DOT) extension = 16;
			const sum = 5 * first + 3 * (second + third) - extension;
			if (sum > weight) {
				weight = sum;
				offset = i;
			}
		}
		first = second;
		second = third;
		third = rarityAt(literal, i + 3, length);
	}
	rule.requiredByte = rarerOf(rule.requiredByte, rarest);
	// A literal with two forms is searched as a whole.
	if (queryLiteral) {
		weight = 0;
		offset = 0;
	}
	const wildcard = rule.wildcard;
	if (weight <= wildcard.needleWeight) {
		wildcard.laterByte = rarerOf(wildcard.laterByte, rarest);
		return;
	}
	wildcard.laterByte = 0;
	wildcard.needleWeight = weight;
	wildcard.literal = literal;
	wildcard.literalLength = length;
	wildcard.needleOffset = offset;
	wildcard.queryLiteral = queryLiteral;
	wildcard.queryLiteralLength = queryLiteral ? queryLiteralLength : 0;
}
