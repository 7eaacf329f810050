/**
 * The list of numbers in which packed-counts.ts packs counters. `Writer` appends numbers; `Reader` reads them back and checks each to be one
 * that a Writer writes, because lists come from stored states, which anybody may have made.
 */

import type { Calendar } from "./calendar.ts";
import { asInteger, type CountData, NO_COUNTS } from "./count-table.ts";
import type { VersionCounts } from "./keyed-counts.ts";
import { isSeries, KINDS, type TimeSeriesData } from "./time-series.ts";

/** The latest time of a Date, in milliseconds since 1970. */
const LAST_TIME = 8.64e15;

/**
 * A list of numbers that grows. Float64Array instead of a list of numbers: a segment has thousands
 * of them, and threads copy one object.
 */
export class Writer {
	#numbers = new Float64Array(1024);
	#size = 0;

	write(number: number): void {
		if (this.#size === this.#numbers.length) {
			const more = new Float64Array(2 * this.#size);
			more.set(this.#numbers);
			this.#numbers = more;
		}
		this.#numbers[this.#size++] = number;
	}

	/** Writes a number that is only known later; returns its place for `set`. */
	reserve(): number {
		this.write(0);
		return this.#size - 1;
	}

	set(place: number, number: number): void {
		this.#numbers[place] = number;
	}

	/** Writes a list whose numbers are mostly 0: how many are not, then their indices and values. */
	writeFew(list: ArrayLike<number>): void {
		const at = this.reserve();
		for (let index = 0; index < list.length; index++) {
			const number = list[index] as number;
			if (number === 0) continue;
			this.write(index);
			this.write(number);
		}
		this.set(at, (this.#size - at - 1) / 2);
	}

	/** Writes a table: its size and its cells. */
	writeTable({ size, cells }: CountData, columns: number): void {
		this.write(size);
		for (let at = 0; at < size * (1 + columns); at++)
			this.write(cells[at] as number);
	}

	written(): Float64Array<ArrayBuffer> {
		// A copy of what was written; the buffer is reused for the next segment.
		return this.#numbers.slice(0, this.#size);
	}
}

/** How many sites and versions of robots.txt files an audit has, which counters refer to by index; and the steps that it counts in. */
export interface Bounds {
	/** Undefined where series come from a scanner and need no check. */
	readonly calendar?: Calendar | undefined;
	readonly sites: number;
	readonly versions: number;
}

/**
 * Reads what a Writer wrote. Each number is checked to be one that a Writer writes, so that adding the counters up neither fails nor runs
 * forever. Invariant: a size that was read is never larger than what follows it, so that no list takes more memory than the data.
 */
export class Reader {
	readonly #numbers: Float64Array;
	#at = 0;

	constructor(numbers: Float64Array) {
		this.#numbers = numbers;
	}

	get isAtEnd(): boolean {
		return this.#at === this.#numbers.length;
	}

	#read(): number {
		// Only here: a list that ends early must not read past its end, where it would get undefined.
		if (this.isAtEnd) throw damaged("a number is missing");
		return asInteger(this.#numbers[this.#at++] as number);
	}

	/** A whole number from 0, below `end`. */
	readCount(end = Number.MAX_SAFE_INTEGER): number {
		const number = this.#read();
		if (!(Number.isInteger(number) && number >= 0 && number < end))
			throw damaged(`${number} is not a whole number below ${end}`);
		return number;
	}

	/** The number of items that follow, each of at least this many numbers. */
	readSize(numbers: number): number {
		// The size is checked against what is left before anything is allocated for it.
		const left = this.#numbers.length - this.#at - 1;
		return this.readCount(Math.floor(left / numbers) + 1);
	}

	/** A number from 0, perhaps with a fraction. */
	readAmount(): number {
		const number = this.#read();
		if (!(number >= 0 && number < Number.POSITIVE_INFINITY))
			throw damaged(`${number} is not an amount`);
		return number;
	}

	/** The same; NaN means undefined. */
	readOptional(): number | undefined {
		if (!Number.isNaN(this.#numbers[this.#at])) return this.readAmount();
		this.#at++;
		return undefined;
	}

	/** An amount, or -1 for none. */
	readDelay(): number {
		const number = this.#read();
		if (!(number >= -1 && number < Number.POSITIVE_INFINITY))
			throw damaged(`${number} is not a delay`);
		return number;
	}

	/** Milliseconds since 1970, or `none`. */
	readTime(none: number): number {
		const number = this.#read();
		if (!Object.is(number, none) && !isTime(number))
			throw damaged(`${number} is not a time`);
		return number;
	}

	/** A list of this length that `writeFew` wrote. */
	readFew(length: number): readonly number[] {
		const list = new Array<number>(length).fill(0);
		for (let rest = this.readCount(length + 1); rest > 0; rest--) {
			const index = this.readCount(length);
			list[index] = this.readAmount();
		}
		return list;
	}

	/** A series whose steps fit its times. */
	readSeries({ calendar }: Bounds): TimeSeriesData {
		const series = {
			first: this.readTime(Number.POSITIVE_INFINITY),
			end: this.readTime(Number.NEGATIVE_INFINITY),
			width: this.readCount(),
			steps: this.readTable(KINDS),
		};
		if (calendar && !isSeries(series, calendar))
			throw damaged("a series has other steps than times");
		return series;
	}

	/** The counters of versions. */
	readVersions({ versions }: Bounds): readonly VersionCounts[] {
		return Array.from({ length: this.readSize(VERSION_NUMBERS) }, () => ({
			version: this.readCount(versions),
			requests: this.readCount(),
			robotsTxt: this.readCount(),
			allowed: this.readCount(),
			disallowed: this.readCount(),
			allowedAfter: this.readCount(),
			disallowedAfter: this.readCount(),
			firstSeen: this.readTime(Number.POSITIVE_INFINITY),
			firstFetch: this.readTime(Number.POSITIVE_INFINITY),
		}));
	}

	/** A CountTable of so many columns, as a view of the numbers: it is merged at once and never changed. */
	readTable(columns: number): CountData {
		const width = 1 + columns;
		const size = this.readSize(width);
		if (size === 0) return NO_COUNTS;
		const from = this.#at;
		this.#at += size * width;
		const cells = this.#numbers.subarray(from, this.#at);
		// Both checks in the loop, as cells are merged into a table without another look at them.
		for (let at = 0; at < cells.length; at++) {
			const cell = cells[at] as number;
			// NaN equals no number in a CountTable, which would then grow with each look-up.
			if (!(Math.abs(cell) <= LAST_TIME && Number.isInteger(cell)))
				throw damaged(`${cell} is not a whole number`);
			if (cell < 0 && at % width > 0) throw damaged(`${cell} is not a count`);
		}
		return { size, cells };
	}
}

/** Numbers in the counters of a version. */
const VERSION_NUMBERS = 9;

function isTime(number: number): boolean {
	return Math.abs(number) <= LAST_TIME;
}

/** The error of data that no Writer wrote; callers turn it into one for users. */
export function damaged(reason: string): RangeError {
	return new RangeError(reason);
}
