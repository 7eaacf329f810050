/**
 * When this process visits origins. `Visits` finds the group of an origin, answers RobotsClient.nextVisit, and gives out the turns of
 * RobotsClient.visit: one at a time in each group, in the order in which they were asked for, except that an origin which has to wait longer
 * does not hold up the others of its group. What sites ask for is the time between the end of a download and the start of the next (the Yandex
 * document, "Директива Crawl-delay").
 */

import { isFromFuture } from "#robotrie/common/clock";
import { type Stop, whenAborted } from "../common/aborts.ts";
import type { Pace } from "../common/pace.ts";
import { RecentMap } from "../common/recent-map.ts";
import { type Member, PaceGroup, type PaceSettings } from "./pace-group.ts";

/** The longest time that a timer takes. */
const LONGEST_TIMER = 2 ** 31 - 1;

/** Milliseconds for which limits count to those who wait, even if they expire earlier. */
const LEAST_KNOWN = 60_000;

/** The last time of a Date. */
const LAST_TIME = 8.64e15;

/** A visit of a group that may begin now, and ends by one of these. Only the first call has an effect. */
export interface Turn {
	readonly group: PaceGroup;
	/** It has ended now. */
	finish(): void;
	/** It does not take place. */
	giveBack(): void;
}

/** Who waits for a turn. */
interface Waiting {
	readonly member: Member;
	/** By performance.now(). */
	readonly deadline: number;
	readonly resolve: (turn: Turn | number | undefined) => void;
	readonly reject: (reason: unknown) => void;
	stopWaiting: () => void;
}

/** The turns of a group. */
interface Queue {
	readonly waiting: Waiting[];
	timer: NodeJS.Timeout | undefined;
}

export class Visits {
	readonly #most: number;
	readonly #settings: PaceSettings;
	readonly #now: () => number;
	readonly #members = new RecentMap<Member>();
	readonly #groups = new Map<string, PaceGroup>();
	readonly #queues = new Map<PaceGroup, Queue>();
	/** The one that was used last: a call asks for its origin several times. */
	#lastUsed: Member | undefined;
	#closed: { readonly reason: unknown } | undefined;

	/** Remembers up to `most` origins. `now` is the wall clock. */
	constructor(most: number, settings: PaceSettings, now: () => number) {
		this.#most = most;
		this.#settings = settings;
		this.#now = now;
	}

	/** Whether the origin's limits are known. */
	knows(origin: string): boolean {
		const now = this.#now();
		const member = this.#use(origin);
		return (
			member !== undefined &&
			now < member.until &&
			// The clock was set back since: Retry-After would last by as much longer.
			!isFromFuture(member.askedAt, now)
		);
	}

	/** The group of an origin, if it is known. */
	groupOf(origin: string): PaceGroup | undefined {
		return this.#use(origin)?.group;
	}

	#use(origin: string): Member | undefined {
		if (this.#lastUsed?.origin !== origin)
			this.#lastUsed = this.#members.use(origin);
		return this.#lastUsed;
	}

	/** The group with a key, as `groupBy` of the client gives it. */
	group(key: string): PaceGroup {
		let group = this.#groups.get(key);
		if (!group) {
			group = new PaceGroup(key, this.#settings);
			this.#groups.set(key, group);
		}
		return group;
	}

	/** Sets the group and the limits of an origin, asked for at a time and known until another. */
	set(
		origin: string,
		key: string,
		pace: Pace,
		askedAt: number,
		until: number,
	): void {
		const group = this.group(key);
		let member = this.#use(origin);
		// Its address has changed, for example.
		if (member && member.group !== group) {
			this.#leave(member);
			member = undefined;
		}
		if (member) Object.assign(member, { pace, askedAt, until });
		else {
			member = { origin, group, pace, askedAt, until };
			this.#members.set(origin, member);
		}
		group.add(member);
		this.#makeRoom();
		// What waits may have less time to wait now, or more.
		this.#next(group);
	}

	/** Makes the limits of an origin unknown. Its visits still count. */
	outdate(origin: string): void {
		const member = this.#members.get(origin);
		if (!member) return;
		member.until = Number.NEGATIVE_INFINITY;
		member.group.changed();
	}

	/** Whether an origin whose limits are known asks for more time between two visits than `maxDelay`. */
	isSlow(origin: string): boolean {
		const member = this.#use(origin) as Member;
		return member.group.isSlow(member, this.#now());
	}

	/** The earliest time for a visit of an origin whose limits are known. `after` is the time of a visit by others. */
	earliest(origin: string, after?: number): number {
		const member = this.#use(origin) as Member;
		const { group } = member;
		const clock = performance.now();
		const time = group.earliest(member, this.#now(), clock, after);
		return Math.min(time, LAST_TIME);
	}

	/** The same for the one whose turn it is. */
	beginOf(origin: string): number {
		const member = this.#use(origin) as Member;
		const { group } = member;
		const clock = performance.now();
		return group.earliest(member, this.#now(), clock, undefined, true);
	}

	/** As `earliest`, and the next one will be later. */
	reserve(origin: string, after?: number): number {
		const time = this.earliest(origin, after);
		this.groupOf(origin)?.reserve(time, this.#now(), performance.now());
		return time;
	}

	/** Takes a reservation of a group back; false if there is none. */
	release(group: PaceGroup, at: number): boolean {
		if (!group.release(at)) return false;
		this.#next(group);
		return true;
	}

	/** A visit of a group has ended at a time by performance.now(); see PaceGroup. */
	end(group: PaceGroup, clock: number, at?: number): void {
		group.end(clock, at);
		this.#next(group);
	}

	/**
	 * Waits for a turn to visit an origin whose limits are known. Gives a time instead if it would come after `deadline`, by
	 * performance.now(): the earliest at which to ask for it again. Undefined when the limits are no longer known. Rejects with the reason of
	 * `stop`. `isFirst`: it had a turn already.
	 */
	turn(
		origin: string,
		deadline: number,
		stop: Stop | undefined,
		isFirst: boolean,
	): Promise<Turn | number | undefined> {
		const member = this.#use(origin) as Member;
		const { group } = member;
		let queue = this.#queues.get(group);
		if (!queue) {
			queue = { waiting: [], timer: undefined };
			this.#queues.set(group, queue);
		}
		const { waiting } = queue;
		return new Promise((resolve, reject) => {
			if (this.#closed) return reject(this.#closed.reason);
			stop?.throwIfAborted();
			const one: Waiting = {
				member,
				deadline,
				resolve,
				reject,
				stopWaiting: () => {},
			};
			if (stop)
				one.stopWaiting = whenAborted(stop, () => {
					waiting.splice(waiting.indexOf(one), 1);
					reject(stop.reason);
					this.#next(group);
				});
			if (isFirst) waiting.unshift(one);
			else waiting.push(one);
			this.#next(group);
		});
	}

	/** Whether somebody waits for a turn to visit an origin. */
	isAwaited(origin: string): boolean {
		const member = this.#members.get(origin);
		const queue = member && this.#queues.get(member.group);
		return queue?.waiting.some((one) => one.member === member) ?? false;
	}

	/** Who waits gets the reason. */
	close(reason: unknown): void {
		this.#closed = { reason };
		for (const [group, { waiting, timer }] of this.#queues) {
			clearTimeout(timer);
			for (const { stopWaiting, reject } of waiting.splice(0)) {
				stopWaiting();
				reject(reason);
			}
			this.#queues.delete(group);
		}
	}

	/** Begins the next visit of a group if its time has come, else sees to it that it will begin. */
	#next(group: PaceGroup): void {
		const queue = this.#queues.get(group);
		if (!queue) return;
		clearTimeout(queue.timer);
		const { waiting } = queue;
		const now = this.#now();
		const clock = performance.now();
		/** Of each origin the time that it may be visited, and how many wait for it. */
		const origins = new Map<Member, { time: number; count: number }>();
		let first: Waiting | undefined;
		let start = Number.POSITIVE_INFINITY;
		let deadline = Number.POSITIVE_INFINITY;
		for (const one of [...waiting]) {
			const { member } = one;
			const own = origins.get(member) ?? {
				time: group.earliest(member, now, clock),
				count: 0,
			};
			origins.set(member, own);
			let ahead = 0;
			for (const { time, count } of origins.values())
				if (time <= own.time) ahead += count;
			// Those before it take an interval each, at least.
			const time = own.time + ahead * group.interval(member, now, now);
			const mayBegin = !group.isVisited && ahead === 0 && time <= now;
			if (
				!mayBegin &&
				(clock >= one.deadline || time - now > one.deadline - clock)
			) {
				this.#leaveQueue(waiting, one);
				// By the time that its limits have expired it may have less to wait.
				const known = Math.max(member.until, member.askedAt + LEAST_KNOWN);
				one.resolve(Math.max(Math.min(time, known, LAST_TIME), now));
				continue;
			}
			own.count++;
			deadline = Math.min(deadline, one.deadline);
			if (own.time < start) {
				first = one;
				start = own.time;
			}
		}
		if (!first) {
			if (!group.isVisited) this.#queues.delete(group);
			return;
		}
		// By the clock that cannot be set, and to the fraction of a millisecond.
		const pause =
			group.lastEnd(clock) + group.interval(first.member, now, now) - clock;
		const ready = start > now ? start - now : pause;
		const wait = group.isVisited ? Number.POSITIVE_INFINITY : ready;
		if (wait <= 0) {
			this.#leaveQueue(waiting, first);
			first.resolve(this.#begin(group));
			return;
		}
		// A file that lets one wait for a day may ask for less by then. Not at once again, as some files expire when they come.
		const { askedAt, until: knownUntil } = first.member;
		const asked = Math.max(knownUntil, askedAt + LEAST_KNOWN) - now;
		if (asked <= 0) {
			this.#leaveQueue(waiting, first);
			first.resolve(undefined);
			return;
		}
		const until = Math.min(wait, deadline - clock, asked);
		if (until !== Number.POSITIVE_INFINITY)
			queue.timer = setTimeout(
				() => this.#next(group),
				Math.min(Math.ceil(until), LONGEST_TIMER),
			);
	}

	#begin(group: PaceGroup): Turn {
		group.begin();
		let isOver = false;
		const over = (clock?: number) => {
			if (isOver) return;
			isOver = true;
			group.finish(clock);
			this.#next(group);
		};
		return {
			group,
			finish: () => over(performance.now()),
			giveBack: () => over(),
		};
	}

	#leaveQueue(waiting: Waiting[], one: Waiting): void {
		waiting.splice(waiting.indexOf(one), 1);
		one.stopWaiting();
	}

	#leave(member: Member): void {
		const { origin, group } = member;
		this.#members.delete(origin);
		this.#lastUsed = undefined;
		group.delete(member);
		if (group.isEmpty && !this.#isBusy(group)) this.#groups.delete(group.key);
	}

	/** Drops the origin that was not used for longest. Of a group that is being visited, none: its pause would be forgotten. */
	#makeRoom(): void {
		for (
			let tries = 0;
			this.#members.size > this.#most && tries < 100;
			tries++
		) {
			const origin = this.#members.oldest() as string;
			const member = this.#members.get(origin) as Member;
			if (this.#isBusy(member.group)) this.#use(origin);
			else this.#leave(member);
		}
	}

	#isBusy(group: PaceGroup): boolean {
		return group.isVisited || this.#queues.has(group);
	}
}
