/**
 * The most frequent texts of any number of requests in bounded memory: paths of a crawler (taken.ts), addresses of browsers (visits.ts). Scanners
 * keep the requests of a segment in their order, and Totals replays them here one by one. That is why a report does not depend on where logs
 * were cut, although most logs have more texts than are counted.
 */

/** What was counted of a text, beside what is counted of it by `Own`. */
export interface TopText {
	readonly text: string;
	/** Requests since it is counted. */
	requests: number;
	/** Requests that it may have had before; it had at most `requests` + `missed`. */
	readonly missed: number;
}

/** A text as it is counted. */
interface Place extends TopText {
	/** Its requests and the missed ones when it was put into its place of the heap: never more than now. */
	key: number;
	isDropped: boolean;
}

/** What `count` returns: a text's counters, to be counted on, and given for the same text again. */
export type Counted<Own> = Place & Own;

/**
 * The most frequent texts, by the algorithm Space-Saving (Metwally, Agrawal and El Abbadi 2005): up to `most` texts are counted, and a new one
 * takes the place of the one with the fewest requests, and inherits their number as what it may have missed. Up to `most` different texts all
 * counts are exact. With more, a text that is not there came at most `bound` times, and `bound` is at most the number of requests divided
 * by `most`.
 *
 * Which text goes is decided by counts, and by the text itself where these are equal, so that the result depends on the order of requests
 * alone, and not even on that before the first text goes.
 */
export class TopTexts<Own extends object> {
	readonly #most: number;
	readonly #newCounters: () => Own;
	readonly #byText = new Map<string, Counted<Own>>();
	/** The texts as a heap, the least first; made when the first one has to go. Texts sink when they are about to go, not when they are counted. */
	#heap: Counted<Own>[] | undefined;
	/** Requests that were counted elsewhere. */
	#elsewhere = 0;

	/** @param newCounters What else is counted of a text, before its first request. */
	constructor(newCounters: () => Own, most = Number.POSITIVE_INFINITY) {
		this.#newCounters = newCounters;
		this.#most = most;
	}

	get size(): number {
		return this.#byText.size;
	}

	/** Most requests that a text which is not there may have had, and that one which is there may have had in addition. */
	get bound(): number {
		const least = this.#heap ? this.#least(this.#heap) : undefined;
		return (least ? countOf(least) : 0) + this.#elsewhere;
	}

	values(): Iterable<TopText & Own> {
		return this.#byText.values();
	}

	/** Requests whose texts are not known here. */
	miss(requests: number): void {
		this.#elsewhere += requests;
	}

	/** Counts a request; `known` is what the text's last one returned, if the caller has it. */
	count(text: string, known?: Counted<Own>): Counted<Own> {
		const counted =
			known && !known.isDropped
				? known
				: (this.#byText.get(text) ?? this.#enter(text));
		counted.requests++;
		return counted;
	}

	#enter(text: string): Counted<Own> {
		if (this.size < this.#most) {
			const counted = this.#new(text, 0);
			this.#byText.set(text, counted);
			return counted;
		}
		this.#heap ??= this.#newHeap();
		const least = this.#least(this.#heap);
		least.isDropped = true;
		this.#byText.delete(least.text);
		const next = this.#new(text, countOf(least));
		this.#byText.set(text, next);
		this.#heap[0] = next;
		sink(this.#heap, 0);
		return next;
	}

	#new(text: string, missed: number): Counted<Own> {
		return {
			text,
			requests: 0,
			missed,
			key: missed,
			isDropped: false,
			...this.#newCounters(),
		};
	}

	#newHeap(): Counted<Own>[] {
		const heap = [...this.#byText.values()];
		for (const each of heap) each.key = countOf(each);
		// A sorted list is a heap.
		return heap.sort((a, b) => (isLess(a, b) ? -1 : 1));
	}

	/** The text of the fewest requests, at the top of the heap. */
	#least(heap: Counted<Own>[]): Counted<Own> {
		for (;;) {
			const top = heap[0] as Counted<Own>;
			const count = countOf(top);
			if (top.key === count) return top;
			top.key = count;
			sink(heap, 0);
		}
	}
}

function countOf({ requests, missed }: TopText): number {
	return requests + missed;
}

function isLess(a: Place, b: Place): boolean {
	return a.key < b.key || (a.key === b.key && a.text < b.text);
}

/** Lets a text of a heap sink to where it belongs. */
function sink(heap: Place[], from: number): void {
	const sinking = heap[from] as Place;
	let at = from;
	for (;;) {
		let child = 2 * at + 1;
		if (child >= heap.length) break;
		const other = heap[child + 1];
		if (other && isLess(other, heap[child] as Place)) child++;
		const less = heap[child] as Place;
		if (!isLess(less, sinking)) break;
		heap[at] = less;
		at = child;
	}
	heap[at] = sinking;
}
