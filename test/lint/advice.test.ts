import { existsSync } from "node:fs";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { RobotsTxt } from "../../src/index.ts";
import {
	type Edit,
	type Finding,
	type LintCode,
	lint,
} from "../../src/lint.ts";
import { casesOf, isWhole } from "../cases.ts";
import { corpus, realFiles, robotsFile, slips } from "../data/robots-files.ts";
import { dialects, runs } from "../differential.ts";

/** The file as an edit makes it. */
function apply(bytes: Uint8Array, { start, end, text }: Edit): Uint8Array {
	return Buffer.concat([
		bytes.subarray(0, start),
		Buffer.from(text),
		bytes.subarray(end),
	]);
}

interface Row {
	/** The line, behind "User-agent: *" or instead of it. */
	readonly line: string;
	readonly code: LintCode;
	/** What the line is after the edit. */
	readonly mended: string;
	/** URLs that the author meant the line to be about, by the verdict that was meant. */
	readonly disallowed?: readonly string[];
	readonly allowed?: readonly string[];
}

const rule = (
	value: string,
	code: LintCode,
	mended: string,
	disallowed: readonly string[],
	allowed: readonly string[] = [],
): Row => ({
	...{ line: `Disallow: ${value}`, code, mended: `Disallow: ${mended}` },
	...{ disallowed, allowed: ["/other", ...allowed] },
});

const rows: readonly Row[] = [
	rule("\\admin", "unmatchable-pattern", "/admin", ["/admin", "\\admin"]),
	rule("/\\admin", "unmatchable-pattern", "/admin", ["/admin/x"]),
	rule("/a\\b", "unmatchable-pattern", "/a/b", ["/a/b", "/a\\b"]),
	rule("./admin", "unmatchable-pattern", "/admin", ["/admin", "/./admin"]),
	rule("../admin", "unmatchable-pattern", "/admin", ["/admin"]),
	rule("/a/./b/../c", "unmatchable-pattern", "/a/c", ["/a/c"], ["/a/b"]),
	rule("/a b*c", "unmatchable-pattern", "/a%20b*c", ["/a b-c"], ["/a b"]),
	rule("/* */*$", "unmatchable-pattern", "/*%20*/*$", ["/x y/z"], ["/x/z"]),
	rule("/a/? x=1", "unmatchable-pattern", "/a/?x=1", ["/a/?x=1"]),
	rule("/q?a='b", "unmatchable-pattern", "/q?a=%27b", ["/q?a='b"]),
	rule("/a*\tb$", "unmatchable-pattern", "/a*b$", ["/a-b", "/a\tb"]),
	rule("/a?b=\tc", "unmatchable-pattern", "/a?b=c", ["/a?b=c", "/a?b\t=c"]),
	rule("/a /b", "missing-line-end", "/a\nDisallow: /b", ["/a", "/b"]),
	rule("/a, /b", "missing-line-end", "/a\nDisallow: /b", ["/ax", "/bx"]),
	rule("/a,/b;/c", "missing-line-end", "/a\nDisallow: /b\nDisallow: /c", [
		"/a",
		"/b",
		"/c",
	]),
	rule("/a Disallow: /b", "missing-line-end", "/a\nDisallow: /b", ["/b"]),
	rule("/a\\nDisallow: /b\\n", "missing-line-end", "/a\nDisallow: /b", ["/b"]),
	rule('"/admin"', "quotation-marks", "/admin", ["/admin"]),
	rule("'/admin/'", "quotation-marks", "/admin/", ["/admin/"]),
	rule("\u201c/admin\u201d", "quotation-marks", "/admin", ["/admin"]),
	rule("\u201e/a b\u201c", "quotation-marks", "/a%20b", ["/a b"]),
	rule("/admin\u201d", "quotation-marks", "/admin", ["/admin"]),
	rule('"/a", "/b"', "quotation-marks", "/a\nDisallow: /b", ["/a", "/b"]),
	rule("/.*\\.pdf$", "regular-expression", "/*.pdf$", ["/x.pdf"], ["/xpdf"]),
	rule("^/admin", "regular-expression", "/admin", ["/admin"]),
	rule("/(a|b)/", "regular-expression", "/a/\nDisallow: /b/", ["/a/", "/b/x"]),
	rule("/search\\?", "regular-expression", "/search?", ["/search?q"]),
	rule("/x(.*)y", "regular-expression", "/x*y", ["/x--y"], ["/x"]),
	rule("/x\\*y", "regular-expression", "/x%2Ay", ["/x%2Ay"], ["/xyy"]),
	rule("/?a=1&amp;b=2", "html-entity", "/?a=1&b=2", ["/?a=1&b=2"]),
	rule("/100%/", "malformed-escape", "/100%25/", ["/100%25/"]),
	rule("/%zz", "malformed-escape", "/%25zz", ["/%25zz"]),
	{
		...{ line: "Disallow: all", code: "pattern-without-slash" },
		...{ mended: "Disallow: /", disallowed: ["/", "/a"] },
	},
	{
		...{ line: "Disallow: none", code: "pattern-without-slash" },
		...{ mended: "Disallow: ", allowed: ["/", "/none", "/a"] },
	},
	rule("admin", "pattern-without-slash", "/admin", ["/admin"]),
	rule("http://e.com/a", "absolute-url", "/a", ["/a"]),
	...["Disalow", "Dissallow", "Disallows", "dis-allow"].map(
		(name): Row => ({
			...{ line: `${name}: /a`, code: "misspelled-field" },
			...{ mended: "Disallow: /a", disallowed: ["/a"] },
		}),
	),
	{
		...{ line: "Disallow /a", code: "missing-colon" },
		...{ mended: "Disallow: /a", disallowed: ["/a"] },
	},
	{
		...{ line: "\u201cDisallow: /a\u201d", code: "quotation-marks" },
		...{ mended: "Disallow: /a", disallowed: ["/a"] },
	},
	{
		...{ line: "Disallow\u00a0: /a", code: "invisible-character" },
		...{ mended: "Disallow: /a", disallowed: ["/a"] },
	},
	{
		...{ line: "Disallow: /a\u200b", code: "invisible-character" },
		...{ mended: "Disallow: /a", disallowed: ["/a"] },
	},
];

/** The file of a row, and the file that its author meant. */
function filesOf({ line, mended }: Row): readonly [string, string] {
	const file = (text: string) => `User-agent: *\n${text}\nDisallow: /never\n`;
	return [file(line), file(mended)];
}

const at = (path: string) => new URL(path, "https://e.com/").href;

describe.each(dialects)(
	"Advice, followed, does what was meant, %s",
	(dialect) => {
		test.each(rows)("$line", (row) => {
			const [text, mended] = filesOf(row);
			const file = Buffer.from(text);
			const location = "http://e.com/robots.txt";
			const finding = lint(file, { dialect, location }).find(
				({ code, line }) => code === row.code && line === 2,
			);
			expect(finding?.edit).toBeDefined();
			const changed = apply(file, finding?.edit as Edit);
			expect(changed.toString()).toBe(mended);
			// Who closes a site by a word is asked as all others are.
			const left = lint(changed, { dialect }).filter(
				({ severity, code }) => severity !== "info" && code !== "site-closed",
			);
			expect(left).toEqual([]);
			using robots = RobotsTxt.parse(changed, { dialect });
			for (const path of row.disallowed ?? [])
				expect(robots.isAllowed(at(path), "x"), path).toBe(false);
			for (const path of row.allowed ?? [])
				expect(robots.isAllowed(at(path), "x"), path).toBe(true);
		});

		test.each([
			["all", "*", "anybody"],
			["Google", "Googlebot", "Googlebot"],
			["Googlebot News", "Googlebot-News", "Googlebot-News"],
			["Googlebot Images", "Googlebot-Image", "Googlebot-Image"],
			["Googlebot-Images", "Googlebot-Image", "Googlebot-Image"],
			["Googelbot", "Googlebot", "Googlebot"],
			['"Googlebot"', "Googlebot", "Googlebot"],
			["\u201cGooglebot News\u201d", "Googlebot-News", "Googlebot-News"],
			["\u2018*\u2019", "*", "anybody"],
			["Yahoo! Slurp", "Slurp", "Slurp"],
		])("User-agent: %s", (name, token, agent) => {
			// Yandex's robots look for names anywhere in the line.
			if (dialect === "yandex" && name === "Yahoo! Slurp") return;
			const file = Buffer.from(`User-agent: ${name}\nDisallow: /a\n`);
			const [finding, ...more] = lint(file, { dialect }).filter(
				({ edit }) => edit,
			);
			expect(more).toEqual([]);
			const changed = apply(file, finding?.edit as Edit);
			expect(changed.toString()).toBe(`User-agent: ${token}\nDisallow: /a\n`);
			expect(
				lint(changed, { dialect }).filter(({ code }) => code !== "blank-line"),
			).toEqual([]);
			using robots = RobotsTxt.parse(changed, { dialect });
			expect(robots.isAllowed("/a", agent)).toBe(false);
			expect(robots.isAllowed("/b", agent)).toBe(true);
		});

		test.each([
			["https://e.com/a b.xml", ["https://e.com/a%20b.xml"]],
			['"https://e.com/a.xml"', ["https://e.com/a.xml"]],
			[
				"https://e.com/a.xml, https://e.com/b.xml",
				["https://e.com/a.xml", "https://e.com/b.xml"],
			],
			["https://e.com/?a=1&amp;b=2", ["https://e.com/?a=1&b=2"]],
		])("Sitemap: %s", (value, sitemaps) => {
			const file = Buffer.from(`Sitemap: ${value}`);
			const [finding] = lint(file, { dialect });
			const changed = apply(file, finding?.edit as Edit);
			expect(lint(changed, { dialect })).toEqual([]);
			using robots = RobotsTxt.parse(changed, { dialect });
			expect(robots.sitemaps).toEqual(sitemaps);
		});
	},
);

test("advice that several changes could follow has no edit", () => {
	const messages = (file: string) =>
		lint(file).map(({ message, edit }) => {
			expect(edit).toBeUndefined();
			return message;
		});
	expect(messages("User-agent: ChatGPT\nDisallow: /a\n")).toEqual([
		"ChatGPT is not the name of a well-known crawler: write GPTBot, ChatGPT-User or OAI-SearchBot.",
	]);
	const head = "User-agent: *\nDisallow: ";
	expect(messages(`${head}/[a-z]+/\n`)).toEqual([
		expect.stringMatching(/: no rule can say the same\.$/),
	]);
	expect(messages(`${head}.js\n`)).toEqual([
		expect.stringMatching(/write \/\*\.js for all paths that hold \.js\.$/),
	]);
	expect(messages(`${head}http://e.com/a\n`)).toEqual([
		expect.stringMatching(/write \/a if e\.com is the host of this file\./),
	]);
});

test.each([
	["a query's brackets", "/list?filter[price]=1"],
	["parentheses of a name", "/wiki/Foo_(bar)"],
	["a file without its ending", "/index.*"],
	["whatever is escaped", "/*%"],
	["whatever is escaped with a digit", "/*%2*"],
	["a lone quotation mark", '/*"'],
	["commas between wildcards", "/*,*,/*,/x"],
	["an alternative in a query", "/x?a=b|c"],
	["a name with a comma", "/a,b"],
])("%s is no slip", (_, pattern) => {
	const codes = lint(`User-agent: *\nDisallow: ${pattern}\n`).map(
		({ code }) => code,
	);
	// These say what such a rule matches, and advise no other one.
	const known = pattern.endsWith('"')
		? ["unmatchable-pattern"]
		: pattern.includes("%")
			? ["half-escape"]
			: [];
	expect(codes).toEqual(known);
});

test("who writes both spellings means both", () => {
	const file = (rules: string) => lint(`User-agent: *\n${rules}`);
	const wrong = "Disallow: /x?a&amp;b\n";
	expect(file(wrong).map(({ code }) => code)).toEqual(["html-entity"]);
	expect(file(`${wrong}Disallow: /x?a&b\n`)).toEqual([]);
});

/** Findings whose code has an edit; each edit, by itself, takes its finding away. */
function leftovers(
	bytes: Uint8Array,
	dialect: (typeof dialects)[number],
	findings: readonly Finding[],
	most: number,
): string[] {
	const counts = new Map<LintCode, number>();
	for (const { code } of findings)
		counts.set(code, (counts.get(code) ?? 0) + 1);
	const tried = new Map<LintCode, number>();
	return findings.flatMap(({ code, line, message, edit }) => {
		const before = tried.get(code) ?? 0;
		if (!edit || before >= most) return [];
		tried.set(code, before + 1);
		const changed = lint(apply(bytes, edit), { dialect });
		const left = changed.filter((other) => other.code === code).length;
		return left < (counts.get(code) ?? 0)
			? []
			: [`${line} ${code} ${message} ${JSON.stringify(edit)}`];
	});
}

describe("An edit takes its finding away", () => {
	test.each(dialects)("in generated files, %s", (dialect) => {
		fc.assert(
			fc.property(robotsFile, (text) => {
				const bytes = new TextEncoder().encode(text);
				const findings = lint(bytes, { dialect });
				expect(leftovers(bytes, dialect, findings, 5)).toEqual([]);
			}),
			runs(casesOf(400)),
		);
	});

	test.each(dialects)("of lines that are slips all over, %s", (dialect) => {
		let edits = 0;
		fc.assert(
			fc.property(
				fc.constantFrom("Disallow", "Allow", "Sitemap", "User-agent"),
				slips,
				(field, parts) => {
					const bytes = new TextEncoder().encode(
						`User-agent: *\n${field}: ${parts.join("")}\nDisallow: /z\n`,
					);
					const findings = lint(bytes, { dialect });
					edits += findings.filter(({ edit }) => edit).length;
					expect(leftovers(bytes, dialect, findings, 9)).toEqual([]);
				},
			),
			runs(casesOf(1500)),
		);
		expect(edits).toBeGreaterThan(isWhole ? 500 : 50);
	});

	test.skipIf(!existsSync(corpus)).each(dialects)(
		"in real files, %s",
		(dialect) => {
			for (const { host, bytes } of realFiles()) {
				const findings = lint(bytes, { dialect });
				const left = leftovers(bytes, dialect, findings, 1);
				expect([host, ...left]).toEqual([host]);
			}
		},
	);
});
