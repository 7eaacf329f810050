import {
	emitUnanchored,
	emitRules,
	emitTexts,
	fitTexts,
	sharedLength,
} from "./emit-rules";
import { entryAt } from "./entry";
import { MAX_LITERAL, OP_BRANCH, OP_LITERAL, OP_STOP } from "../format/program";
import { store24 } from "../bytes/memory";

/** Most bytes that the code of an entry can take. */
export function codeSizeOf(length: usize, tailLength: usize): usize {
	return length + (length / MAX_LITERAL) * 2 + tailLength + 48;
}

/** Where the next byte of code goes. */
let out: usize = 0;

/** Ranges of entries whose code is still to come: first, count, bytes passed, where the target goes. */
const PENDING_SIZE: usize = 16;

/**
 * Writes the radix tree of sorted entries as code at `to` and returns its end. `program` is what offsets count from,
 * `pending` has room for as many ranges as there are entries. The code takes over `depth` bytes into the texts. Not recursive: a tree is as deep as patterns are long.
 */
export function emitTree(
	program: usize,
	to: usize,
	entries: usize,
	count: u32,
	depth: u32,
	unanchored: bool,
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
			unanchored,
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

function byteAt(entries: usize, index: u32, depth: u32): u32 {
	return load<u8>(entryAt(entries, index).text + depth);
}

/** A way through the tree up to the next branch, whose arms are left on the pending stack. */
function emitNode(
	entries: usize,
	first: u32,
	count: u32,
	depth: u32,
	unanchored: bool,
	top: usize,
): usize {
	const last = first + count;
	while (true) {
		if (!unanchored && fitTexts(entries, first, last, depth)) {
			out = emitTexts(out, entries, first, last, depth);
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
			out = emitUnanchored(out, entries, first, here);
			if (leaf) store<u8>(out++, OP_STOP);
		} else {
			out = emitRules(out, entries, first, here, leaf);
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
		store<u8>(out, OP_LITERAL);
		store<u8>(out, part, 1);
		memory.copy(out + 2, text, part);
		out += 2 + part;
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
	let arms: usize = 0;
	const bytes = out + 2;
	for (let i = first; i < last; i++) {
		const byte = byteAt(entries, i, depth);
		if (arms == 0 || load<u8>(bytes + arms - 1) != byte)
			store<u8>(bytes + arms++, byte);
	}
	store<u8>(out, OP_BRANCH);
	store<u8>(out, <u32>arms - 1, 1);
	out = bytes + arms * 4;
	// From the last arm to the first, which then comes off the stack first and follows its branch directly.
	let arm = arms;
	for (let end = last; end > first; ) {
		let begin = end - 1;
		const byte = byteAt(entries, begin, depth);
		while (begin > first && byteAt(entries, begin - 1, depth) == byte) begin--;
		arm--;
		top = push(top, begin, end - begin, depth + 1, bytes + arms + arm * 3);
		end = begin;
	}
	return top;
}
