import { Entry, entryAt, sameText } from "./entry";
import {
	MAX_TEXT,
	OP_FLOAT,
	OP_FLOAT1,
	OP_NEED,
	OP_ONCE,
	OP_PREFIXED,
	OP_RULE,
	OP_RULE_END,
	OP_RULE_STOP,
	OP_STOP,
	OP_TEXT,
	OP_TEXT_WILD,
	OP_WILD,
	TEXT_END,
	TEXT_LAST,
} from "../format/program";
import { store24 } from "../bytes/memory";
import { storeVarint } from "../bytes/varint";
import { KIND_PREFIX, KIND_PREFIX_END, KIND_WILD, Rule } from "./rule";

/** Code for the rules of a node of the tree. Each function writes at `to` and returns the end. */

/** Bits of the visited set so far, one for each ONCE instruction: a second result, as the functions here return the end of the code. */
export let visitedBits: u32 = 0;

/** Begins a new program. */
export function resetVisitedBits(): void {
	visitedBits = 0;
}

/** Most texts that are compared one by one; with 16 or 32 real sites take as long, and their programs as many bytes. */
const MAX_TEXTS: u32 = 8;
/** Most bytes of a shared beginning that may be repeated in texts. */
const MAX_REPEATED: u32 = 12;
/** TEXT_WILD has one byte for its size. */
const MAX_TEXT_TAIL: u32 = 200;

/** Whether sorted entries are best compared text by text from `depth` on. */
export function fitTexts(
	entries: usize,
	first: u32,
	last: u32,
	depth: u32,
): bool {
	const count = last - first;
	if (count > MAX_TEXTS) return false;
	const shared = sharedLength(
		entryAt(entries, first),
		entryAt(entries, last - 1),
		depth,
	);
	if (shared * (count - 1) > MAX_REPEATED) return false;
	/** One more than the index of the last wildcard rule. */
	let wild: u32 = 0;
	for (let i = first; i < last; i++) {
		const entry = entryAt(entries, i);
		const length = entry.length - depth;
		if (length == 0 || length > <u32>MAX_TEXT) return false;
		if (entry.rule.kind != KIND_WILD) continue;
		// Wildcards behind one and the same text are better off behind a NEED.
		const crowded = wild != 0 && sameText(entryAt(entries, wild - 1), entry);
		if (crowded || entry.rule.tailLength > MAX_TEXT_TAIL) return false;
		wild = i + 1;
	}
	return true;
}

/** Number of bytes from `depth` on that the first and the last entry of a sorted range share, and so all of its entries. */
export function sharedLength(first: Entry, last: Entry, depth: u32): u32 {
	const longest = min(first.length, last.length);
	let at = depth;
	while (at < longest && load<u8>(first.text + at) == load<u8>(last.text + at))
		at++;
	return at - depth;
}

export function emitTexts(
	to: usize,
	entries: usize,
	first: u32,
	last: u32,
	depth: u32,
): usize {
	for (let i = first; i < last; i++) {
		const entry = entryAt(entries, i);
		const rule = entry.rule;
		const length = entry.length - depth;
		const begin = to;
		const wild = rule.kind == KIND_WILD;
		store<u8>(to++, wild ? OP_TEXT_WILD : OP_TEXT);
		if (wild) to++;
		let shape = length - 1;
		if (rule.kind == KIND_PREFIX_END) shape |= TEXT_END;
		if (i + 1 == last) shape |= TEXT_LAST;
		store<u8>(to, shape);
		store24(to + 1, rule.rank);
		memory.copy(to + 4, entry.text + depth, length);
		to += 4 + length;
		if (wild) {
			memory.copy(to, rule.tail, rule.tailLength);
			to += rule.tailLength;
			store<u8>(begin, <u32>(to - begin), 1);
		}
	}
	return to;
}

function emitRank(to: usize, opcode: u32, rank: u32): usize {
	store<u8>(to, opcode);
	store24(to + 1, rank);
	return to + 4;
}

/** The rules whose pattern, up to its first "*", ends here. At a `leaf`, where no pattern continues, the code ends too. */
export function emitRules(
	to: usize,
	entries: usize,
	first: u32,
	end: u32,
	leaf: bool,
): usize {
	let rank: u32 = 0,
		rankAtEnd: u32 = 0;
	let wild = false;
	for (let i = first; i < end; i++) {
		const rule = entryAt(entries, i).rule;
		if (rule.kind == KIND_PREFIX) rank = max(rank, rule.rank);
		else if (rule.kind == KIND_PREFIX_END)
			rankAtEnd = max(rankAtEnd, rule.rank);
		else wild = true;
	}
	if (rankAtEnd > rank) to = emitRank(to, OP_RULE_END, rankAtEnd);
	if (rank) {
		if (leaf && !wild) return emitRank(to, OP_RULE_STOP, rank);
		to = emitRank(to, OP_RULE, rank);
	}
	if (wild) to = emitWilds(to, entries, first, end);
	if (leaf) store<u8>(to++, OP_STOP);
	return to;
}

/** Wildcard rules. Several with the same required byte are put behind a test for it, which costs less than one of them. */
function emitWilds(to: usize, entries: usize, first: u32, end: u32): usize {
	let groupEnd = first;
	let requiredByte: usize = 0;
	for (let i = first; i < end; i++) {
		const rule = entryAt(entries, i).rule;
		if (i == groupEnd) {
			while (
				groupEnd < end &&
				entryAt(entries, groupEnd).rule.requiredByte == rule.requiredByte
			)
				groupEnd++;
			if (rule.requiredByte && groupEnd - i > 1) {
				requiredByte = to;
				store<u8>(requiredByte, OP_NEED);
				store<u8>(requiredByte, rule.requiredByte, 1);
				to += 5;
			}
		}
		if (rule.kind == KIND_WILD) to = emitWild(to, OP_WILD, rule);
		if (requiredByte && i + 1 == groupEnd) {
			store24(requiredByte + 2, <u32>(to - requiredByte));
			requiredByte = 0;
		}
	}
	return to;
}

/** Writes opcode, size and rank at `begin`, and the wildcard tail at `to`, behind the operands of the opcode. */
function closeWild(begin: usize, opcode: u32, rule: Rule, to: usize): usize {
	store<u8>(begin, opcode);
	store24(begin + 4, rule.rank);
	memory.copy(to, rule.tail, rule.tailLength);
	to += rule.tailLength;
	store24(begin + 1, <u32>(to - begin));
	return to;
}

function emitWild(to: usize, opcode: u32, rule: Rule): usize {
	return closeWild(to, opcode, rule, to + 7);
}

function emitPrefixed(to: usize, rule: Rule): usize {
	const prefix = storeVarint(to + 7, rule.prefixLength);
	memory.copy(prefix, rule.prefix, rule.prefixLength);
	return closeWild(to, OP_PREFIXED, rule, prefix + rule.prefixLength);
}

/** The rules whose needle ends at this node: first those that the needle alone decides, then the others, tried once. */
export function emitUnanchored(
	to: usize,
	entries: usize,
	first: u32,
	end: u32,
): usize {
	let others: u32 = 0;
	for (let i = first; i < end; i++) {
		const entry = entryAt(entries, i);
		if (isSingle(entry.rule)) to = emitSingle(to, entry.rule, entry.length);
		else others++;
	}
	if (!others) return to;
	const once = to;
	store<u8>(once, OP_ONCE);
	store24(once + 4, visitedBits++);
	to += 7;
	for (let i = first; i < end; i++) {
		const rule = entryAt(entries, i).rule;
		if (rule.prefixLength > 1) to = emitPrefixed(to, rule);
		else if (!isSingle(rule)) to = emitWild(to, OP_FLOAT, rule);
	}
	store24(once + 1, <u32>(to - once));
	return to;
}

/** A pattern of one literal in one form anywhere in the path: an occurrence decides. */
export function isSingle(rule: Rule): bool {
	return rule.literals == 1 && rule.queryLiteral == 0 && rule.prefixLength <= 1;
}

function emitSingle(to: usize, rule: Rule, needleLength: u32): usize {
	const begin = to;
	store<u8>(begin, OP_FLOAT1);
	store24(begin + 4, rule.rank);
	store<u8>(begin, load<u8>(rule.tail), 7);
	const before = rule.literalLength - needleLength;
	const text = storeVarint(begin + 8, before);
	memory.copy(text, rule.literal, before);
	to = storeVarint(text + before, needleLength);
	store24(begin + 1, <u32>(to - begin));
	return to;
}
