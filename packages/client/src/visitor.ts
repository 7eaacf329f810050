/**
 * Visits of pages for RobotsClient: `visit`, which waits for a turn, asks the rules again when it comes, and has a download tell when it ends;
 * and `next`, `release` and `end` for callers who have a queue of their own. It brings together Visits (when), Judge and RobotsSource (whether)
 * and StoredPace (visits of other processes and of earlier ones). What must hold: a turn is given back whatever happens.
 */

import type { LookupFunction } from "node:net";
import { type RobotrieError, Verdict } from "robotrie";
import type { HeaderFields } from "robotrie/access";
import { retryTime, type Settings } from "robotrie/internal";
import { Cancellation, whenAborted } from "./aborts.ts";
import { type Known, verdictsOf } from "./known.ts";
import { paceOf } from "./pace.ts";
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
	/** The verdict of a URL from memory. */
	readonly peek: (url: string) => number;
	readonly lookUp: (
		origin: string,
		signal: AbortSignal | undefined,
	) => Promise<Known>;
	/** Undefined if visits are not kept. */
	readonly stored: StoredPace | undefined;
	readonly now: () => number;
	readonly access: Settings;
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
			return this.#download(origin, turn, download, signal, () => {
				turn.finish();
				stored?.end(turn.group, ready.begin, ready.release);
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
		let release: (() => void) | undefined;
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
			const begin = now();
			await stored?.begin(turn.group);
			signal?.throwIfAborted();
			this.#closing.throwIfAborted();
			isReady = true;
			return { begin, release };
		} finally {
			if (!isReady) {
				turn.giveBack();
				release?.();
			}
		}
	}

	/** The earliest time for a visit. */
	async next(
		origin: string,
		reserve: boolean,
		after: number | undefined,
		signal: AbortSignal | undefined,
	): Promise<number> {
		const { visits, lookUp } = this.#parts;
		// Rules are asked for only when a visit is planned, so a crawler of pages alone never waits here.
		if (!visits.knows(origin))
			await this.#learn(origin, await lookUp(origin, signal));
		return reserve
			? visits.reserve(origin, after)
			: visits.earliest(origin, after);
	}

	/** A visit of an origin has ended. */
	end(origin: string, at: number | undefined): void {
		const clock = performance.now();
		const { visits, stored, now } = this.#parts;
		const begin = now();
		const end = (group: PaceGroup) => {
			visits.end(group, clock, at);
			stored?.end(group, begin);
		};
		const known = visits.groupOf(origin);
		const key = known?.key ?? this.#key(origin);
		if (typeof key === "string") {
			end(visits.group(key));
			return;
		}
		const ending = key.then((key) => end(visits.group(key)));
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
		const { peek, lookUp, visits } = this.#parts;
		const verdict = peek(url);
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
					this.#report(group, origin, status, headers),
			}))();
		work.then(over, over);
		try {
			const value = await Promise.race([work, aborted]);
			return { outcome: "visited", value };
		} finally {
			for (const stop of stopWaiting) stop?.();
		}
	}

	/** Holds an origin back that wants fewer requests. */
	#report(
		{ holds }: PaceGroup,
		origin: string,
		status: number,
		headers: HeaderFields | undefined,
	): void {
		if (status !== 429 && status !== 503) {
			holds.delete(origin);
			return;
		}
		const now = this.#parts.now();
		const refusals = (holds.get(origin)?.refusals ?? 0) + 1;
		const settings = { ...this.#parts.access, now };
		const until = retryTime(
			{ ...(headers && { headers }) },
			refusals,
			settings,
		);
		holds.set(origin, { until: performance.now() + (until - now), refusals });
	}
}
