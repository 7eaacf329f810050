interface Entry<Value> {
	readonly key: string;
	value: Value;
	/** Neighbours by last use. */
	newer: Entry<Value> | undefined;
	older: Entry<Value> | undefined;
}

/** A `Map` that grows stands still for as long as moving its entries takes, 50 to 300 ms at a million: so there are several small ones. */
const SHARDS = 256;

/** A map that knows which of its keys was used longest ago. */
export class RecentMap<Value> {
	readonly #shards: Map<string, Entry<Value>>[] = [];
	#newest: Entry<Value> | undefined;
	#oldest: Entry<Value> | undefined;
	#size = 0;

	get size(): number {
		return this.#size;
	}

	/** The value of a key; does not count as a use. */
	get(key: string): Value | undefined {
		return this.#shard(key).get(key)?.value;
	}

	/** The value of a key, which is now the one used last. */
	use(key: string): Value | undefined {
		const entry = this.#shard(key).get(key);
		if (entry) this.#moveToFront(entry);
		return entry?.value;
	}

	/** Sets a value; counts as a use. */
	set(key: string, value: Value): void {
		const shard = this.#shard(key);
		const known = shard.get(key);
		if (known) {
			known.value = value;
			this.#moveToFront(known);
			return;
		}
		const entry = { key, value, newer: undefined, older: undefined };
		shard.set(key, entry);
		this.#size++;
		this.#link(entry);
	}

	/** Takes a key out; returns its value. */
	delete(key: string): Value | undefined {
		const shard = this.#shard(key);
		const entry = shard.get(key);
		if (!entry) return undefined;
		shard.delete(key);
		this.#size--;
		this.#unlink(entry);
		return entry.value;
	}

	clear(): void {
		this.#shards.length = 0;
		this.#newest = this.#oldest = undefined;
		this.#size = 0;
	}

	/** The key that was used longest ago. */
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

	#shard(key: string): Map<string, Entry<Value>> {
		let hash = key.length;
		// Keys that only differ further in front share a shard, which is only slower.
		for (let at = Math.max(0, key.length - 40); at < key.length; at++)
			hash = (Math.imul(hash, 31) + key.charCodeAt(at)) | 0;
		const number = (hash ^ (hash >>> 8) ^ (hash >>> 16)) & (SHARDS - 1);
		let shard = this.#shards[number];
		if (!shard) {
			shard = new Map();
			this.#shards[number] = shard;
		}
		return shard;
	}
}
