import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
	eachTime,
	isKept,
	Pace,
	Pacing,
	TimeLog,
} from "../src/count/pacing.ts";

type Request = readonly [time: number, delay: number | undefined];

function listOf(requests: readonly Request[]): Request[] {
	const log = new TimeLog();
	for (const [time, delay] of requests) log.add(time, delay);
	const list: Request[] = [];
	eachTime(log.toData(), (time, delay) => list.push([time, delay]));
	return list;
}

function paceOf(requests: readonly Request[], room = 1000): Pace {
	const pacing = new Pacing(room);
	for (const [time, delay] of requests) pacing.add(time, delay);
	return pacing.total();
}

/** What counts, by looking at all requests again. */
function naive(requests: readonly Request[]) {
	const sorted = requests.toSorted(
		([a, d], [b, e]) => a - b || (d ?? -1) - (e ?? -1),
	);
	const pauses = sorted.slice(1).map(([time, delay], at) => {
		const before = sorted[at]?.[0] ?? Number.NaN;
		const isWhole = before % 1000 === 0 && time % 1000 === 0;
		const least = isWhole ? Math.floor((delay ?? 0) / 1000) * 1000 : delay;
		return {
			pause: time - before,
			delay,
			isShort: time - before < (least ?? 0),
		};
	});
	const delayed = pauses.filter(({ delay }) => delay !== undefined);
	const shorter = delayed.filter(({ isShort }) => isShort).length;
	return {
		delayed: delayed.length,
		shorter,
		median:
			pauses.map(({ pause }) => pause).sort((a, b) => a - b)[
				Math.ceil(pauses.length / 2) - 1
			] ?? null,
		crawlDelay: sorted.findLast(([, delay]) => delay !== undefined)?.[1],
		kept: delayed.length === 0 ? null : shorter < delayed.length / 2,
	};
}

function summary(pace: Pace) {
	const { delayed, shorter, crawlDelay } = pace;
	const median = pace.pauses.median();
	return { delayed, shorter, crawlDelay, median, kept: isKept([pace]) };
}

const delay = fc.constantFrom(undefined, 0, 1000, 2500, 3000);
const request = fc.tuple(
	fc.oneof(
		fc.integer({ min: 0, max: 9000 }),
		fc.integer({ min: 0, max: 9 }).map((seconds) => seconds * 1000),
	),
	delay,
);

describe("Times in the order of lines", () => {
	test.each<[what: string, times: readonly number[], bytes: number]>([
		["whole seconds", [0, 0, 1000, 31_000, 30_000], 5],
		["milliseconds", [0, 31, 0], 3],
		["a date, in seconds", [1_760_445_045_000, 1_760_445_046_000], 6],
		["far away", [1 - 1e14, 1e14], 15],
	])("take few bytes: %s", (_, times, bytes) => {
		const log = new TimeLog();
		for (const time of times) log.add(time, undefined);
		expect(log.toData().bytes).toHaveLength(bytes);
	});

	test("come back as they were, with their delays", () => {
		fc.assert(
			fc.property(
				fc.array(
					fc.tuple(
						fc.oneof(
							fc.integer({ min: -1e6, max: 1e6 }),
							fc.maxSafeInteger().map((time) => (time % 2 ** 49) + 0),
						),
						delay,
					),
				),
				(requests) => {
					expect(listOf(requests)).toEqual(requests);
				},
			),
			{ seed: 9309, numRuns: 500 },
		);
	});

	test.each([
		[
			[1.9, -1.1],
			[1, -2],
		],
		[
			[1e300, -1e300],
			[2 ** 49, -(2 ** 49)],
		],
	])("%j are %j", (times, read) =>
		expect(
			listOf(times.map((time): Request => [time, 5])).map(([time]) => time),
		).toEqual(read),
	);

	test("of damaged bytes are numbers", () => {
		fc.assert(
			fc.property(fc.uint8Array({ maxLength: 40 }), (bytes) => {
				let count = 0;
				eachTime({ count: 50, bytes, delays: [] }, (time) => {
					count++;
					expect(Math.abs(time)).toBeLessThanOrEqual(2 ** 49);
				});
				expect(count).toBeLessThanOrEqual(bytes.length);
			}),
			{ seed: 9309, numRuns: 500 },
		);
	});
});

describe("Pauses are counted in the order of time:", () => {
	test("as by looking at all requests again, whatever the order of lines", () => {
		fc.assert(
			fc.property(
				fc
					.array(request, { maxLength: 60, size: "max" })
					.chain((requests) =>
						fc.tuple(
							fc.constant(requests),
							fc.shuffledSubarray(requests, { minLength: requests.length }),
						),
					),
				([requests, shuffled]) => {
					const pace = paceOf(requests);
					expect(pace).toMatchObject({ late: 0, breaks: 0 });
					expect(summary(pace)).toEqual(naive(requests));
					expect(paceOf(shuffled)).toMatchObject({
						...pace,
						pauses: expect.anything(),
					});
					expect(summary(paceOf(shuffled))).toEqual(summary(pace));
				},
			),
			{ seed: 9309, numRuns: 500 },
		);
	});

	test("with little room, whether a Crawl-delay was kept is unknown or right", () => {
		const found = new Map<boolean | null, number>();
		fc.assert(
			fc.property(
				fc
					.array(request, { minLength: 2, maxLength: 60, size: "max" })
					.map((requests) =>
						// Of one time, as far apart, they would have one delay.
						requests.map(
							([time]): Request => [time, time < 4500 ? 1000 : 2500],
						),
					),
				fc.integer({ min: 2, max: 64 }),
				fc.boolean(),
				(requests, room, inOrder) => {
					const lines = inOrder
						? requests.toSorted(([a], [b]) => a - b)
						: requests;
					const pace = paceOf(lines, room);
					const kept = isKept([pace]);
					found.set(kept, (found.get(kept) ?? 0) + 1);
					if (pace.breaks === 0) expect(summary(pace)).toEqual(naive(requests));
					else if (kept !== null) expect(kept).toBe(naive(requests).kept);
					if (inOrder) expect(pace.breaks).toBe(0);
				},
			),
			{ seed: 9309, numRuns: 3000 },
		);
		for (const answer of [true, false, null])
			expect(found.get(answer)).toBeGreaterThan(50);
	});

	/** Runs of requests, each in order and earlier than what came before: counted as they are, by looking at all of them for each. */
	test("as by looking at all requests for each of them, run by run", () => {
		const found = { late: 0, bursts: 0, shorter: 0 };
		const runs = fc.array(
			fc
				.array(request, { minLength: 1, maxLength: 40, size: "max" })
				.map((list) => list.toSorted(([a], [b]) => a - b)),
			{ minLength: 1, maxLength: 5, size: "max" },
		);
		fc.assert(
			fc.property(runs, (runs) => {
				const pace = new Pace();
				for (const [at, run] of runs.entries()) {
					if (at > 0) pace.breakOff();
					for (const [time, delay] of run) pace.add(time, delay ?? -1);
				}
				pace.end();
				const isLate = (run: number, time: number) =>
					runs.some(
						(other, at) => at < run && other.some(([each]) => each >= time),
					);
				const expected = { late: 0, delayed: 0, shorter: 0 };
				const lengths: number[] = [];
				const pauses: number[] = [];
				for (const [at, run] of runs.entries()) {
					for (const [time] of run) if (isLate(at, time)) expected.late++;
					for (const [i, [time, delay]] of run.entries()) {
						const before = run[i - 1]?.[0];
						// As long as each is at most a second after the one before.
						if (before === undefined || time - before > 1000) lengths.push(0);
						lengths.push((lengths.pop() ?? 0) + 1);
						if (before === undefined) continue;
						pauses.push(time - before);
						if (delay === undefined) continue;
						const isWhole = before % 1000 === 0 && time % 1000 === 0;
						const least = isWhole ? delay - (delay % 1000) : delay;
						expected.delayed++;
						if (time - before < least) expected.shorter++;
					}
				}
				const bursts = lengths.filter((length) => length >= 10);
				const { late, delayed, shorter } = pace;
				expect({ late, delayed, shorter }).toEqual(expected);
				expect([pace.bursts, pace.longest, pace.breaks]).toEqual([
					bursts.length,
					Math.max(0, ...bursts),
					runs.length - 1,
				]);
				expect(pace.pauses.median()).toBe(
					pauses.sort((a, b) => a - b)[Math.ceil(pauses.length / 2) - 1] ??
						null,
				);
				found.late += late;
				found.bursts += pace.bursts;
				found.shorter += shorter;
			}),
			{ seed: 9309, numRuns: 500 },
		);
		expect(Math.min(...Object.values(found))).toBeGreaterThan(100);
	});

	const every = (seconds: number, count: number, from = 0): Request[] =>
		Array.from({ length: count }, (_, at) => [
			(from + at * seconds) * 1000,
			10_000,
		]);
	test.each<
		[what: string, requests: Request[], kept: boolean | null, late: number]
	>([
		["in order, far more than there is room for", every(10, 500), true, 0],
		["too fast", every(9, 500), false, 0],
		["two logs that fit", [...every(20, 20), ...every(20, 20, 5)], false, 0],
		[
			"two logs that do not, each kept",
			[...every(10, 500), ...every(10, 500, 5)],
			null,
			499,
		],
		[
			"two logs that do not, each too fast",
			[...every(5, 500), ...every(5, 500, 2)],
			false,
			499,
		],
		[
			"four logs, of which the first is the longest",
			[
				...every(10, 500),
				...every(10, 300, 5),
				...every(10, 100, 2),
				...every(10, 150, 3100),
			],
			null,
			550,
		],
		[
			"a clock that was wrong for one line",
			[...every(10, 300), [0, 10_000], ...every(10, 300, 3000)],
			true,
			1,
		],
	])("%s", (_, requests, kept, late) => {
		const pace = paceOf(requests, 64);
		expect([isKept([pace]), pace.late]).toEqual([kept, late]);
	});

	test("a pause of 2.5 s may look like 2 in whole seconds", () => {
		const whole = [0, 2, 5, 7, 10].map((s): Request => [s * 1000, 2500]);
		expect(isKept([paceOf(whole)])).toBe(true);
		const exact = [0, 2.4, 4.9, 7.3].map((s): Request => [s * 1000, 2500]);
		expect(isKept([paceOf(exact)])).toBe(false);
	});

	const bursts = (...runs: number[]) => {
		let time = 0;
		return runs.flatMap((length) => {
			const start = time + 5000;
			time = start + 1000 * length;
			return Array.from(
				{ length },
				(_, at): Request => [start + 1000 * at, undefined],
			);
		});
	};
	test.each([
		[[9], 0, 0],
		[[10], 1, 10],
		[[10, 9, 12], 2, 12],
	])("bursts of runs of %j: %d, the longest of %d", (runs, count, longest) => {
		for (const room of [2, 7, 100]) {
			const pacing = new Pacing(room);
			for (const [time] of bursts(...runs)) pacing.add(time, undefined);
			// Asking changes nothing.
			pacing.total();
			expect(pacing.total()).toMatchObject({ bursts: count, longest });
		}
	});

	test("nothing in front of the first request", () =>
		expect(paceOf([])).toEqual(Object.assign(new Pace(), { run: 1 })));
});
