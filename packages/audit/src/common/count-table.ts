/**
 * CountTable counts whole numbers: minutes, pauses, paths by number. Every request of a crawler goes through one or two of these tables,
 * which is why they are not Maps. Used by Pauses, TimeSeries and CrawlerCounts; a table's numbers and counts leave it as CountData,
 * which is also how they are merged and stored. Counts must stay below 2 ** 53.
 */

/** Up to this many numbers are searched one by one: most crawlers come once, and need no hash table. */
const FEW = 8;

/** Room for numbers at first, for the same reason. */
const FIRST_ROOM = 1;
const NO_CELLS = new Float64Array(0);

/**
 * Keys of the hash, random: clients choose when they come, and with a known hash could make all
 * numbers collide. Random per process; the order of numbers does not depend on them, so results do
 * not either.
 */
let keys: Int32Array | undefined;

function newKeys(): Int32Array {
	// Odd, as multiplying by an even number loses bits.
	return crypto.getRandomValues(new Int32Array(3)).map((key) => key | 1);
}

/**
 * Counts of whole numbers, `columns` counts for each, in the order in which the numbers first came. A `Map` takes four times as long.
 *
 * Invariants: a number's place never changes until `clear`; at most half of the slots are taken, and a probe stops at the first free one.
 * @example
 * const table = new CountTable(1);
 * table.add(42, 0, 1); // number 42, column 0, one more
 */
export class CountTable {
	/**
	 * Cells of a place: the number and its counts. Array of structures: a look-up that compares the
	 * number has its counts in the same cache line.
	 */
	readonly #width: number;
	#size = 0;
	/** The cells of all places; the array keeps its length when the table is cleared. */
	#cells = NO_CELLS;
	/** Open addressing: each slot holds a place plus one, 0 if it is free. Undefined up to FEW numbers. */
	#slots: Int32Array | undefined;
	#shift = 0;
	#low = 0;
	#high = 0;
	#mix = 0;

	/** The number that was counted last, which the next request often has, too. */
	#last = Number.NaN;
	/** Its first cell. */
	#lastAt = 0;

	/** Slots that look-ups probed in vain, for tests. */
	probes = 0;

	constructor(columns: number) {
		this.#width = columns + 1;
	}

	/**
	 * Adds to a count of a number, which must be finite. Remembering the last number answers most
	 * calls: consecutive requests of a crawler fall into the same minute or have the same path.
	 */
	add(number: number, column: number, count: number): void {
		if (number !== this.#last) {
			this.#lastAt = this.#place(number) * this.#width;
			this.#last = number;
		}
		this.addToLast(column, count);
	}

	/** The same for the number that was added last. */
	addToLast(column: number, count: number): void {
		const at = this.#lastAt + 1 + column;
		this.#cells[at] = (this.#cells[at] as number) + count;
	}

	/** The place of a number, added if it is new. */
	#place(number: number): number {
		const slots = this.#slots;
		if (!slots) return this.#placeOfFew(number);
		let slot = this.#slotOf(number);
		for (;;) {
			const place = (slots[slot] as number) - 1;
			if (place < 0) break;
			if (this.#numberAt(place) === number) return place;
			slot = (slot + 1) & (slots.length - 1);
			this.probes++;
		}
		// Half full: probes stay at about one and a half per look-up, and Int32 slots are small.
		if (2 * this.#size === slots.length) {
			this.#hash(2 * slots.length);
			return this.#place(number);
		}
		slots[slot] = this.#size + 1;
		return this.#append(number);
	}

	/** The same without slots. The number after FEW makes them. */
	#placeOfFew(number: number): number {
		for (let place = 0; place < this.#size; place++)
			if (this.#numberAt(place) === number) return place;
		if (this.#size < FEW) return this.#append(number);
		this.#hash(4 * FEW);
		return this.#place(number);
	}

	#numberAt(place: number): number {
		return this.#cells[place * this.#width] as number;
	}

	/**
	 * Adds a number with zero counts. Cells beyond #size are zero: `clear` and new arrays leave them
	 * so. Doubling. `cells` of a table that was cleared stay, and so does their length: a scanner
	 * counts the next segment without allocating.
	 */
	#append(number: number): number {
		const at = this.#size * this.#width;
		if (at === this.#cells.length) {
			const room = Math.max(2 * this.#size, FIRST_ROOM);
			const cells = new Float64Array(room * this.#width);
			cells.set(this.#cells);
			this.#cells = cells;
		}
		this.#cells[at] = number;
		return this.#size++;
	}

	/**
	 * The first slot of a number: a multiplicative hash of both halves, whose top bits are used.
	 * Numbers reach 2 ** 53 (times), but Math.imul takes 32 bits: both halves are hashed, or all
	 * minutes of an era would share them.
	 */
	#slotOf(number: number): number {
		const high = Math.floor(number / 2 ** 32);
		const hash = Math.imul(number, this.#low) ^ Math.imul(high, this.#high);
		return Math.imul(hash ^ (hash >>> 15), this.#mix) >>> this.#shift;
	}

	/** Makes a table of `count` slots and enters all numbers. */
	#hash(count: number): void {
		keys ??= newKeys();
		[this.#low = 0, this.#high = 0, this.#mix = 0] = keys;
		const slots = new Int32Array(count);
		this.#slots = slots;
		this.#shift = 32 - Math.log2(count);
		for (let place = 0; place < this.#size; place++) {
			let slot = this.#slotOf(this.#numberAt(place));
			while (slots[slot] !== 0) slot = (slot + 1) & (count - 1);
			// Places stay as they are; only slots are made anew.
			slots[slot] = place + 1;
		}
	}

	/** Forgets all numbers and keeps the memory. */
	clear(): void {
		this.#last = Number.NaN;
		this.#slots?.fill(0);
		this.#cells.fill(0, 0, this.#size * this.#width);
		this.#size = 0;
	}

	/** Adds the counts of a table with as many columns; `replace` maps its numbers to those of this table. */
	merge(data: CountData, replace?: (number: number) => number): void {
		const { size, cells } = data;
		const width = this.#width;
		for (let from = 0; from < size * width; from += width) {
			// `replace` may map two numbers to one (wider steps of a series): their counts add up.
			const number = cells[from] as number;
			const at = this.#place(replace ? replace(number) : number) * width;
			for (let count = 1; count < width; count++)
				this.#cells[at + count] =
					(this.#cells[at + count] as number) + (cells[from + count] as number);
		}
	}

	/** Valid until the table changes. */
	toData(): CountData {
		return { size: this.#size, cells: this.#cells };
	}
}

/** `size` numbers, each followed by its counts; the list may be longer. */
export interface CountData {
	readonly size: number;
	readonly cells: ArrayLike<number>;
}

export const NO_COUNTS: CountData = { size: 0, cells: [] };

/**
 * The same number, as an integer to V8 if it is one. V8 keeps what it reads from a Float64Array as a double: a counter to which one is
 * added becomes a double, takes more memory, and makes V8 compile all code for counters again.
 */
export function asInteger(number: number): number {
	const integer = number | 0;
	return integer === number ? integer : number;
}
