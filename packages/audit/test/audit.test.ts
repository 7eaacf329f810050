import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { casesOf } from "../../../test/cases.ts";
import { Totals } from "../src/count/totals.ts";
import { formatOf } from "../src/formats/formats.ts";
import { type AuditOptions, LogAudit, parseRanges } from "../src/index.ts";
import { scanSettings } from "../src/options/options.ts";
import { RuleBook } from "../src/options/rule-book.ts";
import { reportOf } from "../src/report/make-report.ts";
import { HEAD } from "../src/scan/detect.ts";
import { LogScanner } from "../src/scan/scanner.ts";

const encode = (text: string) => new TextEncoder().encode(text);
const source = (text: string, file = "robots.txt") => ({
	file,
	bytes: encode(text),
});
const privateOnly = source("User-agent: *\nDisallow: /private/\n");

interface Request {
	readonly agent: string;
	readonly path?: string;
	/** Seconds after 2026-01-01T00:00:00Z. */
	readonly at?: number;
	readonly ip?: string;
	readonly host?: string;
	readonly status?: number;
}

const START = Date.UTC(2026, 0, 1);

function line({
	agent,
	path = "/private/",
	at = 0,
	ip = "192.0.2.1",
	host = "example.com",
	status = 200,
}: Request): string {
	const [, day, month, year, clock] =
		/(\d\d) (\w+) (\d+) ([\d:]+)/.exec(
			new Date(START + at * 1000).toUTCString(),
		) ?? [];
	return `${host} ${ip} - - [${day}/${month}/${year}:${clock} +0000] "GET ${path} HTTP/1.1" ${status} 5 "-" "${agent}"\n`;
}

async function auditOf(
	requests: readonly Request[],
	options: Partial<AuditOptions> = {},
) {
	const audit = new LogAudit({
		robots: [privateOnly],
		format: "vcombined",
		...options,
	});
	await audit.add("a.log", [encode(requests.map(line).join(""))]);
	return audit.report();
}

const google = "Mozilla/5.0 (compatible; Googlebot/2.1)";
const firefox = "Mozilla/5.0 (X11; Linux x86_64; rv:1) Gecko/1 Firefox/1.0";

describe("Which requests are checked", () => {
	const requests = [
		{ agent: google },
		{ agent: firefox },
		{ agent: "-" },
		{ agent: "Googlebot-Image/1.0" },
		{ agent: "AdsBot-Google (+http://www.google.com/adsbot.html)" },
		{ agent: "NeverSeenBot/1.0" },
		{ agent: "Mozilla/5.0 (X11; Linux) inhouse-tool/3 Firefox/1.0" },
	];
	test.each<[string, Partial<AuditOptions>, Record<string, number>, object]>([
		[
			"crawlers by the lists; AdsBot-Google does not obey *",
			{},
			{
				Googlebot: 1,
				"Googlebot-Image": 1,
				"AdsBot-Google": 0,
				NeverSeenBot: 1,
			},
			{ people: 2, withoutAgent: 1, leftOut: 0 },
		],
		[
			"only those that are named",
			{ agents: ["googlebot", "NeverSeenBot"] },
			{ Googlebot: 1, NeverSeenBot: 1 },
			{ people: 2, withoutAgent: 1, leftOut: 2 },
		],
		[
			"what no list knows, when it is named",
			{ agents: ["inhouse-tool"] },
			{ "inhouse-tool": 1 },
			{ people: 1, withoutAgent: 1, leftOut: 4 },
		],
		[
			"one more",
			{ agents: ["+inhouse-tool"] },
			{
				Googlebot: 1,
				"Googlebot-Image": 1,
				"AdsBot-Google": 0,
				NeverSeenBot: 1,
				"inhouse-tool": 1,
			},
			{ people: 1, withoutAgent: 1, leftOut: 0 },
		],
		[
			"those without a header, when it is said whose they are",
			{ defaultAgent: "Googlebot", agents: ["Googlebot"] },
			{ Googlebot: 2 },
			{ people: 2, withoutAgent: 0, leftOut: 3 },
		],
		[
			"by category",
			{ groupBy: "category" },
			{ search: 2, ads: 0, unknown: 1 },
			{},
		],
		[
			"by header",
			{ groupBy: "header", agents: ["Googlebot"] },
			{ [google]: 1 },
			{},
		],
	])("%s", async (_, options, disallowed, counts) => {
		const report = await auditOf(requests, options);
		expect(report).toMatchObject(counts);
		expect(
			Object.fromEntries(
				report.crawlers.map((crawler) => [crawler.name, crawler.disallowed]),
			),
		).toEqual(disallowed);
	});

	test("verified, claimed and unknown, by published ranges", async () => {
		const ranges = [
			parseRanges(
				'{"prefixes": [{"ipv4Prefix": "66.249.66.0/27"}, {"ipv6Prefix": "2001:4860:4801:10::/64"}]}',
				"lists/googlebot.json",
			),
		];
		const report = await auditOf(
			[
				{ agent: google, ip: "66.249.66.31" },
				{ agent: google, ip: "66.249.66.32" },
				{ agent: google, ip: "2001:4860:4801:10::5" },
				{ agent: google, ip: "-" },
				{ agent: "GPTBot/1.0" },
			],
			{ ranges },
		);
		expect(
			report.crawlers.map(({ name, verification, requests }) => [
				name,
				verification,
				requests,
			]),
		).toEqual([
			["Googlebot", "verified", 2],
			["GPTBot", null, 1],
			["Googlebot", "claimed", 1],
			["Googlebot", "unknown", 1],
		]);
	});

	test("the addresses behind a name that is not verified, by count and network", async () => {
		const ranges = [parseRanges('{"prefixes": []}', "lists/googlebot.json")];
		const ips = ["192.0.2.1", "192.0.2.1", "192.0.2.9", "2001:db8:0:1::5", "-"];
		const { crawlers } = await auditOf(
			ips.map((ip) => ({ agent: google, ip })),
			{ ranges },
		);
		expect(crawlers[0]).toMatchObject({
			verification: "claimed",
			addresses: {
				top: [
					{ text: "192.0.2.1", count: 2 },
					{ text: "192.0.2.9", count: 1 },
					{ text: "2001:db8:0:1::5", count: 1 },
				],
				different: 3,
				uncounted: 0,
			},
			networks: {
				top: [
					{ text: "192.0.2.0/24", count: 3 },
					{ text: "2001:db8::/48", count: 1 },
				],
				different: 2,
			},
		});
	});

	test.each([
		["address", ["2001:db8:0:1::5", "192.0.2.1", "(unknown)", "192.0.2.9"]],
		["network", ["2001:db8::/48", "192.0.2.0/24", "(unknown)"]],
	] as const)("by %s", async (groupBy, names) => {
		const { crawlers } = await auditOf(
			[
				{ agent: google, ip: "192.0.2.1" },
				{ agent: "GPTBot/1.0", ip: "192.0.2.1", path: "/" },
				{ agent: google, ip: "192.0.2.9", path: "/" },
				...Array.from({ length: 5 }, () => ({
					agent: google,
					ip: "2001:db8:0:1::5",
				})),
				{ agent: google, ip: "-", path: "/" },
			],
			{ groupBy },
		);
		expect(crawlers.map(({ name }) => name)).toEqual(names);
	});

	test("paths beyond the first 1,000 are counted together", async () => {
		const { crawlers } = await auditOf(
			Array.from({ length: 1010 }, (_, at) => ({
				agent: google,
				path: `/private/${at % 1005}?q=${at}`,
			})),
		);
		expect(crawlers[0]).toMatchObject({
			disallowed: 1010,
			disallowedPaths: { different: 1000, uncounted: 5 },
			disallowedDirectories: {
				top: [{ text: "/private/", count: 1010 }],
				uncounted: 0,
			},
		});
		expect(crawlers[0]?.disallowedPaths.top[0]).toEqual({
			text: "/private/0",
			count: 2,
		});
	});

	test.each([
		["operators say so", "ChatGPT-User/1.0", 1, null],
		["it does not obey *", "AdsBot-Google", 1, null],
		["feeds are fetched for people", "Feedly/1.0", 1, null],
		["a crawler", "GPTBot/1.0", 0, 0],
	])("exempt is not obeying: %s, %s", async (_, agent, exempt, compliance) => {
		const { crawlers } = await auditOf([{ agent }]);
		expect(crawlers[0]).toMatchObject({ exempt, compliance });
	});

	test("patterns correct who is a person and who is a crawler", async () => {
		const report = await auditOf(
			[{ agent: google }, { agent: firefox }, { agent: "GPTBot/1.0" }],
			{ people: ["GOOGLEBOT/*)"], crawlers: ["x11*firefox", "googlebot"] },
		);
		expect(report).toMatchObject({ people: 1, judged: 2 });
		expect(report.crawlers.map(({ name }) => name)).toEqual([
			"GPTBot",
			"Mozilla/5.0 (X11; Linux x86_64; rv:1) Gecko/1 Firefox/1.0",
		]);
	});

	test.each(["*", " ** "])("a pattern for every header: %j", (pattern) =>
		expect(
			() => new LogAudit({ robots: [privateOnly], people: [pattern.trim()] }),
		).toThrow("every User-Agent header"),
	);

	test.each([
		["{", "it is not JSON"],
		["{}", 'it has no "prefixes"'],
		['{"prefixes": [{"ipv4Prefix": "66.249.66.0/33"}]}', "is not a range"],
		['{"prefixes": [{"ipv4Prefix": "x"}]}', "is not a range"],
		['{"prefixes": [7]}', "is not a range"],
	])("ranges of %s are refused", (text, reason) =>
		expect(() => parseRanges(text, "x.json")).toThrow(reason),
	);
});

test("names beyond the first 5,000 are counted together", async () => {
	const audit = new LogAudit({ robots: [privateOnly], format: "vcombined" });
	const names = 7000;
	for (let from = 0; from < names; from += 1000)
		await audit.add("a.log", [
			encode(
				Array.from({ length: 1000 }, (_, index) =>
					line({ agent: `New${from + index}Bot/1.0` }),
				).join(""),
			),
		]);
	const { judged, crawlers } = audit.report();
	expect(judged).toBe(names);
	expect(crawlers).toHaveLength(5001);
	expect(crawlers[0]).toMatchObject({ name: "(others)", disallowed: 2000 });
});

describe("What is counted", () => {
	test("disallowed requests behind the first for robots.txt, site by site", async () => {
		const requests = [
			{ agent: google, host: "a.example" },
			{ agent: google, host: "a.example", path: "/robots.txt", status: 404 },
			{ agent: google, host: "a.example" },
			{ agent: google, host: "b.example" },
			{ agent: google, host: "a.example" },
		];
		const sites = ["a.example", "B.example"].map((host) => ({
			...privateOnly,
			host,
		}));
		const apart = await auditOf(requests, { robots: sites });
		expect(apart.crawlers).toMatchObject([
			{ disallowed: 4, disallowedAfterRobotsTxt: 2, statuses: { "4xx": 1 } },
		]);
		expect(apart.crawlers[0]?.sites).toEqual([
			{ host: "a.example", requests: 4, allowed: 0, disallowed: 3 },
			{ host: "b.example", requests: 1, allowed: 0, disallowed: 1 },
		]);
		const together = await auditOf(requests);
		expect(together.crawlers).toMatchObject([{ disallowedAfterRobotsTxt: 3 }]);
	});

	test.each([
		["kept", [0, 10, 20, 31, 42], { medianGap: 10, shorter: 0, kept: true }],
		["not kept", [0, 1, 2, 30], { medianGap: 1, shorter: 2, kept: false }],
		["unknown", [0], { medianGap: null, shorter: 0, kept: null }],
		["of lines out of order", [5, 3, 3], { medianGap: 0, kept: false }],
	])("a Crawl-delay, %s", async (_, times, expected) => {
		const report = await auditOf(
			times.map((at) => ({ agent: google, at })),
			{ robots: [source("User-agent: *\nCrawl-delay: 10\n")] },
		);
		expect(report.crawlers).toMatchObject([
			{ crawlDelay: { seconds: 10, ...expected } },
		]);
	});

	test("a Crawl-delay of the crawler's own, not that of another whose rules it shares", async () => {
		const robots = source(
			"User-agent: Googlebot\nCrawl-delay: 1\nUser-agent: GPTBot\nCrawl-delay: 2\nUser-agent: *\nDisallow: /a\n",
		);
		const { crawlers } = await auditOf(
			[google, "GPTBot/1.0", "bingbot/2.0"].map((agent) => ({ agent })),
			{ robots: [robots] },
		);
		const delays = crawlers.map(({ name, crawlDelay }) => [
			name,
			crawlDelay?.seconds,
		]);
		expect(Object.fromEntries(delays)).toEqual({
			Googlebot: 1,
			GPTBot: 2,
			bingbot: undefined,
		});
	});

	test("rules by number, with the first three different targets", async () => {
		const robots = source(
			"User-agent: *\nDisallow: /a\nDisallow: /b\nDisallow: /*.pdf$\nAllow: /a/\n",
		);
		const paths = ["/a1", "/b1", "/b1", "/b2", "/x.pdf", "/b3", "/b4", "/a/"];
		const report = await auditOf(
			paths.map((path) => ({ agent: google, path })),
			{ robots: [robots] },
		);
		expect(report.crawlers[0]).toMatchObject({
			compliance: 12.5,
			rules: [
				{ line: 3, pattern: "/b", count: 5, examples: ["/b1", "/b2", "/b3"] },
				{ line: 2, pattern: "/a", count: 1, examples: ["/a1"] },
				{ line: 4, pattern: "/*.pdf$", count: 1, examples: ["/x.pdf"] },
			],
		});
	});

	test("each request by the robots.txt of its time", async () => {
		const robots = [
			{
				...source("User-agent: *\nDisallow: /a", "old"),
				since: START + 10_000,
			},
			{
				...source("User-agent: *\nDisallow: /b", "new"),
				since: START + 20_000,
			},
		];
		const requests = [9, 10, 19, 20, 30].flatMap((at) =>
			["/a", "/b"].map((path) => ({ agent: google, at, path })),
		);
		const report = await auditOf(requests, { robots: robots.toReversed() });
		expect(report).toMatchObject({ withoutRobots: 2, judged: 8 });
		expect(report.crawlers[0]?.rules).toMatchObject([
			{ file: "new", line: 2, count: 2, examples: ["/b"] },
			{ file: "old", line: 2, count: 2, examples: ["/a"] },
		]);
	});

	test("requests of a period", async () => {
		const report = await auditOf(
			[0, 1, 2, 3].map((at) => ({ agent: google, at })),
			{ since: new Date(START + 1000), until: new Date(START + 3000) },
		);
		expect(report).toMatchObject({
			lines: 4,
			outside: 2,
			judged: 2,
			from: "2026-01-01T00:00:01.000Z",
			to: "2026-01-01T00:00:02.000Z",
		});
	});

	test("the time span is that of the log, people's lines included", async () => {
		const report = await auditOf([
			{ agent: firefox, at: 0 },
			{ agent: google, at: 5 },
			{ agent: "-", at: 9 },
		]);
		expect(report).toMatchObject({
			judged: 1,
			from: "2026-01-01T00:00:00.000Z",
			to: "2026-01-01T00:00:09.000Z",
		});
	});

	test("hosts without a robots.txt are not judged", async () => {
		const report = await auditOf(
			[
				{ agent: google, host: "a.example:8080" },
				{ agent: google, host: "a.example:443" },
				{ agent: google, host: "c.example" },
			],
			{ robots: [{ ...privateOnly, host: "a.example" }] },
		);
		expect(report).toMatchObject({ judged: 2, withoutRobots: 1 });
	});

	test("long periods have wider steps", async () => {
		for (const [days, step] of [
			[0, 60],
			[2, 600],
			[10, 3600],
			[90, 21_600],
			[300, 86_400],
			[2000, 604_800],
		] as const) {
			const { crawlers, ...report } = await auditOf([
				{ agent: google },
				{ agent: google, at: days * 86_400 },
			]);
			expect(report.step).toBe(step);
			const [crawler] = crawlers;
			expect(crawler?.series.length).toBe(days === 0 ? 1 : 2);
			expect(
				crawler?.series.reduce((sum, { disallowed }) => sum + disallowed, 0),
			).toBe(2);
		}
	});
});

describe("Logs cut into runs", () => {
	const robots = [
		{
			...source("User-agent: *\nDisallow: /private/\nCrawl-delay: 3\n"),
			host: "example.com",
		},
		{
			...source("User-agent: GPTBot\nDisallow: /", "two"),
			host: "two.example",
		},
	];
	const request = fc.record({
		agent: fc.constantFrom(google, "GPTBot/1.0", firefox, "XBot/2"),
		path: fc.constantFrom("/", "/private/1", "/private/2", "/robots.txt"),
		at: fc.integer({ min: 0, max: 500_000 }),
		host: fc.constantFrom("example.com", "two.example", "other.example"),
	});

	const gptBot = (at: number) =>
		({ agent: "GPTBot/1.0", path: "/", at, host: "example.com" }) as const;

	test("add up to the whole", () => {
		const book = new RuleBook(robots, {});
		const run = (runs: readonly (readonly string[])[]) => {
			// A scanner is for one report: the times that it has seen limit the steps of its series.
			const scanner = new LogScanner(scanSettings({ robots }, true));
			const totals = new Totals();
			const violations: Uint8Array[] = [];
			for (const lines of runs) {
				scanner.begin(formatOf("vcombined"));
				scanner.feed(encode(lines.join("")));
				const segment = scanner.end();
				violations.push(...segment.violations);
				totals.append("log", segment);
			}
			return {
				report: reportOf(totals, book, "name"),
				violations: Buffer.concat(violations).toString(),
			};
		};
		fc.assert(
			fc.property(
				fc.array(request, { maxLength: 100, size: "max" }),
				fc.array(fc.nat(100), { maxLength: 9 }),
				fc.boolean(),
				(requests, cuts, sorted) => {
					if (sorted) requests.sort((a, b) => a.at - b.at);
					const lines = requests.map(line);
					const bounds = [0, ...cuts.sort((a, b) => a - b), lines.length];
					const runs = bounds
						.slice(1)
						.map((end, index) => lines.slice(bounds[index], end));
					expect(run(runs)).toEqual(run([lines]));
				},
			),
			{
				numRuns: casesOf(120),
				examples: [
					// Two logs that are short, but not together: the steps of the second stay those of a short one.
					[[gptBot(95_000)], [], false],
					[[gptBot(275_191), { ...gptBot(339_908), agent: google }], [], false],
				],
			},
		);
	});

	test("of which one could not be read to its end leave no trace in the steps of the others", async () => {
		const audit = new LogAudit({ robots, format: "vcombined" });
		async function* breaking() {
			const requests = [gptBot(0), gptBot(500_000_000)].map(line).join("");
			// So much that the scanner sees it at once.
			yield encode(requests.repeat(HEAD / requests.length + 1));
			throw new Error("broken");
		}
		const requests = [gptBot(0), gptBot(60)].map(line).join("");
		await expect(audit.add("broken.log", breaking())).rejects.toThrow("broken");
		await audit.add("whole.log", [encode(requests)]);
		const { step, crawlers } = audit.report();
		expect(step).toBe(60);
		expect(crawlers[0]?.series.map(({ start }) => start)).toEqual([
			"2026-01-01T00:00:00.000Z",
			"2026-01-01T00:01:00.000Z",
		]);
	});

	const audited = { robots, format: "vcombined", keepState: true } as const;
	/** The line of each request a thousand times, so that no chunk is held back as the head; the event loop turns before each chunk. */
	async function* slowly(requests: readonly Request[]) {
		for (const each of requests) {
			await new Promise(setImmediate);
			yield encode(line(each).repeat(1000));
		}
	}

	test.each<[string, (audit: LogAudit, requests: Request[]) => Promise<void>]>([
		["a log", (audit, requests) => audit.add("b.log", slowly(requests))],
		[
			"a log in one chunk",
			(audit, requests) =>
				audit.add("b.log", [
					encode(requests.map((each) => line(each).repeat(1000)).join("")),
				]),
		],
		[
			"a state",
			async (audit, requests) => {
				const other = new LogAudit(audited);
				await other.add("b.log", slowly(requests));
				await audit.addState(await other.state());
			},
		],
	])("%s that is added while another log is", async (_, addOther) => {
		const first = Array.from({ length: 4 }, (_, at) => gptBot(at));
		const second = Array.from({ length: 4 }, (_, at) => gptBot(at + 4));
		const audit = new LogAudit(audited);
		await Promise.all([
			audit.add("a.log", slowly(first)),
			addOther(audit, second),
		]);
		const inTurn = new LogAudit(audited);
		await inTurn.add("a.log", slowly(first));
		await inTurn.add("b.log", slowly(second));
		expect(audit.report()).toEqual(inTurn.report());
		expect(audit.report().lines).toBe(8000);
	});

	test("after a log that breaks off, those that waited for it are counted", async () => {
		const audit = new LogAudit(audited);
		async function* broken() {
			yield* slowly([gptBot(0)]);
			throw new Error("broken");
		}
		const [first, second] = await Promise.allSettled([
			audit.add("a.log", broken()),
			audit.add("b.log", slowly([gptBot(1), gptBot(2)])),
		]);
		expect([first.status, second.status]).toEqual(["rejected", "fulfilled"]);
		expect(audit.report().lines).toBe(2000);
	});
});
