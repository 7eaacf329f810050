import { Rule } from "./rule";
import { pointerAt } from "../bytes/sort";

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

export function entryAt(entries: usize, index: u32): Entry {
	return changetype<Entry>(pointerAt(entries, index));
}

export function sameText(a: Entry, b: Entry): bool {
	return a.length == b.length && memory.compare(a.text, b.text, a.length) == 0;
}
