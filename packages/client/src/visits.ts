/**
 * When a crawler may visit an origin next: `paceOf` reads Crawl-delay, Request-rate and Visit-time, and `Visits` schedules visits so that they
 * are kept, counting from the end of one download to the start of the next. RobotsClient.nextVisit and visited use it.
 */

import type { RequestRate, TimeWindow } from "robotrie";
import { isFromFuture, type PaceLines } from "robotrie/internal";
import { RecentMap } from "./recent-map.ts";

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const DAY_MINUTES = 1440;
const DAY = DAY_MINUTES * MINUTE;

/** With more Request-rate lines than this, the slowest applies all day. */
const MOST_RATES = 100;
/** Most changes of hours that are followed until the slowest rate is used. */
const MOST_STEPS = 200;

/** The limits that a robots.txt sets for visits. Times are in milliseconds. */
export interface Pace {
	/** Crawl-delay. */
	readonly delay: number | undefined;
	/** Request-rate: the time between two visits, and the hours it applies to. */
	readonly rates: readonly {
		readonly interval: number;
		readonly window: TimeWindow | undefined;
	}[];
	/** Visit-time. */
	readonly window: TimeWindow | undefined;
	/** Retry-After. */
	readonly notBefore: number;
}

/** What a file asks for, of which there is little however many lines it has. */
export type Limits = Omit<Pace, "notBefore">;

export function limitsOf({ delay, rates, window }: PaceLines): Limits {
	return {
		delay: delay === undefined ? undefined : delay * SECOND,
		rates: intervalsOf(rates),
		window,
	};
}

/** `retryAfter` is that of the answer, null if it has none. */
export function paceOf(limits: Limits, retryAfter: number | null): Pace {
	return { ...limits, notBefore: retryAfter ?? Number.NEGATIVE_INFINITY };
}

function intervalsOf(rates: readonly RequestRate[]): Pace["rates"] {
	const intervals = rates.map(({ requests, seconds, window }) => ({
		interval: (seconds / requests) * SECOND,
		window,
	}));
	if (intervals.length <= MOST_RATES) return intervals;
	return [{ interval: longest(intervals), window: undefined }];
}

function longest(rates: Pace["rates"]): number {
	return rates.reduce((most, { interval }) => Math.max(most, interval), 0);
}

/**
 * The earliest time, from `now` on, for a visit after the one at `last`; milliseconds since 1970.
 * `delay` is for origins that ask for none. Time moves on until a visit is allowed: by the rate of
 * the hours it falls into, to the next change of hours, or to the next opening.
 */
export function earliestVisit(
	pace: Pace,
	now: number,
	last: number | undefined,
	delay: number,
): number {
	const from = last ?? Number.NEGATIVE_INFINITY;
	let time = openingFrom(pace.window, Math.max(now, pace.notBefore, from));
	// Bounded: a hundred rates with hours of their own could send it round and round.
	for (let step = 0; step < MOST_STEPS; step++) {
		const allowed = from + intervalAt(pace, time, delay);
		if (time >= allowed) return time;
		// Hours may end before the time that their rate asks for has passed.
		const next = Math.min(allowed, changeAfter(pace.rates, time));
		time = openingFrom(pace.window, next);
	}
	const slowest = Math.max(pace.delay ?? 0, longest(pace.rates));
	return openingFrom(pace.window, Math.max(time, from + slowest));
}

/** When, after a time, the hours of a rate begin or end. */
function changeAfter(rates: Pace["rates"], time: number): number {
	const today = Math.floor(time / DAY) * DAY;
	let first = Number.POSITIVE_INFINITY;
	for (const { window } of rates) {
		if (!window) continue;
		for (const minutes of [window.start, window.end]) {
			const change = today + minutes * MINUTE;
			first = Math.min(first, change > time ? change : change + DAY);
		}
	}
	return first;
}

function intervalAt({ delay, rates }: Pace, time: number, otherwise: number) {
	const valid = rates.filter(({ window }) => isWithin(window, time));
	if (delay === undefined && valid.length === 0) return otherwise;
	return Math.max(delay ?? 0, longest(valid));
}

/** The first time from `time` on that lies in a daily window. */
function openingFrom(window: TimeWindow | undefined, time: number): number {
	if (!window || isWithin(window, time)) return time;
	const opening = Math.floor(time / DAY) * DAY + window.start * MINUTE;
	return opening < time ? opening + DAY : opening;
}

function isWithin(window: TimeWindow | undefined, time: number): boolean {
	if (!window || window.start === window.end) return true;
	const { start, end } = window;
	const minutes = Math.floor(time / MINUTE);
	const minute = ((minutes % DAY_MINUTES) + DAY_MINUTES) % DAY_MINUTES;
	return start < end
		? minute >= start && minute < end
		: minute >= start || minute < end;
}

/** Most visits of an origin in progress that are remembered one by one. */
const MOST_OPEN = 100;

/** What is remembered of an origin. */
interface Visited {
	/** The limits of its robots.txt, when it was asked for, and until when they are known. */
	pace: Pace;
	askedAt: number;
	until: number;
	/** The start of the last scheduled visit or the last end of one, whichever is later, by performance.now(). */
	last: number | undefined;
	/** The starts of scheduled visits that have not ended, in order; at most MOST_OPEN. */
	open: number[] | undefined;
}

const NO_PACE: Pace = {
	delay: undefined,
	rates: [],
	window: undefined,
	notBefore: Number.NEGATIVE_INFINITY,
};

/**
 * When this process visits origins. What sites ask for is the time between the end of a download
 * and the start of the next (the Yandex document, "Директива Crawl-delay"), so a visit that has
 * begun and not ended counts as going on, for a limited time. By performance.now() inside, so that
 * setting the clock neither loses a pause nor makes one of hours.
 */
export class Visits {
	readonly #most: number;
	readonly #delay: number;
	readonly #longest: number;
	readonly #visited = new RecentMap<Visited>();

	/**
	 * Remembers up to `most` origins. `delay` applies to those that set none, `longest` to visits whose end is not reported; both in
	 * milliseconds.
	 */
	constructor(most: number, delay: number, longest: number) {
		this.#most = most;
		this.#delay = delay;
		this.#longest = longest;
	}

	/** Whether the origin's limits are known. */
	knows(origin: string, now: number): boolean {
		const visited = this.#visited.get(origin);
		return (
			visited !== undefined &&
			now < visited.until &&
			// The clock was set back since: Retry-After would last by as much longer.
			!isFromFuture(visited.askedAt, now)
		);
	}

	/** Sets the limits of an origin, asked for at a time and known until another. */
	set(origin: string, pace: Pace, askedAt: number, until: number): void {
		const { last, open } = this.#visited.get(origin) ?? {};
		this.#visited.set(origin, { pace, askedAt, until, last, open });
		if (this.#visited.size > this.#most)
			this.#visited.delete(this.#visited.oldest() as string);
	}

	/** Makes the limits of an origin unknown. Its visits still count. */
	outdate(origin: string): void {
		const visited = this.#visited.get(origin);
		if (visited) visited.until = Number.NEGATIVE_INFINITY;
	}

	/** A visit has ended: the first one to have begun. */
	end(origin: string): void {
		const never = Number.NEGATIVE_INFINITY;
		if (!this.#visited.get(origin)) this.set(origin, NO_PACE, never, never);
		const visited = this.#visited.use(origin) as Visited;
		const clock = performance.now();
		if (visited.open?.[0] !== undefined && visited.open[0] <= clock)
			visited.open.shift();
		visited.last = Math.max(visited.last ?? clock, clock);
	}

	/**
	 * The earliest time for a visit of an origin whose limits are known; if it is reserved, the next one will be later. `after` is the
	 * time of a visit by others.
	 */
	next(
		origin: string,
		now: number,
		reserve: boolean,
		after = Number.NEGATIVE_INFINITY,
	): number {
		const visited = this.#visited.use(origin) as Visited;
		const clock = performance.now();
		const before = this.#lastEnd(visited, clock);
		const own = before === undefined ? after : now + (before - clock);
		const last = Math.max(own, after);
		// Rounded up, as the time given is in whole milliseconds and must not be too early.
		const time = Math.ceil(earliestVisit(visited.pace, now, last, this.#delay));
		if (reserve) {
			visited.last = clock + (time - now);
			visited.open = [...(visited.open ?? []), visited.last];
			if (visited.open.length > MOST_OPEN) visited.open.shift();
		}
		return time;
	}

	/** When the last visit ended, as far as that is known; one in progress ends now at the earliest. */
	#lastEnd(visited: Visited, clock: number): number | undefined {
		let { last } = visited;
		if (last === undefined || !visited.open) return last;
		const isOver = (begin: number) => begin + this.#longest <= clock;
		for (const begin of visited.open)
			if (begin <= clock)
				last = Math.max(last, Math.min(clock, begin + this.#longest));
		visited.last = last;
		visited.open = visited.open.filter((begin) => !isOver(begin));
		if (visited.open.length === 0) visited.open = undefined;
		return last;
	}
}
