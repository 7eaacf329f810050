import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { CountData } from "../../src/log/count-table.ts";
import {
	addExample,
	CrawlerCounts,
	type RuleCount,
	ruleKey,
} from "../../src/log/tally.ts";

const key = { name: "x", category: "y", site: 0, verification: null };

interface Request {
	readonly time: number;
	readonly status: number;
	readonly delay: number | undefined;
	readonly verdict: "allow" | "disallow" | "fetchRobotsTxt" | "rejectTarget";
}

/** Counts a rule for each status, broken by a target for each time. */
function breakRule(counts: CrawlerCounts, line: number, time: number): void {
	const rule = counts.rules.get(ruleKey(1, line)) ?? {
		version: 1,
		line,
		pattern: `/${line}`,
		count: 0,
		examples: [],
	};
	rule.count++;
	addExample(rule, `/${line}/${time}`);
	counts.rules.set(ruleKey(1, line), rule);
}

function countsOf(requests: readonly Request[]): CrawlerCounts {
	const counts = new CrawlerCounts(key);
	for (const { time, status, delay, verdict } of requests) {
		counts.arrive(time, delay);
		counts[verdict](time, status, status / 2, status === 301);
		if (verdict === "disallow") counts.paths.add(`/${time}`, 1);
		if (verdict === "disallow") breakRule(counts, status, time);
	}
	return counts;
}

/** What is counted; a table's counts in the order of its numbers. */
function contentOf(counts: CrawlerCounts) {
	const { series, pauses, fetches, paths, directories, addresses, ...rest } =
		counts.toData();
	return {
		...rest,
		paths: [...paths.counts],
		fetches: {
			...fetches,
			intervals: sorted(fetches.intervals),
			before: sorted(fetches.before),
		},
		bursts: counts.bursts.total(),
		series: { ...series, steps: sorted(series.steps) },
		pauses: sorted(pauses),
		median: counts.pauses.median(),
	};
}

function sorted({ size, numbers, counts }: CountData): number[][] {
	const kinds = counts.length / numbers.length;
	return Array.from({ length: size }, (_, place) => [
		numbers[place] as number,
		...Array.from(counts).slice(place * kinds, (place + 1) * kinds),
	]).sort(([a = 0], [b = 0]) => a - b);
}

const request: fc.Arbitrary<Request> = fc.record({
	time: fc.oneof(
		fc.constant(Number.NaN),
		fc.integer({ min: 0, max: 9000 }),
		fc.integer({ min: 0, max: 80 }).map((hours) => hours * 3_600_000),
	),
	status: fc.constantFrom(0, 200, 301, 404, 503, 999),
	delay: fc.constantFrom(undefined, 1000, 3000),
	verdict: fc.constantFrom(
		"allow",
		"disallow",
		"fetchRobotsTxt",
		"rejectTarget",
	),
});

test("Counters of two parts of a log, joined, are those of all lines", () => {
	fc.assert(
		fc.property(
			fc.array(request, { maxLength: 8 }),
			fc.array(request, { maxLength: 8 }),
			(before, after) => {
				const joined = countsOf(before);
				joined.append(countsOf(after).toData());
				expect(contentOf(joined)).toEqual(
					contentOf(countsOf([...before, ...after])),
				);
			},
		),
		{ seed: 9309, numRuns: 2000 },
	);
});

test("Counters of another crawler add all but what depends on the order of lines, and no examples", () => {
	fc.assert(
		fc.property(
			fc.array(request, { maxLength: 8 }),
			fc.array(request, { maxLength: 8 }),
			(one, other) => {
				const sum = countsOf(one);
				sum.addOther(countsOf(other).toData());
				const { rules, answers, bytes, series } = contentOf(sum);
				const all = contentOf(countsOf([...one, ...other]));
				const countOf = ({ line, count }: RuleCount) => [line, count];
				expect({ answers, bytes, series, rules: rules.map(countOf) }).toEqual({
					answers: all.answers,
					bytes: all.bytes,
					series: all.series,
					rules: all.rules.map(countOf),
				});
				const kept = contentOf(countsOf(one));
				expect(rules.flatMap(({ examples }) => examples)).toEqual(
					kept.rules.flatMap(({ examples }) => examples),
				);
				expect([sum.delayed, sum.crawlDelay]).toEqual([
					kept.delayed,
					kept.crawlDelay,
				]);
			},
		),
		{ seed: 9309, numRuns: 500 },
	);
});

describe("Requests at times, each with its Crawl-delay:", () => {
	const requestsAt = (
		requests: readonly (readonly [time: number, delay?: number])[],
	) =>
		requests.map(
			([time, delay]): Request => ({
				time,
				status: 200,
				delay,
				verdict: "allow",
			}),
		);
	test.each<
		[
			what: string,
			requests: readonly (readonly [time: number, delay?: number])[],
			counted: Partial<CrawlerCounts> & { median?: number | null },
		]
	>([
		["the last delay counts", [[0, 1], [5, 2], [9]], { crawlDelay: 2 }],
		["none", [[0], [5]], { delayed: 0, hasty: 0, median: 5 }],
		[
			"one too early",
			[
				[0, 6],
				[5, 6],
			],
			{ delayed: 1, hasty: 1 },
		],
		[
			"one in time",
			[
				[0, 5],
				[5, 5],
			],
			{ delayed: 1, hasty: 0 },
		],
		[
			"the delay of the later one",
			[
				[0, 9],
				[5, 4],
			],
			{ delayed: 1, hasty: 0 },
		],
		["a line out of order: a pause of 0", [[9], [5]], { median: 0 }],
		["no time", [[0], [Number.NaN, 9], [5]], { median: 5, delayed: 0 }],
		["one request alone", [[3, 9]], { median: null, delayed: 0 }],
	])("%s", (_, requests, counted) =>
		expect(contentOf(countsOf(requestsAt(requests)))).toMatchObject(counted),
	);
});
