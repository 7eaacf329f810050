/**
 * A rule while it is compiled. Texts are in normal form.
 *
 * `prefix` is the text up to the first "*". A wildcard rule has a `tail` for what follows (see `matchTail`), and a needle: the end of
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
	/** How rare the needle is; -1 while there is none. */
	needleWeight: i32;
}

/** The rule at an index of a list of rules. */
export function ruleAt(rules: usize, index: u32): Rule {
	return changetype<Rule>(rules + <usize>index * offsetof<Rule>());
}

/** Can match no path: the google dialect takes text literally that does not begin with "/". */
export const KIND_NEVER: u32 = 0;
export const KIND_PREFIX: u32 = 1;
export const KIND_PREFIX_END: u32 = 2;
export const KIND_WILD: u32 = 3;
