import { describe, expect, test } from "vitest";
import { appliesTo, RobotrieError, robotsUrlFor } from "../src/index.ts";

/** The table "Examples of valid robots.txt URLs": the file, what it holds for, what it does not hold for. */
const files: readonly (readonly [
	file: string,
	valid: readonly string[],
	invalid: readonly string[],
])[] = [
	[
		"http://example.com/robots.txt",
		["http://example.com/", "http://example.com/folder/file"],
		[
			"http://other.example.com/",
			"https://example.com/",
			"http://example.com:8181/",
		],
	],
	[
		"http://www.example.com/robots.txt",
		["http://www.example.com/"],
		[
			"http://example.com/",
			"http://shop.www.example.com/",
			"http://www.shop.example.com/",
		],
	],
	[
		"http://example.com/folder/robots.txt",
		[],
		["http://example.com/", "http://example.com/folder/file"],
	],
	[
		// The document misspells the punycode form with three l.
		"http://www.m\u00fcller.eu/robots.txt",
		["http://www.m\u00fcller.eu/", "http://www.xn--mller-kva.eu/"],
		["http://www.muller.eu/"],
	],
	[
		"ftp://example.com/robots.txt",
		["ftp://example.com/"],
		["http://example.com/"],
	],
	[
		"http://212.96.82.21/robots.txt",
		["http://212.96.82.21/"],
		["http://example.com/"],
	],
	[
		"http://example.com:80/robots.txt",
		["http://example.com:80/", "http://example.com/"],
		["http://example.com:81/"],
	],
	[
		"http://example.com:8181/robots.txt",
		["http://example.com:8181/"],
		["http://example.com/"],
	],
	// Beyond the table: what the URL standard says is the same host.
	[
		"HTTPS://Example.COM:443/robots.txt",
		["https://user:secret@example.com/a?b#c"],
		["https://example.com.:443/"],
	],
	["http://[::1]/robots.txt", ["http://[0:0::1]:80/"], ["http://127.0.0.1/"]],
	["http://example.com/ROBOTS.TXT", [], ["http://example.com/"]],
	["http://example.com/robots.txt?x", [], ["http://example.com/"]],
];

describe("Which URLs a robots.txt holds for", () => {
	const cases = files.flatMap(([file, valid, invalid]) => [
		...valid.map((url) => ({ file, url, applies: true })),
		...invalid.map((url) => ({ file, url, applies: false })),
	]);
	test.each(cases)("$file, $url: $applies", ({ file, url, applies }) => {
		expect(appliesTo(file, url)).toBe(applies);
		if (applies) expect(appliesTo(robotsUrlFor(url), url)).toBe(true);
	});
});

test.each([
	["http://example.com", "http://example.com/robots.txt"],
	[
		"http://www.M\u00dcLLER.eu:80/x?y#z",
		"http://www.xn--mller-kva.eu/robots.txt",
	],
	["https://u:p@example.com:8443/a/b", "https://example.com:8443/robots.txt"],
	["ftp://example.com:21/pub/", "ftp://example.com/robots.txt"],
	["http://0x7f.1/", "http://127.0.0.1/robots.txt"],
])("the robots.txt for %s is %s", (url, expected) => {
	expect(robotsUrlFor(url)).toBe(expected);
});

test("hosts in Latin-1 letters have the same file, however often they are asked for", () => {
	const files = new Set<string>();
	for (let i = 0; i < 20_000; i++)
		files.add(robotsUrlFor(`https://m\u00fcnchen.example/${i}`));
	expect([...files]).toEqual(["https://xn--mnchen-3ya.example/robots.txt"]);
});

test.each([
	"",
	"/path",
	"example.com",
	"http://",
	"mailto:a@example.com",
	"file:///x",
])("%j has no robots.txt", (url) => {
	const error = new RobotrieError(
		"invalid-url",
		`${JSON.stringify(url)} is not an absolute URL with a host`,
	);
	expect(() => robotsUrlFor(url)).toThrow(error);
	expect(() => appliesTo("http://example.com/robots.txt", url)).toThrow(error);
});
