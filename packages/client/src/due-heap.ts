/** What a `DueHeap` holds. */
export interface Due {
	/** When it comes up. To change it, call `set` again. */
	due: number;
	/** Its place in the heap, -1 outside; the heap's own. */
	at: number;
}

/**
 * Items by time, the earliest first: a binary heap in which every item knows its place, so that it is in it once at most. Heaps of
 * libraries do not tell places: what was replaced would stay until its time, or taking it out would go through all.
 */
export class DueHeap<Item extends Due> {
	readonly #items: Item[] = [];

	get size(): number {
		return this.#items.length;
	}

	/** The item with the earliest time. */
	first(): Item | undefined {
		return this.#items[0];
	}

	/** Puts an item in, or to where its new time belongs. */
	set(item: Item, due: number): void {
		item.due = due;
		if (item.at < 0) {
			item.at = this.#items.length;
			this.#items.push(item);
		}
		this.#settle(item);
	}

	/** Takes an item out, if it is in. */
	delete(item: Item): void {
		const { at } = item;
		if (at < 0) return;
		item.at = -1;
		const last = this.#items.pop();
		if (!last || last === item) return;
		this.#put(last, at);
		this.#settle(last);
	}

	#settle(item: Item): void {
		const items = this.#items;
		let { at } = item;
		for (;;) {
			const parent = items[(at - 1) >> 1];
			if (at === 0 || !parent || parent.due <= item.due) break;
			this.#put(parent, at);
			at = (at - 1) >> 1;
		}
		for (;;) {
			const left = items[2 * at + 1];
			const right = items[2 * at + 2];
			const child = right && left && right.due < left.due ? right : left;
			if (!child || child.due >= item.due) break;
			const from = child.at;
			this.#put(child, at);
			at = from;
		}
		this.#put(item, at);
	}

	#put(item: Item, at: number): void {
		this.#items[at] = item;
		item.at = at;
	}
}
