import { Places } from "./places.ts";

/**
 * Pauses under ten seconds count to the millisecond, under some minutes to 10 ms, beyond to the second: there are not
 * many different ones, as long pauses are few.
 */
function rounded(milliseconds: number): number {
	if (milliseconds < 10_000) return Math.round(milliseconds);
	return milliseconds < 300_000
		? Math.round(milliseconds / 10) * 10
		: Math.round(milliseconds / 1000) * 1000;
}

/** Pauses between requests, and how many there were of each. */
export class Pauses {
	readonly #places = new Places();
	/** By place. */
	readonly #counts: number[] = [];

	add(milliseconds: number): void {
		this.#count(rounded(milliseconds), 1);
	}

	#count(pause: number, count: number): void {
		const place = this.#places.of(pause);
		if (place === this.#counts.length) this.#counts.push(count);
		else this.#counts[place] = (this.#counts[place] as number) + count;
	}

	merge({ pauses, counts }: PauseData): void {
		for (let at = 0; at < counts.length; at++)
			this.#count(pauses[at] as number, counts[at] as number);
	}

	/** Milliseconds; the lower of the two in the middle, so that it is a pause that was. Null without any. */
	median(): number | null {
		const number = this.#counts.reduce((sum, count) => sum + count, 0);
		let rest = Math.ceil(number / 2);
		for (const pause of this.#places.numbers().sort()) {
			rest -= this.#counts[this.#places.of(pause)] as number;
			if (rest <= 0) return pause;
		}
		return null;
	}

	toData(): PauseData {
		return { pauses: this.#places.numbers(), counts: this.#counts };
	}
}

/** As they go to another thread: a pause in milliseconds, and at the same index its count. */
export interface PauseData {
	readonly pauses: Float64Array;
	readonly counts: readonly number[];
}
