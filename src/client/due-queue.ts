import TinyQueue from "tinyqueue";

interface Item {
	readonly key: string;
	readonly time: number;
}

/** Keys with a time each, given out when it has come. A later `set` for a key replaces the earlier one. */
export class DueQueue {
	readonly #times = new Map<string, number>();
	/** Also items that were replaced: they are told by their time when they come up. */
	readonly #queue = new TinyQueue<Item>([], (a, b) => a.time - b.time);

	get size(): number {
		return this.#times.size;
	}

	set(key: string, time: number): void {
		// The last one set is the last one in the map, for `oldest`.
		this.#times.delete(key);
		this.#times.set(key, time);
		this.#queue.push({ key, time });
	}

	/** Takes out every key whose time is `now` or earlier. */
	*due(now: number): Generator<string> {
		for (;;) {
			const item = this.#queue.peek();
			if (!item || item.time > now) return;
			this.#queue.pop();
			if (this.#times.get(item.key) !== item.time) continue;
			this.#times.delete(item.key);
			yield item.key;
		}
	}

	/** Takes out the key that was set longest ago. */
	oldest(): string | undefined {
		const [key] = this.#times.keys();
		if (key !== undefined) this.#times.delete(key);
		return key;
	}
}
