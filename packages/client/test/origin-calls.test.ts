import { describe, expect, test, vi } from "vitest";
import { Verdict } from "../../../src/index.ts";
import type { Fetch, RobotsClientOptions } from "../src/index.ts";
import { clientOf, clock, DAY } from "./site.ts";

const AGENT = "ExampleBot";
const FILE = `Sitemap: https://a.test/one.xml
User-agent: ${AGENT}
Disallow: /private
Crawl-delay: 2.5
Sitemap: https://a.test/two.xml
`;

/** Sites by host name; others have no robots.txt. */
const sites: Readonly<Record<string, () => Response>> = {
	"a.test": () => new Response(FILE),
	"down.test": () => new Response("", { status: 503 }),
};

function clientAnd(options: Partial<RobotsClientOptions> = {}) {
	const asked: string[] = [];
	const fetch: Fetch = async (url) => {
		const { hostname } = new URL(url);
		asked.push(hostname);
		return sites[hostname]?.() ?? new Response("", { status: 404 });
	};
	return { asked, client: clientOf({ fetch, agent: AGENT, ...options }) };
}

const A = "https://a.test/private/x";
const NONE = "https://none.test/private/x";
const DOWN = "https://down.test/private/x";

describe("robots, crawlDelay, sitemaps and explain", () => {
	test("give what the file says", async () => {
		const { asked, client } = clientAnd();
		await using _ = client;
		const answer = await client.robots(A);
		expect(answer).toMatchObject({ access: "rules", code: "success" });
		expect(answer.expires).toBeGreaterThan(answer.askedAt);
		expect(answer.robots?.isAllowed(A, AGENT)).toBe(false);
		expect(await client.crawlDelay(A)).toBe(2.5);
		expect(await client.sitemaps(A)).toEqual([
			"https://a.test/one.xml",
			"https://a.test/two.xml",
		]);
		expect(await client.explain(A)).toMatchObject({
			allowed: false,
			rule: { type: "disallow", pattern: "/private", line: 3 },
			reason: expect.stringContaining("line 3"),
		});
		expect(asked).toEqual(["a.test"]);
	});

	test.each([
		["no file", NONE, "allow-all", true, /HTTP 404/],
		["a site that is down", DOWN, "disallow-all", false, /HTTP 503/],
		[
			"a refused address",
			"http://127.0.0.1/",
			"disallow-all",
			false,
			/127\.0\.0\.1 is loopback/,
		],
	])("without a file that decides: %s", async (_, url, state, allowed, why) => {
		const { client } = clientAnd({ allowPrivateNetwork: false });
		await using __ = client;
		expect(await client.robots(url)).toMatchObject({
			robots: null,
			access: state,
		});
		expect(await client.crawlDelay(url)).toBeUndefined();
		expect(await client.sitemaps(url)).toEqual([]);
		expect(await client.explain(url)).toEqual({
			allowed,
			rule: null,
			group: null,
			reason: expect.stringMatching(why),
		});
		expect(await client.isAllowed(url)).toBe(allowed);
	});
});

test("URLs at a refused address have no verdict, and it is looked up once", async () => {
	const lookup = vi.fn((_, __, callback) => callback(null, "10.0.0.1", 4));
	await using client = clientOf({ lookup, allowPrivateNetwork: false });
	const urls = ["http://inside.test/a", "http://inside.test/robots.txt"];
	for (const _ of [1, 2, 3]) {
		expect([...(await client.matchMany(urls))]).toEqual([2, 2]);
		expect(await client.filter(urls)).toEqual([]);
		expect(await client.isAllowed(urls[0] ?? "")).toBe(false);
		expect((await client.access(urls[0] ?? "")).code).toBe("address-refused");
	}
	expect(lookup).toHaveBeenCalledTimes(1);
	expect(client.stats()).toMatchObject({ requests: 1, storeHits: 0 });
});

describe("prefetch", () => {
	test("asks for what is missing or has expired", async () => {
		const time = clock();
		const { asked, client } = clientAnd({ now: time.read });
		await using _ = client;
		await client.isAllowed(A);
		const origins = ["https://b.test", new URL(NONE), "https://b.test/x"];
		await client.prefetch([A, ...origins]);
		expect(asked).toEqual(["a.test", "b.test", "none.test"]);
		expect([...client.peek([A, NONE])]).toEqual([0, 1]);
		time.now += 2 * DAY;
		asked.length = 0;
		await client.prefetch([A]);
		expect(asked).toEqual(["a.test"]);
	});

	test("asks for nothing when one is no URL", async () => {
		const { asked, client } = clientAnd();
		await using _ = client;
		await expect(client.prefetch([A, "b.test"])).rejects.toMatchObject({
			code: "invalid-url",
		});
		expect(asked).toEqual([]);
	});
});

describe("snapshot", () => {
	test("judges as the client did, and does not change", async () => {
		const time = clock();
		const { client } = clientAnd({ now: time.read });
		await using _ = client;
		await client.prefetch([A, NONE, DOWN]);
		const index = await client.snapshot();
		expect(index.agent).toBe(AGENT);
		await client.prefetch(["https://c.test"]);
		const urls = [A, NONE, DOWN, "https://c.test/", "https://a.test/open"];
		expect([...index.matchMany(urls)]).toEqual([0, 1, 4, Verdict.Unknown, 1]);
		time.now += 1.5 * DAY;
		await client.prefetch([NONE]);
		expect([...(await client.snapshot()).origins()]).toEqual([
			"https://none.test",
		]);
	});
});
