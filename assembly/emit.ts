import {
	MAX_LITERAL,
	OP_BRANCH,
	OP_FLOAT,
	OP_FLOAT1,
	OP_LITERAL,
	OP_NEED,
	OP_ONCE,
	OP_PREFIXED,
	OP_RULE,
	OP_RULE_END,
	OP_RULE_STOP,
	OP_STOP,
	OP_WILD,
} from "./format";
import { load24, store24 } from "./memory";
import {
	KIND_PREFIX,
	KIND_PREFIX_END,
	KIND_WILD,
	Rule,
	storeVarint,
} from "./rule";
import { pointerAt } from "./sort";

/** A text in the tree, and the rule that it leads to. */
@unmanaged
export class Entry {
	text: usize;
	length: u32;
	rule: Rule;
	/** The slot of the heads that leads to it; entries are sorted by that first. */
	slot: u32;
}

export const ENTRY_SIZE: usize = 16;

/** Entries in the order of slots and texts; of equal texts, rules with the same need together, of higher rank in front. */
export function compareEntries(a: usize, b: usize): i32 {
	const left = changetype<Entry>(a),
		right = changetype<Entry>(b);
	if (left.slot != right.slot) return left.slot < right.slot ? -1 : 1;
	const order = memory.compare(
		left.text,
		right.text,
		min(left.length, right.length),
	);
	if (order) return order;
	if (left.length != right.length) return left.length < right.length ? -1 : 1;
	if (left.rule.need != right.rule.need)
		return <i32>left.rule.need - <i32>right.rule.need;
	return left.rule.rank > right.rule.rank
		? -1
		: left.rule.rank < right.rule.rank
			? 1
			: 0;
}

/** Most octets that the code of an entry can take. */
export function codeSizeOf(length: usize, bodyLength: usize): usize {
	return length + (length / MAX_LITERAL) * 2 + bodyLength + 48;
}

/** Where the next octet of code goes. */
let out: usize = 0;
/** ONCE instructions so far. */
export let marksUsed: u32 = 0;

/** Ranges of entries whose code is still to come: first, count, octets passed, where the target goes. */
const PENDING_SIZE: usize = 16;

/**
 * Writes the radix tree of sorted entries as code at `to` and returns its end. `program` is what offsets count from,
 * `pending` has room for as many ranges as there are entries. The code takes over `depth` octets into the texts. Not recursive: a tree is as deep as patterns are long.
 */
export function emitTree(
	program: usize,
	to: usize,
	entries: usize,
	count: u32,
	depth: u32,
	floating: bool,
	pending: usize,
): usize {
	out = to;
	let top = pending;
	top = push(top, 0, count, depth, 0);
	while (top > pending) {
		top -= PENDING_SIZE;
		const target: usize = load<u32>(top, 12);
		if (target) store24(target, <u32>(out - program));
		top = emitNode(
			entries,
			load<u32>(top),
			load<u32>(top, 4),
			load<u32>(top, 8),
			floating,
			top,
		);
	}
	return out;
}

function push(
	top: usize,
	first: u32,
	count: u32,
	depth: u32,
	target: usize,
): usize {
	store<u32>(top, first);
	store<u32>(top, count, 4);
	store<u32>(top, depth, 8);
	store<u32>(top, <u32>target, 12);
	return top + PENDING_SIZE;
}

function entryAt(entries: usize, index: u32): Entry {
	return changetype<Entry>(pointerAt(entries, index));
}

function octetAt(entries: usize, index: u32, depth: u32): u32 {
	return load<u8>(entryAt(entries, index).text + depth);
}

/** A way through the tree up to the next branch, whose arms are left on the pending stack. */
function emitNode(
	entries: usize,
	first: u32,
	count: u32,
	depth: u32,
	floating: bool,
	top: usize,
): usize {
	const last = first + count;
	while (true) {
		depth = emitLiteral(
			entryAt(entries, first),
			entryAt(entries, last - 1),
			depth,
		);
		let here = first;
		while (here < last && entryAt(entries, here).length == depth) here++;
		const leaf = here == last;
		if (floating) emitFloating(entries, first, here);
		else if (emitRules(entries, first, here, leaf)) return top;
		if (leaf) {
			store<u8>(out++, OP_STOP);
			return top;
		}
		first = here;
		if (octetAt(entries, first, depth) != octetAt(entries, last - 1, depth)) {
			return emitBranch(entries, first, last, depth, top);
		}
	}
}

/** What the first and the last of a sorted range share, all of it shares. */
function emitLiteral(first: Entry, last: Entry, depth: u32): u32 {
	const longest = min(first.length, last.length);
	const from = depth;
	while (
		depth < longest &&
		load<u8>(first.text + depth) == load<u8>(last.text + depth)
	)
		depth++;
	for (let at = from; at < depth; ) {
		const length = min<u32>(depth - at, MAX_LITERAL);
		store<u8>(out, OP_LITERAL);
		store<u8>(out, length, 1);
		memory.copy(out + 2, first.text + at, length);
		out += 2 + length;
		at += length;
	}
	return depth;
}

function emitBranch(
	entries: usize,
	first: u32,
	last: u32,
	depth: u32,
	top: usize,
): usize {
	let arms: usize = 0;
	const octets = out + 2;
	for (let i = first; i < last; i++) {
		const octet = octetAt(entries, i, depth);
		if (arms == 0 || load<u8>(octets + arms - 1) != octet)
			store<u8>(octets + arms++, octet);
	}
	store<u8>(out, OP_BRANCH);
	store<u8>(out, <u32>arms - 1, 1);
	out = octets + arms * 4;
	// From the last arm to the first, which then comes off the stack first and follows its branch directly.
	let arm = arms;
	for (let end = last; end > first; ) {
		let begin = end - 1;
		const octet = octetAt(entries, begin, depth);
		while (begin > first && octetAt(entries, begin - 1, depth) == octet)
			begin--;
		arm--;
		top = push(top, begin, end - begin, depth + 1, octets + arms + arm * 3);
		end = begin;
	}
	return top;
}

function emitRank(opcode: u32, rank: u32): void {
	store<u8>(out, opcode);
	store24(out + 1, rank);
	out += 4;
}

/** The rules whose pattern, up to its first "*", ends here. Returns true when the code ended with the last of them. */
function emitRules(entries: usize, first: u32, end: u32, leaf: bool): bool {
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
	if (rankAtEnd > rank) emitRank(OP_RULE_END, rankAtEnd);
	if (rank) {
		const last = leaf && !wild;
		emitRank(last ? OP_RULE_STOP : OP_RULE, rank);
		if (last) return true;
	}
	if (wild) emitWilds(entries, first, end);
	return false;
}

/** Wildcard rules; several that need the same octet behind a test for it, which costs less than one of them. */
function emitWilds(entries: usize, first: u32, end: u32): void {
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
				need = out;
				store<u8>(need, OP_NEED);
				store<u8>(need, rule.need, 1);
				out += 5;
			}
		}
		if (rule.kind == KIND_WILD) emitWild(OP_WILD, rule);
		if (need && i + 1 == groupEnd) {
			store24(need + 2, <u32>(out - need));
			need = 0;
		}
	}
}

function emitWild(opcode: u32, rule: Rule): void {
	const begin = out;
	emitRank(opcode, 0);
	store24(begin + 4, rule.rank);
	memory.copy(begin + 7, rule.body, rule.bodyLength);
	out = begin + 7 + rule.bodyLength;
	store24(begin + 1, <u32>(out - begin));
}

/** The rules for whose keys this node stands: first those that the key alone decides, then the others, tried once. */
function emitFloating(entries: usize, first: u32, end: u32): void {
	let others: u32 = 0;
	for (let i = first; i < end; i++) {
		const entry = entryAt(entries, i);
		if (isSingle(entry.rule)) emitSingle(entry.rule, entry.length);
		else others++;
	}
	if (!others) return;
	const once = out;
	store<u8>(once, OP_ONCE);
	store24(once + 4, marksUsed++);
	out += 7;
	for (let i = first; i < end; i++) {
		const rule = entryAt(entries, i).rule;
		if (rule.prefixLength > 1) emitPrefixed(rule);
		else if (!isSingle(rule)) emitWild(OP_FLOAT, rule);
	}
	store24(once + 1, <u32>(out - once));
}

/** One literal in one form, anywhere in the path: meeting it decides. */
export function isSingle(rule: Rule): bool {
	return rule.literals == 1 && rule.queryLiteral == 0 && rule.prefixLength <= 1;
}

function emitPrefixed(rule: Rule): void {
	const begin = out;
	emitRank(OP_PREFIXED, 0);
	store24(begin + 4, rule.rank);
	const prefix = storeVarint(begin + 7, rule.prefixLength);
	memory.copy(prefix, rule.prefix, rule.prefixLength);
	const body = prefix + rule.prefixLength;
	memory.copy(body, rule.body, rule.bodyLength);
	out = body + rule.bodyLength;
	store24(begin + 1, <u32>(out - begin));
}

function emitSingle(rule: Rule, keyLength: u32): void {
	const begin = out;
	emitRank(OP_FLOAT1, 0);
	store24(begin + 4, rule.rank);
	store<u8>(begin, load<u8>(rule.body), 7);
	const before = rule.literalLength - keyLength;
	const text = storeVarint(begin + 8, before);
	memory.copy(text, rule.literal, before);
	out = storeVarint(text + before, keyLength);
	store24(begin + 1, <u32>(out - begin));
}

/** Begins the count of marks for a new program. */
export function resetMarks(): void {
	marksUsed = 0;
}
