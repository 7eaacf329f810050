import type { CountData } from "./count-table.ts";
import { Pauses } from "./pauses.ts";

const MINUTE = 60_000;
/** Minutes after which a copy of robots.txt should not be used any more (RFC 9309 §2.4). */
const FRESH = 24 * 60;

function minuteOf(time: number): number {
	return Math.floor(time / MINUTE);
}

/** Requests by minute, in the order of lines: a list, as most come in the minute of the one before. */
class Minutes {
	#minutes: number[] = [];
	#counts: number[] = [];
	#last = Number.NaN;

	add(minute: number, count: number): void {
		const at = this.#counts.length - 1;
		if (minute === this.#last)
			this.#counts[at] = (this.#counts[at] as number) + count;
		else {
			this.#minutes.push(minute);
			this.#counts.push(count);
			this.#last = minute;
		}
	}

	clear(): void {
		this.#minutes = [];
		this.#counts = [];
		this.#last = Number.NaN;
	}

	toData(): CountData {
		const { length } = this.#minutes;
		return { size: length, numbers: this.#minutes, counts: this.#counts };
	}
}

/** Requests for robots.txt, and the others by how long they come after the last of these. All in the order of lines. */
export class Fetches {
	/** Times of the first and the last one; NaN without. */
	#first = Number.NaN;
	#last = Number.NaN;
	#lastMinute = Number.NaN;
	/** Requests more than 24 hours after the last one, by whole minutes. */
	#stale = 0;
	#intervals: Pauses | undefined;
	/** Requests in front of the first one, by minutes: those of the lines before decide whether they are stale. */
	readonly #before: Minutes | undefined;

	/** @param isWhole Nothing comes before these lines. */
	constructor(isWhole: boolean) {
		this.#before = isWhole ? undefined : new Minutes();
	}

	clear(): void {
		this.#first = this.#last = this.#lastMinute = Number.NaN;
		this.#stale = 0;
		this.#intervals?.clear();
		this.#before?.clear();
	}

	/** A request for robots.txt. */
	fetch(time: number): void {
		if (Number.isNaN(time)) return;
		if (Number.isNaN(this.#last)) this.#first = time;
		else this.#interval(time - this.#last);
		this.#last = time;
		this.#lastMinute = minuteOf(time);
	}

	/** Another request. */
	request(time: number): void {
		const minute = minuteOf(time);
		if (minute - this.#lastMinute > FRESH) this.#stale++;
		else if (Number.isNaN(this.#lastMinute) && !Number.isNaN(time))
			this.#before?.add(minute, 1);
	}

	#interval(milliseconds: number): void {
		this.#intervals ??= new Pauses();
		this.#intervals.add(Math.max(milliseconds, 0));
	}

	append(next: FetchesData): void {
		const { size, numbers, counts } = next.before;
		for (let at = 0; at < size; at++) {
			const minute = numbers[at] as number;
			const count = counts[at] as number;
			if (Number.isNaN(this.#last)) this.#before?.add(minute, count);
			else if (minute - this.#lastMinute > FRESH) this.#stale += count;
		}
		this.#stale += next.stale;
		if (next.intervals.size > 0) {
			this.#intervals ??= new Pauses();
			this.#intervals.merge(next.intervals);
		}
		if (Number.isNaN(next.last)) return;
		if (Number.isNaN(this.#last)) this.#first = next.first;
		else this.#interval(next.first - this.#last);
		this.#last = next.last;
		this.#lastMinute = minuteOf(next.last);
	}

	toData(): FetchesData {
		return {
			first: this.#first,
			last: this.#last,
			stale: this.#stale,
			intervals: this.#intervals?.toData() ?? NOTHING,
			before: this.#before?.toData() ?? NOTHING,
		};
	}
}

const NOTHING: CountData = { size: 0, numbers: [], counts: [] };

export interface FetchesData {
	readonly first: number;
	readonly last: number;
	readonly stale: number;
	readonly intervals: CountData;
	readonly before: CountData;
}
