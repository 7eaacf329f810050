/** Items of a list that are worked on at a time, however many lists there are. */
const LEAST = 10;

/**
 * Works on items of many lists at a time. What is under way takes memory, and time of the garbage collector: the more lists there are, the
 * fewer items of each are.
 */
export class InParallel {
	readonly #most: number;
	#lists = 0;

	/** Of one list, `most` items are under way at a time; of several, as many in all, or `LEAST` of each. */
	constructor(most: number) {
		this.#most = most;
	}

	/** Works on all items of a list; the first failure ends it. */
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
