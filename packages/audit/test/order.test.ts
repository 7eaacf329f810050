import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { crawlers, findCrawler } from "../../../src/crawlers/crawlers.ts";
import { RobotsTxt } from "../../../src/index.ts";
import { casesOf } from "../../../test/cases.ts";
import { Totals } from "../src/count/totals.ts";
import { formatOf } from "../src/formats/formats.ts";
import { type AuditOptions, LogAudit, parseRanges } from "../src/index.ts";
import { scanSettings } from "../src/options/options.ts";
import { RuleBook } from "../src/options/rule-book.ts";
import { reportOf } from "../src/report/make-report.ts";
import { LogScanner } from "../src/scan/scanner.ts";

const encode = (text: string) => new TextEncoder().encode(text);

function line(header: string, target: string, ip = "192.0.2.1"): string {
	return `${ip} - - [14/Oct/2025:00:00:00 +0000] "GET ${target} HTTP/1.1" 200 5 "-" "${header}"\n`;
}

async function reportFor(
	robots: string,
	lines: readonly string[],
	options: Partial<AuditOptions> = {},
) {
	const audit = new LogAudit({
		robots: [{ file: "robots.txt", bytes: encode(robots) }],
		format: "combined",
		...options,
	});
	await audit.add("a.log", [encode(lines.join(""))]);
	return audit.report();
}

/** Headers, and the token of the crawler that each is of; "*" for one without a token. */
const tokenOfHeader: readonly (readonly [header: string, token: string])[] = [
	...crawlers
		.map(({ name }) => name)
		.filter((name) => findCrawler(`${name}/1.0`)?.name === name)
		.flatMap((name): [string, string][] => [
			[`${name}/1.0`, name],
			[`Mozilla/5.0 (compatible; ${name}; +http://x.example/)`, name],
		]),
	["NeverSeenBot/1.0", "NeverSeenBot"],
	["Mozilla/5.0 (compatible; NeverSeenBot/2.0)", "NeverSeenBot"],
	["psbot-image/1.0", "psbot-image"],
	["python-requests/2.31", "python-requests"],
	["(bot)", "bot"],
	["(+http://x.example/)", "*"],
];
function verdict(robots: RobotsTxt, target: string, token: string): string {
	try {
		return robots.isAllowed(target, token) ? "allowed" : "disallowed";
	} catch (error) {
		expect(error).toMatchObject({ code: "invalid-url" });
		return "invalid";
	}
}

const dialects = ["rfc9309", "google", "yandex"] as const;

interface Request {
	readonly of: (typeof tokenOfHeader)[number];
	readonly target: string;
}

type Example = [
	robots: string,
	requestsInTwoOrders: [Request[], Request[]],
	dialect: (typeof dialects)[number],
];

describe("A verdict does not depend on earlier lines", () => {
	test.each<
		[
			robots: string,
			first: string,
			header: string,
			disallowed: number,
			crawlDelay: number | undefined,
		]
	>([
		[
			"User-agent: archive.org_bot\nDisallow: /private\n\nUser-agent: *\nDisallow: /\n",
			"archive.org_bot",
			"GPTBot/1.0",
			1,
			undefined,
		],
		[
			"User-agent: *\nDisallow:\n\nUser-agent: Mail.RU_Bot\nDisallow: /\n",
			"GPTBot/1.0",
			"Mail.RU_Bot/2.0",
			1,
			undefined,
		],
		[
			"User-agent: Sogou web spider\nDisallow: /p\nCrawl-delay: 7\n\nUser-agent: *\nDisallow: /p\nCrawl-delay: 3\n",
			"Sogou web spider/4.0",
			"GPTBot/1.0",
			0,
			3,
		],
		[
			"User-agent: Screaming Frog SEO Spider\nAllow: /\n\nUser-agent: *\nDisallow: /\n",
			"GPTBot/1.0",
			"Screaming Frog SEO Spider/20.0",
			0,
			undefined,
		],
		[
			"User-agent: *\nDisallow: /\n",
			"GPTBot/1.0",
			"AdsBot-Google",
			0,
			undefined,
		],
	])(
		"%j, first %s, then %s",
		async (robots, first, header, disallowed, delay) => {
			const { crawlers: found } = await reportFor(
				robots,
				[line(first, "/x"), line(header, "/x")],
				{ groupBy: "header" },
			);
			const report = found.find(({ name }) => name === header);
			expect(report?.disallowed).toBe(disallowed);
			expect(report?.crawlDelay?.seconds).toBe(delay);
		},
	);

	test.each(dialects)(
		"is that of isAllowed for the name and for a header of each crawler of the table, in the dialect %s",
		async (dialect) => {
			const named = tokenOfHeader.map(([, token]) => `User-agent: ${token}\n`);
			const text = `${named.slice(0, -1).join("")}Disallow: /a\n\nUser-agent: *\nDisallow: /b\n`;
			const robots = RobotsTxt.parse(text, { dialect });
			const targets = ["/a", "/b"];
			const { crawlers: found } = await reportFor(
				text,
				tokenOfHeader.flatMap(([header]) =>
					targets.map((target) => line(header, target)),
				),
				{ groupBy: "header", dialect },
			);
			for (const [header, token] of tokenOfHeader) {
				const rules = found.find(({ name }) => name === header)?.rules;
				const judged = targets.filter((target) =>
					rules?.some(({ pattern }) => pattern === target),
				);
				const of = (agent: string) =>
					targets.filter(
						(target) => verdict(robots, target, agent) === "disallowed",
					);
				expect([header, judged]).toEqual([header, of(token)]);
				if (header.includes("(") && token !== "*")
					expect([header, judged]).toEqual([header, of(header)]);
			}
		},
	);

	const agentLine = fc
		.constantFrom(
			...tokenOfHeader.map(([, token]) => token),
			"*",
			"*",
			"archive",
			"Mail",
			"Sogou",
			"Googlebot",
			"Yandex",
			"Foo",
		)
		.map((agent) => `User-agent: ${agent}\n`);
	const otherLine = fc
		.constantFrom(
			"Disallow: /",
			"Disallow: /a",
			"Allow: /a/b",
			"Disallow: /*b",
			"Disallow:",
			"Allow: /",
			"Crawl-delay: 2",
			"Sitemap: /x",
		)
		.map((text) => `${text}\n`);
	const robotsTxt = fc
		.array(
			fc.tuple(
				fc.array(agentLine, { minLength: 1, maxLength: 3 }),
				fc.array(otherLine, { maxLength: 4 }),
			),
			{ maxLength: 5 },
		)
		.map((groups) => groups.flat(2).join(""));
	const request = fc.record({
		of: fc.constantFrom(...tokenOfHeader),
		target: fc.constantFrom("/", "/a", "/a/b", "/robots.txt", "nonsense"),
	});
	/** Text behind the first word is not part of a user-agent line's token, but it is of the name. */
	const namesOfSeveralWords = (
		[
			["Better Uptime Bot", "google"],
			["Sogou Pic Spider", "google"],
			["Sogou Pic Spider", "rfc9309"],
			["Mail.RU_Bot", "google"],
			["archive.org_bot", "yandex"],
		] as const
	).map(([name, dialect]): Example => {
		const requests: Request[] = [
			{ of: [`${name}/1.0`, name], target: "/a" },
			{ of: ["GPTBot/1.0", "GPTBot"], target: "/" },
		];
		const text = `User-agent: ${name}\nDisallow: /\n`;
		return [text, [requests, requests.toReversed()], dialect];
	});
	const requestsInTwoOrders = fc
		.array(request, { minLength: 1, maxLength: 80, size: "max" })
		.chain((requests) =>
			fc.tuple(
				fc.constant(requests),
				fc.shuffledSubarray(requests, { minLength: requests.length }),
			),
		);

	test("is that of isAllowed for the crawler that was recognised, and shuffled lines count the same", async () =>
		fc.assert(
			fc.asyncProperty(
				robotsTxt,
				requestsInTwoOrders,
				fc.constantFrom(...dialects),
				async (text, [requests, shuffled], dialect) => {
					const robots = RobotsTxt.parse(text, { dialect });
					const expected = new Map<string, Record<string, number>>();
					for (const { of, target } of requests) {
						const [header, token] = of;
						const counts = expected.get(header) ?? {
							requests: 0,
							robotsTxt: 0,
							allowed: 0,
							disallowed: 0,
							invalid: 0,
						};
						const count = (key: string) => {
							counts[key] = (counts[key] ?? 0) + 1;
						};
						count("requests");
						if (target === "/robots.txt") count("robotsTxt");
						else count(verdict(robots, target, token));
						expected.set(header, counts);
					}
					for (const order of [requests, shuffled]) {
						const report = await reportFor(
							text,
							order.map(({ of: [header], target }) => line(header, target)),
							{ groupBy: "header", dialect },
						);
						expect(report.crawlers).toHaveLength(expected.size);
						for (const crawler of report.crawlers)
							expect(crawler).toMatchObject(expected.get(crawler.name) ?? {});
					}
				},
			),
			{ numRuns: casesOf(75), examples: namesOfSeveralWords },
		));
});

test.each<[order: string, arrange: <Item>(items: Item[]) => Item[]]>([
	["as they are", (items) => items],
	["backwards", (items) => items.toReversed()],
])(
	"headers of one name and two categories, %s, are counted in each, and together by name",
	async (_, arrange) => {
		// The list knows "Cliqzbot/" only, but what begins with the bare word has that name as well.
		const lines = arrange([
			line("Cliqzbot", "/"),
			line("Mozilla/5.0 (compatible; Cliqzbot/1.0 +http://x.example)", "/"),
			line("Mozilla/5.0 (compatible; Cliqzbot/1.1 +http://x.example)", "/"),
		]);
		const counts = async (groupBy: "name" | "category") =>
			(await reportFor("", lines, { groupBy })).crawlers.map(
				({ name, category, requests }) => ({ name, category, requests }),
			);
		expect(await counts("category")).toEqual([
			{ name: "search", category: "search", requests: 2 },
			{ name: "unknown", category: "unknown", requests: 1 },
		]);
		expect(await counts("name")).toEqual([
			{ name: "Cliqzbot", category: "search", requests: 3 },
		]);
	},
);

test("headers reported separately are verified by their crawler's addresses", async () => {
	const ranges = [
		parseRanges(
			'{"prefixes": [{"ipv4Prefix": "192.0.2.0/24"}]}',
			"g.json",
			"Googlebot",
		),
	];
	const { crawlers: found } = await reportFor(
		"",
		[line("Googlebot/2.1", "/"), line("Googlebot/2.1", "/", "198.51.100.1")],
		{ groupBy: "header", ranges },
	);
	expect(found.map(({ verification }) => verification)).toEqual([
		"claimed",
		"verified",
	]);
});

test("cutting a log changes nothing for crawlers beyond the first 5,000 names", () => {
	const robots = [
		{
			file: "robots.txt",
			bytes: encode("User-agent: *\nDisallow: /private\nCrawl-delay: 1\n"),
		},
	];
	const names = Array.from({ length: 5010 }, (_, at) => `New${at}Bot/1.0`);
	const late = names.slice(5000);
	const lines = [
		...names.map((name) => line(name, "/")),
		...late.flatMap((name, at) => [
			line(name, `/private/${at}`),
			line(name, at % 2 ? "/robots.txt" : "/"),
		]),
		...late.map((name, at) => line(name, `/private/again/${at}`)),
	];
	const scanner = new LogScanner(scanSettings({ robots }, false));
	const reportOfRuns = (cuts: readonly number[]) => {
		const totals = new Totals();
		[0, ...cuts].forEach((from, index) => {
			scanner.begin(formatOf("combined"));
			scanner.feed(encode(lines.slice(from, cuts[index]).join("")));
			totals.append("log", scanner.end());
		});
		return reportOf(totals, new RuleBook(robots, {}), "name");
	};
	const whole = reportOfRuns([]);
	expect(whole.crawlers[0]).toMatchObject({
		name: "(others)",
		requests: 40,
		disallowed: 20,
		robotsTxt: 5,
	});
	for (const cuts of [[5000], [5005, 5011, 5020], [2, 5013, 5030]])
		expect(reportOfRuns(cuts)).toEqual(whole);
});

test.each<[what: string, count: number, target: string, keep: boolean]>([
	["entries, of which each may have a pause of its own", 100_000, "/", false],
	["lines that are kept", 20_000, `/private/${"a".repeat(200)}`, true],
	["crawlers", 256, "/", false],
	["paths", 8000, "/private/", false],
])(
	"what was counted is to be taken, and memory stays bounded: %s",
	(what, count, target, keep) => {
		const bytes = encode("User-agent: *\nDisallow: /private\n");
		const robots = [{ file: "robots.txt", bytes }];
		const scanner = new LogScanner(scanSettings({ robots }, keep));
		scanner.begin(formatOf("combined"));
		const lines = Array.from({ length: count }, (_, at) =>
			line(
				what === "crawlers" ? `New${at}Bot/1.0` : "GPTBot/1.0",
				what === "paths" ? target + at : target,
			),
		);
		const half = count / 2;
		scanner.feed(encode(lines.slice(0, half).join("")));
		expect(scanner.isFull).toBe(false);
		scanner.feed(encode(lines.slice(half).join("")));
		expect(scanner.isFull).toBe(true);
		scanner.take();
		expect(scanner.isFull).toBe(false);
	},
);

describe("A Crawl-delay is kept or not, whatever the order of lines:", () => {
	const robots = "User-agent: *\nCrawl-delay: 10\n";
	const at = (seconds: number) => {
		const clock = new Date(seconds * 1000).toISOString().slice(11, 19);
		return line("GPTBot/1.0", "/").replace("00:00:00", clock);
	};
	const every = (seconds: number, count = 400) =>
		Array.from({ length: count }, (_, index) => at(index * seconds));
	/** Each line moved by up to 20, always alike. */
	const shuffled = (lines: readonly string[]) =>
		lines
			.map((text, index) => ({ text, place: index + ((index * 7919) % 20) }))
			.sort((a, b) => a.place - b.place)
			.map(({ text }) => text);
	const alternating = (lines: readonly string[]) =>
		[0, 1].map((part) => lines.filter((_, index) => index % 2 === part));
	const kept = { kept: true, shorter: 0, pauses: 399, medianGap: 10 };
	const short = { kept: false, shorter: 399, pauses: 399, medianGap: 9 };

	test.each<[what: string, logs: string[][], delay: object]>([
		["kept, in order", [every(10)], kept],
		["kept, shuffled within 20 lines", [shuffled(every(10))], kept],
		["kept, backwards", [every(10).toReversed()], kept],
		["kept, over two logs", alternating(every(10)), kept],
		["too fast, in order", [every(9)], short],
		["too fast, shuffled", [shuffled(every(9))], short],
		["too fast, over two logs, each slow enough", alternating(every(9)), short],
	])("%s", async (_, logs, delay) => {
		const options = {
			robots: [{ file: "robots.txt", bytes: encode(robots) }],
			format: "combined",
			keepState: true,
		};
		const whole = new LogAudit(options);
		const merged = new LogAudit(options);
		for (const lines of logs) {
			const text = [encode(lines.join(""))];
			await whole.add("a.log", text);
			const part = new LogAudit(options);
			await part.add("a.log", text);
			await merged.addState(await part.state());
		}
		const known = { ...delay, late: 0, unknown: null };
		expect(whole.report().crawlers[0]?.crawlDelay).toMatchObject(known);
		expect(merged.report()).toEqual(whole.report());
	});

	test("unknown, with the reason, where logs are too long to be put in order", async () => {
		const audit = new LogAudit({
			robots: [{ file: "robots.txt", bytes: encode(robots) }],
			format: "combined",
		});
		const day = (text: string, index: number) =>
			text.replace(
				"14/Oct",
				`${String(1 + Math.floor(index / 8640))}/Oct`.padStart(6, "0"),
			);
		const lines = Array.from({ length: 80_000 }, (_, index) =>
			day(at((index * 10) % 86_400), index),
		);
		for (const name of ["a.log", "b.log"])
			await audit.add(name, [encode(lines.join(""))]);
		expect(audit.report().crawlers[0]?.crawlDelay).toMatchObject({
			kept: null,
			late: expect.any(Number),
			unknown: expect.stringMatching(
				/^[\d,]+ requests came too late in the logs to be put in order of time$/,
			),
		});
	});
});
