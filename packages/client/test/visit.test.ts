import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import {
	type Fetch,
	MemoryStore,
	type RobotsClient,
	type RobotsClientOptions,
	type VisitResult,
} from "../src/index.ts";
import {
	answering,
	done,
	file,
	quiet,
	rows,
	rules,
	SECOND,
	START,
	sleep,
	urlsOf,
} from "./behaviours.ts";
import { clientOf, DAY } from "./site.ts";

// All clocks and timers; the event loop's own turns stay.
beforeEach(() => {
	vi.useFakeTimers({
		now: START,
		toFake: [
			...(["setTimeout", "clearTimeout", "setInterval"] as const),
			...(["clearInterval", "Date", "performance"] as const),
		],
	});
});
afterEach(() => {
	vi.useRealTimers();
});

/** Lets so much time pass, timer by timer. */
const pass = (milliseconds: number) => done(sleep(milliseconds));

/** Visits of pages, from their begin to their end. */
class Pages {
	readonly visits: { url: string; begin: number; end: number }[] = [];
	/** What it takes, and what it gives. */
	readonly #download: (url: string) => { takes: number; status?: number };
	readonly #retryAfter: number;

	constructor(
		download: (url: string) => { takes: number; status?: number },
		retryAfter = 7,
	) {
		this.#download = download;
		this.#retryAfter = retryAfter;
	}

	/** Milliseconds between the end of a visit and the begin of the next. */
	get pauses(): number[] {
		const visits = [...this.visits].sort((a, b) => a.begin - b.begin);
		return visits.slice(1).map(({ begin }, i) => begin - (visits[i]?.end ?? 0));
	}

	visit(
		client: RobotsClient,
		url: string,
		maxWait?: number,
	): Promise<VisitResult<number>> {
		return client.visit(
			url,
			async ({ report }) => {
				const begin = performance.now();
				const { takes, status = 200 } = this.#download(url);
				await sleep(takes);
				this.visits.push({ url, begin, end: performance.now() });
				report(status, { "retry-after": `${this.#retryAfter}` });
				return status;
			},
			maxWait === undefined ? {} : { maxWait },
		);
	}

	/** As a crawler with a queue of its own: what is to come later is asked for then. Gives URLs that were not fetched. */
	async crawl(
		client: RobotsClient,
		urls: readonly string[],
		maxWait?: number,
	): Promise<string[]> {
		const lost: string[] = [];
		await Promise.all(
			urls.map(async (url) => {
				for (;;) {
					const visit = await this.visit(client, url, maxWait);
					if (visit.outcome === "later") await sleep(visit.at - Date.now());
					else if (visit.outcome !== "visited") lost.push(url);
					if (visit.outcome === "visited" && visit.value < 400) return;
					if (visit.outcome !== "visited" && visit.outcome !== "later") return;
				}
			}),
		);
		return lost;
	}
}

describe("A crawl by visit loses no page and keeps the pace", () => {
	test.each(rows.map((row) => [row.behaviour, row] as const))(
		"%s",
		async (_, row) => {
			const urls = row.urls ?? urlsOf("a.test");
			const statuses = [...(row.statuses ?? [])];
			const pages = new Pages(() => ({
				takes: 400,
				status: statuses.shift() ?? 200,
			}));
			await using client = clientOf({
				fetch: answering(row.answers),
				...row.options,
			});
			const lost = await done(pages.crawl(client, urls));
			expect(lost).toEqual([]);
			expect(new Set(pages.visits.map(({ url }) => url))).toEqual(
				new Set(urls),
			);
			expect(pages.visits).toHaveLength(row.visits ?? urls.length);
			for (const pause of pages.pauses)
				expect(pause).toBeGreaterThanOrEqual(row.asked * SECOND);
			const begins = pages.visits.map(({ begin }) => begin);
			const ends = pages.visits.map(({ end }) => end);
			const base = performance.now() - (Date.now() - START);
			expect(Math.min(...begins) - base).toBeGreaterThanOrEqual(
				(row.first ?? 0) * SECOND,
			);
			expect(Math.max(...ends) - base).toBeLessThanOrEqual(row.within * SECOND);
		},
	);

	test("of the same host with http and https: the slower one's pace, but its own Retry-After", async () => {
		const fetch: Fetch = async (url) =>
			url.startsWith("https:") ? file("Crawl-delay: 5") : file();
		const pages = new Pages(
			(url) => ({
				takes: 100,
				...(url === "https://a.test/1" && { status: 503 }),
			}),
			100,
		);
		await using client = clientOf({ fetch });
		const of = (url: string) => done(pages.visit(client, url));
		expect(await of("https://a.test/1")).toMatchObject({ value: 503 });
		expect(await of("http://a.test/2")).toMatchObject({ value: 200 });
		expect(await of("https://a.test/3")).toMatchObject({
			outcome: "later",
			at: START + 100_100,
		});
		expect(await of("http://a.test/4")).toMatchObject({ value: 200 });
		expect(pages.pauses).toEqual([5000, 5000]);
	});
});

describe("visit", () => {
	const client = (
		lines: readonly string[],
		options: Partial<RobotsClientOptions> = {},
	) => clientOf({ fetch: async () => file(...lines), ...options });
	const nothing = () => {};

	test.each<
		[
			what: string,
			url: string,
			options: Partial<RobotsClientOptions>,
			result: object,
		]
	>([
		["no URL", "/a", {}, { outcome: "invalid" }],
		["another scheme", "mailto:a@b.test", {}, { outcome: "invalid" }],
		["a forbidden page", "https://a.test/no", {}, { outcome: "disallowed" }],
		["a page", "https://a.test/a", {}, { outcome: "visited", value: 7 }],
		[
			"an address that is not public",
			"http://127.0.0.1/a",
			{ allowPrivateNetwork: false },
			{ outcome: "disallowed" },
		],
		[
			"a site that asks for too much",
			"https://a.test/a",
			{ maxDelay: 9999 },
			{ outcome: "slow", at: START },
		],
		[
			"a site that asks for as much as may be",
			"https://a.test/a",
			{ maxDelay: 10_000 },
			{ outcome: "visited" },
		],
		[
			"a site that is down",
			"https://a.test/a",
			{ fetch: async () => new Response("", { status: 500 }) },
			{ outcome: "later", at: START + 60_000 },
		],
		[
			"a delay of more than nine digits",
			"https://a.test/a",
			{
				fetch: async () => file("Crawl-delay: 1000000000"),
				maxDelay: 1e9,
			},
			{ outcome: "slow" },
		],
	])("of %s", async (_, url, options, result) => {
		await using one = client(["Disallow: /no", "Crawl-delay: 10"], options);
		const visit = await done(one.visit(url, () => 7));
		expect(visit).toMatchObject(result);
	});

	test("a turn that would come too late is said at once, with its time; the queue of others stays", async () => {
		await using one = client(["Crawl-delay: 10"]);
		const of = (maxWait: number) =>
			one.visit("https://a.test/a", () => Date.now() - START, { maxWait });
		const all = Promise.all([of(0), of(0), of(10_000), of(19_999), of(20_000)]);
		expect(await done(all)).toEqual([
			{ outcome: "visited", value: 0 },
			{ outcome: "later", at: START + 10_000 },
			{ outcome: "visited", value: 10_000 },
			{ outcome: "later", at: START + 20_000 },
			{ outcome: "visited", value: 20_000 },
		]);
	});

	test("the turn comes later than thought, as downloads take time: said when the wait is over", async () => {
		await using one = client(["Crawl-delay: 10"]);
		const first = one.visit("https://a.test/a", () => sleep(60_000));
		const second = one.visit("https://a.test/b", nothing, { maxWait: 15_000 });
		const result = await done(second);
		expect(result).toMatchObject({ outcome: "later" });
		expect(Date.now()).toBe(START + 15_000);
		await done(first);
	});

	test("the rules are asked when the turn comes, and a slot that is not used is given on", async () => {
		let asked = 0;
		const fetch: Fetch = async () =>
			new Response(
				rules("Crawl-delay: 100", ...(asked++ > 0 ? ["Disallow: /old"] : [])),
				{ headers: { "cache-control": "max-age=60" } },
			);
		await using one = clientOf({ fetch });
		const of = (path: string) =>
			one.visit(`https://a.test${path}`, () => Date.now() - START, {
				maxWait: DAY,
			});
		const all = Promise.all(["/a", "/old", "/b"].map(of));
		expect(await done(all)).toEqual([
			{ outcome: "visited", value: 0 },
			{ outcome: "disallowed" },
			{ outcome: "visited", value: 100_000 },
		]);
	});

	test.each<[end: string, download: () => unknown]>([
		["an error", () => Promise.reject(new Error("gone"))],
		[
			"an error that is thrown at once",
			() => {
				throw new Error("gone");
			},
		],
	])("gives the slot back after %s", async (_, download) => {
		await using one = client(["Crawl-delay: 2"]);
		await expect(done(one.visit("https://a.test/a", download))).rejects.toThrow(
			"gone",
		);
		await done(one.visit("https://a.test/b", nothing));
		expect(Date.now() - START).toBe(2000);
	});

	test.each([
		["heeds the signal", true, 5000],
		["does not, and ends later", false, 10_000],
	])("is aborted: a download that %s", async (_, heeds, next) => {
		await using one = client(["Crawl-delay: 2"]);
		const controller = new AbortController();
		setTimeout(() => controller.abort(new Error("enough")), 3000);
		const visit = one.visit(
			"https://a.test/a",
			({ signal }) =>
				new Promise<void>((resolve) => {
					if (heeds) signal.addEventListener("abort", () => resolve());
					setTimeout(resolve, 8000);
				}),
			{ signal: controller.signal },
		);
		await expect(done(visit)).rejects.toThrow("enough");
		expect(Date.now() - START).toBe(3000);
		await done(one.visit("https://a.test/b", nothing));
		expect(Date.now() - START).toBe(next);
	});

	test("is aborted while it waits: the next has its turn", async () => {
		await using one = client(["Crawl-delay: 2"]);
		const controller = new AbortController();
		await done(one.visit("https://a.test/a", nothing));
		const waiting = one.visit("https://a.test/b", nothing, {
			signal: controller.signal,
		});
		waiting.catch(() => {});
		const next = one.visit("https://a.test/c", () => Date.now() - START);
		await quiet();
		controller.abort(new Error("enough"));
		await expect(waiting).rejects.toThrow("enough");
		expect(await done(next)).toMatchObject({ value: 2000 });
	});

	test("ends when the client is closed, waiting or under way", async () => {
		const one = client(["Crawl-delay: 2"]);
		const running = one.visit(
			"https://a.test/a",
			({ signal }) =>
				new Promise((_, reject) => {
					signal.addEventListener("abort", () => reject(signal.reason));
				}),
		);
		const waiting = one.visit("https://a.test/b", nothing);
		for (const visit of [running, waiting]) visit.catch(() => {});
		await quiet();
		await one.close();
		for (const visit of [running, waiting])
			await expect(visit).rejects.toMatchObject({ code: "disposed" });
		await expect(one.visit("https://a.test/c", nothing)).rejects.toMatchObject({
			code: "disposed",
		});
	});

	test("50 visits of which none is needed take no time", async () => {
		let isOpen = true;
		const fetch: Fetch = async () =>
			file("Crawl-delay: 10", ...(isOpen ? [] : ["Disallow: /"]));
		await using one = clientOf({ fetch });
		const all = Promise.all(
			urlsOf("a.test", 50).map((url) =>
				one.visit(url, nothing, { maxWait: DAY }),
			),
		);
		await quiet();
		isOpen = false;
		await one.fetch("https://a.test/");
		const results = await done(all);
		expect(results.map(({ outcome }) => outcome)).toEqual([
			"visited",
			...new Array(49).fill("disallowed"),
		]);
		expect(Date.now() - START).toBe(10_000);
	});

	test("pages that refuse hold their origin for longer each time, without Retry-After", async () => {
		await using one = client([]);
		const begins: number[] = [];
		for (let i = 0; i < 4; )
			await done(
				one
					.visit(
						"https://a.test/a",
						({ report }) => {
							begins.push((Date.now() - START) / SECOND);
							report(i++ < 3 ? 503 : 200);
						},
						{ maxWait: DAY },
					)
					.then(() => {}),
			);
		expect(begins).toEqual([0, 60, 180, 420]);
	});

	test.each([
		["reserved times keep visits away", 0, 4000],
		["those that were given back do not", 1, 2000],
	])("%s", async (_, released, begin) => {
		await using one = client(["Crawl-delay: 2"], { maxVisitTime: 0 });
		const url = "https://a.test/a";
		await done(one.visit(url, nothing));
		const times = [await one.nextVisit(url)];
		for (const time of times.slice(0, released))
			expect(one.release(url, time)).toBe(true);
		const visit = one.visit(url, () => Date.now() - START);
		expect(await done(visit)).toMatchObject({ value: begin });
		expect(one.release(url, START + 1)).toBe(false);
	});

	test("what is given back of many reservations is given out again", async () => {
		await using one = client(["Crawl-delay: 10"]);
		const url = "https://a.test/a";
		const times: number[] = [];
		for (let i = 0; i < 50; i++) times.push(await one.nextVisit(url));
		expect(times.at(-1)).toBe(START + 490_000);
		for (const time of times.slice(1)) one.release(url, time);
		one.visited(url, times[0]);
		expect(await one.nextVisit(url)).toBe(START + 10_000);
	});

	test("a file that asks for less: what is reserved far ahead holds nobody up", async () => {
		let delay = 86_400;
		await using one = clientOf({
			fetch: async () => file(`Crawl-delay: ${delay}`),
		});
		const url = "https://a.test/a";
		await one.nextVisit(url);
		expect(await one.nextVisit(url)).toBe(START + DAY);
		delay = 1;
		await one.fetch(url);
		expect(await one.nextVisit(url)).toBe(START + SECOND);
	});
});

describe("With a store of one's own visits count after a restart", () => {
	const fetch: Fetch = async () => file("Crawl-delay: 20");
	const url = "https://a.test/a";
	const at = () => Date.now() - START;
	/** A store without leases, as LMDB has it. */
	const withoutReplace = (): MemoryStore => {
		const store = new MemoryStore();
		return Object.defineProperty(store, "replace", { value: undefined });
	};

	test.each([
		["that can lease", () => new MemoryStore()],
		["that cannot", withoutReplace],
	])("%s", async (_, make) => {
		const store = make();
		{
			await using one = clientOf({ fetch, store });
			await done(one.visit(url, () => sleep(1000)));
			await done(Promise.resolve());
		}
		await pass(4000);
		await using two = clientOf({ fetch, store });
		expect(await two.nextVisit(url, { reserve: false })).toBe(START + 21_000);
		expect(await done(two.visit(url, at))).toMatchObject({ value: 21_000 });
	});

	test.each([
		["that can lease", () => new MemoryStore()],
		["that cannot", withoutReplace],
	])("also of one whose process was killed: %s", async (_, make) => {
		const store = make();
		// It never ends, nor does anything else of its process.
		const killed = clientOf({ fetch, store: frozenAfterBegin(store) });
		killed.visit(url, () => new Promise(() => {})).catch(() => {});
		await quiet();
		await pass(4000);
		await using two = clientOf({ fetch, store });
		const visit = await done(two.visit(url, at, { maxWait: DAY }));
		expect(visit).toMatchObject({ outcome: "visited" });
		if (visit.outcome === "visited")
			expect(visit.value).toBeGreaterThanOrEqual(24_000);
	});

	const refused = { status: 503, headers: { "retry-after": "600" } };
	test.each<
		[
			what: string,
			before: (client: RobotsClient, time: number) => unknown,
			next: number,
		]
	>([
		["it counts", () => {}, 20_000],
		["so does another", (client) => client.nextVisit(url), 40_000],
		[
			"its end counts",
			async (client, time) => {
				await pass(3000);
				client.visited(url, time);
			},
			23_000,
		],
		["it was given back", (client, time) => client.release(url, time), 0],
		[
			"its page refused",
			(client, time) => client.visited(url, time, refused),
			600_000,
		],
	])("a time of nextVisit: %s", async (_, change, next) => {
		for (const store of [new MemoryStore(), withoutReplace()]) {
			const base = Date.now() - START;
			{
				await using one = clientOf({ fetch, store });
				const time = await one.nextVisit(url);
				await change(one, time);
			}
			await using two = clientOf({ fetch, store });
			expect((await two.nextVisit(url)) - START - base).toBe(next);
		}
	});

	test("a paceBy that fails is said to who asks, and by visited to nobody", async () => {
		await using client = clientOf({
			fetch,
			paceBy: () => Promise.reject(new Error("no group")),
		});
		await expect(client.nextVisit(url)).rejects.toThrow("no group");
		client.visited(url);
		await quiet();
	});

	test("times of nextVisit are apart for clients of one store, and each knows what others give back", async () => {
		const store = new MemoryStore();
		await using one = clientOf({ fetch, store });
		await using two = clientOf({ fetch, store });
		const clients = [one, two, one, two];
		const times = await Promise.all(clients.map((each) => each.nextVisit(url)));
		expect(times.map((time) => time - START).sort((a, b) => a - b)).toEqual([
			0, 20_000, 40_000, 60_000,
		]);
		await two.nextVisit(url, { reserve: false });
		expect(two.release(url, START + 20_000)).toBe(true);
		expect(two.release(url, START + 20_000)).toBe(false);
		expect(await one.nextVisit(url)).toBe(START + 20_000);
	});

	test("and so do the holds of pages that refuse", async () => {
		const store = new MemoryStore();
		{
			await using one = clientOf({ fetch, store });
			await done(
				one.visit(url, ({ report }) =>
					report(429, new Headers({ "retry-after": "600" })),
				),
			);
		}
		await using two = clientOf({ fetch, store });
		expect(await done(two.visit(url, at))).toEqual({
			outcome: "later",
			at: START + 600_000,
		});
	});

	test("several clients of one store visit a server one after another", async () => {
		const store = new MemoryStore();
		await using one = clientOf({ fetch, store });
		await using two = clientOf({ fetch, store });
		const pages = new Pages(() => ({ takes: 3000 }));
		await done(
			Promise.all(
				[one, two, one, two].map((each) => pages.visit(each, url, DAY)),
			),
		);
		expect(pages.visits).toHaveLength(4);
		for (const pause of pages.pauses)
			expect(pause).toBeGreaterThanOrEqual(20_000);
	});

	test("a store that fails stops no visit", async () => {
		const store = new MemoryStore();
		const broken = () => Promise.reject(new Error("broken"));
		Object.assign(store, { get: broken, set: broken, replace: broken });
		await using one = clientOf({ fetch, store });
		const pages = new Pages(() => ({ takes: 1000 }));
		expect(await done(pages.crawl(one, urlsOf("a.test", 2)))).toEqual([]);
		expect(pages.pauses).toEqual([20_000]);
		expect(one.stats().storeErrors).toBeGreaterThan(0);
	});

	test("an entry that is none is no visit", async () => {
		const store = new MemoryStore();
		for (const text of ["", "{", "[]", '{"begin":"x"}', '{"begin":1e999}'])
			await store.set(`visit ${text}.test`, Buffer.from(text));
		await using one = clientOf({ fetch, store, paceBy: () => "{.test" });
		expect(await done(one.visit(url, at))).toMatchObject({ value: 0 });
	});
});

/** A store whose leases are not renewed, as if the process that has them were killed. */
function frozenAfterBegin(store: MemoryStore): MemoryStore {
	const { replace } = store;
	if (!replace) return store;
	const frozen = Object.create(store) as MemoryStore;
	return Object.assign(frozen, {
		get: store.get.bind(store),
		set: store.set.bind(store),
		delete: store.delete.bind(store),
		close: store.close.bind(store),
		replace: (
			key: string,
			before: Uint8Array | undefined,
			after: Uint8Array,
		) =>
			before === undefined
				? replace.call(store, key, before, after)
				: new Promise<boolean>(() => {}),
	});
}
