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
