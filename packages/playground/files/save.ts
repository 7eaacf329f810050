/** Saving files, for all panes that offer one. Loaded with the first of them. */
import { make } from "../page/dom.ts";

/** Has the browser save a text, or a blob, as a file. */
export function saveAs(
	name: string,
	type: string,
	content: string | Blob,
): void {
	const address = URL.createObjectURL(new Blob([content], { type }));
	make("a", { href: address, download: name }).click();
	// The download has its own hold on the text by then.
	setTimeout(() => URL.revokeObjectURL(address), 60_000);
}
