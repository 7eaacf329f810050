/**
 * What crawlers take, with the option `paths`: how often each path and section was requested, also allowed ones, in bounded memory. A
 * scanner keeps a segment's requests in their order (`TakenLog`), as it keeps their times; Totals replays them, request by request, into `TopTexts`.
 * That is why a report does not depend on where logs were cut, although most logs have more paths than are counted.
 */

import { directoryOf } from "./keyed-counts.ts";
import { damaged } from "./packed-numbers.ts";

/** Requests of a segment with their paths, as plain data. */
export interface TakenData {
	/** Paths of the segment, by number. One may be there twice, if only its address was anonymized. */
	readonly texts: readonly string[];
	/** For each request, in the order of lines: twice the number of its path, plus 1 if it was disallowed; then its bytes. Varints. */
	readonly log: Uint8Array;
}

export const NOTHING_TAKEN: TakenData = { texts: [], log: new Uint8Array(0) };

/** The requests of a segment, while it is scanned. */
export class TakenLog {
	/** For each request the number of its path in the segment, twice, plus 1 if it was disallowed; and its bytes. */
	readonly #requests: number[] = [];
	readonly #sizes: number[] = [];

	/** @param path Number of the path in the segment, which may be negative (`PathNames`). */
	add(path: number, isDisallowed: boolean, bytes: number): void {
		this.#requests.push(2 * path + Number(isDisallowed));
		this.#sizes.push(bytes);
	}

	/** Paths are numbered anew, from 0 in the order in which the crawler requested them. */
	toData(nameOf: (path: number) => string): TakenData {
		const numbers = new Map<number, number>();
		const texts: string[] = [];
		const log = new VarintWriter();
		this.#requests.forEach((request, at) => {
			const path = Math.floor(request / 2);
			let number = numbers.get(path);
			if (number === undefined) {
				number = texts.length;
				numbers.set(path, number);
				texts.push(nameOf(path));
			}
			log.write(2 * number + (request - 2 * path));
			log.write(this.#sizes[at] as number);
		});
		return { texts, log: log.written() };
	}
}

/** Writes whole numbers below 2 ** 53: seven bits a byte, the lowest first, and the highest bit where more follow. */
class VarintWriter {
	#bytes = new Uint8Array(256);
	#size = 0;

	write(number: number): void {
		if (this.#size + LONGEST_VARINT > this.#bytes.length) {
			const more = new Uint8Array(2 * this.#bytes.length);
			more.set(this.#bytes);
			this.#bytes = more;
		}
		let rest = number;
		while (rest >= 128) {
			this.#bytes[this.#size++] = (rest % 128) + 128;
			rest = Math.floor(rest / 128);
		}
		this.#bytes[this.#size++] = rest;
	}

	written(): Uint8Array {
		return this.#bytes.slice(0, this.#size);
	}
}

/** Bytes of a number below 2 ** 53. */
const LONGEST_VARINT = 8;

/** Calls back for each request. @throws {RangeError} For data that no TakenLog gives. */
function eachRequest(
	{ texts, log }: TakenData,
	visit: (path: number, isDisallowed: boolean, bytes: number) => void,
): void {
	let at = 0;
	const next = (): number => {
		let number = 0;
		for (let unit = 1; unit <= 128 ** (LONGEST_VARINT - 1); unit *= 128) {
			const byte = log[at++];
			if (byte === undefined) throw damaged("a request is cut off");
			number += (byte & 127) * unit;
			if (byte < 128) return number;
		}
		throw damaged("a number is too long");
	};
	while (at < log.length) {
		const request = next();
		const path = Math.floor(request / 2);
		if (path >= texts.length) throw damaged(`there is no path ${path}`);
		const bytes = next();
		if (!Number.isSafeInteger(bytes)) throw damaged(`${bytes} are no bytes`);
		visit(path, request % 2 === 1, bytes);
	}
}

/** @throws {RangeError} For data that no TakenLog gives. */
export function checkTaken(data: TakenData): void {
	eachRequest(data, () => {});
}

/** What was counted of a text. */
export interface TopText {
	readonly text: string;
	/** Requests since it is counted. */
	requests: number;
	/** Requests that it may have had before; it had at most `requests` + `missed`. */
	readonly missed: number;
	/** Of `requests`. */
	disallowed: number;
	bytes: number;
}

/** A text as it is counted. */
interface CountedText extends TopText {
	/** Its requests and the missed ones when it was put into its place of the heap: never more than now. */
	key: number;
	isDropped: boolean;
}

/**
 * The most frequent texts of any number of requests, by the algorithm Space-Saving (Metwally, Agrawal and El Abbadi 2005): up to `most` texts
 * are counted, and a new one takes the place of the one with the fewest requests, and inherits their number as what it may have
 * missed. Up to `most` different texts all counts are exact. With more, a text that is not there came at most `bound` times, and
 * `bound` is at most the number of requests divided by `most`.
 *
 * Which text goes is decided by counts, and by the text itself where these are equal, so that the result depends on the order of requests
 * alone, and not even on that before the first text goes.
 */
export class TopTexts {
	readonly #most: number;
	readonly #byText = new Map<string, CountedText>();
	/** The texts as a heap, the least first; made when the first one has to go. Texts sink when they are about to go, not when they are counted. */
	#heap: CountedText[] | undefined;
	/** Requests that were counted elsewhere. */
	#elsewhere = 0;

	constructor(most = Number.POSITIVE_INFINITY) {
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

	values(): Iterable<TopText> {
		return this.#byText.values();
	}

	/** Requests whose texts are not known here. */
	miss(requests: number): void {
		this.#elsewhere += requests;
	}

	/** Counts a request. Returns what was counted, which may be given for the same text again. */
	add(
		text: string,
		isDisallowed: boolean,
		bytes: number,
		known?: CountedText,
	): CountedText {
		const counted =
			known && !known.isDropped
				? known
				: (this.#byText.get(text) ?? this.#enter(text));
		counted.requests++;
		if (isDisallowed) counted.disallowed++;
		counted.bytes += bytes;
		return counted;
	}

	#enter(text: string): CountedText {
		const counted: CountedText = {
			text,
			requests: 0,
			missed: 0,
			disallowed: 0,
			bytes: 0,
			key: 0,
			isDropped: false,
		};
		if (this.size < this.#most) {
			this.#byText.set(text, counted);
			return counted;
		}
		this.#heap ??= this.#newHeap();
		const least = this.#least(this.#heap);
		least.isDropped = true;
		this.#byText.delete(least.text);
		const next = { ...counted, missed: countOf(least), key: countOf(least) };
		this.#byText.set(text, next);
		this.#heap[0] = next;
		sink(this.#heap, 0);
		return next;
	}

	#newHeap(): CountedText[] {
		const heap = [...this.#byText.values()];
		for (const each of heap) each.key = countOf(each);
		// A sorted list is a heap.
		return heap.sort((a, b) => (isLess(a, b) ? -1 : 1));
	}

	/** The text of the fewest requests, at the top of the heap. */
	#least(heap: CountedText[]): CountedText {
		for (;;) {
			const top = heap[0] as CountedText;
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

function isLess(a: CountedText, b: CountedText): boolean {
	return a.key < b.key || (a.key === b.key && a.text < b.text);
}

/** Lets a text of a heap sink to where it belongs. */
function sink(heap: CountedText[], from: number): void {
	const sinking = heap[from] as CountedText;
	let at = from;
	for (;;) {
		let child = 2 * at + 1;
		if (child >= heap.length) break;
		const other = heap[child + 1];
		if (other && isLess(other, heap[child] as CountedText)) child++;
		const less = heap[child] as CountedText;
		if (!isLess(less, sinking)) break;
		heap[at] = less;
		at = child;
	}
	heap[at] = sinking;
}

/** What a crawler took of a site: the sum of segments. */
export class Taken {
	readonly paths: TopTexts;
	readonly sections: TopTexts;

	/** @param most Different paths, and sections, that are counted. */
	constructor(most?: number) {
		this.paths = new TopTexts(most);
		this.sections = new TopTexts(most);
	}

	/** Counts the requests of the lines that follow. */
	append(data: TakenData): void {
		const { texts } = data;
		const sections = texts.map(directoryOf);
		// Looked up once for each path of the segment, and not for each request.
		const paths: CountedText[] = [];
		const starts: CountedText[] = [];
		eachRequest(data, (path, isDisallowed, bytes) => {
			const [text, section] = [texts[path] ?? "", sections[path] ?? ""];
			paths[path] = this.paths.add(text, isDisallowed, bytes, paths[path]);
			starts[path] = this.sections.add(
				section,
				isDisallowed,
				bytes,
				starts[path],
			);
		});
	}

	/** Requests of a crawler that has no room for paths. */
	miss(requests: number): void {
		this.paths.miss(requests);
		this.sections.miss(requests);
	}
}
