/**
 * Pauses between requests, and how often a crawler fetches robots.txt. `Pauses` is a histogram whose buckets are fine enough that its
 * quantiles are pauses that occurred; `Fetches` counts the intervals between requests for robots.txt and the requests that came more than
 * 24 hours after the last one. Both can be appended: the counts of two consecutive parts of a log are those of the whole.
 */

import {
	asInteger,
	type CountData,
	CountTable,
	NO_COUNTS,
} from "../common/count-table.ts";

/**
 * The bucket of a pause: 1 ms wide below ten seconds, 10 ms below five minutes, then a second. Long
 * pauses are few, so buckets stay few.
 */
function rounded(milliseconds: number): number {
	if (milliseconds < 10_000) return Math.round(milliseconds);
	return milliseconds < 300_000
		? Math.round(milliseconds / 10) * 10
		: Math.round(milliseconds / 1000) * 1000;
}

/** A histogram of pauses, in milliseconds. */
export class Pauses {
	/** Undefined without pauses: most crawlers come once. */
	#counts: CountTable | undefined;

	add(milliseconds: number): void {
		this.#counts ??= new CountTable(1);
		this.#counts.add(rounded(milliseconds), 0, 1);
	}

	merge(other: CountData): void {
		if (other.size === 0) return;
		this.#counts ??= new CountTable(1);
		this.#counts.merge(other);
	}

	clear(): void {
		this.#counts?.clear();
	}

	/** In milliseconds; the lower of the two in the middle, so that it is a pause that occurred. Null without pauses. */
	median(): number | null {
		return this.quantile(0.5);
	}

	/** The longest, in milliseconds; null without pauses. */
	longest(): number | null {
		return this.quantile(1);
	}

	/** The shortest pause such that this share of all pauses (0 to 1) is no longer, in milliseconds; null without pauses. */
	quantile(share: number): number | null {
		const { size, cells } = this.toData();
		const places = Array.from({ length: size }, (_, place) => place);
		const countAt = (place: number) => cells[2 * place + 1] as number;
		const total = places.reduce((sum, place) => sum + countAt(place), 0);
		// From the smallest pause up to the wanted share of all of them.
		let rest = Math.ceil(total * share);
		const pauseAt = (place: number) => cells[2 * place] as number;
		for (const place of places.sort((a, b) => pauseAt(a) - pauseAt(b))) {
			rest -= countAt(place);
			if (rest <= 0) return pauseAt(place);
		}
		return null;
	}

	/** Valid until more are added. */
	toData(): CountData {
		return this.#counts?.toData() ?? NO_COUNTS;
	}
}

const MINUTE = 60_000;
/** Minutes after which a copy of robots.txt should no longer be used (RFC 9309 §2.4). */
const FRESH = 24 * 60;

function minuteOf(time: number): number {
	return Math.floor(time / MINUTE);
}

/** The first time that is more than FRESH after a request for robots.txt, in whole minutes; NaN for NaN. */
function staleAfter(fetch: number): number {
	return (minuteOf(fetch) + FRESH + 1) * MINUTE;
}

/** Requests by minute, in the order of lines. A list, not a table, as most requests come in the minute of the one before. */
class Minutes {
	/** Each minute, followed by its count. */
	readonly #cells: number[] = [];
	/** Start of the last minute; NaN without one. */
	#begin = Number.NaN;

	add(time: number, count: number): void {
		const since = time - this.#begin;
		// Requests of a minute are counted together: staleness is by minute, so nothing is lost.
		if (since >= 0 && since < MINUTE) {
			const at = this.#cells.length - 1;
			this.#cells[at] = (this.#cells[at] as number) + count;
			return;
		}
		const minute = minuteOf(time);
		this.#cells.push(minute, count);
		this.#begin = minute * MINUTE;
	}

	clear(): void {
		this.#cells.length = 0;
		this.#begin = Number.NaN;
	}

	toData(): CountData {
		return { size: this.#cells.length / 2, cells: this.#cells };
	}
}

/**
 * Requests for robots.txt, and whether other requests are stale: more than 24 hours after the last
 * one. Follows the order of lines, as a crawler's clock does; whether requests before the first one
 * are stale depends on earlier lines, so `append` decides about them.
 */
export class Fetches {
	/** Times of the first and the last request for robots.txt; NaN without one. */
	#first = Number.NaN;
	#last = Number.NaN;
	/** Requests from this time on are stale. */
	#staleFrom = Number.NaN;
	/** Stale requests. */
	#stale = 0;
	#intervals: Pauses | undefined;
	/** Requests before the first one, by minute. Undefined if no lines come before: then none of them is stale. */
	readonly #before: Minutes | undefined;

	/** @param isWhole No lines come before these. */
	constructor(isWhole: boolean) {
		this.#before = isWhole ? undefined : new Minutes();
	}

	clear(): void {
		this.#first = this.#last = this.#staleFrom = Number.NaN;
		this.#stale = 0;
		this.#intervals?.clear();
		this.#before?.clear();
	}

	/** A request for robots.txt. */
	fetch(time: number): void {
		if (Number.isNaN(time)) return;
		if (Number.isNaN(this.#last)) this.#first = time;
		else this.#interval(time - this.#last);
		// By whole minutes, so that the counts of a list (`Minutes`) and of single requests agree.
		this.#last = time;
		this.#staleFrom = staleAfter(time);
	}

	/** Another request. */
	request(time: number): void {
		if (time >= this.#staleFrom) this.#stale++;
		else if (Number.isNaN(this.#staleFrom) && !Number.isNaN(time))
			this.#before?.add(time, 1);
	}

	/**
	 * Counts the time between two requests for robots.txt. Lines may be out of order: it is at least
	 * 0.
	 */
	#interval(milliseconds: number): void {
		this.#intervals ??= new Pauses();
		this.#intervals.add(Math.max(milliseconds, 0));
	}

	/** Adds the counts of the lines that follow. */
	append(next: FetchesData): void {
		const { size, cells } = next.before;
		for (let at = 0; at < 2 * size; at += 2) {
			const time = (cells[at] as number) * MINUTE;
			// Before the first robots.txt of a segment: whether these requests are stale is decided by
			// the last one of an earlier segment.
			const count = asInteger(cells[at + 1] as number);
			if (Number.isNaN(this.#last)) this.#before?.add(time, count);
			else if (time >= this.#staleFrom) this.#stale += count;
		}
		this.#stale += next.stale;
		if (next.intervals.size > 0) {
			this.#intervals ??= new Pauses();
			this.#intervals.merge(next.intervals);
		}
		if (Number.isNaN(next.last)) return;
		// The interval between the segments is counted here, by whichever segment comes second.
		if (Number.isNaN(this.#last)) this.#first = next.first;
		else this.#interval(next.first - this.#last);
		this.#last = next.last;
		this.#staleFrom = staleAfter(next.last);
	}

	toData(): FetchesData {
		return {
			first: this.#first,
			last: this.#last,
			stale: this.#stale,
			intervals: this.#intervals?.toData() ?? NO_COUNTS,
			before: this.#before?.toData() ?? NO_COUNTS,
		};
	}
}

/** Fetches as plain data; the fields are those of the class. */
export interface FetchesData {
	readonly first: number;
	readonly last: number;
	readonly stale: number;
	readonly intervals: CountData;
	readonly before: CountData;
}
