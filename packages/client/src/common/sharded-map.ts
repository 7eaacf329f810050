/**
 * A map for very many keys. A `Map` that grows moves all its entries at once, which takes 50 to 300 ms at a million; in many small maps each
 * move is short. Used where a client knows a million origins: RecentMap and the look-ups of Judge.
 */

/** The number of small maps. */
const SHARDS = 256;
/** Up to this many keys, a single map moves its entries fast enough. */
const FEW = 4096;

/** A map of very many keys, in no order. */
export class ShardedMap<Value> {
	readonly #shards: Map<string, Value>[] = [];
	readonly #mask: number;

	/** @param most Keys that are expected; few of them get a single map. */
	constructor(most = Number.POSITIVE_INFINITY) {
		this.#mask = most <= FEW ? 0 : SHARDS - 1;
	}

	get(key: string): Value | undefined {
		return this.#shard(key).get(key);
	}

	set(key: string, value: Value): void {
		this.#shard(key).set(key, value);
	}

	delete(key: string): void {
		this.#shard(key).delete(key);
	}

	clear(): void {
		this.#shards.length = 0;
	}

	#shard(key: string): Map<string, Value> {
		const number = this.#mask === 0 ? 0 : this.#numberOf(key);
		let shard = this.#shards[number];
		if (!shard) {
			shard = new Map();
			this.#shards[number] = shard;
		}
		return shard;
	}

	#numberOf(key: string): number {
		let hash = key.length;
		// Keys that only differ further in front share a shard, which is only slower.
		for (let at = Math.max(0, key.length - 40); at < key.length; at++)
			hash = (Math.imul(hash, 31) + key.charCodeAt(at)) | 0;
		return (hash ^ (hash >>> 8) ^ (hash >>> 16)) & this.#mask;
	}
}
