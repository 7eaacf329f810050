import type { RobotsStore } from "./store.ts";
import { TimeLimit, TimeLimitError } from "./time-limit.ts";

/** Milliseconds for which a store that did not answer is left alone. */
const PAUSE = 10_000;

/**
 * A store whose calls take a limited time. After one that took longer, further ones fail at once for 10 seconds: those who
 * wait for an answer must not wait for the store every time.
 */
export class GuardedStore {
	readonly #store: RobotsStore;
	readonly #limit: TimeLimit;
	/** What failed last by taking too long, and when the store is tried again. */
	#pause:
		| { readonly error: TimeLimitError; readonly until: number }
		| undefined;

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
		try {
			const result = await this.#limit.run(call());
			this.#pause = undefined;
			return result;
		} catch (error) {
			this.#pause =
				error instanceof TimeLimitError
					? { error, until: performance.now() + PAUSE }
					: undefined;
			throw error;
		}
	}
}
