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

export class TimeSeries {
	#width: number = WIDTHS[0] as number;
	readonly #cells = new Map<number, number[]>();
	/** The cell that was counted in last, as lines come in the order of time. */
	#lastStep = Number.NaN;
	#last: number[] = [];
	#first = Number.POSITIVE_INFINITY;
	#end = Number.NEGATIVE_INFINITY;

	/** @param time Milliseconds since 1970; nothing is counted without a time. */
	add(time: number, kind: number): void {
		if (Number.isNaN(time)) return;
		if (time < this.#first || time > this.#end) this.#extend(time, time);
		const step = Math.floor(time / this.#width);
		if (step !== this.#lastStep) {
			this.#lastStep = step;
			this.#last = this.#cell(step);
		}
		this.#last[kind] = (this.#last[kind] as number) + 1;
	}

	#extend(first: number, end: number): void {
		this.#first = Math.min(this.#first, first);
		this.#end = Math.max(this.#end, end);
		this.widen(widthFor(this.#first, this.#end));
	}

	#cell(step: number): number[] {
		let cell = this.#cells.get(step);
		if (!cell) {
			cell = new Array<number>(KINDS).fill(0);
			this.#cells.set(step, cell);
		}
		return cell;
	}

	/** Brings the series to a width, unless its own is wider. */
	widen(width: number): void {
		if (width <= this.#width) return;
		const cells = [...this.#cells];
		const ratio = width / this.#width;
		this.#cells.clear();
		this.#width = width;
		this.#lastStep = Number.NaN;
		for (const [step, counts] of cells)
			addTo(this.#cell(Math.floor(step / ratio)), counts);
	}

	/** Pairs of a step's beginning, in milliseconds since 1970, and its counts, in the order of time. */
	entries(): [start: number, counts: Counts][] {
		return [...this.#cells]
			.sort(([a], [b]) => a - b)
			.map(([step, counts]) => [
				step * this.#width,
				counts as unknown as Counts,
			]);
	}

	/** Counts what another one has. */
	merge(other: TimeSeriesData): void {
		if (other.cells.length === 0) return;
		this.#extend(other.first, other.end);
		for (const [start, counts] of other.cells)
			addTo(this.#cell(Math.floor(start / this.#width)), counts);
	}

	toData(): TimeSeriesData {
		return { first: this.#first, end: this.#end, cells: this.entries() };
	}
}

/** A series as it goes to another thread. */
export interface TimeSeriesData {
	readonly first: number;
	readonly end: number;
	readonly cells: readonly (readonly [start: number, counts: Counts])[];
}

function addTo(cell: number[], counts: readonly number[]): void {
	for (let kind = 0; kind < KINDS; kind++)
		cell[kind] = (cell[kind] as number) + (counts[kind] as number);
}
