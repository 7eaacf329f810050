/**
 * The counters of the crawlers that a segment has met. Each request finds its own here, by the number of its pair; texts are made only when a
 * pair is new. Counters live as long as a segment; their tables live on, so that a segment of the same crawlers allocates nothing.
 */

import { networkOf, type Verification } from "../common/addresses.ts";
import { plainCalendar } from "../common/calendar.ts";
import type { GroupBy } from "../options/report.ts";
import {
	type CountingOptions,
	CrawlerCounts,
	type CrawlerCountsData,
	keyText,
} from "./crawler-counts.ts";
import type { EntryClients } from "./entry-clients.ts";
import type { EntryTexts } from "./entry-texts.ts";
import type { Pair } from "./pairs.ts";

/**
 * Anybody can send headers with ever new names. Beyond this the segment is taken and its counters go to Totals, which has limits of its
 * own.
 */
const MAX_MET = 256;

/** The name of requests without a usable address, if they are counted by address. */
const NO_ADDRESS = "(unknown)";

export class MetCrawlers {
	readonly #texts: EntryTexts;
	readonly #clients: EntryClients;
	readonly #how: CountingOptions;
	/** Makes the name that requests are counted under of their address, if they are counted by address or network. */
	readonly #labelOf: ((address: string) => string) | undefined;
	/** Pairs that have counters of this segment. */
	#counted: Pair[] = [];
	/**
	 * By key, in the order of appearance; pairs that differ only in the group or the version share
	 * counters. Keyed by `keyText`; a pair finds its counters without this map, in `Pair.counts`.
	 */
	#met = new Map<string, CrawlerCounts>();
	/** Those of the segment before, whose (already grown) tables are reused. */
	#before = new Map<string, CrawlerCounts>();
	/** Different addresses and networks counted in this segment. */
	#addresses = 0;
	/**
	 * First and last time of this scanner's segments so far. The report shows all series in steps for at least this time, so that new
	 * ones may start with that width.
	 */
	#firstTime = Number.POSITIVE_INFINITY;
	#lastTime = Number.NEGATIVE_INFINITY;
	/** The same of the segments that were taken; a segment that is dropped is not in the report. */
	#taken = { first: this.#firstTime, last: this.#lastTime };

	constructor(
		texts: EntryTexts,
		clients: EntryClients,
		groupBy: GroupBy,
		how: CountingOptions,
	) {
		this.#texts = texts;
		this.#clients = clients;
		this.#how = how;
		if (groupBy === "address")
			this.#labelOf = (address) => texts.nameOf(address);
		if (groupBy === "network")
			this.#labelOf = (address) => networkOf(texts.nameOf(address));
	}

	/** Begins a segment. */
	start(): void {
		// A segment that was dropped (a thread whose log failed) must not widen the steps of the next
		// one.
		this.#firstTime = this.#taken.first;
		this.#lastTime = this.#taken.last;
		// Pairs outlive segments, their counters do not.
		for (const pair of this.#counted) {
			pair.counts = undefined;
			pair.claimed = undefined;
			pair.unknown = undefined;
		}
		this.#counted = [];
		// Of very many crawlers, few come again.
		if (this.isFull) this.#before = new Map();
		else if (this.#met.size > 0) this.#before = this.#met;
		this.#met = new Map();
		this.#addresses = 0;
	}

	get isFull(): boolean {
		return this.#met.size >= MAX_MET;
	}

	/** Texts of addresses, which count towards the limit of a segment. */
	get addresses(): number {
		return this.#addresses;
	}

	/**
	 * The counters of the segment, with the texts of their paths. They are made data one by one when they are asked for: all at once would take as
	 * much memory again.
	 */
	take(pathOf: (path: number) => string): Iterable<CrawlerCountsData> {
		this.#taken = { first: this.#firstTime, last: this.#lastTime };
		const met = this.#met;
		for (const counts of met.values()) counts.namePaths(pathOf);
		return { [Symbol.iterator]: () => dataOf(met) };
	}

	/** The counters for an entry of a pair. The address is only read if something depends on it. */
	countsOf(pair: Pair, at: number, time: number): CrawlerCounts {
		if (time < this.#firstTime) this.#firstTime = time;
		if (time > this.#lastTime) this.#lastTime = time;
		const { publishedAs } = pair.agentClass;
		const { systemOf } = this.#clients;
		// The common case of an audit without ranges: no address is read at all, not even the bytes of
		// one.
		if (publishedAs === undefined && !this.#labelOf && !systemOf) {
			pair.counts ??= this.#meet(pair, null);
			return pair.counts;
		}
		const { address, verification } = this.#clients.verify(at, publishedAs);
		const counts = this.#countsOfAddress(pair, verification, address);
		const { systems, addresses } = counts;
		const before = systems.size + addresses.size;
		if (systemOf)
			systems.add(
				(address === undefined ? undefined : systemOf(address)) ?? NO_ADDRESS,
				1,
			);
		if (verification === "claimed" && address !== undefined)
			addresses.add(this.#texts.nameOf(address), 1);
		this.#addresses += systems.size + addresses.size - before;
		return counts;
	}

	/** The counters for an address: by its name if addresses are counted, else one of the pair's three by verification. */
	#countsOfAddress(
		pair: Pair,
		verification: Verification,
		address: string | undefined,
	): CrawlerCounts {
		if (this.#labelOf)
			return this.#meet(
				pair,
				verification,
				address === undefined ? NO_ADDRESS : this.#labelOf(address),
			);
		const place =
			verification === "claimed" || verification === "unknown"
				? verification
				: "counts";
		pair[place] ??= this.#meet(pair, verification);
		return pair[place];
	}

	/** The counters of a key in this segment, made when the pair is first met. */
	#meet(
		pair: Pair,
		verification: Verification,
		name = pair.agentClass.name,
	): CrawlerCounts {
		if (!this.#labelOf) this.#counted.push(pair);
		const { agentClass, site } = pair;
		const { category } = agentClass;
		const shown = this.#texts.crawlerName(name);
		const key = { name: shown, category, site, verification };
		const fullName = keyText(key);
		// Two pairs with the same key (a crawler under two versions) count into one object; the
		// versions are kept apart in it.
		let counts = this.#met.get(fullName);
		if (!counts) {
			counts = new CrawlerCounts(
				key,
				this.#before.get(fullName),
				undefined,
				this.#how,
			);
			counts.times.clear();
			counts.fetches.clear();
			counts.series.clear(
				(this.#how.calendar ?? plainCalendar).stepsFor(
					this.#firstTime,
					this.#lastTime,
				).width,
			);
			this.#met.set(fullName, counts);
		}
		return counts;
	}
}

function* dataOf(
	met: ReadonlyMap<string, CrawlerCounts>,
): Generator<CrawlerCountsData> {
	for (const counts of met.values()) yield counts.toData();
}
