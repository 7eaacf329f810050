/**
 * What clients do that call themselves browsers, by address, with the option `suspects`; suspects.ts says which of them behave like crawlers. A
 * scanner keeps the requests of a segment in their order (`VisitLog`), and Totals replays them into `Visitors`, as it does with what crawlers
 * take: see top-texts.ts. Memory is bounded: MOST_VISITORS addresses, and of each a sample of its pages and minutes.
 */

import { damaged } from "../common/packed-numbers.ts";
import { type Counted, type TopText, TopTexts } from "../common/top-texts.ts";
import { VarintReader, VarintWriter } from "../common/varints.ts";

/** Kinds of requests. Stored in states: a number never changes its meaning. */
export const PAGE = 0;
/** Images, styles, scripts, fonts and media. */
export const ASSET = 1;
export const ROBOTS_TXT = 2;
/** What says nothing: icons that browsers ask for by themselves, and targets that are not URLs. */
export const OTHER = 3;
const KINDS = 4;
/** Beside the kind, in the number of a request. */
const HAS_REFERRER = 4;
const IS_DISALLOWED = 8;
const FLAGS = 16;

/** Requests of browsers in a segment, as plain data. */
export interface VisitsData {
	/** Addresses of the segment, by number, as they may leave the scanner. One may be there twice: a network may be of two systems. */
	readonly clients: readonly string[];
	/** For each of them the name of its autonomous system, "" if it is not known; empty without names. */
	readonly systems: readonly string[];
	/**
	 * For each request, in the order of lines: the number of its address times FLAGS, plus its flags and kind; the minute, as the difference to the
	 * one before (0 without a time, else 1 + 2 * difference, or -2 * difference); and of a page its hash. Varints.
	 */
	readonly log: Uint8Array;
}

export const NO_VISITS: VisitsData = {
	clients: [],
	systems: [],
	log: new Uint8Array(0),
};

/** A request of a browser. */
export interface Visit {
	/** PAGE, ASSET, ROBOTS_TXT or OTHER. */
	readonly kind: number;
	readonly hasReferrer: boolean;
	readonly isDisallowed: boolean;
	/** Minutes since 1970; NaN without a time. */
	readonly minute: number;
	/** Of a page: a hash of its URL (`targetOf`). */
	readonly page: number;
}

/** The requests of a segment, while it is scanned. */
export class VisitLog {
	readonly #numbers = new Map<string, number>();
	readonly #clients: string[] = [];
	readonly #systems: string[] = [];
	readonly #log = new VarintWriter();
	#minute = 0;

	/** Different addresses. */
	get size(): number {
		return this.#clients.length;
	}

	/** @param system The name of the address's autonomous system, "" if it is not known; undefined without names. */
	add(client: string, visit: Visit, system?: string): void {
		const key = system === undefined ? client : `${client} ${system}`;
		let number = this.#numbers.get(key);
		if (number === undefined) {
			number = this.#clients.length;
			this.#numbers.set(key, number);
			this.#clients.push(client);
			if (system !== undefined) this.#systems.push(system);
		}
		const { kind, hasReferrer, isDisallowed, minute, page } = visit;
		this.#log.write(
			FLAGS * number +
				kind +
				(hasReferrer ? HAS_REFERRER : 0) +
				(isDisallowed ? IS_DISALLOWED : 0),
		);
		if (Number.isNaN(minute)) this.#log.write(0);
		else {
			const difference = minute - this.#minute;
			this.#log.write(difference < 0 ? -2 * difference : 1 + 2 * difference);
			this.#minute = minute;
		}
		if (kind === PAGE) this.#log.write(page);
	}

	/** The requests of the lines that follow. */
	append(data: VisitsData): void {
		const { clients, systems } = data;
		eachVisit(data, (client, visit) =>
			this.add(clients[client] ?? "", visit, systems[client]),
		);
	}

	toData(): VisitsData {
		return {
			clients: [...this.#clients],
			systems: [...this.#systems],
			log: this.#log.written(),
		};
	}
}

/** The last minute of a Date. */
const LAST_MINUTE = 8.64e15 / 60_000;

/** Calls back for each request. @throws {RangeError} For data that no VisitLog gives. */
function eachVisit(
	{ clients, systems, log }: VisitsData,
	visit: (client: number, visit: Visit) => void,
): void {
	if (systems.length > 0 && systems.length !== clients.length)
		throw damaged("some addresses have no network");
	const from = new VarintReader(log);
	let last = 0;
	while (!from.isAtEnd) {
		const number = from.read();
		const client = Math.floor(number / FLAGS);
		if (client >= clients.length) throw damaged(`there is no client ${client}`);
		const step = from.read();
		const isTimed = step > 0;
		if (isTimed) last += step % 2 === 1 ? (step - 1) / 2 : -step / 2;
		if (!(Math.abs(last) <= LAST_MINUTE)) throw damaged(`${last} is no minute`);
		const kind = number % KINDS;
		const page = kind === PAGE ? from.read() : 0;
		if (page >= 2 ** 32) throw damaged(`${page} is no hash`);
		visit(client, {
			kind,
			hasReferrer: (number & HAS_REFERRER) > 0,
			isDisallowed: (number & IS_DISALLOWED) > 0,
			minute: isTimed ? last : Number.NaN,
			page,
		});
	}
}

/** @throws {RangeError} For data that no VisitLog gives. */
export function checkVisits(data: VisitsData): void {
	eachVisit(data, () => {});
}

/** Hashes that a Distinct keeps: below this number it is exact, and above it is off by 9% (1 / sqrt(SAMPLE)) on average. */
const SAMPLE = 128;

/**
 * How many different things there were, by the smallest of their hashes (Bar-Yossef et al. 2002, "k minimum values"): 1 KB at most, and the
 * same whatever the order.
 */
export class Distinct {
	/** In ascending order. */
	#least: number[] | undefined;

	/** @param hash 32 bits, evenly distributed. */
	add(hash: number): void {
		this.#least ??= [];
		const least = this.#least;
		let from = 0;
		let to = least.length;
		if (to === SAMPLE && hash >= (least[to - 1] as number)) return;
		while (from < to) {
			const middle = (from + to) >> 1;
			if ((least[middle] as number) < hash) from = middle + 1;
			else to = middle;
		}
		if (least[from] === hash) return;
		least.splice(from, 0, hash);
		if (least.length > SAMPLE) least.pop();
	}

	/** Whether `count` is exact. */
	get isExact(): boolean {
		return (this.#least?.length ?? 0) < SAMPLE;
	}

	get count(): number {
		if (!this.#least || this.isExact) return this.#least?.length ?? 0;
		const last = this.#least[SAMPLE - 1] as number;
		return Math.round(((SAMPLE - 1) * 2 ** 32) / last);
	}
}

/** What is counted of an address. */
interface VisitorCounters {
	/** Requests for pages; different ones; and those with a referrer. */
	pageRequests: number;
	readonly pages: Distinct;
	referrers: number;
	assets: number;
	robotsTxt: number;
	disallowed: number;
	/** Minutes with requests for pages. */
	readonly minutes: Distinct;
	/** Infinity and -Infinity without times. */
	firstMinute: number;
	lastMinute: number;
	/** "" if it is not known. */
	system: string;
}

/** An address whose requests were counted. */
export type Visitor = TopText & Readonly<VisitorCounters>;

/**
 * Addresses that are counted. In a log of ten million requests of browsers, an address with more than 1,000 is among them, whatever the others
 * do. Forged logs (a new address on each line, or 140 pages for each of 20,000 addresses) take up to 135 MB more than without the option.
 */
const MOST_VISITORS = 10_000;

/** The clients that call themselves browsers: the sum of segments. */
export class Visitors {
	readonly #visitors: TopTexts<VisitorCounters>;

	/** @param most Different addresses that are counted. */
	constructor(most = MOST_VISITORS) {
		this.#visitors = new TopTexts(newCounters, most);
	}

	/** Counts the requests of the lines that follow. */
	append(data: VisitsData): void {
		const { clients, systems } = data;
		const known: Counted<VisitorCounters>[] = [];
		eachVisit(data, (client, visit) => {
			const counted = this.#visitors.count(
				clients[client] ?? "",
				known[client],
			);
			known[client] = counted;
			// Of several names one, whatever the order.
			const system = systems[client] ?? "";
			if (counted.system === "" || (system !== "" && system < counted.system))
				counted.system = system;
			countVisit(counted, visit);
		});
	}

	get size(): number {
		return this.#visitors.size;
	}

	/** Most requests of an address that is not counted. */
	get bound(): number {
		return this.#visitors.bound;
	}

	values(): Iterable<Visitor> {
		return this.#visitors.values();
	}
}

function newCounters(): VisitorCounters {
	return {
		pageRequests: 0,
		pages: new Distinct(),
		referrers: 0,
		assets: 0,
		robotsTxt: 0,
		disallowed: 0,
		minutes: new Distinct(),
		firstMinute: Number.POSITIVE_INFINITY,
		lastMinute: Number.NEGATIVE_INFINITY,
		system: "",
	};
}

function countVisit(to: VisitorCounters, visit: Visit): void {
	const { kind, minute } = visit;
	if (visit.isDisallowed) to.disallowed++;
	// Comparisons with NaN are false.
	if (minute < to.firstMinute) to.firstMinute = minute;
	if (minute > to.lastMinute) to.lastMinute = minute;
	if (kind === ASSET) to.assets++;
	else if (kind === ROBOTS_TXT) to.robotsTxt++;
	else if (kind === PAGE) {
		to.pageRequests++;
		to.pages.add(visit.page);
		if (visit.hasReferrer) to.referrers++;
		if (!Number.isNaN(minute)) to.minutes.add(mixed(minute >>> 0));
	}
}

const LONGEST_ENDING = 5;
/** Endings of files that pages bring with them. */
const ASSETS: ReadonlySet<number> = new Set(
	"css js mjs map png jpg jpeg gif webp avif svg ico bmp woff woff2 ttf otf eot mp3 mp4 m4a m4s ogg webm wasm"
		.split(" ")
		.map((name) => endingOf(new TextEncoder().encode(name), 0, name.length)),
);
/** Their content types, where the log has them. */
const ASSET_TYPE =
	/^(?:image|font|audio|video)\/|^[a-z]+\/(?:css|(?:x-)?javascript)\b/;
/** Browsers ask for these at the root, whatever the page says; they come from the site even if its other images do not. */
const ICON = /^\/(?:favicon\.ico|apple-touch-icon[\w-]*\.png)$/;
const LONGEST_ICON = 64;

const LOWER_F = 0x66;
const LOWER_A = 0x61;
const SLASH = 0x2f;
const DOT = 0x2e;
const QUESTION_MARK = 0x3f;

/**
 * The kind of a request by its target and content type ("" if the log has none); and the hash of its URL with the query, as many sites have
 * one path for all pages. The hash has no secret key: it must be the same in all threads, and in states.
 * @param site Mixed into the hash, since sites have pages of the same names.
 */
export function targetOf(
	bytes: Uint8Array,
	type: string,
	site: number,
): { readonly kind: number; readonly page: number } {
	// FNV-1a.
	let hash = 0x811c9dc5 ^ site;
	let dot = -1;
	let end = bytes.length;
	for (let at = 0; at < bytes.length; at++) {
		const byte = bytes[at] as number;
		hash = Math.imul(hash ^ byte, 0x01000193);
		if (at >= end) continue;
		if (byte === DOT) dot = at;
		else if (byte === SLASH) dot = -1;
		else if (byte === QUESTION_MARK) end = at;
	}
	const page = mixed(hash);
	const isAsset =
		(type !== "" && ASSET_TYPE.test(type)) ||
		(dot >= 0 && ASSETS.has(endingOf(bytes, dot + 1, end)));
	if (!isAsset) return { kind: PAGE, page };
	const isIcon =
		end <= LONGEST_ICON &&
		(bytes[1] === LOWER_F || bytes[1] === LOWER_A) &&
		ICON.test(decoder.decode(bytes.subarray(0, end)));
	return { kind: isIcon ? OTHER : ASSET, page };
}

/** The ending of a name in lower case, as a number: a text for each request takes longer than all the rest. 0 if it is too long to be known. */
function endingOf(bytes: Uint8Array, from: number, to: number): number {
	if (to - from > LONGEST_ENDING) return 0;
	let number = 0;
	for (let at = from; at < to; at++)
		number = number * 256 + ((bytes[at] as number) | 0x20);
	return number;
}

const decoder = new TextDecoder();

/** The end of MurmurHash3: a small difference in any bit changes all. FNV-1a alone leaves the high bits of short texts alike. */
function mixed(value: number): number {
	let hash = value;
	hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
	hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
	return (hash ^ (hash >>> 16)) >>> 0;
}
