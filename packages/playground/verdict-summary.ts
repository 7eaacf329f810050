/**
 * What the Test pane says of all URLs together: counts, what another dialect would change, and the crawler's rules in order of decision. It
 * draws parts of a Judgement into elements of the page.
 */
import type { Dialect } from "robotrie";
import { byId, counted, grouped, make } from "./dom.ts";
import {
	type Judgement,
	type Setting,
	type VerdictCounts,
	type VerdictKind,
	verdictKinds,
} from "./messages.ts";
import { verdictSymbols } from "./urls-editor.ts";

/** Shows how many URLs have each verdict, on buttons that lead to the next one of them. */
export function showCounts(
	counts: VerdictCounts,
	goToNext: (kind: VerdictKind) => void,
): void {
	const place = byId("counts");
	for (const kind of verdictKinds) {
		const id = `next-${kind}`;
		// Made once: a button that is made anew at each letter would lose the focus.
		let button = document.getElementById(id) as HTMLButtonElement | null;
		if (!button) {
			button = make("button", {
				type: "button",
				id,
				className: kind,
				onclick: () => goToNext(kind),
			});
			place.append(button);
		}
		const name = kind === "differing" ? "differ by dialect" : kind;
		button.textContent = `${verdictSymbols[kind]} ${grouped(counts[kind])} ${name}`;
		button.disabled = counts[kind] === 0;
	}
}

/** Says that the crawler reads in another dialect, `own`, than the chosen one, and what that changes. */
export function showReading(
	{ agent, dialect }: Setting,
	own: Dialect | undefined,
	differences: Judgement["differences"],
	useDialect: (dialect: Dialect) => void,
): void {
	const place = byId("reading");
	place.hidden = own === undefined || own === dialect;
	if (own === undefined || own === dialect) return;
	const count = differences[own];
	place.replaceChildren(
		`${agent.length > 40 ? "This crawler" : agent} reads robots.txt in the dialect ${own}, in which ${count === 0 ? "every URL here has the same verdict" : `${counted(count, "URL")} here ${count === 1 ? "has" : "have"} another verdict`}. `,
		make("button", {
			type: "button",
			className: "line",
			id: "use-dialect",
			textContent: `Use ${own}`,
			onclick: () => useDialect(own),
		}),
	);
}

/**
 * Lists the crawler's rules, of which the first that matches decides; only while the list is open, as it would be made at every letter
 * typed.
 */
export function showSorted(
	{ rules, total }: Judgement["sorted"],
	goToLine: (line: number) => void,
): void {
	byId("sorted-count").textContent =
		total === 0 ? "No rules" : counted(total, "rule");
	const details = byId<HTMLDetailsElement>("sorted");
	const draw = () =>
		byId("sorted-list").replaceChildren(
			...rules.map((rule) => sortedItem(rule, goToLine)),
		);
	// Not a listener: the handler of the answer before, and its rules, are replaced.
	details.ontoggle = () => {
		if (details.open) draw();
	};
	if (details.open) draw();
	const more = byId("sorted-more");
	more.hidden = total <= rules.length;
	more.textContent = `${counted(total - rules.length, "more rule")}.`;
}

function sortedItem(
	{ type, pattern, line, bytes, implied }: Judgement["sorted"]["rules"][number],
	goToLine: (line: number) => void,
): HTMLElement {
	return make(
		"li",
		{},
		make("span", { className: `chip ${type}ed`, textContent: type }),
		make("code", { textContent: pattern === "" ? "(no path)" : pattern }),
		make("span", {
			className: "quiet",
			textContent: `${counted(bytes, "byte")}${implied ? ", implied" : ""}`,
		}),
		make("button", {
			type: "button",
			className: "line",
			textContent: `line ${line}`,
			onclick: () => goToLine(line),
		}),
	);
}
