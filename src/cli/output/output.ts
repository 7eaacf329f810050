import type { styleText } from "node:util";
import { util } from "./util.ts";

/** Writes to stdout; resolves once the system has taken the bytes, so that they may be overwritten. */
export function write(data: Uint8Array | string): Promise<void> {
	return new Promise((resolve, reject) => {
		process.stdout.write(data, (error) => (error ? reject(error) : resolve()));
	});
}

/** A remark of ours on stderr, in one line. */
export function tell(message: string): void {
	process.stderr.write(`robotrie: ${printable(message)}\n`);
}

/** Text from a file that anyone may have written: control characters could drive the terminal, and line ends split our line. */
export function printable(text: string): string {
	return text.replace(
		/\p{Cc}/gu,
		(character) =>
			`\\x${character.charCodeAt(0).toString(16).padStart(2, "0")}`,
	);
}

/** Colours the text if stdout is a terminal that wants it (NO_COLOR and FORCE_COLOR count). */
export function paint(style: Parameters<typeof styleText>[0], text: string) {
	return util().styleText(style, text, { stream: process.stdout });
}

export { count } from "../../common/count.ts";
