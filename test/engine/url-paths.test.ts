import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
	type Dialect,
	Matcher,
	RobotsIndex,
	RobotsTxt,
	Verdict,
} from "../../src/index.ts";
import { libraryPath, standardPath } from "../data/url-paths.ts";
import {
	dialects,
	oracleRules,
	type RuleText,
	robotsOf,
	runs,
} from "../differential.ts";
import { latin1 } from "../latin1.ts";
import { oracle } from "../oracle.ts";

const encode = (text: string) => new TextEncoder().encode(text);

/** What every way to ask a matcher says about URLs; they must agree. */
function matcherAnswers(matcher: Matcher, urls: readonly string[]): number[] {
	const many = [...matcher.matchMany(urls)];
	const single = urls.map((url) => {
		try {
			const rule = matcher.match(url);
			const allowed = matcher.isAllowed(url);
			expect(rule ? rule.type === "allow" : true).toBe(allowed);
			return Number(allowed);
		} catch {
			return Verdict.Invalid;
		}
	});
	expect(many).toEqual(single);
	expect(many).toEqual(urls.flatMap((url) => [...matcher.matchMany([url])]));
	expect([...matcher.matchLines(linesOf(urls))]).toEqual(asLines(urls, many));
	return many;
}

/** The same for an index, and for one loaded from its bytes. */
function indexAnswers(index: RobotsIndex, urls: readonly string[]): number[] {
	const many = [...index.matchMany(urls)];
	for (const each of [index, RobotsIndex.fromBytes(index.toBytes())]) {
		expect([...each.matchMany(urls)]).toEqual(many);
		expect([...each.matchLines(linesOf(urls))]).toEqual(asLines(urls, many));
	}
	expect(many).toEqual(urls.flatMap((url) => [...index.matchMany([url])]));
	return many;
}

/** URLs with a line feed are several lines, and a CR at the end of a line belongs to its end. */
const isLine = (url: string) => !/\n|\r$/.test(url);
const linesOf = (urls: readonly string[]) =>
	encode(
		urls
			.filter(isLine)
			.map((url, i) => `${url}${i % 2 ? "\r" : ""}\n`)
			.join(""),
	);
const asLines = (urls: readonly string[], verdicts: readonly number[]) =>
	verdicts.filter((_, i) => isLine(urls[i] ?? ""));

/** Null for what is no URL, "" where there is no host. */
function hostOf(url: string): string | null {
	try {
		return new URL(url).host;
	} catch {
		return null;
	}
}

const rows: readonly [
	url: string,
	/** By the URL standard; null where a matcher says Invalid. */
	standard: string | null,
	/** As Google's library finds it; null where no rule can hold it. */
	library: string | null,
][] = [
	["https://h.example/a", "/a", "/a"],
	["https://h.example\\a", "/a", "/"],
	["https://h.example\\a\\b", "/a\\b", "/"],
	["https://h.example\\/a", "//a", "/a"],
	["https://h.example/\\a", "/\\a", "/\\a"],
	["https://h.example\\?a", "/?a", "/?a"],
	["https://h.example?a\\b", "/?a\\b", "/?a\\b"],
	["https:///h.example/a", "/a", "/h.example/a"],
	["https:////h.example//a", "//a", "//h.example//a"],
	["https:/h.example/a", "/a", "/h.example/a"],
	["https:h.example/a", "/a", "/a"],
	["https:\\\\h.example\\a", "/a", "/"],
	["https:/\\h.example/a", "/a", "/\\h.example/a"],
	["https:\\/\\/h.example/a", "/a", "/\\/h.example/a"],
	[" https://h.example/a", "/a", "/a"],
	["\0\u001f \thttps://h.example/a", "/a", "/a"],
	["https://h.example/a ", "/a", "/a "],
	["https://h.example/a\t\u0001", "/a", "/a\t\u0001"],
	["https://h.example ", "/", "/"],
	["https://h.example/a b", "/a b", "/a b"],
	["https://h.example/a\tb", "/ab", "/a\tb"],
	["https://h.example/a%\t6\r1b", "/aab", null],
	["https://h.example/ca\nrt/", "/cart/", null],
	["https://h.example/ca\r\nrt/\r", "/cart/", null],
	["https://h.example/\r/\ta?\n%3\tA#\t", "//a?:", null],
	["\t/\ta", "/a", "/\ta"],
	["\n\r/a", "/a", "/a"],
	["\t /a", "/a", "/a"],
	["/a\t ", "/a", "/a\t "],
	["/a\0", "/a", null],
	["/a b ", "/a b", "/a b "],
	["ht\ttps://h.example/a", "/a", "/a"],
	["https\t:/\t/h.ex\tample/a", "/a", "/\t/h.ex\tample/a"],
	["https://\t/h.example/a", "/a", "/h.example/a"],
	["https://\t\\h.example/a", "/a", "/a"],
	["https://h.example\t/a", "/a", "/a"],
	["https://h.example/./a/../b", "/./a/../b", "/./a/../b"],
	["https:h.example/./a/../b", "/./a/../b", "/./a/../b"],
	["https://u:p@h.example/a", "/a", "/a"],
	["https:\\\\u\\@h.example/a", "/@h.example/a", "/a"],
	["HTTPS:h.example/a", "/a", "/a"],
	["ftp:\\h.example\\a", "/a", "/"],
	["ws:/h.example\\a", "/a", "/h.example\\a"],
	["wss:h.example\\a", "/a", "/"],
	["file:\\\\h.example\\a", "/a", "/"],
	["file://h.example/a", "/a", "/a"],
	["https://h.example\n/a", "/a", "/a"],
	["https:\n//h.example/a", "/a", "//h.example/a"],
	["gopher://h.example/a", "/a", "/a"],
	["gopher:///a", null, "/a"],
	["gopher:/a", null, "/a"],
	["gopher:\\\\h.example\\a", null, "/"],
	["httpss:h.example/a", null, "/a"],
	["longer-than-any-https:h.example/a", null, "/a"],
	["/\\a ", "/\\a", "/\\a "],
	[" /a", "/a", "/a"],
	["localhost:80/a", null, "/a"],
	["mailto:a@h.example", null, "/"],
	["file:///a", null, "/a"],
	["h.example/a", null, "/a"],
	["https:", null, "/"],
	["https://", null, "/"],
	["https:///", null, "/"],
	["https://?a", null, "/?a"],
	["https:\\#a", null, "/"],
	["1https:h.example/a", null, "/a"],
	["http://h;/a", "/a", "/;/a"],
	["http://h.example;a/b", "/b", "/;a/b"],
	["http://h;:80/a", "/a", "/;:80/a"],
	["https://h;*:443/a", "/a", "/;*:443/a"],
	[`http://${"h".repeat(40)};/a`, "/a", "/;/a"],
];

describe.each(dialects)("where a URL's path begins, %s", (dialect) => {
	test.each(rows)("%j", (url, standard, library) => {
		const google = dialect === "google";
		if (google && library === null) return;
		const path = google ? library : standard;
		const exact = robotsOf([[false, `${path}$`]]);
		const matcher = RobotsTxt.parse(exact, { dialect }).for("x");
		const index = new RobotsIndex({ agent: "x", dialect });
		if (path === null) {
			expect(matcherAnswers(matcher, [url])).toEqual([Verdict.Invalid]);
			return;
		}
		expect(matcherAnswers(matcher, [url])).toEqual([Verdict.Disallowed]);
		if (!hostOf(url)) return;
		index.set(url, matcher);
		expect(indexAnswers(index, [url])).toEqual([Verdict.Disallowed]);
	});

	const some = (pieces: readonly string[], maxLength: number) =>
		fc
			.array(fc.constantFrom(...pieces), { maxLength, size: "max" })
			.map((chosen) => chosen.join(""));
	const dropped = ["\t", "\r", "\n"];
	const blank = some([" ", "\0", "\u001f", ...dropped], 2);
	const rarely = (text: fc.Arbitrary<string>) =>
		fc.option(text, { nil: "", freq: 1 });
	const schemes = ["http", "https", "HTTPs", "ftp", "ws", "wss", "file", "foo"];
	const url = fc
		.tuple(
			rarely(blank),
			fc.constantFrom(...schemes, "ht\ttps", "https\r"),
			fc.constantFrom(":", ":", ":", ":\t", ""),
			fc.oneof(
				fc.constant("//"),
				some(["/", "/", "\\", "\t", "\r", "\n", " "], 4),
			),
			fc.constantFrom("", "", "", "u@", "u:p@", "u\\@", "\t", "@"),
			fc.constantFrom(
				"h.example",
				"H.example",
				"h.ex\tample",
				"h.a",
				"[::1]",
				"h;",
				"*;h",
			),
			fc.constantFrom("", "", "", ":80", ":443", ":8080", ":", ":0443", ":x"),
			some(
				[..."/ab.?#%;\\ \0:@", "%61", "/../", "\u00e9", "//", "/a", ...dropped],
				6,
			),
			rarely(blank),
		)
		.map((parts) => parts.join(""));
	const rule: fc.Arbitrary<RuleText> = fc.tuple(
		fc.boolean(),
		fc.constantFrom(
			..."/a,/a$,/$,/*b$,/a/b,/?,/*?,//,/\\,/*\\,/*..,/h,/%61,/é,/*:,/;,/@,/b".split(
				",",
			),
		),
	);
	const pathOf: Record<Dialect, (text: string) => string> = {
		rfc9309: standardPath,
		yandex: standardPath,
		google: libraryPath,
	};

	test("matchers and indexes find the path that the platform's URL parser finds", () => {
		fc.assert(
			fc.property(
				fc.array(rule, { minLength: 1, maxLength: 6 }),
				fc.array(url, { minLength: 1, maxLength: 40, size: "max" }),
				(rules, urls) => {
					const says = oracle(oracleRules(rules), dialect);
					const text = robotsOf(rules);
					using matcher = RobotsTxt.parse(text, { dialect }).for("x");
					using loaded = Matcher.fromBytes(matcher.toBytes());
					const index = new RobotsIndex({ agent: "x", dialect });
					const known = urls.filter((url) => hostOf(url));
					for (const url of known) index.set(url, matcher);
					const wanted = known.map((url) =>
						Number(says(latin1(pathOf[dialect](url))).allowed),
					);
					expect(matcherAnswers(matcher, known)).toEqual(wanted);
					expect(matcherAnswers(loaded, known)).toEqual(wanted);
					expect(indexAnswers(index, known)).toEqual(wanted);
					// Of what is no URL a matcher sees no host, but must say the same however it is asked.
					matcherAnswers(matcher, urls);
					for (const [i, verdict] of indexAnswers(index, urls).entries())
						expect(verdict === Verdict.Invalid).toBe(!hostOf(urls[i] ?? ""));
				},
			),
			runs(250),
		);
	});
});

test("bytes of a path that are not UTF-8 stay unchanged in every form of URL", () => {
	const index = new RobotsIndex({ agent: "x" });
	index.set("https://h.example", robotsOf([[false, "/%FF"]]));
	const lines = ["https://h.example", "HTTPS://h.example", "https:h.example"]
		.map((start) => `${start}/\xff\n`)
		.join("");
	const text = Buffer.from(lines, "latin1");
	expect([...index.matchLines(text)]).toEqual([0, 0, 0]);
});

/** What the URL standard drops, in front of which a line feed ends a line. */
const dropped = ["\t", "\r", "\r\t\r"];

test.each(dialects)("a tab or CR at any place of lines, %s", (dialect) => {
	const rules = robotsOf([
		[false, "/a"],
		[true, "/*bc$"],
		[false, "/*?q=:bc$"],
	]);
	using matcher = RobotsTxt.parse(rules, { dialect }).for("x");
	using index = new RobotsIndex({ agent: "x", dialect });
	index.set("https://h.example", matcher);
	// Longer than a block, so that a line end or a dropped byte falls on each of its edges.
	const paths = Array.from({ length: 140 }, (_, i) =>
		i % 3 ? `/${"a".repeat(i)}bc` : `/${"x".repeat(i)}?q=%3Abc`,
	);
	for (const inner of dropped)
		for (const end of ["\n", "\r\n"]) {
			const lines = paths.flatMap((path, i) => {
				const at = (i * 7) % path.length;
				return [path, path.slice(0, at) + inner + path.slice(at)];
			});
			const wanted = lines.map((line) =>
				Number(
					matcher.isAllowed(
						dialect === "google" ? line : line.replace(/[\t\r]/g, ""),
					),
				),
			);
			const text = (front: string) =>
				encode(lines.map((line) => front + line + end).join(""));
			expect([...matcher.matchLines(text(""))]).toEqual(wanted);
			const urls = lines.map((line) => `https://h.example${line}`);
			expect([...index.matchLines(text("https://h.example"))]).toEqual(
				urls.map((url) => Number(matcher.isAllowed(url))),
			);
		}
});
