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
	ENTRY_OUTCOME,
	ENTRY_PAIR,
	ENTRY_PATH,
	ENTRY_SIZE,
	ENTRY_STATUS,
	ENTRY_TIME,
	OUTCOME_INVALID,
	OUTCOME_LEFT_OUT,
	OUTCOME_PERSON,
	OUTCOME_ROBOTS_TXT,
	OUTCOME_UNPARSED,
	OUTCOME_WITHOUT_ROBOTS,
} from "../../assembly/format.ts";
import type { AddressBook, NetworkNames } from "../common/addresses.ts";
import { calendarOf } from "../common/calendar.ts";
import {
	addExample,
	countVersion,
	EXAMPLES,
	PathNames,
	ruleKey,
} from "../common/keyed-counts.ts";
import type { ScannerModule } from "../common/scanner-module.ts";
import type { ScanSettings } from "../options/options.ts";
import { BROWSERS } from "../who/agent-classes.ts";
import { BrowserVisits } from "./browser-visits.ts";
import type { CrawlerCounts } from "./crawler-counts.ts";
import { EntryClients } from "./entry-clients.ts";
import { beginningOf, EntryTexts } from "./entry-texts.ts";
import { MetCrawlers } from "./met-crawlers.ts";
import type { Pair, Pairs } from "./pairs.ts";
import type { RowWriter } from "./row-writer.ts";
import { type Segment, UNPARSED_KEPT } from "./totals.ts";
import { UnparsedLines } from "./unparsed-lines.ts";
import { Where } from "./where.ts";

/** Limits of a segment, after which it is taken. Paths, addresses and clients: */
const MAX_TEXTS = 8000;
/** Entries: each can add a pause and a minute that no other has. */
const MAX_ENTRIES = 100_000;
/** Bytes of violating lines that are kept. */
const MAX_LINES = 4 * 1024 * 1024;

/** The counters of a segment. `start` must be called before the first scan and after each `take`. */
export class EntryCounter {
	readonly #module: ScannerModule;
	readonly #pairs: Pairs;
	readonly #rows: RowWriter | undefined;
	readonly #texts: EntryTexts;
	readonly #crawlers: MetCrawlers;
	readonly #visits: BrowserVisits;
	readonly #unparsed: UnparsedLines;
	// Numbers of paths are the segment's: `take` replaces them by texts before they are forgotten.
	readonly #paths = new PathNames();
	/** Whether all paths are counted, not only disallowed ones. */
	readonly #hasPaths: boolean;
	/** The conditions that an entry must meet, if there are any. */
	readonly #where: Where | undefined;
	/** Entries that do not meet them. */
	#leftOut = 0;
	readonly #keepViolations: boolean;
	#violations: Uint8Array[] = [];
	#violationBytes = 0;
	/** Entries in this segment. */
	#entries = 0;
	#invalidTarget: string | undefined;

	constructor(
		module: ScannerModule,
		pairs: Pairs,
		addresses: AddressBook,
		settings: ScanSettings,
		rows?: RowWriter,
		systemOf?: NetworkNames,
	) {
		const { groupBy, trustedProxies, keepViolations, where, paths } = settings;
		const texts = new EntryTexts(module, settings.anonymize);
		const clients = new EntryClients(
			module,
			addresses,
			trustedProxies,
			systemOf,
		);
		this.#module = module;
		this.#pairs = pairs;
		this.#rows = rows;
		this.#texts = texts;
		this.#crawlers = new MetCrawlers(texts, clients, groupBy, {
			calendar: calendarOf(settings),
			paths,
		});
		this.#visits = new BrowserVisits(module, texts, clients);
		this.#unparsed = new UnparsedLines(module, texts, rows);
		this.#hasPaths = paths;
		this.#keepViolations = keepViolations;
		if (where.length > 0) this.#where = new Where(where);
	}

	/** Begins a segment. */
	start(): void {
		this.#crawlers.start();
		this.#visits.start();
		this.#unparsed.start();
		this.#paths.clear();
		this.#leftOut = 0;
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
			this.#crawlers.isFull ||
			this.#entries >= MAX_ENTRIES ||
			this.#violationBytes >= MAX_LINES ||
			this.#paths.size + this.#crawlers.addresses + this.#visits.size >=
				MAX_TEXTS
		);
	}

	/** The segment so far. Everything taken from a scanner must go into the same report (see `MetCrawlers`). */
	take(): Segment {
		// Counters of the module are copied: `start` clears them.
		const counters = Array.from({ length: COUNTERS }, (_, index) =>
			this.#module.counter(index),
		);
		// The module has not seen overlong lines.
		for (const index of [COUNT_LINES, COUNT_UNPARSED])
			counters[index] = (counters[index] ?? 0) + this.#unparsed.overlong;
		counters[COUNT_LEFT_OUT] = (counters[COUNT_LEFT_OUT] ?? 0) + this.#leftOut;
		const span = this.#module.calls.span();
		return {
			counters,
			firstTime: this.#module.view.getFloat64(span, true),
			lastTime: this.#module.view.getFloat64(span + 8, true),
			unparsed: this.#unparsed.take(),
			crawlers: this.#crawlers.take(this.#paths.names()),
			violations: this.#violations,
			bytes: this.#module.view.getFloat64(span + 16, true),
			invalidTarget: this.#invalidTarget,
			visits: this.#visits.take(),
		};
	}

	/** Lines of the segment. */
	get lines(): number {
		return this.#module.counter(COUNT_LINES) + this.#unparsed.overlong;
	}

	/** Lines of the segment that could be parsed. */
	get parsed(): number {
		const module = this.#module;
		return (
			module.counter(COUNT_LINES) -
			module.counter(COUNT_UNPARSED) -
			module.counter(COUNT_BLANK)
		);
	}

	/** Counts a line that the module does not see; `start` is its beginning. */
	countOverlong(start: Uint8Array): void {
		this.#unparsed.addOverlong(start);
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
				this.#unparsed.add(at);
				continue;
			}
			if (outcome <= OUTCOME_WITHOUT_ROBOTS) {
				this.#rows?.addUnjudged(at, this.#unparsed.lineOf(at));
				continue;
			}
			const pair = this.#pairs.at(view.getUint32(at + ENTRY_PAIR, true));
			const isAccepted = this.#where?.accepts(this.#module, at, pair) ?? true;
			if (pair.agentClass === BROWSERS) {
				this.#rows?.addWithout(OUTCOME_PERSON, at, this.#unparsed.lineOf(at));
				if (isAccepted) this.#visits.add(at, pair, outcome);
				continue;
			}
			if (!isAccepted) {
				this.#leftOut++;
				this.#rows?.addWithout(OUTCOME_LEFT_OUT, at, this.#unparsed.lineOf(at));
				continue;
			}
			const time = view.getFloat64(at + ENTRY_TIME, true);
			const counts = this.#crawlers.countsOf(pair, at, time);
			this.#rows?.addJudged(
				at,
				this.#unparsed.lineOf(at),
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
				this.#invalidTarget ??= beginningOf(this.#texts.target(at));
				// A rank of 0 means that no rule matched: allowed. Odd ranks allow, even ones disallow.
			} else if (outcome === 0 || (outcome & 1) === 1) {
				counts.allow(time, status, bytes, isExempt);
				this.#take(at, counts, false, bytes);
			} else {
				counts.disallow(time, status, bytes, isExempt);
				counts.countPath(this.#pathOf(at));
				this.#take(at, counts, true, bytes);
				this.#countViolation(at, counts, pair, outcome >> 1);
			}
		}
	}

	/** The number of a target's path; its text is decoded only if the number is new. */
	#pathOf(at: number): number {
		const number = this.#module.view.getUint32(at + ENTRY_PATH, true);
		// Decoding is the expensive part, so it happens once per path of a segment.
		return this.#paths.has(number)
			? number
			: this.#paths.enter(number, this.#texts.path(at));
	}

	/** Counts what a request took, if all paths are wanted. */
	#take(
		at: number,
		counts: CrawlerCounts,
		isDisallowed: boolean,
		bytes: number,
	): void {
		if (!this.#hasPaths) return;
		counts.take(this.#pathOf(at), isDisallowed, bytes);
		const type = this.#texts.contentType(at);
		if (type !== "") counts.types.add(type, 1);
	}

	/**
	 * Counts a broken rule, with its target as an example if there are few yet. A rank is the compiler's; the line of the rule is what the report
	 * shows, and what two versions have in common.
	 */
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
			// Examples are taken in the order of lines, so that the first three of a report do not depend
			// on threads.
			counts.addRule(rule);
		}
		rule.count++;
		if (rule.examples.length < EXAMPLES)
			addExample(rule, this.#texts.targetText(at));
		if (!this.#keepViolations) return;
		const kept = this.#texts.line(at);
		this.#violations.push(kept);
		this.#violationBytes += kept.length;
	}
}
