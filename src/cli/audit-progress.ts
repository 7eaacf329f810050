import { progressText } from "../log/progress.ts";

/** Milliseconds between two lines. */
const PERIOD = 200;

/** How far the work is, on stderr, in a line that is written over. */
export class Progress {
	readonly #total: number;
	readonly #shown: boolean;
	readonly #start = performance.now();
	#bytes = 0;
	#last = Number.NEGATIVE_INFINITY;
	#isOpen = false;

	/** @param total Bytes to come, 0 when that is not known. */
	constructor(total: number, shown: boolean | undefined) {
		this.#total = total;
		this.#shown = shown ?? process.stderr.isTTY;
	}

	/** So many more bytes are done; `lines` is how many lines are by now. */
	advance(bytes: number, lines: number): void {
		this.#bytes += bytes;
		const now = performance.now();
		if (!this.#shown || now - this.#last < PERIOD) return;
		this.#last = now;
		this.#isOpen = true;
		const text = `robotrie: ${progressText({
			bytes: this.#bytes,
			total: this.#total,
			lines,
			seconds: (now - this.#start) / 1000,
		})}`;
		process.stderr.write(
			process.stderr.isTTY ? `\r\x1b[K${text}` : `${text}\n`,
		);
	}

	/** Takes the line away. */
	end(): void {
		if (this.#isOpen && process.stderr.isTTY) process.stderr.write("\r\x1b[K");
	}
}
