/**
 * Visits of pages for RobotsClient: `visit`, which waits for a turn, asks the rules again when it comes, and has a download tell when it ends;
 * and `next`, `release` and `end` for callers who have a queue of their own. It brings together Visits (when), Judge and RobotsSource (whether)
 * and StoredPace (visits of other processes and of earlier ones). What must hold: a turn is given back whatever happens.
 */

import type { LookupFunction } from "node:net";
import { type RobotrieError, Verdict } from "robotrie";
import type { HeaderFields } from "robotrie/access";
import { retryTime, type settingsOf } from "robotrie/internal";
import { Cancellation, whenAborted } from "../common/aborts.ts";
import { originOf, plainOrigin } from "../common/origin.ts";
import { paceOf } from "../common/pace.ts";
import { type Known, verdictsOf } from "../rules/known.ts";
import type { PaceGroup } from "./pace-group.ts";
import { type PaceBy, paceKey } from "./pace-key.ts";
import type { StoredPace } from "./stored-pace.ts";
import type { Turn, Visits } from "./visits.ts";

/** What the download of a page is given. */
export interface Visit {
	/** Aborted when the caller's signal is, or the client is closed: the download should end. */
	readonly signal: AbortSignal;
	/**
	 * Tells of the answer. After a 429 or 503 no page of the origin is asked for until its Retry-After, or, without one, for a minute, which
	 * doubles with each further one up to an hour.
	 */
	report(status: number, headers?: HeaderFields): void;
}

/** What a page answered. */
export interface VisitAnswer {
	/** The HTTP status. */
	readonly status: number;
	/** Header fields, of which Retry-After counts. */
	readonly headers?: HeaderFields;
}

/** What became of a visit. Times are in milliseconds since 1970. */
export type VisitResult<Value> =
	/** The page was downloaded: what `download` gave. */
	| { readonly outcome: "visited"; readonly value: Value }
	/**
	 * Not now: the turn would come later than `maxWait`, the site's robots.txt cannot be had, or its pages must not be asked for yet. Ask
	 * again at `at`.
	 */
	| { readonly outcome: "later"; readonly at: number }
	/** The site asks for more than `maxDelay` between two visits. `at`: when it could be visited. */
	| { readonly outcome: "slow"; readonly at: number }
	/** robots.txt forbids the URL, or its address is not public; or it is not an http, https or ftp URL. */
	| {
			readonly outcome: "disallowed" | "invalid";
			readonly at?: undefined;
	  };

/** Why a page is not visited. */
type NotVisited = Exclude<VisitResult<never>, { outcome: "visited" }>;

export interface VisitorParts {
	readonly visits: Visits;
	/** The verdict of a URL by what is in memory. */
	readonly atHand: (url: string) => Verdict | Promise<Verdict>;
	readonly lookUp: (
		origin: string,
		signal: AbortSignal | undefined,
	) => Promise<Known>;
	/** Undefined if visits are not kept. */
	readonly stored: StoredPace | undefined;
	readonly now: () => number;
	readonly access: ReturnType<typeof settingsOf>;
	readonly paceBy: PaceBy;
	readonly lookup: LookupFunction;
	/** Milliseconds for a download to end after it was aborted. */
	readonly maxVisitTime: number;
}

export class Visitor {
	readonly #parts: VisitorParts;
	readonly #closing = new Cancellation();
	readonly #ending = new Set<Promise<void>>();

	constructor(parts: VisitorParts) {
		this.#parts = parts;
	}

	/** Visits a URL of an origin when its turn comes, within so many milliseconds. */
	async visit<Value>(
		url: string,
		origin: string,
		download: (visit: Visit) => Promise<Value> | Value,
		maxWait: number,
		signal: AbortSignal | undefined,
	): Promise<VisitResult<Value>> {
		const { visits, stored } = this.#parts;
		const deadline = performance.now() + maxWait;
		for (let isFirst = false; ; isFirst = true) {
			// Before it waits, too: what is forbidden need not.
			const answer = await this.#answer(url, origin, signal);
			if (answer) return answer;
			const turn = await visits.turn(origin, deadline, signal, isFirst);
			// It has waited for so long that the limits have to be asked for again.
			if (!turn) continue;
			if (typeof turn === "number") return { outcome: "later", at: turn };
			const ready = await this.#prepare(url, origin, turn, deadline, signal);
			// Another process has visited the group meanwhile, or the pace has changed.
			if (!ready) continue;
			if ("outcome" in ready) return ready;
			const { group } = turn;
			return this.#download(origin, turn, download, signal, () => {
				const clock = performance.now();
				group.release(ready.begin);
				turn.finish();
				stored
					?.change(group, () => group.end(clock, ready.begin))
					.then(ready.release);
			});
		}
	}

	/** What is left to do when a turn has come. Gives it back unless the visit may begin now. */
	async #prepare(
		url: string,
		origin: string,
		turn: Turn,
		deadline: number,
		signal: AbortSignal | undefined,
	): Promise<
		| { readonly begin: number; readonly release: (() => void) | undefined }
		| NotVisited
		| undefined
	> {
		const { visits, stored, now } = this.#parts;
		const { group } = turn;
		let release: (() => void) | undefined;
		let begin: number | undefined;
		let isReady = false;
		try {
			const taken = await this.#take(turn, deadline, signal);
			if (taken) release = taken;
			// Meanwhile the rules may have changed, and the pace with them.
			const answer = await this.#answer(url, origin, signal);
			if (answer) return answer;
			const at = visits.beginOf(origin);
			if (taken === null) return { outcome: "later", at };
			if (at > now()) return undefined;
			const time = now();
			begin = time;
			// To other processes it is a time that was given out, which has come.
			await stored?.change(group, () =>
				group.reserve(time, now(), performance.now()),
			);
			signal?.throwIfAborted();
			this.#closing.throwIfAborted();
			isReady = true;
			return { begin, release };
		} finally {
			if (!isReady) {
				turn.giveBack();
				const at = begin;
				if (at !== undefined && stored)
					stored.change(group, () => group.release(at)).then(release);
				else release?.();
			}
		}
	}

	/** The earliest time for a visit of a URL's origin. @throws {RobotrieError} invalid-url. */
	async next(
		url: string,
		reserve: boolean,
		after: number | undefined,
		signal: AbortSignal | undefined,
	): Promise<number> {
		const { visits, lookUp, stored } = this.#parts;
		let origin = plainOrigin(url) ?? originOf(url);
		// Rules are asked for only when a visit is planned, so a crawler of pages alone never waits here.
		if (!visits.knows(origin)) {
			// What is kept must not be a slice, which would keep the URL.
			origin = originOf(url);
			await this.#learn(origin, await lookUp(origin, signal));
		}
		const group = stored && visits.groupOf(origin);
		if (reserve && group)
			return stored.change(group, () => visits.reserve(origin, after));
		// Other processes may have been given times.
		if (group && stored.isShared) await stored.read(group);
		return reserve
			? visits.reserve(origin, after)
			: visits.earliest(origin, after);
	}

	/** Gives a time back that `next` gave out; false if it is not known. */
	release(origin: string, at: number): boolean {
		const { visits, stored } = this.#parts;
		const group = visits.groupOf(origin);
		if (!group || !visits.release(group, at)) return false;
		// The store may still have it.
		stored?.change(group, () => visits.release(group, at));
		return true;
	}

	/** A visit of an origin has ended, perhaps with an answer. */
	end(
		origin: string,
		at: number | undefined,
		answer: VisitAnswer | undefined,
	): void {
		const clock = performance.now();
		const { visits, stored } = this.#parts;
		const end = (group: PaceGroup) => {
			const report = answer && this.#reportOf(group, origin, answer);
			const change = () => {
				report?.();
				visits.end(group, clock, at);
			};
			if (stored) stored.change(group, change);
			else change();
		};
		const known = visits.groupOf(origin);
		const key = known?.key ?? this.#key(origin);
		if (typeof key === "string") {
			end(visits.group(key));
			return;
		}
		// A `paceBy` that fails has said so to those who asked for the visit.
		const ending = key.then((key) => end(visits.group(key))).catch(() => {});
		this.#ending.add(ending);
		ending.finally(() => this.#ending.delete(ending));
	}

	/** There is a new answer for an origin: those who wait for a turn may have to wait less, or more. */
	changed(origin: string, known: Known): void {
		const { visits } = this.#parts;
		visits.outdate(origin);
		// One that fails is asked for again when the turn comes.
		if (visits.isAwaited(origin)) this.#learn(origin, known).catch(() => {});
	}

	/** Rejects those who wait, tells downloads to end, and waits until the store knows of those that have. */
	async close(reason: RobotrieError): Promise<void> {
		this.#closing.abort(reason);
		this.#parts.visits.close(reason);
		await Promise.all(this.#ending);
		await this.#parts.stored?.settled();
	}

	/** Why a URL is not to be visited now; undefined if it may be, and the limits of its origin are known. */
	async #answer(
		url: string,
		origin: string,
		signal: AbortSignal | undefined,
	): Promise<NotVisited | undefined> {
		const { atHand, lookUp, visits } = this.#parts;
		const found = atHand(url);
		const verdict = typeof found === "number" ? found : await found;
		if (verdict === Verdict.Invalid) return { outcome: "invalid" };
		if (verdict !== Verdict.Allowed || !visits.knows(origin)) {
			const known = await lookUp(origin, signal);
			if (known.rules === "later")
				return { outcome: "later", at: known.access.expires };
			const [found] = await verdictsOf(known, [url]);
			if (found === Verdict.Invalid) return { outcome: "invalid" };
			if (found !== Verdict.Allowed) return { outcome: "disallowed" };
			await this.#learn(origin, known);
		}
		return visits.isSlow(origin)
			? { outcome: "slow", at: visits.earliest(origin) }
			: undefined;
	}

	async #learn(origin: string, known: Known): Promise<void> {
		const { visits, stored } = this.#parts;
		const { access } = known;
		const pace = paceOf(await known.limits(), access.retryAfter);
		const key = await this.#key(origin);
		visits.set(origin, key, pace, access.askedAt, access.expires);
		const group = visits.group(key);
		if (!group.isLoaded) await stored?.read(group);
	}

	#key(origin: string): string | Promise<string> {
		const { paceBy, lookup } = this.#parts;
		return paceKey(origin, paceBy, lookup);
	}

	/** Sees to it that no other process visits the group. Null if that took until the deadline. */
	async #take(
		{ group }: Turn,
		deadline: number,
		signal: AbortSignal | undefined,
	): Promise<(() => void) | undefined | null> {
		const { stored } = this.#parts;
		if (!stored?.isShared) return undefined;
		const taken = await stored.take(
			group,
			signal ?? this.#closing,
			() => this.#closing.aborted || performance.now() > deadline,
		);
		try {
			await stored.read(group);
			this.#closing.throwIfAborted();
			return taken;
		} catch (error) {
			taken?.();
			throw error;
		}
	}

	/** Runs a download; `end` is called when it has ended. */
	async #download<Value>(
		origin: string,
		{ group }: Turn,
		download: (visit: Visit) => Promise<Value> | Value,
		signal: AbortSignal | undefined,
		end: () => void,
	): Promise<VisitResult<Value>> {
		const stop = new AbortController();
		const stopWaiting = [signal, this.#closing].map(
			(one) => one && whenAborted(one, () => stop.abort(one.reason)),
		);
		const { maxVisitTime } = this.#parts;
		let isOver = false;
		const over = () => {
			if (!isOver) end();
			isOver = true;
		};
		const aborted = new Promise<never>((_, reject) => {
			stop.signal.addEventListener("abort", () => {
				reject(stop.signal.reason);
				// What does not heed the signal may go on for a while: the turn ends when it does, or then.
				setTimeout(over, maxVisitTime).unref();
			});
		});
		const work = (async () =>
			download({
				signal: stop.signal,
				report: (status, headers) =>
					this.#reportOf(group, origin, {
						status,
						...(headers && { headers }),
					})(),
			}))();
		work.then(over, over);
		try {
			const value = await Promise.race([work, aborted]);
			return { outcome: "visited", value };
		} finally {
			for (const stop of stopWaiting) stop?.();
		}
	}

	/** What an answer of a page means for its origin: one that wants fewer requests is held back. */
	#reportOf(
		{ holds }: PaceGroup,
		origin: string,
		{ status, headers }: VisitAnswer,
	): () => void {
		if (status !== 429 && status !== 503) return () => holds.delete(origin);
		const now = this.#parts.now();
		const refusals = (holds.get(origin)?.refusals ?? 0) + 1;
		const settings = { ...this.#parts.access, now };
		const time = retryTime({ ...(headers && { headers }) }, refusals, settings);
		const until = performance.now() + (time - now);
		return () => holds.set(origin, { until, refusals });
	}
}
