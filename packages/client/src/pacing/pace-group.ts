/**
 * PaceGroup: the origins that are one server to a crawler, and the visits of them. It knows when the last visit ended, which is under way and
 * which times were given out, and says when the next one may start. What must hold: the time between two visits is that of the slowest origin
 * of the group, and an origin's Retry-After and Visit-time hold that origin alone. Visits keeps the groups and gives out turns.
 */

import {
	earliestVisit,
	intervalAmong,
	intervalAt,
	type Others,
	type Pace,
	slowestOf,
} from "../common/pace.ts";

/** Milliseconds; the options of RobotsClient. */
export interface PaceSettings {
	/** For origins that ask for no pace. */
	readonly defaultDelay: number;
	/** Between any two visits of a group. */
	readonly minDelay: number;
	/** Origins that ask for more are too slow for the crawler. */
	readonly maxDelay: number;
	/** How long a visit counts whose end is not told. */
	readonly maxVisitTime: number;
}

/** An origin of a group: its limits, when they were asked for, and until when they are known. */
export interface Member {
	readonly origin: string;
	readonly group: PaceGroup;
	pace: Pace;
	askedAt: number;
	until: number;
}

/** A time that was given out. */
export interface Reservation {
	/** As it was given out, in milliseconds since 1970; of a visit that began without, when it did. */
	readonly at: number;
	/** The same by performance.now(). */
	readonly begin: number;
}

/** Until when pages of an origin must not be asked for, by performance.now(), and how often in a row it has refused. */
export interface Hold {
	readonly until: number;
	readonly refusals: number;
}

/** The longest interval of members without hours, and until when one of them asks for it. */
interface Slowest {
	readonly interval: number;
	readonly until: number;
}

/** Most reservations of a group that are remembered one by one. */
const MOST_RESERVED = 100;

/** Most members whose Request-rates are followed through the hours; those of further ones count at all hours. */
const MOST_RATED = 20;

const NEVER = Number.NEGATIVE_INFINITY;

/** Times are by performance.now(), so that setting the clock neither loses a pause nor makes one of hours; `now` is by the wall clock. */
export class PaceGroup {
	readonly key: string;
	/** By origin; an origin may be held before its limits are known. */
	readonly holds = new Map<string, Hold>();
	/** Whether what the store knows of the group was read. */
	isLoaded = false;
	readonly #settings: PaceSettings;
	readonly #members = new Set<Member>();
	/** Members whose Request-rates have hours. */
	readonly #rated = new Set<Member>();
	#slowest: Slowest | undefined;
	/** The last end of a visit; may lie in the future where a reservation is not remembered by itself. */
	#last = NEVER;
	/** In order of time. */
	#reserved: Reservation[] = [];
	/** Whether a visit is under way whose end will be told. */
	#isVisited = false;

	constructor(key: string, settings: PaceSettings) {
		this.key = key;
		this.#settings = settings;
	}

	get isVisited(): boolean {
		return this.#isVisited;
	}

	get isEmpty(): boolean {
		return this.#members.size === 0;
	}

	/** Adds a member, or takes note of its new limits. */
	add(member: Member): void {
		this.#members.add(member);
		const hasHours = member.pace.rates.some(({ window }) => window);
		if (hasHours && this.#rated.size < MOST_RATED) this.#rated.add(member);
		else this.#rated.delete(member);
		this.changed();
	}

	delete(member: Member): void {
		this.#members.delete(member);
		this.#rated.delete(member);
		this.changed();
	}

	/** The limits of a member have changed, or are no longer known. */
	changed(): void {
		this.#slowest = undefined;
	}

	/** The milliseconds between two visits at a time. */
	interval(member: Member, time: number, now: number): number {
		const { defaultDelay } = this.#settings;
		return intervalAmong(member.pace, time, defaultDelay, this.#others(now));
	}

	/** Whether a member asks for more time between two visits than the crawler has. */
	isSlow({ pace }: Member, now: number): boolean {
		const { defaultDelay, maxDelay } = this.#settings;
		return intervalAt(pace, now, defaultDelay) > maxDelay;
	}

	/**
	 * The earliest time for a visit of a member, in milliseconds since 1970. `after` is the time of a visit by others. `own`: it is the one whose
	 * turn it is.
	 */
	earliest(
		member: Member,
		now: number,
		clock: number,
		after = NEVER,
		own = false,
	): number {
		const others = this.#others(now);
		const held = this.holds.get(member.origin)?.until ?? NEVER;
		const notBefore = Math.max(
			member.pace.notBefore,
			held > clock ? now + (held - clock) : NEVER,
		);
		const pace =
			notBefore === member.pace.notBefore
				? member.pace
				: { ...member.pace, notBefore };
		const { defaultDelay } = this.#settings;
		// Rounded up, as the time given is in whole milliseconds and must not be too early.
		const from = (last: number) =>
			Math.ceil(earliestVisit(pace, now, last, defaultDelay, others));
		let time = from(Math.max(now + (this.lastEnd(clock, own) - clock), after));
		for (const { begin } of this.#reserved) {
			if (begin <= clock) continue;
			const reserved = now + (begin - clock);
			// Between two reservations there may be room for one more, as after one that was given back.
			if (time + this.interval(member, reserved, now) <= reserved) break;
			time = from(Math.max(reserved, after));
		}
		return time;
	}

	/** When the last visit ended, as far as that is known; one in progress ends now at the earliest, but for that of `own` turn. */
	lastEnd(clock: number, own = false): number {
		if (this.#isVisited && !own) return clock;
		if (this.#reserved.length === 0) return this.#last;
		const { maxVisitTime } = this.#settings;
		for (const { begin } of this.#reserved)
			if (begin <= clock) this.ended(Math.min(clock, begin + maxVisitTime));
		this.#reserved = this.#reserved.filter(
			({ begin }) => begin > clock || begin + maxVisitTime > clock,
		);
		return this.#last;
	}

	/** Gives a time out. */
	reserve(at: number, now: number, clock: number): void {
		const reservation = { at, begin: clock + (at - now) };
		const next = this.#reserved.findIndex(
			({ begin }) => begin > reservation.begin,
		);
		this.#reserved.splice(
			next < 0 ? this.#reserved.length : next,
			0,
			reservation,
		);
		// What is not remembered by itself counts as a visit that ended when it was to begin.
		if (this.#reserved.length > MOST_RESERVED)
			this.ended(this.#reserved.shift()?.begin ?? NEVER);
	}

	/** What other processes have to know of it, by performance.now(). */
	saved(clock: number): {
		readonly last: number;
		readonly visits: readonly Reservation[];
	} {
		const { maxVisitTime } = this.#settings;
		// Here one that is under way ends now at the earliest; those who read it later look at the time by themselves.
		for (const { begin } of this.#reserved)
			if (begin + maxVisitTime <= clock) this.ended(begin + maxVisitTime);
		const visits = this.#reserved.filter(
			({ begin }) => begin + maxVisitTime > clock,
		);
		return { last: this.#last, visits };
	}

	/** Takes over what another process, or an earlier one, has saved. */
	restore(last: number, visits: readonly Reservation[]): void {
		this.ended(last);
		this.#reserved = [...visits].sort((a, b) => a.begin - b.begin);
	}

	/** Takes a time back; false if it was not given out. */
	release(at: number): boolean {
		const found = this.#reserved.findIndex((one) => one.at === at);
		if (found >= 0) this.#reserved.splice(found, 1);
		return found >= 0;
	}

	/** A visit has ended: the one whose time was given out as `at`, else the first to have begun, if one has. */
	end(clock: number, at?: number): void {
		const [first] = this.#reserved;
		if (at !== undefined) this.release(at);
		else if (first && first.begin <= clock) this.#reserved.shift();
		this.ended(clock);
	}

	/** A visit begins whose end will be told. */
	begin(): void {
		this.#isVisited = true;
	}

	/** It has ended at a time; without one, it did not take place. */
	finish(clock?: number): void {
		this.#isVisited = false;
		if (clock !== undefined) this.ended(clock);
	}

	/** A visit ended at a time, perhaps one of another process. */
	ended(clock: number): void {
		this.#last = Math.max(this.#last, clock);
	}

	#others(now: number): Others {
		const { minDelay } = this.#settings;
		const least = Math.max(minDelay, this.#slowestOf(now));
		if (this.#rated.size === 0) return { least, rated: [] };
		const known = [...this.#rated].filter(({ until }) => now < until);
		const rated = known
			.map(({ pace }) => pace)
			.filter((pace) => slowestOf(pace) <= this.#settings.maxDelay);
		return { least, rated };
	}

	// Once for many calls: a group may have thousands of members.
	#slowestOf(now: number): number {
		if (this.#slowest && now < this.#slowest.until)
			return this.#slowest.interval;
		const { defaultDelay, maxDelay } = this.#settings;
		let interval = 0;
		let until = Number.POSITIVE_INFINITY;
		for (const member of this.#members) {
			if (this.#rated.has(member) || now >= member.until) continue;
			const { pace } = member;
			const own = Math.max(
				intervalAt(pace, now, defaultDelay),
				slowestOf(pace),
			);
			// What is never visited keeps nobody waiting.
			if (own > maxDelay || own < interval) continue;
			until = own > interval ? member.until : Math.max(until, member.until);
			interval = own;
		}
		this.#slowest = { interval, until };
		return interval;
	}
}
