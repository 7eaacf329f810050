import { describe, expect, test } from "vitest";
import { RobotrieError, Verdict } from "../../../src/index.ts";
import {
	MemoryStore,
	RobotsClient,
	type RobotsClientOptions,
} from "../src/index.ts";
import { clientOf, clock, FILE, file, HOUR, MINUTE, serve } from "./site.ts";

test.each(["AdsBot-Google", "Mediapartners-Google", "ExampleBot"])(
	"%s may fetch nothing where the server fails, whatever groups for * mean to it",
	async (agent) => {
		await using site = await serve((_, response) => {
			response.statusCode = 503;
			response.end();
		});
		await using client = clientOf({ agent });
		expect(await client.isAllowed(`${site.origin("a.test")}/a`)).toBe(false);
	},
);

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
		const { Allowed, Disallowed, Unknown, Invalid, Later } = Verdict;
		const expected = [
			Disallowed,
			Allowed,
			Allowed,
			Later,
			Allowed,
			Disallowed,
			Disallowed,
			Invalid,
			Invalid,
			Unknown,
			Invalid,
			Invalid,
		];
		// First from what was fetched, then from the index.
		for (const _ of [1, 2]) {
			expect([...(await client.matchMany(urls))]).toEqual(expected);
			const lines = new TextEncoder().encode(urls.join("\r\n").concat("\n"));
			expect([...(await client.matchLines(lines))]).toEqual(expected);
			expect(await client.filter(urls)).toEqual([urls[1], urls[2], urls[4]]);
			const sorted = await client.sort(urls);
			const of = (verdict: number) =>
				urls.filter((_, i) => expected[i] === verdict);
			expect(sorted).toEqual({
				allowed: of(Allowed),
				disallowed: of(Disallowed),
				later: [{ url: urls[3], at: expect.any(Number) }],
				unknown: of(Unknown),
				invalid: of(Invalid),
			});
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

	test("are later, with a time, for sites that fail, and what their files say once they do not", async () => {
		const failing = new Set(["busy.test", "down.test", "limit.test"]);
		await using site = await serve((request, response) => {
			const name = String(request.headers.host).replace(/:\d+$/, "");
			if (failing.has(name)) {
				if (name === "busy.test")
					response.writeHead(503, { "retry-after": "5" }).end();
				else if (name === "limit.test") response.writeHead(429).end();
				else response.destroy();
			} else response.end(FILE);
		});
		const time = clock();
		const start = time.now;
		const urls = ["busy.test", "down.test", "limit.test", "up.test"].flatMap(
			(name) => [
				`${site.origin(name)}/open`,
				new URL(`${site.origin(name)}/private`),
			],
		);
		const later = [5000, 5000, MINUTE, MINUTE, MINUTE, MINUTE].map(
			(after, i) => ({ url: urls[i], at: start + after }),
		);
		// With room for one origin verdicts do not come from the index.
		for (const maxOrigins of [1000, 1]) {
			time.now = start;
			for (const name of ["busy.test", "down.test", "limit.test"])
				failing.add(name);
			await using client = clientOf({ now: time.read, maxOrigins });
			// What is asked for first, and then what is at hand or stored.
			for (const _ of [1, 2])
				expect(await client.sort(urls)).toEqual({
					allowed: [urls[6]],
					disallowed: [urls[7]],
					later,
					unknown: [],
					invalid: [],
				});
			const { Later, Unknown } = Verdict;
			expect(await client.isAllowed(urls[0] as string)).toBe(false);
			expect([Later, Unknown]).toContain(client.peek(urls)[2]);
			expect([...(await client.matchMany(urls))]).toEqual([
				4, 4, 4, 4, 4, 4, 1, 0,
			]);
			if (maxOrigins > 1)
				expect([...(await client.snapshot()).matchMany(urls)]).toEqual([
					4, 4, 4, 4, 4, 4, 1, 0,
				]);
			// Nobody asks before the time that was given.
			failing.clear();
			time.now = start + 4999;
			expect((await client.sort(urls)).later).toEqual(later);
			time.now = start + 5000;
			const { allowed } = await client.sort(urls);
			expect(allowed).toEqual([urls[0], urls[6]]);
			time.now = start + MINUTE;
			expect(await client.sort(urls)).toMatchObject({
				allowed: urls.filter((url) => String(url).endsWith("/open")),
				later: [],
			});
		}
	});

	test("wrong arguments of sort reject", async () => {
		await using client = clientOf();
		for (const wrong of ["https://a.test/", [5], undefined])
			await expect(client.sort(wrong as never)).rejects.toMatchObject({
				code: "invalid-argument",
			});
		const signal = AbortSignal.abort(new Error("no more"));
		await expect(client.sort(["https://a.test/"], { signal })).rejects.toThrow(
			"no more",
		);
	});

	test("by the rules of the agent, whose list may change later", async () => {
		await using site = await serve((_, response) => response.end(FILE));
		const agent = ["ExampleBot", "*"];
		await using client = clientOf({ agent });
		agent.length = 0;
		const url = `${site.origin("a.test")}/private`;
		expect(await client.isAllowed(url)).toBe(false);
		expect((await client.explain(url)).allowed).toBe(false);
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
	[{ agent: [] }, /agent is a product token/],
	[{ dialect: "bing" as "google" }, /dialect is one of .*, not "bing"/],
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
