import {
	emitUnanchored,
	emitRules,
	emitTexts,
	fitTexts,
	sharedLength,
} from "./emit-rules";
import { entryAt } from "./entry";
import {
	addInstruction,
	ARM,
	instructionAt,
	instructionCount,
	setText,
} from "./instructions";
import { OP_BRANCH, OP_LITERAL, OP_STOP } from "../format/opcodes";
import { MAX_LITERAL } from "../format/program";

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
		if (byteAt(entries, first, depth) != byteAt(entries, last - 1, depth)) {
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

/** End of the entries from `first` on with the same byte at `depth`. There may be very many. */
function endOfEqual(entries: usize, first: u32, last: u32, depth: u32): u32 {
	const byte = byteAt(entries, first, depth);
	let equal = first;
	let step: u32 = 1;
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
