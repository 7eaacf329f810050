import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { casesOf } from "../../../test/cases.ts";
import type { CountData } from "../src/common/count-table.ts";
import {
	addExample,
	type RuleCount,
	ruleKey,
} from "../src/common/keyed-counts.ts";
import { KINDS } from "../src/common/time-series.ts";
import {
	CrawlerCounts,
	keyText,
	STATUSES,
} from "../src/count/crawler-counts.ts";
import { eachTime, type Pace, Pacing } from "../src/count/pacing.ts";

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
	counts.addRule(rule);
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
	const { series, times, fetches, paths, directories, addresses, ...rest } =
		counts.toData();
	const pacing = new Pacing(100);
	eachTime(times, (time, delay) => pacing.add(time, delay));
	const { pauses, ...pace } = pacing.total();
	return {
		...rest,
		paths: [...paths.counts],
		fetches: {
			...fetches,
			intervals: sorted(fetches.intervals, 1),
			before: sorted(fetches.before, 1),
		},
		pace,
		series: { ...series, steps: sorted(series.steps, KINDS) },
		pauses: sorted(pauses.toData(), 1),
		median: pauses.median(),
	};
}

function sorted({ size, cells }: CountData, columns: number): number[][] {
	const width = columns + 1;
	return Array.from({ length: size }, (_, place) =>
		Array.from(cells).slice(place * width, (place + 1) * width),
	).sort(([a = 0], [b = 0]) => a - b);
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
		{ seed: 9309, numRuns: casesOf(2000) },
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
				expect(contentOf(sum).pace).toEqual(kept.pace);
			},
		),
		{ seed: 9309, numRuns: casesOf(500) },
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
			counted: {
				pace?: Partial<Pace>;
				median?: number | null;
			},
		]
	>([
		[
			"the last delay counts",
			[[0, 1], [5, 2], [9]],
			{ pace: { crawlDelay: 2 } },
		],
		["none", [[0], [5]], { pace: { delayed: 0, shorter: 0 }, median: 5 }],
		[
			"one too early",
			[
				[0, 6],
				[5, 6],
			],
			{ pace: { delayed: 1, shorter: 1 } },
		],
		[
			"one in time",
			[
				[0, 5],
				[5, 5],
			],
			{ pace: { delayed: 1, shorter: 0 } },
		],
		[
			"the delay of the later one",
			[
				[0, 9],
				[5, 4],
			],
			{ pace: { delayed: 1, shorter: 0 } },
		],
		["lines out of order", [[9], [5]], { median: 4 }],
		[
			"the last delay by time",
			[
				[9, 1],
				[5, 2],
			],
			{ pace: { crawlDelay: 1 } },
		],
		[
			"no time",
			[[0], [Number.NaN, 9], [5]],
			{ median: 5, pace: { delayed: 0 } },
		],
		["one request alone", [[3, 9]], { median: null, pace: { delayed: 0 } }],
	])("%s", (_, requests, counted) =>
		expect(contentOf(countsOf(requestsAt(requests)))).toMatchObject(counted),
	);
});

describe("Requests of a status:", () => {
	test.each([
		[0, "none"],
		[100, "1xx"],
		[200, "2xx"],
		[301, "3xx"],
		[404, "4xx"],
		[402, "4xx"],
		[428, "4xx"],
		[450, "4xx"],
		[403, "refused"],
		[429, "refused"],
		[451, "refused"],
		[500, "5xx"],
		[599, "5xx"],
		[600, "none"],
		[999, "none"],
	])("%d is of %s, for each kind of request", (status, name) => {
		const zeros = STATUSES.map(() => 0);
		const one = STATUSES.map((each) => Number(each === name));
		for (const [verdict, answers, bytes] of [
			["allow", [...one, ...zeros, ...zeros], [7, 0, 0]],
			["disallow", [...zeros, ...one, ...zeros], [0, 7, 0]],
			["fetchRobotsTxt", [...zeros, ...zeros, ...one], [0, 0, 7]],
			["rejectTarget", [...zeros, ...zeros, ...one], [0, 0, 7]],
		] as const) {
			const counts = new CrawlerCounts(key);
			counts[verdict](5, status, 7, false);
			expect(counts.answers).toEqual(answers);
			expect([...counts.bytes]).toEqual(bytes);
		}
	});
});

describe("Counts of requests, each at a time:", () => {
	const one = {
		...{ requests: 1, allowed: 0, disallowed: 0, robotsTxt: 0, invalid: 0 },
		...{ exempt: 0, exemptDisallowed: 0, disallowedAfter: 0 },
	};
	type Row = readonly [
		time: number,
		verdict: Request["verdict"],
		status?: number,
	];
	test.each<
		[what: string, rows: readonly Row[], counted: Partial<CrawlerCounts>]
	>([
		["one allowed", [[5, "allow"]], { ...one, allowed: 1 }],
		[
			"one allowed without being bound",
			[[5, "allow", 301]],
			{ ...one, allowed: 1, exempt: 1 },
		],
		["one disallowed", [[5, "disallow"]], { ...one, disallowed: 1 }],
		[
			"one disallowed without being bound",
			[[5, "disallow", 301]],
			{ ...one, disallowed: 1, exempt: 1, exemptDisallowed: 1 },
		],
		["one for robots.txt", [[5, "fetchRobotsTxt"]], { ...one, robotsTxt: 1 }],
		["one for no URL", [[5, "rejectTarget"]], { ...one, invalid: 1 }],
		[
			"disallowed before and after robots.txt",
			[
				[1, "disallow"],
				[2, "fetchRobotsTxt"],
				[3, "disallow"],
				[4, "disallow"],
			],
			{ requests: 4, disallowed: 3, disallowedAfter: 2 },
		],
		[
			"times out of order",
			[
				[5, "allow"],
				[3, "allow"],
				[9, "allow"],
				[4, "allow"],
			],
			{ requests: 4, firstSeen: 3, lastSeen: 9 },
		],
		[
			"without times",
			[[Number.NaN, "allow"]],
			{
				firstSeen: Number.POSITIVE_INFINITY,
				lastSeen: Number.NEGATIVE_INFINITY,
			},
		],
	])("%s", (_, rows, counted) => {
		const counts = countsOf(
			rows.map(([time, verdict, status = 200]) => ({
				time,
				status,
				delay: undefined,
				verdict,
			})),
		);
		expect(counts.toData()).toMatchObject(counted);
	});
});

describe("A crawler's", () => {
	test("rules are counted by version and line, with the first three different targets", () => {
		const counts = countsOf([]);
		for (const time of [1, 1, 2, 3, 4]) breakRule(counts, 7, time);
		breakRule(counts, 8, 1);
		expect(counts.toData().rules).toEqual([
			{
				...{ version: 1, line: 7, pattern: "/7", count: 5 },
				examples: ["/7/1", "/7/2", "/7/3"],
			},
			{
				...{ version: 1, line: 8, pattern: "/8", count: 1 },
				examples: ["/8/1"],
			},
		]);
		const keys = [ruleKey(1, 7), ruleKey(1, 8), ruleKey(2, 7), ruleKey(0, 8)];
		expect(new Set(keys).size).toBe(keys.length);
	});

	test("paths that were counted by number get their names", () => {
		const counts = countsOf([]);
		counts.namePaths(() => "/none");
		for (const number of [1, 2, 1]) counts.countPath(number);
		counts.namePaths((number) => `/a/${number}`);
		counts.countPath(2);
		counts.namePaths((number) => `/a/${number}`);
		expect([...counts.paths.toData().counts]).toEqual([
			["/a/1", 2],
			["/a/2", 2],
		]);
		expect([...counts.directories.toData().counts]).toEqual([["/a/", 4]]);
	});

	test("versions of robots.txt are counted each by itself", () => {
		const counts = countsOf([]);
		for (const version of [3, 1, 3]) counts.version(version).requests++;
		const found = counts.toData().versions;
		expect(found.map(({ version, requests }) => [version, requests])).toEqual([
			[3, 2],
			[1, 1],
		]);
	});

	test("key differs from those of others", () => {
		const keys = [
			key,
			{ ...key, name: "z" },
			{ ...key, category: "z" },
			{ ...key, site: 1 },
			{ ...key, verification: "claimed" as const },
		];
		expect(new Set(keys.map(keyText)).size).toBe(keys.length);
	});
});
