/**
 * How many look-ups of origins the client has under way: judge.ts has a list of them for each call. Callers need not know of
 * each other; the one object that they share divides what is allowed among them.
 */

/** Fewest items of a list that are worked on at a time, however many lists there are. */
const LEAST = 10;

/**
 * Works on the items of several lists at the same time, for Judge: each call of the client has a
 * list of origins to look up. Work in progress takes memory and makes garbage collection slower, so
 * the more lists there are, the fewer items of each are worked on. Shared by all calls, so that a
 * hundred calls do not have a hundred times the work under way.
 */
export class InParallel {
	readonly #most: number;
	#lists = 0;

	/** @param most Items of one list that are worked on at a time; several lists share them, at least LEAST each. */
	constructor(most: number) {
		this.#most = most;
	}

	/** Works on all items of a list; stops at the first failure and rejects with it. */
	async each<Item>(
		items: readonly Item[],
		work: (item: Item) => Promise<void>,
	): Promise<void> {
		this.#lists++;
		try {
			await this.#all(items, work);
		} finally {
			this.#lists--;
		}
	}

	#all<Item>(
		items: readonly Item[],
		work: (item: Item) => Promise<void>,
	): Promise<void> {
		let next = 0;
		let workers = 0;
		return new Promise((resolve, reject) => {
			const workOnSome = async () => {
				workers++;
				try {
					// The share changes with the number of lists, so it is looked at before each item.
					while (next < items.length && workers <= this.#share) {
						await work(items[next++] as Item);
						addWorkers();
					}
				} catch (error) {
					next = items.length;
					reject(error);
				}
				workers--;
				if (workers === 0) resolve();
			};
			const addWorkers = () => {
				while (next < items.length && workers < this.#share) workOnSome();
			};
			addWorkers();
			if (workers === 0) resolve();
		});
	}

	get #share(): number {
		return Math.max(LEAST, Math.floor(this.#most / this.#lists));
	}
}
