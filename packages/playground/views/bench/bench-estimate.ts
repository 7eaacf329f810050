/**
 * How long a run of the Benchmark pane still takes, from the time that the finished parts took and the shares in bench-messages.ts. It has
 * no clock of its own: bench-pane.ts hands in the time, so that tests can hand in theirs.
 */
import { type BenchPart, benchParts } from "./bench-messages.ts";

/** How far a run is, and how long it will take. Times are in milliseconds. */
export class Estimate {
	readonly #begin: number;
	#done = 0;
	#all = 0;

	constructor(now: number) {
		this.#begin = now;
	}

	/** A part has begun: all in front of it are done. */
	begin(part: BenchPart, now: number): void {
		const at = benchParts.findIndex(({ name }) => name === part);
		this.#done = benchParts
			.slice(0, at)
			.reduce((sum, { share }) => sum + share, 0);
		// The first part ends before anything is known: no guess is better than one from another machine.
		if (this.#done > 0) this.#all = (now - this.#begin) / this.#done;
	}

	/** Of all work, from 0 to 1. */
	get done(): number {
		return this.#done;
	}

	/** How much time is left, in words. */
	words(now: number): string {
		if (this.#done === 0) return "An estimate appears after the first part.";
		const seconds = (this.#begin + this.#all - now) / 1000;
		if (seconds < 5) return "A few seconds are left.";
		// In steps of five seconds: a number that changes each second, and at times grows, looks more exact than it is.
		return seconds < 60
			? `About ${Math.ceil(seconds / 5) * 5} s are left.`
			: `About ${Math.ceil(seconds / 60)} min are left.`;
	}
}
