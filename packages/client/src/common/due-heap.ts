/**
 * A queue of items by time, for KnownOrigins: which origin's rules expire next.
 */

/** What a `DueHeap` holds. */
export interface Due {
	/** Its time. To change it, call `set` again. */
	due: number;
	/** Its place in the heap, -1 outside. Only the heap writes it. */
	at: number;
}

/**
 * A binary heap, the earliest item first, in which every item knows its place and so can be moved or removed. Heaps of libraries do not
 * report places: a replaced item would stay until its time, or removing it would search all.
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

	// Up as long as the parent is later, then down as long as a child is earlier; only one of the
	// loops moves anything.
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
