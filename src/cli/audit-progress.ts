import { count } from "./output.ts";

/** Milliseconds between two lines. */
const PERIOD = 200;
const MB = 1e6;

/** How far the work is, on stderr, in a line that is written over. */
export class Progress {
	readonly #total: number;
	readonly #shown: boolean;
	readonly #start = performance.now();
	#octets = 0;
	#last = Number.NEGATIVE_INFINITY;
	#isOpen = false;

	/** @param total Octets to come, 0 when that is not known. */
	constructor(total: number, shown: boolean | undefined) {
		this.#total = total;
		this.#shown = shown ?? process.stderr.isTTY;
	}

	/** So many more octets are done; `lines` is how many lines are by now. */
	advance(octets: number, lines: number): void {
		this.#octets += octets;
		const now = performance.now();
		if (!this.#shown || now - this.#last < PERIOD) return;
		this.#last = now;
		this.#isOpen = true;
		const seconds = (now - this.#start) / 1000;
		const parts = [
			this.#total > 0
				? `${percent(this.#octets / this.#total)} of ${Math.ceil(this.#total / MB).toLocaleString("en-US")} MB`
				: "",
			count(lines, "line"),
			`${Math.round(lines / seconds).toLocaleString("en-US")} lines/s`,
			this.#octets > 0 && this.#total > 0
				? `${duration((seconds * (this.#total - this.#octets)) / this.#octets)} left`
				: "",
		];
		const text = `robotrie: ${parts.filter(Boolean).join(", ")}`;
		process.stderr.write(
			process.stderr.isTTY ? `\r\x1b[K${text}` : `${text}\n`,
		);
	}

	/** Takes the line away. */
	end(): void {
		if (this.#isOpen && process.stderr.isTTY) process.stderr.write("\r\x1b[K");
	}
}

function percent(part: number): string {
	return `${Math.min(100, Math.floor(part * 100))}%`;
}

function duration(seconds: number): string {
	const whole = Math.ceil(seconds);
	return whole < 60
		? `${whole} s`
		: `${Math.floor(whole / 60)} min ${whole % 60} s`;
}
