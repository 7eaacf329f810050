import { getEventListeners } from "node:events";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { describe, expect, test, vi } from "vitest";
import { accessFor } from "../../../src/access/access.ts";
import { RobotsIndex, RobotsTxt } from "../../../src/index.ts";
import { isWhole } from "../../../test/cases.ts";
import {
	type Fetch,
	MemoryStore,
	type RobotsClient,
	type RobotsClientOptions,
} from "../src/index.ts";
import { Judge } from "../src/rules/judge.ts";
import { KnownOrigins } from "../src/rules/known-origins.ts";
import { found, knownStore } from "./known-store.ts";
import { clientOf, clock, DAY, FILE, HOUR, MINUTE } from "./site.ts";

const hosts = (count: number, first = 0) =>
	Array.from({ length: count }, (_, i) => `https://h${first + i}.test`);
const pages = (count: number, first = 0) =>
	hosts(count, first).map((origin) => `${origin}/private`);

/** A fetch that answers at once, and what it was asked for. */
function answering() {
	const asked: string[] = [];
	const fetch: Fetch = async (url) => {
		asked.push(new URL(url).hostname);
		return new Response(FILE);
	};
	return { asked, fetch };
}

/** A clock that advances by a millisecond whenever it is read, for as long as `work` takes. */
async function withSlowClock<T>(work: () => Promise<T>): Promise<T> {
	const { now } = performance;
	let time = performance.now();
	performance.now = () => time++;
	try {
		return await work();
	} finally {
		performance.now = now;
		// Into another turn: no time of this clock may be left over.
		await new Promise((resolve) => setImmediate(resolve));
	}
}

/** Turns of the event loop until a promise is settled. */
async function turnsOf(work: () => Promise<unknown>): Promise<number> {
	let turns = 0;
	let done = false;
	const count = () => {
		turns++;
		if (!done) setImmediate(count);
	};
	setImmediate(count);
	await work().finally(() => {
		done = true;
	});
	return turns;
}

type Call = (
	client: RobotsClient,
	urls: readonly string[],
	signal?: AbortSignal,
) => Promise<unknown>;

const calls: readonly (readonly [string, Call])[] = [
	["matchMany", (client, urls, signal) => client.matchMany(urls, { signal })],
	[
		"matchLines",
		(client, urls, signal) =>
			client.matchLines(new TextEncoder().encode(urls.join("\n")), { signal }),
	],
	["filter", (client, urls, signal) => client.filter(urls, { signal })],
	[
		"isAllowed, all at once",
		(client, urls, signal) =>
			Promise.all(urls.map((url) => client.isAllowed(url, { signal }))),
	],
	[
		"access, all at once",
		(client, urls, signal) =>
			Promise.all(urls.map((url) => client.access(url, { signal }))),
	],
	["prefetch", (client, urls, signal) => client.prefetch(urls, { signal })],
];

describe("A store that answers at once leaves the event loop its turns", () => {
	test.each(calls)("%s", async (_, call) => {
		await using client = clientOf({ store: knownStore(Date.now()) });
		const turns = await withSlowClock(() =>
			turnsOf(() => call(client, pages(2000))),
		);
		expect(client.stats()).toMatchObject({ storeHits: 2000, requests: 0 });
		// The clock is read twice for each origin at least: a turn has room for one or two.
		expect(turns).toBeGreaterThan(200);
	});

	test.each(calls)("and the signal its effect: %s", async (_, call) => {
		await using client = clientOf({ store: knownStore(Date.now()) });
		const controller = new AbortController();
		setImmediate(() =>
			setImmediate(() => controller.abort(new Error("enough"))),
		);
		const work = withSlowClock(() =>
			call(client, pages(2000), controller.signal),
		);
		await expect(work).rejects.toThrow("enough");
		expect(client.stats().storeHits).toBeLessThan(100);
	});

	test.each(calls)("and closing its effect: %s", async (_, call) => {
		const client = clientOf({ store: knownStore(Date.now()) });
		setImmediate(() => setImmediate(() => client.close()));
		const work = withSlowClock(() => call(client, pages(2000)));
		await expect(work).rejects.toMatchObject({ code: "disposed" });
		const { storeHits } = client.stats();
		await new Promise((resolve) => setTimeout(resolve, 20));
		expect(client.stats().storeHits).toBe(storeHits);
		expect(storeHits).toBeLessThan(100);
	});

	test.each([...calls.slice(0, 3), ...calls.slice(-1)])(
		"so do many URLs of known origins: %s",
		async (_, call) => {
			await using client = clientOf({ store: knownStore(Date.now()) });
			const urls = pages(10);
			await client.matchMany(urls);
			const many = Array.from(
				{ length: 150_000 },
				(_, i) => urls[i % 10] ?? "",
			);
			const turns = await withSlowClock(() =>
				turnsOf(() => call(client, many)),
			);
			expect(turns).toBeGreaterThan(5);
		},
	);

	test.each(["matchMany", "matchLines"] as const)(
		"so do many URLs of unknown origins, before the first is looked up: %s",
		async (call) => {
			let turns = 0;
			let isOver = false;
			const count = () => {
				turns++;
				if (!isOver) setImmediate(count);
			};
			const judge = new Judge({
				known: new KnownOrigins({ agent: "ExampleBot" }, 10),
				lookUp: async () => {
					isOver = true;
					throw new Error("looked up");
				},
				lookUps: 1,
				now: Date.now,
			});
			const urls = pages(3000);
			const work = withSlowClock(() => {
				setImmediate(count);
				return call === "matchMany"
					? judge.matchMany(urls, undefined)
					: judge.matchLines(
							new TextEncoder().encode(urls.join("\n")),
							undefined,
						);
			});
			await expect(work).rejects.toThrow("looked up");
			// The clock is read at every 200 of them, and a turn has room for two readings.
			expect(turns).toBeGreaterThan(5);
		},
	);

	test.each([
		["peek", false],
		["peek, when origins have expired", true],
	])(
		"what a call has taken that cannot wait is taken off the turn: %s",
		async (_, isLate) => {
			const time = clock();
			const store = knownStore(time.now);
			await using client = clientOf({ store, now: time.read });
			await client.matchMany(pages(10));
			if (isLate) time.now += 2 * DAY;
			await new Promise((resolve) => setImmediate(resolve));
			const looked = await withSlowClock(async () => {
				client.peek(pages(10));
				// By this clock, what is left of the turn is over.
				performance.now();
				performance.now();
				let isLooked = false;
				const asked = client.matchMany(pages(10)).then(() => {
					isLooked = true;
				});
				for (let i = 0; i < 100; i++) await Promise.resolve();
				const result = isLooked;
				await asked;
				return result;
			});
			expect(looked).toBe(false);
		},
	);

	test("so do sites and stores that answer many at once", async () => {
		let inThisTurn = { fetched: 0, compiled: 0 };
		const most = { ...inThisTurn };
		const count = (what: "fetched" | "compiled") => {
			inThisTurn[what]++;
			most[what] = Math.max(most[what], inThisTurn[what]);
		};
		let isOver = false;
		const nextTurn = () => {
			inThisTurn = { fetched: 0, compiled: 0 };
			if (!isOver) setImmediate(nextTurn);
		};
		const fetch: Fetch = async () => {
			count("fetched");
			return new Response(FILE);
		};
		// Sets wait for one another, as in a database's commit.
		const memory = new MemoryStore();
		let written: (() => void)[] = [];
		const store = {
			get: (key: string) => memory.get(key),
			set: (key: string, entry: Uint8Array) =>
				new Promise<void>((resolve) => {
					if (written.length === 0)
						setTimeout(() => {
							for (const done of written) done();
							written = [];
						}, 10);
					written.push(resolve);
					memory.set(key, entry);
				}),
			delete: (key: string) => memory.delete(key),
			close: () => memory.close(),
		};
		const { set } = RobotsIndex.prototype;
		const spy = vi
			.spyOn(RobotsIndex.prototype, "set")
			.mockImplementation(function (this: RobotsIndex, ...rules) {
				count("compiled");
				set.apply(this, rules);
			});
		try {
			await using client = clientOf({ fetch, store });
			setImmediate(nextTurn);
			await withSlowClock(() => client.matchMany(pages(200)));
		} finally {
			isOver = true;
			spy.mockRestore();
		}
		expect(most.fetched).toBeLessThanOrEqual(6);
		expect(most.compiled).toBeLessThanOrEqual(6);
	});

	test("and a store that is slower than the sites gets no more to write than it takes", async () => {
		const memory = new MemoryStore();
		const written: (() => void)[] = [];
		let isSlow = true;
		const store = {
			get: (key: string) => memory.get(key),
			async set(key: string, entry: Uint8Array) {
				await memory.set(key, entry);
				if (isSlow) await new Promise<void>((done) => written.push(done));
			},
			delete: (key: string) => memory.delete(key),
			close: () => memory.close(),
		};
		const { fetch } = answering();
		await using client = clientOf({ fetch, store, concurrency: 20 });
		const judged = client.matchMany(pages(500));
		for (let last = -1, still = 0; still < 20; ) {
			await new Promise((resolve) => setImmediate(resolve));
			still = written.length === last ? still + 1 : 0;
			last = written.length;
		}
		expect(written).toHaveLength(64 + 20);
		isSlow = false;
		for (const done of written) done();
		expect(await judged).toEqual(new Uint8Array(500));
		expect(client.stats().requests).toBe(500);
	});

	test("and many calls at once have few look-ups under way, whatever their number", async () => {
		const waiting: (() => void)[] = [];
		const fetch: Fetch = () =>
			new Promise((resolve) => {
				waiting.push(() => resolve(new Response(FILE)));
			});
		await using client = clientOf({ fetch });
		const judged = Promise.all(
			Array.from({ length: 20 }, (_, i) =>
				client.matchMany(pages(100, 100 * i)),
			),
		);
		let most = 0;
		let isOver = false;
		judged.finally(() => {
			isOver = true;
		});
		while (!isOver) {
			waiting.shift()?.();
			await new Promise((resolve) => setImmediate(resolve));
			const { active, queued } = client.stats();
			most = Math.max(most, active + queued);
		}
		expect(await judged).toEqual(Array(20).fill(new Uint8Array(100)));
		expect(client.stats().requests).toBe(2000);
		expect(most).toBeGreaterThan(100);
		// Of each call ten, and more of those that came first.
		expect(most).toBeLessThanOrEqual(400);
	});

	test("and calls at once look each origin up once", async () => {
		await using client = clientOf({ store: knownStore(Date.now()) });
		const urls = pages(200);
		await withSlowClock(() =>
			Promise.all(
				Array.from({ length: 20 }, async () => {
					await client.matchMany(urls);
				}),
			),
		);
		expect(client.stats().storeHits).toBe(200);
	});

	test("and many calls go on in the order in which they came", async () => {
		await using client = clientOf({ store: knownStore(Date.now()) });
		const order: number[] = [];
		await withSlowClock(() =>
			Promise.all(
				pages(200).map(async (url, i) => {
					await client.isAllowed(url);
					order.push(i);
				}),
			),
		);
		expect(order).toEqual(order.toSorted((a, b) => a - b));
	});
});

test.each([
	["of plain names", "", 30],
	["with ports", ":8080", 1000],
])(
	"no map grows with the number of origins %s: growing one stops everything else",
	async (_, port, least) => {
		await using client = clientOf({ store: knownStore(Date.now()) });
		const urls = hosts(9000).map((origin) => `${origin}${port}/private`);
		let largest = 0;
		const { set } = Map.prototype;
		const spy = vi.spyOn(Map.prototype, "set").mockImplementation(function (
			this: Map<unknown, unknown>,
			...entry
		) {
			set.apply(this, entry);
			largest = Math.max(largest, this.size);
			return this;
		});
		try {
			expect(await client.matchMany(urls)).toEqual(new Uint8Array(9000));
		} finally {
			spy.mockRestore();
		}
		expect(client.stats().origins).toBe(9000);
		expect(largest).toBeLessThanOrEqual(8192);
		expect(largest).toBeGreaterThan(least);
	},
);

test("rules are compiled once, to the form that an index keeps", async () => {
	await using client = clientOf({ store: knownStore(Date.now()) });
	const compiled = vi.spyOn(RobotsTxt.prototype, "for");
	try {
		await client.matchMany(pages(50));
		expect([...client.peek(pages(50))]).toEqual(Array(50).fill(0));
		expect(compiled).not.toHaveBeenCalled();
	} finally {
		compiled.mockRestore();
	}
});

test.each(calls)("reads of the store are bounded: %s", async (_, call) => {
	const store = knownStore(Date.now());
	store.answer = () => new Promise((resolve) => setImmediate(resolve));
	await using client = clientOf({ store });
	await call(client, pages(1000));
	expect(client.stats().storeHits).toBe(1000);
	expect(store.most).toBeLessThanOrEqual(100);
	expect(store.most).toBeGreaterThan(10);
});

describe("A signal has one listener", () => {
	const all: readonly (readonly [string, Call])[] = [
		...calls,
		[
			"fetch, all at once",
			(client, urls, signal) =>
				Promise.all(urls.map((url) => client.fetch(url, { signal }))),
		],
	];
	test.each(all)("%s", async (_, call) => {
		const { signal } = new AbortController();
		let most = 0;
		const listeners = () => getEventListeners(signal, "abort").length;
		const fetch: Fetch = async () => {
			most = Math.max(most, listeners());
			return new Response(FILE);
		};
		await using client = clientOf({ fetch });
		await call(client, pages(30), signal);
		expect(client.stats().requests).toBe(30);
		expect(most).toBe(1);
		expect(listeners()).toBe(0);
	});
});

/** Bytes in use, once garbage is gone. */
async function bytes(): Promise<number> {
	setFlagsFromString("--expose-gc");
	// Some of it is only let go after others have been collected.
	for (let i = 0; i < 3; i++) {
		(runInNewContext("gc") as () => void)();
		await new Promise((resolve) => setTimeout(resolve, 1));
	}
	const { heapUsed, external } = process.memoryUsage();
	return heapUsed + external;
}

describe("Memory", () => {
	const MIB = 2 ** 20;
	type Load = readonly [
		string,
		Partial<RobotsClientOptions>,
		(client: RobotsClient, round: number) => Promise<unknown>,
		rounds: number,
	];
	const loads: readonly Load[] = [
		[
			"one origin asked for again and again",
			{},
			(client) => client.access("https://h.test/"),
			20_000,
		],
		[
			"one origin fetched again and again",
			{},
			(client) => client.fetch("https://h.test/"),
			6000,
		],
		[
			"ever new origins",
			{ maxOrigins: 100, store: new MemoryStore({ maxEntries: 100 }) },
			(client, round) => client.isAllowed(`https://h${round}.test/`),
			6000,
		],
		[
			"ever new origins, in many calls at once",
			{ maxOrigins: 100, store: new MemoryStore({ maxEntries: 100 }) },
			(client, round) => client.matchMany(pages(3, round * 3)),
			2700,
		],
		[
			"a few origins that leave and come back",
			{ maxOrigins: 10 },
			(client, round) => client.isAllowed(`https://h${round % 20}.test/`),
			6000,
		],
		[
			"origins forgotten",
			{},
			async (client, round) => {
				await client.isAllowed(`https://h${round}.test/`);
				await client.forget(`https://h${round}.test/`);
			},
			6000,
		],
		[
			"addresses that are refused",
			{ allowPrivateNetwork: false },
			(client, round) =>
				client.isAllowed(`http://127.0.${round % 200}.${round % 250}/`),
			6000,
		],
	];
	test.each(loads)("is bounded: %s", async (_, options, load, rounds) => {
		await using client = clientOf({ fetch: answering().fetch, ...options });
		const run = async (from: number, to: number) => {
			for (let round = from; round < to; round++) await load(client, round);
		};
		const warm = 500;
		await run(0, warm);
		const before = await bytes();
		await run(warm, isWhole ? rounds : rounds / 3);
		expect((await bytes()) - before).toBeLessThan(MIB);
	});

	test.each(calls)(
		"long URLs do not stay in memory with their origins: %s",
		async (_, call) => {
			const { fetch } = answering();
			const store = new MemoryStore({ maxEntries: 0 });
			await using client = clientOf({ fetch, store });
			const longUrl = (i: number) => `${pages(1, i)}/${"a".repeat(MIB)}${i}`;
			await call(client, [longUrl(0)]);
			const before = await bytes();
			for (let i = 1; i < 20; i++) await call(client, [longUrl(i)]);
			expect((await bytes()) - before).toBeLessThan(8 * MIB);
			expect(client.stats().origins).toBe(20);
		},
	);

	test("an origin takes 1.5 KB beside its rules", async () => {
		// As long as a file of the mean length, and as repetitive.
		const text = Array.from(
			{ length: 100 },
			(_, i) => `Disallow: /section-${i * 7919}/page\n`,
		).join("");
		const fetch: Fetch = async () => new Response(`User-agent: *\n${text}`);
		await using client = clientOf({ fetch });
		await client.filter(hosts(1000));
		const before = await bytes();
		for (let first = 1000; first < 6000; first += 1000)
			await client.filter(hosts(1000, first));
		expect(((await bytes()) - before) / 5000).toBeLessThan(1536);
		expect(client.stats().origins).toBe(6000);
	});
});

describe("When there is room for few origins", () => {
	const judged: readonly (readonly [
		string,
		(client: RobotsClient, urls: readonly string[]) => Promise<unknown>,
	])[] = [
		...calls.slice(0, 4),
		["peek", async (client, urls) => client.peek(urls)],
	];
	test.each(judged)("those used least recently leave: %s", async (_, call) => {
		const { asked, fetch } = answering();
		// Nothing is stored: what is not at hand is asked for.
		const store = new MemoryStore({ maxEntries: 0 });
		await using client = clientOf({ fetch, store, maxOrigins: 4 });
		for (const url of pages(4)) await client.isAllowed(url);
		await call(client, [pages(4)[0] ?? "", pages(4)[2] ?? ""]);
		await client.matchMany(pages(2, 4));
		expect(client.stats().origins).toBe(4);
		asked.length = 0;
		await client.isAllowed("https://h0.test/");
		await client.isAllowed("https://h2.test/");
		expect(asked).toEqual([]);
		await client.isAllowed("https://h1.test/");
		expect(asked).toEqual(["h1.test"]);
	});
});

describe("When very many origins have expired", () => {
	test.each(calls.slice(0, 4))(
		"a call clears some of them, and asks anew for those that it needs: %s",
		async (_, call) => {
			const { asked, fetch } = answering();
			const time = clock();
			await using client = clientOf({ fetch, now: time.read });
			const urls = pages(3000);
			await client.matchMany(urls);
			time.now += 2 * DAY;
			asked.length = 0;
			const deleted = vi.spyOn(RobotsIndex.prototype, "delete");
			try {
				await call(client, urls.slice(2000, 2002));
				expect(deleted.mock.calls.length).toBeLessThan(300);
				expect(asked.sort()).toEqual(["h2000.test", "h2001.test"]);
				for (let i = 0; i < 40; i++) await client.isAllowed(urls[0] ?? "");
			} finally {
				deleted.mockRestore();
			}
			expect(client.stats().origins).toBe(3);
		},
	);
});

describe("When the clock is set back", () => {
	type Steps = readonly (readonly [step: number, requests: number])[];
	const rows: readonly (readonly [string, Steps])[] = [
		[
			"three days: asked again, once",
			[
				[-3 * DAY, 2],
				[0, 2],
				[HOUR, 2],
			],
		],
		[
			"an hour",
			[
				[-HOUR, 2],
				[0, 2],
			],
		],
		[
			"a second, or two clocks differ",
			[
				[-1000, 1],
				[-MINUTE + 1000, 1],
			],
		],
		[
			"and forward again",
			[
				[-3 * DAY, 2],
				[3 * DAY, 3],
			],
		],
		[
			"by little many times",
			[
				[-50_000, 1],
				[-50_000, 2],
			],
		],
	];
	const ways: readonly (readonly [string, Partial<RobotsClientOptions>])[] = [
		["at hand", {}],
		["from the store", { maxOrigins: 1 }],
	];
	const both = ways.flatMap(([way, options]) =>
		rows.map(([name, steps]) => ({ name, steps, way, options })),
	);
	test.each(both)("$way, $name", async ({ steps, options }) => {
		const { asked, fetch } = answering();
		const time = clock();
		await using client = clientOf({ fetch, now: time.read, ...options });
		const other = async () => {
			await client.isAllowed("https://other.test/");
		};
		const requests = () => asked.filter((host) => host === "h0.test").length;
		await client.isAllowed("https://h0.test/private");
		for (const [step, expected] of steps) {
			await other();
			time.now += step;
			await other();
			for (const [, call] of calls.slice(0, 4))
				await call(client, ["https://h0.test/private"]);
			expect(requests()).toBe(expected);
		}
	});

	test("what fails does not live longer either", () => {
		const now = Date.UTC(2026, 0, 10);
		const fetched = accessFor(found(), null, { now });
		const failure = { failure: { code: "timeout", message: "" } } as const;
		const failing = accessFor(failure, fetched, { now });
		expect(failing.access).toBe("rules");
		const earlier = now - 3 * DAY;
		const later = accessFor(failure, failing, { now: earlier });
		expect(later).toMatchObject({
			access: "disallow-all",
			unreachableSince: earlier,
		});
	});
});

describe("peek", () => {
	test("answers from what is at hand, and starts nothing", async () => {
		const { asked, fetch } = answering();
		const time = clock();
		await using client = clientOf({ fetch, now: time.read });
		const urls = [
			...pages(2),
			"https://h0.test/open",
			"no url",
			"gopher://h0.test/",
		];
		const nothing = [2, 2, 2, 3, 2];
		expect([...client.peek(urls)]).toEqual(nothing);
		await client.isAllowed(urls[0] ?? "");
		expect([...client.peek(urls)]).toEqual([0, 2, 1, 3, 2]);
		time.now += 2 * DAY;
		expect([...client.peek(urls)]).toEqual(nothing);
		expect(asked).toEqual(["h0.test"]);
	});
});

describe("forget", () => {
	test("makes the next call ask anew", async () => {
		const { asked, fetch } = answering();
		const store = new MemoryStore();
		await using client = clientOf({ fetch, store });
		const url = "https://h0.test/private";
		await client.isAllowed(url);
		await client.isAllowed("https://h1.test/");
		await client.forget("https://h0.test/any");
		expect([...client.peek([url])]).toEqual([2]);
		expect(store.size).toBe(1);
		await client.isAllowed(url);
		await client.isAllowed("https://h1.test/");
		expect(asked).toEqual(["h0.test", "h1.test", "h0.test"]);
	});

	test("answers on their way are for those who wait for them only", async () => {
		const answers: ((text: string) => void)[] = [];
		const fetch: Fetch = () =>
			new Promise((resolve) => {
				answers.push((text) => resolve(new Response(text)));
			});
		const store = new MemoryStore();
		await using client = clientOf({ fetch, store });
		const url = "https://h0.test/private";
		const first = client.isAllowed(url);
		await vi.waitFor(() => expect(answers).toHaveLength(1), {
			timeout: 15_000,
		});
		await client.forget(url);
		const second = client.isAllowed(url);
		await vi.waitFor(() => expect(answers).toHaveLength(2), {
			timeout: 15_000,
		});
		answers[0]?.(FILE);
		expect(await first).toBe(false);
		expect([...client.peek([url])]).toEqual([2]);
		answers[1]?.("");
		expect(await second).toBe(true);
		expect(await client.isAllowed(url)).toBe(true);
		await using next = clientOf({ fetch, store });
		expect(await next.isAllowed(url)).toBe(true);
		expect(answers).toHaveLength(2);
	});

	/** A store whose changes begin when they are asked for, and end when the test says so. */
	function heldStore() {
		const memory = new MemoryStore();
		const begun: string[] = [];
		const ends: (() => void)[] = [];
		let isOver = false;
		const change = async (what: string, make: () => Promise<void>) => {
			begun.push(what);
			if (!isOver) await new Promise<void>((resolve) => ends.push(resolve));
			await make();
		};
		const store = {
			get: (key: string) => memory.get(key),
			set: (key: string, entry: Uint8Array) =>
				change("set", () => memory.set(key, entry)),
			delete: (key: string) => change("delete", () => memory.delete(key)),
			close: () => memory.close(),
		};
		const until = (...changes: string[]) =>
			vi.waitFor(() => expect(begun).toEqual(changes), { timeout: 15_000 });
		return {
			...{ store, begun, ends, until },
			/** Holds nothing any more, so that clients can be closed. */
			[Symbol.dispose]() {
				isOver = true;
				for (const end of ends) end();
			},
		};
	}

	/** No store counts as one that hangs. */
	const patient = { timeout: 60_000, storeTimeout: 60_000 };

	/** As many turns as anything that waits for nothing needs. */
	async function manyTurns(): Promise<void> {
		for (let turn = 0; turn < 50; turn++)
			await new Promise((resolve) => setImmediate(resolve));
	}

	test("waits for what is being stored, and is waited for", async () => {
		const { asked, fetch } = answering();
		const held = heldStore();
		const { store, begun, ends, until } = held;
		await using client = clientOf({ fetch, store, ...patient });
		using _ = held;
		const url = "https://h0.test/";
		const first = client.isAllowed(url);
		await until("set");
		const forgotten = client.forget(url);
		const second = client.isAllowed(url);
		await manyTurns();
		expect([begun, asked]).toEqual([["set"], ["h0.test"]]);
		ends[0]?.();
		await until("set", "delete");
		await manyTurns();
		expect(asked).toEqual(["h0.test"]);
		ends[1]?.();
		await forgotten;
		await until("set", "delete", "set");
		ends[2]?.();
		expect(await Promise.all([first, second])).toEqual([true, true]);
		expect(asked).toEqual(["h0.test", "h0.test"]);
	});

	test.each<[what: string, changes: readonly ("set" | "delete")[]]>([
		["an answer", ["set"]],
		["what is forgotten", ["delete"]],
		["an answer, and what is forgotten after it", ["set", "delete"]],
	])("closing waits until the store has %s", async (_, changes) => {
		using held = heldStore();
		const { store, ends, until } = held;
		const { fetch } = answering();
		const client = clientOf({ fetch, store, ...patient });
		const url = "https://h0.test/";
		const make = {
			set: () => client.isAllowed(url),
			delete: () => client.forget(url),
		};
		const work: Promise<unknown>[] = [];
		for (const change of changes) {
			work.push(make[change]().catch(() => {}));
			await until(...changes.slice(0, 1));
		}
		let isClosed = false;
		const closed = client.close().then(() => {
			isClosed = true;
		});
		for (const at of changes.keys()) {
			await until(...changes.slice(0, at + 1));
			await manyTurns();
			expect(isClosed).toBe(false);
			ends[at]?.();
		}
		await closed;
		await Promise.all(work);
	});

	test("a store that fails is told of", async () => {
		const store = new MemoryStore();
		store.delete = async () => {
			throw new Error("read-only");
		};
		await using client = clientOf({ fetch: answering().fetch, store });
		const told: unknown[] = [];
		client.on("storeError", ({ operation }) => told.push(operation));
		await client.forget("https://h0.test/");
		expect(told).toEqual(["delete"]);
	});
});
