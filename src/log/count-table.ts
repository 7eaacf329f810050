const FIRST_CAPACITY = 8;

/** 2 ** 32 by the golden ratio: neighbours come to lie far apart. */
const MULTIPLIER = 0x9e3779b1;

/**
 * Counts of whole numbers, `columns` for each, in the order in which the numbers were met. A `Map` takes four times as
 * long, and all requests of crawlers are counted in these.
 */
export class CountTable {
	readonly #columns: number;
	#size = 0;
	/** By place. */
	#numbers = new Float64Array(FIRST_CAPACITY);
	#counts: Float64Array;
	/** Open addressing, at most half full: a place and one more, 0 where there is none. */
	#slots = new Int32Array(2 * FIRST_CAPACITY);
	#shift = 32 - Math.log2(2 * FIRST_CAPACITY);

	/** Requests come in bursts: the number that was counted last. */
	#last = Number.NaN;
	#lastPlace = 0;

	constructor(columns: number) {
		this.#columns = columns;
		this.#counts = new Float64Array(FIRST_CAPACITY * columns);
	}

	add(number: number, column: number, count: number): void {
		if (number !== this.#last) {
			this.#lastPlace = this.#place(number);
			this.#last = number;
		}
		const at = this.#lastPlace * this.#columns + column;
		this.#counts[at] = (this.#counts[at] as number) + count;
	}

	#place(number: number): number {
		const slots = this.#slots;
		let slot = Math.imul(number, MULTIPLIER) >>> this.#shift;
		for (;;) {
			const place = (slots[slot] as number) - 1;
			if (place < 0) break;
			if (this.#numbers[place] === number) return place;
			slot = (slot + 1) & (slots.length - 1);
		}
		if (this.#size === this.#numbers.length) {
			this.#grow();
			return this.#place(number);
		}
		this.#numbers[this.#size] = number;
		slots[slot] = ++this.#size;
		return this.#size - 1;
	}

	#grow(): void {
		const numbers = this.#numbers;
		const counts = this.#counts;
		const capacity = 2 * numbers.length;
		this.#numbers = new Float64Array(capacity);
		this.#counts = new Float64Array(capacity * this.#columns);
		this.#slots = new Int32Array(2 * capacity);
		this.#shift--;
		this.#size = 0;
		for (const number of numbers) this.#place(number);
		this.#counts.set(counts);
	}

	/** Forgets all numbers, but keeps the room for as many. */
	clear(): void {
		this.#last = Number.NaN;
		this.#slots.fill(0);
		this.#counts.fill(0, 0, this.#size * this.#columns);
		this.#size = 0;
	}

	/** Adds the counts of a table of as many columns, each number replaced by what it is here. */
	merge(data: CountData, replace?: (number: number) => number): void {
		const { numbers, counts } = data;
		const columns = this.#columns;
		for (let from = 0; from < numbers.length; from++) {
			const number = numbers[from] as number;
			const at = this.#place(replace ? replace(number) : number) * columns;
			for (let column = 0; column < columns; column++)
				this.#counts[at + column] =
					(this.#counts[at + column] as number) +
					(counts[from * columns + column] as number);
		}
	}

	/** Good until the table changes. */
	toData(): CountData {
		return {
			numbers: this.#numbers.subarray(0, this.#size),
			counts: this.#counts.subarray(0, this.#size * this.#columns),
		};
	}
}

/** A table as it goes to another thread: numbers, and one after the other the counts of each. */
export interface CountData {
	readonly numbers: Float64Array;
	readonly counts: Float64Array;
}
