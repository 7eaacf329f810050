/**
 * Counts the entries that a scan leaves: one for each line of a judged crawler, and one for each of the first lines that could not be parsed.
 * Everything here runs once per crawler request, so counters are found by the pair's number and texts are only made of bytes that are
 * new. LogScanner owns one; `take` gives the counters of a segment.
 */

import {
	COUNT_BLANK,
	COUNT_LEFT_OUT,
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
	ENTRY_REFERRER,
	ENTRY_REFERRER_END,
	ENTRY_SIZE,
	ENTRY_STATUS,
	ENTRY_TARGET,
	ENTRY_TARGET_END,
	ENTRY_TIME,
	ENTRY_TYPE,
	ENTRY_TYPE_END,
	OUTCOME_INVALID,
	OUTCOME_LEFT_OUT,
	OUTCOME_PERSON,
	OUTCOME_ROBOTS_TXT,
	OUTCOME_UNPARSED,
	OUTCOME_WITHOUT_ROBOTS,
} from "../../assembly/format.ts";
import {
	type AddressBook,
	ClientAddresses,
	type NetworkNames,
	networkOf,
	remembered,
	type Verification,
} from "../common/addresses.ts";
import { Anonymizer } from "../common/anonymize.ts";
import { calendarOf, plainCalendar } from "../common/calendar.ts";
import {
	addExample,
	countVersion,
	EXAMPLES,
	PathNames,
	ruleKey,
} from "../common/keyed-counts.ts";
import { addressBytes, type ScannerModule } from "../common/scanner-module.ts";
import type { ScanSettings } from "../options/options.ts";
import { BROWSERS } from "../who/agent-classes.ts";
import {
	type CountingOptions,
	CrawlerCounts,
	type CrawlerCountsData,
	keyText,
} from "./crawler-counts.ts";
import type { Pair, Pairs } from "./pairs.ts";
import type { RowWriter } from "./row-writer.ts";
import { type Segment, UNPARSED_KEPT, type UnparsedText } from "./totals.ts";
import { NO_VISITS, OTHER, ROBOTS_TXT, targetOf, VisitLog } from "./visits.ts";
import { Where } from "./where.ts";

/** Bytes of such a line that are kept. */
const UNPARSED_TEXT = 200;

/**
 * Limits of a segment, after which it is taken. Crawlers: anybody can send headers with ever new
 * names. Beyond this the segment is taken and its counters go to Totals, which has limits of its
 * own.
 */
const MAX_MET = 256;

/** Paths and addresses, likewise. */
const MAX_TEXTS = 8000;

/** Entries: each can add a pause and a minute that no other has. */
const MAX_ENTRIES = 100_000;
/** Bytes of violating lines that are kept. */
const MAX_LINES = 4 * 1024 * 1024;

const CR = 13;
const DASH = 0x2d;
/** In milliseconds. */
const MINUTE = 60_000;

/** The name of requests without a usable address, if they are counted by address. */
const NO_ADDRESS = "(unknown)";

const decoder = new TextDecoder();

/**
 * The counters of a segment. `start` must be called before the first scan and after each `take`.
 * Counters live as long as a segment; their tables live on (`#before`), so that a segment of the
 * same crawlers allocates nothing.
 */
export class EntryCounter {
	readonly #module: ScannerModule;
	readonly #pairs: Pairs;
	readonly #addresses: AddressBook;
	readonly #clients: ClientAddresses;
	readonly #keepViolations: boolean;
	/** Makes the name that requests are counted under of their address, if they are counted by address or network. */
	readonly #labelOf: ((address: string) => string) | undefined;
	/** What an address is called in the counters. */
	readonly #nameOf: (address: string) => string = (address) => address;
	/** Replaces addresses in all that is kept; verdicts and verifications are made of the real ones. */
	readonly #anonymizer: Anonymizer | undefined;
	// Numbers of paths are the segment's: `take` replaces them by texts before they are forgotten.
	readonly #paths = new PathNames();
	readonly #rows: RowWriter | undefined;
	/** Names the autonomous system of an address, if requests are counted by it. */
	readonly #systemOf: NetworkNames | undefined;
	readonly #how: CountingOptions;
	/** Pairs that have counters of this segment. */
	#counted: Pair[] = [];
	/**
	 * By key, in the order of appearance; pairs that differ only in the group or the version share
	 * counters. Keyed by `keyText`; a pair finds its counters without this map, in `Pair.counts`.
	 */
	#met = new Map<string, CrawlerCounts>();
	/** Those of the segment before, whose (already grown) tables are reused. */
	#before = new Map<string, CrawlerCounts>();
	/** Different addresses counted in this segment. */
	#addressesMet = 0;
	#visits = new VisitLog();
	#unparsed: UnparsedText[] = [];
	/** The conditions that an entry must meet, if there are any. */
	readonly #where: Where | undefined;
	/** Entries that do not meet them. */
	#leftOut = 0;
	/** Lines too long for the buffer, which the module does not count. */
	#overlong = 0;
	#violations: Uint8Array[] = [];
	#violationBytes = 0;
	/** Entries in this segment. */
	#entries = 0;
	#invalidTarget: string | undefined;
	/**
	 * First and last time of this scanner's segments so far. The report shows all series in steps for at least this time, so that new
	 * ones may start with that width.
	 */
	#firstTime = Number.POSITIVE_INFINITY;
	#lastTime = Number.NEGATIVE_INFINITY;
	/** The same of the segments that were taken; a segment that is dropped is not in the report. */
	#taken = { first: this.#firstTime, last: this.#lastTime };

	constructor(
		module: ScannerModule,
		pairs: Pairs,
		addresses: AddressBook,
		settings: ScanSettings,
		rows?: RowWriter,
		systemOf?: NetworkNames,
	) {
		const { groupBy, trustedProxies, keepViolations, where, anonymize } =
			settings;
		this.#module = module;
		this.#pairs = pairs;
		this.#addresses = addresses;
		this.#clients = new ClientAddresses(trustedProxies);
		this.#keepViolations = keepViolations;
		const anonymizer = anonymize && new Anonymizer(anonymize);
		this.#anonymizer = anonymizer;
		if (anonymizer) this.#nameOf = (address) => anonymizer.address(address);
		if (groupBy === "address") this.#labelOf = this.#nameOf;
		if (groupBy === "network")
			this.#labelOf = (address) => networkOf(this.#nameOf(address));
		this.#rows = rows;
		this.#systemOf = systemOf && remembered(systemOf);
		this.#how = { calendar: calendarOf(settings), paths: settings.paths };
		if (where.length > 0) this.#where = new Where(where);
	}

	/** Begins a segment. */
	start(): void {
		// A segment that was dropped (a thread whose log failed) must not widen the steps of the next
		// one.
		this.#firstTime = this.#taken.first;
		this.#lastTime = this.#taken.last;
		this.#overlong = 0;
		this.#leftOut = 0;
		// Pairs outlive segments, their counters do not.
		for (const pair of this.#counted) {
			pair.counts = undefined;
			pair.claimed = undefined;
			pair.unknown = undefined;
		}
		this.#counted = [];
		// Of very many crawlers, few come again.
		if (this.#met.size >= MAX_MET) this.#before = new Map();
		else if (this.#met.size > 0) this.#before = this.#met;
		this.#met = new Map();
		this.#paths.clear();
		if (this.#visits.size > 0) this.#visits = new VisitLog();
		this.#addressesMet = 0;
		this.#unparsed = [];
		this.#violations = [];
		this.#violationBytes = 0;
		this.#entries = 0;
		this.#invalidTarget = undefined;
		this.#module.calls.beginSegment(UNPARSED_KEPT);
	}

	/**
	 * The segment is so large that it should be taken. Any limit is enough. Numbers are only compared
	 * here, at the end of a scan; a scan adds at most ENTRY_CAPACITY entries.
	 */
	get isFull(): boolean {
		return (
			this.#met.size >= MAX_MET ||
			this.#entries >= MAX_ENTRIES ||
			this.#violationBytes >= MAX_LINES ||
			this.#paths.size + this.#addressesMet + this.#visits.size >= MAX_TEXTS
		);
	}

	/** The segment so far. Everything taken from a scanner must go into the same report (see `#firstTime`). */
	take(): Segment {
		this.#taken = { first: this.#firstTime, last: this.#lastTime };
		const met = this.#met;
		const nameOf = this.#paths.names();
		for (const counts of met.values()) counts.namePaths(nameOf);
		// Counters of the module are copied: `start` clears them.
		const at = this.#module.calls.counters();
		const counters = Array.from({ length: COUNTERS }, (_, index) =>
			this.#module.view.getUint32(at + index * 4, true),
		);
		// The module has not seen overlong lines.
		for (const index of [COUNT_LINES, COUNT_UNPARSED])
			counters[index] = (counters[index] ?? 0) + this.#overlong;
		counters[COUNT_LEFT_OUT] = (counters[COUNT_LEFT_OUT] ?? 0) + this.#leftOut;
		const span = this.#module.calls.span();
		return {
			counters,
			firstTime: this.#module.view.getFloat64(span, true),
			lastTime: this.#module.view.getFloat64(span + 8, true),
			// Sorted, as lines too long for the module were noticed out of order.
			unparsed: this.#unparsed
				.sort((a, b) => a.index - b.index)
				.slice(0, UNPARSED_KEPT),
			// An iterable that reads the counters when it is asked: `Totals` reads them at once, and
			// threads pack them.
			crawlers: { [Symbol.iterator]: () => dataOf(met) },
			violations: this.#violations,
			bytes: this.#module.view.getFloat64(span + 16, true),
			invalidTarget: this.#invalidTarget,
			visits: this.#visits.size > 0 ? this.#visits.toData() : NO_VISITS,
		};
	}

	/** Lines of the segment. */
	get lines(): number {
		return this.#scannedLines + this.#overlong;
	}

	/** Lines of the segment that could be parsed. */
	get parsed(): number {
		const { calls, view } = this.#module;
		const counter = (index: number) =>
			view.getUint32(calls.counters() + index * 4, true);
		return (
			counter(COUNT_LINES) - counter(COUNT_UNPARSED) - counter(COUNT_BLANK)
		);
	}

	/** Lines of the segment that the module has seen. */
	get #scannedLines(): number {
		const { calls, view } = this.#module;
		return view.getUint32(calls.counters() + COUNT_LINES * 4, true);
	}

	/** Counts a line that the module does not see; `start` is its beginning. */
	countOverlong(start: Uint8Array): void {
		const index = this.#scannedLines + this.#overlong;
		// Nobody knows what such a line consists of, so no part of it is safe to keep.
		if (!this.#anonymizer)
			this.#unparsed.push({ index, text: decodeLine(start) });
		if (this.#rows?.settings.all) this.#rows.addUnparsed(index);
		this.#overlong++;
	}

	/**
	 * Counts the entries of the last scan, in the order of lines. An outcome is OUTCOME_, 0 if no rule matches, 2 * rank if the rule of
	 * this rank disallows the target, 2 * rank + 1 if it allows it.
	 */
	count(): void {
		const { calls, view } = this.#module;
		const begin = calls.entries();
		const count = calls.entryCount();
		const end = begin + count * ENTRY_SIZE;
		this.#entries += count;
		for (let at = begin; at < end; at += ENTRY_SIZE) {
			// Negative outcomes are lines that are not judged by a rule; -3 and below have no pair of a
			// class and a version.
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
			const isAccepted = this.#where?.accepts(this.#module, at, pair) ?? true;
			if (pair.agentClass === BROWSERS) {
				this.#rows?.addWithout(OUTCOME_PERSON, at, this.#lineOf(at));
				if (isAccepted) this.#visit(at, pair, outcome);
				continue;
			}
			if (!isAccepted) {
				this.#leftOut++;
				this.#rows?.addWithout(OUTCOME_LEFT_OUT, at, this.#lineOf(at));
				continue;
			}
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
				// Versions are counted only where a site has several; the report leaves them out otherwise.
				countVersion(counts.version(pair.version), time, outcome);
			if (outcome === OUTCOME_ROBOTS_TXT)
				counts.fetchRobotsTxt(time, status, bytes);
			else if (outcome === OUTCOME_INVALID) {
				counts.rejectTarget(time, status, bytes);
				// Cut after addresses are replaced: half an address would not be found.
				this.#invalidTarget ??= decodeLine(
					this.#shown(
						this.#module.bytesBetween(at + ENTRY_TARGET, at + ENTRY_TARGET_END),
					),
				);
				// A rank of 0 means that no rule matched: allowed. Odd ranks allow, even ones disallow.
			} else if (outcome === 0 || (outcome & 1) === 1) {
				counts.allow(time, status, bytes, isExempt);
				if (this.#how.paths) this.#take(at, counts, false, bytes);
			} else {
				counts.disallow(time, status, bytes, isExempt);
				counts.countPath(this.#pathOf(at));
				if (this.#how.paths) this.#take(at, counts, true, bytes);
				this.#countViolation(at, counts, pair, outcome >> 1);
				if (this.#keepViolations) this.#keep(this.#shownLine(at));
			}
		}
	}

	/** Counts a request of a browser. Clients are told apart by their addresses, so one without is not counted. */
	#visit(at: number, { site }: Pair, outcome: number): void {
		const address = this.#addressOf(at);
		if (address === undefined) return;
		const { view } = this.#module;
		const isPage =
			outcome !== OUTCOME_ROBOTS_TXT && outcome !== OUTCOME_INVALID;
		const target = isPage
			? targetOf(
					this.#shown(
						this.#module.bytesBetween(at + ENTRY_TARGET, at + ENTRY_TARGET_END),
					),
					this.#typeOf(at),
					site,
				)
			: undefined;
		const referrer = view.getUint32(at + ENTRY_REFERRER, true);
		const length = view.getUint32(at + ENTRY_REFERRER_END, true) - referrer;
		const visit = {
			kind:
				target?.kind ?? (outcome === OUTCOME_ROBOTS_TXT ? ROBOTS_TXT : OTHER),
			page: target?.page ?? 0,
			hasReferrer:
				length > 1 || (length === 1 && this.#module.bytes[referrer] !== DASH),
			isDisallowed: outcome > 0 && (outcome & 1) === 0,
			minute: Math.floor(view.getFloat64(at + ENTRY_TIME, true) / MINUTE),
		};
		const systemOf = this.#systemOf;
		this.#visits.add(
			this.#nameOf(address),
			visit,
			systemOf && (systemOf(address) ?? ""),
		);
	}

	/** Keeps a violating line for --violations. */
	#keep(line: Uint8Array): void {
		this.#violations.push(line);
		this.#violationBytes += line.length;
	}

	/** The line of an entry in the segment, from 0. */
	#lineOf(at: number): number {
		return this.#module.view.getUint32(at + ENTRY_INDEX, true) + this.#overlong;
	}

	/** The counters for an entry of a pair. The address is only read if something depends on it. */
	#countsOf(pair: Pair, at: number): CrawlerCounts {
		const { publishedAs } = pair.agentClass;
		// The common case of an audit without ranges: no address is read at all, not even the bytes of
		// one.
		if (publishedAs === undefined && !this.#labelOf && !this.#systemOf) {
			pair.counts ??= this.#meet(pair, null);
			return pair.counts;
		}
		const [ip, forwarded] = this.#addressTexts(at);
		const address = this.#clients.of(ip, forwarded);
		let verification =
			publishedAs === undefined
				? null
				: this.#addresses.verify(publishedAs, address);
		if (verification === "claimed" && this.#clients.isDoubtful(ip, forwarded))
			verification = "unknown";
		const counts = this.#countsOfAddress(pair, verification, address);
		if (this.#systemOf) {
			const name = address === undefined ? undefined : this.#systemOf(address);
			const before = counts.systems.size;
			counts.systems.add(name ?? NO_ADDRESS, 1);
			this.#addressesMet += counts.systems.size - before;
		}
		// The texts of addresses count towards the limit of a segment.
		if (verification === "claimed" && address !== undefined) {
			const before = counts.addresses.size;
			counts.addresses.add(this.#nameOf(address), 1);
			this.#addressesMet += counts.addresses.size - before;
		}
		return counts;
	}

	/** The address of the client; undefined if it is not known. */
	#addressOf(at: number): string | undefined {
		return this.#clients.of(...this.#addressTexts(at));
	}

	/** The address of the connection, and the list that it forwarded. */
	#addressTexts(at: number): [ip: string, forwarded: string] {
		return [
			this.#addressText(at, ENTRY_IP, ENTRY_IP_END),
			this.#addressText(at, ENTRY_FORWARDED, ENTRY_FORWARDED_END),
		];
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

	/** The number of a target's path; its text is decoded only if the number is new. */
	#pathOf(at: number): number {
		const { view } = this.#module;
		const number = view.getUint32(at + ENTRY_PATH, true);
		if (this.#paths.has(number)) return number;
		// Decoding is the expensive part, so it happens once per path of a segment.
		const path = this.#text(at + ENTRY_TARGET, at + ENTRY_PATH_END);
		return this.#paths.enter(number, path);
	}

	/** Counts what a request took, if all paths are wanted. */
	#take(
		at: number,
		counts: CrawlerCounts,
		isDisallowed: boolean,
		bytes: number,
	): void {
		counts.take(this.#pathOf(at), isDisallowed, bytes);
		const type = this.#typeOf(at);
		if (type !== "") counts.types.add(type, 1);
	}

	/** The content type of the response, "" if the line has none. */
	#typeOf(at: number): string {
		const { view } = this.#module;
		const [from, to] = [ENTRY_TYPE, ENTRY_TYPE_END];
		if (view.getUint32(at + from, true) === view.getUint32(at + to, true))
			return "";
		return contentType(
			decoder.decode(this.#module.bytesBetween(at + from, at + to)),
		);
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
		// A name may be a whole header.
		const shown = this.#anonymizer?.text(name) ?? name;
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

	/** Counts a broken rule, with its target as an example if there are few yet. */
	#countViolation(
		at: number,
		counts: CrawlerCounts,
		{ version, compiledRules }: Pair,
		rank: number,
		// A rank is the compiler's; the line of the rule is what the report shows, and what two versions
		// have in common.
	): void {
		const line = compiledRules.lines[rank] as number;
		const key = ruleKey(version, line);
		let rule = counts.rules.get(key);
		if (!rule) {
			const pattern = compiledRules.rules.at(rank)?.pattern ?? "";
			rule = { version, line, pattern, count: 0, examples: [] };
			// Examples are taken in the order of lines, so that the first three of a report do not depend
			// on threads.
			counts.addRule(rule);
		}
		rule.count++;
		if (rule.examples.length < EXAMPLES)
			addExample(rule, this.#text(at + ENTRY_TARGET, at + ENTRY_TARGET_END));
	}

	/** Keeps the beginning of a line that could not be parsed, unless it may have an address. The module has counted it. */
	#countUnparsed(at: number): void {
		if (this.#rows?.settings.all) {
			this.#rows.addUnparsed(this.#lineOf(at));
			// With rows for all lines, every unparsed line has an entry, not only the first ones.
			if (this.#unparsed.length >= UNPARSED_KEPT + this.#overlong) return;
		}
		if (this.#anonymizer) return;
		const index = this.#module.view.getUint32(at + ENTRY_INDEX, true);
		const line = this.#module.bytesBetween(
			at + ENTRY_LINE,
			at + ENTRY_LINE_END,
		);
		this.#unparsed.push({
			index: index + this.#overlong,
			text: decodeLine(line),
		});
	}

	/** Bytes of a field as they may leave the scanner. */
	#shown(bytes: Uint8Array): Uint8Array {
		return this.#anonymizer?.bytes(bytes) ?? bytes;
	}

	/** The line of an entry as it may leave the scanner. */
	#shownLine(at: number): Uint8Array {
		const line = this.#wholeLine(at);
		if (!this.#anonymizer) return line;
		return this.#anonymizer.line(
			line,
			addressBytes(this.#module, at, ENTRY_IP, ENTRY_IP_END),
		);
	}

	/** The line of an entry, with its line end. */
	#wholeLine(at: number): Uint8Array {
		const { view, bytes } = this.#module;
		const end = view.getUint32(at + ENTRY_LINE_END, true);
		const feed = bytes[end] === CR ? end + 1 : end;
		return bytes.slice(view.getUint32(at + ENTRY_LINE, true), feed + 1);
	}

	/**
	 * The text of a field that holds addresses. Decoded per request only if something depends on the
	 * address.
	 */
	#addressText(at: number, from: number, to: number): string {
		const bytes = addressBytes(this.#module, at, from, to);
		return bytes.length === 0 ? "" : decoder.decode(bytes);
	}

	#text(from: number, to: number): string {
		return decoder.decode(this.#shown(this.#module.bytesBetween(from, to)));
	}
}

/** The counters as data, one by one: all at once would take as much memory again. */
function* dataOf(
	met: ReadonlyMap<string, CrawlerCounts>,
): Generator<CrawlerCountsData> {
	for (const counts of met.values()) yield counts.toData();
}

/** Longest content type that is counted by itself; the longest in use has 73 characters. */
const LONGEST_TYPE = 80;

/** "text/html" of "text/HTML; charset=utf-8"; "" for none. */
function contentType(text: string): string {
	const [type = ""] = text.toLowerCase().split(";", 1);
	const trimmed = type.trim();
	return trimmed === "-" ? "" : trimmed.slice(0, LONGEST_TYPE);
}

/** The beginning of a line, for messages. */
function decodeLine(line: Uint8Array): string {
	return decoder.decode(line.subarray(0, UNPARSED_TEXT));
}
