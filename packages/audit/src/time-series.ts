/**
 * Requests over time: counts of allowed, disallowed and other requests in equal steps. Scanners count a series for each crawler, Totals
 * merges them, and the report shows all in one width. Steps get wider as the time gets longer, so that a series never has many
 * more than MOST_STEPS; as each width divides the next, merging series of different widths gives the same result in any order.
 */

import { type CountData, CountTable } from "./count-table.ts";

const MINUTE = 60_000;
/**
 * The widths of steps, in milliseconds. Invariant: each divides the next. 364 days and not a year:
 * a whole number of weeks, which 365 days are not.
 */
const WIDTHS: readonly number[] = [
	MINUTE,
	10 * MINUTE,
	60 * MINUTE,
	6 * 60 * MINUTE,
	24 * 60 * MINUTE,
	7 * 24 * 60 * MINUTE,
	364 * 24 * 60 * MINUTE,
];

/** About the most steps of a series. */
const MOST_STEPS = 400;

/**
 * The width of steps, in milliseconds, for a time from `first` to `last`. Beyond the last width,
 * series get longer than MOST_STEPS.
 */
export function widthFor(first: number, last: number): number {
	return (
		WIDTHS.find((width) => (last - first) / width <= MOST_STEPS) ??
		(WIDTHS.at(-1) as number)
	);
}

/** The columns of a step. Their numbers are stored in states and must not change. */
export const ALLOWED = 0;
export const DISALLOWED = 1;
export const OTHER = 2;
export const KINDS = 3;

type Counts = readonly [allowed: number, disallowed: number, other: number];

/** The requests of one crawler over time. */
export class TimeSeries {
	// Taken from the list, whose numbers V8 stores as doubles because the last one is large: a field that changes its kind is slow.
	#width = WIDTHS[0] as number;
	#counts = new CountTable(KINDS);
	#first = Number.POSITIVE_INFINITY;
	#end = Number.NEGATIVE_INFINITY;
	/** Start of the step of the last request, whose counts `addToLast` reaches; NaN if there is none. */
	#step = Number.NaN;

	/** Counts a request. @param time Milliseconds since 1970; with NaN nothing is counted. */
	add(time: number, kind: number): void {
		if (time < this.#first || time > this.#end) this.#extend(time, time);
		// The usual case: the step of the request before.
		const since = time - this.#step;
		if (since >= 0 && since < this.#width) {
			this.#counts.addToLast(kind, 1);
			return;
		}
		if (Number.isNaN(time)) return;
		const step = Math.floor(time / this.#width);
		this.#counts.add(step, kind, 1);
		this.#step = step * this.#width;
	}

	/** Extends the time of the series, and widens its steps if there would be too many. */
	#extend(first: number, end: number): void {
		this.#first = Math.min(this.#first, first);
		this.#end = Math.max(this.#end, end);
		// Widening at a limit and not at the end keeps memory bounded while counting.
		if (this.#end - this.#first > MOST_STEPS * this.#width)
			this.widen(widthFor(this.#first, this.#end));
	}

	/** Merges steps until they have this width; does nothing if they are wider. */
	widen(width: number): void {
		if (width <= this.#width) return;
		const counts = this.#counts;
		// Numbers of steps are divided, not times: a step begins where its first part began.
		const ratio = width / this.#width;
		this.#counts = new CountTable(KINDS);
		this.#step = Number.NaN;
		this.#width = width;
		this.#counts.merge(counts.toData(), (step) => Math.floor(step / ratio));
	}

	/** The start of each step, in milliseconds since 1970, with its counts, in the order of time. */
	entries(): [start: number, counts: Counts][] {
		const { size, cells } = this.#counts.toData();
		return Array.from({ length: size }, (_, index): [number, Counts] => {
			const at = index * (1 + KINDS);
			const count = (kind: number) => cells[at + 1 + kind] as number;
			return [
				(cells[at] as number) * this.#width,
				[count(ALLOWED), count(DISALLOWED), count(OTHER)],
			];
			// Steps are unordered in the table.
		}).sort(([a], [b]) => a - b);
	}

	/** Adds the counts of another series, in the wider of the two widths. */
	merge({ first, end, width, steps }: TimeSeriesData): void {
		if (steps.size === 0) return;
		this.widen(width);
		this.#extend(first, end);
		const ratio = this.#width / width;
		this.#counts.merge(steps, (step) => Math.floor(step / ratio));
	}

	/**
	 * Forgets all counts and keeps the memory. Otherwise each segment would start with minutes and be
	 * widened again.
	 * @param width Width to start with, in milliseconds: a scanner knows from earlier segments that steps will not be narrower.
	 */
	clear(width: number): void {
		this.#counts.clear();
		this.#step = Number.NaN;
		this.#width = width;
		this.#first = Number.POSITIVE_INFINITY;
		this.#end = Number.NEGATIVE_INFINITY;
	}

	/** Valid until the series changes. */
	toData(): TimeSeriesData {
		return {
			first: this.#first,
			end: this.#end,
			width: this.#width,
			steps: this.#counts.toData(),
		};
	}
}

/**
 * Whether a stored series is one that a TimeSeries gives. All steps must lie between `first` and
 * `end`, and those must not be further apart than the width allows: charts walk from one to the
 * other, and must not do so for years of minutes. A state from anywhere could have a series of
 * billions of steps.
 */
export function isSeries({
	first,
	end,
	width,
	steps,
}: TimeSeriesData): boolean {
	if (!WIDTHS.includes(width)) return false;
	const { size, cells } = steps;
	if (size === 0) return true;
	if (!(first <= end)) return false;
	if (end - first > MOST_STEPS * width && width !== WIDTHS.at(-1)) return false;
	for (let at = 0; at < size * (1 + KINDS); at += 1 + KINDS) {
		const step = cells[at] as number;
		if (step < Math.floor(first / width) || step > Math.floor(end / width))
			return false;
	}
	return true;
}

/** A TimeSeries as plain data. */
export interface TimeSeriesData {
	readonly first: number;
	readonly end: number;
	/** Milliseconds of a step. */
	readonly width: number;
	/** Counts by the number of the step since 1970. */
	readonly steps: CountData;
}
