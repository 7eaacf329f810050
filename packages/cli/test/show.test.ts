import { describe, expect, test } from "vitest";
import { crawlers } from "../../../src/index.ts";
import { FILE, serve } from "../../client/test/site.ts";
import { file, robotrie } from "./run.ts";

const robots = file(
	"show.txt",
	`Sitemap: https://example.com/sitemap.xml
Host: www.example.com
Content-Signal: search=yes, ai-train=no
User-agent: *
Crawl-delay: 0.5
Request-rate: 1/10m 1300-1659
Visit-time: 2200-0600
Clean-param: s&ref /forum*/
Content-Usage: /blog/ train-ai=n
Noindex: /x
Disallow: /p
License: https://example.com/license.xml
License: /relative.xml
`,
);
const show = (...more: readonly string[]) => ["show", "-r", robots, ...more];

const site = `site
  sitemap         https://example.com/sitemap.xml
  host            www.example.com
  clean-param     s, ref below /forum*/ (line 8)
  license         https://example.com/license.xml (line 12)
  other           noindex: /x (line 10)
  line            13: License: /relative.xml is ignored: a license is an absolute URL, such as https://example.com/license.xml.
`;

describe("show", () => {
	test("the site", async () => {
		const result = await robotrie(show());
		expect(String(result.stdout)).toBe(site);
		expect(result).toMatchObject({ code: 0, stderr: "" });
	});

	test("--sorted: rules in the order in which they decide", async () => {
		const catalog = file(
			"catalog.txt",
			"User-agent: *\nAllow: /\nAllow: /catalog/auto\nDisallow: /catalog\n",
		);
		const args = ["show", "-r", catalog, "-a", "Yandex", "-d", "yandex"];
		const result = await robotrie([...args, "--sorted"]);
		expect(String(result.stdout)).toBe(`site
  nothing

Yandex
  nothing

rules, the first that matches decides
  line 3          Allow: /catalog/auto (13 bytes)
  line 4          Disallow: /catalog (8 bytes)
  line 2          Allow: / (1 byte)
`);
		const json = await robotrie([...args, "--sorted", "--json"]);
		expect(JSON.parse(String(json.stdout)).rules).toEqual([
			...[
				["allow", "/catalog/auto", 3, 13],
				["disallow", "/catalog", 4, 8],
				["allow", "/", 2, 1],
			].map(([type, pattern, line, bytes]) => ({
				...{ type, pattern, line, bytes },
				implied: false,
			})),
		]);
		const without = await robotrie([...args, "--json"]);
		expect(JSON.parse(String(without.stdout)).rules).toBe(null);
	});

	test("a crawler and pages", async () => {
		const result = await robotrie(show("-a", "GPTBot", "/blog/", "/p", "/"));
		expect(String(result.stdout)).toBe(`${site}
GPTBot
  crawl-delay     0.5 seconds
  request-rate    1 request in 600 seconds, 13:00 to 16:59 UTC (line 6)
  visit-time      22:00 to 06:00 UTC

/blog/  allowed
  content-signal  search: yes (line 3)
  content-signal  ai-train: no (line 3)
  content-usage   train-ai: no (line 9)

/p  disallowed
  nothing

/  allowed
  content-signal  search: yes (line 3)
  content-signal  ai-train: no (line 3)
`);
		expect(result).toMatchObject({ code: 0, stderr: "" });
	});

	test("--json", async () => {
		const result = await robotrie(show("--json", "-a", "GPTBot", "/blog/"));
		expect(JSON.parse(String(result.stdout))).toEqual({
			site: {
				sitemaps: ["https://example.com/sitemap.xml"],
				host: "www.example.com",
				cleanParams: [{ parameters: ["s", "ref"], path: "/forum*/", line: 8 }],
				licenses: [{ url: "https://example.com/license.xml", line: 12 }],
				otherLines: [{ field: "noindex", value: "/x", line: 10 }],
				ignored: [
					{ line: 13, code: "invalid-value", message: expect.any(String) },
				],
			},
			crawler: {
				agents: ["GPTBot"],
				crawlDelay: 0.5,
				requestRates: [
					{
						requests: 1,
						seconds: 600,
						window: { start: 780, end: 1019 },
						line: 6,
					},
				],
				visitTime: { start: 1320, end: 360 },
				sitemaps: [
					{
						url: "https://example.com/sitemap.xml",
						allowed: true,
						rule: null,
					},
				],
			},
			rules: null,
			pages: [
				{
					url: "/blog/",
					allowed: true,
					contentSignal: {
						search: { allowed: true, line: 3 },
						"ai-train": { allowed: false, line: 3 },
					},
					contentUse: null,
					contentUsage: { "train-ai": { allowed: false, line: 9 } },
				},
			],
		});
	});

	test("a crawler's own settings, not those of another whose rules it shares", async () => {
		const shared = file(
			"shared.txt",
			"User-agent: bingbot\nCrawl-delay: 1\nUser-agent: msnbot\nCrawl-delay: 2\nUser-agent: *\nDisallow: /\n",
		);
		const delays: unknown[] = [];
		for (const agent of ["bingbot", "msnbot", "GPTBot"]) {
			const args = ["show", "-r", shared, "-a", agent, "--json"];
			const { stdout } = await robotrie(args);
			delays.push(JSON.parse(String(stdout)).crawler.crawlDelay);
		}
		expect(delays).toEqual([1, 2, null]);
	});

	test("of an empty file, --json", async () => {
		const result = await robotrie(["show", "-r", "-", "--json"]);
		expect(JSON.parse(String(result.stdout))).toEqual({
			site: {
				sitemaps: [],
				host: null,
				cleanParams: [],
				licenses: [],
				otherLines: [],
				ignored: [],
			},
			crawler: null,
			rules: null,
			pages: [],
		});
	});

	test("lines whose value does not count are named, with the reason", async () => {
		const bad = file(
			"bad-values.txt",
			"Sitemap: /s.xml\nHost: https://e.com\nUser-agent: *\nCrawl-delay: soon\nDisallow: /a\n",
		);
		const { stdout } = await robotrie(["show", "-r", bad]);
		expect(String(stdout)).toMatch(
			/^site\n {2}line {12}1: Sitemap: \/s\.xml is not an absolute URL.*\n {2}line {12}2: .*\n {2}line {12}4: .*soon.*\n$/,
		);
		const json = await robotrie(["show", "-r", bad, "--json"]);
		expect(JSON.parse(String(json.stdout)).site.ignored).toMatchObject([
			{ line: 1, code: "relative-sitemap" },
			{ line: 2, code: "invalid-host" },
			{ line: 4, code: "invalid-value" },
		]);
	});

	test("a text that is not a URL is an error; the others are answered", async () => {
		const result = await robotrie(show("-a", "x", "none", "/p"));
		expect(result.code).toBe(2);
		expect(result.stderr).toMatch(/^robotrie: "none" is neither .*\n$/);
		expect(String(result.stdout)).toContain("/p  disallowed");
	});

	test("control characters of the file do not reach the terminal", async () => {
		const hostile = file(
			"hostile.txt",
			"Sitemap: https://e.com/\x1b[2J\nx\x07: y\x1b\n",
		);
		const result = await robotrie(["show", "-r", hostile]);
		expect(String(result.stdout)).toContain("\\x1b[2J");
		// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
		expect(String(result.stdout)).not.toMatch(/[\x00-\x09\x0b-\x1f]/);
	});
});

describe("crawlers", () => {
	test("all crawlers, one per line", async () => {
		const result = await robotrie(["crawlers"]);
		const lines = String(result.stdout).trimEnd().split("\n");
		expect(lines).toHaveLength(crawlers.length);
		expect(result).toMatchObject({ code: 0, stderr: "" });
	});

	test("by token and header", async () => {
		const header = "Mozilla/5.0 (compatible; Googlebot/2.1)";
		const result = await robotrie([
			"crawlers",
			"googlebot-news",
			header,
			"AdsBot-Google",
			"FeedFetcher-Google",
		]);
		expect(String(result.stdout)).toBe(
			`Googlebot-News      search  Google  Googlebot-News > Googlebot > *  (sends no requests)
Googlebot           search  Google  Googlebot > *
AdsBot-Google       ads     Google  AdsBot-Google
FeedFetcher-Google  feed    Google  FeedFetcher-Google  (may ignore robots.txt)
`,
		);
		expect(result).toMatchObject({ code: 0, stderr: "" });
	});

	test("--json", async () => {
		const result = await robotrie(["crawlers", "--json"]);
		expect(JSON.parse(String(result.stdout))).toEqual(crawlers);
	});

	test("an unknown crawler", async () => {
		const result = await robotrie(["crawlers", "Nobody", "GPTBot"]);
		expect(result.code).toBe(1);
		expect(result.stderr).toBe("robotrie: Nobody is not a known crawler\n");
		expect(String(result.stdout)).toMatch(/^GPTBot .*\n$/);
	});
});

test("the robots.txt as the first argument: a file, or a URL of its site", async () => {
	await using site = await serve((_, response) => response.end(FILE));
	const origin = site.origin("127.0.0.1");
	const place = file("first.txt", FILE);
	const local = "--allow-private-network";
	const named = await robotrie(["show", "--json", "-r", place]);
	const first = await robotrie(["show", "--json", place]);
	const ofSite = await robotrie(["show", "--json", local, `${origin}/a`]);
	expect(String(first.stdout)).toBe(String(named.stdout));
	expect(String(ofSite.stdout)).toBe(String(named.stdout));
	const page = `${origin}/private`;
	const shown = await robotrie(["show", "-a", "x", "--json", local, page]);
	expect(JSON.parse(String(shown.stdout)).pages).toMatchObject([{ url: page }]);
});
