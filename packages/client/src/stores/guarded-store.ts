/**
 * Stores that fail or hang must not stop the client. `TimeLimit` bounds how long a promise may take, with one timer for any number of them;
 * `GuardedStore` puts it around a RobotsStore and leaves a store that hangs alone for a while. StoredAnswers calls stores only through it;
 * the LMDB and Redis stores use TimeLimit for their own connections.
 */

import type { RobotsStore } from "./store.ts";

/** Work that has not ended. */
interface Pending {
	/** In milliseconds of performance.now(), which cannot be set. */
	readonly until: number;
	/** Undefined once it has ended: memory that a Set has outgrown would otherwise keep the outcome alive. */
	reject: ((error: TimeLimitError) => void) | undefined;
}

/** A limit for each of many promises, with one timer for all: the oldest one is due first. */
export class TimeLimit {
	readonly #milliseconds: number;
	readonly #who: string;
	/** In the order of their start, which is that of their end, as the limit is the same. */
	readonly #pending = new Set<Pending>();
	#timer: NodeJS.Timeout | undefined;

	/** `who` is named in the error. */
	constructor(milliseconds: number, who: string) {
		this.#milliseconds = milliseconds;
		this.#who = who;
	}

	/** The outcome of some work, or a TimeLimitError if it takes longer. The work itself goes on. */
	run<T>(work: Promise<T>): Promise<T> {
		return new Promise((resolve, reject) => {
			const until = performance.now() + this.#milliseconds;
			const pending: Pending = { until, reject };
			this.#pending.add(pending);
			this.#watch();
			work.then(
				(result) => {
					this.#end(pending);
					resolve(result);
				},
				(error) => {
					this.#end(pending);
					reject(error);
				},
			);
		});
	}

	/** The timer keeps the process alive only while something is pending. */
	#watch(): void {
		if (this.#timer) this.#timer.ref();
		else this.#timer = setTimeout(this.#look, this.#milliseconds);
	}

	#end(pending: Pending): void {
		this.#pending.delete(pending);
		pending.reject = undefined;
		if (this.#pending.size === 0) this.#timer?.unref();
	}

	readonly #look = (): void => {
		this.#timer = undefined;
		const now = performance.now();
		for (const pending of this.#pending) {
			// Timers may be a little early.
			if (pending.until > now + 1) {
				this.#timer = setTimeout(this.#look, pending.until - now);
				return;
			}
			this.#pending.delete(pending);
			const text = `${this.#who} gave no answer within ${this.#milliseconds} ms`;
			pending.reject?.(new TimeLimitError(text));
		}
	};
}

/** The error of work that took too long. */
export class TimeLimitError extends Error {}

/** A store that has some entries in this process, as overrides of the service: they hold even while the store gives no answer. */
export interface PinnedEntries {
	pinned(key: string): Uint8Array | undefined;
}

/** Milliseconds for which a store that did not answer is left alone. */
const PAUSE = 10_000;

/** Milliseconds after which a failure counts as no answer: an SQLite file that others hold fails after 5 seconds. */
const PATIENCE = 1000;

/**
 * A store whose calls take a limited time. After a call that took longer, or more than a second to
 * fail, further calls fail at once for 10 seconds: callers must not wait for a broken store again
 * and again. A crawler without its store is slower; one that waits for a broken store stands still.
 */
export class GuardedStore {
	readonly #store: RobotsStore & Partial<PinnedEntries>;
	readonly #limit: TimeLimit;
	/** The last failure that took too long, and when the store is tried again. */
	#pause: { readonly error: unknown; readonly until: number } | undefined;

	constructor(store: RobotsStore & Partial<PinnedEntries>, timeout: number) {
		this.#store = store;
		this.#limit = new TimeLimit(timeout, "the store");
	}

	async get(key: string): Promise<Uint8Array | undefined> {
		return this.#store.pinned?.(key) ?? this.#run(() => this.#store.get(key));
	}

	set(key: string, entry: Uint8Array): Promise<void> {
		return this.#run(() => this.#store.set(key, entry));
	}

	/** True if the entry was stored; a store without `replace` stores it in any case. */
	replace(
		key: string,
		expected: Uint8Array | undefined,
		entry: Uint8Array,
	): Promise<boolean> {
		return this.#run(async () => {
			if (this.#store.replace) return this.#store.replace(key, expected, entry);
			await this.#store.set(key, entry);
			return true;
		});
	}

	delete(key: string): Promise<void> {
		return this.#run(() => this.#store.delete(key));
	}

	// Calls during the pause fail at once, and their callers ask the network.
	async #run<T>(call: () => Promise<T>): Promise<T> {
		const pause = this.#pause;
		if (pause) {
			if (performance.now() < pause.until) throw pause.error;
			// One call tries; the others go on without the store until it has succeeded.
			this.#pause = { ...pause, until: performance.now() + PAUSE };
		}
		const start = performance.now();
		try {
			const result = await this.#limit.run(call());
			this.#pause = undefined;
			return result;
		} catch (error) {
			this.#pause =
				error instanceof TimeLimitError || performance.now() - start > PATIENCE
					? { error, until: performance.now() + PAUSE }
					: undefined;
			throw error;
		}
	}
}
