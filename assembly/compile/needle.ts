import { FILTER_DEPTH } from "../format/program";
import { Rule } from "./rule";

/** Which literal of a wildcard rule it is found by: the one that paths are least likely to contain. */

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
