import {
	COUNT_LINES,
	COUNT_UNPARSED,
	COUNTERS,
	ENTRY_INDEX,
	ENTRY_IP,
	ENTRY_IP_END,
	ENTRY_LINE,
	ENTRY_LINE_END,
	ENTRY_OUTCOME,
	ENTRY_PAIR,
	ENTRY_SIZE,
	ENTRY_STATUS,
	ENTRY_TARGET,
	ENTRY_TARGET_END,
	ENTRY_TIME,
	OUTCOME_INVALID,
	OUTCOME_ROBOTS_TXT,
	OUTCOME_UNPARSED,
} from "../../assembly/format/log.ts";
import { pack } from "./packed-counts.ts";
import type { Pair, Pairs } from "./pairs.ts";
import type { AddressBook } from "./ranges.ts";
import type { ScannerModule } from "./scanner-module.ts";
import {
	addExample,
	CrawlerCounts,
	EXAMPLES,
	keyText,
	ruleKey,
	type SegmentData,
	type UnparsedLine,
	type Verification,
} from "./tally.ts";
import { widthFor } from "./time-series.ts";

/** Lines that could not be parsed, of which the text is kept. */
export const UNPARSED_KEPT = 5;
const UNPARSED_TEXT = 200;

/** Anybody can send headers with ever new names. */
const MAX_MET = 1024;

const CR = 13;

const decoder = new TextDecoder();

/** What the module leaves to be counted: the entries of crawlers' lines. */
export class EntryCounter {
	readonly #module: ScannerModule;
	readonly #pairs: Pairs;
	readonly #addresses: AddressBook;
	readonly #keepViolations: boolean;
	/** Pairs that have counters of this run. */
	#counted: Pair[] = [];
	/** In order of appearance; pairs that differ only in the group or the version share one. */
	#met = new Map<string, CrawlerCounts>();
	/** Those of the run before. */
	#before = new Map<string, CrawlerCounts>();
	#unparsed: UnparsedLine[] = [];
	/** Lines too long for the buffer, which the module does not see. */
	#overlong = 0;
	#violations: Uint8Array[] = [];
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
		keepViolations: boolean,
	) {
		this.#module = module;
		this.#pairs = pairs;
		this.#addresses = addresses;
		this.#keepViolations = keepViolations;
	}

	start(): void {
		this.#firstTime = this.#taken.first;
		this.#lastTime = this.#taken.last;
		this.#overlong = 0;
		for (const pair of this.#counted) {
			pair.counts = undefined;
			pair.claimed = undefined;
		}
		this.#counted = [];
		// Of very many, few come again.
		if (this.isFull) this.#before = new Map();
		else if (this.#met.size > 0) this.#before = this.#met;
		this.#met = new Map();
		this.#unparsed = [];
		this.#violations = [];
		this.#invalidTarget = undefined;
		this.#module.calls.beginSegment(UNPARSED_KEPT);
	}

	/** So many crawlers were met that what was counted is better taken. */
	get isFull(): boolean {
		return this.#met.size >= MAX_MET;
	}

	/** What was counted since the start. One report must get all that is taken. */
	take(): SegmentData {
		this.#taken = { first: this.#firstTime, last: this.#lastTime };
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
			crawlers: pack(this.#met.values()),
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
		this.#overlong++;
	}

	/** Counts the entries of the last scan. */
	count(): void {
		const { calls, view } = this.#module;
		const begin = calls.entries();
		const end = begin + calls.entryCount() * ENTRY_SIZE;
		for (let at = begin; at < end; at += ENTRY_SIZE) {
			const outcome = view.getInt32(at + ENTRY_OUTCOME, true);
			if (outcome === OUTCOME_UNPARSED) {
				this.#countUnparsed(at);
				continue;
			}
			const pair = this.#pairs.at(view.getUint32(at + ENTRY_PAIR, true));
			const time = view.getFloat64(at + ENTRY_TIME, true);
			if (time < this.#firstTime) this.#firstTime = time;
			if (time > this.#lastTime) this.#lastTime = time;
			const counts = this.#countsOf(pair, at);
			counts.arrive(
				time,
				view.getUint32(at + ENTRY_STATUS, true),
				pair.compiledRules.crawlDelay,
			);
			if (outcome === OUTCOME_ROBOTS_TXT) counts.fetchRobotsTxt(time);
			else if (outcome === OUTCOME_INVALID) {
				counts.rejectTarget(time);
				this.#invalidTarget ??= decodeLine(
					this.#bytes(at + ENTRY_TARGET, at + ENTRY_TARGET_END),
				);
			} else if (outcome === 0 || (outcome & 1) === 1) counts.allow(time);
			else {
				counts.disallow(time);
				this.#countViolation(at, counts, pair, outcome >> 1);
				if (this.#keepViolations) this.#violations.push(this.#wholeLine(at));
			}
		}
	}

	/** The counters for an entry's pair. */
	#countsOf(pair: Pair, at: number): CrawlerCounts {
		const { publishedAs } = pair.agentClass;
		if (publishedAs === undefined) {
			pair.counts ??= this.#meet(pair, null);
			return pair.counts;
		}
		const address = this.#text(at + ENTRY_IP, at + ENTRY_IP_END);
		if (this.#addresses.has(publishedAs, address)) {
			pair.counts ??= this.#meet(pair, "verified");
			return pair.counts;
		}
		pair.claimed ??= this.#meet(pair, "claimed");
		return pair.claimed;
	}

	#meet(pair: Pair, verification: Verification): CrawlerCounts {
		this.#counted.push(pair);
		const { agentClass, site } = pair;
		const { name, category } = agentClass;
		const key = { name, category, site, verification };
		const fullName = keyText(key);
		let counts = this.#met.get(fullName);
		if (!counts) {
			counts = new CrawlerCounts(key, this.#before.get(fullName));
			counts.pauses.clear();
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
			counts.rules.set(key, rule);
		}
		rule.count++;
		if (rule.examples.length < EXAMPLES)
			addExample(rule, this.#text(at + ENTRY_TARGET, at + ENTRY_TARGET_END));
	}

	#countUnparsed(at: number): void {
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

	#text(from: number, to: number): string {
		return decoder.decode(this.#bytes(from, to));
	}

	/** Bytes between two addresses that stand in a record. */
	#bytes(from: number, to: number): Uint8Array {
		const { view, bytes } = this.#module;
		return bytes.subarray(view.getUint32(from, true), view.getUint32(to, true));
	}
}

function decodeLine(line: Uint8Array): string {
	return decoder.decode(line.subarray(0, UNPARSED_TEXT));
}
