/**
 * Why a URL has its verdict, as elements: the answer in words, each dialect's, the rules that match, and a correction for what is no URL.
 * The Test and the Ask pane show it. It only draws: all of it was decided in the worker (judge.ts).
 */
import { type Dialect, dialectNames } from "robotrie";

import { verdictSymbols } from "../editor/urls-editor.ts";
import { counted, make } from "../page/dom.ts";
import type { Details, Setting } from "../page/messages.ts";
import { proposalFor } from "../page/url-text.ts";

type Answer = Details["byDialect"][Dialect];
type MatchingRule = Details["matching"][number];

/** Takes what is proposed for a URL that is none, or for all such lines of a list. */
interface Correction {
	readonly line: () => void;
	readonly all?: () => void;
}

/** Why a URL is judged as it is: the answer, the dialects side by side, and all rules that match. */
export function explanationOf(
	{ url, dialect, byHand, byDialect, matching, more }: Details,
	{ agent }: Setting,
	goToLine: (line: number) => void,
	correct: Correction,
): Node[] {
	// Undefined for what is no URL to its dialect: then all that take it for one differ.
	const own = byDialect[dialect]?.allowed;
	const rows = dialectNames.map((name) => {
		const answer = byDialect[name];
		const row = dialectRow(name, answer, answer?.allowed !== own);
		if (name === dialect) row.setAttribute("aria-current", "true");
		return row;
	});
	const table = make(
		"table",
		{},
		make("caption", { className: "url", textContent: url }),
		make("tbody", {}, ...rows),
	);
	const isInvalid = dialectNames.some((name) => byDialect[name] === null);
	// Google's parser takes any text for a URL, so one dialect that refuses is enough to ask whether it was meant.
	const proposal = isInvalid ? proposalFor(url) : undefined;
	const answer = answerOf(byDialect[dialect], agent);
	answer.append(
		" ",
		make("span", {
			className: "quiet",
			textContent: `Read as ${dialect}${byHand ? ", chosen by hand" : ""}.`,
		}),
	);
	if (proposal !== undefined)
		return [answer, proposalOf(proposal, correct), table];
	if (matching.length === 0) return [answer, table];
	const rules = matching.map((rule, place) =>
		ruleItem(rule, place === 0, goToLine),
	);
	return [
		answer,
		table,
		make("h3", { textContent: `Rules that match, ${dialect}` }),
		make("ol", { className: "matching" }, ...rules),
		...(more
			? [make("p", { className: "quiet", textContent: "More rules match." })]
			: []),
	];
}

/** Longer text is a header, or no crawler's name. */
const LONGEST_NAME = 40;

/** The verdict in large letters, and what it means in words. */
function answerOf(answer: Answer, agent: string): HTMLElement {
	const verdict = verdictOf(answer);
	const name =
		agent === "*"
			? "A crawler without a group of its own"
			: agent.length > LONGEST_NAME
				? "This crawler"
				: agent;
	const says = {
		allowed: `${name} may fetch this URL.`,
		disallowed: `${name} may not fetch this URL.`,
		invalid: "This is not a URL.",
	}[verdict];
	return make(
		"p",
		{ className: `answer ${verdict}` },
		make("strong", {
			textContent: `${verdictSymbols[verdict]} ${verdict[0]?.toUpperCase()}${verdict.slice(1)}`,
		}),
		` ${says}`,
	);
}

function verdictOf(answer: Answer): "allowed" | "disallowed" | "invalid" {
	if (!answer) return "invalid";
	return answer.allowed ? "allowed" : "disallowed";
}

function proposalOf(proposal: string, correct: Correction): HTMLElement {
	const button = (id: string, textContent: string, onclick: () => void) =>
		make("button", { type: "button", id, textContent, onclick });
	return make(
		"p",
		{ className: "proposal" },
		"Did you mean ",
		make("code", { textContent: proposal }),
		"? ",
		button("use-proposal", "Use it", correct.line),
		" ",
		...(correct.all
			? [button("use-proposals", "Correct all such lines", correct.all)]
			: []),
	);
}

function dialectRow(
	name: string,
	answer: Answer,
	differs: boolean,
): HTMLTableRowElement {
	const verdict = verdictOf(answer);
	const difference = make("span", {
		className: "chip differing",
		textContent: "≠ differs",
	});
	return make(
		"tr",
		{ className: differs ? "differs" : "" },
		make("th", { scope: "row", textContent: name }),
		make(
			"td",
			{},
			make("span", {
				className: `chip ${verdict}`,
				textContent: `${verdictSymbols[verdict]} ${verdict}`,
			}),
			...(differs ? [difference] : []),
		),
		make("td", {}, answer?.reason ?? "This is not a URL."),
	);
}

function ruleItem(
	{ type, pattern, line, bytes }: MatchingRule,
	decides: boolean,
	goToLine: (line: number) => void,
): HTMLLIElement {
	return make(
		"li",
		{},
		make("span", {
			className: decides ? `chip ${type}ed` : "chip",
			textContent: decides ? "decides" : "loses",
		}),
		make("code", { textContent: `${type}: ${pattern}` }),
		make("span", {
			className: "quiet",
			textContent: counted(bytes, "byte"),
		}),
		make("button", {
			type: "button",
			className: "line",
			textContent: `line ${line}`,
			onclick: () => goToLine(line),
		}),
	);
}
