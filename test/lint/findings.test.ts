import { existsSync } from "node:fs";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { type Dialect, RobotrieError, RobotsTxt } from "../../src/index.ts";
import { type Finding, type LintCode, lint } from "../../src/lint.ts";
import { casesOf, isWhole } from "../cases.ts";
import { corpus, realFiles } from "../data/robots-files.ts";
import { dialects, runs } from "../differential.ts";
import { bytes, latin1 } from "../latin1.ts";

interface Row {
	readonly what: string;
	readonly file: string;
	/** "LINE code" or "LINE code severity", in the order of the lines; all that rfc9309 finds. */
	readonly finds: readonly string[];
	readonly dialect?: Dialect;
}

const head = "User-agent: *\n";

const rows: readonly Row[] = [
	{ what: "a sound file", file: `${head}Disallow: /a\n`, finds: [] },
	{ what: "nothing", file: "", finds: [] },
	{ what: "all allowed, the usual way", file: `${head}Disallow:\n`, finds: [] },
	{
		what: "a host name with a path behind it is a whole URL but for the scheme",
		file: `${head}Disallow: example.com/a\nDisallow: http:/a\nDisallow: HTTP://e.com/a\n`,
		finds: [
			"2 absolute-url error",
			"3 pattern-without-slash",
			"4 absolute-url error",
		],
	},
	{
		what: "fields, nearly right",
		file: `User-agnet: *\n${head}Alow: /a\nDisalow: /a\nDisalllow: /a\nDisallows: /a\nCrawldelay: 1\nSite map: x\nPost: 1\nDeny: /b\nDisallow: /a\n`,
		finds: [
			"1 misspelled-field error",
			"3 misspelled-field error",
			"4 misspelled-field error",
			"5 misspelled-field error",
			"6 misspelled-field error",
			"7 misspelled-field error",
			"8 misspelled-field error",
			"9 unknown-field info",
			"10 unknown-field info",
		],
	},
	{
		what: "noindex in any case",
		file: `${head}NoIndex: /a\nNofollow: /a\nDisallow: /a\n`,
		finds: ["2 noindex warning", "3 unknown-field info"],
	},
	{
		what: "sitemaps",
		file: "Sitemap: /a.xml\nSitemap: https://e.com/a.xml\nSitemap: e.com/a.xml\nSitemap:\n",
		finds: [
			"1 relative-sitemap warning",
			"3 relative-sitemap warning",
			"4 relative-sitemap warning",
		],
	},
	{
		what: "what is no robots.txt is one finding: JSON",
		file: '\n{"error": "Not: found", "status": 404,\n"a": [] }\n',
		finds: ["1 not-robots-txt error"],
	},
	{
		what: "a PNG image",
		file: "\x89PNG\r\n\x1a\n\0\0\0\rIHDR: \n:\n\0",
		finds: ["1 not-robots-txt error"],
	},
	{
		what: "a WebP image",
		file: "RIFF\x10\0\n\0WEBPVP8 :\n",
		finds: ["1 not-robots-txt error"],
	},
	{
		what: "compressed bytes",
		file: "\x1f\x8b\x08\0\n:\na: b\n",
		finds: ["1 not-robots-txt error"],
	},
	{
		what: "UTF-16 without a byte order mark",
		file: "U\0s\0e\0r\0:\0*\0\n\0",
		finds: ["1 utf-16 error"],
	},
	{
		what: "UTF-16 without a byte order mark, big-endian",
		file: "\0#\0 \0a\0\n\0U\0s",
		finds: ["1 utf-16 error"],
	},
	{
		what: "a page of markup",
		file: "<!doctype html>\n<a href='http://e.com/'>\nx: y\nSitemap: /a\n</html>\n",
		finds: ["1 html-page error"],
	},
	{
		what: "what only begins like JSON is read",
		file: `[robots]\n${head}Disallow: /a\n`,
		finds: ["1 missing-colon"],
	},
	{
		what: "invisible characters, instead of what they make of the line",
		file: latin1(
			`\ufeffUser-agent: a\nDisallow: /a\n\ufeffUser-agent: *\nDisallow:\u00a0/b\nDisallow: /c\u200b\nDisallow\u00a0: /d\nAllow: /\u202ee\u202c\nSitemap: \u200ehttps://e.com/s\n`,
		),
		finds: [
			"1 byte-order-mark info",
			"3 invisible-character warning",
			"4 invisible-character warning",
			"5 invisible-character warning",
			"6 invisible-character warning",
			"7 invisible-character warning",
			"8 invisible-character warning",
		],
	},
	{
		what: "an invisible character does not hide what else is wrong",
		file: latin1(
			`${head}Disalow: /a\u00a0\n\u200bDisallow: b\nDisallow: b\u200b\n`,
		),
		finds: [
			"2 invisible-character warning",
			"2 misspelled-field error",
			"3 invisible-character warning",
			"4 invisible-character warning",
		],
	},
	{
		what: "a no-break space in Latin-1",
		file: `${head}Disallow:\xa0/a\n`,
		finds: ["2 invisible-character warning"],
	},
	{
		what: "invisible characters in comments, and joiners in words",
		file: latin1(
			`# \u00a0\u200b\n${head}Disallow: /\u0645\u06cc\u200c\u062e\u0648\u0627\u0647\u0645 #\u00a0\n`,
		),
		finds: ["3 unescaped-character info"],
	},
	{
		what: "a whole file on one line",
		file: "User-agent: * Disallow: /a Disallow: /b Sitemap: https://e.com/s",
		finds: ["1 missing-line-end error"],
	},
	{
		what: "line ends as text",
		file: "User-agent: *\\nDisallow: /a\\n",
		finds: ["1 missing-line-end error"],
	},
	{
		what: "two fields on a line",
		file: `${head}Disallow: /a Allow: /a/b\nDisallow: /*?x=Allow:\nDisallow: /c # Allow: /d\n`,
		finds: ["2 missing-line-end error"],
	},
	{
		what: "parameters that cannot be meant",
		file: `${head}Disallow: /a\n${["sid,ref", "?sid /a", "utm_*", "a& b", "a=1", "a&b&c /x", "a;b", "a[]&b.c"].map((value) => `Clean-param: ${value}\n`).join("")}`,
		finds: [3, 4, 5, 6, 7, 9].map(
			(line) => `${line} doubtful-parameter warning`,
		),
	},
	{
		what: "fields of the past, each once",
		file: `${head}Disallow: /a\nHost: e.com/\nHost: e.com\nHost: www.e.com\nRequest-rate: 1/5\nRequest-rate: 1/6\nVisit-time: 0600-0845\nCrawl-delay: 1\nLicense: https://e.com/license.xml\n`,
		finds: [
			"3 invalid-host info",
			"4 obsolete-field info",
			"5 repeated-host info",
			"6 obsolete-field info",
			"8 obsolete-field info",
		],
	},
	{
		what: "signals that are partly understood",
		file: `${head}Content-Signal: search=yes, ai-training=no\nContent-Signal: ai-training=no\nContent-Signal: search=yes; ai-train=no\nContent-Signal: search=yes,ai-train=no,use=reference\nContent-Usage: train-ai=no, search=y\nDisallow: /a\n`,
		finds: [
			"2 partly-ignored warning",
			"3 invalid-value error",
			"4 invalid-value error",
			"6 partly-ignored warning",
		],
	},
	{
		what: "an HTML page and its rules",
		file: "\n <HTML>\n<a: b>\nUser-agent: *\nx\nDisallow: /a\nDisallow: /a\n</html>",
		finds: ["1 html-page error", "7 duplicate-rule info"],
	},
	{
		what: "a rule that begins like markup does not make a page",
		file: `${head}Disallow: /<a>\n`,
		finds: ["2 unmatchable-pattern warning"],
	},
	{
		what: "UTF-16, big-endian",
		file: "\xfe\xff\0U",
		finds: ["1 utf-16 warning"],
	},
	{
		what: "what stands in URLs otherwise",
		file: `${head}${["/a b", '/"', "/a\\b", "/a/../b", "/.", "/a/..b", "/a..", "/a?b c", "/*<*", "/{}", "/x*/../", "/%20", "/a|b", "/~", "/[x]"].map((pattern) => `Disallow: ${pattern}\n`).join("")}`,
		finds: [2, 3, 4, 5, 9, 10, 11].map(
			(line) => `${line} unmatchable-pattern warning`,
		),
	},
	{
		what: "what a query keeps, where a star can reach it",
		file: `${head}${["/*{a}", "/{b}", "/*/../a", "*\\\\", "/a/*?<", "/*a b", "/a?{", "/?/../b"].map((pattern) => `Disallow: ${pattern}\n`).join("")}`,
		finds: [
			"3 unmatchable-pattern",
			"6 unmatchable-pattern",
			"7 unmatchable-pattern",
			"9 home-page-query",
		],
	},
	{
		what: "a dot segment that longer paths go past",
		file: `${head}Disallow: /a/.\nDisallow: /a/..$\n`,
		finds: ["3 unmatchable-pattern"],
	},
	{
		what: "dollar signs",
		file: `${head}Disallow: /a$\nDisallow: /a$b\nDisallow: /a$$\nDisallow: /$x$\n`,
		finds: ["3 inner-dollar", "4 inner-dollar", "5 inner-dollar"],
	},
	{
		what: "other characters than ASCII",
		file: `${head}Disallow: /\xc3\xa9\nDisallow: /\xe9\nDisallow: /%C3%A8\n`,
		finds: ["2 unescaped-character info", "3 invalid-utf-8 warning"],
	},
	{
		what: "groups nobody chooses, and what is left of their lines",
		file: "User-agent: /bot\nUser-agent: /\nDisallow: /a\nUser-agent: **\nUser-agent: a\nDisallow: /b\n",
		finds: [
			"1 unreachable-group error",
			"2 invalid-agent warning",
			"4 invalid-agent warning",
		],
	},
	{
		what: "groups without rules",
		file: "User-agent: a\nDisallow: /a\nUser-agent: b\nUser-agent: c\nSitemap: https://e.com/\n",
		finds: ["4 group-without-rules warning"],
	},
	{
		what: "a crawler without rules at the end, which has some elsewhere",
		file: "User-agent: b\nDisallow: /b\nUser-agent: a\nDisallow: /a\nUser-agent: A\n",
		finds: ["5 group-without-rules info", "5 repeated-agent info"],
	},
	{
		what: "of several without rules, the one that has none elsewhere",
		file: "User-agent: a\nDisallow: /a\nUser-agent: b\nUser-agent: a\nUser-agent: /\n",
		finds: [
			"3 group-without-rules warning",
			"4 repeated-agent info",
			"5 invalid-agent warning",
		],
	},
	{
		what: "no rules for all that have no group, and a fallback's rules do not count",
		file: "User-agent: Googlebot\nDisallow: /a\nUser-agent: *\n",
		finds: ["3 group-without-rules warning"],
	},
	{
		what: "a group with a setting alone",
		file: "User-agent: a\nCrawl-delay: 1\n",
		finds: [],
	},
	{
		what: "groups that are one",
		file: "User-agent: a\nUser-agent: b\nSitemap: https://e.com/\nUser-agent: c\nUser-agent: d\n\n# e\nUser-agent: e\nCrawl-delay: 1\nHost: e.com\nUser-agent: f\nDisallow: /\nCrawl-delay: 2\nUser-agent: g\nDisallow: /\n",
		finds: [
			"4 joined-groups warning",
			"10 obsolete-field info",
			"11 joined-groups warning",
		],
	},
	{
		what: "groups that are one, with settings of their own",
		file: "User-agent: a\nSitemap: https://e.com/\nCrawl-delay: 1\nUser-agent: b\nSitemap: https://e.com/\nUser-agent: c\nDisallow: /\n",
		finds: [
			"4 joined-groups warning",
			"5 doubtful-sitemap info",
			"6 joined-groups warning",
		],
	},
	{
		what: "the same crawler again in its own group",
		file: "User-agent: a\nCrawl-delay: 1\nUser-agent: A\nDisallow: /a\nUser-agent: *\nUser-agent: *\nDisallow: /b\n",
		finds: [
			"1 looser-group info",
			"3 repeated-agent info",
			"6 repeated-agent info",
		],
	},
	{
		what: "names that rfc9309 reads alike, and Google does not",
		file: "User-agent: *a\nUser-agent: b-1\nUser-agent: c-1\nUser-agent: d\nUser-agent: a\nUser-agent: b\nUser-agent: c-2\nUser-agent: d/1\nDisallow: /a\n",
		finds: [
			"1 invalid-agent warning",
			"2 invalid-agent warning",
			"3 invalid-agent warning",
			"7 invalid-agent warning",
			"7 repeated-agent info",
			"8 invalid-agent info",
			"8 repeated-agent info",
		],
	},
	{
		what: "rules of groups that rfc9309 reads as one, and Google does not",
		file: "User-agent: *a\nDisallow: /a\n\nUser-agent: a\nDisallow: /a\nDisallow: /b\nDisallow: /b\n\nUser-agent: b1\nDisallow: /a\n\nUser-agent: b1\nDisallow: /a\n",
		finds: [
			"1 invalid-agent warning",
			"7 duplicate-rule info",
			"12 repeated-agent info",
			"13 duplicate-rule info",
		],
	},
	{
		what: "an index page allows its folder, for Google",
		file: `${head}Disallow: /a/\nAllow: /a/index.html\nAllow: /b/index.htm\n`,
		finds: ["3 dialects-differ warning"],
	},
	{
		what: "a star at the end counts, for Google",
		file: `${head}Disallow: /ab\nAllow: /a*\n`,
		finds: ["3 dialects-differ warning"],
	},
	{
		what: "rules of which neither contains the other meet, and a star at the end counts for Google",
		file: `${head}Allow: /shops*\nDisallow: /*.html\nDisallow: /a\n`,
		finds: ["2 dialects-differ info"],
	},
	{
		what: "an escape in lower case does not match itself, for Google",
		file: `${head}Disallow: /%c3%a9\nDisallow: /%C3%A8\n`,
		finds: ["2 dialects-differ warning"],
	},
	{
		what: "quotation marks, around a value and a line, in UTF-8 and Windows-1252",
		file: `User-agent: "a"\nDisallow: '/b'\nDisallow: \x93/c\x94\n"Disallow: /d"\n${latin1("Disallow: \u201e/e\u201c\nSitemap: \u00abhttps://e.com/s\u00bb\n")}`,
		finds: [1, 2, 3, 4, 5, 6].map((line) => `${line} quotation-marks error`),
	},
	{
		what: "two of a kind on one line",
		file: `${head}Disallow: /a /b\nDisallow: /c, /d\nSitemap: https://e.com/a https://e.com/b\n`,
		finds: [2, 3, 4].map((line) => `${line} missing-line-end error`),
	},
	{
		what: "regular expressions",
		file: `${head}${["/.*\\.pdf$", "/(a|b)/", "/[a-z]+/", "/x\\d{8}/", "^/c"].map((pattern) => `Disallow: ${pattern}\n`).join("")}`,
		finds: [2, 3, 4, 5, 6].map((line) => `${line} regular-expression error`),
	},
	{
		what: "text that was escaped for HTML, or not escaped for URLs",
		file: `${head}Disallow: /?a&amp;b\nDisallow: /%zz\nSitemap: https://e.com/s?a&amp;b\nSitemap: https://e.com/a b\n`,
		finds: [
			"2 html-entity warning",
			"2 home-page-query info",
			"3 malformed-escape warning",
			"4 html-entity warning",
			"5 unescaped-character warning",
		],
	},
	...["<!-- 1234 -->", "<pre>"].map((tag) => ({
		what: `a tag around rules that count: ${tag}`,
		file: `${tag}\n${head}Disallow: /a\n`,
		finds: ["1 html-page info"],
	})),
	{
		what: "the whole site, for all",
		file: `${head}Disallow: /\n`,
		finds: ["2 site-closed warning"],
	},
	{
		what: "the whole site, by wildcards, among other rules",
		file: `${head}Disallow: /a\nDisallow: /*\n`,
		finds: ["3 site-closed warning"],
	},
	{
		what: "the whole site, for search engines",
		file: "User-agent: Googlebot\nDisallow: *\nUser-agent: Yandex\nDisallow: /\nUser-agent: GPTBot\nDisallow: /\n",
		finds: ["2 site-closed warning", "4 site-closed info"],
	},
	{
		what: "the whole site, but for the search engines that are named",
		file: `User-agent: Googlebot\nDisallow:\n${head}Disallow: /\n`,
		finds: ["4 site-closed info"],
	},
	{
		what: "the home page, and a site of which single paths are allowed",
		file: `${head}Disallow: /$\nUser-agent: bingbot\nDisallow: /\nAllow: /a/\n`,
		finds: [],
	},
	{
		what: "a number sign within a path, at its end, before words, and alone",
		file: `${head}${["/#/b", "/c#d", "/e #f", "/g/#an old one", "#h", "/*#i"].map((path) => `Disallow: ${path}\n`).join("")}`,
		finds: [
			"2 site-closed warning",
			"2 hash-in-path error",
			"3 hash-in-path warning",
			"6 empty-disallow",
			"7 hash-in-path error",
			"7 shadowed-rule",
		],
	},
	{
		what: "a crawler's own group that lacks what all others may not fetch",
		file: `${head}Disallow: /a\nDisallow: /b\nUser-agent: x\nDisallow: /a\nUser-agent: y\nDisallow: /b\nDisallow: /a\nUser-agent: z\nDisallow:\nUser-agent: Mediapartners-Google\nDisallow: /c\nUser-agent: w\nDisallow: /a/\n`,
		finds: ["4 looser-group info", "13 looser-group info"],
	},
	{
		what: "a crawler that a delay alone frees from all rules",
		file: `${head}Disallow: /a\nUser-agent: Pinterest\nCrawl-delay: 1\n`,
		finds: ["3 group-without-rules warning"],
	},
	{
		what: "a delay alone, where there is nothing to be freed from, or rules elsewhere",
		file: `${head}Disallow:\nUser-agent: a\nDisallow: /b\nUser-agent: a\nCrawl-delay: 1\n`,
		finds: ["5 repeated-agent"],
	},
	{
		what: "several crawlers in a line",
		file: "User-agent: GPTBot, ClaudeBot\nUser-agent: Googlebot bingbot\nUser-agent: CCBot/2.0;Bytespider\nUser-agent: a, b\nUser-agent: Teleport Pro\nUser-agent: not GPTBot, CCBot\nDisallow: /a\n",
		finds: [
			"1 missing-line-end error",
			"2 missing-line-end error",
			"3 missing-line-end error",
			"4 invalid-agent",
			"5 invalid-agent",
			"6 misspelled-agent",
		],
	},
	{
		what: "style sheets and scripts that search engines may not fetch",
		file: `${head}Disallow: /*.css$\nDisallow: /js/\nDisallow: /*/name/\nAllow: /js/script.js\nUser-agent: bingbot\nDisallow: /js/\nDisallow: /*.css$\nDisallow: /*/name/\n`,
		finds: ["2 blocked-resources warning"],
	},
	{
		what: "style sheets that are allowed by rules that lose, and by one that wins",
		file: `${head}Disallow: /a/pdf/\nDisallow: /assets/\nDisallow: /b/\nAllow: /*.css\nAllow: /*.js\nAllow: /assets/*.js\nAllow: /assets/*.css\nAllow: /a/pdf/*.js\nAllow: /b/*.js\n`,
		finds: ["5 blocked-resources info"],
	},
	{
		what: "delays that nobody reads, or that keep crawlers away",
		file: `User-agent: Googlebot\nDisallow: /a\nCrawl-delay: 5\nUser-agent: x\nDisallow: /a\nCrawl-delay: 86400\nUser-agent: bingbot\nDisallow: /a\nCrawl-delay: 31\nUser-agent: y\nDisallow: /a\nCrawl-delay: 31\n${head}Crawl-delay: 30\nUser-agent: z\nDisallow: /a\nCrawl-delay: 600\nUser-agent: Googlebot-Image\nDisallow: /a\nCrawl-delay: 0\n`,
		finds: [
			"3 doubtful-delay info",
			"6 doubtful-delay warning",
			"9 doubtful-delay info",
			"15 joined-groups",
			"17 doubtful-delay warning",
		],
	},
	{
		what: "addresses of sitemaps that nobody can fetch, or has filled in",
		file: [
			"http://localhost:80/s",
			"http://127.0.0.1/s",
			"http://10.0.0.1/s",
			"https://www.example.com/s",
			"https://your-site.com/s",
			"https://https://a.fr/s",
			"https://a.fr/s",
			"https://a.fr:443/s",
			"https://mysite.fr/s",
			"https://yourmysites.fr/s",
			"https://a.fr/t",
		]
			.map((url) => `Sitemap: ${url}\n`)
			.concat("https://a.fr/sitemap.xml\nhttps://a.fr/page\n")
			.join(""),
		finds: [
			"1 doubtful-sitemap warning",
			"2 doubtful-sitemap warning",
			"3 doubtful-sitemap warning",
			"4 doubtful-sitemap warning",
			"5 doubtful-sitemap warning",
			"6 doubtful-sitemap error",
			"8 doubtful-sitemap info",
			"9 doubtful-sitemap warning",
			"12 doubtful-sitemap error",
			"13 unknown-field info",
		],
	},
	{
		what: "a choice of letters or endings, and an expression as programs have it",
		file: `${head}${["/*.[jJ]pg", "/*.{jpg,png}$", "/^b$/", "/^/c", "/{id}", "/[ab]", "/[aA"].map((path) => `Disallow: ${path}\n`).join("")}`,
		finds: [
			"2 regular-expression error",
			"3 regular-expression error",
			"4 regular-expression error",
			"5 regular-expression error",
			"6 unmatchable-pattern",
		],
	},
	{
		what: "queries of the home page",
		file: `${head}${["/?b=9", "?print_view", "/?s=", "/?c=", "/?d=*&e", "/*?c="].map((path) => `Disallow: ${path}\n`).join("")}Allow: /?g\n`,
		finds: [
			"2 home-page-query info",
			"3 pattern-without-slash warning",
			"5 shadowed-rule",
		],
	},
	...[
		"404 Not Found",
		"Not found\n",
		"Error: Access denied.\n",
		"<Error>",
		"The page could not be found\n\nNOT_FOUND\n",
		"403\n",
	].map((file) => ({
		what: `an error message: ${JSON.stringify(file)}`,
		file,
		finds: [
			file.startsWith("<") ? "1 html-page error" : "1 not-robots-txt error",
		],
	})),
	{
		what: "words of an error among fields",
		file: `Forbidden\n${head}Disallow: /404\n`,
		finds: ["1 missing-colon"],
	},
	{
		what: "a comment about an error",
		file: "# 404 not found\n",
		finds: [],
	},
	{
		what: "two byte order marks",
		file: latin1(`\ufeff\ufeff${head}Disallow: /a\n`),
		finds: [
			"1 invisible-character",
			"1 byte-order-mark error",
			"2 rule-outside-group",
		],
	},
	{
		what: "more rules than Yandex's checker admits, and longer ones",
		file: `${head}Disallow: /${"a".repeat(1024)}\nDisallow: /b${"a".repeat(1023)}\nDisallow: /${"a".repeat(1022)}c\n`,
		finds: ["2 yandex-limit info"],
	},
	{
		what: "in its dialect these are warnings",
		dialect: "yandex",
		file: `${head}${Array.from({ length: 2049 }, (_, i) => `Disallow: /${i}x\n`).join("")}`,
		finds: ["1 near-size-limit info", "2050 yandex-limit warning"],
	},
	{
		what: "the beginning of an escape, where some escapes that begin so are decoded",
		file: `${head}${["/*%", "/a%2*x", "/*=http%", "/b%4", "/c%E", "/%*d%3", "/%2C*", "/e%$"].map((pattern) => `Disallow: ${pattern}\n`).join("")}`,
		finds: ["2", "3", "4", "5", "7"].map(
			(line) => `${line} half-escape warning`,
		),
	},
	{
		what: "the beginning of an escape, as Google compares URLs",
		file: `${head}Disallow: /*%\nDisallow: /a%2*x\n`,
		dialect: "google",
		finds: [],
	},
	{
		what: "words that are no paths",
		file: "User-agent: all\nDisallow: none\nUser-agent: Google\nUser-agent: ChatGPT\nDisallow: all\nAllow: ./a\n",
		finds: [
			"1 misspelled-agent error",
			"2 pattern-without-slash error",
			"3 misspelled-agent error",
			"4 misspelled-agent error",
			"5 pattern-without-slash error",
			"6 unmatchable-pattern warning",
		],
	},
	{
		what: "names with spaces in place of their hyphens; others are crawlers of their own",
		file: "User-agent: Googlebot News\nUser-agent: Googlebot Images\nUser-agent: Screaming Frog SEO Spider\nUser-agent: Teleport Pro\nDisallow: /a\n",
		finds: [
			"1 misspelled-agent error",
			"2 misspelled-agent error",
			"2 repeated-agent info",
			"3 invalid-agent info",
			"4 invalid-agent info",
		],
	},
	{
		what: "sitemaps that the file itself disallows",
		file: `${head}Disallow: /s/\nUser-agent: a\nDisallow: /\nUser-agent: b\nDisallow: /t/\nSitemap: https://e.com/s/x\nSitemap: https://e.com/t/x\nSitemap: https://e.com/u\n`,
		finds: [
			"5 looser-group info",
			"7 disallowed-sitemap warning",
			"8 disallowed-sitemap info",
		],
	},
	{
		what: "a directory without its slash, where the file shows that it is one",
		file: `${head}Disallow: /a\nAllow: /a/b\nDisallow: /c\nAllow: /c/d\nAllow: /cd\nDisallow: /e\n`,
		finds: ["2 directory-without-slash info"],
	},
	{
		what: "blank lines are Yandex's",
		file: `${head}\nDisallow: /a\n\n \nDisallow: /b\n# c\nUser-agent: a\nDisallow: /\n\nUser-agent: b\nUser-agent: c\n#\nDisallow: /\n\nSitemap: https://e.com/\n\n`,
		dialect: "yandex",
		finds: ["2 blank-line info", "4 blank-line info", "8 blank-line info"],
	},
	{
		what: "but for other dialects",
		file: `${head}\nDisallow: /a\n`,
		finds: [],
	},
	{
		what: "a document of a word processor: RTF",
		file: "{\\rtf1\\ansi\nUser-agent: *\\\nDisallow: /a\\\n}",
		finds: ["1 not-robots-txt error"],
	},
	{
		what: "a document of a word processor: .doc",
		file: "\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1\0\0",
		finds: ["1 not-robots-txt error"],
	},
	{
		what: "an agent that only Google reads",
		file: "User-agent: *\nDisallow: /a\nUseragent: b\nDisallow: /c\n",
		finds: ["3 misspelled-field error"],
	},
	{
		what: "digits in an agent's name are no difference",
		file: "User-agent: MJ12bot\nDisallow: /a\n",
		finds: [],
	},
];

const summary = ({ line, code }: Finding) => `${line} ${code}`;

describe("What a file's findings are", () => {
	test.each(rows)("$what", ({ file, finds, dialect = "rfc9309" }) => {
		const found = lint(bytes(file), { dialect });
		expect(found.map(summary)).toEqual(
			finds.map((text) => text.split(" ").slice(0, 2).join(" ")),
		);
		for (const [i, text] of finds.entries()) {
			const [, , severity] = text.split(" ");
			if (severity) expect(found[i]?.severity, text).toBe(severity);
		}
		for (const { message, code, page } of found) {
			expect(message).toMatch(/[.?]$/);
			expect(page).toBe(`docs/lint/${code}.md`);
		}
	});
});

// Either took minutes when every group was compared with every other: the time limit of all tests is the check.
test.each([
	["groups of one crawler", (i: number) => `User-agent: a\nDisallow: /p${i}\n`],
	[
		"groups of one crawler, half of them for Google alone",
		(i: number) =>
			`User-agent: a\nDisallow: /p${i}\nUser agent: a\nAllow: q${i}*\n`,
	],
])("40,000 %s", (_, group) => {
	const file = Array.from({ length: 40_000 }, (_, i) => group(i)).join("");
	const found = lint(file, { maxBytes: 1e7 });
	expect(found.some(({ code }) => code === "repeated-agent")).toBe(true);
});

test("messages name what they are about, cut where it is long", () => {
	const long = "x".repeat(500);
	const found = lint(
		`${head}Disallow: /${long}$$\nDisallow: ${long}://${long}\n`,
	);
	expect(found.map(summary)).toEqual(["2 inner-dollar", "3 absolute-url"]);
	for (const { message } of found) expect(message.length).toBeLessThan(200);
});

test("where Google's crawlers stop and its library goes on, lint says so and reads on", () => {
	const head = `User-agent: *\nDisallow: /a\n${"#\n".repeat(256_000)}`;
	const file = `${head}Disallow: /b\nDisalow: /c\n`;
	const found = lint(file, { dialect: "google" });
	expect(found.map(({ code, line }) => [code, line])).toEqual([
		["file-truncated", 255_990],
		["misspelled-field", 256_004],
	]);
	expect(found[0]?.message).toMatch(/Google reads 512000 of them.*library/);
	// The line is the first one that does not end within the limit.
	const lines = file.slice(0, 512_001).split("\n").length;
	expect(found[0]?.line).toBe(lines);
	const told = { dialect: "google", maxBytes: 512_000 } as const;
	expect(lint(file, told).map(({ code }) => code)).toEqual(["file-truncated"]);
	const all = { dialect: "google", maxBytes: 1e7 } as const;
	expect(lint(file, all).map(({ code }) => code)).not.toContain(
		"file-truncated",
	);
});

test("a name that every line of a large file repeats takes no longer for each", () => {
	// In proportion to the square of the lines this would take ten minutes.
	const count = 100_000;
	const findings = lint(`${"User-agent: a\n".repeat(count)}Disallow: /a\n`, {
		maxBytes: 2_000_000,
	});
	const repeated = findings.filter(({ code }) => code === "repeated-agent");
	expect(repeated.length).toBe(count - 1);
});

test("the size limit is 500 KiB in every dialect, and told before it is reached", () => {
	const codes = (length: number, dialect: Dialect) =>
		lint("#x\n".repeat(length).slice(0, length), { dialect }).map(
			({ code }) => code,
		);
	const limit = 500 * 1024;
	for (const dialect of dialects) {
		const is2013 = dialect === "yandex" ? ["near-size-limit"] : [];
		expect(codes(32 * 1024, dialect)).toEqual([]);
		expect(codes(32 * 1024 + 1, dialect)).toEqual(is2013);
		expect(codes(limit * 0.9, dialect)).toEqual(is2013);
		expect(codes(limit, dialect)).toEqual(["near-size-limit"]);
		const over = dialect === "yandex" ? "file-too-large" : "file-truncated";
		expect(codes(limit + 1, dialect)).toEqual([over]);
	}
});

test.each([
	[{ dialect: "bing" }, /dialect is one of .*, not "bing"/],
	[{ maxBytes: -1 }, /maxBytes is a number of bytes from 0 on, not -1/],
	[{ maxBytes: "1" }, /maxBytes is a number of bytes from 0 on, not "1"/],
])("options %j are refused", (options, message) => {
	const call = () => lint("", options as never);
	expect(call).toThrow(RobotrieError);
	expect(call).toThrow(message);
});

test.each([
	["Robots.txt", 1],
	["/srv/www/robot.txt", 1],
	["C:\\www\\ROBOTS.TXT", 1],
	["robots.txt.txt", 1],
	["https://example.com/pages/robots.txt", 1],
	["https://example.com/Robots.txt?x", 1],
	["robots.txt", 0],
	["/srv/www/robots.txt", 0],
	["shop-robots.txt", 0],
	["https://example.com/robots.txt", 0],
	["-", 0],
])("the name of %s", (location, count) => {
	const found = lint(`${head}Disallow: /a\n`, { location });
	expect(found.map(({ code }) => code)).toEqual(
		Array(count).fill("misnamed-file"),
	);
});

test("of a file's URL, sitemaps of its own site are judged", () => {
	const file = `${head}Disallow: /s\nSitemap: https://e.com/s\n`;
	const codes = (location: string) =>
		lint(file, { location }).map(({ message }) => message);
	expect(codes("https://e.com/robots.txt")).toEqual([
		"Sitemap: https://e.com/s may not be fetched by crawlers without a group of their own: Disallow: /s (line 2) disallows it.",
	]);
	expect(codes("https://www.e.com/robots.txt")).toEqual([]);
});

test.each([
	["a site that is closed", `${head}Disallow: /\n`, ["site-closed", 2]],
	["a home page that is closed", `${head}Disallow: /$\nDisallow: /p\n`, [3]],
	["a search engine", "User-agent: bingbot\nDisallow: /\n", ["site-closed", 2]],
	["others that are meant to stay away", "User-agent: x\nDisallow: /\n", []],
	[
		"all but the search engines that are let in",
		`${head}Disallow: /\nUser-agent: Googlebot\nDisallow:\n`,
		["site-closed"],
	],
])("pages of sitemaps and with noindex: %s", (_, file, expected) => {
	const urls = ["https://e.com/p"];
	for (const [option, code] of [
		["sitemapUrls", "disallowed-page"],
		["noindexUrls", "unseen-noindex"],
	] as const) {
		const found = lint(file, { [option]: urls });
		expect(
			found.map((one) => (one.code === code ? one.line : one.code)),
		).toEqual(expected);
	}
});

test.each([
	[
		"User-agent:\nDisallow: /a\n",
		"No crawler obeys this group: the user-agent line without a value names none; write User-agent: * for all.",
	],
	[
		"User-agent: 008\nDisallow: /a\n",
		"No crawler obeys this group: User-agent: 008 names none, as Google's library reads no digits in names.",
	],
	[
		"Useragent: a\nDisallow: /a\n",
		"Useragent is read as user-agent here; rfc9309 and yandex ignore the line: write User-agent.",
	],
])("%j says, in google", (file, message) => {
	const found = lint(file, { dialect: "google" });
	expect(found.map((finding) => finding.message)).toContain(message);
});

test("on a site of https, a sitemap of http is told, and the site's own host is no placeholder", () => {
	const file = `Sitemap: http://www.example.com/a\nSitemap: http://b.fr/a\nSitemap: https://www.example.com/b\n`;
	const location = "https://www.example.com/robots.txt";
	expect(lint(file, { location }).map(summary)).toEqual(["1 doubtful-sitemap"]);
});

test("many sitemaps that one rule disallows are one finding", () => {
	const sitemaps = Array.from(
		{ length: 240 },
		(_, i) => `Sitemap: https://e.com/s/${i}.xml\n`,
	);
	const found = lint(
		`${head}Disallow: /s/\nDisallow: /t\n${sitemaps.join("")}Sitemap: https://e.com/t\n`,
	);
	expect(found.map(summary)).toEqual([
		"4 disallowed-sitemap",
		"244 disallowed-sitemap",
	]);
	expect(found[0]?.message).toMatch(/0\.xml and 239 others may not be fetched/);
});

test("what is no source is refused", () => {
	expect(() => lint(7 as never)).toThrow(
		/source is a Uint8Array or a string, not 7/,
	);
});

test("what is said to match no URL matches none that the URL parser makes", () => {
	const unit = fc.constantFrom(
		"/",
		"a",
		".",
		"..",
		" ",
		"{",
		"\\",
		"?",
		"<",
		"^",
		"%",
		"2e",
	);
	const text = fc.array(unit, { maxLength: 4 }).map((all) => all.join(""));
	const pattern = fc.array(fc.oneof(unit, unit, fc.constant("*")), {
		maxLength: 6,
	});
	let found = 0;
	fc.assert(
		fc.property(
			pattern.map((all) => `/${all.join("")}`),
			fc.boolean(),
			fc.array(fc.tuple(text, text), { minLength: 30, maxLength: 30 }),
			fc.constantFrom(...dialects),
			(start, anchored, choices, dialect) => {
				const file = `${head}Disallow: ${start}${anchored ? "$" : ""}\n`;
				const finding = lint(file, { dialect }).find(
					({ code }) => code === "unmatchable-pattern",
				);
				if (!finding) return;
				found++;
				const [, named] = /^In (\w+)/.exec(finding.message) ?? [];
				using robots = RobotsTxt.parse(file, {
					dialect: (named as (typeof dialects)[number]) ?? dialect,
				});
				for (const [filler, tail] of choices) {
					const path = start.replaceAll("*", () => filler);
					const { href } = new URL(`http://a${path}${anchored ? "" : tail}`);
					expect(robots.isAllowed(href, "x"), href).toBe(true);
				}
			},
		),
		runs(casesOf(1500)),
	);
	expect(found).toBeGreaterThan(isWhole ? 300 : 30);
});

/** Examples of findings that the matchers do not confirm. */
function wrongExamples(
	bytes: Uint8Array,
	findings: readonly Finding[],
): string[] {
	return findings.flatMap(({ line, example }) => {
		if (!example) return [];
		const { agent, url, allowed } = example;
		const answers = dialects.map((dialect) => {
			using robots = RobotsTxt.parse(bytes, { dialect });
			// As printed.
			return robots.isAllowed(url, agent) === allowed[dialect];
		});
		const differ = new Set(Object.values(allowed)).size === 2;
		return differ && answers.every(Boolean) ? [] : [`${line} ${url}`];
	});
}

describe("Examples are what the matchers answer", () => {
	const fields = ["User-agent", "Useragent", "Allow", "Disallow", "Dissallow"];
	const values = [
		"",
		"*",
		"a",
		"b/1",
		"/",
		"/a",
		"/a*",
		"a",
		"/*a$",
		"/index.html",
		"/a/index.htm",
		"/%7ea",
		"/~a",
		"/%c3%a9",
		"/\u00e9",
		"/robots.txt",
		"yandex",
		"x yandexbot",
		"googlebot",
		"//a",
		"/a\0b",
		"/%2F*%2fa?%2F",
	];
	const lines = fc.array(
		fc
			.tuple(
				fc.constantFrom(...fields),
				fc.constantFrom(": ", " "),
				fc.constantFrom(...values),
			)
			.map((parts) => parts.join("")),
		{ minLength: 2, maxLength: 12 },
	);

	test("for files of all kinds of lines", () => {
		let examples = 0;
		const codes = new Set<LintCode>();
		fc.assert(
			fc.property(lines, fc.constantFrom(...dialects), (all, dialect) => {
				const bytes = new TextEncoder().encode(all.join("\n"));
				const findings = lint(bytes, { dialect });
				expect(wrongExamples(bytes, findings)).toEqual([]);
				for (const { code, example } of findings) {
					codes.add(code);
					if (example) examples++;
				}
			}),
			runs(casesOf(1000)),
		);
		expect(examples).toBeGreaterThan(isWhole ? 200 : 20);
		expect(codes.size).toBeGreaterThan(12);
	});

	test.skipIf(!existsSync(corpus))("for real sites", () => {
		const sites = realFiles();
		let quiet = 0;
		for (const { bytes } of sites) {
			const findings = lint(bytes);
			if (findings.every(({ severity }) => severity === "info")) quiet++;
			const examples = findings.filter(({ example }) => example).slice(0, 20);
			expect(wrongExamples(bytes, examples)).toEqual([]);
		}
		// Most sites do nothing wrong, and are told so.
		expect(quiet / sites.length).toBeGreaterThan(0.73);
	});
});
