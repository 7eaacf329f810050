/**
 * The Compare pane's list of changes: for whom, and below it the URLs with what either file says of each. The sentences are those of
 * `robotrie diff`, so that both can be quoted.
 */
import type { DecidingLines, VerdictChange } from "robotrie/compare";
import { agentsText, decidingText } from "#robotrie/common/verdict-texts";
import { verdictSymbols } from "../../editor/urls-editor.ts";
import { counted, make } from "../../page/dom.ts";

/** Leads to a line of one of the files. */
type GoToLine = (side: "before" | "after", line: number) => void;

/** Changes by whom they are for, in the order of their first ones; of each group, URLs as people write them come first. */
export function changeGroups(
	changes: readonly VerdictChange[],
	goToLine: GoToLine,
): HTMLLIElement[] {
	const groups = new Map<string, VerdictChange[]>();
	for (const change of changes) {
		const key = change.agents.join();
		const known = groups.get(key);
		if (known) known.push(change);
		else groups.set(key, [change]);
	}
	return [...groups.values()].map((own) =>
		make(
			"li",
			{ className: "change-group" },
			make(
				"div",
				{ className: "change-for" },
				make("h3", { textContent: counted(own.length, "URL") }),
				agentsOf(own[0]?.agents ?? []),
			),
			make(
				"ol",
				{},
				...[...own]
					.sort((a, b) => Number(isOdd(a.url)) - Number(isOdd(b.url)))
					.map((change) => changeItem(change, goToLine)),
			),
		),
	);
}

/** Made up to meet a wildcard, or a query: it says less to a reader than a plain path. */
function isOdd(url: string): boolean {
	return /[?*=]|[^:]\/\//.test(url);
}

/** A URL whose verdict changes, and what either file says. */
function changeItem(
	{ url, before, after }: VerdictChange,
	goToLine: GoToLine,
): HTMLLIElement {
	return make(
		"li",
		{ className: "change" },
		make("code", { className: "change-url", textContent: url }),
		sideOf("before", before, goToLine),
		sideOf("after", after, goToLine),
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
