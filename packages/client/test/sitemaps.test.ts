import { describe, expect, test } from "vitest";
import type { Fetch } from "../src/index.ts";
import { clientOf } from "./site.ts";

/** robots.txt by host; numbers are status codes. */
const files: Readonly<Record<string, string | number>> = {
	"a.test": [
		"User-agent: *",
		"Disallow: /hidden",
		"",
		"User-agent: OtherBot",
		"Disallow: /map",
		"",
		"Sitemap: https://a.test/map.xml",
		"Sitemap: https://a.test/hidden/map.xml",
		"Sitemap: https://b.test/map.xml",
		"Sitemap: https://c.test/map.xml",
		"Sitemap: https://d.test/map.xml",
		"Sitemap: https://a.test/hidden/other.xml",
		"Sitemap: https://e.test/map.xml",
	].join("\n"),
	"b.test": "User-agent: *\nDisallow: /map",
	"c.test": "User-agent: *\nDisallow: /other",
	"d.test": 503,
	"e.test": 404,
};

const answering = () => {
	const asked: string[] = [];
	const fetch: Fetch = async (url) => {
		const { hostname } = new URL(url);
		asked.push(hostname);
		const file = files[hostname] ?? 404;
		return typeof file === "number"
			? new Response(null, { status: file })
			: new Response(file);
	};
	return { asked, fetch };
};

describe("client.sitemaps", () => {
	test.each([
		["ExampleBot", ["a", "c", "e"]],
		["OtherBot", ["a/hidden", "c", "a/hidden", "e"]],
		[
			["Nobody", "OtherBot"],
			["a/hidden", "c", "a/hidden", "e"],
		],
	] as const)("for %j: those that it may follow", async (agent, expected) => {
		const { asked, fetch } = answering();
		await using client = clientOf({ fetch });
		const sitemaps = await client.sitemaps("https://a.test/x", { agent });
		expect(
			sitemaps.map((url) =>
				url
					.slice(8)
					.replace(".test", "")
					.replace(/\/(map|other)\.xml$/, ""),
			),
		).toEqual(expected);
		expect(asked.sort()).toEqual([
			"a.test",
			"b.test",
			"c.test",
			"d.test",
			"e.test",
		]);
	});

	test("without an agent: all of them, and nobody else is asked", async () => {
		const { asked, fetch } = answering();
		await using client = clientOf({ fetch });
		expect(await client.sitemaps("https://a.test/")).toHaveLength(7);
		expect(asked).toEqual(["a.test"]);
	});

	test("are resolved by the URL of the file, after redirects", async () => {
		const fetch: Fetch = async (url) =>
			String(url).startsWith("https://a.test/")
				? new Response(null, {
						status: 301,
						headers: { location: "https://www.a.test/robots.txt" },
					})
				: new Response(
						"Sitemap: /s.xml\nSitemap: s.xml\nSitemap: https://www.a.test/s.xml https://a.test/t.xml\n",
					);
		await using client = clientOf({ fetch });
		expect(await client.sitemaps("https://a.test/")).toEqual([
			"https://www.a.test/s.xml",
			"https://a.test/t.xml",
		]);
		const { robots } = await client.robots("https://a.test/");
		expect(robots?.sitemaps).toHaveLength(2);
	});

	test("asks at most 100 origins", async () => {
		let requests = 0;
		const fetch: Fetch = async () => {
			const lines = Array.from(
				{ length: 3000 },
				(_, i) => `Sitemap: https://h${i}.test/`,
			);
			return new Response(requests++ === 0 ? lines.join("\n") : "");
		};
		await using client = clientOf({ fetch });
		const sitemaps = await client.sitemaps("https://a.test/", { agent: "x" });
		expect(sitemaps).toHaveLength(100);
		expect(requests).toBe(101);
	});

	test("refuses an agent that is none", async () => {
		await using client = clientOf();
		await expect(
			client.sitemaps("https://a.test/", { agent: 7 as never }),
		).rejects.toMatchObject({ code: "invalid-argument" });
	});
});

describe("A file that is too large for Yandex allows everything", () => {
	const line = "User-agent: *\nDisallow: /\n";
	const rows: readonly (readonly [
		string,
		number,
		number | undefined,
		boolean,
	])[] = [
		["at the limit", 512_000, undefined, false],
		["one byte over it", 512_001, undefined, true],
		["600 KB", 600_000, undefined, true],
		["600 KB, of 600 KB", 600_000, 600_000, false],
		["over a limit of one's own", 1001, 1000, true],
	];
	test.each(rows)("%s", async (_, length, maxBytes, isOver) => {
		const body = line + "#".repeat(length - line.length);
		let isSame = false;
		const fetch: Fetch = async () =>
			isSame
				? new Response(null, { status: 304 })
				: new Response(body, { headers: { etag: '"1"' } });
		const options = maxBytes === undefined ? {} : { maxBytes };
		await using client = clientOf({ fetch, dialect: "yandex", ...options });
		const url = "https://a.test/page";
		const expected = isOver
			? { access: "allow-all", code: "too-large" }
			: { access: "rules", code: "success" };
		const reason = isOver
			? `The file is over the limit of ${maxBytes ?? 512_000} bytes: for Yandex everything is allowed.`
			: expect.stringMatching(/Disallow: \/ \(line 2\)/);
		const same = async () => {
			expect(await client.isAllowed(url)).toBe(isOver);
			expect(await client.access(url)).toMatchObject(expected);
			expect(await client.explain(url)).toMatchObject({
				allowed: isOver,
				reason,
			});
			expect([...(await client.snapshot()).matchMany([url])]).toEqual([
				isOver ? 1 : 0,
			]);
		};
		await same();
		isSame = true;
		const { access } = await client.fetch(url);
		expect(access.access).toBe(expected.access);
		expect(await client.isAllowed(url)).toBe(isOver);
	});
});
