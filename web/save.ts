import { make } from "./dom.ts";

/** Has the browser save text as a file. */
export function saveAs(name: string, type: string, text: string): void {
	const address = URL.createObjectURL(new Blob([text], { type }));
	make("a", { href: address, download: name }).click();
	// The download has its own hold on the text by then.
	setTimeout(() => URL.revokeObjectURL(address), 60_000);
}
