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
