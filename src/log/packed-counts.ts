import { type CountData, NO_COUNTS } from "./count-table.ts";
import { type CrawlerCountsData, STATUSES } from "./crawler-counts.ts";
import { type Verification, verifications } from "./crawler-key.ts";
import { asInteger } from "./integers.ts";
import type { RuleCount } from "./rule-counts.ts";
import type { Segment, SegmentData } from "./segment.ts";
import type { TextCountsData } from "./text-counts.ts";
import { KINDS } from "./time-series.ts";
import type { VersionCounts } from "./version-counts.ts";

/**
 * The counters of many crawlers, in few objects: clients can send any number of names, and each would need thirty objects
 * that are allocated, copied to another thread and collected.
 */
export interface PackedCounts {
	/** For each crawler its name, its category, and the texts that it counts. */
	readonly texts: readonly string[];
	/** For each crawler what `pack` writes. */
	readonly numbers: Float64Array<ArrayBuffer>;
	/** Of all crawlers, one after the other. */
	readonly rules: readonly RuleCount[];
}

/** Numbers one after the other, in an array that grows. */
class Writer {
	#numbers = new Float64Array(1024);
	#size = 0;

	write(number: number): void {
		if (this.#size === this.#numbers.length) {
			const more = new Float64Array(2 * this.#size);
			more.set(this.#numbers);
			this.#numbers = more;
		}
		this.#numbers[this.#size++] = number;
	}

	/** A place for a number that is not known yet. */
	reserve(): number {
		this.write(0);
		return this.#size - 1;
	}

	set(place: number, number: number): void {
		this.#numbers[place] = number;
	}

	/** Of a list of which most are 0, those that are not. */
	writeFew(list: ArrayLike<number>): void {
		const at = this.reserve();
		for (let index = 0; index < list.length; index++) {
			const number = list[index] as number;
			if (number === 0) continue;
			this.write(index);
			this.write(number);
		}
		this.set(at, (this.#size - at - 1) / 2);
	}

	writeTable({ size, cells }: CountData, columns: number): void {
		this.write(size);
		for (let at = 0; at < size * (1 + columns); at++)
			this.write(cells[at] as number);
	}

	written(): Float64Array<ArrayBuffer> {
		return this.#numbers.slice(0, this.#size);
	}
}

class Reader {
	readonly #numbers: Float64Array;
	#at = 0;

	constructor(numbers: Float64Array) {
		this.#numbers = numbers;
	}

	get isAtEnd(): boolean {
		return this.#at === this.#numbers.length;
	}

	read(): number {
		return asInteger(this.#numbers[this.#at++] as number);
	}

	/** NaN stands for undefined. */
	readOptional(): number | undefined {
		const number = this.read();
		return Number.isNaN(number) ? undefined : number;
	}

	/** What `writeFew` wrote of a list of so many. */
	readFew(length: number): readonly number[] {
		const list = new Array<number>(length).fill(0);
		for (let rest = this.read(); rest > 0; rest--) {
			const index = this.read();
			list[index] = this.read();
		}
		return list;
	}

	readVersions(): readonly VersionCounts[] {
		return Array.from({ length: this.read() }, () => ({
			version: this.read(),
			requests: this.read(),
			robotsTxt: this.read(),
			allowed: this.read(),
			disallowed: this.read(),
			allowedAfter: this.read(),
			disallowedAfter: this.read(),
			firstSeen: this.read(),
			firstFetch: this.read(),
		}));
	}

	readTable(columns: number): CountData {
		const size = this.read();
		if (size === 0) return NO_COUNTS;
		const from = this.#at;
		this.#at += size * (1 + columns);
		return { size, cells: this.#numbers.subarray(from, this.#at) };
	}
}

/** Columns of a table of pauses. */
const PAUSES = 1;

/** A segment as plain data, which does not change when the scanner goes on. */
export function packed(segment: Segment): SegmentData {
	return { ...segment, crawlers: pack(segment.crawlers) };
}

export function unpacked(data: SegmentData): Segment {
	const { crawlers } = data;
	return { ...data, crawlers: { [Symbol.iterator]: () => unpack(crawlers) } };
}

function pack(crawlers: Iterable<CrawlerCountsData>): PackedCounts {
	const texts: string[] = [];
	const rules: RuleCount[] = [];
	const to = new Writer();
	const writeTexts = ({ counts, others }: TextCountsData) => {
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
		const { name, category, site, verification } = counts.key;
		texts.push(name, category);
		to.write(site);
		to.write(verifications.indexOf(verification));
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
		to.writeTable(counts.pauses, PAUSES);
		to.write(counts.hasty);
		to.write(counts.delayed);
		to.write(counts.crawlDelay ?? Number.NaN);
		to.write(counts.bursts.bursts);
		to.write(counts.bursts.longest);
		to.write(counts.bursts.first);
		to.write(counts.bursts.last);
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
		to.write(counts.rules.length);
		for (const rule of counts.rules) rules.push(rule);
		to.write(counts.series.first);
		to.write(counts.series.end);
		to.write(counts.series.width);
		to.writeTable(counts.series.steps, KINDS);
		to.write(counts.firstTime);
		to.write(counts.firstDelay ?? Number.NaN);
		to.write(counts.lastTime);
	}
	return { texts, numbers: to.written(), rules };
}

/** In the order in which they were packed. */
function* unpack(packed: PackedCounts): Generator<CrawlerCountsData> {
	const { texts, rules } = packed;
	const from = new Reader(packed.numbers);
	let text = 0;
	let rule = 0;
	const nextTexts = (): TextCountsData => ({
		counts: Array.from(
			{ length: from.read() },
			() => [texts[text++] as string, from.read()] as const,
		),
		others: from.read(),
	});
	const nextRules = (count: number) => {
		rule += count;
		return rules.slice(rule - count, rule);
	};
	// Expressions of an object are evaluated in the order in which they stand, which is that of `pack`.
	while (!from.isAtEnd)
		yield {
			key: {
				name: texts[text++] as string,
				category: texts[text++] as string,
				site: from.read(),
				verification: verifications[from.read()] as Verification,
			},
			requests: from.read(),
			robotsTxt: from.read(),
			allowed: from.read(),
			exempt: from.read(),
			exemptDisallowed: from.read(),
			disallowed: from.read(),
			invalid: from.read(),
			disallowedAfter: from.read(),
			firstSeen: from.read(),
			lastSeen: from.read(),
			answers: from.readFew(KINDS * STATUSES.length),
			bytes: from.readFew(KINDS),
			pauses: from.readTable(PAUSES),
			hasty: from.read(),
			delayed: from.read(),
			crawlDelay: from.readOptional(),
			bursts: {
				bursts: from.read(),
				longest: from.read(),
				first: from.read(),
				last: from.read(),
			},
			fetches: {
				first: from.read(),
				last: from.read(),
				stale: from.read(),
				intervals: from.readTable(1),
				before: from.readTable(1),
			},
			versions: from.readVersions(),
			paths: nextTexts(),
			directories: nextTexts(),
			addresses: nextTexts(),
			rules: nextRules(from.read()),
			series: {
				first: from.read(),
				end: from.read(),
				width: from.read(),
				steps: from.readTable(KINDS),
			},
			firstTime: from.read(),
			firstDelay: from.readOptional(),
			lastTime: from.read(),
		};
}
