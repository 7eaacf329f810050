import { type CountData, CountTable } from "./count-table.ts";

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
export const KINDS = 3;

export type Counts = readonly [
	allowed: number,
	disallowed: number,
	other: number,
];

export class TimeSeries {
	// Of the list, whose numbers are doubles to V8 because of the largest: a field that changes from one kind to the other is slow.
	#width = WIDTHS[0] as number;
	#counts = new CountTable(KINDS);
	#first = Number.POSITIVE_INFINITY;
	#end = Number.NEGATIVE_INFINITY;
	/** When the step of the request before began; NaN if its counts are not at hand. */
	#step = Number.NaN;

	/** @param time Milliseconds since 1970; nothing is counted without a time. */
	add(time: number, kind: number): void {
		if (time < this.#first || time > this.#end) this.#extend(time, time);
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

	#extend(first: number, end: number): void {
		this.#first = Math.min(this.#first, first);
		this.#end = Math.max(this.#end, end);
		if (this.#end - this.#first > MOST_STEPS * this.#width)
			this.widen(widthFor(this.#first, this.#end));
	}

	/** Brings the series to a width, unless its own is wider. */
	widen(width: number): void {
		if (width <= this.#width) return;
		const counts = this.#counts;
		const ratio = width / this.#width;
		this.#counts = new CountTable(KINDS);
		this.#step = Number.NaN;
		this.#width = width;
		this.#counts.merge(counts.toData(), (step) => Math.floor(step / ratio));
	}

	/** Pairs of a step's beginning, in milliseconds since 1970, and its counts, in the order of time. */
	entries(): [start: number, counts: Counts][] {
		const { size, cells } = this.#counts.toData();
		return Array.from({ length: size }, (_, index): [number, Counts] => {
			const at = index * (1 + KINDS);
			const count = (kind: number) => cells[at + 1 + kind] as number;
			return [
				(cells[at] as number) * this.#width,
				[count(ALLOWED), count(DISALLOWED), count(OTHER)],
			];
		}).sort(([a], [b]) => a - b);
	}

	/** Counts what another one has. */
	merge({ first, end, width, steps }: TimeSeriesData): void {
		if (steps.size === 0) return;
		this.widen(width);
		this.#extend(first, end);
		const ratio = this.#width / width;
		this.#counts.merge(steps, (step) => Math.floor(step / ratio));
	}

	/**
	 * Forgets all counts, but keeps their room.
	 * @param width Milliseconds of the steps to begin with, where it is known that they will not be shorter.
	 */
	clear(width: number): void {
		this.#counts.clear();
		this.#step = Number.NaN;
		this.#width = width;
		this.#first = Number.POSITIVE_INFINITY;
		this.#end = Number.NEGATIVE_INFINITY;
	}

	/** Good until the series changes. */
	toData(): TimeSeriesData {
		return {
			first: this.#first,
			end: this.#end,
			width: this.#width,
			steps: this.#counts.toData(),
		};
	}
}

/** Whether a series that was stored is one that a TimeSeries gives: what fills the gaps between steps goes from the first to the last. */
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

/** What a series counted. */
export interface TimeSeriesData {
	readonly first: number;
	readonly end: number;
	/** Milliseconds of a step. */
	readonly width: number;
	/** By step since 1970. */
	readonly steps: CountData;
}
