/**
 * The patterns of rules as a tree, which tree-view.ts draws under Byte-code. It is made of patterns as they are written, wildcards included:
 * a picture of the idea, not the engine's tree, which holds normalised bytes up to the first `*`.
 */
import type { Listing } from "../../page/messages.ts";

type Rule = Listing["rules"][number];

export interface TreeNode {
	/** What its patterns have after those of its parent. */
	readonly text: string;
	/** Rules whose pattern ends here. */
	readonly rules: readonly Rule[];
	readonly children: readonly TreeNode[];
}

/** The patterns of rules as a tree of what they begin with. */
export function treeOf(rules: readonly Rule[]): readonly TreeNode[] {
	const sorted = rules
		.filter(({ pattern }) => pattern !== "")
		.toSorted((a, b) => (a.pattern < b.pattern ? -1 : 1));
	return nodesOf(sorted, 0);
}

/** Nodes for sorted rules that have their first `from` characters in common. */
function nodesOf(rules: readonly Rule[], from: number): TreeNode[] {
	const nodes: TreeNode[] = [];
	for (let first = 0; first < rules.length; ) {
		const begin = firstOf(rules[first], from);
		let end = first + 1;
		while (end < rules.length && firstOf(rules[end], from) === begin) end++;
		const some = rules.slice(first, end);
		const to = commonEnd(some, from + begin.length);
		nodes.push({
			text: some[0]?.pattern.slice(from, to) ?? "",
			rules: some.filter(({ pattern }) => pattern.length === to),
			children: nodesOf(
				some.filter(({ pattern }) => pattern.length > to),
				to,
			),
		});
		first = end;
	}
	return nodes;
}

function firstOf(rule: Rule | undefined, from: number): string {
	// A code point: half of one is no character to branch on.
	return String.fromCodePoint(rule?.pattern.codePointAt(from) ?? 0);
}

/** How many characters sorted rules have in common: as many as the first and the last one. */
function commonEnd(rules: readonly Rule[], from: number): number {
	const first = rules[0]?.pattern ?? "";
	const last = rules.at(-1)?.pattern ?? "";
	let end = from;
	while (end < first.length && first[end] === last[end]) end++;
	// No half of a character.
	const code = first.charCodeAt(end - 1);
	return end > from && code >= 0xd800 && code < 0xdc00 ? end - 1 : end;
}
