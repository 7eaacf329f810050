import { checkEntry, checkKey } from "./check-store.ts";
import type { RobotsStore } from "./store.ts";

/** Keeps entries in this process only, for tests and short runs. */
export class MemoryStore implements RobotsStore {
	readonly #entries = new Map<string, Uint8Array>();

	/** The number of entries. */
	get size(): number {
		return this.#entries.size;
	}

	async get(key: string): Promise<Uint8Array | undefined> {
		checkKey(key);
		return this.#entries.get(key);
	}

	async set(key: string, entry: Uint8Array): Promise<void> {
		checkKey(key);
		checkEntry(entry);
		this.#entries.set(key, entry);
	}

	async delete(key: string): Promise<void> {
		checkKey(key);
		this.#entries.delete(key);
	}

	async close(): Promise<void> {
		this.#entries.clear();
	}
}
