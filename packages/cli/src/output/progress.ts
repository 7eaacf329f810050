/**
 * Progress on stderr: `StatusLine` is one line that is overwritten, `Progress` fills it for lists and logs. Nothing is measured unless it is
 * shown: Node loads its clock when it is first asked for.
 */
import { progressText } from "#robotrie/common/wording";
import { printable } from "./output.ts";

/** Milliseconds between two lines. */
const PERIOD = 200;
/** Of a terminal that does not say. */
const COLUMNS = 80;
const CLEAR = "\r\x1b[K";

/**
 * Progress on stderr: one line that is overwritten, or lines of their own if stderr is not a
 * terminal. Bytes and lines are counted by the caller in any case, so hidden progress costs nothing
 * but a test.
 */
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
		const { isTTY, columns } = process.stderr;
		process.stderr.write(isTTY ? CLEAR + cut(line, columns) : `${line}\n`);
	}

	/** Takes the line away, for others to be written. */
	clear(): void {
		if (this.#isOpen && process.stderr.isTTY) process.stderr.write(CLEAR);
		this.#isOpen = false;
	}
}

/** What of a line fits into a row of the terminal: what does not goes to the next one, where it is never cleared. */
function cut(line: string, columns: number | undefined): string {
	const width = columns || COLUMNS;
	return line.length < width ? line : `${line.slice(0, width - 2)}…`;
}

/** Progress with a list or a log, on stderr. */
export class Progress {
	readonly #total: number;
	readonly #status: StatusLine;
	/** Not `performance.now()`: Node loads what that needs when it is first asked for, and most commands show nothing. */
	readonly #start = Date.now();
	#bytes = 0;

	/**
	 * @param total Bytes to come, 0 when that is not known.
	 * @param shown By default, if stderr is a terminal.
	 */
	constructor(total: number, shown: boolean | undefined) {
		this.#total = total;
		this.#status = new StatusLine(shown);
	}

	/**
	 * So many more bytes are done; `lines` is how many lines are by now. Called for every block; the
	 * text is made only if it is shown.
	 */
	advance(bytes: number, lines: number): void {
		this.#bytes += bytes;
		this.#status.show(() =>
			progressText({
				bytes: this.#bytes,
				total: this.#total,
				lines,
				seconds: (Date.now() - this.#start) / 1000,
			}),
		);
	}

	/** Takes the line away. */
	end(): void {
		this.#status.clear();
	}
}
