import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { RobotrieError, RobotsTxt } from "../../src/index.ts";
import { casesOf } from "../cases.ts";
import { cleanParamRows, noUrls } from "../data/clean-param.ts";
import { canonicalOracle } from "../oracle-canonical.ts";

const robotsOf = (lines: readonly string[]) =>
	RobotsTxt.parse(lines.map((line) => `Clean-param: ${line}\n`).join(""));
const encode = (text: string) => new TextEncoder().encode(text);
const decode = (bytes: Uint8Array) => new TextDecoder().decode(bytes);
const linesOf = (robots: RobotsTxt, text: string) =>
	decode(robots.canonicalLines(encode(text)));

describe("Clean-param", () => {
	test.each(cleanParamRows)("$where", ({ lines, urls }) => {
		const robots = robotsOf(lines);
		expect(urls.map(([url]) => [url, robots.canonicalUrl(url)])).toEqual(urls);
		const column = (index: 0 | 1) => urls.map((row) => row[index]).join("\n");
		expect(linesOf(robots, column(0))).toBe(column(1));
	});

	test.each(noUrls)("%j is no URL", (text) => {
		const robots = robotsOf(["s", "s /a"]);
		expect(() => robots.canonicalUrl(text)).toThrow(RobotrieError);
		expect(() => robotsOf([]).canonicalUrl(text)).toThrow(RobotrieError);
		expect(linesOf(robots, `/?s\n${text}\n/?s`)).toBe(`/\n${text}\n/`);
	});

	test("counts anywhere in the file, in every dialect", () => {
		for (const dialect of ["rfc9309", "google", "yandex"] as const) {
			const robots = RobotsTxt.parse(
				"clean-param: a\nUser-agent: x\nClean-Param: b\nDisallow: /\nCLEAN-PARAM : c # d\n",
				{ dialect },
			);
			expect(robots.canonicalUrl("/?a&b&c&d")).toBe("/?d");
			expect(robots.cleanParams.map(({ line }) => line)).toEqual([1, 3, 5]);
		}
	});

	test("cleanParams lists the valid lines", () => {
		expect(robotsOf(["s&t&", "bad /?", "u path*"]).cleanParams).toEqual([
			{ parameters: ["s", "t"], path: "/", line: 1 },
			{ parameters: ["u"], path: "/path*", line: 3 },
		]);
	});

	test("a URL with lone surrogates", () => {
		const robots = robotsOf(["s"]);
		expect(robots.canonicalUrl("/\ud800?a")).toBe("/\ud800?a");
		expect(robots.canonicalUrl("/\ud800?s")).toBe("/\ufffd");
		expect(robots.canonicalUrl("/\n?s&t\n&s")).toBe("/\n?t\n");
	});
});

describe("Lines", () => {
	const robots = robotsOf(["s", "t /a"]);
	const rows: readonly (readonly [string, string])[] = [
		["", ""],
		["\n", "\n"],
		["\n\n/?s\n\n", "\n\n/\n\n"],
		["/?s", "/"],
		["/?s\n", "/\n"],
		["/?s\r\n/?s&u\r\n", "/\r\n/?u\r\n"],
		["/?u=1&s=2\r\n/", "/?u=1\r\n/"],
		["/?s\r", "/?s\r"],
		["/?s=\r\n", "/\r\n"],
		["/?u\r&s", "/?u\r"],
		["/?s=\r&u", "/?u"],
		["/a\n/?s#\n#?s\n/?s", "/a\n/#\n#?s\n/"],
		["/b?t\n/a?t\n/?t", "/b?t\n/a\n/?t"],
		["\0/?s\n/\0?s&\0", "\0/\n/\0?\0"],
	];
	test.each(rows)("%j", (text, wanted) => {
		expect(linesOf(robots, text)).toBe(wanted);
	});

	test("across the host's chunks", () => {
		const CHUNK = 128 * 1024;
		for (let shift = -20; shift <= 20; shift++) {
			const filler = `/${"c".repeat(CHUNK + shift - 3)}?s=1&u`;
			const text = `${filler}\n/a?t=1\r\n/?u&s\n${filler}\n/a?s&t&u\n`;
			const wanted = text
				.replaceAll("?s=1&u", "?u")
				.replace("?t=1", "")
				.replace("&s\n", "\n")
				.replace("?s&t&u", "?u");
			expect(linesOf(robots, text), `shifted by ${shift}`).toBe(wanted);
		}
	});

	test("bytes that are not UTF-8 stay unchanged", () => {
		const bytes = Uint8Array.from([47, 255, 63, 115, 38, 254, 10, 192]);
		expect([...robots.canonicalLines(bytes)]).toEqual([
			47, 255, 63, 254, 10, 192,
		]);
		expect(bytes[4]).toBe(38);
	});

	test.each([
		["an array of its own", new Uint8Array(encode("/?s&u"))],
		["a view", encode("xx/?s&uxx").subarray(2, -2)],
		["a buffer of Node's", Buffer.from("xx/?s&uxx").subarray(2, -2)],
	])("%s is left as it was", (_, bytes) => {
		expect(decode(robots.canonicalLines(bytes))).toBe("/?u");
		expect(decode(robotsOf([]).canonicalLines(bytes))).toBe("/?s&u");
		expect(decode(bytes)).toBe("/?s&u");
	});

	test("anything but bytes is refused", () => {
		expect(() => robots.canonicalLines("/?s" as never)).toThrow(
			'bytes is a Uint8Array, not "/?s"',
		);
	});
});

describe("As the oracle says", () => {
	const piece = fc.constantFrom(
		..."ab/?&=#%s\r\u00e9",
		"?s=1",
		"&t",
		"%73",
		"/a",
		"http://e",
	);
	const url = fc
		.array(piece, { maxLength: 12, size: "max" })
		.map((pieces) => pieces.join(""))
		.filter((text) => !text.endsWith("\r"));
	const start = fc.constantFrom("/", "http://e", "https://e/", "", "ftp://e?");
	const urls = fc.array(
		fc.tuple(start, url).map((parts) => parts.join("")),
		{ maxLength: 20 },
	);
	const line = fc.record({
		names: fc.array(fc.constantFrom("a", "b", "s", "t", "\u00e9", "%73"), {
			minLength: 1,
			maxLength: 3,
		}),
		path: fc.constantFrom("", "/", "/a", "/a*b", "*s", "/*a/", "/ab", "b"),
	});
	test("URL by URL and in lines", () => {
		fc.assert(
			fc.property(fc.array(line, { maxLength: 6 }), urls, (lines, all) => {
				const robots = robotsOf(
					lines.map(({ names, path }) => `${names.join("&")} ${path}`),
				);
				const wanted = all.map((text) => canonicalOracle(text, lines));
				const one = all.map((text) => {
					try {
						return robots.canonicalUrl(text);
					} catch {
						return undefined;
					}
				});
				expect(one).toEqual(wanted);
				const kept = wanted.map((text, i) => text ?? all[i]);
				expect(linesOf(robots, all.join("\n"))).toBe(kept.join("\n"));
			}),
			{ numRuns: casesOf(5000), seed: 2013 },
		);
	});
	test("a second pass changes nothing", () => {
		const robots = robotsOf(["a&s", "b&t /a*", "%73 /*s"]);
		fc.assert(
			fc.property(url, (text) => {
				const canonical = robots.canonicalUrl(`/${text}`);
				expect(robots.canonicalUrl(canonical)).toBe(canonical);
			}),
			{ numRuns: casesOf(2000), seed: 2013 },
		);
	});
});

describe("Hostile", () => {
	test("patterns of wildcards, and URLs of parameters", () => {
		const robots = robotsOf(
			Array.from({ length: 900 }, (_, i) => `a&b${i} /${"*a".repeat(240)}b`),
		);
		const path = `/${"a".repeat(20_000)}`;
		const query = "a&c&%61=1&".repeat(10_000);
		const url = `${path}?${query}`;
		expect(robots.canonicalUrl(url)).toBe(url);
		expect(robots.canonicalUrl(`${path}b?${query}`)).toBe(
			`${path}b?${"c&".repeat(10_000)}`,
		);
	});
	test("many names", () => {
		const names = Array.from({ length: 50_000 }, (_, i) => `n${i}`);
		const lines = [];
		while (names.length > 0) lines.push(names.splice(0, 60).join("&"));
		const robots = robotsOf(lines);
		expect(robots.diagnostics).toEqual([]);
		expect(robots.canonicalUrl("/?n0&n99&x&n1234")).toBe("/?x");
	});
});
