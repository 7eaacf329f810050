import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { RobotsTxt, Verdict } from "../../src/index.ts";
import { casesOf } from "../cases.ts";

/** Bytes that the host hands to the module at once, and that the module looks through at once. */
const CHUNK = 128 * 1024;
const STRETCH = 8192;
const BLOCK = 64;

const robots =
	"User-agent: *\nDisallow: /a\nAllow: /ab\nDisallow: /*z$\nDisallow: /\u00e9\nDisallow: /%2Fq\n";
const matcher = RobotsTxt.parse(robots).for("x");
const encode = (text: string) => new TextEncoder().encode(text);
const { Allowed, Disallowed, Invalid } = Verdict;

const cases: readonly (readonly [string, string, readonly number[]])[] = [
	["nothing", "", []],
	["an empty line", "\n", [Invalid]],
	["a last line without LF", "/a\n/b", [Disallowed, Allowed]],
	["a last line with LF", "/a\n/b\n", [Disallowed, Allowed]],
	["an empty last line", "/b\n\n", [Allowed, Invalid]],
	["CRLF", "/z\r\n/zy\r\n", [Disallowed, Allowed]],
	["CRLF and LF", "/z\n/z\r\n/b\n/z\r\n", [0, 0, 1, 0]],
	["CR within a line", "/\rz\n/z\r\r\n", [Disallowed, Disallowed]],
	["a line that is CR only", "\r\n/a", [Invalid, Disallowed]],
	["no URLs", "a\nexample.com/a\n:\nhttp:/\n 1\n", [3, 3, 3, 3, 3]],
	["URLs and paths", "http://e.com/a\nhttps://e.com/ab\n/a", [0, 1, 0]],
	["other schemes", "HTTP://e/a\nftp://e/a\nhttpx://e/a\nh://a", [0, 0, 0, 1]],
	["no path", "h://e\nhttp://e\nhttp://e?z\nhttp://e#z", [1, 1, 0, 1]],
	["no host", "http://\nhttp://?z\nhttp:///\nh://\nfile:///a", [3, 3, 3, 3, 3]],
	["fragments", "/b#/a\n/a#b\n/z#\n#/a", [1, 0, 0, 3]],
	["escapes", "/%61\n/%C3%A9\n/%2fq\n/%2\n/%", [0, 0, 0, 1, 1]],
	["NUL", "/\0z\n/a\0", [Disallowed, Disallowed]],
];

test.each(cases)("%s", (_, text, verdicts) => {
	expect([...matcher.matchLines(encode(text))]).toEqual(verdicts);
});

describe("A line at any position", () => {
	const paths = ["/a", "/ab", "/c", "/xz", "/%61", "/c#a", "/\u00e9", "x"];
	const wanted = [0, 1, 1, 0, 0, 1, 0, 3];
	const text = encode(`${paths.join("\n")}\n`);

	test.each([0, 1, 2])(
		"across the module's blocks, %i bytes cut off",
		(cut) => {
			for (let shift = 1; shift <= 3 * BLOCK; shift++) {
				const filler = encode(`/c${"#".repeat(shift)}\r\n`);
				const bytes = new Uint8Array(filler.length + text.length);
				bytes.set(filler);
				bytes.set(text, filler.length);
				expect(
					[...matcher.matchLines(bytes.subarray(0, bytes.length - cut))],
					`shifted by ${shift}`,
				).toEqual([1, ...(cut === 2 ? wanted.slice(0, -1) : wanted)]);
			}
		},
	);

	test("across the host's chunks", () => {
		const lines = Array.from({ length: 9 }, () => text);
		for (let shift = -40; shift <= 40; shift += 3) {
			const filler = encode(`/${"c".repeat(CHUNK + shift - 3)}\n`);
			const bytes = Buffer.concat([filler, ...lines, filler, ...lines]);
			const round = [1, ...lines.flatMap(() => wanted)];
			expect([...matcher.matchLines(bytes)], `shifted by ${shift}`).toEqual([
				...round,
				...round,
			]);
		}
	});

	test("lines longer than a chunk", () => {
		const long = "c".repeat(CHUNK * 2 + 5);
		const bytes = encode(
			`/a\n/${long}z\n/${long}\r\n/a${long}\n/ab\n/a${long}`,
		);
		expect([...matcher.matchLines(bytes)]).toEqual([0, 0, 1, 0, 1, 0]);
	});

	test("lines across the module's stretches, and longer than several", () => {
		const piece = fc.constantFrom("/a", "/", "z", "#", "%61", "\u00e9", "q");
		const long = fc.constantFrom(0, 1, 40, STRETCH - 3, STRETCH, 20_000);
		const line = fc
			.array(fc.tuple(piece, long), { minLength: 1, maxLength: 4 })
			.map((all) => all.map(([text, n]) => text + "c".repeat(n)).join(""));
		fc.assert(
			fc.property(fc.array(line, { minLength: 1, maxLength: 12 }), (rest) => {
				const paths = rest.map((text) => `/${text}`);
				expect([...matcher.matchLines(encode(paths.join("\n")))]).toEqual(
					paths.map((path) => Number(matcher.isAllowed(path))),
				);
			}),
			{ numRuns: casesOf(300), seed: 9309 },
		);
	});

	test("any lines with any line ends: as judged one by one", () => {
		const line = fc
			.array(
				fc.constantFrom(..."/ab#%26z\u00e9", "http://e/", "a".repeat(50)),
				{
					maxLength: 20,
					size: "max",
				},
			)
			.map((all) => all.join(""));
		const ended = fc.tuple(line, fc.constantFrom("\n", "\r\n"));
		fc.assert(
			fc.property(fc.array(ended, { maxLength: 40, size: "max" }), (all) => {
				const urls = all.map(([url]) => url);
				const bytes = encode(all.flat().join(""));
				const one = urls.map((url) => [...matcher.matchMany([url])][0]);
				expect([...matcher.matchLines(bytes)]).toEqual(one);
				expect([...matcher.matchMany(urls)]).toEqual(one);
			}),
			{ numRuns: casesOf(500), seed: 9309 },
		);
	});
});

/** Rules of each kind, and pieces of lines that are odd with them beside some that are not. */
const oddCases = [
	{
		what: "prefixes",
		dialect: "rfc9309",
		rules: ["/a", "/\u0430", "/%2Fq", "/z?%3A"],
		pieces: ["a", "z?:", "%61", "%D0%B0", "\u0430", "%2fq", "#a", "%"],
	},
	{
		what: "literals",
		dialect: "rfc9309",
		rules: ["/*aa$", "*/\u0430*z", "/*?:", "/*%2Fq"],
		pieces: ["a", "z?:", "%61", "/%D0%B0", "/\u0430", "%2fq", "#a", "%3a"],
	},
	{
		what: "instructions that run once a path",
		dialect: "rfc9309",
		rules: Array.from({ length: 70 }, (_, i) => `/*a*b*${i}z`),
		pieces: ["a", "b", "1z", "%61", "%62", "6", "9%7A", "0z#"],
	},
	{
		what: "rules that could match part of an escape",
		dialect: "rfc9309",
		rules: ["/*D0%", "/%D0", "/*%B", "/\u0430$"],
		pieces: ["a", "%D0%B0", "\u0430", "*", "$", "%", "D0", "#"],
	},
	{
		what: "what Google's library cuts",
		dialect: "google",
		rules: ["/a", "/*z$", "/a//", "/$", "*\u0430"],
		pieces: ["a", "z", "//", "\0", "#", "://", "\u0430", "?z", "%D0"],
	},
] as const;

describe("Lines in normal form next to others", () => {
	test.each(oddCases)("$what", ({ dialect, rules, pieces }) => {
		const robots = rules.map((rule) => `Disallow: ${rule}\n`).join("");
		const mixed = RobotsTxt.parse(`User-agent: *\n${robots}`, {
			dialect,
		}).for("x");
		const verdict = (line: string) => {
			try {
				return Number(mixed.isAllowed(line));
			} catch {
				return Invalid;
			}
		};
		// Some lines alone, some many to a stretch, some longer than that, also in normal form.
		const long = fc.constantFrom(
			...Array<string>(20).fill(""),
			"c".repeat(70),
			"%D0%B0".repeat(40),
			"c".repeat(STRETCH - 20),
			"c".repeat(STRETCH * 2),
			"%D0%B0".repeat(STRETCH),
		);
		const start = fc.constantFrom(
			"/",
			"/",
			"/",
			"//",
			"http://e/",
			"ftp:/",
			"",
		);
		const text = fc
			.array(fc.constantFrom(...pieces), { maxLength: 6, size: "max" })
			.map((all) => all.join(""));
		const line = fc.tuple(start, text, long, text, fc.constantFrom("", "\r"));
		fc.assert(
			fc.property(
				fc.array(line, { minLength: 1, maxLength: 60, size: "max" }),
				(parts) => {
					const lines = parts.map((all) => all.join(""));
					expect([...mixed.matchLines(encode(lines.join("\n")))]).toEqual(
						parts.map((all) => verdict(all.slice(0, 4).join(""))),
					);
				},
			),
			{ numRuns: casesOf(150), seed: 9309 },
		);
	});
});

describe("matchLines into an array", () => {
	const lines = encode("/a\n/b\nx\n");
	const wanted = [Disallowed, Allowed, Invalid];
	test.each([3, 4, 100])("that has %i bytes", (size) => {
		const into = new Uint8Array(size).fill(9);
		const verdicts = matcher.matchLines(lines, into);
		expect([...verdicts]).toEqual(wanted);
		expect(verdicts.buffer).toBe(into.buffer);
		expect([...into]).toEqual([...wanted, ...Array(size - 3).fill(9)]);
	});
	test("that is part of another", () => {
		const whole = new Uint8Array(8).fill(9);
		matcher.matchLines(lines, whole.subarray(2, 5));
		expect([...whole]).toEqual([9, 9, ...wanted, 9, 9, 9]);
	});
	test("in chunks", () => {
		const many = encode("/a\n/b\nx\n".repeat(CHUNK / 8));
		const verdicts = matcher.matchLines(many, new Uint8Array(CHUNK));
		expect(verdicts).toEqual(matcher.matchLines(many));
	});
	test("of no lines", () => {
		expect(matcher.matchLines(encode(""), new Uint8Array())).toHaveLength(0);
	});
});

describe("matchMany", () => {
	test("texts with line ends are single URLs", () => {
		const urls = ["/a\n/b", "/b\n/a", "/b\r", "/z\r\n", "/z", "", "\n"];
		expect([...matcher.matchMany(urls)]).toEqual([0, 1, 1, 0, 0, 3, 3]);
	});
	test("more than a chunk of texts", () => {
		const urls = Array.from({ length: 30_000 }, (_, i) =>
			i % 3 ? `/a${"b".repeat(i % 40)}` : "/a\u00e9",
		);
		expect([...matcher.matchMany(urls)]).toEqual(
			urls.map((url) => Number(url.startsWith("/ab"))),
		);
	});
	test("lone surrogates do not throw", () => {
		expect([...matcher.matchMany(["/\ud800", "/a\udc00"])]).toEqual([1, 0]);
		expect(matcher.isAllowed("/\ud800")).toBe(true);
	});
	test("nothing", () => expect(matcher.matchMany([])).toHaveLength(0));
});

// Positions that repeat others of their path are left out where there are many; those in origins and of other lines do not count.
describe("Needles many times in a path", () => {
	const rules = ["x1=*y", "x2=*w", "x7=1*q"];
	const text = `User-agent: *\n${rules.map((rule) => `Disallow: /*${rule}\n`).join("")}`;
	const isForbidden = (path: string) => /x1=.*y|x2=.*w|x7=1.*q/.test(path);
	const parts = ["x1=abcd&", "x3=abcd&", "x7=12345", "x7=12&", "/", "z", "é"];
	const path = fc
		.tuple(
			fc.array(fc.constantFrom(...parts), { minLength: 1, maxLength: 3 }),
			fc.integer({ min: 1, max: 40 }),
			fc.constantFrom("", "", "y", "q", "x2=w", "x1=abcdy", "#"),
		)
		// Google's library takes what follows "//" for a host.
		.map(([some, times, last]) => `/_${some.join("").repeat(times)}${last}`);
	const origin = fc.constantFrom("", "https://x1=abcd&x7=12345", "http://a");
	const lines = fc.array(fc.tuple(origin, path), {
		minLength: 1,
		maxLength: 30,
	});

	test.each(["google", "rfc9309"] as const)("in the %s dialect", (dialect) => {
		const judge = RobotsTxt.parse(text, { dialect }).for("x");
		fc.assert(
			fc.property(lines, (some) => {
				const urls = some.map(([front, rest]) => front + rest);
				const wanted = some.map(([, rest]) => Number(!isForbidden(rest)));
				expect([...judge.matchLines(encode(urls.join("\n")))]).toEqual(wanted);
				expect(urls.map((url) => Number(judge.isAllowed(url)))).toEqual(wanted);
			}),
			{ numRuns: casesOf(300) },
		);
	});
});
