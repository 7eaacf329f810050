import { Places } from "./places.ts";

/**
 * Counts over time, in equal steps that get wider as the time gets longer: each width divides the next, so that series
 * can be added up whatever their widths, with the same result in any order.
 */
const MINUTE = 60_000;
const WIDTHS: readonly number[] = [
	MINUTE,
	10 * MINUTE,
	60 * MINUTE,
	6 * 60 * MINUTE,
	24 * 60 * MINUTE,
	7 * 24 * 60 * MINUTE,
	364 * 24 * 60 * MINUTE,
];

/** Steps of a series, at most about so many. */
const MOST_STEPS = 400;

/** Milliseconds of the steps that a time from `first` to `last` is shown in. */
export function widthFor(first: number, last: number): number {
	return (
		WIDTHS.find((width) => (last - first) / width <= MOST_STEPS) ??
		(WIDTHS.at(-1) as number)
	);
}

/** What is counted. */
export const ALLOWED = 0;
export const DISALLOWED = 1;
export const OTHER = 2;
const KINDS = 3;

export type Counts = readonly [
	allowed: number,
	disallowed: number,
	other: number,
];

/** Counts lie flat, KINDS for each step, in the order in which steps were met: objects for each were most of the garbage. */
export class TimeSeries {
	#width: number;
	#places = new Places();
	#counts: number[] = [];
	/** The step that was counted in last, as lines come in the order of time. */
	#lastStep = Number.NaN;
	#lastPlace = 0;
	#first = Number.POSITIVE_INFINITY;
	#end = Number.NEGATIVE_INFINITY;

	/** @param width Milliseconds of the steps to begin with, where it is known that they will not be shorter. */
	constructor(width: number = MINUTE) {
		this.#width = width;
	}

	/** @param time Milliseconds since 1970; nothing is counted without a time. */
	add(time: number, kind: number): void {
		if (Number.isNaN(time)) return;
		if (time < this.#first || time > this.#end) this.#extend(time, time);
		const step = Math.floor(time / this.#width);
		if (step !== this.#lastStep) {
			this.#lastStep = step;
			this.#lastPlace = this.#place(step);
		}
		const at = this.#lastPlace + kind;
		this.#counts[at] = (this.#counts[at] as number) + 1;
	}

	#extend(first: number, end: number): void {
		this.#first = Math.min(this.#first, first);
		this.#end = Math.max(this.#end, end);
		this.widen(widthFor(this.#first, this.#end));
	}

	/** Where the counts of a step begin. */
	#place(step: number): number {
		const place = this.#places.of(step) * KINDS;
		if (place === this.#counts.length) this.#counts.push(0, 0, 0);
		return place;
	}

	/** Brings the series to a width, unless its own is wider. */
	widen(width: number): void {
		if (width <= this.#width) return;
		const steps = this.#places.numbers();
		const counts = this.#counts;
		const ratio = width / this.#width;
		this.#places = new Places();
		this.#counts = [];
		this.#width = width;
		this.#lastStep = Number.NaN;
		this.#count(steps, counts, ratio);
	}

	/** Adds the counts of steps that are a fraction of this series' own. */
	#count(steps: Float64Array, counts: readonly number[], ratio: number): void {
		for (let at = 0; at < counts.length; at++) {
			const step = steps[Math.floor(at / KINDS)] as number;
			const place = this.#place(Math.floor(step / ratio)) + (at % KINDS);
			this.#counts[place] =
				(this.#counts[place] as number) + (counts[at] as number);
		}
	}

	/** Pairs of a step's beginning, in milliseconds since 1970, and its counts, in the order of time. */
	entries(): [start: number, counts: Counts][] {
		return Array.from(
			this.#places.numbers(),
			(step, place): [number, Counts] => [
				step * this.#width,
				this.#counts.slice(
					place * KINDS,
					(place + 1) * KINDS,
				) as unknown as Counts,
			],
		).sort(([a], [b]) => a - b);
	}

	/** Counts what another one has. */
	merge(other: TimeSeriesData): void {
		if (other.steps.length === 0) return;
		this.widen(other.width);
		this.#extend(other.first, other.end);
		this.#count(other.steps, other.counts, this.#width / other.width);
	}

	toData(): TimeSeriesData {
		return {
			first: this.#first,
			end: this.#end,
			width: this.#width,
			steps: this.#places.numbers(),
			counts: this.#counts,
		};
	}
}

/** A series as it goes to another thread. */
export interface TimeSeriesData {
	readonly first: number;
	readonly end: number;
	/** Milliseconds of a step. */
	readonly width: number;
	/** Steps since 1970, in any order, and one after the other what was counted in each. */
	readonly steps: Float64Array;
	readonly counts: readonly number[];
}
