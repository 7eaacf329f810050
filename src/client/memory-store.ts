import { checkEntry, checkKey } from "./check-store.ts";
import type { RobotsStore } from "./store.ts";

/** Keeps entries in this process only, for tests and short runs. */
export class MemoryStore implements RobotsStore {
	readonly #entries = new Map<string, Uint8Array>();

	/** The number of entries. */
	get size(): number {
		return this.#entries.size;
	}

	/** The entry of a key, or undefined. @throws {RobotrieError} invalid-argument, if the key is not a string. */
	async get(key: string): Promise<Uint8Array | undefined> {
		checkKey(key);
		return this.#entries.get(key);
	}

	/** Keeps an entry. @throws {RobotrieError} invalid-argument. */
	async set(key: string, entry: Uint8Array): Promise<void> {
		checkKey(key);
		checkEntry(entry);
		this.#entries.set(key, entry);
	}

	/** Deletes an entry, if there is one. @throws {RobotrieError} invalid-argument, if the key is not a string. */
	async delete(key: string): Promise<void> {
		checkKey(key);
		this.#entries.delete(key);
	}

	/** Deletes all entries. */
	async close(): Promise<void> {
		this.#entries.clear();
	}
}
