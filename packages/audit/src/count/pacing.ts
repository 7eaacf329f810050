/**
 * How fast a crawler came: the pauses between its requests, those shorter than its Crawl-delay, and bursts.
 *
 * Servers write a line when they are done with a request, and several servers write several logs, so lines are not in the order of time.
 * Scanners therefore only record the times in the order of lines (`TimeLog`, part of CrawlerCounts and of stored states), and a single
 * place sorts them (`Pacing`, in Totals). The result depends on the sequence of all lines alone: not on where logs were cut, which thread
 * read them, or which of them became states in between. test/order.test.ts checks that.
 */

import { Pauses } from "./pauses.ts";

/** No Crawl-delay applies. */
const NONE = -1;
/** Times are clamped to this (the year 19,809), so that their differences are exact. */
const FARTHEST = 2 ** 49;
const SECOND = 1000;

/**
 * Times in the order of lines, about a byte each: each as the difference to the one before, in whole milliseconds.
 *
 * A difference is coded in seconds if it is a multiple of one (as in most logs), else in milliseconds. The signed number is made unsigned
 * by zigzag (0, -1, 1, -2, … become 0, 1, 2, 3, …), doubled, plus one if it is in milliseconds, and written in base 128, lowest digit
 * first; the top bit of a byte says that another one follows. Two seconds are 2 -> 4 -> 8: the single byte 08.
 */
export class TimeLog {
	#bytes = NOTHING;
	#size = 0;
	#count = 0;
	#last = 0;
	/** Changes of the Crawl-delay: the index of the first time it applies to and the delay, in turns. */
	#delays: number[] = [];
	#delay = NONE;

	/** A request's time, in milliseconds, and the Crawl-delay that applies to it. Fractions of a millisecond are dropped. */
	add(time: number, delay: number | undefined): void {
		const now = Math.floor(within(time));
		if ((delay ?? NONE) !== this.#delay) {
			this.#delay = delay ?? NONE;
			this.#delays.push(this.#count, this.#delay);
		}
		this.#count++;
		const step = now - this.#last;
		this.#last = now;
		if (this.#size + LONGEST > this.#bytes.length) this.#grow();
		if (Math.abs(step) < SMALL) this.#writeSmall(step | 0);
		else this.#write(step);
	}

	/** On 32-bit integers: the remainder of a double takes ten times as long. */
	#writeSmall(step: number): void {
		const seconds = (step / SECOND) | 0;
		const isWhole = seconds * SECOND === step;
		const units = isWhole ? seconds : step;
		const zigzag = (units << 1) ^ (units >> 31);
		let rest = (zigzag << 1) | (isWhole ? 0 : 1);
		for (; rest >= 128; rest >>>= 7)
			this.#bytes[this.#size++] = (rest & 127) | 128;
		this.#bytes[this.#size++] = rest;
	}

	/** The same for differences of any size. */
	#write(step: number): void {
		const isWhole = step % SECOND === 0;
		const units = isWhole ? step / SECOND : step;
		const zigzag = units < 0 ? -2 * units - 1 : 2 * units;
		let rest = 2 * zigzag + (isWhole ? 0 : 1);
		for (; rest >= 128; rest = Math.floor(rest / 128))
			this.#bytes[this.#size++] = (rest % 128) + 128;
		this.#bytes[this.#size++] = rest;
	}

	#grow(): void {
		const more = new Uint8Array(Math.max(2 * this.#bytes.length, 16));
		more.set(this.#bytes);
		this.#bytes = more;
	}

	/** Forgets all times and keeps the memory. */
	clear(): void {
		this.#size = this.#count = this.#last = 0;
		this.#delays = [];
		this.#delay = NONE;
	}

	/** Valid until more are added. */
	toData(): TimesData {
		return {
			count: this.#count,
			bytes: this.#bytes.subarray(0, this.#size),
			delays: this.#delays,
		};
	}
}

const NOTHING = new Uint8Array(0);
/** Most bytes of a time. */
const LONGEST = 8;
const HEAVIEST = 128 ** LONGEST;
/** Differences below this fit 32 bits when coded. */
const SMALL = 2 ** 28;
/** Bits of a coded difference that `eachTime` reads as a 32-bit integer. */
const LIGHT = 28;

function within(time: number): number {
	return Math.min(Math.max(time, -FARTHEST), FARTHEST);
}

/** A TimeLog as plain data. */
export interface TimesData {
	/** How many times there are. */
	readonly count: number;
	readonly bytes: Uint8Array;
	readonly delays: readonly number[];
}

/**
 * Calls `visit` with each time and the Crawl-delay that applies to it. Ends early if bytes are missing: the data may come from a state that
 * somebody made.
 */
export function eachTime(
	{ count, bytes, delays }: TimesData,
	visit: (time: number, delay: number | undefined) => void,
): void {
	let at = 0;
	let time = 0;
	let run = 0;
	let delay: number | undefined;
	for (let index = 0; index < count && at < bytes.length; index++) {
		if (delays[run] === index) {
			const next = delays[run + 1] ?? NONE;
			delay = next < 0 ? undefined : next;
			run += 2;
		}
		const first = at;
		let byte = bytes[at++] as number;
		let rest = byte & 127;
		for (
			let shift = 7;
			byte >= 128 && at < bytes.length && shift < LIGHT;
			shift += 7
		) {
			byte = bytes[at++] as number;
			rest |= (byte & 127) << shift;
		}
		if (byte < 128) {
			const zigzag = rest >>> 1;
			const units = (zigzag >>> 1) ^ -(zigzag & 1);
			time += (rest & 1) === 0 ? units * SECOND : units;
		} else {
			// A long one: read again, as a double.
			at = first;
			rest = 0;
			for (let weight = 1; at < bytes.length && weight < HEAVIEST; ) {
				byte = bytes[at++] as number;
				rest += (byte & 127) * weight;
				weight *= 128;
				if (byte < 128) break;
			}
			const zigzag = Math.floor(rest / 2);
			const units = zigzag % 2 === 0 ? zigzag / 2 : -(zigzag + 1) / 2;
			time += rest % 2 === 0 ? units * SECOND : units;
		}
		if (Math.abs(time) > FARTHEST) time = within(time);
		visit(time, delay);
	}
}

/** Longest pause within a burst, in milliseconds. */
const NEAR = 1000;
/** Fewest requests of a burst. */
const LEAST = 10;
/** A time is inserted at once if it belongs at most this many places further up; otherwise all are sorted later. */
const FEW = 32;
/** Room for times at first; small, as most crawlers come once. */
const FIRST_ROOM = 4;

/** What the pauses of one crawler on one site amount to. Times must be added in ascending order between breaks. */
export class Pace {
	/** Pauses between requests that follow each other in time. */
	readonly pauses = new Pauses();
	/** Pauses to which a Crawl-delay applied, and those of them that were shorter than it. */
	delayed = 0;
	shorter = 0;
	/** Runs of LEAST or more requests, each at most NEAR after the one before, and the length of the longest. */
	bursts = 0;
	longest = 0;
	/** Requests that came after later ones had been counted: the pauses around them are not the real ones. */
	late = 0;
	/** How often that happened. */
	breaks = 0;
	/** Requests with a time to which a Crawl-delay applied. */
	demanded = 0;
	/** The Crawl-delay of the last of these, in milliseconds. */
	crawlDelay: number | undefined;
	crawlDelayTime = Number.NEGATIVE_INFINITY;
	/** The time of the last request; NaN before the first one and after a break. */
	last = Number.NaN;
	/** The latest time before the last break. */
	latest = Number.NEGATIVE_INFINITY;
	/** Requests of the current run. */
	run = 0;

	/** Counts a request no earlier than the one before. */
	add(time: number, delay: number): void {
		if (time <= this.latest) this.late++;
		if (Number.isNaN(this.last)) this.run = 1;
		else {
			const pause = time - this.last;
			this.pauses.add(pause);
			if (delay >= 0) {
				this.delayed++;
				if (pause < shortest(this.last, time, delay)) this.shorter++;
			}
			if (pause <= NEAR) this.run++;
			else this.#endRun();
		}
		this.last = time;
	}

	/** The current run is over; it is a burst if it is long enough. */
	#endRun(): void {
		if (this.run >= LEAST) {
			this.bursts++;
			this.longest = Math.max(this.longest, this.run);
		}
		this.run = 1;
	}

	/** The requests that follow are earlier than the last one. */
	breakOff(): void {
		this.#endRun();
		this.breaks++;
		this.latest = Math.max(this.latest, this.last);
		this.last = Number.NaN;
	}

	/** No request follows. */
	end(): void {
		this.#endRun();
	}

	/** A copy that can be completed while this one goes on. */
	copy(): Pace {
		const { pauses, ...counts } = this;
		const all = Object.assign(new Pace(), counts);
		all.pauses.merge(pauses.toData());
		return all;
	}
}

/** The shortest pause that keeps a Crawl-delay. If a log writes whole seconds, a pause of 2.5 s can look like one of 2 s. */
function shortest(before: number, after: number, delay: number): number {
	const isWhole = before % SECOND === 0 && after % SECOND === 0;
	return isWhole ? Math.floor(delay / SECOND) * SECOND : delay;
}

/**
 * Whether a Crawl-delay was kept: fewer than half of the pauses are shorter, so that their median is at least the delay. Null without
 * pauses, and where late requests could change the answer. A request inserted into a pause splits it into two shorter ones, so short
 * pauses remain short and each late request adds at most two: that bounds the true number from both sides.
 */
export function isKept(paces: readonly Pace[]): boolean | null {
	const sum = (of: (pace: Pace) => number) =>
		paces.reduce((total, pace) => total + of(pace), 0);
	const shorter = sum((pace) => pace.shorter);
	const pauses = sum((pace) => pace.delayed);
	const late = sum((pace) => pace.late);
	const breaks = sum((pace) => pace.breaks);
	if (breaks === 0) return pauses === 0 ? null : 2 * shorter < pauses;
	const demanded = sum((pace) => pace.demanded);
	if (2 * shorter >= demanded && shorter > 0) return false;
	return 2 * (shorter + 2 * late + breaks) < pauses ? true : null;
}

/**
 * Puts the times of one crawler in order and counts its pauses. Up to `room` times wait, so that logs of several servers, one after the
 * other, fall into place. A request that is earlier than what was counted already starts afresh (`Pace.breakOff`), as if the crawler had
 * come a second time, and counts as late.
 */
export class Pacing {
	readonly #room: number;
	#times = new Float64Array(FIRST_ROOM);
	#delays = new Float64Array(FIRST_ROOM);
	#size = 0;
	#isSorted = true;
	#pace = new Pace();

	/** @param room Most times that wait; when there are more, the earlier half is counted. */
	constructor(room: number) {
		this.#room = Math.max(room, 2);
	}

	/** A request, in the order of lines: its time in whole milliseconds, and the Crawl-delay that applies. */
	add(time: number, delay: number | undefined): void {
		const pace = this.#pace;
		if (delay !== undefined) {
			pace.demanded++;
			const since = time - pace.crawlDelayTime;
			if (since > 0 || (since === 0 && delay > (pace.crawlDelay ?? NONE))) {
				pace.crawlDelay = delay;
				pace.crawlDelayTime = time;
			}
		}
		if (this.#size === this.#times.length) this.#makeRoom();
		if (time < pace.last) {
			this.#count(pace, this.#size);
			pace.breakOff();
			this.#size = 0;
		}
		this.#insert(time, delay ?? NONE);
	}

	/** Makes room for a time: first by growing, then by counting the earlier half. */
	#makeRoom(): void {
		if (this.#size < this.#room) {
			this.#times = grown(this.#times, this.#room);
			this.#delays = grown(this.#delays, this.#room);
			return;
		}
		const half = this.#size >> 1;
		this.#count(this.#pace, half);
		this.#times.copyWithin(0, half, this.#size);
		this.#delays.copyWithin(0, half, this.#size);
		this.#size -= half;
	}

	/** Adds a time in its place if that is near, else at the end, to be sorted later. */
	#insert(time: number, delay: number): void {
		let at = this.#size++;
		if (this.#isSorted) {
			const stop = Math.max(at - FEW, 0);
			while (at > stop && this.#isAfter(at - 1, time, delay)) {
				this.#times[at] = this.#times[at - 1] as number;
				this.#delays[at] = this.#delays[at - 1] as number;
				at--;
			}
			if (at > 0 && this.#isAfter(at - 1, time, delay)) this.#isSorted = false;
		}
		this.#times[at] = time;
		this.#delays[at] = delay;
	}

	/** Whether a waiting time comes after another one. Of equal times the shorter delay comes first, so that their order is certain. */
	#isAfter(at: number, time: number, delay: number): boolean {
		const other = this.#times[at] as number;
		return (
			other > time || (other === time && (this.#delays[at] as number) > delay)
		);
	}

	/** Counts the first `size` waiting times. */
	#count(pace: Pace, size: number): void {
		if (!this.#isSorted) this.#sort();
		for (let at = 0; at < size; at++)
			pace.add(this.#times[at] as number, this.#delays[at] as number);
	}

	/** Sorting a Float64Array without a comparison is native and fast; pairs are only sorted if the delays differ. */
	#sort(): void {
		this.#isSorted = true;
		const times = this.#times.subarray(0, this.#size);
		const delays = this.#delays.subarray(0, this.#size);
		const [first] = delays;
		if (delays.every((delay) => delay === first)) {
			times.sort();
			return;
		}
		const order = Array.from(times, (time, at) => ({
			time,
			delay: delays[at] as number,
		})).sort((a, b) => a.time - b.time || a.delay - b.delay);
		order.forEach(({ time, delay }, at) => {
			times[at] = time;
			delays[at] = delay;
		});
	}

	/** The pace of all requests so far; more may be added afterwards. */
	total(): Pace {
		const all = this.#pace.copy();
		this.#count(all, this.#size);
		all.end();
		return all;
	}
}

function grown(
	list: Float64Array<ArrayBuffer>,
	most: number,
): Float64Array<ArrayBuffer> {
	const more = new Float64Array(Math.min(2 * list.length, most));
	more.set(list);
	return more;
}
