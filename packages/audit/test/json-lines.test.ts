import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { JsonLines } from "../src/formats/json-lines.ts";
import type { JsonFields } from "../src/formats/log-format.ts";
import { jsonFormat } from "../src/index.ts";
import { detectFormat } from "../src/scan/detect.ts";

const lineOf = (fields: JsonFields, value: unknown) =>
	new JsonLines(fields).transcode(
		typeof value === "string" ? value : JSON.stringify(value),
	);

const fields: JsonFields = {
	path: ["uri", "url.path"],
	query: ["query"],
	agent: ["headers.User-Agent"],
	status: ["status"],
	host: ["host"],
	ip: ["ip"],
	bytes: ["size"],
};

describe("A line of JSON becomes ip, host, time, status, bytes, target and header", () => {
	test.each<readonly [what: string, value: unknown, line: string]>([
		[
			"all of them",
			{
				ip: "192.0.2.1",
				host: "a.example",
				status: 200,
				uri: "/a",
				query: "b=c",
				headers: { "User-Agent": "GPTBot/1" },
			},
			"192.0.2.1\ta.example\t0\t200\t-\t/a?b=c\tGPTBot/1",
		],
		["a path alone", { uri: "/a" }, "-\t-\t0\t-\t-\t/a\t-"],
		["a blank line", " \t ", ""],
		["no JSON", '{"uri": "/a"', "!"],
		["no object", '"/a"', "!"],
		["null", "null", "!"],
		["no path", { host: "a.example" }, "!"],
		["a path that is an object", { uri: { a: 1 } }, "!"],
		["a path that is true", { uri: true }, "!"],
		["the second key", { url: { path: "/b" } }, "-\t-\t0\t-\t-\t/b\t-"],
		[
			"the second key where the first is null",
			{ uri: null, url: { path: "/b" } },
			"-\t-\t0\t-\t-\t/b\t-",
		],
		[
			"the first key of two",
			{ url: { path: "/b" }, uri: "/a" },
			"-\t-\t0\t-\t-\t/a\t-",
		],
		[
			"a key with a dot before keys within keys",
			{ "url.path": "/whole", url: { path: "/part" } },
			"-\t-\t0\t-\t-\t/whole\t-",
		],
		["a key within text", { url: "path" }, "!"],
		["a key within null", { url: null }, "!"],
		[
			"the first of a list",
			{ uri: "/", headers: { "User-Agent": ["a", "b"] } },
			"-\t-\t0\t-\t-\t/\ta",
		],
		["the first of an empty list", { uri: [] }, "!"],
		[
			"a query with its question mark",
			{ uri: "/a", query: "?b?c" },
			"-\t-\t0\t-\t-\t/a?b?c\t-",
		],
		[
			"a query with a question mark in it",
			{ uri: "/a", query: "b?c" },
			"-\t-\t0\t-\t-\t/a?b?c\t-",
		],
		["bytes", { uri: "/a", size: 512 }, "-\t-\t0\t-\t512\t/a\t-"],
		[
			"a query that stands for none",
			{ uri: "/a", query: "-" },
			"-\t-\t0\t-\t-\t/a\t-",
		],
		[
			"a host that is a URL",
			{ uri: "/a", host: "https://b.example:8443/c?d" },
			"-\tb.example:8443\t0\t-\t-\t/a\t-",
		],
		["an empty query", { uri: "/a", query: "" }, "-\t-\t0\t-\t-\t/a\t-"],
		["an empty status", { uri: "/a", status: "" }, "-\t-\t0\t-\t-\t/a\t-"],
		["status as text", { uri: "/a", status: "404" }, "-\t-\t0\t404\t-\t/a\t-"],
		[
			"tabs and line ends",
			{ uri: "/\t\na\r\\r", host: "\n" },
			"-\t%0A\t0\t-\t-\t/\\t\\na\\r\\\\r\t-",
		],
	])("%s", (_, value, line) => expect(lineOf(fields, value)).toBe(line));
});

describe.each([
	["UTC", 0],
	["Asia/Tokyo", -540],
])("Times in milliseconds since 1970, read in %s,", (zone, offset) => {
	beforeAll(() => {
		vi.stubEnv("TZ", zone);
		expect(new Date(0).getTimezoneOffset()).toBe(offset);
	});
	afterAll(() => {
		vi.unstubAllEnvs();
	});
	const noon = Date.UTC(2025, 9, 14, 12, 30, 45);
	test.each<readonly [time: unknown, milliseconds: number | undefined]>([
		["2025-10-14T12:30:45Z", noon],
		["2025-10-14T12:30:45.25Z", noon + 250],
		["2025-10-14T14:30:45+02:00", noon],
		["2025-10-14T12:30:45", noon],
		["2025-10-14T12:30:45.25", noon + 250],
		["2025-10-14 12:30:45", noon],
		["2025/10/14 12:30:45", noon],
		["2025/10/14 12:30:45.125", noon + 125],
		["14/Oct/2025:12:30:45 +0000", noon],
		["14/Oct/2025:14:30:45 +0200", noon],
		["14/Okt/2025:12:30:45 +0000", undefined],
		["14/Oct/2025:12:30:45 +0000 x", undefined],
		["x14/Oct/2025:12:30:45 +0000", undefined],
		["yesterday", undefined],
		["", undefined],
		["1969-12-31T23:59:59Z", undefined],
		["1970-01-01T00:00:00Z", 0],
		["1760445045", noon],
		["1760445045.250", noon + 250],
		["1760445045250", noon + 250],
		["-1760445045", undefined],
		[1760445045, noon],
		[1760445045.123, noon + 123],
		[1760445045.250999, noon + 250],
		[1760445045999.9, noon + 999],
		[1760445045250999, noon + 250],
		[1760445045250999000, noon + 250],
		[1760445045251000000, noon + 251],
		[0, 0],
		[99_999_999_999, 99_999_999_999_000],
		[100_000_000_000, 100_000_000_000],
		[99_999_999_999_999, 99_999_999_999_999],
		[100_000_000_000_000, 100_000_000_000],
		[99_999_999_999_999_000, 99_999_999_999_999],
		[100_000_000_000_000_000, 100_000_000_000],
		[-1, undefined],
		[true, undefined],
		[{}, undefined],
		[undefined, undefined],
	])("%j", (ts, milliseconds) =>
		expect(lineOf({ path: ["uri"], time: ["ts"] }, { uri: "/", ts })).toBe(
			milliseconds === undefined ? "!" : `-\t-\t${milliseconds}\t-\t-\t/\t-`,
		),
	);
});

describe("The format of first lines", () => {
	const combined =
		'192.0.2.1 - - [14/Oct/2025:12:30:45 +0000] "GET / HTTP/1.1" 200 5 "-" "a"';
	const common = '192.0.2.1 - - [14/Oct/2025:12:30:45 +0000] "GET /" 200 5';
	test.each<
		readonly [what: string, lines: readonly string[], name: string | undefined]
	>([
		["none", [], undefined],
		["none of them known", ["a", "# b", "{", "{}", ""], undefined],
		["most are common", [combined, common, "", common], "common"],
		["most are combined", [common, combined, combined], "combined"],
		["a remark is no directive", ["# made by hand", combined], "combined"],
		["#Fields in any case", ["#FIELDS: X-EDGE-LOCATION"], "cloudfront"],
		["#Fields without CloudFront's", ["#Version: 1.0", "#Fields: a"], "w3c"],
		[
			"a directive's fields behind another",
			["#Version: 1.0", "#Fields: x-edge-location"],
			"cloudfront",
		],
		["a directive in a line", [`${combined} #Fields: a`], "combined"],
	])("%s", (_, lines, name) => expect(detectFormat(lines)?.name).toBe(name));
});

test.each<readonly [fields: JsonFields, value: unknown, path: string]>([
	[{ request: ["r"] }, { r: "GET /a b HTTP/1.1" }, "/a b"],
	[{ request: ["r"] }, { r: "GET /a" }, "/a"],
	[
		{ request: ["r"] },
		{ r: "GET http://a.example/ HTTP/1.0" },
		"http://a.example/",
	],
	[{ request: ["r"] }, { r: "\u0016\u0003 /a" }, ""],
	[{ request: ["r"] }, { r: "-" }, ""],
	[{ request: ["r"], query: ["q"] }, { r: "GET /a", q: "b" }, "/a"],
	[{ path: ["p"], request: ["r"] }, { p: "/b", r: "GET /a" }, "/a"],
	[{ path: ["p"], request: ["r"] }, { p: "/b" }, "/b"],
	[{ path: ["p"], query: ["q"] }, { p: "/b?c", q: "c" }, "/b?c"],
	[{ path: ["p"], bucket: ["b"] }, { p: "/b/c", b: "b" }, "/c"],
	[{ path: ["p"], bucket: ["b"] }, { p: "/bc/d", b: "b" }, "/bc/d"],
	[{ path: ["p"], bucket: ["b"] }, { p: "/b?d", b: "b" }, "/?d"],
	[{ path: ["p"], request: ["r"] }, { r: "GET /a" }, "/a"],
	[{ path: ["/p"] }, { p: "a/b" }, "/a/b"],
	[{ path: ["/p"] }, { p: "/a/b" }, "/a/b"],
	[{ path: ["/p"] }, { p: "" }, "/"],
	[{ path: ["/p"] }, { p: "-" }, "-"],
	[{ path: ["/p"], query: ["q"] }, { p: 7, q: "a" }, "/7?a"],
])("The fields %j find in %j the target %j", (fields, value, path) =>
	expect(lineOf(fields, value).split("\t")[5]).toBe(path),
);

test("a format without times asks for none", () =>
	expect(jsonFormat({ path: ["uri"] }).template.time).not.toBe(
		jsonFormat({ path: ["uri"], time: ["ts"] }).template.time,
	));
