import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { type LintCode, lint, lintCodes } from "../../src/lint.ts";
import { root } from "../cli/run.ts";
import { dialects, runs } from "../differential.ts";
import { falsehoods } from "./sentences.ts";

const values = [
	...["", "*", "a", "b/1", "A", "/", "/a", "/a*", "/a/b", "/*a$", "a/b"],
	...["/index.html", "/a/index.htm", "/%7ea", "/~a", "/%c3%a9", "/é", "/é*"],
	...["/robots.txt", "https://e.com/a", "Googlebot", "Googlebot-News", "+a"],
	...["yandex", "x yandexbot", "Yahoo! Slurp", "googlebt", "//a", "/a\0b"],
	...["/a b", "/a/../b", "search=yes, ai=no", "use=full", "train-ai=n", "1"],
	...["1/5", "0600-0845", "e.com", "sid,ref", "/a$b", "/a Disallow: /b", "é"],
	...["\u00a0/a", "/a\ufeff", "# c", "/a # c", "*a", "* x", "$", "**"],
];
const fields = [
	...["User-agent", "User-agent", "User-agent", "Allow", "Disallow"],
	...["Allow", "Disallow", "Useragent", "Dissallow", "Allows", "Sitemap"],
	...["Crawl-delay", "Host", "Clean-param", "Content-Signal", "License"],
	...["Content-Signals", "Content-Usage", "Request-rate", "Visit-time"],
	...[
		"Noindex",
		"DisallowAITraining",
		"AllowAITraining",
		"Foo",
		"",
		"\ufeffAllow",
	],
];
const line = fc
	.tuple(
		fc.constantFrom(...fields),
		fc.constantFrom(": ", ":", ": ", " : ", " "),
		fc.constantFrom(...values),
	)
	.map((parts) => parts.join(""));
const file = fc
	.tuple(
		fc.constantFrom("", "", "", "\ufeff", "<p>\n", "{}", "\ufeff\ufeff"),
		fc.array(line, { minLength: 1, maxLength: 14 }),
		fc.constantFrom("\n", "\r\n", "\r"),
	)
	.map(([start, lines, end]) => start + lines.join(end));

describe("What findings say is true", () => {
	test.each(dialects)("of generated files, %s", (dialect) => {
		const codes = new Set<LintCode>();
		fc.assert(
			fc.property(file, (text) => {
				const bytes = new TextEncoder().encode(text);
				const findings = lint(bytes, { dialect });
				for (const { code } of findings) codes.add(code);
				expect(falsehoods(bytes, dialect, findings, 20)).toEqual([]);
			}),
			runs(1200),
		);
		// The rest is about sizes, other files and NUL bytes in one dialect.
		expect(codes.size).toBeGreaterThan(lintCodes.length - 20);
	});

	const corpus = join(root, "../shared/corpus/hosts.jsonl.gz");
	test.skipIf(!existsSync(corpus)).each(dialects)(
		"of 1,225 real sites, %s",
		(dialect) => {
			const sites = gunzipSync(readFileSync(corpus))
				.toString()
				.trimEnd()
				.split("\n");
			for (const site of sites) {
				const { host, robots_b64 } = JSON.parse(site) as {
					host: string;
					robots_b64: string;
				};
				const bytes = Buffer.from(robots_b64, "base64");
				const wrong = falsehoods(bytes, dialect, lint(bytes, { dialect }), 2);
				expect([host, ...wrong]).toEqual([host]);
			}
		},
	);
});
