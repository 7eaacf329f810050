import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, test, vi } from "vitest";
import {
	MemoryStore,
	RobotsClient,
	type RobotsClientEvents,
	type RobotsClientOptions,
	type RobotsStore,
} from "../../src/client/index.ts";
import { RobotrieError, Verdict } from "../../src/index.ts";
import { clientOf, FILE, type Handler, serve } from "./site.ts";

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

const file: Handler = (_, response) => response.end(FILE);

/** A clock that stands still until it is set. */
const clock = () => {
	const time = { now: Date.UTC(2026, 0, 1), read: () => time.now };
	return time;
};

/** Resolves when nothing is under way any more. */
const idle = (client: RobotsClient) =>
	vi.waitFor(() => {
		const { active, queued } = client.stats();
		expect(active + queued).toBe(0);
	});

describe("Answers", () => {
	test("for one URL and for many, of any origins", async () => {
		await using site = await serve((request, response) => {
			if (request.headers.host?.startsWith("none.")) response.statusCode = 404;
			if (request.headers.host?.startsWith("down.")) response.statusCode = 503;
			response.end(FILE);
		});
		await using client = clientOf();
		const at = (name: string, path: string) => site.origin(name) + path;
		const urls = [
			at("a.test", "/private"),
			at("a.test", "/open"),
			at("none.test", "/private"),
			at("down.test", "/open"),
			at("down.test", "/robots.txt"),
			at("b.test", "/private/x?y#z"),
			at("A.TEST", "/private"),
			"no url",
			"/path",
			"gopher://a.test/",
			"mailto:someone@a.test",
			"",
		];
		const { Allowed, Disallowed, Unknown, Invalid } = Verdict;
		const expected = [
			...[Disallowed, Allowed, Allowed, Disallowed, Allowed],
			...[Disallowed, Disallowed, Invalid, Invalid, Unknown, Unknown, Invalid],
		];
		// First from what was fetched, then from the index.
		for (const _ of [1, 2]) {
			expect([...(await client.matchMany(urls))]).toEqual(expected);
			const lines = new TextEncoder().encode(urls.join("\r\n").concat("\n"));
			expect([...(await client.matchLines(lines))]).toEqual(expected);
			expect(await client.filter(urls)).toEqual([urls[1], urls[2], urls[4]]);
			for (const [i, url] of urls.entries()) {
				if (expected[i] === Invalid || expected[i] === Unknown)
					await expect(client.isAllowed(url)).rejects.toMatchObject({
						code: "invalid-url",
					});
				else expect(await client.isAllowed(url)).toBe(expected[i] === Allowed);
			}
		}
		expect(site.requests.sort()).toEqual(
			["a", "b", "down", "none"].map((name) => `${name}.test/robots.txt`),
		);
	});

	test("by the rules of the agent and the dialect", async () => {
		await using site = await serve((_, response) =>
			response.end("User-agent: ExampleBot\nDissallow: /a\n"),
		);
		const url = `${site.origin("a.test")}/a`;
		const of = async (options: Partial<RobotsClientOptions>) => {
			await using client = clientOf(options);
			return await client.isAllowed(url);
		};
		expect(await of({})).toBe(true);
		expect(await of({ dialect: "google" })).toBe(false);
		expect(await of({ dialect: "google", agent: "OtherBot" })).toBe(true);
	});

	test("what an origin's robots.txt means", async () => {
		await using site = await serve((_, response) =>
			response.writeHead(200, { "cache-control": "max-age=3600" }).end(FILE),
		);
		const time = clock();
		await using client = clientOf({ now: time.read });
		expect(await client.access(site.origin("a.test"))).toMatchObject({
			access: "rules",
			code: "success",
			expires: time.now + HOUR,
		});
		await client.access(`${site.origin("a.test")}/b`);
		expect(site.requests).toHaveLength(1);
		await client.fetch(site.origin("a.test"));
		expect(site.requests).toHaveLength(2);
	});

	test("with room for few origins only", async () => {
		await using site = await serve(file);
		await using client = clientOf({ maxOrigins: 2 });
		const urls = Array.from({ length: 300 }, (_, i) =>
			["/private", "/open"].map(
				(path) => site.origin(`h${i % 30}.test`) + path,
			),
		).flat();
		const verdicts = await client.matchMany(urls);
		expect(verdicts.every((verdict, i) => verdict === i % 2)).toBe(true);
		expect(client.stats()).toMatchObject({ origins: 2, requests: 30 });
		await client.matchMany(urls);
		expect(client.stats()).toMatchObject({ origins: 2, requests: 30 });
	});
});

describe("Requests", () => {
	test("one per origin, however many wait", async () => {
		await using site = await serve((_, response) => {
			setTimeout(() => response.end(FILE), 30);
		});
		await using client = clientOf();
		const url = `${site.origin("a.test")}/private`;
		const answers = await Promise.all([
			...Array.from({ length: 50 }, () => client.isAllowed(url)),
			client.filter([url]).then(({ length }) => length > 0),
			client.access(url).then(({ access }) => access !== "rules"),
		]);
		expect(answers).toEqual(answers.map(() => false));
		expect(site.requests).toHaveLength(1);
	});

	test("one, for those who ask for it anew as well", async () => {
		await using site = await serve((_, response) => {
			setTimeout(() => response.end(FILE), 30);
		});
		await using client = clientOf();
		const url = site.origin("a.test");
		await Promise.all([
			client.fetch(url),
			client.isAllowed(url),
			client.fetch(`${url}/b`),
		]);
		expect(site.requests).toHaveLength(1);
	});

	test("so many at a time and not more", async () => {
		let active = 0;
		let most = 0;
		await using site = await serve((_, response) => {
			most = Math.max(most, ++active);
			setTimeout(() => {
				active--;
				response.end(FILE);
			}, 5);
		});
		await using client = clientOf({ concurrency: 4 });
		const urls = Array.from({ length: 40 }, (_, i) =>
			site.origin(`h${i}.test`),
		);
		await client.filter(urls);
		expect(most).toBe(4);
		expect(site.requests).toHaveLength(40);
	});
});

describe("An abort signal", () => {
	const hanging = async () => {
		let closed = () => {};
		const gone = new Promise<void>((resolve) => {
			closed = resolve;
		});
		let arrived = () => {};
		const asked = new Promise<void>((resolve) => {
			arrived = resolve;
		});
		const site = await serve((request, response) => {
			request.socket.on("close", closed);
			arrived();
			if (request.headers.host?.startsWith("quick")) response.end(FILE);
		});
		return { site, asked, gone };
	};

	test("ends the waiting, and the request that nobody else waits for", async () => {
		const { site, asked, gone } = await hanging();
		await using _ = site;
		// Longer than the test may take: only the abort can end the request.
		await using client = clientOf({ timeout: 600_000 });
		const controller = new AbortController();
		const { signal } = controller;
		const url = site.origin("slow.test");
		const calls = [
			client.isAllowed(url, { signal }),
			client.filter([url], { signal }),
			client.access(url, { signal }),
			client.matchLines(new TextEncoder().encode(url), { signal }),
		];
		await asked;
		const reason = new Error("enough");
		controller.abort(reason);
		for (const call of calls) await expect(call).rejects.toBe(reason);
		await gone;
		// The next one starts anew.
		const again = client.isAllowed(url, { signal: AbortSignal.timeout(50) });
		await expect(again).rejects.toMatchObject({ name: "TimeoutError" });
		expect(client.stats().requests).toBe(2);
	});

	test("of one leaves the others waiting", async () => {
		let finish = () => {};
		let arrived = () => {};
		const asked = new Promise<void>((resolve) => {
			arrived = resolve;
		});
		await using site = await serve((_, response) => {
			finish = () => response.end(FILE);
			arrived();
		});
		await using client = clientOf();
		const controller = new AbortController();
		const url = `${site.origin("a.test")}/open`;
		const first = client.isAllowed(url, { signal: controller.signal });
		const second = client.isAllowed(url);
		await asked;
		controller.abort();
		await expect(first).rejects.toMatchObject({ name: "AbortError" });
		finish();
		expect(await second).toBe(true);
		expect(site.requests).toHaveLength(1);
	});

	test("that is already aborted asks nothing", async () => {
		await using site = await serve(file);
		await using client = clientOf();
		const signal = AbortSignal.abort();
		const url = site.origin("a.test");
		await expect(client.isAllowed(url, { signal })).rejects.toThrow();
		await expect(client.fetch(url, { signal })).rejects.toThrow();
		expect(site.requests).toEqual([]);
	});

	test("before its turn takes the request out of the queue", async () => {
		const { site, asked } = await hanging();
		await using _ = site;
		await using client = clientOf({ concurrency: 1 });
		const slow = client.isAllowed(site.origin("slow.test"));
		slow.catch(() => {});
		await asked;
		const controller = new AbortController();
		const queued = client.isAllowed(site.origin("b.test"), {
			signal: controller.signal,
		});
		controller.abort();
		await expect(queued).rejects.toMatchObject({ name: "AbortError" });
		await client.close();
		await expect(slow).rejects.toMatchObject({ code: "disposed" });
		expect(site.requests).toEqual(["slow.test/robots.txt"]);
	});
});

describe("Time", () => {
	test("an answer holds until it expires, and is then asked for conditionally", async () => {
		await using site = await serve((request, response) => {
			const isSame = request.headers["if-none-match"] === '"1"';
			response.writeHead(isSame ? 304 : 200, {
				etag: '"1"',
				"last-modified": "Thu, 01 Jan 2026 00:00:00 GMT",
			});
			response.end(isSame ? undefined : FILE);
		});
		const time = clock();
		await using client = clientOf({ now: time.read, refreshAhead: 0 });
		const url = `${site.origin("a.test")}/private`;
		expect(await client.isAllowed(url)).toBe(false);
		time.now += DAY - 1;
		expect(await client.isAllowed(url)).toBe(false);
		expect(site.requests).toHaveLength(1);
		time.now += 1;
		expect(await client.isAllowed(url)).toBe(false);
		expect(site.headers).toHaveLength(2);
		expect(site.headers[1]).toMatchObject({
			"if-none-match": '"1"',
			"if-modified-since": "Thu, 01 Jan 2026 00:00:00 GMT",
		});
		time.now += DAY - 1;
		expect(await client.isAllowed(url)).toBe(false);
		expect(client.stats()).toMatchObject({ requests: 2, notModified: 1 });
	});

	test("a redirect's target gets the validators that came from there", async () => {
		await using site = await serve((request, response) => {
			if (request.url === "/robots.txt")
				response.writeHead(301, { location: "/real" }).end();
			else if (request.headers["if-none-match"]) response.writeHead(304).end();
			else response.writeHead(200, { etag: '"2"' }).end(FILE);
		});
		await using client = clientOf();
		await client.fetch(site.origin("a.test"));
		const { access } = await client.fetch(site.origin("a.test"));
		expect(access.code).toBe("not-modified");
		expect(site.headers.map((fields) => fields["if-none-match"])).toEqual([
			undefined,
			undefined,
			undefined,
			'"2"',
		]);
	});

	test("what is in use is refreshed in the background before it expires", async () => {
		let text = FILE;
		await using site = await serve((_, response) => response.end(text));
		const time = clock();
		await using client = clientOf({ now: time.read });
		const url = `${site.origin("a.test")}/private`;
		expect(await client.isAllowed(url)).toBe(false);
		await client.isAllowed(site.origin("idle.test"));
		text = "";
		time.now += 0.9 * DAY;
		// The old answer still holds, and nobody waits for the new one.
		expect(await client.isAllowed(url)).toBe(false);
		await vi.waitFor(() => expect(site.requests).toHaveLength(3));
		await idle(client);
		expect(await client.isAllowed(url)).toBe(true);
		expect(client.stats()).toMatchObject({ requests: 3, refreshes: 1 });
		expect(site.requests.at(-1)).toBe("a.test/robots.txt");
	});

	test("a refresh that fails changes nothing before the copy expires", async () => {
		let status = 200;
		await using site = await serve((_, response) => {
			response.statusCode = status;
			response.end(FILE);
		});
		const time = clock();
		await using client = clientOf({ now: time.read });
		const open = `${site.origin("a.test")}/open`;
		expect(await client.isAllowed(open)).toBe(true);
		status = 503;
		time.now += 0.95 * DAY;
		for (const requests of [2, 3, 4]) {
			expect(await client.isAllowed(open)).toBe(true);
			await vi.waitFor(() => expect(site.requests).toHaveLength(requests));
			await idle(client);
			// Not before its time.
			expect(await client.isAllowed(open)).toBe(true);
			expect(site.requests).toHaveLength(requests);
			time.now += 10 * MINUTE;
		}
		time.now += 0.05 * DAY;
		expect(await client.isAllowed(open)).toBe(false);
		status = 200;
		expect(await client.isAllowed(open)).toBe(false);
		time.now += HOUR;
		expect(await client.isAllowed(open)).toBe(true);
	});

	test("a server that asks for time gets it", async () => {
		await using site = await serve((_, response) =>
			response.writeHead(503, { "retry-after": "600" }).end(),
		);
		const time = clock();
		await using client = clientOf({ now: time.read });
		const url = site.origin("a.test");
		for (const [later, requests] of [
			[0, 1],
			[599_999, 1],
			[1, 2],
		] as const) {
			time.now += later;
			expect(await client.isAllowed(url)).toBe(false);
			await idle(client);
			expect(site.requests).toHaveLength(requests);
		}
	});

	test("a copy that holds answers at once while a server that has failed is asked", async () => {
		let handler = file;
		await using site = await serve((...both) => handler(...both));
		const time = clock();
		await using client = clientOf({ now: time.read, timeout: 600_000 });
		const url = `${site.origin("a.test")}/private`;
		await client.isAllowed(url);
		handler = (_, response) => response.writeHead(503).end();
		time.now += 0.95 * DAY;
		await client.isAllowed(url);
		await vi.waitFor(() => expect(site.requests).toHaveLength(2));
		await idle(client);
		handler = () => {};
		time.now += 10 * MINUTE;
		expect(await client.isAllowed(url)).toBe(false);
		await vi.waitFor(() => expect(site.requests).toHaveLength(3));
	});
});

describe("A store", () => {
	test("gives the next client what the last one fetched", async () => {
		await using site = await serve(file);
		const store = new MemoryStore();
		const url = `${site.origin("a.test")}/private`;
		for (const storeHits of [0, 1, 1]) {
			await using client = clientOf({ store });
			expect(await client.isAllowed(url)).toBe(false);
			expect(client.stats()).toMatchObject({ storeHits });
		}
		expect(site.requests).toHaveLength(1);
	});

	test("has it before anybody is told", async () => {
		await using site = await serve(file);
		const memory = new MemoryStore();
		const order: string[] = [];
		const store: RobotsStore = {
			get: (key) => memory.get(key),
			async set(key, entry) {
				await sleep(20);
				await memory.set(key, entry);
				order.push("stored");
			},
			delete: (key) => memory.delete(key),
			close: () => memory.close(),
		};
		await using client = clientOf({ store });
		await client.isAllowed(site.origin("a.test"));
		order.push("told");
		expect(order).toEqual(["stored", "told"]);
	});

	const damage: readonly (readonly [
		string,
		(entry: Uint8Array) => Uint8Array,
		RegExp,
	])[] = [
		["nothing", () => new Uint8Array(), /too short/],
		["fewer octets", (entry) => entry.subarray(0, -1), /check sum/],
		[
			"more octets",
			(entry) => Buffer.concat([entry, Buffer.from("x")]),
			/check sum/,
		],
		[
			"one bit in the body",
			(entry) =>
				entry.map((octet, i) => (i === entry.length - 2 ? octet ^ 1 : octet)),
			/check sum/,
		],
		[
			"one bit in the description",
			(entry) => entry.map((octet, i) => (i === 40 ? octet ^ 4 : octet)),
			/check sum/,
		],
		[
			"another version",
			(entry) => entry.map((octet, i) => (i === 4 ? 99 : octet)),
			/version 99, not 1/,
		],
		[
			"something else",
			() => new TextEncoder().encode('{"access":"allow-all"}'),
			/no entry/,
		],
	];

	test.each(damage)(
		"whose entry is damaged is not trusted: %s",
		async (_, change, message) => {
			await using site = await serve(file);
			const store = new MemoryStore();
			const origin = site.origin("a.test");
			{
				await using client = clientOf({ store });
				await client.isAllowed(origin);
			}
			await store.set(origin, change((await store.get(origin)) as Uint8Array));
			await using client = clientOf({ store });
			const told: RobotsClientEvents["corrupt"][] = [];
			client.on("corrupt", (event) => told.push([event]));
			expect(await client.isAllowed(`${origin}/private`)).toBe(false);
			expect(told).toMatchObject([[{ origin }]]);
			expect(told[0]?.[0].reason).toMatch(message);
			expect(client.stats().corruptEntries).toBe(1);
			expect(site.requests).toHaveLength(2);
			await using next = clientOf({ store });
			await next.isAllowed(origin);
			expect(site.requests).toHaveLength(2);
		},
	);

	test("that gives another origin's entry is not trusted", async () => {
		await using site = await serve(file);
		const store = new MemoryStore();
		await using client = clientOf({ store });
		const [a, b] = [site.origin("a.test"), site.origin("b.test")];
		await client.isAllowed(a);
		await store.set(b, (await store.get(a)) as Uint8Array);
		await client.isAllowed(b);
		expect(client.stats()).toMatchObject({ requests: 2, corruptEntries: 1 });
	});

	test("that fails is done without, and told of", async () => {
		await using site = await serve(file);
		const fail = () => Promise.reject(new Error("store is away"));
		const store = { get: fail, set: fail, delete: fail, close: fail };
		await using client = clientOf({ store });
		const told: unknown[] = [];
		client.on("storeError", ({ operation, error }) =>
			told.push([operation, (error as Error).message]),
		);
		expect(await client.isAllowed(`${site.origin("a.test")}/private`)).toBe(
			false,
		);
		expect(told).toEqual([
			["get", "store is away"],
			["set", "store is away"],
		]);
		expect(client.stats().storeErrors).toBe(2);
	});

	test("keeps what another client has cut from one that wants more", async () => {
		await using site = await serve(file);
		const store = new MemoryStore();
		const url = `${site.origin("a.test")}/private`;
		await using small = clientOf({ store, maxBytes: 20 });
		expect(await small.isAllowed(url)).toBe(true);
		await using large = clientOf({ store });
		expect(await large.isAllowed(url)).toBe(false);
		expect(site.requests).toHaveLength(2);
	});

	test("keeps what Yandex reads otherwise apart", async () => {
		await using site = await serve((_, response) => {
			response.statusCode = 503;
			response.end();
		});
		const store = new MemoryStore();
		const url = site.origin("a.test");
		await using strict = clientOf({ store });
		expect(await strict.isAllowed(url)).toBe(false);
		await using yandex = clientOf({ store, dialect: "yandex" });
		expect(await yandex.isAllowed(url)).toBe(true);
		await using google = clientOf({ store, dialect: "google" });
		expect(await google.isAllowed(url)).toBe(false);
		expect(site.requests).toHaveLength(2);
	});
});

describe("Events", () => {
	test("tell what happens", async () => {
		await using site = await serve(file);
		const store = new MemoryStore();
		const origin = site.origin("a.test");
		const told: string[] = [];
		for (const _ of [1, 2]) {
			await using client = clientOf({ store });
			client.on("request", ({ url, background }) =>
				told.push(`request ${url} ${background}`),
			);
			client.on("answer", ({ access, outcome, milliseconds }) =>
				told.push(
					`answer ${outcome.status} ${access.code} ${milliseconds >= 0}`,
				),
			);
			client.on("stored", ({ access }) => told.push(`stored ${access.code}`));
			await client.isAllowed(origin);
		}
		expect(told).toEqual([
			`request ${origin}/robots.txt false`,
			"answer 200 success true",
			"stored success",
		]);
	});

	test("whose listener fails cost no answer", async () => {
		await using site = await serve(file);
		await using client = clientOf();
		client.on("answer", () => {
			throw new Error("listener");
		});
		const uncaught = new Promise<Error>((resolve) => {
			const listeners = process.rawListeners("uncaughtException");
			process.removeAllListeners("uncaughtException");
			process.once("uncaughtException", (error) => {
				for (const listener of listeners)
					process.on(
						"uncaughtException",
						listener as NodeJS.UncaughtExceptionListener,
					);
				resolve(error);
			});
		});
		expect(await client.isAllowed(site.origin("a.test"))).toBe(true);
		expect((await uncaught).message).toBe("listener");
	});
});

test("stats count", async () => {
	await using site = await serve((request, response) => {
		if (request.url === "/robots.txt")
			response.writeHead(302, { location: "/x" }).end();
		else response.end(FILE);
	});
	await using client = clientOf();
	await client.filter([site.origin("a.test"), site.origin("b.test")]);
	await client.filter(["http://nowhere.invalid/"]);
	expect(client.stats()).toEqual({
		origins: 3,
		active: 0,
		queued: 0,
		requests: 3,
		refreshes: 0,
		redirects: 2,
		notModified: 0,
		failures: 1,
		bytes: 2 * FILE.length,
		storeHits: 0,
		storeMisses: 3,
		corruptEntries: 0,
		storeErrors: 0,
	});
});

test("a closed client refuses", async () => {
	const client = clientOf();
	await client.close();
	for (const call of [
		client.isAllowed("http://a.test/"),
		client.filter([]),
		client.matchLines(new Uint8Array()),
		client.access("http://a.test/"),
		client.fetch("http://a.test/"),
	])
		await expect(call).rejects.toMatchObject({ code: "disposed" });
	await client.close();
});

test.each<readonly [Partial<RobotsClientOptions>, RegExp]>([
	[{ agent: [] }, /an agent is a product token/],
	[{ dialect: "bing" as "google" }, /unknown dialect "bing"/],
	[{ concurrency: 0 }, /concurrency is a number from 1 on, not 0/],
	[{ timeout: -1 }, /timeout is a number from 1 to 2147483647, not -1/],
	[{ timeout: Number.NaN }, /timeout .* not NaN/],
	[{ maxBytes: -1 }, /maxBytes is a number from 0/],
	[{ maxOrigins: 0 }, /maxOrigins is a number from 1 on/],
	[{ refreshAhead: 2 }, /refreshAhead is a number from 0 to 1, not 2/],
	[{ maxRedirects: -1 }, /maxRedirects is a number from 0 on, not -1/],
	[{ userAgent: "a\nb" }, /userAgent is a header field's value, not "a\\nb"/],
	[{ userAgent: "" }, /userAgent is a header field's value, not ""/],
])("%j is refused", (options, message) => {
	const make = () => new RobotsClient({ agent: "ExampleBot", ...options });
	expect(make).toThrow(RobotrieError);
	expect(make).toThrow(message);
});

test.each(["no url", "/path", "gopher://a.test/", ""])(
	"%j is no URL to ask",
	async (url) => {
		await using client = clientOf();
		await expect(client.access(url)).rejects.toMatchObject({
			code: "invalid-url",
		});
		await expect(client.fetch(url)).rejects.toMatchObject({
			code: "invalid-url",
		});
	},
);
