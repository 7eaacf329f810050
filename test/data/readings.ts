import type { Dialect } from "../../src/index.ts";

/** A file, its bytes as Latin-1, and what is read of it: "line agents", "line   rule", "line field: value". */
export interface Reading
	extends Partial<Readonly<Record<Dialect, readonly string[]>>> {
	readonly what: string;
	readonly file: string;
	readonly maxBytes?: number;
	/** What the dialects read that have no reading of their own. */
	readonly all?: readonly string[];
}

const MAX_LINE = 16_663;
const long = "x".repeat(MAX_LINE);
const plain = ["1 *", "2   disallow /a"];
const nothing: readonly string[] = [];

export const readings: readonly Reading[] = [
	{ what: "nothing", file: "", all: nothing },
	{ what: "LF", file: "User-agent: *\nDisallow: /a\n", all: plain },
	{ what: "CR", file: "User-agent: *\rDisallow: /a\r", all: plain },
	{ what: "CRLF", file: "User-agent: *\r\nDisallow: /a\r\n", all: plain },
	{
		what: "all line ends, each counting once",
		file: "\n\r\r\n\n\rUser-agent: *\r\n\rDisallow: /a\n\nAllow: /b",
		all: ["6 *", "8   disallow /a", "10   allow /b"],
	},
	{
		what: "LF CR is two line ends",
		file: "User-agent: *\n\rDisallow: /a",
		all: ["1 *", "3   disallow /a"],
	},
	{ what: "no last line end", file: "User-agent: *\nDisallow: /a", all: plain },
	{ what: "BOM", file: "\xef\xbb\xbfUser-agent: *\nDisallow: /a", all: plain },
	{
		what: "half a BOM",
		file: "\xef\xbbUser-agent: *\nDisallow: /a",
		google: plain,
		all: ["1 \ufffduser-agent: *"],
	},
	{
		what: "a third of a BOM",
		file: "\xefUser-agent: *\nDisallow: /a",
		google: plain,
		all: ["1 \ufffduser-agent: *"],
	},
	{
		what: "two BOMs",
		file: "\xef\xbb\xbf\xef\xbb\xbfUser-agent: *\nDisallow: /a",
		all: ["1 \ufeffuser-agent: *"],
	},
	{
		what: "a BOM in a value",
		file: "User-agent: \xef\xbb\xbfa\nDisallow: \xef\xbb\xbf/a",
		all: ["1 \ufeffa", "2   disallow \ufeff/a"],
	},
	{ what: "only a BOM", file: "\xef\xbb\xbf", all: nothing },
	{
		what: "NUL",
		file: "User-agent: *\nDisallow: /a\0b\nAllow: /c",
		google: ["1 *", "2   disallow /a", "3   allow /c"],
		all: ["1 *", "2   disallow /a\0b", "3   allow /c"],
	},
	{
		what: "NUL in a comment",
		file: "User-agent: *\nDisallow: /a#\0b",
		all: plain,
	},
	{
		what: "invalid UTF-8",
		file: "User-agent: *\nDisallow: /\xff\xe9\nAllow: /\xc3\xa9",
		all: ["1 *", "2   disallow /\ufffd\ufffd", "3   allow /\u00e9"],
	},
	{
		what: "white space",
		file: " \t User-agent \t:\t * \nDisallow:/a\n\v\fAllow\v: /b\f",
		all: ["1 *", "2   disallow /a", "3   allow /b"],
	},
	{
		what: "comments",
		file: "# a\nUser-agent: *#b\nDisallow: /a # c: d\nAllow#: /b\n#",
		all: ["2 *", "3   disallow /a"],
	},
	{
		what: "white space within a value",
		file: "User-agent: *\nDisallow: /a b",
		all: ["1 *", "2   disallow /a b"],
	},
	{
		what: "more colons",
		file: "User-agent: *\nDisallow: /a:b\nSitemap: https://e.com/s",
		all: ["1 *", "2   disallow /a:b", "3 sitemap: https://e.com/s"],
	},
	{
		what: "a colon in front",
		file: ": x\nUser-agent: *\n  : /b\nDisallow: /a",
		all: ["2 *", "4   disallow /a"],
	},
	{
		what: "a missing colon",
		file: "User-agent *\nDisallow /a\nDisallow  /b c\nDisallow\nAllow\t/d",
		google: ["1 *", "2   disallow /a", "5   allow /d"],
		all: nothing,
	},
	{
		what: "a colon behind the comment sign",
		file: "User-agent: *\nDisallow /a # b: c",
		google: plain,
		all: ["1 *"],
	},
	{
		what: "misspelled fields",
		file: "useragent: *\nuser agent: a\ndissallow: /1\ndissalow: /2\ndisalow: /3\ndiasllow: /4\ndisallaw: /5\nsite-map: s\nalow: /6",
		google: [
			"1 *, a",
			...[1, 2, 3, 4, 5].map((n) => `${n + 2}   disallow /${n}`),
			"8 sitemap: s",
			"9 alow: /6",
		],
		all: [
			"1 useragent: *",
			"2 user agent: a",
			"3 dissallow: /1",
			"4 dissalow: /2",
			"5 disalow: /3",
			"6 diasllow: /4",
			"7 disallaw: /5",
			"8 site-map: s",
			"9 alow: /6",
		],
	},
	{
		what: "fields with more behind them",
		file: "User-agents: *\nDisallowed: /a\nAllow-all: /b\nSitemaps: s",
		google: ["1 *", "2   disallow /a", "3   allow /b", "4 sitemap: s"],
		all: [
			"1 user-agents: *",
			"2 disallowed: /a",
			"3 allow-all: /b",
			"4 sitemaps: s",
		],
	},
	{
		what: "a line as long as the limit",
		file: `User-agent: *\nDisallow: /${"y".repeat(MAX_LINE - 11)}`,
		all: ["1 *", `2   disallow /${"y".repeat(MAX_LINE - 11)}`],
	},
	{
		what: "a longer line",
		file: `User-agent: *\nDisallow: /${long}`,
		google: ["1 *", `2   disallow /${"x".repeat(MAX_LINE - 11)}`],
		all: ["1 *", `2   disallow /${long}`],
	},
	{
		what: "a colon behind the limit",
		file: `User-agent: *\n${long}: a\nDisallow: /a`,
		google: ["1 *", "3   disallow /a"],
		all: ["1 *", "3   disallow /a", `2 ${long}: a`],
	},
	{
		what: "an HTML page",
		file: "<!DOCTYPE html>\n<html><head><title>a: b</title>\n<style>a { color: red }</style>\nUser-agent: *\n<p>\nDisallow: /a\n</html>",
		google: [
			"4 *",
			"6   disallow /a",
			"1 <!doctype: html>",
			"2 <html><head><title>a: b</title>",
			"3 <style>a { color: red }</style>",
		],
		all: [
			"4 *",
			"6   disallow /a",
			"2 <html><head><title>a: b</title>",
			"3 <style>a { color: red }</style>",
		],
	},
	{
		what: "binary",
		file: "\x1f\x8b\x08\0\0\xff\n\xfe\xff:\x80\nUser-agent: *\nDisallow: /a",
		google: ["3 *", "4   disallow /a", "2 \ufffd\ufffd: \ufffd"],
		all: ["3 *", "4   disallow /a", "2 \ufffd\ufffd: \ufffd"],
	},
	{
		what: "rules in front of groups",
		file: "Disallow: /x\nSitemap: s\nUser-agent: *\nDisallow: /a",
		all: ["3 *", "4   disallow /a", "2 sitemap: s"],
	},
	{
		what: "groups",
		file: "User-agent: a\nUser-agent: b\n\nDisallow: /a\nUser-agent: c\nCrawl-delay: 2\nUser-agent: d\nAllow: /d\nDisallow:\nUser-agent: a",
		all: [
			"1 a, b",
			"4   disallow /a",
			"5 c, d",
			"8   allow /d",
			"9   disallow ",
			"10 a",
			"6 crawl-delay: 2",
		],
	},
	{
		what: "other lines, field names in lower case",
		file: "SiteMap: A\nHOST: B\nUser-agent: *\nClean-Param: c /d\nX: y\nCrawl-Delay:1",
		all: [
			"3 *",
			"1 sitemap: A",
			"2 host: B",
			"4 clean-param: c /d",
			"5 x: y",
			"6 crawl-delay: 1",
		],
	},
];
