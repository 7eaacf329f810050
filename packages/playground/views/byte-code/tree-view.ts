/**
 * Draws the tree of rule-tree.ts as nested lists under Byte-code, and marks in it. byte-code-pane.ts draws it with each listing and only
 * changes classes at each step: drawing it anew would lose the focus.
 */

import { verdictSymbols } from "../../editor/urls-editor.ts";
import { make } from "../../page/dom.ts";
import type { Listing } from "../../page/messages.ts";
import { type TreeNode, treeOf } from "./rule-tree.ts";

type Rule = Listing["rules"][number];

/** Rules of which the tree is drawn: more are a wall. */
export const MOST_RULES = 300;

/** Draws the tree; `onPoint` gets the line of a rule under the pointer or with the focus. */
export function drawTree(
	rules: readonly Rule[],
	onPoint: (line: number) => void,
): HTMLElement {
	const draw = (nodes: readonly TreeNode[]): HTMLUListElement =>
		make("ul", {}, ...nodes.map(item));
	const item = ({ text, rules, children }: TreeNode): HTMLLIElement =>
		make(
			"li",
			{},
			make(
				"span",
				{ className: "node" },
				make("code", { textContent: text }),
				...rules.map((rule) => ruleButton(rule, onPoint)),
			),
			...(children.length > 0 ? [draw(children)] : []),
		);
	const tree = draw(treeOf(rules));
	tree.className = "tree";
	return tree;
}

/** A rule in a drawing; `onPoint` gets its line. */
export function ruleButton(
	{ type, line }: Rule,
	onPoint: (line: number) => void,
): HTMLElement {
	const verdict = type === "allow" ? "allowed" : "disallowed";
	const button = make("button", {
		type: "button",
		className: `chip ${verdict}`,
		textContent: `${verdictSymbols[verdict]} ${line === 0 ? type : `line ${line}`}`,
		ariaLabel: `${type}, line ${line}`,
	});
	button.dataset.line = String(line);
	for (const event of ["pointerenter", "focus", "click"])
		button.addEventListener(event, () => onPoint(line));
	return button;
}

/** Marks the way to the rules of some lines, and what is pointed at. */
export function markTree(
	tree: ParentNode,
	deciding: number,
	pointed: ReadonlySet<number>,
): void {
	for (const item of tree.querySelectorAll(".on-way"))
		item.classList.remove("on-way");
	for (const button of tree.querySelectorAll<HTMLElement>("[data-line]")) {
		const line = Number(button.dataset.line);
		button.classList.toggle("pointed", pointed.has(line));
		// All nodes above the deciding rule: the texts on that way are its pattern.
		if (line !== deciding || deciding < 0) continue;
		for (
			let item = button.closest("li");
			item;
			item = item.parentElement?.closest("li") ?? null
		)
			item.classList.add("on-way");
	}
}
