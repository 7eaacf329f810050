/**
 * The row of buttons that copies the verdicts or saves them. test-pane.ts loads it after the first verdicts, as nobody needs it sooner. The
 * worker writes the list (verdict-list.ts), as it may be long.
 */

import { saveAs } from "../../files/save.ts";
import type { Asker } from "../../page/asker.ts";
import { make } from "../../page/dom.ts";
import {
	type ListFormat,
	type VerdictKind,
	verdictKinds,
} from "../../page/messages.ts";

const names: Readonly<Record<VerdictKind, string>> = {
	allowed: "allowed ones",
	disallowed: "disallowed ones",
	invalid: "invalid ones",
	differing: "those that differ by dialect",
};

/** Copies verdicts, or saves them as a file: all, or those of one kind. */
export function exportBar(
	judge: Asker,
	notify: (text: string) => void,
): HTMLElement {
	const choice = make(
		"select",
		{ id: "export-only" },
		make("option", { value: "", textContent: "all lines" }),
		...verdictKinds.map((value) =>
			make("option", { value, textContent: names[value] }),
		),
	);
	/** The list, or undefined when there is none, which the page then tells. */
	const list = async (format: ListFormat): Promise<Blob | undefined> => {
		const only =
			choice.value === "" ? undefined : (choice.value as VerdictKind);
		try {
			return await judge.ask("list", { list: { format, only } });
		} catch (error) {
			const reason = error instanceof Error ? error.message : String(error);
			notify(`The verdicts could not be written: ${reason}.`);
			return undefined;
		}
	};
	const copy = make("button", {
		type: "button",
		id: "export-copy",
		textContent: "Copy",
		onclick: async () => {
			const text = await (await list("text"))?.text();
			if (text === undefined) return;
			try {
				await navigator.clipboard.writeText(text);
				copy.textContent = "Copied";
			} catch {
				notify("The browser does not let the page copy. Save a file instead.");
			}
			setTimeout(() => {
				copy.textContent = "Copy";
			}, 2000);
		},
	});
	const save = (format: "csv" | "ndjson", textContent: string) =>
		make("button", {
			type: "button",
			id: `export-${format}`,
			textContent,
			onclick: async () => {
				const blob = await list(format);
				if (blob) saveAs(`verdicts.${format}`, blob.type, blob);
			},
		});
	return make(
		"div",
		{ id: "export", className: "export" },
		make("label", {}, "Export ", choice),
		copy,
		save("csv", "CSV"),
		save("ndjson", "NDJSON"),
	);
}
