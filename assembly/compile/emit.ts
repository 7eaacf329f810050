/**
 * Emits code for sorted entries: a radix tree whose nodes compare what all their entries share, branch on the next byte, and end in the
 * code of rules. tables.ts calls it for each slot of a jump table. Entries must be sorted by text, so that each node is a range of
 * neighbours; code is added in order, so that all targets lie ahead.
 */
import { pointerAt, setPointer } from "../bytes/sort";
import {
	OP_BRANCH,
	OP_FLOAT,
	OP_FLOAT1,
	OP_HASH,
	OP_LITERAL,
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
} from "../format/opcodes";
import {
	MAX_HASH_BITS,
	MAX_HASHED,
	MAX_LITERAL,
	MAX_TEXT,
	MIN_HASHED,
	TEXT_END,
	TEXT_LAST,
} from "../format/program";
import { hashBytes } from "../match/path-spans";
import { Entry, entryAt, sameText } from "./entries";
import {
	addInstruction,
	ARM,
	code,
	Instruction,
	instructionAt,
	instructionCount,
	isIncomplete,
	setSlots,
	setTail,
	setText,
} from "./instructions";
import { KIND_PREFIX, KIND_PREFIX_END, KIND_WILD, Rule } from "./rule";

/** A range of sorted entries whose code is still to come. */
@unmanaged
class Pending {
	first: u32;
	last: u32;
	/** Bytes of their texts that have been passed. */
	depth: u32;
	/** Number of the ARM that leads to them. */
	arm: u32;
}

/** The tree whose code is being added: its sorted entries, and the stack of ranges that are still to come, from `bottom` to `top`. */
let treeEntries: usize = 0;
let isUnanchored: bool = false;
let bottom: usize = 0;
let top: usize = 0;
/** Entries of the tree that may still be hashed, or looked at for that: a tree can be as deep as it has entries. */
let hashable: u32 = 0;

/**
 * Begins the code of the radix tree of sorted entries, which takes over `depth` bytes into their texts; `emitTree` goes on. `pending`
 * has room for as many ranges as there are entries. Not recursive: a tree is as deep as patterns are long.
 */
export function beginTree(
	entries: usize,
	count: u32,
	depth: u32,
	unanchored: bool,
	pending: usize,
): void {
	treeEntries = entries;
	isUnanchored = unanchored;
	bottom = pending;
	hashable = count * 4;
	top = emitNode(entries, 0, count, depth, unanchored, pending);
}

/** Adds code until there are about `end` instructions; whether the tree has more. */
export function emitTree(end: u32): bool {
	while (top > bottom) {
		if (instructionCount() >= end) return true;
		top -= offsetof<Pending>();
		const range = changetype<Pending>(top);
		instructionAt(range.arm).target = instructionCount();
		top = emitNode(
			treeEntries,
			range.first,
			range.last,
			range.depth,
			isUnanchored,
			top,
		);
	}
	return false;
}

function push(top: usize, first: u32, last: u32, depth: u32, arm: u32): usize {
	const pending = changetype<Pending>(top);
	pending.first = first;
	pending.last = last;
	pending.depth = depth;
	pending.arm = arm;
	return top + offsetof<Pending>();
}

function byteAt(entries: usize, index: u32, depth: u32): u32 {
	return load<u8>(entryAt(entries, index).text + depth);
}

/** A way through the tree up to the next branch, whose arms are left on the pending stack. */
function emitNode(
	entries: usize,
	first: u32,
	last: u32,
	depth: u32,
	unanchored: bool,
	top: usize,
): usize {
	while (true) {
		// The lowest nodes of the tree: a few short texts one by one in place of branches.
		if (!unanchored && fitTexts(entries, first, last, depth)) {
			emitTexts(entries, first, last, depth);
			return top;
		}
		const shared = sharedLength(
			entryAt(entries, first),
			entryAt(entries, last - 1),
			depth,
		);
		emitLiteral(entryAt(entries, first).text + depth, shared);
		depth += shared;
		// Entries are sorted, so texts that end at this node come first.
		let here = first;
		while (here < last && entryAt(entries, here).length == depth) here++;
		const leaf = here == last;
		if (unanchored) {
			emitUnanchored(entries, first, here);
			if (leaf) addInstruction(OP_STOP, 0, 0);
		} else {
			emitRules(entries, first, here, leaf);
		}
		if (leaf) return top;
		first = here;
		// With the same next byte in all of them no branch is needed: the loop goes on with a longer literal.
		if (byteAt(entries, first, depth) != byteAt(entries, last - 1, depth)) {
			if (!unanchored && last - first >= MANY_ENTRIES) {
				const end = emitHash(entries, first, last, depth, top);
				if (end) return end;
			}
			return emitBranch(entries, first, last, depth, top);
		}
	}
}

function emitLiteral(text: usize, length: u32): void {
	while (length) {
		const part = min<u32>(length, MAX_LITERAL);
		setText(addInstruction(OP_LITERAL, 0, 0), text, part);
		text += part;
		length -= part;
	}
}

function emitBranch(
	entries: usize,
	first: u32,
	last: u32,
	depth: u32,
	top: usize,
): usize {
	const branch = instructionCount();
	addInstruction(OP_BRANCH, 0, 0);
	let end = top;
	for (let begin = first; begin < last; ) {
		const arm = instructionCount();
		addInstruction(ARM, byteAt(entries, begin, depth), 0);
		const next = endOfEqual(entries, begin, last, depth);
		end = push(end, begin, next, depth + 1, arm);
		begin = next;
	}
	instructionAt(branch).length = instructionCount() - 1 - branch;
	// The first arm comes off the stack first, and follows its branch directly.
	reverse(top, end);
	return end;
}

/** Fewest entries of a node that are hashed, and the fewest keys that they must have. */
const MANY_ENTRIES: u32 = 20;
const MANY_KEYS: u32 = 14;
/** Of a slot whose entries have a place: it is that of the next one, no longer their number. */
const PLACED: u32 = 1 << 31;

/**
 * A HASH in place of a BRANCH and those below it, each of which would be mispredicted: its slots lead to the few entries whose next bytes,
 * their keys, hash there. Returns the new top, or 0 if keys would be too short or too few. At `top` there are SORT_SIZE free bytes for each
 * of these entries: lists of their next eight bytes and of pointers to them, and a table of slots.
 */
function emitHash(
	entries: usize,
	first: u32,
	last: u32,
	depth: u32,
	top: usize,
): usize {
	const count = last - first;
	if (count > hashable) return 0;
	hashable -= count;
	const texts = top;
	const pointers = texts + ((<usize>count) << 3);
	const slots = pointers + ((<usize>count) << 2);
	let length: u32 = MAX_HASHED;
	for (let i: u32 = 0; i < count; i++) {
		const entry = entryAt(entries, first + i);
		// All entries must have the bytes that are hashed.
		length = min(length, entry.length - depth);
		store<u64>(texts + ((<usize>i) << 3), load<u64>(entry.text + depth));
		setPointer(pointers, i, changetype<usize>(entry));
	}
	if (length < <u32>MIN_HASHED) return 0;
	const keys = hashTexts(texts, count, length);
	if (keys < MANY_KEYS) return 0;
	// With one slot a key paths take a quarter longer.
	let bits: u32 = 5;
	while (bits < <u32>MAX_HASH_BITS && (<u32>1) << bits < keys * 2) bits++;
	const used = countSlots(slots, bits, texts, count);
	// Keys that were made to collide would be hashed again and again.
	if (used < MANY_KEYS >> 1) return 0;

	const hash = instructionCount();
	const instruction = addInstruction(OP_HASH, length, 0);
	instruction.length = used;
	setSlots(instruction, bits);
	// Entries of a slot become neighbours, in the order in which slots first occur: most entries stay where they are, so that their code is
	// made in the order in which memory holds them.
	let end = first;
	for (let i: u32 = 0; i < count; i++) {
		const slot = slotOf(texts, i, bits);
		const at = slots + (slot << 2);
		let index = load<u32>(at);
		if (!(index & PLACED)) {
			const size = index;
			index = end | PLACED;
			end += size;
			const arm = addInstruction(ARM, 0, 0);
			arm.length = <u32>slot;
			// Until it is written: the end of its entries.
			arm.text = end;
		}
		store<u32>(at, index + 1);
		setPointer(entries, index & ~PLACED, pointerAt(pointers, i));
	}
	if (isIncomplete()) return top;
	// The first arm comes off the stack first, and follows the slots directly.
	for (let arm = hash + used; arm > hash; arm--) {
		const begin = arm == hash + 1 ? first : <u32>instructionAt(arm - 1).text;
		top = push(top, begin, <u32>instructionAt(arm).text, depth, arm);
	}
	return top;
}

/** Puts the hashes of texts, which are sorted, in their place; returns how many different ones there are. */
function hashTexts(texts: usize, count: u32, length: u32): u32 {
	let keys: u32 = 0;
	let previous: u64 = 0;
	for (let i: u32 = 0; i < count; i++) {
		const at = texts + ((<usize>i) << 3);
		const hash: u64 = hashBytes(at, length);
		store<u64>(at, hash);
		if (i == 0 || hash != previous) keys++;
		previous = hash;
	}
	return keys;
}

function slotOf(hashes: usize, index: u32, bits: u32): usize {
	return load<u32>(hashes + ((<usize>index) << 3)) >>> (32 - bits);
}

/** Counts the texts of each slot; returns how many slots have any. */
function countSlots(slots: usize, bits: u32, hashes: usize, count: u32): u32 {
	memory.fill(slots, 0, (<usize>4) << bits);
	let used: u32 = 0;
	for (let i: u32 = 0; i < count; i++) {
		const at = slots + (slotOf(hashes, i, bits) << 2);
		const before = load<u32>(at);
		store<u32>(at, before + 1);
		used += u32(before == 0);
	}
	return used;
}

/** End of the entries from `first` on with the same byte at `depth`. There may be very many. */
function endOfEqual(entries: usize, first: u32, last: u32, depth: u32): u32 {
	const byte = byteAt(entries, first, depth);
	let equal = first;
	let step: u32 = 1;
	// Steps that double, then halving: a range may be nearly all of a list of URLs under one directory, and most have one entry.
	while (equal + step < last && byteAt(entries, equal + step, depth) == byte) {
		equal += step;
		step <<= 1;
	}
	let end = min(equal + step, last);
	while (equal + 1 < end) {
		const middle = (equal + end) >> 1;
		if (byteAt(entries, middle, depth) == byte) equal = middle;
		else end = middle;
	}
	return end;
}

/** Reverses the order of pending ranges. */
function reverse(from: usize, end: usize): void {
	for (end -= offsetof<Pending>(); from < end; ) {
		for (let i: usize = 0; i < offsetof<Pending>(); i += 8) {
			const word = load<u64>(from + i);
			store<u64>(from + i, load<u64>(end + i));
			store<u64>(end + i, word);
		}
		from += offsetof<Pending>();
		end -= offsetof<Pending>();
	}
}

/** Code for the rules of a node of the tree. */

/** Most texts that are compared one by one; with 16 or 32 real sites take as long, and their programs as many bytes. */
const MAX_TEXTS: u32 = 8;
/** Most bytes of a shared beginning that may be repeated in texts. */
const MAX_REPEATED: u32 = 12;
/** TEXT_WILD has one byte for its size. */
const MAX_TEXT_TAIL: u32 = 200;

/** Whether sorted entries are best compared text by text from `depth` on. */
function fitTexts(entries: usize, first: u32, last: u32, depth: u32): bool {
	const count = last - first;
	if (count > MAX_TEXTS) return false;
	if (count > 1) {
		const shared = sharedLength(
			entryAt(entries, first),
			entryAt(entries, last - 1),
			depth,
		);
		// Compared one by one, each text repeats what they share.
		if (shared * (count - 1) > MAX_REPEATED) return false;
	}
	/** One more than the index of the last wildcard rule. */
	let wild: u32 = 0;
	for (let i = first; i < last; i++) {
		const entry = entryAt(entries, i);
		const length = entry.length - depth;
		if (length == 0 || length > <u32>MAX_TEXT) return false;
		if (entry.rule.kind != KIND_WILD) continue;
		// Several wildcard patterns after the same text are cheaper with a NEED for all.
		const crowded = wild != 0 && sameText(entryAt(entries, wild - 1), entry);
		if (crowded || entry.rule.wildcard.tailLength > MAX_TEXT_TAIL) return false;
		wild = i + 1;
	}
	return true;
}

/** Number of bytes from `depth` on that the first and the last entry of a sorted range share, and so all of its entries. */
function sharedLength(first: Entry, last: Entry, depth: u32): u32 {
	const longest = min(first.length, last.length);
	for (let at = depth; at < longest; at += 8) {
		// May read past the end of a text, as PADDING allows; `min` cuts off what was found there.
		const differing = load<u64>(first.text + at) ^ load<u64>(last.text + at);
		if (differing) return min(at + (<u32>ctz(differing) >> 3), longest) - depth;
	}
	return longest - depth;
}

function emitTexts(entries: usize, first: u32, last: u32, depth: u32): void {
	for (let i = first; i < last; i++) {
		const entry = entryAt(entries, i);
		const rule = entry.rule;
		const length = entry.length - depth;
		const wild = rule.kind == KIND_WILD;
		let shape = length - 1;
		if (rule.kind == KIND_PREFIX_END) shape |= TEXT_END;
		if (i + 1 == last) shape |= TEXT_LAST;
		const opcode = wild ? OP_TEXT_WILD : OP_TEXT;
		const instruction = addInstruction(opcode, shape, rule.rank);
		setText(instruction, entry.text + depth, length);
		if (wild) addTail(instruction, rule);
	}
}

/** The rules whose pattern, up to its first "*", ends here. At a `leaf`, where no pattern continues, the code ends too. */
function emitRules(entries: usize, first: u32, end: u32, leaf: bool): void {
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
	// A rule without "$" matches at the end as well: if it has a better rank, the one with "$" can never win.
	if (rankAtEnd > rank) addInstruction(OP_RULE_END, 0, rankAtEnd);
	if (rank) {
		if (leaf && !wild) {
			addInstruction(OP_RULE_STOP, 0, rank);
			return;
		}
		addInstruction(OP_RULE, 0, rank);
	}
	if (wild) emitWilds(entries, first, end, false);
	if (leaf) addInstruction(OP_STOP, 0, 0);
}

/**
 * Wildcard rules, but for `single` ones. Several with the same required byte are put after a test for it, which costs less than
 * one of them.
 */
function emitWilds(
	entries: usize,
	first: u32,
	end: u32,
	unanchored: bool,
): void {
	let groupEnd = first;
	/** Number of the NEED whose group has not ended, or 0. */
	let need: u32 = 0;
	for (let i = first; i < end; i++) {
		const rule = entryAt(entries, i).rule;
		if (i == groupEnd) {
			while (
				groupEnd < end &&
				entryAt(entries, groupEnd).rule.requiredByte == rule.requiredByte
			)
				groupEnd++;
			if (rule.requiredByte && groupEnd - i > 1) {
				need = instructionCount();
				addInstruction(OP_NEED, rule.requiredByte, 0);
			}
		}
		if (!unanchored) {
			if (rule.kind == KIND_WILD) addWild(OP_WILD, rule);
		} else if (rule.prefixLength > 1) addWild(OP_PREFIXED, rule);
		else if (!rule.wildcard.single) addWild(OP_FLOAT, rule);
		if (need && i + 1 == groupEnd) {
			instructionAt(need).target = instructionCount();
			need = 0;
		}
	}
}

/** Adds a wildcard rule, whose rank `run` compares first: what cannot win is not matched. */
function addWild(opcode: u32, rule: Rule): void {
	const instruction = addInstruction(opcode, 0, rule.rank);
	if (opcode == OP_PREFIXED)
		setText(instruction, rule.prefix, rule.prefixLength);
	addTail(instruction, rule);
}

function addTail(instruction: Instruction, rule: Rule): void {
	setTail(instruction, rule.wildcard.tail, rule.wildcard.tailLength);
}

/**
 * The rules whose needle ends at this node: first those that the needle alone decides, then the others, tried once. Each ONCE takes a
 * bit of the visited set.
 */
function emitUnanchored(entries: usize, first: u32, end: u32): void {
	let others: u32 = 0;
	for (let i = first; i < end; i++) {
		const entry = entryAt(entries, i);
		if (entry.rule.wildcard.single) addSingle(entry.rule, entry.length);
		else others++;
	}
	if (!others) return;
	const once = instructionCount();
	addInstruction(OP_ONCE, 0, code.visitedBits++);
	emitWilds(entries, first, end, true);
	instructionAt(once).target = instructionCount();
}

function addSingle(rule: Rule, needleLength: u32): void {
	code.onceOnly = false;
	const wildcard = rule.wildcard;
	const flags = load<u8>(wildcard.tail);
	const instruction = addInstruction(OP_FLOAT1, flags, rule.rank);
	setText(instruction, wildcard.literal, wildcard.literalLength - needleLength);
	instruction.tailLength = needleLength;
}
