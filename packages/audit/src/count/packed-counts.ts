/**
 * Counters as plain data in few objects, to be sent to another thread or stored in a state. `packed` writes a segment's counters as one list
 * of numbers, one of texts, one of rules and one of bytes; `unpacked` reads them back in the same order. The order is that of stored states
 * (STATE_VERSION in state.ts): adding or moving a number needs a new version. States may come from anywhere, so everything that is read is
 * checked to be something that `packed` writes.
 */

import { concatenate } from "#robotrie/common/chunks";
import type { Verification } from "../common/addresses.ts";
import {
	EXAMPLES,
	LINES,
	type RuleCount,
	type TextCountsData,
} from "../common/keyed-counts.ts";
import {
	type Bounds,
	damaged,
	Reader,
	Writer,
} from "../common/packed-numbers.ts";
import { KINDS } from "../common/time-series.ts";
import { type CrawlerCountsData, STATUSES } from "./crawler-counts.ts";
import type { TimesData } from "./pacing.ts";
import { checkTaken, NOTHING_TAKEN, type TakenData } from "./taken.ts";
import type { Segment } from "./totals.ts";

const UNBOUNDED: Bounds = {
	sites: Number.MAX_SAFE_INTEGER,
	versions: Number.MAX_SAFE_INTEGER,
};

/** @throws {RangeError} If the counters are not something that `packed` gives for an audit with these bounds. */
export function checkPacked(crawlers: PackedCounts, bounds: Bounds): void {
	for (const _ of unpack(crawlers, bounds));
}

/**
 * A segment as plain data: a copy, which does not change when the scanner goes on.
 * `unpacked(packed(segment))` counts like the segment itself: threads rely on it, and states are
 * stored so.
 */
export function packed(segment: Segment): SegmentData {
	return { ...segment, crawlers: pack(segment.crawlers) };
}

/** The opposite of `packed`. */
export function unpacked(data: SegmentData): Segment {
	const { crawlers } = data;
	return { ...data, crawlers: { [Symbol.iterator]: () => unpack(crawlers) } };
}

/**
 * Packs counters. For each crawler the list of numbers has, in this order:
 *
 *     site, verification's number
 *     requests, robotsTxt, allowed, exempt, exemptDisallowed, disallowed, invalid, disallowedAfter
 *     firstSeen, lastSeen             Infinity and -Infinity without times
 *     answers, bytes                  each: how many are not 0, then their index and value
 *     untimedDelay                    NaN for none
 *     times                           count, bytes in `times`, length of delays, delays
 *     fetches                         first, last (NaN for none), stale, intervals, before
 *     versions                        how many, then nine numbers each
 *     paths, directories, addresses, systems   each: how many, a count for each text in `texts`, others
 *     rules                           how many in `rules`
 *     series                          first, end, width, steps
 *     taken                           how many in `texts`, bytes in `requests`
 *     types                           how many, a count for each text in `texts`, others
 *
 * Tables (intervals, before, steps) are their size and their cells.
 */
function pack(crawlers: Iterable<CrawlerCountsData>): PackedCounts {
	const texts: string[] = [];
	const rules: RuleCount[] = [];
	const times: Uint8Array[] = [];
	const requests: Uint8Array[] = [];
	const to = new Writer();
	const writeTexts = ({ counts, others }: TextCountsData) => {
		// The length of a list is written before the list, but known after it: the place is reserved
		// first.
		const at = to.reserve();
		let size = 0;
		for (const [text, count] of counts) {
			texts.push(text);
			to.write(count);
			size++;
		}
		to.set(at, size);
		to.write(others);
	};
	for (const counts of crawlers) {
		// Texts, rules and times are lists of their own; numbers alone describe where each crawler's
		// part of them begins and ends.
		const { name, category, site, verification } = counts.key;
		texts.push(name, category);
		to.write(site);
		to.write(verificationIds[verification ?? "null"]);
		to.write(counts.requests);
		to.write(counts.robotsTxt);
		to.write(counts.allowed);
		to.write(counts.exempt);
		to.write(counts.exemptDisallowed);
		to.write(counts.disallowed);
		to.write(counts.invalid);
		to.write(counts.disallowedAfter);
		to.write(counts.firstSeen);
		to.write(counts.lastSeen);
		to.writeFew(counts.answers);
		to.writeFew(counts.bytes);
		to.write(counts.untimedDelay ?? Number.NaN);
		to.write(counts.times.count);
		to.write(counts.times.bytes.length);
		to.write(counts.times.delays.length);
		for (const number of counts.times.delays) to.write(number);
		// A copy, as the scanner goes on writing to these bytes.
		times.push(counts.times.bytes.slice());
		to.write(counts.fetches.first);
		to.write(counts.fetches.last);
		to.write(counts.fetches.stale);
		to.writeTable(counts.fetches.intervals, 1);
		to.writeTable(counts.fetches.before, 1);
		to.write(counts.versions.length);
		for (const version of counts.versions) {
			to.write(version.version);
			to.write(version.requests);
			to.write(version.robotsTxt);
			to.write(version.allowed);
			to.write(version.disallowed);
			to.write(version.allowedAfter);
			to.write(version.disallowedAfter);
			to.write(version.firstSeen);
			to.write(version.firstFetch);
		}
		writeTexts(counts.paths);
		writeTexts(counts.directories);
		writeTexts(counts.addresses);
		writeTexts(counts.systems);
		to.write(counts.rules.length);
		for (const rule of counts.rules) rules.push(rule);
		to.write(counts.series.first);
		to.write(counts.series.end);
		to.write(counts.series.width);
		to.writeTable(counts.series.steps, KINDS);
		to.write(counts.taken.texts.length);
		for (const text of counts.taken.texts) texts.push(text);
		to.write(counts.taken.log.length);
		requests.push(counts.taken.log);
		writeTexts(counts.types);
	}
	return {
		texts,
		numbers: to.written(),
		rules,
		times: concatenate(times),
		requests: concatenate(requests),
	};
}

/**
 * Yields the counters in the order in which they were packed. A generator: a crawler is unpacked
 * when it is appended, so that the objects of one are garbage before the next is made.
 * @throws {RangeError} For damaged data.
 */
function* unpack(
	packed: PackedCounts,
	bounds: Bounds = UNBOUNDED,
): Generator<CrawlerCountsData> {
	const { texts, rules, times, requests } = packed;
	const from = new Reader(packed.numbers);
	let text = 0;
	let rule = 0;
	let timeByte = 0;
	let requestByte = 0;
	// Every missing piece is a RangeError, which `openState` turns into "it is damaged".
	const nextText = (): string => {
		const found = texts[text++];
		if (found === undefined) throw damaged("a text is missing");
		return found;
	};
	// The texts of a TextCounts are read before its `others`, as `pack` writes them.
	const nextTexts = (): TextCountsData => ({
		counts: Array.from(
			{ length: from.readSize(1) },
			() => [nextText(), from.readCount()] as const,
		),
		others: from.readCount(),
	});
	const nextTimes = (): TimesData => {
		const count = from.readCount();
		const start = timeByte;
		timeByte += from.readCount(times.length - start + 1);
		// A time has at least one byte.
		if (count > timeByte - start) throw damaged(`${count} times are cut off`);
		return {
			count,
			bytes: times.subarray(start, timeByte),
			delays: Array.from({ length: from.readSize(1) }, () => from.readDelay()),
		};
	};
	const nextTaken = (): TakenData => {
		// Before version 4, states had no paths.
		if (!requests) return NOTHING_TAKEN;
		const count = from.readCount(texts.length - text + 1);
		const own = Array.from({ length: count }, nextText);
		const start = requestByte;
		requestByte += from.readCount(requests.length - start + 1);
		const taken = { texts: own, log: requests.subarray(start, requestByte) };
		if (bounds.calendar) checkTaken(taken);
		return taken;
	};
	const nextRules = (count: number) => {
		rule += count;
		const found = rules.slice(rule - count, rule);
		if (!found.every((one) => isRule(one, bounds)))
			throw damaged("a rule's counters are wrong");
		return found;
	};
	// Properties are evaluated in the order in which they are written, which must be that of `pack`.
	while (!from.isAtEnd)
		yield {
			key: {
				name: nextText(),
				category: nextText(),
				site: from.readCount(bounds.sites),
				verification: verificationOf(from.readCount()),
			},
			requests: from.readCount(),
			robotsTxt: from.readCount(),
			allowed: from.readCount(),
			exempt: from.readCount(),
			exemptDisallowed: from.readCount(),
			disallowed: from.readCount(),
			invalid: from.readCount(),
			disallowedAfter: from.readCount(),
			firstSeen: from.readTime(Number.POSITIVE_INFINITY),
			lastSeen: from.readTime(Number.NEGATIVE_INFINITY),
			answers: from.readFew(KINDS * STATUSES.length),
			bytes: from.readFew(KINDS),
			untimedDelay: from.readOptional(),
			times: nextTimes(),
			fetches: {
				first: from.readTime(Number.NaN),
				last: from.readTime(Number.NaN),
				stale: from.readCount(),
				intervals: from.readTable(1),
				before: from.readTable(1),
			},
			versions: from.readVersions(bounds),
			paths: nextTexts(),
			directories: nextTexts(),
			addresses: nextTexts(),
			systems: requests ? nextTexts() : NO_TEXTS,
			rules: nextRules(from.readCount(rules.length - rule + 1)),
			series: from.readSeries(bounds),
			taken: nextTaken(),
			types: requests ? nextTexts() : NO_TEXTS,
		};
	// Everything must be used up: a rest is as suspicious as a gap.
	if (
		text !== texts.length ||
		rule !== rules.length ||
		timeByte !== times.length ||
		requestByte !== (requests?.length ?? 0)
	)
		throw damaged("there are more texts, rules or times than crawlers have");
}

const NO_TEXTS: TextCountsData = { counts: [], others: 0 };

/** Whether a rule from a state is one that a scanner counts. Only these fields are read later. */
function isRule(rule: RuleCount, { versions }: Bounds): boolean {
	const { version, line, pattern, count, examples } = rule;
	const isCount = (value: unknown, end: number) =>
		Number.isInteger(value) && Number(value) >= 0 && Number(value) < end;
	return (
		isCount(version, versions) &&
		isCount(line, LINES) &&
		typeof pattern === "string" &&
		isCount(count, Number.MAX_SAFE_INTEGER) &&
		Array.isArray(examples) &&
		examples.length <= EXAMPLES &&
		examples.every((example) => typeof example === "string")
	);
}

/**
 * The counters of many crawlers in few objects. Clients can send any number of names, and each would otherwise need thirty objects that
 * are allocated, copied to another thread and collected.
 */
interface PackedCounts {
	/** For each crawler its name, its category and the texts that it counts. */
	readonly texts: readonly string[];
	/** For each crawler the numbers that `pack` writes. */
	readonly numbers: Float64Array<ArrayBuffer>;
	/** The rules of all crawlers, concatenated. */
	readonly rules: readonly RuleCount[];
	/** The bytes of the times (`TimeLog`) of all crawlers, concatenated. */
	readonly times: Uint8Array;
	/** The requests (`TakenData`) of all crawlers, concatenated; undefined in states before version 4. */
	readonly requests?: Uint8Array;
}

/** A segment as plain data. */
export interface SegmentData extends Omit<Segment, "crawlers"> {
	readonly crawlers: PackedCounts;
}

/** The numbers of verifications in stored states, which never change. */
const verificationIds = {
	null: 0,
	verified: 1,
	claimed: 2,
	unknown: 3,
} as const;

/** @throws {RangeError} For an unknown number. */
function verificationOf(id: number): Verification {
	for (const [name, each] of Object.entries(verificationIds))
		if (each === id) return name === "null" ? null : (name as Verification);
	throw new RangeError(`there is no verification ${id}`);
}
