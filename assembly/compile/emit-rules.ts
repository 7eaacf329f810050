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
import {
	KIND_PREFIX,
	KIND_PREFIX_END,
	KIND_WILD,
	Rule,
	storeVarint,
} from "./rule";

/** The code for rules that a way through the tree leads to. Each function writes at `to` and returns the end. */

/** ONCE instructions so far. */
export let marksUsed: u32 = 0;

/** Begins the count of marks for a new program. */
export function resetMarks(): void {
	marksUsed = 0;
}

/** Texts that are compared one by one, at most; with 16 or 32 real sites take as long, the corpus' rules as many bytes. */
const MAX_TEXTS: u32 = 8;
/** Bytes that texts may repeat of what they share. */
const MAX_REPEATED: u32 = 12;
/** TEXT_WILD has one byte for its size. */
const MAX_TEXT_BODY: u32 = 200;

/** Whether the rest of some sorted entries, from `depth` on, is best compared text by text. */
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
		if (crowded || entry.rule.bodyLength > MAX_TEXT_BODY) return false;
		wild = i + 1;
	}
	return true;
}

/** Bytes from `depth` on that the first and the last of a sorted range share, and so all of it. */
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
			memory.copy(to, rule.body, rule.bodyLength);
			to += rule.bodyLength;
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

/** The rules whose pattern, up to its first "*", ends here. On a `leaf`, where no pattern goes on, the code ends too. */
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

/** Wildcard rules; several that need the same byte behind a test for it, which costs less than one of them. */
function emitWilds(to: usize, entries: usize, first: u32, end: u32): usize {
	let groupEnd = first;
	let need: usize = 0;
	for (let i = first; i < end; i++) {
		const rule = entryAt(entries, i).rule;
		if (i == groupEnd) {
			while (
				groupEnd < end &&
				entryAt(entries, groupEnd).rule.need == rule.need
			)
				groupEnd++;
			if (rule.need && groupEnd - i > 1) {
				need = to;
				store<u8>(need, OP_NEED);
				store<u8>(need, rule.need, 1);
				to += 5;
			}
		}
		if (rule.kind == KIND_WILD) to = emitWild(to, OP_WILD, rule);
		if (need && i + 1 == groupEnd) {
			store24(need + 2, <u32>(to - need));
			need = 0;
		}
	}
	return to;
}

/** Opcode, size, rank, and the wildcard body behind `to`, up to which operands of its own reach. */
function closeWild(begin: usize, opcode: u32, rule: Rule, to: usize): usize {
	store<u8>(begin, opcode);
	store24(begin + 4, rule.rank);
	memory.copy(to, rule.body, rule.bodyLength);
	to += rule.bodyLength;
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

/** The rules for whose keys this node stands: first those that the key alone decides, then the others, tried once. */
export function emitFloating(
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
	store24(once + 4, marksUsed++);
	to += 7;
	for (let i = first; i < end; i++) {
		const rule = entryAt(entries, i).rule;
		if (rule.prefixLength > 1) to = emitPrefixed(to, rule);
		else if (!isSingle(rule)) to = emitWild(to, OP_FLOAT, rule);
	}
	store24(once + 1, <u32>(to - once));
	return to;
}

/** One literal in one form, anywhere in the path: meeting it decides. */
export function isSingle(rule: Rule): bool {
	return rule.literals == 1 && rule.queryLiteral == 0 && rule.prefixLength <= 1;
}

function emitSingle(to: usize, rule: Rule, keyLength: u32): usize {
	const begin = to;
	store<u8>(begin, OP_FLOAT1);
	store24(begin + 4, rule.rank);
	store<u8>(begin, load<u8>(rule.body), 7);
	const before = rule.literalLength - keyLength;
	const text = storeVarint(begin + 8, before);
	memory.copy(text, rule.literal, before);
	to = storeVarint(text + before, keyLength);
	store24(begin + 1, <u32>(to - begin));
	return to;
}
