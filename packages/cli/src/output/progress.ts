import { progressText } from "robotrie/internal";
import { StatusLine } from "./status-line.ts";

/** How far the work on a list or a log is, on stderr. */
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

	/** So many more bytes are done; `lines` is how many lines are by now. */
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
