import { describe, expect, test } from "vitest";
import { robotsParser as theirParser } from "../../bench/peer.ts";
import ourParser, * as entry from "../../src/robots-parser.ts";

const FILE = "https://example.com/robots.txt";
const PAGE = "https://example.com/a/b";
const NAMED = "User-agent: *\nDisallow: /a\n\nUser-agent: x\nDisallow: /x\n";
const OTHERS = [
	"https://www.example.com/a/b",
	"http://example.com/a/b",
	"https://example.com:8443/a/b",
	"/a/b",
	"mailto:a@example.com",
	"https://",
	"",
];

type Robot = ReturnType<typeof ourParser>;
type Call = (robots: Robot) => unknown;
type Row = readonly [what: string, text: string, call: Call, answer: unknown];

/** Whoever has robots-parser's type can be given ours. */
const replaced: ReturnType<typeof theirParser> = ourParser(FILE, NAMED);
expect(replaced.isAllowed(PAGE)).toBe(false);

describe("Where both answer alike", () => {
	const rows: readonly Row[] = [
		["a rule for everybody", NAMED, (robots) => robots.isAllowed(PAGE), false],
		["its opposite", NAMED, (robots) => robots.isDisallowed(PAGE), true],
		["an own group", NAMED, (robots) => robots.isAllowed(PAGE, "x"), true],
		["a version", NAMED, (robots) => robots.isAllowed(PAGE, "X/1.0"), true],
		["an empty agent", NAMED, (robots) => robots.isAllowed(PAGE, ""), false],
		["a line", NAMED, (robots) => robots.getMatchingLineNumber(PAGE), 2],
		["no line", NAMED, (robots) => robots.getMatchingLineNumber(PAGE, "x"), -1],
		...OTHERS.flatMap((url): Row[] => [
			[`isAllowed ${url}`, NAMED, (robots) => robots.isAllowed(url), undefined],
			[
				`isDisallowed ${url}`,
				NAMED,
				(robots) => robots.isDisallowed(url),
				true,
			],
			[
				`getMatchingLineNumber ${url}`,
				NAMED,
				(robots) => robots.getMatchingLineNumber(url),
				-1,
			],
		]),
		[
			"dot segments",
			NAMED,
			(robots) => robots.isAllowed("https://example.com/x/../a"),
			false,
		],
		[
			"escaped dot segments",
			NAMED,
			(robots) => robots.isAllowed("https://example.com/x/%2e%2E/a"),
			false,
		],
		[
			"a line end within a URL",
			NAMED,
			(robots) => robots.isAllowed("https://example.com/\na"),
			false,
		],
		[
			"one slash",
			NAMED,
			(robots) => robots.isAllowed("https:/example.com/a"),
			false,
		],
		[
			"the default port",
			NAMED,
			(robots) => robots.isAllowed("https://EXAMPLE.com:443/a"),
			false,
		],
		[
			"a fragment",
			"User-agent: *\nDisallow: /a$",
			(robots) => robots.isAllowed("https://example.com/a#b"),
			false,
		],
		[
			"sitemaps as written",
			"Sitemap: /a.xml\nSitemap:\nUser-agent: x\nsitemap: HTTPS://a.test/B",
			(robots) => robots.getSitemaps(),
			["/a.xml", "HTTPS://a.test/B"],
		],
		[
			"the last host as written",
			"Host: a.test\nHost: HTTPS://b.test/\nHost:",
			(robots) => robots.getPreferredHost(),
			"https://b.test/",
		],
		["no host", "", (robots) => robots.getPreferredHost(), null],
		[
			"a crawl-delay",
			"User-agent: x\nDisallow:\nCrawl-delay: 2.5",
			(robots) => robots.getCrawlDelay("x"),
			2.5,
		],
		[
			"another crawler's crawl-delay",
			"User-agent: x\nCrawl-delay: 2\nUser-agent: y\nDisallow: /",
			(robots) => robots.getCrawlDelay("y"),
			undefined,
		],
	];
	test.each(rows)("%s", (_, text, call, answer) => {
		expect(call(ourParser(FILE, text))).toEqual(answer);
		expect(call(theirParser(FILE, text) as Robot)).toEqual(answer);
	});
});

describe("A relative robots.txt", () => {
	const text = "User-agent: *\nDisallow: /a/b\n";
	test.each([
		["/a/b", false],
		["a/b", false],
		["/x/../a/b", false],
		["/b", true],
		["//example.com/a/b", undefined],
		[PAGE, undefined],
	])("%s: %s", (url, answer) => {
		expect(ourParser("/robots.txt", text).isAllowed(url)).toBe(answer);
		expect(theirParser("/robots.txt", text).isAllowed(url)).toBe(answer);
	});
});

// Not in robots-parser 3.0.1, but in its README since.
describe("isExplicitlyDisallowed", () => {
	test.each([
		["a group for everybody", "User-agent: *\nDisallow: /", "x", false],
		["an own group", "User-agent: x\nDisallow: /", "x", true],
		["an own group that allows", "User-agent: x\nAllow: /", "x", false],
		[
			"a group for both",
			"User-agent: *\nUser-agent: x\nDisallow: /",
			"x",
			true,
		],
		["no file", "", "x", false],
		["everybody", "User-agent: *\nDisallow: /", "*", false],
	])("%s", (_, text, agent, answer) => {
		const robots = ourParser(FILE, text);
		expect(robots.isExplicitlyDisallowed(PAGE, agent)).toBe(answer);
		for (const url of OTHERS)
			expect(robots.isExplicitlyDisallowed(url, agent)).toBe(undefined);
	});
});

describe("isMatchedByWildcard, and ignoreWildcard", () => {
	const all = "User-agent: *\nCrawl-delay: 1\nDisallow: /";
	test.each([
		["a group for everybody", all, "x", true],
		["no agent", all, undefined, true],
		["an own group", `${all}\nUser-agent: x\nDisallow: /`, "x", false],
		["a group for both", `User-agent: x\n${all}`, "x", false],
		["nobody's group", "User-agent: y\nDisallow: /", "x", false],
		["no file", "", "x", false],
		["who does not obey *", all, "AdsBot-Google", false],
	])("%s", (_, text, agent, answer) => {
		const usual = ourParser(FILE, text);
		expect(usual.isMatchedByWildcard(agent)).toBe(answer);
		const named = ourParser(FILE, text, { ignoreWildcard: true });
		expect([
			named.isAllowed(PAGE, agent),
			named.isDisallowed(PAGE, agent),
			named.getMatchingLineNumber(PAGE, agent),
			named.getCrawlDelay(agent),
		]).toEqual(
			answer
				? [true, false, -1, undefined]
				: [
						usual.isAllowed(PAGE, agent),
						usual.isDisallowed(PAGE, agent),
						usual.getMatchingLineNumber(PAGE, agent),
						usual.getCrawlDelay(agent),
					],
		);
		for (const url of OTHERS)
			expect(named.isAllowed(url, agent)).toBe(undefined);
	});
	test("an option of another name is refused", () => {
		const options = { ignoreWildcards: true } as object;
		expect(() => ourParser(FILE, all, options)).toThrow("ignoreWildcards");
	});
});

test.each([
	["https://example.com/./a?", false],
	["https://example.com/./a?#b", false],
	["https://example.com/a?", false],
	["https://example.com/./a", true],
	["https://example.com/./a#?", true],
])("%s keeps its bare question mark", (url, answer) => {
	const text = "User-agent: *\nDisallow: /a?$";
	expect(ourParser("https://example.com/robots.txt", text).isAllowed(url)).toBe(
		answer,
	);
});

describe("Crawl-delay, of which RFC 9309 says nothing, is read as RobotsTxt reads it", () => {
	test.each([
		["the first of two", "Crawl-delay: 1\nCrawl-delay: 2", 2, 1],
		["nothing", "Crawl-delay:", 0, undefined],
		["less than nothing", "Crawl-delay: -1", -1, undefined],
		["not a decimal number", "Crawl-delay: 0x10", 16, undefined],
	])("%s", (_, lines, theirs, ours) => {
		const text = `User-agent: x\n${lines}\n`;
		expect(theirParser(FILE, text).getCrawlDelay("x")).toBe(theirs);
		expect(ourParser(FILE, text).getCrawlDelay("x")).toBe(ours);
	});
});

test("16 MiB of a file are read, in a single line as well", () => {
	const robots = ourParser(FILE, `# ${"a".repeat(2 ** 24)}\n${NAMED}`);
	expect(robots.isAllowed(PAGE)).toBe(true);
	const long = ourParser(FILE, `# ${"a".repeat(2 ** 20)}\n${NAMED}`);
	expect(long.isAllowed(PAGE)).toBe(false);
});

test("two URLs that are none do not agree", () =>
	expect(ourParser("https://", NAMED).isAllowed("https://")).toBe(undefined));

test("require gives the function itself", () =>
	expect(entry["module.exports"]).toBe(ourParser));
