/** Huge files are worked on in a thread: what the built client answers about one is what RobotsTxt answers. Build first. */
import { describe, expect, test } from "vitest";
import { RobotsTxt, Verdict } from "../../../src/index.ts";
import { dialectNames } from "../../../src/robots-txt/dialect.ts";
import { RobotsClient } from "../dist/index.js";

const SIZE = 600_000;
const agent = "ExampleBot";
/** "#" is another text in each line. */
const shapes: readonly (readonly [string, string])[] = [
	["rules", "Allow: /#\nDisallow: /#/*a$"],
	["wildcards", "Disallow: *#\nAllow: *a%3f#"],
	["groups", "User-agent: #\nDisallow: /\nCrawl-delay: 3"],
	["user-agent lines of one group", "User-agent: \u00e9#"],
	[
		"pace",
		"Request-rate: 1/# 0100-0200\nVisit-time: 0200-0300\nCrawl-delay: #",
	],
	["sitemaps", "Sitemap: https://a.test/#\nSitemap: https://b.test/\u00e9#"],
	["unknown lines", "X: #"],
];

function fill(lines: string): string {
	const all = ["User-agent: *", "User-agent: ExampleBot"];
	for (let number = 0, length = 40; length < SIZE; number++) {
		const next = lines.replaceAll("#", number.toString(36));
		length += next.length + 1;
		all.push(next);
	}
	return `${all.join("\n")}\n`;
}

const clientOf = (body: string, options: object) =>
	new RobotsClient({
		agent,
		maxBytes: 2 ** 22,
		fetch: async () => new Response(body),
		...options,
	});

/** Threads that this process has started. */
let threads = 0;
process.on("worker", () => threads++);

describe.each(shapes)("a huge file of %s", (_, lines) => {
	const body = fill(lines);
	const urls = ["/", "/1/xa", "/zz?1", "/a?2", "/robots.txt"].map(
		(path) => `https://a.test${path}`,
	);

	test.each(dialectNames)("in the dialect %s", async (dialect) => {
		const whole = RobotsTxt.parse(body, { dialect, maxBytes: 2 ** 22 });
		await using client = clientOf(body, { dialect });
		const url = urls[1] as string;
		expect(await client.explain(url)).toEqual(whole.explain(url, agent));
		expect([...(await client.matchMany(urls))]).toEqual([
			...whole.for(agent).matchMany(urls),
		]);
		expect(await client.crawlDelay(url)).toEqual(whole.crawlDelay(agent));
		expect(await client.sitemaps(url)).toEqual(whole.sitemaps);
		// One for all of them.
		expect(threads).toBe(1);
		const followed = await client.sitemaps(url, { agent: "other" });
		const allowed = whole.for("other").matchMany(whole.sitemaps);
		expect(followed).toEqual(
			whole.sitemaps.filter((_, i) => allowed[i] === Verdict.Allowed),
		);
	});
});

/** Its rules are in the thread alone: the client's own index would take too long for a URL. */
describe("a huge file of many wildcards", () => {
	const body = fill("Disallow: *#x*y\nAllow: /1x*#y$");
	const site = "https://a.test";
	const urls = ["/", "/1x", "/1xy", "/a/zzxay", "/1x1y"].map(
		(path) => `${site}${path}`,
	);
	const plain = "https://b.test/1xy";
	const whole = RobotsTxt.parse(body, { maxBytes: 2 ** 22 }).for(agent);
	const expected = [...whole.matchMany(urls)];
	const known = async () => {
		const asked: string[] = [];
		const client = clientOf("", {
			fetch: async (url: string) => {
				const { hostname, origin } = new URL(url);
				asked.push(hostname);
				return new Response(origin === site ? body : "");
			},
		});
		expect(await client.isAllowed(urls[3] as string)).toBe(false);
		expect(await client.isAllowed(plain)).toBe(true);
		return { client, asked };
	};
	const ways: readonly (readonly [
		string,
		(client: RobotsClient) => Promise<Iterable<number | boolean>>,
	])[] = [
		["matchMany", (client) => client.matchMany(urls)],
		["matchLines", (client) => client.matchLines(Buffer.from(urls.join("\n")))],
		[
			"isAllowed",
			(client) => Promise.all(urls.map((url) => client.isAllowed(url))),
		],
		[
			"visit",
			(client) =>
				Promise.all(
					urls.map(async (url) => {
						const { outcome } = await client.visit(url, () => 1, {
							maxWait: 0,
						});
						return outcome !== "disallowed";
					}),
				),
		],
		["snapshot", async (client) => (await client.snapshot()).matchMany(urls)],
	];

	test("has verdicts of both kinds", () => {
		expect(new Set(expected)).toEqual(new Set([0, 1]));
	});

	test.each(ways)("%s", async (_, verdicts) => {
		const { client, asked } = await known();
		await using _client = client;
		expect([...(await verdicts(client))].map(Number)).toEqual(expected);
		expect(asked).toEqual(["a.test", "b.test"]);
	});

	test("is unknown where nobody can wait, and gone once it is forgotten", async () => {
		const { client, asked } = await known();
		await using _client = client;
		expect([...client.peek([urls[0] as string, plain])]).toEqual([
			Verdict.Unknown,
			Verdict.Allowed,
		]);
		expect(client.stats().origins).toBe(2);
		await client.forget(site);
		expect(client.stats().origins).toBe(1);
		expect((await client.snapshot()).size).toBe(1);
		expect([...(await client.matchMany(urls))]).toEqual(expected);
		expect(asked).toEqual(["a.test", "b.test", "a.test"]);
	});

	test("a call that is aborted ends between two URLs", async () => {
		const { client } = await known();
		await using _client = client;
		const stop = new AbortController();
		const matching = client.matchMany(
			Array.from({ length: 100_000 }, () => urls[4] as string),
			{ signal: stop.signal },
		);
		setImmediate(() => stop.abort(new Error("over")));
		await expect(matching).rejects.toThrow("over");
	});
});

test("an explanation names the first 50,000 agents of a group", async () => {
	const names = Array.from({ length: 60_000 }, (_, i) => `a${i.toString(36)}`);
	const body = `${names.map((name) => `User-agent: ${name}\n`).join("")}User-agent: *\nDisallow: /\n`;
	await using client = clientOf(body, {});
	const { allowed, group } = await client.explain("https://a.test/");
	expect([allowed, group?.line]).toEqual([false, 1]);
	expect(group?.agents).toEqual(names.slice(0, 50_000));
});

/** The program that names rules takes more than its 16 MiB, the one that judges does not. */
test("rules that are too many to name one still explain the verdict", async () => {
	const word = (number: number) =>
		(Math.imul(number, 0x9e3779b1) >>> 0).toString(36).padStart(12, "x");
	let body = "User-agent: *\n";
	for (let i = 0; body.length < 15.9 * 2 ** 20; i += 2)
		body += `Disallow: *${word(i)}*${word(i + 1)}\n`;
	await using client = clientOf(body, { dialect: "google", maxBytes: 2 ** 24 });
	const paths = ["/", `/${word(8)}${word(9)}`];
	const found = await Promise.all(
		paths.map((path) => client.explain(`https://a.test${path}`)),
	);
	expect(found.map(({ allowed, rule }) => [allowed, rule])).toEqual([
		[true, null],
		[false, null],
	]);
	expect(found[0]?.reason).toMatch(/^No rule is named, .* 16777215 bytes/);
});
