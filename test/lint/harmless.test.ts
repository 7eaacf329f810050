/**
 * Repairs that do no harm: what people really write, by kind, with the edit that lint may have for it. A safe edit changes no verdict of any
 * dialect and loses no text, whatever file the line stands in; where a person could have meant two things there is no edit at all.
 */
import { existsSync } from "node:fs";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { RobotsTxt } from "../../src/index.ts";
import { withEdits } from "../../src/lint/finding.ts";
import { fix, lint } from "../../src/lint.ts";
import { casesOf, isWhole } from "../cases.ts";
import { corpus, realFiles, robotsFile, slips } from "../data/robots-files.ts";
import { dialects, runs } from "../differential.ts";
import { subjectOf } from "./sentences.ts";

const encode = (text: string) => new TextEncoder().encode(text);
const decode = (bytes: Uint8Array) => Buffer.from(bytes).toString("latin1");

/** A line as somebody wrote it. */
interface Row {
	readonly line: string;
	/** A sentence that lint says of it, in rfc9309. */
	readonly says?: RegExp;
	/** What the line becomes by its edit; undefined where it has none. */
	readonly becomes?: string;
	/** The edit is applied without asking. */
	readonly safe?: true;
	readonly location?: string;
}

const none = (kind: string, lines: readonly string[], says?: RegExp) =>
	lines.map((line): readonly [string, Row] => [
		kind,
		{ line, ...(says && { says }) },
	]);
const suggested = (
	kind: string,
	lines: readonly (readonly [string, string])[],
) =>
	lines.map(([line, becomes]): readonly [string, Row] => [
		kind,
		{ line, becomes },
	]);

const rows: readonly (readonly [kind: string, row: Row])[] = [
	...none(
		"a rule that was switched off",
		[
			"//Disallow: /",
			"// Disallow: /",
			";Disallow: /",
			"; Disallow: /",
			"--Disallow: /",
			"-- Allow: /",
			"!Disallow: /",
			"'Disallow: /",
			"//User-agent: *",
			";Sitemap: http://e.com/s.xml",
			"*Disallow: /",
		],
		/is not a field name, so the line is ignored\. Comments begin with "#"\./,
	),
	...none("a rule that was renamed", [
		"Disallow (old): /",
		"Disallow_old: /",
		"X-Disallow: /",
		"xDisallow: /",
		"NoDisallow: /",
		"Disallow-off: /",
		"Disallow2: /",
		"Un-allow: /x",
	]),
	...none(
		"a field of somebody else's",
		[
			"Disallow-AI: /",
			"Disallow-Training: /",
			"Allow-Origin: *",
			"Allow-AI-Training: no",
			"DisallowAI: /",
			"Allow-Bots: yes",
		],
		/rfc9309 and yandex ignore the line, google compares only the first letters of a name and reads it as (?:dis)?allow\./,
	),
	...none("a name that is excepted", [
		"User-agent: all bots except Googlebot",
		"User-agent: !Googlebot",
		"User-agent: not Googlebot",
		"User-agent: non-Googlebot",
		"User-agent: Fake Googlebot",
		"User-agent: everyone but Googlebot",
		"User-agent: +http://e.com/bot",
		"User-agent GPTBot: all",
		"User-agent: IonCrawl",
		"User-agent: (all) Googlebot",
	]),
	...suggested("a colon that is missing", [
		["Disallow /wiki/Special:Search", "Disallow: /wiki/Special:Search"],
		["Disallow = /a", "Disallow: /a"],
		["Disallow=/a", "Disallow: /a"],
		["Disallow;/a", "Disallow: /a"],
		["Disallow ; /a", "Disallow: /a"],
		["Disallow - /a", "Disallow: /a"],
		["Disallow /a", "Disallow: /a"],
		["Allow /a # why", "Allow: /a # why"],
		["User-agent GPTBot", "User-agent: GPTBot"],
	]),
	[
		"a sitemap without a colon",
		{
			line: "sitemap http://e.com/s.xml",
			becomes: "Sitemap: http://e.com/s.xml",
			safe: true,
		},
	],
	[
		"a sitemap without a colon",
		{
			line: "Sitemap=https://e.com/s.xml",
			becomes: "Sitemap: https://e.com/s.xml",
			safe: true,
		},
	],
	...none("a sentence", [
		"Disallow all the bots",
		"Allow me to say: no robots here",
		"Disallow robots: please",
		"Sitemap is at http://e.com/s.xml",
	]),
	...suggested("lines that are glued", [
		["Disallow: /aDisallow: /b", "Disallow: /a\nDisallow: /b"],
		["Disallow: /a/Allow: /a/b", "Disallow: /a/\nAllow: /a/b"],
		[
			"Disallow: /wp-admin/Sitemap: https://e.com/s.xml",
			"Disallow: /wp-admin/\nSitemap: https://e.com/s.xml",
		],
		[
			"Sitemap: https://e.com/1.xmlSitemap: https://e.com/2.xml",
			"Sitemap: https://e.com/1.xml\nSitemap: https://e.com/2.xml",
		],
		["Disallow: /aUser-agent: b", "Disallow: /a\nUser-agent: b"],
	]),
	...none(
		"a rule that is glued to a comment",
		["# END BLOCKDisallow: */cache/", "# allSitemap: https://e.com/s.xml"],
		/^A comment goes on with /,
	),
	...none("a rule in a comment", [
		"# Disallow: /a",
		"#Disallow: /a",
		"# no Disallow: /a",
	]),
	...none(
		"a note behind a path",
		[
			"/cgi-bin/ // private",
			"/cgi-bin/ ; private",
			"/cgi-bin/ -- private",
			"/cgi-bin/ (private)",
			"/cgi-bin/<br>",
			"/cgi-bin/ <!-- x -->",
			"/a // Disallow: /b",
		].map((path) => `Disallow: ${path}`),
		/^Disallow: .* seems to hold a note or markup|holds two fields/,
	),
	...none(
		"a path that may be a sentence",
		[
			"/a to /b",
			"/shop/Men / Women/",
			"/cgi-bin/ private",
			"/a and /b",
			"/admin area",
			"admin and tmp",
			"admin, tmp",
			"/user/<id>/",
			"/{id}",
			'/a"',
			"none of these",
			"/a b, /c d",
		].map((path) => `Disallow: ${path}`),
	),
	...none("a word", [
		"Allow: none",
		"Allow: no",
		"Disallow: yes",
		"Allow: true",
	]),
	...none("another host", [
		"Disallow: www.e.com/blog/",
		"Disallow: e.com/blog/",
		"Disallow: https://e.com/blog/",
		"Disallow: www.e.com",
	]),
	[
		"the file's host",
		{
			line: "Disallow: www.e.com/blog/",
			becomes: "Disallow: /blog/",
			location: "https://www.e.com/robots.txt",
			says: /^www\.e\.com\/blog\/ seems to begin with a host, .*: write \/blog\/\./,
		},
	],
	[
		"the file's host",
		{
			line: "Disallow: https://e.com/blog/",
			becomes: "Disallow: /blog/",
			location: "https://e.com/robots.txt",
		},
	],
	[
		"another host than the file's",
		{
			line: "Disallow: https://m.e.com/blog/",
			location: "https://e.com/robots.txt",
		},
	],
	...suggested("a letter that looks like another", [
		["Disallow: ／admin", "Disallow: /admin"],
		["Disallow：/a", "Disallow:/a"],
		["Disallow： /a", "Disallow: /a"],
		["\u0410llow: /a", "Allow: /a"],
		["D\u0456s\u0430llow: /\u0430", "Disallow: /\u0430"],
		["User\u2011agent: a", "User-agent: a"],
		["User-agent: Gооglebot", "User-agent: Googlebot"],
	]),
	...none("a blank within a value", [
		"Disallow: /a\u00a0b",
		"Disallow: /a\u3000b",
		"User-agent: a\u00a0b",
	]),
	...suggested("a slip of the pen", [
		["Disalow: /", "Disallow: /"],
		["Disallowed: /a", "Disallow: /a"],
		["Useragent: a", "User-agent: a"],
		["Alow: /a", "Allow: /a"],
		["Disallow: admin", "Disallow: /admin"],
		["Disallow: all", "Disallow: /"],
		["User-agent: Googelbot", "User-agent: Googlebot"],
		["User-agent: all", "User-agent: *"],
	]),
	...none(
		"a category of another vocabulary",
		["Content-Usage: ai-train=no"],
		/perhaps train-ai=n is meant\./,
	),
	...suggested("several crawlers in a line", [
		[
			"User-agent: GPTBot, ClaudeBot",
			"User-agent: GPTBot\nUser-agent: ClaudeBot",
		],
	]),
	...none("a list that is none, or excepts", [
		"User-agent: a, b",
		"User-agent: all, GPTBot",
		"User-agent: *, GPTBot",
		"User-agent: GPTBot, and others",
	]),
	...none(
		"a number sign within a path",
		["Disallow: /#/a", "Disallow: /a#b", "Disallow: /#*"],
		/"#" begins a comment\. /,
	),
	...none("the whole site", ["Disallow: /", "Disallow: /*"], /Is that meant\?/),
	[
		"a sitemap's URL alone",
		{
			line: "https://e.com/sitemap.xml",
			becomes: "Sitemap: https://e.com/sitemap.xml",
			safe: true,
		},
	],
	...none("the URL of a page", ["https://e.com/about"]),
	...suggested("a sitemap with two schemes", [
		["Sitemap: https://https://e.com/s", "Sitemap: https://e.com/s"],
		["Sitemap: https://http//e.com/s", "Sitemap: http://e.com/s"],
	]),
	...suggested("a choice of letters or endings", [
		["Disallow: /*.[jJ]s", "Disallow: /*.js\nDisallow: /*.Js"],
		["Disallow: /*.{jpg,png}", "Disallow: /*.jpg\nDisallow: /*.png"],
		["Disallow: /^a$/", "Disallow: /a$"],
	]),
	...none("two slips that it may be", ["Sallow: /", "Dallow: /"]),
];

const fileOf = ({ line, location = "" }: Row) =>
	`User-agent: *\n${line}\nDisallow: /never\n${location && `Sitemap: https://a.example/s.xml\n`}`;

describe.each(dialects)(
	"Each kind has the edit that it may have, %s",
	(dialect) => {
		test.each(rows)("%s: $line", (_, row) => {
			const bytes = encode(fileOf(row));
			const { location } = row;
			const findings = lint(bytes, { dialect, ...(location && { location }) });
			const edits = findings.flatMap(({ line, edit }) =>
				edit && line === 2 ? [edit] : [],
			);
			if (row.becomes === undefined) expect(edits).toEqual([]);
			for (const edit of edits) {
				const after = withEdits(bytes, [edit]).bytes;
				const meant = fileOf({ ...row, line: row.becomes ?? "" });
				expect(Buffer.from(after).toString()).toBe(meant);
				expect(edit.safe).toBe(row.safe ?? false);
			}
			if (row.becomes !== undefined) expect(edits).not.toEqual([]);
			if (row.says && dialect === "rfc9309")
				expect(findings.map(({ message }) => message)).toContainEqual(
					expect.stringMatching(row.says),
				);
		});
	},
);

test.each([
	[["e.com"]],
	[["e.com", "cdn.example"]],
	[["cdn.example", "e.com"]],
])("sitemaps on %j do not say whose the file is", (hosts) => {
	const sitemaps = hosts.map((host) => `Sitemap: https://${host}/s.xml\n`);
	const file = `User-agent: *\nDisallow: https://e.com/a\n${sitemaps.join("")}`;
	const found = lint(file).find(({ code }) => code === "absolute-url");
	expect(found).toBeDefined();
	expect(found?.edit).toBeUndefined();
});

test("of edits that touch, the first is made", () => {
	const edits = [
		{ start: 0, end: 2, text: "x", why: "", safe: true },
		{ start: 2, end: 3, text: "y", why: "", safe: true },
	];
	const { bytes, applied } = withEdits(encode("abcd"), edits);
	expect(decode(bytes)).toBe("xcd");
	expect([...applied]).toEqual(edits.slice(0, 1));
});

test("a letter of another alphabet in a path is a letter of the path", () => {
	for (const line of [
		"Disallow: /\u0430dmin",
		"Disallow: /a／b",
		"Foo\uff1a x",
	])
		expect(lint(fileOf({ line })).map(({ code }) => code)).not.toContain(
			"look-alike",
		);
});

/** Verdicts of crawlers that two files name, on paths about the rules of both, in all dialects. */
function verdictsOf(bytes: Uint8Array, about: readonly Uint8Array[]): string {
	return dialects
		.map((dialect) => {
			const subjects = about.map((file) => subjectOf(file, dialect));
			const urls = [...new Set(subjects.flatMap((subject) => subject.urls))];
			const agents = new Set(subjects.flatMap((subject) => subject.agents));
			using robots = RobotsTxt.parse(bytes, { dialect });
			return [...agents]
				.map((agent) => {
					using matcher = robots.for(agent);
					return `${agent} ${matcher.matchMany(urls).join("")}`;
				})
				.join("\n");
		})
		.join("\n");
}

/** What is left of a text without white space, what nobody sees, case, quotation marks and colons, and with escapes read. */
function lettersOf(text: string): string {
	return (
		text
			.replace(/%[\da-f]{2}/gi, (code) =>
				String.fromCharCode(Number.parseInt(code.slice(1), 16)),
			)
			.replace(
				/\xef\xbb\xbf|\xe2\x80[\x80-\xaf]|\xc2[\x85\xa0\xad]|\xe3\x80\x80/g,
				"",
			)
			.replace(/[\s\xa0"':=;]|\xe2\x80[\x98-\x9f]/g, "")
			.toLowerCase()
			// A URL that stood there alone.
			.replace(/^sitemap(?=http)/, "")
	);
}

/** Lines whose text is nowhere in the file any more. */
function lostLines(before: Uint8Array, after: Uint8Array): string[] {
	const kept = new Set([
		"",
		...decode(after)
			.split(/[\r\n]+/)
			.map(lettersOf),
	]);
	return decode(before)
		.split(/[\r\n]+/)
		.filter((line) => !kept.has(lettersOf(line)));
}

/** What a repair without asking has done, and of that what it may not. */
function repaired(bytes: Uint8Array, dialect: (typeof dialects)[number]) {
	const { bytes: now, fixed } = fix(bytes, { dialect });
	if (fixed.length === 0) return { isChanged: false, harm: [] };
	const both = [bytes, now];
	const isSame = verdictsOf(bytes, both) === verdictsOf(now, both);
	const harm = [
		...(isSame ? [] : [`verdicts: ${decode(now)}`]),
		...lostLines(bytes, now),
	];
	return { isChanged: true, harm };
}

const someLine = fc.oneof(
	fc.constantFrom(...rows.map(([, { line }]) => line)),
	fc.constantFrom(
		"User-agent: a",
		"User-agent: *",
		"User-agent: Googlebot",
		"",
		"Disallow: /",
		"Allow: /a",
		"Disallow:",
		"Crawl-delay: 5",
		"# c",
		"sitemap http://e.com/s.xml",
		"Disallow: /é",
		"\u200b",
		"Host: e.com",
		"Disallow: /a\u200b",
		"\u00a0Disallow: /b",
		"Foo: \u200b",
	),
);
const fileOfKinds = fc
	.tuple(
		fc.constantFrom("", "", "\ufeff", "\ufeff\ufeff"),
		fc.array(someLine, { minLength: 1, maxLength: 9 }),
		fc.constantFrom("\n", "\r\n", "\r"),
	)
	.map(([start, lines, end]) => start + lines.join(end));

describe.each(dialects)(
	"A repair without asking does no harm, %s",
	(dialect) => {
		test("in files of these lines", () => {
			let safe = 0;
			fc.assert(
				fc.property(fileOfKinds, (text) => {
					const bytes = encode(text);
					const { isChanged, harm } = repaired(bytes, dialect);
					if (isChanged) safe++;
					expect(harm).toEqual([]);
				}),
				runs(casesOf(1500)),
			);
			expect(safe).toBeGreaterThan(isWhole ? 200 : 20);
		});

		test("in generated files", () => {
			fc.assert(
				fc.property(
					fc.oneof(
						robotsFile,
						slips.map(
							(parts) => `User-agent: *\nDisallow: ${parts.join("")}\n`,
						),
					),
					(text) => {
						expect(repaired(encode(text), dialect).harm).toEqual([]);
					},
				),
				runs(casesOf(800)),
			);
		});
	},
);

test.skipIf(!existsSync(corpus))(
	"a repair without asking does no harm to real files",
	() => {
		const changed = realFiles().filter(({ host, bytes }) => {
			const { isChanged, harm } = repaired(bytes, "rfc9309");
			expect([host, ...harm]).toEqual([host]);
			return isChanged;
		});
		expect(changed.length).toBeGreaterThan(isWhole ? 40 : 4);
	},
);
