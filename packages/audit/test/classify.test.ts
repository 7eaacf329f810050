import { createRequire } from "node:module";
import { list as isbotPatterns } from "isbot";
import { describe, expect, test } from "vitest";
import {
	findCrawler,
	productTokenOf,
	recognise,
} from "../../../src/crawlers/crawlers.ts";
import type { Escaping } from "../src/formats/log-format.ts";
import { AgentDirectory } from "../src/who/agent-classes.ts";
import {
	type AutomaticAgent,
	classify,
	Header,
	literalsOf,
	saysNothing,
	shownName,
} from "../src/who/classify.ts";
import {
	peoplesProducts,
	shapesOfHeaders,
	wordsOfApps,
	wordsOfPeople,
} from "../src/who/people.ts";
import { isAutomatic, listedIn } from "./reference.ts";

const chrome =
	"Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/1.0 Safari/537.36";
const compatible = (text: string) => `Mozilla/5.0 (compatible; ${text})`;

describe("A User-Agent header", () => {
	test.each<[header: string, name: string | undefined, category?: string]>([
		[compatible("Googlebot/2.1; +http://g.co"), "Googlebot", "search"],
		["Googlebot-Image/1.0", "Googlebot-Image", "search"],
		[compatible("GPTBot/1.2; +https://openai.com/gptbot"), "GPTBot"],
		["curl/8.5.0", "curl", "library"],
		["Wget/1.21", "wget", "library"],
		["python-requests/2.31", "python-requests", "library"],
		["Feedly/1.0 (+http://www.feedly.com/fetcher.html)", "Feedly", "feed"],
		[
			compatible("NeverSeenBot/1; +http://x.example"),
			"NeverSeenBot",
			"unknown",
		],
		["Mozilla/5.0 (X11; Linux x86_64; rv:1) Gecko/1 Firefox/1.0", undefined],
		[
			"Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/126.0.0.0 Safari/537.36",
			undefined,
		],
		// People, whom isbot takes for bots.
		[
			compatible("MSIE 9.0; Windows NT 6.1; chromeframe/19.0.1084.52"),
			undefined,
		],
		["Mozilla/4.0 (compatible;)", undefined],
		["MAXX_MAUI WAP Browser", undefined],
		["Maui Browser", undefined],
		["SomeBot/1.0 WAP Browser", "SomeBot"],
		[compatible("MSIE 7.0; chromeframe/20.0; SomeBot"), "SomeBot"],
		// What isbot alone knows goes by its token, or by what gave it away.
		["http-thing (x)", "http-thing", "unknown"],
		[`${chrome} perl-foo`, "perl-foo", "unknown"],
		[`${chrome} Foo.crawl-x`, "crawl-x", "unknown"],
		[`${chrome} (scan)`, "scan", "unknown"],
		["(+http://x.example/)", "x.example", "unknown"],
		[`${"A".repeat(80)}Bot/1.0`, "A".repeat(60), "unknown"],
		[
			`Mozilla/5.0 crawl${"x".repeat(90)}`,
			`Mozilla/5.0 crawl${"x".repeat(43)}`,
		],
	])("%s", (header, name, category) => {
		const found = classify(header);
		expect(found?.name).toBe(name);
		if (category) expect(found?.category).toBe(category);
	});

	test.each([
		["psbot-image/1.0", "psbot-image"],
		["AcmeBot/1.0 (like Twitterbot)", "AcmeBot"],
		["Mozilla/5.0 (compatible; AcmeBot/1.0) python-requests/2.31", "AcmeBot"],
		["Mozilla/5.0 (X11) Chrome/1.0 Safari/1.0 Nikto/2.5", "Nikto"],
		[`${chrome} Nikto-y/2.5`, "Nikto-y"],
		["Mozilla/5.0 (_Nikto_)", "_Nikto"],
		["(Nikto)", "Nikto"],
		["Googlebot-Image/1.0", "Googlebot-Image"],
		["Screaming Frog SEO Spider/19.4", "Screaming Frog SEO Spider"],
		["Mozilla/5.0 (compatible; archive.org_bot +http://x/)", "archive.org_bot"],
	])("%s chooses its group by what it calls itself, %s", (header, agent) =>
		expect(classify(header)?.agent).toBe(agent),
	);
});

const android = (device: string, rest = "") =>
	`Mozilla/5.0 (Linux; Android 15; ${device}) AppleWebKit/537.36 (KHTML, like Gecko) Version/4.0 Chrome/142.0.0.0 Mobile Safari/537.36${rest}`;
const electron = (product: string) =>
	`Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) ${product} Chrome/142.0.0.0 Electron/39.8.5 Safari/537.36`;

describe("A header that is a person's but for a word", () => {
	test.each<[header: string, name?: string]>([
		[
			android(
				"PKX110 Build/AP3A.240617.008; wv",
				" XWEB/1420273 MMWEBSDK/20260202 MicroMessenger/8.0.48",
			),
		],
		[android("XBot Junior")],
		[android("GM Discovery II")],
		[android("GLX Spider1S Build/KOT49H")],
		[android("HTCButterflys901s")],
		[android("Pixel 10", " MetaIAB Facebook")],
		[android("Pixel 10", " SogouMSE,SogouMobileBrowser/5.2")],
		[android("Pixel 10", " Viber/11.9.5.8")],
		[electron("Code/1.115.0")],
		[`${electron("Slack/4.4.2")} Sonic Slack_SSB/4.4.2`],
		[electron("Trae/1.107.1")],
		["MozacFetch/49.0.20200702190156"],
		["Dalvik/1.6.0 (Linux; U; Android 4.4.2; IMO Discovery II Build/KOT49H)"],
		["com.google.GoogleMobile/23.1.0 iPhone/11.4.1 hw/iPhone6_2"],
		["Yandex/9692 CFNetwork/1121.2.2 Darwin/19.3.0"],
		[
			"Opera/9.80 (Linux mips; HbbTV/1.2.1 (; Freesat/1.0; x; 1.0.0; 1.0.0; wired); ce-html/1.0) Presto/2.12.407 Version/12.50",
		],
		["iPhone15Pro"],
		["AntennaPod/0.9.9.1"],
		["WhatsApp/2.17.395 Android/6.0 Device/Acme-Phone_1"],
		["server-bag [Watch OS,7.1,18R590,Watch6,2]"],
		["RokuOS/3.0.0|Roku 3930X|STB|RokuOS 9.4.0 4200"],
		["Cinnamon/1.0.0.0, BOX1/42 (Google Fiber, BOX1, wired)"],
		[
			"Mozilla/4.01 (Compatible; Acorn Browse 1.25; RISC OS 4.39) Acorn-HTTP/0.84",
		],
		[`ACME_APP_AGENT/${android("BOX Build/QP1A.191105.004; wv")}`],
		// Crawlers, whatever they pose as.
		[android("Pixel 2; FooBot/1.0"), "FooBot"],
		[
			android("Pixel 2; compatible; Discovery/1; +http://x.example"),
			"Discovery",
		],
		[
			android("XBot Junior", " (compatible; FooBot/1.0; +http://x.example)"),
			"FooBot",
		],
		[`${chrome} http://x.example/about`, "x.example"],
		[
			"Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko; Google Search Console) Chrome/41.0 Safari/537.36",
			"like Gecko; Google Search Console",
		],
		[electron("Slack/4.4.2 GomezAgent"), "GomezAgent"],
		[
			"Sogou web spider/4.0(+http://www.sogou.com/docs/help/webmasters.htm#07)",
			"Sogou web spider",
		],
		["gobuster/3.1.0", "gobuster"],
		["WhatsApp/2.23.20.0 A", "WhatsApp"],
		[android("Pixel 2; wv", " http://x.example/about"), "x.example"],
		["Deno/1.26.1", "Deno"],
		["okhttp/4.9.3", "okhttp"],
	])("%s", (header, name) => {
		expect(classify(header)?.name).toBe(name);
	});

	test("the words that are set aside are patterns of the lists", () => {
		const isListed = (source: string) =>
			listed.some(({ pattern }) => pattern === source);
		const all = [...shapesOfHeaders, ...wordsOfPeople, ...wordsOfApps];
		expect(all.filter((source) => !isbotPatterns.includes(source))).toEqual([]);
		expect([...peoplesProducts].filter((one) => !isListed(one))).toEqual([]);
	});
});

test("an address of any length is no more than a name", () => {
	const header = compatible(`http://${"a".repeat(40_000)}.com/bot`);
	expect(classify(header)?.name).toBe("a".repeat(60));
});

describe("Of matches that are equally long the first in the header counts:", () => {
	test.each([
		["x/1 heritrix discobot", "heritrix"],
		["x/1 discobot heritrix", "discobot"],
	])("%s", (header, name) => expect(classify(header)?.name).toBe(name));
});

describe("In an audit limited to names", () => {
	const unknown = "NeverSeenBot/1.0";
	const browser = "Mozilla/5.0 (X11; Linux x86_64; rv:1) Gecko/1 Firefox/1.0";
	const row = (name: string, category: string, agent = name) => ({
		name,
		category,
		agent,
	});
	test.each<
		[
			names: readonly string[],
			header: string,
			found: AutomaticAgent | "person" | "left-out",
		]
	>([
		[[], unknown, row("NeverSeenBot", "unknown")],
		[[], browser, "person"],
		// A name that no list knows is written as the user writes it.
		[["neverseenBOT"], unknown, row("neverseenBOT", "unknown")],
		[["+neverseenBOT"], unknown, row("neverseenBOT", "unknown")],
		[["NeverSeen"], unknown, "left-out"],
		[["other"], unknown, "left-out"],
		[["googleBOT"], "Googlebot/2.1", row("Googlebot", "search")],
		[["CURL"], "curl/8.5.0", row("curl", "library")],
		[["bingbot"], "Googlebot/2.1", "left-out"],
		[["+bingbot"], "Googlebot/2.1", row("Googlebot", "search")],
		[["Acme"], "curl/8.5.0 Acme/2", row("Acme", "library")],
		[["Acme"], `${browser} Acme/2`, row("Acme", "unknown")],
		[
			["Acme Co."],
			`${browser} acme co.`,
			row("Acme Co.", "unknown", "Mozilla"),
		],
		[["Acme Co."], `${browser} acme cox`, "person"],
		[["Acme+"], `${browser} Acme+`, row("Acme+", "unknown", "Mozilla")],
		[["Acme"], browser, "person"],
		[["Acme"], `${browser} AcmeBot`, "left-out"],
		[["Acme"], `${browser} NotAcme/2`, "person"],
		[["Googlebot"], "AcmeBot/1.0 (like Googlebot)", "left-out"],
	])("%j, %s", (names, header, found) =>
		expect(new AgentDirectory(names).find(header)).toEqual(found),
	);
});

describe("With patterns of headers that are people's and crawlers', a header", () => {
	const directory = new AgentDirectory(
		[],
		["Googlebot"],
		["Opera", "Acme", "(x)"],
	);
	const row = (name: string, agent = name) => ({
		name,
		category: "unknown",
		agent,
	});
	test.each<[header: string, found: AutomaticAgent | "person"]>([
		["Googlebot/2.1", "person"],
		["Mozilla/5.0 (X11; rv:1) Gecko/1 Firefox/1.0", "person"],
		[`${chrome} Acme`, row(chrome.slice(0, 60), "Mozilla")],
		["OperaX/9.80 (Windows NT 6.1) Presto/2.12", row("OperaX")],
		[
			"Opera/9.80 (Windows NT 6.1) Presto/2.12",
			row("Opera/9.80 (Windows NT 6.1) Presto/2.12", "Opera"),
		],
	])("%s", (header, found) => expect(directory.find(header)).toEqual(found));
});

describe("With purposes among the patterns of crawlers', a header", () => {
	const directory = new AgentDirectory(
		[],
		["[ads]"],
		[
			"Plain",
			"[ai-training]",
			"NewAI",
			"GPTBot",
			"[ Search ]",
			"(find)",
			"[]",
			"NewBot",
			"[seo]",
			"NewAI-late",
		],
	);
	const row = (name: string, category: string, agent = name) => ({
		name,
		category,
		agent,
	});
	test.each<[header: string, found: AutomaticAgent | "person"]>([
		["NewAI/1.0 (+https://a.example/bot)", row("NewAI", "ai-training")],
		[`${chrome} NewAI`, row(chrome.slice(0, 60), "ai-training", "Mozilla")],
		["Seeker/2 (find)", row("Seeker", "search")],
		// The user's word beats the lists', of which name and token remain.
		["GPTBot/1.2 (find)", row("GPTBot", "ai-training")],
		["CCBot/2.0", row("CCBot", "ai-training")],
		["CCBot/2.0 (find)", row("CCBot", "search")],
		// The first pattern that a header has decides, also one without a purpose.
		["NewAI-late/1.0", row("NewAI-late", "ai-training")],
		["GPTBot/1.2 Plain", row("GPTBot", "ai-training")],
		["CCBot/2.0 (find) Plain", row("CCBot", "ai-training")],
		["NewBot/1.0", row("NewBot", "unknown")],
		["OtherBot/1.0", row("OtherBot", "unknown")],
		// Patterns of people's have none: this one is a text.
		["GPTBot/1.2 [ads]", "person"],
	])("%s", (header, found) => expect(directory.find(header)).toEqual(found));

	test.each(["[ai-assistant]", "[toString]", "[x]"])(
		"%s is refused",
		(pattern) => {
			expect(() => new AgentDirectory([], [], [pattern])).toThrow(
				`${pattern} is no purpose of crawlers: write one of ai-training, ai-search, ai-agent, ai, search, seo, archive,`,
			);
		},
	);
});

interface Listed {
	pattern: string;
	instances: string[];
	tags?: string[];
}
const listed = createRequire(import.meta.url)(
	"crawler-user-agents",
) as Listed[];

/** Examples of crawler-user-agents that are people's: their only mark is a build of Android, an editor or a chat. */
const peoplesInstances = listed
	.flatMap(({ instances }) => instances)
	.filter((header) =>
		/Code\/1\.115|MetaIAB Facebook|Trae\/|Fluid\/|AP3A/.test(header),
	);

test("of the list, the pattern with the longest match counts: as trying all of them finds", () => {
	const headers = listed
		.flatMap(({ instances }) => instances.slice(0, 2))
		.filter((header) => !peoplesInstances.includes(header));
	expect(headers.length).toBeGreaterThan(1500);
	let compared = 0;
	for (const header of headers) {
		expect(isAutomatic(header)).toBe(true);
		const found = classify(header);
		expect({ header, found: found !== undefined }).toEqual({
			header,
			found: true,
		});
		if (findCrawler(header)) continue;
		compared++;
		const matches = listedIn(header);
		const longest = Math.max(...matches.map(({ match }) => match.length));
		const best = matches.filter(({ match }) => match.length === longest);
		const names = best.map(({ index }) => {
			const entry = listed[index] as Listed;
			const own = new RegExp(entry.pattern).exec(entry.instances[0] ?? "");
			return shownName(own?.[0] ?? "");
		});
		expect(names).toContain(found?.name);
	}
	expect(compared).toBeGreaterThan(1000);
});

test.each([
	[
		"Spinn3r",
		"Mozilla/5.0 (X11; U; Linux x86_64; en-US; rv:1.9.0.19; aggregator:Spinn3r (Spinn3r 3.1); http://spinn3r.com/robot) Gecko/2010040121 Firefox/3.0.19",
	],
	["Morningscore", "Mozilla/5.0 (Morningscore Bot/1.0)"],
	["Exchange check", "Mozilla/5.0 (Exchange check)"],
	["help@dataminr.com", "help@dataminr.com"],
	["kouio.com", "kouio.com RSS reader"],
	["researchcyber.net", "https://researchcyber.net/"],
	["ContextualBot", compatible("ContextualBot/1.0; +http://outcomes.net")],
	["SSL Labs", "SSL Labs (https://www.ssllabs.com/about/assessment.html)"],
	["ExaBot", compatible("ExaBot/1.0; +https://exa.ai")],
	["Exabot", compatible("Exabot/3.0; +http://www.exabot.com/go/robot")],
	["AI2Bot-DeepResearchEval", compatible("AI2Bot-DeepResearchEval/1.0")],
	// Not "Chrome", "Gecko", "Windows NT 10.0 bot", "Safari": these are people's.
	["bot", `${chrome} bot`],
	["spider", "Mozilla/5.0 (X11; rv:120.0) Gecko/20100101 Firefox/120.0 spider"],
	["bot", "Mozilla/5.0 (Windows NT 10.0 bot) Gecko/20100101 Firefox/120.0"],
	["safari.example", `${chrome} (+http://www.safari.example/)`],
])("a name for display is a name: %s", (name, header) =>
	expect(classify(header)?.name).toBe(name),
);

test.each([
	["NovaAct/1.0", "ai-agent"],
	[`${chrome}; Devin/1.0; +https://devin.ai`, "ai-agent"],
	[`${chrome}; Manus-User/1.0`, "ai-agent"],
	["QueritBot/1.0", "ai"],
	["LAIONDownloader/1.0", "ai"],
	[compatible("TikTokSpider; ttspider-feedback@tiktok.com"), "ai"],
])("%s is for %s", (header, category) =>
	expect(classify(header)?.category).toBe(category),
);

const browsers = [
	"Mozilla/5.0 (X11; Linux x86_64; rv:128.0) Gecko/20100101 Firefox/128.0",
	"Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/17.5 Safari/605.1.15",
	"Mozilla/5.0 (Linux; Android 10; CUBOT X30) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/126.0.0.0 Mobile Safari/537.36",
	"Opera/9.80 (Windows NT 6.1) Presto/2.12.388 Version/12.18",
];
const realHeaders = [
	...browsers,
	...listed.flatMap(({ instances }) => instances),
];

test.each<[change: string, changed: (header: string) => string]>([
	["as they are", (header) => header],
	["in capitals", (header) => header.toUpperCase()],
	["without their beginning", (header) => header.slice(7)],
	["backwards by words", (header) => header.split(" ").reverse().join(" ")],
	["with a word behind", (header) => `${header} v31337`],
])(
	"headers %s are automatic when an expression of any list says so",
	(_, changed) => {
		const wrong = realHeaders
			.map(changed)
			.filter(
				(header) => (classify(header) !== undefined) !== isAutomatic(header),
			);
		expect(wrong).toEqual([]);
	},
);

/** Who a header is by every expression of the list, one after the other: the names of the longest matches, and the token by its structure. */
function tried(header: string): {
	names: unknown[];
	agent: string | undefined;
} {
	const recognised = recognise(header);
	const agent = productTokenOf(recognised);
	if (recognised.crawler) return { names: [recognised.crawler.name], agent };
	const matches = listedIn(header).map(({ index, match }) => ({
		name: expressions[index]?.name,
		length: match.length,
	}));
	const longest = Math.max(...matches.map(({ length }) => length));
	return {
		names: matches.flatMap(({ name, length }) =>
			length === longest ? [name] : [],
		),
		agent,
	};
}

const expressions = listed.map(({ pattern, instances }) => ({
	pattern: new RegExp(pattern),
	name: shownName(new RegExp(pattern).exec(instances[0] ?? "")?.[0] ?? ""),
}));

/** Numbers that look random and are the same in each run. */
function pseudoRandom(seed: number): (limit: number) => number {
	let state = seed;
	return (limit) => {
		state = (Math.imul(state, 1103515245) + 12345) >>> 0;
		return (state >>> 8) % limit;
	};
}

const random = pseudoRandom(7);
const digit = () => `${random(10)}`;
/** Names of which a digit is a part, and others that only come near. */
const nearNames = [
	"Mozilla/4.0 (compatible;)",
	"Mozilla/5.0 (compatible;)",
	"Mozilla/5.0 (X11)",
	"Mozilla/5.0 foo-1.2",
	"360Spider/1.0",
	"x/360Spider",
	"foo/008/1",
	"a.80legs/1.1",
	"Foo/2ip.ru",
	"Mozilla/5.0 (Win32) Foo/1.0 (Win64) Bar/1.5bot",
	"x/1.0;",
	// An expression of isbot has "/1.0;", one of the list "Code/1.": other versions are people's.
	"Mozilla/5.0 (X11; Linux x86_64) Gecko/2.0; rv",
	"Mozilla/5.0 (X11; Linux x86_64) Gecko/1.0; rv",
	"Mozilla/5.0 (X11; Linux x86_64) Gecko/3.0; rv",
	"Mozilla/5.0 (X11; Linux x86_64) Code/2.5 Safari/537.36",
	"Mozilla/5.0 (X11; Linux x86_64) Code/1.5 Safari/537.36",
	"Foo/1.0 (y/1.0; z)",
	"AI2Bot/1.0",
	"Foo (x/AI2Bot 1.0)",
	"Mozilla/5.0 (compatible; .5foo/1.0; +http://x.example)",
	`${"a/1".repeat(200)} GPTBot/1.0`,
	`${"x".repeat(49)}/1.0`,
	"foo\\bot/1.0",
	"\u212arawler \u017fpider/1.0",
	"slac\u212abot",
	"G\u00f6tBot/1.\u0662",
	"",
	"-",
];

test.each<[change: string, changed: (header: string) => string]>([
	["as they are", (header) => header],
	["with other digits", (header) => header.replace(/\d/g, digit)],
	["with other digits again", (header) => header.replace(/\d/g, digit)],
	["with other versions", (header) => header.replace(/(?<=[/.])\d/g, digit)],
	["in lower case", (header) => header.toLowerCase()],
	["in capitals", (header) => header.toUpperCase()],
	["beyond ASCII", (header) => header.replace(/ /, " \u00e9 ")],
	["with Kelvin signs", (header) => header.replace(/k/gi, "\u212a")],
	[
		"cut anywhere",
		(header) => header.slice(random(20), header.length - random(20)),
	],
])("the bytes of headers %s name whom all expressions name", (_, changed) => {
	const headers = [
		...nearNames,
		...browsers,
		...listed.map(({ instances }) => instances[0] ?? ""),
	];
	const encoder = new TextEncoder();
	const wrong = headers.map(changed).filter((text) => {
		const written = text.replace(/[\\"]/g, "\\$&");
		const found = classify(new Header(encoder.encode(written), "backslash"));
		if ((found !== undefined) !== isAutomatic(text)) return true;
		if (!found) return false;
		const { names, agent } = tried(text);
		if (names.length > 0 && !names.includes(found.name)) return true;
		return agent !== undefined && !saysNothing(agent) && found.agent !== agent;
	});
	expect(wrong).toEqual([]);
});

test.each<[escaping: Escaping, write: (header: string) => string]>([
	["none", (header) => header],
	["backslash", (header) => header.replace(/[\\"]/g, "\\$&")],
	["plus", (header) => header.replaceAll(" ", "+")],
	["percent", (header) => encodeURIComponent(header)],
])(
	"headers written with the escaping %s are who they are",
	(escaping, write) => {
		const encoder = new TextEncoder();
		const wrong = realHeaders
			.filter((header) => escaping !== "plus" || !header.includes("+"))
			.filter((header) => escaping !== "percent" || !/%/.test(header))
			.filter((header) => {
				const found = classify(
					new Header(encoder.encode(write(header)), escaping),
				);
				return JSON.stringify(found) !== JSON.stringify(classify(header));
			});
		expect(wrong).toEqual([]);
	},
);

describe("Literals", () => {
	test.each<[pattern: string, literals: readonly string[] | undefined]>([
		["Googlebot\\/", ["googlebot/"]],
		["(sistrix|SISTRIX) [cC]rawler", ["rawler"]],
		["Chirp|gotosocial", ["chirp", "gotosocial"]],
		["Riddler \\(http:\\/\\/x\\)", ["riddler (http://x)"]],
		["(?<! cu)bots?(?:\\b|_)", ["bot"]],
		["abc?d*ef{2,}ghi", ["ghi"]],
		["^[^ ]{50,}$", undefined],
		["abc|de", undefined],
		["\\(\\)", undefined],
	])("of %s", (pattern, literals) =>
		expect(literalsOf(pattern)).toEqual(literals),
	);

	test("occur in every match of their expression", () => {
		const all = [...listed.map(({ pattern }) => pattern), ...isbotPatterns];
		const wrong = all.flatMap((pattern) => {
			const literals = literalsOf(pattern);
			if (!literals) return [];
			const expression = new RegExp(pattern, "i");
			return realHeaders.flatMap((header) => {
				const match = expression.exec(header)?.[0].toLowerCase();
				if (match === undefined) return [];
				return literals.some((literal) => match.includes(literal))
					? []
					: [{ pattern, match }];
			});
		});
		expect(wrong).toEqual([]);
	});
});
