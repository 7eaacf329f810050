import type { ServerResponse } from "node:http";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Site, serve } from "../../client/test/site.ts";
import {
	indexingFor,
	rulesOfHeader,
	rulesOfPage,
} from "../src/fetch/indexing-rules.ts";
import { file, robotrie } from "./run.ts";

const ROBOTS =
	"User-agent: *\nDisallow: /closed\n\nUser-agent: bingbot\nDisallow: /\n";

/** Pages by their paths: header fields and HTML. */
const pages: Readonly<
	Record<string, readonly [Record<string, string | string[]>, string]>
> = {
	"/open": [{}, "<title>a</title><p>b"],
	"/open-noindex": [
		{},
		'<!doctype html><html>\n<head><META NAME="Robots" CONTENT="NoIndex, nofollow"></head><body>b',
	],
	"/closed-noindex": [{}, '<head>\n\n<meta name="robots" content="noindex">'],
	"/closed-header": [{ "x-robots-tag": "noindex" }, ""],
	"/closed": [{}, "<p>a"],
	"/pdf": [
		{ "content-type": "application/pdf", "x-robots-tag": "none" },
		'<meta name="robots" content="noarchive">',
	],
	"/for-others": [
		{ "x-robots-tag": ["otherbot: noindex, nofollow", "googlebot: nosnippet"] },
		'<meta name="bingbot" content="noindex">',
	],
	"/for-yandex": [{}, '<meta name="yandex" content="noindex">'],
	"/outside": [{}, '<body><p>a<meta name="robots" content="noindex">'],
	"/latin": [{ "content-type": "text/html; charset=utf-16le" }, ""],
	"/large": [
		{},
		`<head>${"<!--x-->".repeat(300_000)}<meta name="robots" content="noindex">`,
	],
};

let site: Site;

beforeAll(async () => {
	site = await serve((request, response) => {
		const url = request.url ?? "";
		if (url === "/robots.txt") return response.end(ROBOTS);
		if (url === "/moved") return redirect(response, "/closed-noindex");
		if (url === "/silent") return undefined;
		const page = pages[url];
		if (!page) return response.writeHead(404).end();
		const [headers, html] = page;
		response.writeHead(200, { "content-type": "text/html", ...headers });
		if (url === "/latin")
			return response.end(
				Buffer.from('\ufeff<meta name="robots" content="noindex">', "utf16le"),
			);
		return response.end(html);
	});
});
afterAll(() => site[Symbol.asyncDispose]());

function redirect(response: ServerResponse, location: string): void {
	response.writeHead(301, { location }).end();
}

const indexing = (paths: readonly string[], ...more: string[]) =>
	robotrie([
		"indexing",
		"--allow-private-network",
		...more,
		...paths.map((path) => site.origin("127.0.0.1") + path),
	]);

interface Answer {
	readonly allowed: boolean;
	readonly noindex: boolean;
	readonly seen: boolean;
	readonly meaning: string;
	readonly directives: readonly string[];
}

const NEVER = /disallows this URL to \w+, so its noindex is never seen/;

const answers: readonly (readonly [
	path: string,
	wanted: Partial<Answer>,
	meaning: RegExp,
	agent?: string,
])[] = [
	["/open", { allowed: true, noindex: false, seen: false }, /nothing asks/],
	[
		"/open-noindex",
		{
			allowed: true,
			noindex: true,
			seen: true,
			directives: ["noindex", "nofollow"],
		},
		/sees noindex: it stays out/,
	],
	// The sentence that document 003 repeats four times: disallowed, so noindex is never seen.
	["/closed-noindex", { allowed: false, noindex: true, seen: false }, NEVER],
	["/closed-header", { allowed: false, noindex: true, seen: false }, NEVER],
	["/closed", { allowed: false, noindex: false }, /can still be indexed/],
	["/pdf", { noindex: true, seen: true, directives: ["none"] }, /sees noindex/],
	[
		"/for-others",
		{ noindex: false, directives: ["nosnippet"] },
		/nothing asks/,
	],
	[
		"/for-others",
		{ allowed: false, noindex: true, directives: ["noindex"] },
		NEVER,
		"bingbot",
	],
	["/outside", { noindex: true, seen: true }, /stands outside the head/],
	["/latin", { noindex: true, seen: true }, /sees noindex/],
	["/large", { noindex: false }, /nothing asks/],
	[
		"/moved",
		{ allowed: true, noindex: true, seen: false },
		/disallows http\S+\/closed-noindex, to which it redirects,.* never seen/,
	],
	// A robot of Yandex, listed or not, falls back to "Yandex".
	["/for-yandex", { allowed: true, noindex: true }, /noindex/, "YandexAcme"],
	["/for-yandex", { allowed: true, noindex: false }, /nothing asks/, "bot"],
	["/missing", { allowed: true, noindex: false }, /HTTP 404: there is no page/],
];

describe("indexing", () => {
	const rows = answers.map(
		([path, wanted, meaning, agent = "Googlebot"]) =>
			[path, wanted, agent, meaning] as const,
	);
	test.each(rows)("%s: %j for %s", async (path, wanted, agent, meaning) => {
		const { stdout, code, stderr } = await indexing(
			[path],
			"--json",
			"-a",
			agent,
		);
		expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
		const [answer] = JSON.parse(String(stdout)) as Answer[];
		expect(answer).toMatchObject(wanted);
		expect(answer?.meaning).toMatch(meaning);
	});
	test("as text, with X-Robots-Tag and meta tags", async () => {
		const { stdout } = await indexing(["/closed-noindex", "/for-others"]);
		const origin = site.origin("127.0.0.1");
		expect(String(stdout)).toBe(`disallowed  ${origin}/closed-noindex
  rule      line 2: Disallow: /closed
  status    200
  meta      line 3: robots: noindex
  meaning   robots.txt disallows this URL to Googlebot, so its noindex is never seen: it can still be indexed, without its content, if other pages link to it. Allow it, and noindex takes effect.

allowed  ${origin}/for-others
  status    200
  header    X-Robots-Tag: otherbot: noindex, nofollow
  header    X-Robots-Tag: googlebot: nosnippet
  meta      line 1: bingbot: noindex
  meaning   Googlebot may fetch this URL, and nothing asks not to index it.
`);
	});
	test.each([
		[["/closed-noindex"], 1],
		[["/open-noindex", "/closed", "/open"], 0],
	])("--check %j: %d", async (paths, code) =>
		expect((await indexing(paths, "--check")).code).toBe(code),
	);
	test("--robots judges by another file", async () => {
		const next = file("next.txt", "User-agent: *\nDisallow: /open\n");
		const { stdout } = await indexing(
			["/open-noindex", "/closed-noindex"],
			"--json",
			"-r",
			next,
		);
		const answers = JSON.parse(String(stdout)) as Answer[];
		expect(answers.map(({ seen }) => seen)).toEqual([false, true]);
	});
	test("URLs from stdin", async () => {
		const result = await robotrie(
			["indexing", "--allow-private-network", "--json"],
			{ stdin: `${site.origin("127.0.0.1")}/open\n` },
		);
		expect(JSON.parse(String(result.stdout))).toHaveLength(1);
	});
	test("what does not answer in time", async () => {
		// Nothing else has to answer in that time.
		const open = file("open.txt", "");
		const { code, stdout } = await indexing(
			["/silent"],
			"--timeout",
			"1",
			"-r",
			open,
		);
		expect(code).toBe(1);
		expect(String(stdout)).toMatch(
			/meaning +The page did not answer: no answer/,
		);
	});
	test("private addresses are refused unless they are allowed", async () => {
		const before = site.requests.length;
		const result = await robotrie([
			"indexing",
			`${site.origin("127.0.0.1")}/open`,
		]);
		expect(result).toMatchObject({ code: 2, stdout: Buffer.from("") });
		expect(result.stderr).toMatch(/127\.0\.0\.1.*--allow-private-network/);
		expect(site.requests.length).toBe(before);
	});
	test.each(["/path", "ftp://a.test/", "no url"])(
		"%j is no page's URL",
		async (url) =>
			expect(await robotrie(["indexing", url])).toMatchObject({
				code: 2,
				stderr: expect.stringContaining("is not an absolute http or https URL"),
			}),
	);
});

test.each([
	["noindex", ["*: noindex"]],
	["NOINDEX,NoFollow", ["*: noindex|nofollow"]],
	["googlebot: noindex, nofollow", ["googlebot: noindex|nofollow"]],
	[
		"nosnippet, googlebot: noindex, OtherBot: none",
		["*: nosnippet", "googlebot: noindex", "otherbot: none"],
	],
	["max-snippet:20, noindex", ["*: max-snippet: 20|noindex"]],
	[
		"unavailable_after: Friday, 25-Jun-10 15:00:00 PST, noarchive",
		["*: unavailable_after: Friday, 25-Jun-10 15:00:00 PST|noarchive"],
	],
	["", []],
	[" , ,", []],
	["googlebot:", ["googlebot: "]],
] as const)("X-Robots-Tag: %s", (value, wanted) =>
	expect(
		rulesOfHeader(value).map(
			({ agent, directives }) => `${agent}: ${directives.join("|")}`,
		),
	).toEqual(wanted),
);

test.each([
	["noindex", true],
	["none", true],
	["nofollow", false],
	["index, follow", false],
	["unavailable_after: 25 Jun 2010 15:00:00 GMT", true],
	["unavailable_after: 2999-01-01", false],
	["unavailable_after: whenever", false],
	["max-image-preview: none", false],
] as const)(
	"%s asks for no indexing: %j; none is nofollow, too",
	(value, noindex) => {
		const found = indexingFor(
			rulesOfHeader(value),
			["x"],
			Date.UTC(2026, 0, 1),
		);
		expect(found.noindex).toBe(noindex);
		expect(found.nofollow).toBe(/^none|nofollow/.test(value));
	},
);

test.each([
	["<meta name=robots content=noindex>", ["1 * noindex"]],
	["<META CONTENT='noindex' NAME='ROBOTS'/>", ["1 * noindex"]],
	['<!-- <meta name="robots" content="noindex"> -->', []],
	['<script>"<meta name=robots content=noindex>"</script>', []],
	['<title><meta name="robots" content="noindex"></title>', []],
	['<template><meta name="robots" content="noindex"></template>', []],
	['<noscript><meta name="robots" content="noindex"></noscript>', []],
	[
		'<title>a</title>\n<meta name="googlebot" content="a&#44;noindex">',
		["2 googlebot a|noindex"],
	],
	['text<meta name="robots" content="noindex">', ["1 * noindex outside"]],
	['</head><meta name="robots" content="noindex">', ["1 * noindex"]],
	['<svg><meta name="robots" content="noindex">', ["1 * noindex outside"]],
	[
		'<meta name="viewport" content="noindex"><meta name="mybot" content="none">',
		["1 mybot none"],
	],
	["<".repeat(1000), []],
	[
		`${"<div>".repeat(50_000)}<meta name=robots content=none>`,
		["1 * none outside"],
	],
	[`${"<b>".repeat(50_000)}${"</i>".repeat(50_000)}`, []],
])("page %#", (html, wanted) =>
	expect(
		rulesOfPage(html, ["mybot"]).map(
			({ line, agent, directives, inHead }) =>
				`${line} ${agent} ${directives.join("|")}${inHead ? "" : " outside"}`,
		),
	).toEqual(wanted),
);
