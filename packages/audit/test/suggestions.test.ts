import { expect, test } from "vitest";
import { RobotsTxt } from "../../../src/index.ts";
import {
	type AuditOptions,
	LogAudit,
	parseRanges,
	suggestions,
} from "../src/index.ts";

async function suggested(
	headers: readonly string[],
	options: Partial<AuditOptions> = {},
	path = "/private",
) {
	const audit = new LogAudit({
		robots: [
			{
				file: "robots.txt",
				bytes: Buffer.from(
					"User-agent: *\nDisallow: /private\nDisallow: /x*\n",
				),
			},
		],
		format: "combined",
		...options,
	});
	await audit.add("a.log", [
		Buffer.from(
			headers
				.map(
					(header, at) =>
						`192.0.2.${at} - - [14/Oct/2025:03:00:00 +0000] "GET ${path} HTTP/1.1" 200 5 "-" "${header}"\n`,
				)
				.join(""),
		),
	]);
	return suggestions(audit.report());
}

/** What is not a comment. */
const code = (text: string) => text.replace(/^#.*\n/gm, "");

const browser =
	"Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Safari/537.36";

/** The expressions of the rules for nginx and for Apache. */
function patternsIn({ nginx, apache }: Awaited<ReturnType<typeof suggested>>) {
	const all = (text: string, pattern: RegExp) =>
		Array.from(
			text.matchAll(pattern),
			([, source = ""]) => new RegExp(source, "i"),
		);
	return [
		all(nginx, /^ {4}"~\*(.*)" 1;$/gm),
		all(apache, /^RewriteCond %\{HTTP_USER_AGENT\} "(.*)" \[NC(?:,OR)?\]$/gm),
	];
}

test("rules refuse those who disregarded robots.txt, and no other", async () => {
	const texts = await suggested([
		"GPTBot/1.0",
		"Mozilla/5.0 (compatible; AhrefsBot/7.0)",
		"Googlebot/2.1",
		"ChatGPT-User/1.0",
		"archive.org_bot/1",
		browser,
	]);
	for (const patterns of patternsIn(texts)) {
		const refused = (header: string) =>
			patterns.some((pattern) => pattern.test(header));
		expect(patterns).toHaveLength(3);
		for (const header of [
			"GPTBot/1.0",
			"Mozilla/5.0 (compatible; gptbot/2)",
			"archive.org_bot/1",
			"Mozilla/5.0 (compatible; AhrefsBot/7.0; +http://ahrefs.com/robot/)",
		])
			expect(refused(header)).toBe(true);
		for (const header of [
			browser,
			"Googlebot/2.1",
			"ChatGPT-User/1.0",
			"GPTBot-Image/1",
			"NotGPTBot/1",
			"archiveXorg_bot/1",
		])
			expect(refused(header)).toBe(false);
	}
	expect(texts.nginx).toContain('"1:/robots.txt" 0;');
	expect(texts.apache).toContain("RewriteCond %{REQUEST_URI} !=/robots.txt");
	expect(code(texts.cloudflare)).toBe(
		'http.request.uri.path ne "/robots.txt" and (lower(http.user_agent) contains "gptbot"\n  or lower(http.user_agent) contains "ahrefsbot"\n  or lower(http.user_agent) contains "archive.org_bot")\n',
	);
	expect(texts.robotsTxt).toContain(
		"Left out: Googlebot. Refusing a search engine takes the site out of its results.",
	);
});

test("lines for robots.txt keep out those whom they name", async () => {
	const { robotsTxt } = await suggested(["GPTBot/1.0", "AhrefsBot/7.0"]);
	const robots = RobotsTxt.parse(robotsTxt);
	expect(
		["GPTBot", "AhrefsBot", "Googlebot"].map((agent) =>
			robots.isAllowed("/a", agent),
		),
	).toEqual([false, false, true]);
});

test("a crawler that is disallowed everything is not told again", async () => {
	const robots = [
		{ file: "r", bytes: Buffer.from("User-agent: GPTBot\nDisallow: /\n") },
	];
	const { robotsTxt, nginx } = await suggested(["GPTBot/1.0"], { robots });
	expect(code(robotsTxt)).toBe("");
	expect(robotsTxt).toContain(
		"robots.txt already disallows everything for GPTBot: only the server can refuse them.",
	);
	expect(nginx).toContain("GPTBot");
});

test("a name that another crawler's contains is excepted at Cloudflare", async () => {
	const audit = new LogAudit({
		robots: [
			{
				file: "robots.txt",
				bytes: Buffer.from("User-agent: *\nDisallow: /private\n"),
			},
		],
		format: "combined",
	});
	const line = (header: string, path: string) =>
		`192.0.2.1 - - [14/Oct/2025:03:00:00 +0000] "GET ${path} HTTP/1.1" 200 5 "-" "${header}"\n`;
	await audit.add("a.log", [
		Buffer.from(line("FooBot/1", "/private") + line("FooBot-Image/1", "/")),
	]);
	expect(code(suggestions(audit.report()).cloudflare)).toContain(
		'(lower(http.user_agent) contains "foobot" and not lower(http.user_agent) contains "foobot-image")',
	);
});

/** Names that would end a comment, a string or an expression, or refuse people. */
const hostile = [
	"evil\\x22;}bot/1",
	"<b>Evil</b>Bot/1.0",
	"bot{}$http_host/1",
	"Mozilla/5.0 (bot)",
	"a\\nUser-agent: *bot",
	"Chrome bot",
	"spider",
	"google-bot",
];
test.each(hostile)("%s ends no string", async (header) => {
	const texts = await suggested([header, "GPTBot/1.0"]);
	for (const text of Object.values(texts))
		expect(code(text)).not.toMatch(/[<>;{}\\"]bot|chrome|mozilla/i);
	for (const patterns of patternsIn(texts))
		for (const pattern of patterns) expect(pattern.test(browser)).toBe(false);
	expect(RobotsTxt.parse(texts.robotsTxt).isAllowed("/", "Googlebot")).toBe(
		true,
	);
});

test("addresses are those that use a name and are not its operator's", async () => {
	const ranges = [parseRanges('["192.0.2.0/32"]', "GPTBot", "GPTBot")];
	const { addresses } = await suggested(["GPTBot/1.0", "GPTBot/1.0"], {
		ranges,
	});
	expect(code(addresses)).toBe("192.0.2.1\n");
	expect(addresses).toContain("https://openai.com/gptbot.json");
	const grouped = await suggested(["GPTBot/1.0", "GPTBot/1.0"], {
		groupBy: "network",
	});
	expect(code(grouped.addresses)).toBe("192.0.2.0/24\n");
});

/** Where the requests of GPTBot came from, whose range is 192.0.2.0/32, and whether a rule refuses its name. */
const senders: readonly [string, readonly string[], boolean][] = [
	["others alone", ["AhrefsBot/7.0", "GPTBot/1.0", "GPTBot/1.0"], false],
	["itself alone", ["GPTBot/1.0"], true],
	["others more often", ["GPTBot/1.0", "GPTBot/1.0", "GPTBot/1.0"], true],
];
test.each(senders)(
	"a name under which %s disregarded robots.txt",
	async (_, headers, isRefused) => {
		const texts = await suggested(headers, {
			ranges: [parseRanges('["192.0.2.0/32"]', "GPTBot", "GPTBot")],
		});
		const { robotsTxt, nginx, apache, cloudflare } = texts;
		for (const text of [robotsTxt, nginx, apache, cloudflare]) {
			expect(/gptbot/i.test(code(text))).toBe(isRefused);
			expect(
				text.includes(
					"# Left out: GPTBot. All disallowed requests under this name came from addresses that are not the operator's: refuse the addresses.",
				),
			).toBe(!isRefused);
		}
		expect(code(texts.addresses) === "").toBe(headers.length === 1);
	},
);

test("without an offender there is nothing to copy", async () => {
	const texts = await suggested(["GPTBot/1.0", "Googlebot/2.1"], {}, "/");
	for (const text of Object.values(texts)) expect(code(text)).toBe("");
});

test("a name that browsers have in their headers gets no rule", async () => {
	const texts = await suggested(["okhttp/4.9.3", "GPTBot/1.0"]);
	for (const text of [texts.nginx, texts.apache, texts.cloudflare]) {
		expect(text).toContain(
			"# Left out: okhttp. Browsers and apps of people have such a name in their headers, too: a rule would refuse them.",
		);
		expect(code(text)).not.toContain("okhttp");
	}
	const alone = await suggested(["okhttp/4.9.3"]);
	expect(alone.nginx).toMatch(/^# No crawler to refuse by its name\.\n/);
	expect(code(alone.nginx)).toBe("");
});

test("a name that is not safe to write is counted", async () => {
	const { nginx } = await suggested(["bot/1.0 (+http://x.example)"]);
	expect(nginx).toContain("# Left out: 1 more name, which is not safe");
});
