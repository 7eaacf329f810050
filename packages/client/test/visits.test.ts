import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { casesOf } from "../../../test/cases.ts";
import { earliestVisit, type Pace } from "../src/common/pace.ts";
import type { Fetch } from "../src/index.ts";
import { clientOf, clock, clocks, DAY, HOUR, MINUTE, serve } from "./site.ts";

const SECOND = 1000;
const MIDNIGHT = Date.UTC(2026, 0, 1);

const text = (...lines: string[]) => ["User-agent: *", ...lines].join("\n");

describe("nextVisit", () => {
	type Row = readonly [
		name: string,
		answer: () => Response,
		/** When calls at once may visit, after the beginning. */
		visits: readonly number[],
	];
	const rows: readonly Row[] = [
		["no robots.txt", () => new Response("", { status: 404 }), [0, 1, 2]],
		["nothing about it", () => new Response(text("Disallow: /a")), [0, 1, 2]],
		["Crawl-delay", () => new Response(text("Crawl-delay: 2.5")), [0, 2.5, 5]],
		["Crawl-delay: 0", () => new Response(text("Crawl-delay: 0")), [0, 0, 0]],
		[
			"Crawl-delay of another crawler",
			() => new Response("User-agent: OtherBot\nCrawl-delay: 9\n"),
			[0, 1],
		],
		["Request-rate", () => new Response(text("Request-rate: 2/1m")), [0, 30]],
		[
			"both: the slower one",
			() => new Response(text("Request-rate: 1/5", "Crawl-delay: 2")),
			[0, 5, 10],
		],
		[
			"Request-rate of some hours",
			() => new Response(text("Request-rate: 1/1h 0000-0200")),
			[0, 3600, 7200, 7201],
		],
		[
			"Request-rate of hours that begin",
			() =>
				new Response(text("Crawl-delay: 3599", "Request-rate: 1/2h 0100-0200")),
			[0, 3599, 7200],
		],
		[
			"Visit-time later",
			() => new Response(text("Visit-time: 0600-0845")),
			[6 * 3600, 6 * 3600 + 1],
		],
		[
			"Visit-time over midnight",
			() => new Response(text("Visit-time: 2300-0100", "Crawl-delay: 3600")),
			[0, 23 * 3600, 24 * 3600, 47 * 3600],
		],
		[
			"Visit-time over midnight, within its first minute",
			() => new Response(text("Visit-time: 2300-0001", "Crawl-delay: 30")),
			[0, 30, 23 * 3600, 23 * 3600 + 30],
		],
		[
			"Retry-After",
			() =>
				new Response("", { status: 503, headers: { "retry-after": "120" } }),
			[120, 121],
		],
		["a failure", () => new Response("", { status: 500 }), [60, 61]],
	];
	test.each(rows)("%s", async (_, answer, visits) => {
		using time = clocks();
		const fetch: Fetch = async () => answer();
		await using client = clientOf({ fetch, now: time.wall.read });
		const begin = time.wall.now;
		for (const seconds of visits) {
			const url = "https://a.test/page";
			const seen = await client.nextVisit(url, { reserve: false });
			expect((seen - begin) / SECOND).toBe(seconds);
			expect(await client.nextVisit(url)).toBe(seen);
		}
	});

	test("origins do not wait for each other", async () => {
		const fetch: Fetch = async () => new Response(text("Crawl-delay: 100"));
		const time = clock();
		await using client = clientOf({ fetch, now: time.read });
		for (const host of ["a", "b", "c"])
			expect(await client.nextVisit(`https://${host}.test/`)).toBe(time.now);
	});

	test("time that passes counts, the wall clock's being set does not", async () => {
		using time = clocks();
		const fetch: Fetch = async () => new Response(text("Crawl-delay: 100"));
		const { wall } = time;
		await using client = clientOf({ fetch, now: wall.read });
		const wait = async () =>
			(await client.nextVisit("https://a.test/")) - wall.now;
		expect(await wait()).toBe(0);
		client.visited("https://a.test/");
		time.pass(30 * SECOND);
		expect(await wait()).toBe(70 * SECOND);
		wall.now += 10 * MINUTE;
		expect(await wait()).toBe(170 * SECOND);
		wall.now -= 20 * MINUTE;
		expect(await wait()).toBe(270 * SECOND);
		time.pass(HOUR);
		expect(await wait()).toBe(0);
	});

	test("a Retry-After by a clock that was ahead ends when the clock is set back", async () => {
		using time = clocks();
		const fetch: Fetch = async () =>
			new Response("", { status: 503, headers: { "retry-after": "600" } });
		const { wall } = time;
		await using client = clientOf({ fetch, now: wall.read });
		await client.nextVisit("https://a.test/", { reserve: false });
		wall.now -= 10 * 365 * DAY;
		const next = await client.nextVisit("https://a.test/");
		expect(next - wall.now).toBe(600 * SECOND);
	});

	const BEGIN = Symbol("nextVisit");
	const END = Symbol("visited");
	type Act = typeof BEGIN | typeof END | number;
	test.each<
		[name: string, line: string, acts: readonly Act[], waits: readonly number[]]
	>([
		["a download of 3 s", "Crawl-delay: 2", [BEGIN, 3, END, BEGIN], [0, 2]],
		["by Request-rate", "Request-rate: 1/2", [BEGIN, 3, END, BEGIN], [0, 2]],
		["by default", "Disallow: /a", [BEGIN, 3, END, BEGIN], [0, 1]],
		[
			"some time after its end",
			"Crawl-delay: 2",
			[BEGIN, 3, END, 1.5, BEGIN],
			[0, 0.5],
		],
		[
			"whose end is not told: it goes on",
			"Crawl-delay: 2",
			[BEGIN, 3, BEGIN],
			[0, 2],
		],
		[
			"whose end is never told: 30 seconds",
			"Crawl-delay: 2",
			[BEGIN, 31, BEGIN],
			[0, 1],
		],
		["that is long over", "Crawl-delay: 2", [BEGIN, 32, BEGIN], [0, 0]],
		["planned, not begun", "Crawl-delay: 2", [BEGIN, BEGIN, BEGIN], [0, 2, 4]],
		[
			"the second of which is planned",
			"Crawl-delay: 2",
			[BEGIN, BEGIN, 1, END, BEGIN],
			[0, 2, 3],
		],
		[
			"two at a time",
			"Crawl-delay: 0",
			[BEGIN, BEGIN, 5, END, 5, END, BEGIN],
			[0, 0, 0],
		],
		[
			"one of two goes on",
			"Crawl-delay: 7",
			[BEGIN, 8, BEGIN, 8, END, 1, BEGIN],
			[0, 7, 7],
		],
		[
			"that was not given out",
			"Crawl-delay: 2",
			[END, BEGIN, END, BEGIN],
			[2, 4],
		],
		["ended twice", "Crawl-delay: 2", [BEGIN, 3, END, END, BEGIN], [0, 2]],
	])("a visit counts to its end: %s", async (_, line, acts, waits) => {
		using time = clocks();
		const fetch: Fetch = async () => new Response(text(line));
		await using client = clientOf({ fetch, now: time.wall.read });
		const url = "https://a.test/page";
		const seen: number[] = [];
		for (const act of acts)
			if (act === END) client.visited(url);
			else if (typeof act === "number") time.pass(act * SECOND);
			else seen.push(((await client.nextVisit(url)) - time.wall.now) / SECOND);
		expect(seen).toEqual(waits);
	});

	test("a download of 3 seconds from loopback, and Crawl-delay: 2", async () => {
		using time = clocks();
		await using site = await serve((request, response) => {
			if (request.url !== "/robots.txt") time.pass(3 * SECOND);
			response.end(
				request.url === "/robots.txt" ? text("Crawl-delay: 2") : "page",
			);
		});
		await using client = clientOf({ now: time.wall.read });
		const url = site.origin("a.test");
		const first = await client.nextVisit(url);
		const page = await fetch(`http://127.0.0.1:${site.port}/page`);
		expect(await page.text()).toBe("page");
		client.visited(url);
		expect((await client.nextVisit(url)) - first).toBe(5 * SECOND);
	});

	test("maxVisitTime", async () => {
		using time = clocks();
		const fetch: Fetch = async () => new Response(text("Crawl-delay: 2"));
		const now = time.wall.read;
		await using client = clientOf({ fetch, now, maxVisitTime: 5000 });
		await client.nextVisit("https://a.test/");
		time.pass(6 * SECOND);
		expect((await client.nextVisit("https://a.test/")) - now()).toBe(SECOND);
	});

	test("visits whose end is never told take no more and more memory, nor time", async () => {
		using time = clocks();
		const fetch: Fetch = async () => new Response(text("Crawl-delay: 0"));
		await using client = clientOf({ fetch, now: time.wall.read });
		for (let i = 0; i < 1000; i++) await client.nextVisit("https://a.test/");
		time.pass(31 * SECOND);
		expect(await client.nextVisit("https://a.test/")).toBe(time.wall.now);
	});

	test("a file that changes counts from then on", async () => {
		using time = clocks();
		let delay = 10;
		const fetch: Fetch = async () =>
			new Response(text(`Crawl-delay: ${delay}`));
		const { wall } = time;
		await using client = clientOf({ fetch, now: wall.read });
		const url = "https://a.test/";
		await client.nextVisit(url);
		delay = 20;
		await client.fetch(url);
		expect(await client.nextVisit(url)).toBe(wall.now + 20 * SECOND);
		delay = 30;
		time.pass(2 * DAY);
		await client.nextVisit(url);
		expect(await client.nextVisit(url)).toBe(wall.now + 30 * SECOND);
		delay = 40;
		await client.forget(url);
		expect(await client.nextVisit(url)).toBe(wall.now + 70 * SECOND);
		expect(client.stats().requests).toBe(4);
	});

	test("defaultDelay", async () => {
		const fetch: Fetch = async () => new Response("");
		using time = clocks();
		const now = time.wall.read;
		await using client = clientOf({ fetch, now, defaultDelay: 5e6 });
		const first = await client.nextVisit("https://a.test/");
		const second = await client.nextVisit("https://a.test/");
		expect(second - first).toBe(5e6);
	});
});

const window = fc
	.tuple(fc.nat(1439), fc.nat(1440))
	.map(([start, end]) => ({ start, end }));
const maybe = <Value>(value: fc.Arbitrary<Value>) =>
	fc.option(value, { nil: undefined });
const minutes = (most: number) => fc.nat(most).map((n) => n * MINUTE);

test("the time is the earliest that all lines allow, minute by minute", () => {
	const paces: fc.Arbitrary<Pace> = fc.record({
		delay: maybe(minutes(300)),
		rates: fc.array(
			fc.record({ interval: minutes(600), window: maybe(window) }),
			{ maxLength: 3 },
		),
		window: maybe(window),
		notBefore: minutes(2000).map((after) => MIDNIGHT + after),
	});
	const within = (hours: Pace["window"], time: number) => {
		if (!hours || hours.start === hours.end) return true;
		const { start, end } = hours;
		const minute = ((time - MIDNIGHT) / MINUTE) % 1440;
		return start < end
			? start <= minute && minute < end
			: start <= minute || minute < end;
	};
	const isAllowed = (pace: Pace, time: number, last: number | undefined) => {
		if (time < pace.notBefore || !within(pace.window, time)) return false;
		if (last === undefined) return true;
		const delays = [
			...(pace.delay === undefined ? [] : [pace.delay]),
			...pace.rates.flatMap(({ interval, window }) =>
				within(window, time) ? [interval] : [],
			),
		];
		const delay = delays.length === 0 ? MINUTE : Math.max(...delays);
		return time >= last + delay;
	};
	fc.assert(
		fc.property(
			paces,
			minutes(3000).map((after) => MIDNIGHT + after),
			maybe(minutes(3000).map((after) => MIDNIGHT + after)),
			(pace, now, last) => {
				let expected = now;
				while (!isAllowed(pace, expected, last)) expected += MINUTE;
				expect(earliestVisit(pace, now, last, MINUTE)).toBe(expected);
			},
		),
		{ numRuns: casesOf(300) },
	);
});
