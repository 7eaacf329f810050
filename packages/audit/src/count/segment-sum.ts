/**
 * SegmentSum: segments that follow each other as one segment. A log that is followed is counted in segments of seconds, whose texts and
 * numbers would take more room in a state than its lines do. Appending the sum gives the same counts as appending the segments, as
 * all counters are those of consecutive lines (crawler-counts.ts).
 */

import { COUNT_LINES, COUNTERS } from "../../assembly/format.ts";
import { type CalendarOptions, calendarOf } from "../common/calendar.ts";
import type { FormatLines } from "../formats/log-format.ts";
import {
	type CountingOptions,
	CrawlerCounts,
	keyText,
} from "./crawler-counts.ts";
import { type Segment, UNPARSED_KEPT, type UnparsedText } from "./totals.ts";
import { VisitLog } from "./visits.ts";

/** Lines, or crawlers, after which a sum should be taken, so that memory stays bounded. */
const MOST_LINES = 100_000;
const MOST_CRAWLERS = 5000;

export class SegmentSum {
	readonly #counters = new Array<number>(COUNTERS).fill(0);
	readonly #unparsed: UnparsedText[] = [];
	readonly #crawlers = new Map<string, CrawlerCounts>();
	readonly #formats = new Map<string, FormatLines>();
	readonly #visits = new VisitLog();
	readonly #how: CountingOptions;
	#firstTime = Number.POSITIVE_INFINITY;
	#lastTime = Number.NEGATIVE_INFINITY;
	#invalidTarget: string | undefined;
	#bytes = 0;
	#missing = 0;

	/** @param options Those of the scanner that the segments come from. */
	constructor(options: CalendarOptions = {}) {
		this.#how = { calendar: calendarOf(options) };
	}

	get lines(): number {
		return this.#counters[COUNT_LINES] ?? 0;
	}

	get isEmpty(): boolean {
		return this.lines === 0 && this.#missing === 0;
	}

	get isFull(): boolean {
		return this.lines >= MOST_LINES || this.#crawlers.size >= MOST_CRAWLERS;
	}

	/** An unknown number of lines was lost. */
	miss(): void {
		this.#missing++;
	}

	/** Adds the segment of the lines that follow. */
	append(segment: Segment): void {
		const before = this.lines;
		for (const { index, text } of segment.unparsed)
			if (this.#unparsed.length < UNPARSED_KEPT)
				this.#unparsed.push({ index: before + index, text });
		segment.counters.forEach((count, at) => {
			this.#counters[at] = (this.#counters[at] ?? 0) + count;
		});
		this.#firstTime = Math.min(this.#firstTime, segment.firstTime);
		this.#lastTime = Math.max(this.#lastTime, segment.lastTime);
		this.#invalidTarget ??= segment.invalidTarget;
		this.#bytes += segment.bytes;
		this.#missing += segment.missing ?? 0;
		this.#visits.append(segment.visits);
		for (const { name, prefix, lines } of segment.formats ?? []) {
			const key = `${name}\n${prefix}`;
			const known = this.#formats.get(key)?.lines ?? 0;
			this.#formats.set(key, { name, prefix, lines: known + lines });
		}
		for (const data of segment.crawlers) {
			const key = keyText(data.key);
			let counts = this.#crawlers.get(key);
			if (!counts) {
				counts = new CrawlerCounts(data.key, undefined, undefined, this.#how);
				this.#crawlers.set(key, counts);
			}
			counts.append(data);
		}
	}

	/** Valid until more are appended. */
	toSegment(): Segment {
		const { missing, ...rest } = {
			counters: this.#counters,
			firstTime: this.#firstTime,
			lastTime: this.#lastTime,
			unparsed: this.#unparsed,
			crawlers: [...this.#crawlers.values()].map((counts) => counts.toData()),
			invalidTarget: this.#invalidTarget,
			violations: [],
			bytes: this.#bytes,
			visits: this.#visits.toData(),
			formats: [...this.#formats.values()],
			missing: this.#missing,
		};
		return missing > 0 ? { ...rest, missing } : rest;
	}
}
