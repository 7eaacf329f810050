import type { styleText } from "node:util";
import { util } from "./util.ts";

/** Writes to stdout; resolves once the system has taken the bytes, so that they may be overwritten. */
export function write(data: Uint8Array | string): Promise<void> {
	return new Promise((resolve, reject) => {
		process.stdout.write(data, (error) => (error ? reject(error) : resolve()));
	});
}

/**
 * Writes to stdout what others have written, such as the lines of a list: as it is, but on a terminal with control characters shown as
 * \x1b, as they could drive it. `write` is for text of ours, in which `printable` was applied to theirs.
 */
export function writeForeign(data: Uint8Array | string): Promise<void> {
	return write(process.stdout.isTTY ? shownInTerminal(data) : data);
}

const decoder = new TextDecoder("utf-8", { ignoreBOM: true });

/** A text in which line ends and tabs are the only control characters. */
export function shownInTerminal(data: Uint8Array | string): string {
	const text = typeof data === "string" ? data : decoder.decode(data);
	return text.replace(/(?![\n\t]|\r\n)\p{Cc}/gu, escaped);
}

/** A remark of ours on stderr, in one line. */
export function tell(message: string): void {
	process.stderr.write(`robotrie: ${printable(message)}\n`);
}

/** Text from a file that anyone may have written: control characters could drive the terminal, and line ends split our line. */
export function printable(text: string): string {
	return text.replace(/\p{Cc}/gu, escaped);
}

function escaped(character: string): string {
	return `\\x${character.charCodeAt(0).toString(16).padStart(2, "0")}`;
}

/** Colours the text if stdout is a terminal that wants it (NO_COLOR and FORCE_COLOR count). */
export function paint(style: Parameters<typeof styleText>[0], text: string) {
	return util().styleText(style, text, { stream: process.stdout });
}
