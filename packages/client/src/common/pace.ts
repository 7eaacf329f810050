/**
 * How fast an origin wants to be visited: `limitsOf` and `paceOf` read Crawl-delay, Request-rate, Visit-time and Retry-After, and
 * `earliestVisit` says when they allow the next visit. Pure functions of times; visits.ts keeps the visits that they are asked about.
 */

import type { RequestRate, RobotsTxt, TimeWindow } from "robotrie";
import type { Steps } from "#robotrie/common/steps";

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

type PaceLines =
	ReturnType<RobotsTxt["paceSteps"]> extends Steps<infer Lines> ? Lines : never;

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
	others: Others = NOBODY,
): number {
	const from = last ?? Number.NEGATIVE_INFINITY;
	let time = openingFrom(pace.window, Math.max(now, pace.notBefore, from));
	// Bounded: a hundred rates with hours of their own could send it round and round.
	for (let step = 0; step < MOST_STEPS; step++) {
		const allowed = from + intervalAmong(pace, time, delay, others);
		if (time >= allowed) return time;
		// Hours may end before the time that their rate asks for has passed.
		const next = [pace, ...others.rated].reduce(
			(first, { rates }) => Math.min(first, changeAfter(rates, time)),
			allowed,
		);
		time = openingFrom(pace.window, next);
	}
	const slowest = [pace, ...others.rated].reduce(
		(most, one) => Math.max(most, slowestOf(one)),
		others.least,
	);
	return openingFrom(pace.window, Math.max(time, from + slowest));
}

/** What other origins of the same server ask for: a visit of one of them is kept apart from those of all. */
export interface Others {
	/** Milliseconds between two visits, at all hours. */
	readonly least: number;
	/** Those whose Request-rates depend on the hour. */
	readonly rated: readonly Pace[];
}

const NOBODY: Others = { least: 0, rated: [] };

/** The milliseconds between two visits that an origin and the others of its server ask for at a time. */
export function intervalAmong(
	pace: Pace,
	time: number,
	delay: number,
	{ least, rated }: Others,
): number {
	let most = Math.max(least, intervalAt(pace, time, delay));
	for (const other of rated)
		most = Math.max(most, intervalAt(other, time, delay));
	return most;
}

/** The longest interval that an origin asks for at any hour; 0 if it asks for none. */
export function slowestOf({ delay, rates }: Pace): number {
	return Math.max(delay ?? 0, longest(rates));
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

/** The milliseconds between two visits that an origin asks for at a time; `otherwise` if it asks for nothing. */
export function intervalAt(
	{ delay, rates }: Pace,
	time: number,
	otherwise: number,
): number {
	// Most ask for no rate.
	if (rates.length === 0) return delay ?? otherwise;
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
