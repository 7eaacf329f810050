/**
 * What crawlers take, with the option `paths`: how often each path and section was requested, also allowed ones, in bounded memory. A
 * scanner keeps a segment's requests in their order (`TakenLog`), as it keeps their times; Totals replays them, request by request, into `TopTexts`.
 */

import { directoryOf } from "../common/keyed-counts.ts";
import { damaged } from "../common/packed-numbers.ts";
import { type Counted, TopTexts } from "../common/top-texts.ts";
import { VarintReader, VarintWriter } from "../common/varints.ts";

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

/** The requests of segments that follow each other, as one. */
export class TakenSum {
	/** In the order of their numbers. */
	readonly #numbers = new Map<string, number>();
	readonly #log = new VarintWriter();

	append(data: TakenData): void {
		const numbers = data.texts.map((text) => {
			const number = this.#numbers.get(text) ?? this.#numbers.size;
			this.#numbers.set(text, number);
			return number;
		});
		eachRequest(data, (path, isDisallowed, bytes) => {
			this.#log.write(2 * (numbers[path] ?? 0) + Number(isDisallowed));
			this.#log.write(bytes);
		});
	}

	toData(): TakenData {
		return { texts: [...this.#numbers.keys()], log: this.#log.written() };
	}
}

/** Calls back for each request. @throws {RangeError} For data that no TakenLog gives. */
function eachRequest(
	{ texts, log }: TakenData,
	visit: (path: number, isDisallowed: boolean, bytes: number) => void,
): void {
	const from = new VarintReader(log);
	while (!from.isAtEnd) {
		const request = from.read();
		const path = Math.floor(request / 2);
		if (path >= texts.length) throw damaged(`there is no path ${path}`);
		const bytes = from.read();
		if (!Number.isSafeInteger(bytes)) throw damaged(`${bytes} are no bytes`);
		visit(path, request % 2 === 1, bytes);
	}
}

/** @throws {RangeError} For data that no TakenLog gives. */
export function checkTaken(data: TakenData): void {
	eachRequest(data, () => {});
}

/** What is counted of a path or section. */
interface TakenCounters {
	disallowed: number;
	bytes: number;
}

/** The most frequent paths, or sections, of a crawler. */
export class TakenTexts extends TopTexts<TakenCounters> {
	/** @param most Different texts that are counted. */
	constructor(most?: number) {
		super(() => ({ disallowed: 0, bytes: 0 }), most);
	}

	/** Counts a request. Returns what was counted, which may be given for the same text again. */
	add(
		text: string,
		isDisallowed: boolean,
		bytes: number,
		known?: Counted<TakenCounters>,
	): Counted<TakenCounters> {
		const counted = this.count(text, known);
		if (isDisallowed) counted.disallowed++;
		counted.bytes += bytes;
		return counted;
	}
}

/** What a crawler took of a site: the sum of segments. */
export class Taken {
	readonly paths: TakenTexts;
	readonly sections: TakenTexts;

	/** @param most Different paths, and sections, that are counted. */
	constructor(most?: number) {
		this.paths = new TakenTexts(most);
		this.sections = new TakenTexts(most);
	}

	/** Counts the requests of the lines that follow. */
	append(data: TakenData): void {
		const { texts } = data;
		const sections = texts.map(directoryOf);
		// Looked up once for each path of the segment, and not for each request.
		const paths: Counted<TakenCounters>[] = [];
		const starts: Counted<TakenCounters>[] = [];
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
