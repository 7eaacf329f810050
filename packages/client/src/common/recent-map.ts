/**
 * The client's one LRU map: entries are linked by last use. It serves KnownOrigins, MemoryStore, Visits and the answers that a store does not
 * have. A Map whose used keys are deleted and set again would do the same, but at a million keys rehashing stops the process for up to
 * 300 ms, which is why the entries are in a ShardedMap.
 */

import { ShardedMap } from "./sharded-map.ts";

interface Entry<Value> {
	readonly key: string;
	value: Value;
	/** Neighbours by last use. */
	newer: Entry<Value> | undefined;
	older: Entry<Value> | undefined;
}

/** A map that knows which of its keys was used least recently. */
export class RecentMap<Value> {
	readonly #entries = new ShardedMap<Entry<Value>>();
	#newest: Entry<Value> | undefined;
	#oldest: Entry<Value> | undefined;
	#size = 0;

	get size(): number {
		return this.#size;
	}

	/** The value of a key; does not count as a use. */
	get(key: string): Value | undefined {
		return this.#entries.get(key)?.value;
	}

	/**
	 * The value of a key, which becomes the most recently used one. A doubly linked list makes it the
	 * newest without touching the map.
	 */
	use(key: string): Value | undefined {
		const entry = this.#entries.get(key);
		if (entry) this.#moveToFront(entry);
		return entry?.value;
	}

	/** Sets a value; counts as a use. */
	set(key: string, value: Value): void {
		const known = this.#entries.get(key);
		if (known) {
			known.value = value;
			this.#moveToFront(known);
			return;
		}
		const entry = { key, value, newer: undefined, older: undefined };
		this.#entries.set(key, entry);
		this.#size++;
		this.#link(entry);
	}

	/** Removes a key; returns its value. */
	delete(key: string): Value | undefined {
		const entry = this.#entries.get(key);
		if (!entry) return undefined;
		this.#entries.delete(key);
		this.#size--;
		this.#unlink(entry);
		return entry.value;
	}

	clear(): void {
		this.#entries.clear();
		this.#newest = this.#oldest = undefined;
		this.#size = 0;
	}

	/** The least recently used key. */
	oldest(): string | undefined {
		return this.#oldest?.key;
	}

	#moveToFront(entry: Entry<Value>): void {
		if (entry === this.#newest) return;
		this.#unlink(entry);
		this.#link(entry);
	}

	#link(entry: Entry<Value>): void {
		entry.older = this.#newest;
		entry.newer = undefined;
		if (this.#newest) this.#newest.newer = entry;
		else this.#oldest = entry;
		this.#newest = entry;
	}

	#unlink({ newer, older }: Entry<Value>): void {
		if (newer) newer.older = older;
		else this.#newest = older;
		if (older) older.newer = newer;
		else this.#oldest = newer;
	}
}
