import {
	COUNT_LINES,
	COUNT_UNPARSED,
	COUNTERS,
	ENTRY_BYTES,
	ENTRY_FORWARDED,
	ENTRY_FORWARDED_END,
	ENTRY_INDEX,
	ENTRY_IP,
	ENTRY_IP_END,
	ENTRY_LINE,
	ENTRY_LINE_END,
	ENTRY_OUTCOME,
	ENTRY_PAIR,
	ENTRY_PATH,
	ENTRY_PATH_END,
	ENTRY_SIZE,
	ENTRY_STATUS,
	ENTRY_TARGET,
	ENTRY_TARGET_END,
	ENTRY_TIME,
	OUTCOME_INVALID,
	OUTCOME_ROBOTS_TXT,
	OUTCOME_UNPARSED,
	OUTCOME_WITHOUT_ROBOTS,
} from "../assembly/format.ts";
import {
	type AddressBook,
	ClientAddresses,
	networkOf,
	type Verification,
} from "./addresses.ts";
import {
	CrawlerCounts,
	type CrawlerCountsData,
	keyText,
} from "./crawler-counts.ts";
import { addExample, countVersion, EXAMPLES, ruleKey } from "./keyed-counts.ts";
import type { ScanSettings } from "./options.ts";
import type { Pair, Pairs } from "./pairs.ts";
import type { RowWriter } from "./row-writer.ts";
import { addressBytes, type ScannerModule } from "./scanner-module.ts";
import { widthFor } from "./time-series.ts";
import { type Segment, UNPARSED_KEPT, type UnparsedText } from "./totals.ts";

const UNPARSED_TEXT = 200;

/** Anybody can send headers with ever new names. */
const MAX_MET = 256;

/** Paths and addresses likewise. */
const MAX_TEXTS = 8000;

/** Each request can add a pause and a minute that no other has. */
const MAX_ENTRIES = 100_000;
/** Bytes of lines that are kept. */
const MAX_LINES = 4 * 1024 * 1024;

const CR = 13;

/** What requests without a usable address are counted under, where addresses are counted. */
const NO_ADDRESS = "(unknown)";

const decoder = new TextDecoder();

/** What the module leaves to be counted: the entries of crawlers' lines. */
export class EntryCounter {
	readonly #module: ScannerModule;
	readonly #pairs: Pairs;
	readonly #addresses: AddressBook;
	readonly #clients: ClientAddresses;
	readonly #keepViolations: boolean;
	/** What addresses are counted by, if they are. */
	readonly #labelOf: ((address: string) => string) | undefined;
	readonly #paths = new PathNames();
	readonly #rows: RowWriter | undefined;
	/** Pairs that have counters of this run. */
	#counted: Pair[] = [];
	/** In order of appearance; pairs that differ only in the group or the version share one. */
	#met = new Map<string, CrawlerCounts>();
	/** Those of the run before. */
	#before = new Map<string, CrawlerCounts>();
	/** Addresses counted so far. */
	#addressesMet = 0;
	#unparsed: UnparsedText[] = [];
	/** Lines too long for the buffer, which the module does not see. */
	#overlong = 0;
	#violations: Uint8Array[] = [];
	#violationBytes = 0;
	/** Entries since the start. */
	#entries = 0;
	#invalidTarget: string | undefined;
	/**
	 * Of all that was taken or is being counted: the report shows all series in steps for no less, so that they may begin with
	 * those.
	 */
	#firstTime = Number.POSITIVE_INFINITY;
	#lastTime = Number.NEGATIVE_INFINITY;
	/** Of what was taken: what is not, the report does not have. */
	#taken = { first: this.#firstTime, last: this.#lastTime };

	constructor(
		module: ScannerModule,
		pairs: Pairs,
		addresses: AddressBook,
		{ groupBy, trustedProxies, keepViolations }: ScanSettings,
		rows?: RowWriter,
	) {
		this.#module = module;
		this.#pairs = pairs;
		this.#addresses = addresses;
		this.#clients = new ClientAddresses(trustedProxies);
		this.#keepViolations = keepViolations;
		if (groupBy === "address") this.#labelOf = (address) => address;
		if (groupBy === "network") this.#labelOf = networkOf;
		this.#rows = rows;
	}

	start(): void {
		this.#firstTime = this.#taken.first;
		this.#lastTime = this.#taken.last;
		this.#overlong = 0;
		for (const pair of this.#counted) {
			pair.counts = undefined;
			pair.claimed = undefined;
			pair.unknown = undefined;
		}
		this.#counted = [];
		// Of very many, few come again.
		if (this.#met.size >= MAX_MET) this.#before = new Map();
		else if (this.#met.size > 0) this.#before = this.#met;
		this.#met = new Map();
		this.#paths.clear();
		this.#addressesMet = 0;
		this.#unparsed = [];
		this.#violations = [];
		this.#violationBytes = 0;
		this.#entries = 0;
		this.#invalidTarget = undefined;
		this.#module.calls.beginSegment(UNPARSED_KEPT);
	}

	/** So much was met that what was counted is better taken. */
	get isFull(): boolean {
		return (
			this.#met.size >= MAX_MET ||
			this.#entries >= MAX_ENTRIES ||
			this.#violationBytes >= MAX_LINES ||
			this.#paths.size + this.#addressesMet >= MAX_TEXTS
		);
	}

	/** What was counted since the start. One report must get all that is taken. */
	take(): Segment {
		this.#taken = { first: this.#firstTime, last: this.#lastTime };
		const met = this.#met;
		const nameOf = this.#paths.names();
		for (const counts of met.values()) counts.namePaths(nameOf);
		const at = this.#module.calls.counters();
		const counters = Array.from({ length: COUNTERS }, (_, index) =>
			this.#module.view.getUint32(at + index * 4, true),
		);
		for (const index of [COUNT_LINES, COUNT_UNPARSED])
			counters[index] = (counters[index] ?? 0) + this.#overlong;
		const span = this.#module.calls.span();
		return {
			counters,
			firstTime: this.#module.view.getFloat64(span, true),
			lastTime: this.#module.view.getFloat64(span + 8, true),
			unparsed: this.#unparsed
				.sort((a, b) => a.index - b.index)
				.slice(0, UNPARSED_KEPT),
			crawlers: { [Symbol.iterator]: () => dataOf(met) },
			violations: this.#violations,
			invalidTarget: this.#invalidTarget,
		};
	}

	/** Lines since the start. */
	get lines(): number {
		return this.#scannedLines + this.#overlong;
	}

	/** Of these, those that the module has seen. */
	get #scannedLines(): number {
		const { calls, view } = this.#module;
		return view.getUint32(calls.counters() + COUNT_LINES * 4, true);
	}

	/** Counts a line that the module does not see, by its beginning. */
	countOverlong(start: Uint8Array): void {
		const index = this.#scannedLines + this.#overlong;
		this.#unparsed.push({ index, text: decodeLine(start) });
		if (this.#rows?.settings.all) this.#rows.addUnparsed(index);
		this.#overlong++;
	}

	/** Counts the entries of the last scan. */
	count(): void {
		const { calls, view } = this.#module;
		const begin = calls.entries();
		const count = calls.entryCount();
		const end = begin + count * ENTRY_SIZE;
		this.#entries += count;
		for (let at = begin; at < end; at += ENTRY_SIZE) {
			const outcome = view.getInt32(at + ENTRY_OUTCOME, true);
			if (outcome === OUTCOME_UNPARSED) {
				this.#countUnparsed(at);
				continue;
			}
			if (outcome <= OUTCOME_WITHOUT_ROBOTS) {
				this.#rows?.addUnjudged(at, this.#lineOf(at));
				continue;
			}
			const pair = this.#pairs.at(view.getUint32(at + ENTRY_PAIR, true));
			const time = view.getFloat64(at + ENTRY_TIME, true);
			if (time < this.#firstTime) this.#firstTime = time;
			if (time > this.#lastTime) this.#lastTime = time;
			const counts = this.#countsOf(pair, at);
			this.#rows?.addJudged(
				at,
				this.#lineOf(at),
				pair,
				counts.key.verification,
			);
			const status = view.getUint32(at + ENTRY_STATUS, true);
			const bytes = view.getFloat64(at + ENTRY_BYTES, true);
			const { isExempt } = pair;
			counts.arrive(time, pair.compiledRules.crawlDelay);
			if (pair.isVersioned)
				countVersion(counts.version(pair.version), time, outcome);
			if (outcome === OUTCOME_ROBOTS_TXT)
				counts.fetchRobotsTxt(time, status, bytes);
			else if (outcome === OUTCOME_INVALID) {
				counts.rejectTarget(time, status, bytes);
				this.#invalidTarget ??= decodeLine(
					this.#bytes(at + ENTRY_TARGET, at + ENTRY_TARGET_END),
				);
			} else if (outcome === 0 || (outcome & 1) === 1)
				counts.allow(time, status, bytes, isExempt);
			else {
				counts.disallow(time, status, bytes, isExempt);
				counts.countPath(this.#pathOf(at));
				this.#countViolation(at, counts, pair, outcome >> 1);
				if (this.#keepViolations) this.#keep(this.#wholeLine(at));
			}
		}
	}

	#keep(line: Uint8Array): void {
		this.#violations.push(line);
		this.#violationBytes += line.length;
	}

	/** The line of an entry, from 0, since the start. */
	#lineOf(at: number): number {
		return this.#module.view.getUint32(at + ENTRY_INDEX, true) + this.#overlong;
	}

	/** The counters for an entry's pair. */
	#countsOf(pair: Pair, at: number): CrawlerCounts {
		const { publishedAs } = pair.agentClass;
		if (publishedAs === undefined && !this.#labelOf) {
			pair.counts ??= this.#meet(pair, null);
			return pair.counts;
		}
		const address = this.#clients.of(
			this.#addressText(at, ENTRY_IP, ENTRY_IP_END),
			this.#addressText(at, ENTRY_FORWARDED, ENTRY_FORWARDED_END),
		);
		const verification =
			publishedAs === undefined
				? null
				: this.#addresses.verify(publishedAs, address);
		const counts = this.#countsOfAddress(pair, verification, address);
		if (verification === "claimed" && address !== undefined) {
			const before = counts.addresses.size;
			counts.addresses.add(address, 1);
			this.#addressesMet += counts.addresses.size - before;
		}
		return counts;
	}

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
		if (verification === "claimed") {
			pair.claimed ??= this.#meet(pair, verification);
			return pair.claimed;
		}
		if (verification === "unknown") {
			pair.unknown ??= this.#meet(pair, verification);
			return pair.unknown;
		}
		pair.counts ??= this.#meet(pair, verification);
		return pair.counts;
	}

	/** The number of a disallowed target's path. */
	#pathOf(at: number): number {
		const { view } = this.#module;
		const number = view.getUint32(at + ENTRY_PATH, true);
		if (this.#paths.has(number)) return number;
		const path = this.#text(at + ENTRY_TARGET, at + ENTRY_PATH_END);
		return this.#paths.enter(number, path);
	}

	#meet(
		pair: Pair,
		verification: Verification,
		name = pair.agentClass.name,
	): CrawlerCounts {
		if (!this.#labelOf) this.#counted.push(pair);
		const { agentClass, site } = pair;
		const { category } = agentClass;
		const key = { name, category, site, verification };
		const fullName = keyText(key);
		let counts = this.#met.get(fullName);
		if (!counts) {
			counts = new CrawlerCounts(key, this.#before.get(fullName));
			counts.times.clear();
			counts.fetches.clear();
			counts.series.clear(widthFor(this.#firstTime, this.#lastTime));
			this.#met.set(fullName, counts);
		}
		return counts;
	}

	#countViolation(
		at: number,
		counts: CrawlerCounts,
		{ version, compiledRules }: Pair,
		rank: number,
	): void {
		const line = compiledRules.lines[rank] as number;
		const key = ruleKey(version, line);
		let rule = counts.rules.get(key);
		if (!rule) {
			const pattern = compiledRules.rules.at(rank)?.pattern ?? "";
			rule = { version, line, pattern, count: 0, examples: [] };
			counts.addRule(rule);
		}
		rule.count++;
		if (rule.examples.length < EXAMPLES)
			addExample(rule, this.#text(at + ENTRY_TARGET, at + ENTRY_TARGET_END));
	}

	#countUnparsed(at: number): void {
		if (this.#rows?.settings.all) {
			this.#rows.addUnparsed(this.#lineOf(at));
			// Then all have entries, not only the first ones.
			if (this.#unparsed.length >= UNPARSED_KEPT + this.#overlong) return;
		}
		const index = this.#module.view.getUint32(at + ENTRY_INDEX, true);
		const line = this.#bytes(at + ENTRY_LINE, at + ENTRY_LINE_END);
		this.#unparsed.push({
			index: index + this.#overlong,
			text: decodeLine(line),
		});
	}

	/** The bytes of a record's line, its end included. */
	#wholeLine(at: number): Uint8Array {
		const { view, bytes } = this.#module;
		const end = view.getUint32(at + ENTRY_LINE_END, true);
		const feed = bytes[end] === CR ? end + 1 : end;
		return bytes.slice(view.getUint32(at + ENTRY_LINE, true), feed + 1);
	}

	/** The text of a field that holds addresses. */
	#addressText(at: number, from: number, to: number): string {
		return decoder.decode(addressBytes(this.#module, at, from, to));
	}

	#text(from: number, to: number): string {
		return decoder.decode(this.#bytes(from, to));
	}

	/** Bytes between two addresses that stand in a record. */
	#bytes(from: number, to: number): Uint8Array {
		const { view, bytes } = this.#module;
		return bytes.subarray(view.getUint32(from, true), view.getUint32(to, true));
	}
}

function* dataOf(
	met: ReadonlyMap<string, CrawlerCounts>,
): Generator<CrawlerCountsData> {
	for (const counts of met.values()) yield counts.toData();
}

function decodeLine(line: Uint8Array): string {
	return decoder.decode(line.subarray(0, UNPARSED_TEXT));
}

/** Paths of a segment by number: those that the scanner numbers, and those for which it has no room. */
export class PathNames {
	readonly #paths: (string | undefined)[] = [];
	readonly #numbers = new Map<string, number>();

	clear(): void {
		this.#paths.length = 0;
		this.#numbers.clear();
	}

	get size(): number {
		return this.#paths.length + this.#numbers.size;
	}

	/** Whether a number of the scanner's has a path already; 0 is none. */
	has(number: number): boolean {
		return number !== 0 && this.#paths[number] !== undefined;
	}

	/** The number of a path that the scanner gave this number. */
	enter(number: number, path: string): number {
		if (number !== 0) {
			this.#paths[number] = path;
			return number;
		}
		let own = this.#numbers.get(path);
		if (own === undefined) {
			// Below 0, apart from the scanner's.
			own = -1 - this.#numbers.size;
			this.#numbers.set(path, own);
		}
		return own;
	}

	/** The paths of all numbers. */
	names(): (number: number) => string {
		const own = [...this.#numbers.keys()];
		return (number) =>
			withoutOrigin(
				(number < 0 ? own[-1 - number] : this.#paths[number]) ?? "",
			);
	}
}

/** "http://example.com/a" is a target of proxies. */
function withoutOrigin(target: string): string {
	if (target.startsWith("/")) return target;
	const path = target.replace(/^[a-z][a-z\d+.-]*:\/\/[^/]*/i, "");
	return path === "" ? "/" : path;
}
