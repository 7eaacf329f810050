/**
 * Where an answer comes from: the store if it has one that holds, else the network, whose answer is
 * stored before it is returned. RobotsClient and Judge call `lookUp`. What must hold: one look-up
 * and one request per origin at a time, which callers share; a bounded number of requests; no
 * answer for an origin that was forgotten meanwhile.
 */

import { setImmediate as nextTurn } from "node:timers/promises";
import pLimit, { type LimitFunction } from "p-limit";
import type { Agent, RobotsIndex } from "robotrie";
import { RobotrieError } from "robotrie";
import type { HttpOutcome, RobotsAccess } from "robotrie/access";
import { accessBy } from "robotrie/internal";
import { isFromFuture } from "#robotrie/common/clock";
import type { Cancellation } from "../common/aborts.ts";
import { SharedTask } from "../common/aborts.ts";
import { fetchableOrigin } from "../common/origin.ts";
import { RecentMap } from "../common/recent-map.ts";
import { turns } from "../common/turns.ts";
import { exchange } from "../fetch/exchange.ts";
import { isRefused, type Known, Reader } from "../rules/known.ts";
import { Leases } from "../stores/leases.ts";
import type { ClientSettings, RobotsClientEvents } from "./options.ts";
import { type Before, StoredAnswers } from "./stored-answers.ts";

/**
 * Answers that may be on their way to the store when as many are asked for as `concurrency` allows.
 * Answers wait for the store, which writes many at once, while the next requests go on.
 */
const MORE_ANSWERS = 64;

export interface Asked {
	readonly known: Known;
	readonly outcome: HttpOutcome;
}

/** Who is to hear of it. */
export interface Observer {
	/** What takes the rules in that hold. */
	readonly index: RobotsIndex;
	/** Something holds for an origin; at `due` it is to be looked up again. `isNew`: it is not from the store. */
	known(origin: string, known: Known, due: number, isNew: boolean): void;
	emit<E extends keyof RobotsClientEvents>(
		event: E,
		...values: RobotsClientEvents[E]
	): void;
}

/** Where robots.txt comes from: the store, or the network if the store has no current answer. */
export class RobotsSource {
	readonly #counts = {
		requests: 0,
		refreshes: 0,
		redirects: 0,
		notModified: 0,
		failures: 0,
		bytes: 0,
		storeHits: 0,
		storeMisses: 0,
	};
	readonly #settings: ClientSettings;
	readonly #observer: Observer;
	readonly #limit: LimitFunction;
	/** From before its request until it is stored, an answer takes memory. */
	readonly #answers: LimitFunction;
	readonly #stored: StoredAnswers;
	readonly #leases: Leases | undefined;
	readonly #reader: Reader;
	readonly #failing: FailingOrigins;
	/** What new callers join. */
	readonly #lookups = new Map<string, SharedTask<Known>>();
	readonly #requests = new Map<string, SharedTask<Asked>>();
	/** Those, and what goes on for callers who came before their origin was forgotten. */
	readonly #running = new Set<SharedTask<unknown>>();
	#closed: RobotrieError | undefined;

	constructor(agent: Agent, settings: ClientSettings, observer: Observer) {
		this.#settings = settings;
		this.#observer = observer;
		this.#limit = settings.limit;
		this.#answers = pLimit(settings.limit.concurrency + MORE_ANSWERS);
		this.#leases = settings.shareFetches
			? new Leases(settings.store)
			: undefined;
		const { dialect } = settings.access;
		const { maxBytes } = settings.exchange;
		this.#stored = new StoredAnswers({
			store: settings.store,
			dialect,
			maxBytes,
			access: settings.access,
			emit: (event, ...values) => observer.emit(event, ...values),
		});
		this.#failing = new FailingOrigins(settings.maxOrigins);
		this.#reader = new Reader(agent, {
			dialect,
			maxBytes,
		});
	}

	get active(): number {
		return this.#limit.activeCount;
	}

	get queued(): number {
		return this.#limit.pendingCount + this.#answers.pendingCount;
	}

	get counts() {
		return { ...this.#counts, ...this.#stored.counts };
	}

	/**
	 * What holds for an origin now; asks for it only when the store has nothing that does. Joined and
	 * not repeated: a thousand calls for one origin are one look-up.
	 */
	lookUp(origin: string, signal: AbortSignal | undefined): Promise<Known> {
		const task =
			this.#lookups.get(origin) ??
			this.#start(this.#lookups, origin, (stop, isCurrent) =>
				this.#lookUp(origin, stop, isCurrent),
			);
		return task.join(signal);
	}

	/** Fetches an origin's robots.txt even if the known answer is current. */
	async ask(origin: string, signal: AbortSignal | undefined): Promise<Asked> {
		signal?.throwIfAborted();
		const before = await this.#stored.read(origin, signal);
		return this.#request(origin, before, false, true).join(signal);
	}

	/**
	 * Deletes what is stored for an origin. Requests under way still answer those who wait for them,
	 * and nobody else. New callers find no task any more and start one; those who wait keep theirs.
	 */
	async forget(origin: string): Promise<void> {
		this.#lookups.delete(origin);
		this.#requests.delete(origin);
		await this.#stored.delete(origin);
	}

	/** A call of the store about something else has failed. */
	storeFailed(origin: string, operation: "get" | "set", error: unknown): void {
		this.#stored.failed(origin, operation, error);
	}

	/** Cancels all requests, and waits for pending writes. */
	async close(): Promise<void> {
		const reason = new RobotrieError("disposed", "the client was closed");
		this.#closed = reason;
		for (const task of this.#running) task.abort(reason);
		await this.#stored.settled();
		// What was aborted gives its lease back in the microtasks that follow.
		await nextTurn();
		await this.#leases?.settled();
	}

	/** Starts what callers join until it has ended or its origin is forgotten, which `isCurrent` tells. */
	#start<T>(
		tasks: Map<string, SharedTask<T>>,
		origin: string,
		work: (stop: Cancellation, isCurrent: () => boolean) => Promise<T>,
	): SharedTask<T> {
		// Calls that let the event loop turn go on after the client was closed. A call that waited may
		// come here after `close`.
		if (this.#closed) throw this.#closed;
		const isCurrent = () => tasks.get(origin) === task;
		const task: SharedTask<T> = new SharedTask(
			(stop) => work(stop, isCurrent),
			() => {
				this.#running.delete(task);
				if (isCurrent()) tasks.delete(origin);
			},
		);
		tasks.set(origin, task);
		this.#running.add(task);
		return task;
	}

	async #lookUp(
		origin: string,
		stop: Cancellation,
		isCurrent: () => boolean,
	): Promise<Known> {
		let before = await this.#stored.read(origin, stop);
		if (this.#holding(before)) return this.#use(origin, before, isCurrent);
		this.#counts.storeMisses++;
		const release = await this.#leases
			?.take(origin, stop, async () => {
				before = await this.#stored.read(origin, stop);
				return this.#holding(before) !== undefined;
			})
			.catch((error) => this.#withoutLease(origin, error, stop));
		if (this.#leases && !release && this.#holding(before))
			return this.#use(origin, before, isCurrent);
		try {
			return (await this.#request(origin, before, false).join(stop)).known;
		} finally {
			release?.();
		}
	}

	/** The store failed: every client asks for itself. */
	#withoutLease(origin: string, error: unknown, stop: Cancellation): undefined {
		stop.throwIfAborted();
		this.#stored.failed(origin, "set", error);
	}

	/** The known answer, if it may be given: whether it holds is asked of the clock now, not of the time at which it was stored. */
	#holding({ access, isShort }: Before): RobotsAccess | undefined {
		const now = this.#settings.now();
		return access &&
			!isShort &&
			now < this.#holdsUntil(access) &&
			!isFromFuture(access.askedAt, now)
			? access
			: undefined;
	}

	/** Gives an answer that holds, and starts a refresh if it soon will not. */
	async #use(
		origin: string,
		before: Before,
		isCurrent: () => boolean,
	): Promise<Known> {
		const stored = before.access as RobotsAccess;
		const known = await this.#read(stored);
		if (isRefused(stored)) return known;
		this.#counts.storeHits++;
		this.#observer.emit("stored", { origin, access: stored });
		// In the last part of its lifetime an answer is used and asked for anew, so that nobody has to
		// wait at its end.
		const refreshAt = this.#refreshAt(stored);
		const isDue = this.#settings.now() >= refreshAt;
		if (isCurrent()) {
			const due = isDue ? this.#holdsUntil(stored) : refreshAt;
			this.#observer.known(origin, known, due, false);
		}
		if (isDue) this.#refresh(origin, before);
		return known;
	}

	/** Asks anew in the background, unless another client of the store is doing so or just has. */
	#refresh(origin: string, before: Before): void {
		if (!this.#leases) this.#request(origin, before, true).keep();
		// The answer that is known stays if it fails.
		else if (!this.#requests.has(origin))
			this.#refreshShared(this.#leases, origin, before).catch(() => {});
	}

	async #refreshShared(
		leases: Leases,
		origin: string,
		before: Before,
	): Promise<void> {
		const release = await leases.tryTake(origin);
		if (!release) return;
		try {
			const now = await this.#stored.read(origin, undefined);
			if (!this.#closed && now.access?.askedAt === before.access?.askedAt)
				await this.#request(origin, now, true).join();
		} finally {
			release();
		}
	}

	/** One request for an origin at a time: further callers join it. `isForced`: a redirect's target is asked even if its answer is known. */
	#request(
		origin: string,
		before: Before,
		background: boolean,
		isForced = false,
	): SharedTask<Asked> {
		return (
			this.#requests.get(origin) ??
			this.#start(this.#requests, origin, (stop, isCurrent) =>
				this.#answers(() =>
					this.#exchange(
						origin,
						before,
						{ background, isForced },
						stop,
						isCurrent,
					),
				),
			)
		);
	}

	async #exchange(
		origin: string,
		before: Before,
		{ background, isForced }: { background: boolean; isForced: boolean },
		stop: Cancellation,
		isCurrent: () => boolean,
	): Promise<Asked> {
		const counts = this.#counts;
		const settings = this.#settings;
		const url = `${origin}/robots.txt`;
		// Of a copy that is cut too short, "not modified" would be no answer.
		const copied = before.isShort ? null : before.access;
		let started = 0;
		/** What is known of the origin that a redirect leads to. */
		let target: RobotsAccess | undefined;
		const outcome = await this.#limit(async () => {
			const wait = turns.wait();
			// The caller may have given up by the time it is this request's turn.
			if (wait) await wait;
			stop.throwIfAborted();
			counts.requests++;
			if (background) counts.refreshes++;
			this.#observer.emit("request", { origin, url, background });
			started = performance.now();
			return exchange(url, copied, settings.exchange, stop, async (next) => {
				if (!isForced) target = await this.#targetOf(origin, next, stop);
				return target !== undefined;
			});
		});
		const milliseconds = performance.now() - started;
		counts.redirects += outcome.redirects?.length ?? 0;
		counts.bytes += outcome.body?.length ?? 0;
		if (outcome.failure) counts.failures++;
		// Many answers may arrive at once.
		const wait = turns.wait();
		if (wait) await wait;
		const now = settings.now();
		const clock = performance.now();
		const serverErrorAsNotFound = settings.serverErrorAsNotFound(origin);
		// Judged by what the store has by then: another process may have stored something in between.
		const judge = ({ access, isWhole, isShort }: Before) => {
			if (target) return target;
			const isModified = outcome.status !== 304;
			return accessBy(outcome, isShort && !isModified ? null : access, {
				...settings.access,
				now,
				elapsed: this.#failing.since(origin, access, clock),
				// What came before could not be read: it may forbid what 30 days of failures would allow.
				...(isWhole ? {} : { unreachableLimit: Number.POSITIVE_INFINITY }),
				serverErrorAsNotFound,
			});
		};
		// Answers are stored before they are returned, so a crash loses none.
		const access = await this.#stored.settle(origin, before, judge, isCurrent);
		if (access.code === "not-modified") counts.notModified++;
		if (settings.isMachineClock) this.#failing.set(origin, access, clock);
		// Stores resolve many writes in one turn; what follows is work.
		if (isCurrent()) {
			// Stores write many entries at once.
			const wait = turns.wait();
			if (wait) await wait;
		}
		// Not before: what waits for the store takes memory.
		const known = await this.#read(access);
		if (isCurrent() && !isRefused(access))
			this.#observer.known(origin, known, this.#refreshAt(access), true);
		this.#observer.emit("answer", { origin, outcome, access, milliseconds });
		return { known, outcome };
	}

	/**
	 * The answer of the origin whose robots.txt a redirect leads to, if it holds and is not soon to be asked for: http sites mostly lead to
	 * their https ones, which need not be asked twice.
	 */
	async #targetOf(
		origin: string,
		url: string,
		stop: Cancellation,
	): Promise<RobotsAccess | undefined> {
		const target = fetchableOrigin(url);
		if (target === undefined || url !== `${target}/robots.txt`)
			return undefined;
		const access = this.#holding(await this.#stored.read(target, stop));
		const { now, serverErrorAsNotFound } = this.#settings;
		return access &&
			access.failures === 0 &&
			now() < this.#refreshAt(access) &&
			// Else the same answer could mean something else here.
			serverErrorAsNotFound(target) === serverErrorAsNotFound(origin)
			? access
			: undefined;
	}

	/** Ready to be taken into an index, which in turn takes no time. */
	async #read(access: RobotsAccess): Promise<Known> {
		const known = this.#reader.read(access);
		try {
			await known.prepare(this.#observer.index);
			return known;
		} catch (error) {
			// One site with a million rules must not end a call for URLs of many.
			if (!(error instanceof RobotrieError) || error.code !== "limit-exceeded")
				throw error;
			return this.#reader.readWithoutRules(access, error.message);
		}
	}

	/** Until when an answer may be given: a copy that holds does so while asking anew fails. */
	#holdsUntil({ code, copy, expires }: RobotsAccess): number {
		if (code !== "cached-copy" || !copy) return expires;
		const { staleIfError } = this.#settings.access;
		return Math.max(expires, copy.expires + staleIfError);
	}

	/** From when on an answer that is used is asked for anew; after failures not before its time. */
	#refreshAt({ failures, askedAt, expires }: RobotsAccess): number {
		if (failures > 0) return expires;
		return expires - this.#settings.refreshAhead * (expires - askedAt);
	}
}

/**
 * When origins last failed in this process, by the clock that cannot be set. The wall clock may
 * jump while a site fails; spans of failing are by the clock that cannot be set.
 */
class FailingOrigins {
	readonly #most: number;
	readonly #last = new RecentMap<{
		readonly askedAt: number;
		readonly clock: number;
	}>();

	constructor(most: number) {
		this.#most = most;
	}

	set(origin: string, { askedAt, failures }: RobotsAccess, clock: number) {
		if (failures === 0) {
			this.#last.delete(origin);
			return;
		}
		this.#last.set(origin, { askedAt, clock });
		if (this.#last.size > this.#most)
			this.#last.delete(this.#last.oldest() as string);
	}

	/** Milliseconds from an answer, if this process got it, to `clock`. */
	since(
		origin: string,
		access: RobotsAccess | null,
		clock: number,
	): number | undefined {
		const last = this.#last.get(origin);
		return last !== undefined && last.askedAt === access?.askedAt
			? clock - last.clock
			: undefined;
	}
}
