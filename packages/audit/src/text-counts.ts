/** How often each text came, in the order in which they came first. */
export class TextCounts {
	/** Undefined without any: most crawlers come once, and have none. */
	#counts: Map<string, number> | undefined;
	readonly #most: number;
	/** Requests with other texts than those that are counted. */
	others: number;

	/** @param most Texts that are counted; those that come later are counted together. */
	constructor(most = Number.POSITIVE_INFINITY, others = 0) {
		this.#most = most;
		this.others = others;
	}

	get size(): number {
		return this.#counts?.size ?? 0;
	}

	add(text: string, count: number): void {
		const known = this.#counts?.get(text);
		if (known !== undefined || this.size < this.#most) {
			this.#counts ??= new Map();
			this.#counts.set(text, (known ?? 0) + count);
		} else this.others += count;
	}

	append(next: TextCountsData): void {
		for (const [text, count] of next.counts) this.add(text, count);
		this.others += next.others;
	}

	/** Good until more are added. */
	toData(): TextCountsData {
		return { counts: this.#counts ?? NOTHING, others: this.others };
	}
}

const NOTHING: readonly (readonly [string, number])[] = [];

export interface TextCountsData {
	readonly counts: Iterable<readonly [text: string, count: number]>;
	readonly others: number;
}
