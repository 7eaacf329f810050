/**
 * The list of work that this browser keeps: other tabs', that of tabs that were closed, and earlier versions. address.ts loads it for those who
 * ask for it, and hands in what is kept.
 */
import "./earlier.css";
import { counted, make } from "../page/dom.ts";
import type { Earlier } from "./kept.ts";

/** Asks which piece of work to go back to; undefined if none. */
export function chooseEarlier(
	all: readonly Earlier[],
	own: string,
): Promise<string | undefined> {
	return new Promise((resolve) => {
		const close = make("button", { type: "button", textContent: "Close" });
		const dialog = make(
			"dialog",
			{ id: "earlier-list", className: "card" },
			make("h2", { textContent: "Earlier work" }),
			make("p", {
				className: "quiet",
				textContent:
					all.length === 0
						? "Nothing is kept yet: the first change will be."
						: "Kept only in this browser, newest first. Going back also keeps what you have now.",
			}),
			make("ol", {}, ...all.map((one) => item(one, own, choose))),
			close,
		);
		dialog.setAttribute("aria-label", "Earlier work");
		function choose(id: string): void {
			resolve(id);
			dialog.close();
		}
		close.addEventListener("click", () => dialog.close());
		dialog.addEventListener("close", () => {
			// Also after a choice, and for Escape: a promise that is settled ignores the second value.
			dialog.remove();
			resolve(undefined);
		});
		document.body.append(dialog);
		dialog.showModal();
	});
}

function item(
	{ id, time, agent, size, start, urls }: Earlier,
	own: string,
	choose: (id: string) => void,
): HTMLLIElement {
	return make(
		"li",
		{},
		make("button", {
			type: "button",
			textContent: new Date(time).toLocaleString("en-GB", {
				dateStyle: "medium",
				timeStyle: "medium",
			}),
			onclick: () => choose(id),
		}),
		make("span", {
			textContent: `${id === own ? "this tab, " : ""}${agent === "" || agent === "*" ? "any crawler" : agent}, robots.txt of ${counted(size, "character")}, ${counted(urls, "URL")}`,
		}),
		make("code", { textContent: start }),
	);
}
