/**
 * What the Test pane says of all URLs together: counts, what another dialect would change, and the crawler's rules in order of decision. It
 * draws parts of a Judgement into elements of the page.
 */

import { dialectNames } from "robotrie";
import { verdictSymbols } from "../../editor/urls-editor.ts";
import { byId, counted, grouped, make } from "../../page/dom.ts";
import {
	type Judgement,
	type VerdictCounts,
	type VerdictKind,
	verdictKinds,
} from "../../page/messages.ts";

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

/** Says in which dialect the verdicts are: where it was chosen by hand, also what the crawler's own would change. */
export function showReading(
	{ recognised, dialect, byHand, own, differences }: Judgement,
	useOwn: () => void,
): void {
	const place = byId("reading");
	const { agent } = recognised;
	const name = agent.length > 40 ? "This crawler" : agent;
	place.hidden = own === (byHand ? dialect : dialectNames[0]);
	if (!byHand) {
		place.textContent = `${name} reads robots.txt in the dialect ${own}, and so do these verdicts.`;
		return;
	}
	const count = differences[own];
	const changes =
		count === 0
			? "every URL here has the same verdict"
			: `${counted(count, "URL")} here ${count === 1 ? "has" : "have"} another verdict`;
	place.replaceChildren(
		`The dialect ${dialect} was chosen by hand. ${agent === "*" ? "Most crawlers read" : `${name} reads`} robots.txt in the dialect ${own}, in which ${changes}. `,
		make("button", {
			type: "button",
			className: "line",
			id: "use-dialect",
			textContent: "Use the crawler’s own",
			onclick: useOwn,
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
