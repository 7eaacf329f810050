/**
 * An item of the Compare pane's list: a URL, what either file says of it, and for whom. The sentences are those of `robotrie diff`, so that
 * both can be quoted.
 */
import type { DecidingLines, VerdictChange } from "robotrie/compare";
import { agentsText, decidingText } from "robotrie/internal";
import { make } from "./dom.ts";
import { verdictSymbols } from "./urls-editor.ts";

/** Leads to a line of one of the files. */
export type GoToLine = (side: "before" | "after", line: number) => void;

/** A URL whose verdict changes: what either file says, and for whom. */
export function changeItem(
	{ url, agents, before, after }: VerdictChange,
	goToLine: GoToLine,
): HTMLLIElement {
	return make(
		"li",
		{ className: "change" },
		make("code", { className: "change-url", textContent: url }),
		sideOf("before", before, goToLine),
		sideOf("after", after, goToLine),
		agentsOf(agents),
	);
}

function sideOf(
	side: "before" | "after",
	lines: DecidingLines,
	goToLine: GoToLine,
): HTMLElement {
	const verdict = lines.allowed ? "allowed" : "disallowed";
	const line = lines.rule?.line ?? lines.group?.line;
	return make(
		"p",
		{ className: "change-side" },
		make("span", { className: "quiet", textContent: `${side} ` }),
		make("span", {
			className: `chip ${verdict}`,
			textContent: `${verdictSymbols[verdict]} ${verdict}`,
		}),
		line === undefined
			? decidingText(lines)
			: make("button", {
					type: "button",
					className: "deciding",
					textContent: decidingText(lines),
					title: `Show it in the file ${side}`,
					onclick: () => goToLine(side, line),
				}),
	);
}

function agentsOf(agents: readonly string[]): HTMLElement {
	const short = `for ${agentsText(agents)}`;
	const all = agents.join(", ");
	// Short enough to be said in full: there is nothing to unfold.
	if (short === `for ${all}`)
		return make("p", { className: "quiet", textContent: short });
	return make(
		"details",
		{ className: "quiet" },
		make("summary", { textContent: short }),
		all,
	);
}
