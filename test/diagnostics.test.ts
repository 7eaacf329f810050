import { describe, expect, test } from "vitest";
import {
	type Diagnostic,
	type DiagnosticCode,
	type Dialect,
	RobotsTxt,
	type Severity,
} from "../src/index.ts";
import {
	invalidValues,
	partlyIgnored,
	relativeSitemaps,
} from "./data/other-lines.ts";
import { invalidHosts } from "./data/yandex.ts";
import { bytes } from "./latin1.ts";

const dialects = ["rfc9309", "google", "yandex"] as const;

interface Row {
	readonly file: string;
	readonly code: DiagnosticCode;
	readonly line: number;
	/** In the three dialects, in the order above; null where it says nothing. */
	readonly severity: readonly [
		Severity | null,
		Severity | null,
		Severity | null,
	];
	/** What the message names. */
	readonly names?: string;
	readonly maxBytes?: number;
}

const all = (severity: Severity) => [severity, severity, severity] as const;
const head = "User-agent: *\n";

const rows: readonly Row[] = [
	{
		file: "\xef\xbb\xbfUser-agent: *\nAllow: /",
		code: "byte-order-mark",
		line: 1,
		severity: all("info"),
	},
	{
		file: "\xef\xbb\nUser-agent: *\nAllow: /",
		code: "byte-order-mark",
		line: 1,
		severity: [null, "info", null],
	},
	{
		file: `${head}Allow:\n`,
		code: "empty-allow",
		line: 2,
		severity: ["info", "info", "warning"],
	},
	{
		file: `${head}Disallow: # all\n`,
		code: "empty-disallow",
		line: 2,
		severity: all("info"),
	},
	{
		file: `${head}: /a\n`,
		code: "empty-field",
		line: 2,
		severity: all("error"),
		names: ": /a",
	},
	{
		file: `${head}Disallow: /a\nDisallow: /b\n`,
		maxBytes: 30,
		code: "file-too-large",
		line: 1,
		severity: [null, null, "error"],
		names: "30",
	},
	{
		file: `${head}Disallow: /a\nDisallow: /b\n`,
		maxBytes: 30,
		code: "file-truncated",
		line: 3,
		severity: ["error", "error", null],
		names: "30",
	},
	{
		file: "User-agent: a\nUser-agent: b/1.0 (c)\nDisallow: /a",
		code: "invalid-agent",
		line: 2,
		severity: all("warning"),
		names: "b/1.0 (c)",
	},
	{
		file: "User-agent:\nDisallow: /a",
		code: "invalid-agent",
		line: 1,
		severity: all("warning"),
	},
	{
		file: "User-agent: MJ12bot\nDisallow: /a",
		code: "invalid-agent",
		line: 1,
		severity: [null, "warning", null],
		names: "MJ12bot",
	},
	{
		file: `${head}Disallow: /${"a".repeat(16_663)}`,
		code: "line-truncated",
		line: 2,
		severity: [null, "error", null],
		names: "16663",
	},
	{
		file: `${head}Dissallow: /a`,
		code: "misspelled-field",
		line: 2,
		severity: ["error", "warning", "error"],
		names: "issallow",
	},
	{
		file: "User-agents: *\nAllow: /a",
		code: "misspelled-field",
		line: 1,
		severity: ["error", "warning", "error"],
		names: "user-agent",
	},
	...invalidHosts.map((host) => ({
		file: `${head}Host: ${host}\n`,
		code: "invalid-host" as const,
		line: 2,
		severity: all("info"),
		names: `Host: ${host} has no effect`,
	})),
	...invalidValues.map(([line, reason]) => ({
		file: `${head}${line}\n`,
		code: "invalid-value" as const,
		line: 2,
		severity: all("error"),
		names: reason,
	})),
	{
		file: `Host: a.ru\n${head}Host: -\nHost: b.ru\n`,
		code: "repeated-host",
		line: 4,
		severity: all("info"),
		names: "Host: b.ru has no effect",
	},
	...partlyIgnored.map(([line, reason]) => ({
		file: `${head}${line}\n`,
		code: "partly-ignored" as const,
		line: 2,
		severity: all("warning"),
		names: reason,
	})),
	...["DisallowAITraining", "AllowAITraining"].map((name) => ({
		file: `${head}${name}: /\n`,
		code: "proposed-field" as const,
		line: 2,
		severity: all("warning"),
		names: "write Content-Signal: ai-train=no",
	})),
	{
		file: `${head}Content-Signals: search=yes\n`,
		code: "misspelled-field",
		line: 2,
		severity: all("warning"),
		names: "is read as Content-Signal",
	},
	...relativeSitemaps.map((value) => ({
		file: `Sitemap: https://e.com/a.xml\nSitemap: ${value}\n${head}Allow: /\n`,
		code: "relative-sitemap" as const,
		line: 2,
		severity: all("warning"),
		names: value,
	})),
	...["Crawl-delay: 1", "Visit-time: 0000-2400", "Content-Usage: a=y"].map(
		(line) => ({
			file: `${line}\n${head}Allow: /\n`,
			code: "rule-outside-group" as const,
			line: 1,
			severity: all("error"),
			names: line,
		}),
	),
	{
		file: `${head}Disallow /a`,
		code: "missing-colon",
		line: 2,
		severity: ["error", "warning", "error"],
		names: "Disallow /a",
	},
	{
		file: `${head}<p>\n`,
		code: "missing-colon",
		line: 2,
		severity: ["error", "warning", "error"],
		names: "<p>",
	},
	{
		file: `${head}Disallow: /a\0b`,
		code: "nul-byte",
		line: 2,
		severity: all("error"),
	},
	{
		file: `${head}Disallow: a`,
		code: "pattern-without-slash",
		line: 2,
		severity: ["warning", "error", "warning"],
		names: "a",
	},
	{
		file: "Disallow: /a\nUser-agent: *\nAllow: /",
		code: "rule-outside-group",
		line: 1,
		severity: all("error"),
		names: "Disallow: /a",
	},
	{
		file: "Sitemap: https://e.com/1.xml, https://e.com/2.xml\n",
		code: "missing-line-end",
		line: 1,
		severity: all("warning"),
		names: "2 URLs",
	},
	{
		file: `${head}Noindex: /a`,
		code: "unknown-field",
		line: 2,
		severity: all("info"),
		names: "Noindex",
	},
];

const read = ({ file, maxBytes }: Row, dialect: Dialect) =>
	RobotsTxt.parse(bytes(file), {
		dialect,
		...(maxBytes === undefined ? {} : { maxBytes }),
	}).diagnostics;

describe.each(dialects)("A diagnostic for every oddity, %s", (dialect) => {
	test.each(rows)("$code at line $line: $severity", (row) => {
		const severity = row.severity[dialects.indexOf(dialect)];
		const found = read(row, dialect).filter(({ code }) => code === row.code);
		expect(found.map(({ line, severity }) => ({ line, severity }))).toEqual(
			severity ? [{ line: row.line, severity }] : [],
		);
		for (const { message } of found) {
			expect(message).toMatch(/[.?]$/);
			expect(message).toContain(row.names ?? "");
		}
	});
});

test("every code has a row", () => {
	const codes: Readonly<Record<DiagnosticCode, true>> = {
		"byte-order-mark": true,
		"empty-allow": true,
		"empty-disallow": true,
		"empty-field": true,
		"file-too-large": true,
		"file-truncated": true,
		"invalid-agent": true,
		"invalid-host": true,
		"invalid-value": true,
		"line-truncated": true,
		"missing-colon": true,
		"missing-line-end": true,
		"misspelled-field": true,
		"nul-byte": true,
		"partly-ignored": true,
		"pattern-without-slash": true,
		"proposed-field": true,
		"relative-sitemap": true,
		"repeated-host": true,
		"rule-outside-group": true,
		"unknown-field": true,
	};
	expect([...new Set(rows.map(({ code }) => code))].sort()).toEqual(
		Object.keys(codes),
	);
});

const [A, B] = ["https://e.com/1.xml", "http://e.com/2.xml?a=1,2"];
const BASE = "https://www.e.com/sub/robots.txt";
/** The value of a Sitemap line; the URLs that it names with the file's URL; those without, if they are others; what the diagnostic says. */
const sitemapRows: readonly (readonly [
	value: string,
	sitemaps: readonly string[],
	alone?: readonly string[] | undefined,
	message?: RegExp,
])[] = [
	[A, [A]],
	[
		"/rel.xml",
		["https://www.e.com/rel.xml"],
		[],
		/read as https:\/\/www\.e\.com\/rel\.xml here/,
	],
	[
		"//e.com/s.xml",
		["https://e.com/s.xml"],
		[],
		/read as https:\/\/e\.com\/s\.xml here/,
	],
	// Could be a path or a host: nothing is certain.
	["sitemap.xml", [], [], /left out/],
	["www.e.com/sitemap.xml", [], [], /left out/],
	["/\\[", [], [], /left out/],
	["//[/x", [], [], /left out/],
	["", [], [], /no value/],
	[`${A} ${B}`, [A, B], undefined, /holds 2 URLs/],
	[`${A}\t ${B},  ${A}`, [A, B], undefined, /holds 3 URLs/],
	[`${A}; ${B}`, [A, B], undefined, /holds 2 URLs/],
	// A space within a URL, and a comma without one, are part of it.
	["https://e.com/site map.xml", ["https://e.com/site map.xml"]],
	[`${A},${B}`, [`${A},${B}`]],
	[`${A} second`, [`${A} second`]],
];

test.each(
	sitemapRows.map(([value, sitemaps, alone, message]) => ({
		value,
		sitemaps,
		alone,
		message,
	})),
)("Sitemap: $value", ({ value, sitemaps, alone, message }) => {
	const file = `Sitemap: ${value}\nUser-agent: *\nDisallow: /a\n`;
	for (const dialect of dialects)
		for (const url of [BASE, new URL(BASE)]) {
			const robots = RobotsTxt.parse(file, { dialect, url });
			expect(robots.sitemaps).toEqual(sitemaps);
			const said = robots.diagnostics.map(({ message }) => message).join();
			expect(said).toMatch(message ?? /^$/);
		}
	expect(RobotsTxt.parse(file).sitemaps).toEqual(alone ?? sitemaps);
});

test("a sitemap that is listed twice is given once, the first time", () => {
	const file = `Sitemap: ${B}\nSitemap: ${A}\nsitemap: ${B}\nSitemap: /1.xml\nSitemap: ${A}\n`;
	const url = "https://e.com/robots.txt";
	expect(RobotsTxt.parse(file, { url }).sitemaps).toEqual([B, A]);
});

test.each(["/robots.txt", "e.com", "data:text/plain,x", ""])(
	"%j is no URL of a file",
	(url) => {
		expect(() => RobotsTxt.parse("", { url })).toThrow(
			/url is an absolute http, https or ftp URL/,
		);
	},
);

test("a correct file has none", () => {
	const file =
		"User-agent: a\nUser-agent: *\nDisallow: /a\nAllow: *b$\nCrawl-delay: 1\nHost: e.com\nClean-param: a /\nRequest-rate: 1/5\nVisit-time: 0600-0845\nContent-Signal: ai-train=no\nContent-Signal: use=reference\nContent-Usage: train-ai=n\nLicense: https://e.com/l.xml\nSitemap: https://e.com/s\n";
	for (const dialect of dialects)
		expect(RobotsTxt.parse(file, { dialect }).diagnostics).toEqual([]);
});

test.each(dialects)(
	"a NUL within a comment is of no interest, %s",
	(dialect) => {
		const file = bytes(`${head}Disallow: /a # \0\n#\0\n`);
		expect(RobotsTxt.parse(file, { dialect }).diagnostics).toEqual([]);
	},
);

test("they are sorted by line, and long texts are cut", () => {
	const file = `x\ny: z\n${"w".repeat(5000)}\nDisallow: /\n`;
	const found = RobotsTxt.parse(file).diagnostics;
	const summary = ({ line, code }: Diagnostic) => `${line} ${code}`;
	expect(found.map(summary)).toEqual([
		"1 missing-colon",
		"2 unknown-field",
		"3 missing-colon",
		"4 rule-outside-group",
	]);
	expect(found[2]?.message.length).toBeLessThan(200);
});
