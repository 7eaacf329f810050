import { expect, test } from "vitest";
import { type AuditOptions, LogAudit, parseRanges } from "../src/index.ts";
import {
	isAi,
	purposeNames,
	purposeOf,
	purposes,
} from "../src/options/purposes.ts";
import { headlineOf } from "../src/show/headline.ts";
import { htmlReport } from "../src/show/html.ts";

/** A request on a day of October 2025; status "-" is none. */
function line(header: string, target: string, day = "14", status = "200") {
	return `192.0.2.1 - - [${day}/Oct/2025:03:00:00 +0000] "GET ${target} HTTP/1.1" ${status} 5 "-" "${header}"\n`;
}

async function reportOn(
	lines: readonly string[],
	options: Partial<AuditOptions> = {},
) {
	const audit = new LogAudit({
		robots: [
			{
				file: "robots.txt",
				bytes: Buffer.from("User-agent: *\nDisallow: /private\n"),
			},
		],
		format: "combined",
		...options,
	});
	await audit.add("a.log", [Buffer.from(lines.join(""))]);
	return audit.report();
}

const bad = (header: string, day?: string, status?: string) =>
	line(header, "/private", day, status);
const good = (header: string) => line(header, "/");

test.each<[lines: readonly string[], headline: string]>([
	[[], "No crawler came."],
	[
		[good("GPTBot/1.0"), good("Googlebot/2.1")],
		"No crawler disregarded robots.txt; 2 came, 1 of them AI crawlers.",
	],
	[
		[good("GPTBot/1.0"), bad("Googlebot/2.1")],
		"The one AI crawler obeyed robots.txt; 1 of 1 search engine did not, in 1 request, of which 1 was served. By their User-Agent, not verified.",
	],
	[
		[
			bad("GPTBot/1.0", "15"),
			bad("GPTBot/1.0", "14", "403"),
			good("CCBot/2.0"),
		],
		"1 of 2 AI crawlers disregarded robots.txt since 14 October 2025 (GPTBot), in 2 requests, of which 1 was served. By their User-Agent, not verified.",
	],
	// Libraries and scanners are no AI crawlers.
	[
		[
			bad("GPTBot/1.0"),
			good("CCBot/2.0"),
			good("ClaudeBot/1.0"),
			bad("Go-http-client/1.1"),
			bad("Mozilla/5.0 zgrab/0.x"),
			bad("AhrefsBot/7.0"),
			good("SemrushBot/7"),
		],
		"1 of 3 AI crawlers disregarded robots.txt since 14 October 2025 (GPTBot), in 1 request, of which 1 was served; so did 1 of 2 SEO crawlers, 1 of 1 scanner and 1 of 1 library. By their User-Agent, not verified.",
	],
	// Assistants that need not obey count nowhere.
	[
		[bad("GPTBot/1.0"), bad("ChatGPT-User/1.0"), bad("ChatGPT-User/1.0")],
		"1 of 1 AI crawler disregarded robots.txt since 14 October 2025 (GPTBot), in 1 request, of which 1 was served. By their User-Agent, not verified.",
	],
	[
		[bad("Googlebot/2.1"), good("AhrefsBot/7.0")],
		"1 of 2 crawlers disregarded robots.txt since 14 October 2025 (Googlebot), in 1 request, of which 1 was served. By their User-Agent, not verified.",
	],
	// Without status codes, nothing is known of what was served.
	[
		[bad("GPTBot/1.0", "14", "-")],
		"1 of 1 AI crawler disregarded robots.txt since 14 October 2025 (GPTBot), in 1 request. By their User-Agent, not verified.",
	],
	[
		["GPTBot", "CCBot", "ClaudeBot", "Bytespider", "Amazonbot"].map((name) =>
			bad(`${name}/1.0`),
		),
		"5 of 5 AI crawlers disregarded robots.txt since 14 October 2025 (Amazonbot, Bytespider, CCBot and 2 more), in 5 requests, of which 5 were served. By their User-Agent, not verified.",
	],
])("%j: %s", async (lines, headline) => {
	const { result, rest } = headlineOf(
		await reportOn(lines),
		({ name }) => name,
	);
	expect(result + rest).toBe(headline);
});

const rules = "User-agent: *\nDisallow: /private\n";
test.each<[what: string, robots: Record<string, string>, headline: string]>([
	[
		"a picture",
		{ "robots.txt": "\x89PNG\r\n\x1a\n" },
		"Nothing was judged: robots.txt cannot be read as robots.txt; 2 crawlers came.",
	],
	[
		"NUL bytes",
		{ "robots.txt": "a\0b" },
		"Nothing was judged: robots.txt cannot be read as robots.txt; 2 crawlers came.",
	],
	[
		"a page",
		{ "robots.txt": "<!doctype html>\n<p>Not found</p>\n" },
		"Nothing was judged: robots.txt cannot be read as robots.txt; 2 crawlers came.",
	],
	[
		"a page with rules, which count",
		{ "robots.txt": `<!doctype html>\n${rules}` },
		"No crawler disregarded robots.txt; 2 came, 1 of them AI crawlers.",
	],
	[
		"nothing, which allows everything",
		{ "robots.txt": "" },
		"No crawler disregarded robots.txt; 2 came, 1 of them AI crawlers.",
	],
	[
		"one of two files",
		{ "robots.txt": rules, "shop.txt": "a\0b" },
		"No crawler disregarded the robots.txt files that can be read; 2 came, 1 of them AI crawlers.",
	],
])(
	"a robots.txt that cannot be read was not obeyed: %s",
	async (_, robots, headline) => {
		const report = await reportOn([good("GPTBot/1.0"), good("Googlebot/2.1")], {
			robots: Object.entries(robots).map(([file, text], at) => ({
				file,
				bytes: Buffer.from(text, "latin1"),
				host: at === 0 ? undefined : `host${at}.example`,
			})),
		});
		const { result, rest } = headlineOf(report, ({ name }) => name);
		expect(result + rest).toBe(headline);
	},
);

test("rows that are not crawlers are not named", async () => {
	const report = await reportOn([bad("GPTBot/1.0"), good("GPTBot/1.1")], {
		groupBy: "header",
	});
	const { result, rest } = headlineOf(report, ({ name }) => name);
	expect(result + rest).toBe(
		"1 of 2 headers disregarded robots.txt since 14 October 2025, in 1 request, of which 1 was served.",
	);
});

test("a report has a row per purpose that came, AI crawlers first", async () => {
	const { purposes: rows, crawlers } = await reportOn([
		good("Googlebot/2.1"),
		bad("ChatGPT-User/1.0"),
		bad("GPTBot/1.0"),
		good("GPTBot/1.0"),
		good("CCBot/2.0"),
		line("GPTBot/1.0", "/robots.txt"),
	]);
	expect(rows).toEqual([
		{
			purpose: "ai-training",
			crawlers: 2,
			bound: 2,
			disregarding: 1,
			requests: 4,
			allowed: 2,
			disallowed: 1,
			exemptDisallowed: 0,
			compliance: 66.66,
			bytes: 20,
		},
		{
			purpose: "ai-search",
			crawlers: 1,
			bound: 0,
			disregarding: 0,
			requests: 1,
			allowed: 0,
			disallowed: 1,
			exemptDisallowed: 1,
			compliance: null,
			bytes: 5,
		},
		{
			purpose: "search",
			crawlers: 1,
			bound: 1,
			disregarding: 0,
			requests: 1,
			allowed: 1,
			disallowed: 0,
			exemptDisallowed: 0,
			compliance: 100,
			bytes: 5,
		},
	]);
	expect(crawlers.map(({ name, purpose }) => [name, purpose])).toContainEqual([
		"ChatGPT-User",
		"ai-search",
	]);
});

test.each([
	["ai-training", "AI training"],
	["ai-search", "AI search and assistants"],
	["ai-assistant", "AI search and assistants"],
	["ai-agent", "AI agents"],
	["ai", "AI, use unknown"],
	["search", "Search engines"],
	["seo", "SEO"],
	["archive", "Archives"],
	["monitoring", "Monitors"],
	["security", "Scanners"],
	["library", "Libraries"],
	["automation", "Libraries"],
	["ads", "Advertising"],
	["preview", "Link previews and feeds"],
	["feed", "Link previews and feeds"],
	["research", "Research"],
	["other", "Other software"],
	["unknown", "Other software"],
	["constructor", "Other software"],
])("the category %s is shown as %s", (category, title) =>
	expect(purposeNames[purposeOf(category)].title).toBe(title),
);

test("AI crawlers are those of three purposes", () =>
	expect(purposes.filter(isAi)).toEqual([
		"ai-training",
		"ai-search",
		"ai-agent",
		"ai",
	]));

const impostor = (sent: string) => sent.replace("192.0.2.1", "198.51.100.7");

test.each<
	[lines: readonly string[], training: readonly number[], headline: string]
>([
	[
		[bad("GPTBot/1.0"), impostor(bad("GPTBot/1.0"))],
		[1, 1],
		"1 of 1 AI crawler disregarded robots.txt since 14 October 2025 (GPTBot), in 1 request, of which 1 was served. Others made 1 disallowed request under the name of GPTBot.",
	],
	[
		[bad("GPTBot/1.0"), impostor(bad("GPTBot/1.0")), bad("CCBot/1.0")],
		[2, 2],
		"2 of 2 AI crawlers disregarded robots.txt since 14 October 2025 (CCBot and GPTBot), in 2 requests, of which 2 were served. 1 of all 2 by their User-Agent, not verified. Others made 1 disallowed request under the name of GPTBot.",
	],
	[
		[bad("CCBot/1.0"), bad("Googlebot/1.0")],
		[1, 1],
		"1 of 1 AI crawler disregarded robots.txt since 14 October 2025 (CCBot), in 1 request, of which 1 was served; so did 1 of 1 search engine. By their User-Agent, not verified.",
	],
	// Others in its name disregard robots.txt; the crawler itself does not.
	[
		[good("GPTBot/1.0"), ...Array(2).fill(impostor(bad("GPTBot/1.0")))],
		[1, 0],
		"No crawler disregarded robots.txt; 1 came, 1 of them AI crawlers. Others made 2 disallowed requests under the name of GPTBot.",
	],
	[
		[impostor(bad("GPTBot/1.0"))],
		[0, 0],
		"No crawler came from an address of its operator. Others made 1 disallowed request under the name of GPTBot.",
	],
	[
		[impostor(good("GPTBot/1.0"))],
		[0, 0],
		"No crawler came from an address of its operator.",
	],
])(
	"a headline counts no impostors, and says whose addresses were not verified: %j",
	async (lines, training, headline) => {
		// Published are the addresses of GPTBot alone.
		const report = await reportOn(lines, {
			ranges: [
				parseRanges(
					'{"prefixes": [{"ipv4Prefix": "192.0.2.0/24"}]}',
					"gptbot.json",
				),
			],
		});
		const { result, rest } = headlineOf(report, ({ name }) => name);
		expect(result + rest).toBe(headline);
		const row = report.purposes.find(
			({ purpose }) => purpose === "ai-training",
		);
		expect([row?.bound, row?.disregarding]).toEqual(training);
		expect(htmlReport(report)).not.toContain("exempt</span>");
	},
);
