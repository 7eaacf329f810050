import { printable } from "./output.ts";

/** Milliseconds between two lines. */
const PERIOD = 200;
const CLEAR = "\r\x1b[K";

/** How far the work is, on stderr: in one line that is written over, or in lines of their own where stderr is no terminal. */
export class StatusLine {
	readonly #shown: boolean;
	#last: number;
	#isOpen = false;

	/** @param shown By default, if stderr is a terminal. */
	constructor(shown: boolean | undefined) {
		this.#shown = shown ?? process.stderr.isTTY;
		// Unless asked for, what is done within moments of the start shows nothing.
		this.#last = shown ? -PERIOD : 0;
	}

	/** Shows a text, unless the last one was shown just before. */
	show(text: () => string): void {
		// Node loads what measures time when it is first asked for.
		if (!this.#shown) return;
		const now = performance.now();
		if (now - this.#last < PERIOD) return;
		this.#last = now;
		this.#isOpen = true;
		const line = `robotrie: ${printable(text())}`;
		process.stderr.write(process.stderr.isTTY ? CLEAR + line : `${line}\n`);
	}

	/** Takes the line away, for others to be written. */
	clear(): void {
		if (this.#isOpen && process.stderr.isTTY) process.stderr.write(CLEAR);
		this.#isOpen = false;
	}
}
