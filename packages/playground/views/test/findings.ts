/**
 * Lint's findings as a list under robots.txt; test-pane.ts draws it anew with each answer. The same findings stand in the margin (robots-
 * editor.ts), which draws only what is in view and so has all of them.
 */
import type { Edit, Finding } from "robotrie/lint";
import { severitySymbols } from "../../editor/robots-editor.ts";
import { counted, make } from "../../page/dom.ts";

/** Nobody reads more of them, and all stand in the margin; a hostile file has tens of thousands, whose elements would block the page. */
const MOST_LISTED = 300;

/** Lint findings as a list, each with the way to its line and, where it has an edit, a button that makes it or asks first. */
export function findingItems(
	findings: readonly Finding[],
	goToLine: (line: number) => void,
	repair: (edit: Edit) => void,
): Node[] {
	const items: Node[] = findings
		.slice(0, MOST_LISTED)
		.map(({ line, severity, message, code, edit }) => {
			const item = make(
				"li",
				{},
				make("span", {
					className: severity,
					textContent: `${severitySymbols[severity]} ${severity}`,
				}),
				make("button", {
					type: "button",
					className: "line",
					textContent: `line ${line}`,
					onclick: () => goToLine(line),
				}),
				make(
					"span",
					{},
					`${message} `,
					make(
						"a",
						{ href: `./lint/${code}.html`, target: "_blank" },
						make("code", { textContent: code }),
					),
					...(edit ? [" ", repairButton(line, edit, repair)] : []),
				),
			);
			// By which test-pane.ts finds the item for a mark in the margin.
			item.dataset.line = String(line);
			return item;
		});
	if (findings.length > MOST_LISTED)
		items.push(
			make("li", {
				textContent: `and ${counted(findings.length - MOST_LISTED, "more finding")}, in the margin`,
			}),
		);
	return items;
}

function repairButton(
	line: number,
	edit: Edit,
	repair: (edit: Edit) => void,
): HTMLButtonElement {
	const button = make("button", {
		type: "button",
		className: "line",
		textContent: edit.safe ? "Repair" : "Repair…",
		title: edit.why,
		onclick: () => repair(edit),
	});
	button.setAttribute("aria-label", `Repair line ${line}: ${edit.why}`);
	return button;
}

/** "3 errors, 1 warning". */
export function findingsSummary(findings: readonly Finding[]): string {
	if (findings.length === 0) return "No findings";
	return (["error", "warning", "info"] as const)
		.map((wanted) => ({
			wanted,
			count: findings.filter(({ severity }) => severity === wanted).length,
		}))
		.filter(({ count }) => count > 0)
		.map(({ wanted, count }) =>
			counted(count, wanted === "info" ? "remark" : wanted),
		)
		.join(", ");
}
