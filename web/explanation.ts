import { type Dialect, dialectNames } from "../src/robots-txt/dialect.ts";
import { counted, make } from "./dom.ts";
import type { Details } from "./messages.ts";
import { verdictSymbols } from "./urls-editor.ts";

/** Why a URL is judged as it is: the dialects side by side, and all rules that match. */
export function explanationOf(
	{ url, byDialect, matching, more }: Details,
	dialect: Dialect,
	goToLine: (line: number) => void,
): Node[] {
	const lineButton = (line: number) =>
		make("button", {
			type: "button",
			className: "line",
			textContent: `line ${line}`,
			onclick: () => goToLine(line),
		});
	const own = byDialect[dialect]?.allowed;
	const rows = dialectNames.map((name) => {
		const answer = byDialect[name];
		const verdict = !answer
			? "invalid"
			: answer.allowed
				? "allowed"
				: "disallowed";
		const differs = answer?.allowed !== own;
		const head = make("th", { scope: "row", textContent: name });
		const row = make(
			"tr",
			{ className: differs ? "differs" : "" },
			head,
			make(
				"td",
				{},
				make("span", {
					className: `chip ${verdict}`,
					textContent: `${verdictSymbols[verdict]} ${verdict}`,
				}),
				...(differs
					? [
							make("span", {
								className: "chip differing",
								textContent: "≠ differs",
							}),
						]
					: []),
			),
			make("td", {}, answer?.reason ?? "This is not a URL."),
		);
		if (name === dialect) row.setAttribute("aria-current", "true");
		return row;
	});
	const table = make(
		"table",
		{},
		make("caption", { className: "url", textContent: url }),
		make("tbody", {}, ...rows),
	);
	if (matching.length === 0) return [table];
	const rules = matching.map(({ type, pattern, line, bytes }, place) =>
		make(
			"li",
			{},
			make("span", {
				className: place === 0 ? `chip ${type}ed` : "chip",
				textContent: place === 0 ? "decides" : "loses",
			}),
			make("code", { textContent: `${type}: ${pattern}` }),
			make("span", {
				className: "quiet",
				textContent: counted(bytes, "byte"),
			}),
			lineButton(line),
		),
	);
	return [
		table,
		make("h3", { textContent: `Rules that match, ${dialect}` }),
		make("ol", { className: "matching" }, ...rules),
		...(more
			? [make("p", { className: "quiet", textContent: "More rules match." })]
			: []),
	];
}
