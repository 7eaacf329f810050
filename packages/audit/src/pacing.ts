import { Pauses } from "./pauses.ts";

/**
 * How fast a crawler came: the pauses between its requests, those shorter than its Crawl-delay, and bursts. Servers write lines when they
 * are done with a request, and several servers write several logs, so that lines are not in the order of time. Scanners therefore keep the
 * times themselves (`TimeLog`), in the order of lines, and one place (`Pacing`) sorts them: what it counts depends on the sequence of all
 * lines, not on where logs were cut, who read them, or which of them became states in between.
 */

/** Stands for "no Crawl-delay applies". */
const NONE = -1;
/** Times beyond are moved here, so that differences are exact; it is the year 19,809. */
const FARTHEST = 2 ** 49;
const SECOND = 1000;

/**
 * Times in the order of lines, about a byte each: whole milliseconds, each as its difference to the one before. A difference is zigzag
 * coded (0, -1, 1, -2, …) in seconds if it is whole ones, plus half a unit else in milliseconds, and stands in base 128, lowest digit first.
 */
export class TimeLog {
	#bytes = NOTHING;
	#size = 0;
	#count = 0;
	#last = 0;
	/** The Crawl-delay from a time on: its index and the delay, by turns. */
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

	/** Integers of 32 bits: remainders of others take ten times as long. */
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

	/** Forgets all times, but keeps the room. */
	clear(): void {
		this.#size = this.#count = this.#last = 0;
		this.#delays = [];
		this.#delay = NONE;
	}

	/** Good until more are added. */
	toData(): TimesData {
		return {
			count: this.#count,
			bytes: this.#bytes.subarray(0, this.#size),
			delays: this.#delays,
		};
	}
}

const NOTHING = new Uint8Array(0);
/** Bytes of a time, at most. */
const LONGEST = 8;
const HEAVIEST = 128 ** LONGEST;
/** Differences below fit 32 bits, coded as they are; and their bytes but for the last one weigh less than this. */
const SMALL = 2 ** 28;
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

/** Calls `visit` with each time and the Crawl-delay that applies to it. Bytes that are missing end the list. */
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

/** Requests belong together that come no later than this after the one before, in milliseconds. */
const NEAR = 1000;
/** Requests of a burst, at least. */
const LEAST = 10;
/** A time that belongs no further in front than this is put there at once; else all are sorted later. */
const FEW = 32;
/** Room for times at first: most crawlers come once. */
const FIRST_ROOM = 4;

/** What the pauses of one crawler on one site come to. */
export class Pace {
	/** Pauses between requests that follow each other in time. */
	readonly pauses = new Pauses();
	/** Pauses to which a Crawl-delay applied; and of these, the shorter ones. */
	delayed = 0;
	shorter = 0;
	/** Runs of LEAST or more requests, each at most NEAR after the one before; and requests of the longest one. */
	bursts = 0;
	longest = 0;
	/** Requests that came after later ones were counted, so that the pauses around them are not those that were. */
	late = 0;
	/** How often requests came so late. */
	breaks = 0;
	/** Requests with a time to which a Crawl-delay applied. */
	demanded = 0;
	/** The Crawl-delay of the last one of these, in milliseconds. */
	crawlDelay: number | undefined;
	crawlDelayTime = Number.NEGATIVE_INFINITY;
	/** The time of the last request; NaN in front of the first one, and behind a break. */
	last = Number.NaN;
	/** The last time in front of the breaks. */
	latest = Number.NEGATIVE_INFINITY;
	/** Requests of the run that goes on. */
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

	#endRun(): void {
		if (this.run >= LEAST) {
			this.bursts++;
			this.longest = Math.max(this.longest, this.run);
		}
		this.run = 1;
	}

	/** What follows is earlier. */
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

	copy(): Pace {
		const { pauses, ...counts } = this;
		const all = Object.assign(new Pace(), counts);
		all.pauses.merge(pauses.toData());
		return all;
	}
}

/**
 * The shortest pause that keeps a Crawl-delay. Whole seconds are the times without their fractions: between two of these a
 * pause of 2.5 s can look like 2.
 */
function shortest(before: number, after: number, delay: number): number {
	const isWhole = before % SECOND === 0 && after % SECOND === 0;
	return isWhole ? Math.floor(delay / SECOND) * SECOND : delay;
}

/**
 * Whether fewer than half of the pauses are shorter than the Crawl-delay, that is, their median is not; null without pauses. Where requests
 * came too late to be put in order, null unless the answer is the same wherever they belong. Another request within a pause makes two of it
 * that are shorter: pauses that are short remain so, and each late request makes at most two more.
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
 * Counts pauses in the order of time. So many times wait to be sorted that logs of several servers, one behind the other, fall into place;
 * a request that comes later than that begins anew (`Pace.late`), as if the crawler had come a second time.
 */
export class Pacing {
	readonly #room: number;
	#times = new Float64Array(FIRST_ROOM);
	#delays = new Float64Array(FIRST_ROOM);
	#size = 0;
	#isSorted = true;
	#pace = new Pace();

	/** @param room Times that wait; when there are more, the first half of them is counted. */
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

	#isAfter(at: number, time: number, delay: number): boolean {
		const other = this.#times[at] as number;
		return (
			other > time || (other === time && (this.#delays[at] as number) > delay)
		);
	}

	/** Counts the first times that wait. */
	#count(pace: Pace, size: number): void {
		if (!this.#isSorted) this.#sort();
		for (let at = 0; at < size; at++)
			pace.add(this.#times[at] as number, this.#delays[at] as number);
	}

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

	/** Of all requests so far; more may follow. */
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
