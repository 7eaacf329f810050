/**
 * Requests over time: counts of allowed, disallowed and other requests in equal steps. Scanners count a series for each crawler, Totals
 * merges them, and the report shows all in one width. Steps get wider as the time gets longer, so that a series never has many
 * more than MOST_STEPS; as each width divides the next, merging series of different widths gives the same result in any order.
 */

import { type Calendar, plainCalendar, type Steps } from "./calendar.ts";
import { type CountData, CountTable } from "./count-table.ts";

/** The columns of a step. Their numbers are stored in states and must not change. */
export const ALLOWED = 0;
export const DISALLOWED = 1;
export const OTHER = 2;
export const KINDS = 3;

type Counts = readonly [allowed: number, disallowed: number, other: number];

/** The requests of one crawler over time. */
export class TimeSeries {
	readonly #calendar: Calendar;
	#steps: Steps;
	#counts = new CountTable(KINDS);
	#first = Number.POSITIVE_INFINITY;
	#end = Number.NEGATIVE_INFINITY;
	/** Some time of the step of the last request, whose counts `addToLast` reaches: [from, until), NaN if there is none. */
	#from = Number.NaN;
	#until = Number.NaN;
	/** The longest time for these steps, in milliseconds: a number here, as nearly every request extends the time. */
	#longest: number;

	constructor(calendar = plainCalendar) {
		this.#calendar = calendar;
		this.#steps = calendar.first;
		this.#longest = calendar.longestFor(this.#steps.width);
	}

	/** Counts a request. @param time Milliseconds since 1970; with NaN nothing is counted. */
	add(time: number, kind: number): void {
		if (time < this.#first || time > this.#end) this.#extend(time, time);
		// The usual case: the step of the request before.
		if (time >= this.#from && time < this.#until) {
			this.#counts.addToLast(kind, 1);
			return;
		}
		if (Number.isNaN(time)) return;
		const { cell } = this.#steps;
		this.#counts.add(this.#steps.of(time), kind, 1);
		this.#from = Math.floor(time / cell) * cell;
		this.#until = this.#from + cell;
	}

	/** Extends the time of the series, and widens its steps if there would be too many. */
	#extend(first: number, end: number): void {
		this.#first = Math.min(this.#first, first);
		this.#end = Math.max(this.#end, end);
		// Widening at a limit and not at the end keeps memory bounded while counting.
		if (this.#end - this.#first > this.#longest)
			this.widen(this.#calendar.stepsFor(this.#first, this.#end).width);
	}

	/** Merges steps until they have this width; does nothing if they are wider. */
	widen(width: number): void {
		if (width <= this.#steps.width) return;
		const counts = this.#counts;
		const before = this.#steps;
		const steps = this.#stepsOf(width);
		this.#counts = new CountTable(KINDS);
		this.#use(steps);
		// Numbers of steps are mapped, not times: a step begins where its first part began.
		this.#counts.merge(counts.toData(), (step) => before.among(steps, step));
	}

	/** Counts in steps of a width from now on. */
	#use(steps: Steps): void {
		this.#steps = steps;
		this.#longest = this.#calendar.longestFor(steps.width);
		this.#from = Number.NaN;
		this.#until = Number.NaN;
	}

	#stepsOf(width: number): Steps {
		const steps = this.#calendar.stepsOf(width);
		if (!steps) throw new RangeError(`there are no steps of ${width} ms`);
		return steps;
	}

	/** The start of each step, in milliseconds since 1970, with its counts, in the order of time. */
	entries(): [start: number, counts: Counts][] {
		const { size, cells } = this.#counts.toData();
		return Array.from({ length: size }, (_, index): [number, Counts] => {
			const at = index * (1 + KINDS);
			const count = (kind: number) => cells[at + 1 + kind] as number;
			return [
				this.#steps.startOf(cells[at] as number),
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
		const own = this.#steps;
		if (own.width === width) {
			this.#counts.merge(steps);
			return;
		}
		const theirs = this.#stepsOf(width);
		this.#counts.merge(steps, (step) => theirs.among(own, step));
	}

	/**
	 * Forgets all counts and keeps the memory. Otherwise each segment would start with minutes and be
	 * widened again.
	 * @param width Width to start with, in milliseconds: a scanner knows from earlier segments that steps will not be narrower.
	 */
	clear(width: number): void {
		this.#counts.clear();
		this.#use(this.#stepsOf(width));
		this.#first = Number.POSITIVE_INFINITY;
		this.#end = Number.NEGATIVE_INFINITY;
	}

	/** Valid until the series changes. */
	toData(): TimeSeriesData {
		return {
			first: this.#first,
			end: this.#end,
			width: this.#steps.width,
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
export function isSeries(
	{ first, end, width, steps }: TimeSeriesData,
	calendar: Calendar,
): boolean {
	const of = calendar.stepsOf(width);
	if (!of) return false;
	const { size, cells } = steps;
	if (size === 0) return true;
	if (!(first <= end)) return false;
	if (end - first > calendar.longestFor(width) && !calendar.isLast(width))
		return false;
	// Where clocks are put back over midnight, a day goes on after the next one has begun.
	const [least, most] = [of.of(first) - 1, of.of(end) + 1];
	for (let at = 0; at < size * (1 + KINDS); at += 1 + KINDS) {
		const step = cells[at] as number;
		if (step < least || step > most) return false;
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
