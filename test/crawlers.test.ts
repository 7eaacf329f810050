import { readFileSync, writeFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { compareCrawlers } from "../src/compare.ts";
import { crawlerFamilies } from "../src/crawlers/crawler-data.ts";
import { crawlerPages } from "../src/crawlers/crawler-pages.ts";
import { crawlerLines } from "../src/crawlers/crawlers.ts";
import {
	type Agent,
	crawlers,
	type Dialect,
	dialectFor,
	findCrawler,
	RobotsTxt,
} from "../src/index.ts";
import { isWhole } from "./cases.ts";
import {
	choices,
	globals,
	googleAgents,
	googleChoices,
	headers,
	tokens,
} from "./data/crawlers.ts";

const dialects = ["rfc9309", "google", "yandex"] as const;

/** Constants, as the module has no objects, and bytes, as its strings take two for a character; ROBOTRIE_WRITE_CRAWLERS=1 writes them. */
const moduleTable = new URL("../assembly/agents/crawlers.ts", import.meta.url);
const lines = crawlerLines();
const lineText = (line: string) =>
	`	// ${line}\n	${[...Buffer.from(`${line}\n`)].join(", ")},\n`;
const moduleText = `/**
 * The table of crawlers for names.ts, in ASCII: a line a crawler, its tokens with ">" between two. Behind a name, "!" says that groups for
 * \`*\` do not hold for it, "^" that no header has it. test/crawlers.test.ts writes it from src/crawlers/crawler-data.ts.
 */
export const COUNT: u32 = ${lines.length};

// biome-ignore format: a crawler a line
export const CRAWLERS: usize = memory.data<u8>([
${lines.map(lineText).join("")}]);
`;
if (process.env.ROBOTRIE_WRITE_CRAWLERS) writeFileSync(moduleTable, moduleText);

test("the module's table is that of the library", () => {
	expect(readFileSync(moduleTable, "utf8")).toBe(moduleText);
});

describe("The table", () => {
	test.each(crawlers.map((crawler) => [crawler.name, crawler] as const))(
		"%s",
		(_, crawler) => {
			const [token = ""] = crawler.tokens;
			expect(findCrawler(token)).toBe(crawler);
			// Of names that differ in nothing but case the first one.
			const alike = crawlers.find(
				({ name }) => name.toLowerCase() === token.toLowerCase(),
			);
			expect(findCrawler(token.toUpperCase())).toBe(alike);
			expect(crawler.obeysGlobalSource).toMatch(/^(https?:|RFC 9309|what)/);
			expect(crawler.operator).not.toBe("");
			if (crawler.documentation !== undefined) {
				const { protocol, pathname, hostname } = new URL(crawler.documentation);
				expect(protocol).toMatch(/^https?:$/);
				// Some crawlers have a host of their own; other home pages document none.
				if (!/bot|crawler/.test(hostname)) expect(pathname).not.toBe("/");
			}
			for (const url of crawler.addressRanges)
				expect(new URL(url).protocol).toBe("https:");
			if (crawler.checked !== undefined) {
				expect(crawler.checked).toMatch(/^20\d\d-[01]\d-[0-3]\d$/);
				expect(crawler.documentation).toBeDefined();
			}
			if (!crawler.sendsRequests) {
				expect(crawler.addressRanges).toEqual([]);
				expect(crawler.hostDomains).toEqual([]);
			}
			for (const domain of crawler.hostDomains)
				expect(domain).toMatch(/^([a-z\d-]+\.)+[a-z]+$/);
			expect(crawler.hostDomainsSource === undefined).toBe(
				crawler.hostDomains.length === 0,
			);
			if (crawler.hostDomainsSource !== undefined)
				expect(crawler.hostDomainsSource).toMatch(/^https:/);
			if (crawler.kind === "ai-assistant") expect(crawler.trigger).toBe("user");
			expect(new Set(crawler.tokens).size).toBe(crawler.tokens.length);
		},
	);
	test("cannot be changed: findCrawler and verdicts are its own", () => {
		const [first] = crawlers as unknown as { tokens: string[] }[];
		expect(() => (crawlers as unknown[]).reverse()).toThrow(TypeError);
		expect(() => first?.tokens.push("x")).toThrow(TypeError);
	});
	test("every family has a page, and no page is without", () =>
		expect(Object.keys(crawlerPages())).toEqual(
			crawlerFamilies.map((family) => {
				const { byUser: _, ...lists } = family;
				const [first = {}] = Object.values(lists);
				return Object.values(first).join().split(/[,>]/)[0]?.trim();
			}),
		));
	test("names and first tokens are unique, but for Exa's and Exalead's in any case", () => {
		const names = crawlers.map(({ name }) => name);
		expect(crawlers.map(({ tokens }) => tokens[0])).toEqual(names);
		expect(new Set(names).size).toBe(crawlers.length);
		const lower = names.map((name) => name.toLowerCase());
		expect(lower.filter((name, at) => lower.indexOf(name) !== at)).toEqual([
			"exabot",
		]);
	});
	test("no name is a part of another operator's, nor a fallback of another's alone", () => {
		const lower = (text: string) => text.toLowerCase();
		const parts = crawlers.flatMap((one) =>
			crawlers
				.filter(
					(other) =>
						other.operator !== one.operator &&
						lower(other.name) !== lower(one.name) &&
						lower(other.name).includes(lower(one.name)),
				)
				.map((other) => `${one.name} in ${other.name}`),
		);
		expect(parts).toEqual([]);
		// Yandex' robots fall back to a token that no robot has; Apple's follows Google's rules.
		const strangers = crawlers.flatMap(({ operator, tokens }) =>
			tokens
				.slice(1)
				.filter((token) => findCrawler(token)?.operator !== operator),
		);
		expect([...new Set(strangers)]).toEqual(["Yandex", "Googlebot"]);
	});
	test.each(["Google-Extended", "Applebot-Extended", "Googlebot-News"])(
		"%s never requests anything",
		(token) => {
			expect(findCrawler(token)?.sendsRequests).toBe(false);
			expect(
				findCrawler(`Mozilla/5.0 (compatible; ${token}/1.0)`),
			).toBeUndefined();
		},
	);
	test.each([
		["Googlebot", "operator"],
		["GPTBot", "operator"],
		["Google-CloudVertexBot", "user"],
		["Google-Agent", "user"],
		["FeedFetcher-Google", "user"],
		["translate.google.com", "user"],
		["GoogleImageProxy", "user"],
		["Google-Apps-Script", "user"],
		["Diffbot-User", "user"],
		["Slackbot", "user"],
		["UptimeRobot", "user"],
	])("%s comes by its %s", (token, trigger) =>
		expect(findCrawler(token)?.trigger).toBe(trigger),
	);
	const kinds: readonly (readonly [string, string])[] = [
		["Googlebot", "search"],
		["AdsBot-Google", "ads"],
		["GPTBot", "ai-training"],
		["OAI-SearchBot", "ai-search"],
		["ChatGPT-User", "ai-assistant"],
		["NovaAct", "ai-agent"],
		["Devin", "ai-agent"],
		["Google-Agent", "ai-agent"],
		["TikTokSpider", "ai"],
		["AI2Bot-DeepResearchEval", "ai"],
		["Exabot", "search"],
		["ExaBot", "ai"],
		["ia_archiver", "archive"],
		["AhrefsBot", "seo"],
		["facebookexternalhit", "preview"],
		["UptimeRobot", "monitoring"],
		["FeedFetcher-Google", "feed"],
		["MistralAI-Index", "ai-search"],
		["MistralAI-Training", "ai-training"],
		["KimiBot", "ai-training"],
		["Kimi-SearchBot", "ai-search"],
		["Kimi-User", "ai-assistant"],
		["ShapBot", "ai-search"],
		["Diffbot", "search"],
		["YandexAdditionalBot", "ai-training"],
		["YisouSpider", "search"],
	];
	test.each(kinds)("%s is for %s", (token, kind) =>
		expect(findCrawler(token)?.kind).toBe(kind),
	);
	test.each([
		"FeedFetcher-Google",
		"Google-Safety",
		"YaDirectFetcher",
		"Google-Agent",
		"Google-GeminiNotebook",
		"Google-NotebookLM",
		"iTMS",
		"translate.google.com",
		"GoogleImageProxy",
		"GoogleDocs",
	])("%s does not ask robots.txt", (token) =>
		expect(findCrawler(token)?.obeysRobotsTxt).toBe(false),
	);
});

describe("findCrawler", () => {
	test.each(headers)("header %j", (header, name) =>
		expect(findCrawler(header)?.name).toBe(name),
	);
	test.each(tokens)("token %j", (token, name) =>
		expect(findCrawler(token)?.name).toBe(name),
	);
});

test.each<readonly [agent: Agent, dialect: Dialect]>([
	["Googlebot", "google"],
	["googlebot-news", "google"],
	["AdsBot-Google", "google"],
	["Google-Extended", "google"],
	[
		"Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)",
		"google",
	],
	[["Googlebot-News", "ExampleBot"], "google"],
	[["ExampleBot", "Googlebot"], "rfc9309"],
	["YandexBot", "yandex"],
	["Yandex", "yandex"],
	["yandexdirect", "yandex"],
	["YandexRenderResourcesBot", "yandex"],
	[
		"Mozilla/5.0 (compatible; YandexNewRobot/1.0; +http://yandex.com/bots)",
		"yandex",
	],
	["bingbot", "rfc9309"],
	["Googlebotany", "rfc9309"],
	["NotYandex", "rfc9309"],
	["*", "rfc9309"],
	["", "rfc9309"],
	["Mozilla/5.0 (X11; Linux x86_64) Chrome/1", "rfc9309"],
])("dialectFor(%j) is %s", (agent, dialect) =>
	expect(dialectFor(agent)).toBe(dialect),
);

describe("Robots of Yandex that the table lacks obey the group for Yandex", () => {
	const file =
		"User-agent: Yandex\nDisallow: /a\n\nUser-agent: YandexNewBot\nDisallow: /b\n\nUser-agent: *\nDisallow: /c\n";
	test.each([
		["YandexRenderResourcesBot", "/a"],
		["yandexrenderresourcesbot", "/a"],
		[
			"Mozilla/5.0 (compatible; YandexRenderResourcesBot/1.0; +http://yandex.com/bots)",
			"/a",
		],
		["YandexNewBot", "/b"],
		["Yandex", "/a"],
		["NotYandexBot", "/c"],
	])("%s: %s", (agent, path) => {
		for (const dialect of ["rfc9309", "yandex"] as const) {
			const robots = RobotsTxt.parse(file, { dialect });
			const refused = ["/a", "/b", "/c"].filter(
				(each) => !robots.isAllowed(each, agent),
			);
			expect(refused).toEqual([path]);
		}
	});
});

/** The user-agent line of the group that decides, or null. */
function chosen(robots: RobotsTxt, agent: string | readonly string[]) {
	return robots.explain("/", agent).group?.agents[0] ?? null;
}

for (const dialect of ["rfc9309", "yandex"] as const) {
	describe.each(choices)(`Groups of $file, ${dialect}`, ({ file, answers }) => {
		const robots = RobotsTxt.parse(file, { dialect });
		test.each(answers)("%j", (agent, line) => {
			expect(chosen(robots, agent)).toBe(line);
			const matcher = robots.for(agent);
			const obeyed = robots.groups
				.filter((_, index) => !matcher.isAllowed(`/${index}/`))
				.flatMap(({ agents }) => agents);
			expect(obeyed).toEqual(line === null ? [] : [line]);
		});
	});
}

describe("The google dialect adds nothing", () => {
	const [{ file } = { file: "" }] = choices;
	const robots = RobotsTxt.parse(file, { dialect: "google" });
	test.each(googleChoices)("%j", (agent, line) =>
		expect(chosen(robots, agent)).toBe(line),
	);
});

describe("In the google dialect agents are read as by Google's library:", () => {
	const allowed = (file: string, agent: string | readonly string[]) =>
		RobotsTxt.parse(file, { dialect: "google" }).isAllowed("/x", agent);
	test.each(googleAgents)(
		"User-agent: %j, agent %j: %j",
		(line, agent, names) => {
			const group = `User-agent: ${line}\nDisallow: /\n`;
			expect(allowed(group, agent)).toBe(!names);
			const robots = RobotsTxt.parse(group, { dialect: "google" });
			expect(robots.explain("/x", agent).group?.line).toBe(
				names ? 1 : undefined,
			);
			// Groups for "*" hold if none names the agent, wherever they stand.
			const global = "User-agent: *\nAllow: /x\n";
			expect(allowed(`${group}${global}`, agent)).toBe(!names);
			expect(allowed(`${global}${group}`, agent)).toBe(!names);
		},
	);
	test("the groups of all agents count as one", () => {
		const file =
			"User-agent: foo\nDisallow: /\nUser-agent: bar\nAllow: /x\nUser-agent: *\nDisallow: /xx\n";
		expect(allowed(file, ["foo", "bar"])).toBe(true);
		expect(allowed(file, ["bar", "foo"])).toBe(true);
		expect(allowed(file, ["foo", "nobody"])).toBe(false);
	});
	test.each([
		["foo", "bar"],
		["bar", "foo"],
	])(
		"of equal rules and of groups without one the first in the file counts, for %s and %s",
		(...agent) => {
			const file =
				"User-agent: foo\nDisallow: /x\nUser-agent: bar\nDisallow: /x\n";
			const robots = RobotsTxt.parse(file, { dialect: "google" });
			const group = { line: 1 };
			expect(robots.explain("/x", agent)).toMatchObject({
				rule: { line: 2 },
				group,
			});
			expect(robots.explain("/y", agent)).toMatchObject({ rule: null, group });
		},
	);
});

describe.each(dialects)("User-agent lines for all crawlers, %s:", (dialect) => {
	test.each(globals)("%j: %j", (value, isGlobal) => {
		const file = `User-agent: ${value}\nDisallow: /\n`;
		const robots = RobotsTxt.parse(file, { dialect });
		expect(robots.isAllowed("/x", "foobot")).toBe(!isGlobal);
	});
});

test("crawlers whose name is not a product token only fall back to *", () => {
	// A header stands for what user-agent lines can hold of the name, by which the table does not find them.
	const others = crawlers.filter(({ name }) => !/^[\w-]+$/.test(name));
	expect(others.length).toBeGreaterThan(5);
	for (const { tokens, obeysGlobal } of others)
		expect({ tokens: tokens.length, obeysGlobal }).toEqual({
			tokens: 1,
			obeysGlobal: true,
		});
});

test("a header without a token does not match a group without a token", () => {
	const file = "User-agent: 008\nUser-agent:\nDisallow: /\n";
	for (const dialect of ["rfc9309", "google", "yandex"] as const) {
		const robots = RobotsTxt.parse(file, { dialect });
		for (const agent of ["*", "(none)", "\u00e9"])
			expect(chosen(robots, agent)).toBe(null);
	}
});

describe("Yandex", () => {
	test.each([
		["Yandex", "Yandex"],
		["YandexBot", "Yandex"],
		["NotYandex", null],
		["Not-YandexBot", null],
	])("%s obeys %s", (agent, line) => {
		const file = "User-agent: Yandex\nDisallow: /";
		const robots = RobotsTxt.parse(file, { dialect: "yandex" });
		expect(chosen(robots, agent)).toBe(line);
	});
	test.each([
		["rfc9309", null],
		["yandex", "*"],
	] as const)(
		"* holds for YandexDirect as its pages say today, or the document: %s",
		(dialect, line) => {
			const robots = RobotsTxt.parse("User-agent: *\nDisallow: /", { dialect });
			expect(chosen(robots, "YandexDirect")).toBe(line);
		},
	);
});

test.each(["AdsBot-Google", "x"])(
	"explain says that %s has no group",
	(agent) => {
		const robots = RobotsTxt.parse("User-agent: other\nDisallow: /");
		expect(robots.explain("/", agent).reason).toBe(
			`No group applies to ${agent}, so everything is allowed.`,
		);
	},
);

test("explain says why a group for * does not count", () => {
	const robots = RobotsTxt.parse("User-agent: *\nDisallow: /");
	expect(robots.explain("/", "AdsBot-Google").reason).toBe(
		"No group names AdsBot-Google, which does not obey groups for *, so everything is allowed. The google dialect answers disallowed: Disallow: / (line 2) is the longest rule that matches.",
	);
});

/** Files with every choice of a group for `*`, one for the crawler's tokens and one for another crawler. */
const whoIsNamed = (tokens: readonly string[]) =>
	["*", ...tokens, "OtherBot"].reduce<readonly (readonly string[])[]>(
		(files, name) => files.flatMap((names) => [names, [...names, name]]),
		[[]],
	);

describe.each(dialects)("The table and the verdicts agree, %s:", (dialect) => {
	/** Answers for all crawlers, by file: many crawlers are tried with the same one. */
	const compared = new Map<string, ReturnType<typeof compareCrawlers>>();
	const allAnswers = (file: string, robots: RobotsTxt) => {
		const known = compared.get(file) ?? compareCrawlers(robots, "/");
		compared.set(file, known);
		return known;
	};
	// Asked about all crawlers: files that name nobody or everybody, and of each tenth crawler those that name it, each of which takes as long as
	// 300 explanations.
	const rows = crawlers.map(
		({ name }, at) => [name, isWhole || at % 10 === 0] as const,
	);
	test.each(rows)("%s", (name, isCompared) => {
		const row = findCrawler(name, { dialect });
		if (!row) throw new Error(`${name} is unknown`);
		for (const names of whoIsNamed(row.tokens)) {
			const file = names
				.map((agent) => `User-agent: ${agent}\nDisallow: /\n`)
				.join("\n");
			const robots = RobotsTxt.parse(file, { dialect });
			const named = row.tokens.find(
				(token) => names.includes(token) && /^[\w-]+$/.test(token),
			);
			const expected =
				named ?? (row.obeysGlobal && names.includes("*") ? "*" : null);
			// Of a name with other characters, user-agent lines hold what stands before them; digits are others to Google's library.
			const others = dialect === "google" ? /[^a-z_*-]/i : /[^\w*-]/;
			if (names.some((token) => others.test(token))) continue;
			const { rule, group } = robots.explain("/", name);
			expect([names, group?.agents[0] ?? null]).toEqual([names, expected]);
			expect(rule === null).toBe(expected === null);
			if (!isCompared && names.some((token) => token !== "*")) continue;
			const [answer] = allAnswers(file, robots).filter(
				({ crawler }) => crawler.name === name,
			);
			expect(answer?.crawler).toEqual(row);
			expect(answer?.group?.agents[0] ?? null).toBe(expected);
		}
	});
	test("lists have the first crawler's answer about *", () => {
		const robots = RobotsTxt.parse("User-agent: *\nDisallow: /", { dialect });
		for (const { name } of crawlers)
			expect(robots.isAllowed("/", [name, "x"])).toBe(
				!findCrawler(name, { dialect })?.obeysGlobal,
			);
	});
});

test("15 robots of Yandex are told apart by the dialect, and each says why", () => {
	const differing = crawlers.filter(
		(crawler) =>
			crawler.obeysGlobal !==
			findCrawler(crawler.name, { dialect: "yandex" })?.obeysGlobal,
	);
	expect(differing.length).toBeGreaterThanOrEqual(15);
	for (const { name, operator } of differing) {
		expect(operator).toBe("Yandex");
		expect(findCrawler(name)?.obeysGlobalSource).toMatch(/^https:\/\/yandex/);
		expect(findCrawler(name, { dialect: "yandex" })?.obeysGlobalSource).toMatch(
			/2013/,
		);
	}
});
