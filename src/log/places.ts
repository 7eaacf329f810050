const FIRST_CAPACITY = 8;

/** Of the golden ratio: neighbours come to lie far apart. */
const MULTIPLIER = 0x9e3779b1;

/**
 * Whole numbers, each with a place: 0 for the first that was met, 1 for the next. A `Map` takes four times as long,
 * and all of the counting goes through these.
 */
export class Places {
	/** By place. */
	#numbers = new Float64Array(FIRST_CAPACITY);
	#size = 0;
	/** Open addressing, at most half full: a place and one more, 0 where there is none. */
	#slots = new Int32Array(2 * FIRST_CAPACITY);
	#shift = 32 - Math.log2(2 * FIRST_CAPACITY);

	get size(): number {
		return this.#size;
	}

	/** A number's place, the next one for a number that has none. */
	of(number: number): number {
		const slots = this.#slots;
		const numbers = this.#numbers;
		let slot = Math.imul(number, MULTIPLIER) >>> this.#shift;
		for (;;) {
			const place = (slots[slot] as number) - 1;
			if (place < 0) break;
			if (numbers[place] === number) return place;
			slot = (slot + 1) & (slots.length - 1);
		}
		if (this.#size === numbers.length) {
			this.#grow();
			return this.of(number);
		}
		numbers[this.#size] = number;
		slots[slot] = ++this.#size;
		return this.#size - 1;
	}

	#grow(): void {
		const numbers = this.numbers();
		this.#numbers = new Float64Array(2 * numbers.length);
		this.#slots = new Int32Array(4 * numbers.length);
		this.#shift--;
		this.#size = 0;
		for (const number of numbers) this.of(number);
	}

	/** All numbers, by place. */
	numbers(): Float64Array {
		return this.#numbers.slice(0, this.#size);
	}
}
