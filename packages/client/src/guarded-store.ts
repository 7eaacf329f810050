import type { RobotsStore } from "./store.ts";
import { TimeLimit, TimeLimitError } from "./time-limit.ts";

/** Milliseconds for which a store that did not answer is left alone. */
const PAUSE = 10_000;

/** Milliseconds after which a failure counts as no answer: an SQLite file that others hold fails after 5 seconds. */
const PATIENCE = 1000;

/**
 * A store whose calls take a limited time. After one that took longer, or more than a second to fail, further ones fail at once for 10 seconds: those who
 * wait for an answer must not wait for the store every time.
 */
export class GuardedStore {
	readonly #store: RobotsStore;
	readonly #limit: TimeLimit;
	/** What failed last by taking too long, and when the store is tried again. */
	#pause: { readonly error: unknown; readonly until: number } | undefined;

	constructor(store: RobotsStore, timeout: number) {
		this.#store = store;
		this.#limit = new TimeLimit(timeout, "the store");
	}

	get(key: string): Promise<Uint8Array | undefined> {
		return this.#run(() => this.#store.get(key));
	}

	set(key: string, entry: Uint8Array): Promise<void> {
		return this.#run(() => this.#store.set(key, entry));
	}

	/** True where the entry was stored; a store that cannot compare stores it in any case. */
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
