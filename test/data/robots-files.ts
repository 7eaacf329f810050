import { readFileSync } from "node:fs";
import { gunzipSync } from "node:zlib";
import fc from "fast-check";
import { isWhole } from "../cases.ts";

const values = [
	"",
	"*",
	"a",
	"b/1",
	"A",
	"/",
	"/a",
	"/a*",
	"/a/b",
	"/*a$",
	"a/b",
	"/index.html",
	"/a/index.htm",
	"/%7ea",
	"/~a",
	"/%c3%a9",
	"/é",
	"/é*",
	"/robots.txt",
	"https://e.com/a",
	"Googlebot",
	"Googlebot-News",
	"+a",
	"yandex",
	"x yandexbot",
	"Yahoo! Slurp",
	"googlebt",
	"//a",
	"/a\0b",
	"/#a",
	"/a#b",
	"/?x=1",
	"/js/",
	"/*.css",
	"/static/",
	"700",
	"40",
	"Googlebot, bingbot",
	"a, b",
	"https://https://e.com/a",
	"//e.com/s.xml",
	"http://localhost/s",
	"sid ref",
	"/*.[jJ]s",
	"/{a,b}",
	"/^a$/",
	"/a b",
	"/a/../b",
	"search=yes, ai=no",
	"use=full",
	"train-ai=n",
	"1",
	"1/5",
	"0600-0845",
	"e.com",
	"sid,ref",
	"/a$b",
	"/a Disallow: /b",
	"é",
	"\u00a0/a",
	"/a // x",
	"/a\ufeff",
	"# c",
	"/a # c",
	"*a",
	"* x",
	"$",
	"**",
];
const fields = [
	"User-agent",
	"User-agent",
	"User-agent",
	"Allow",
	"Disallow",
	"Allow",
	"Disallow",
	"Useragent",
	"Dissallow",
	"Allows",
	"Sitemap",
	"Crawl-delay",
	"Host",
	"Clean-param",
	"Content-Signal",
	"License",
	"Content-Signals",
	"Content-Usage",
	"Request-rate",
	"Visit-time",
	"Noindex",
	"DisallowAITraining",
	"AllowAITraining",
	"https",
	"Foo",
	"",
	"\ufeffAllow",
	"\u0410llow",
];
const line = fc
	.tuple(
		fc.constantFrom(...fields),
		fc.constantFrom(": ", ":", ": ", " : ", " "),
		fc.constantFrom(...values),
	)
	.map((parts) => parts.join(""));
/** Files of lines that people write, rightly and wrongly. */
export const robotsFile = fc
	.tuple(
		fc.constantFrom("", "", "", "\ufeff", "<p>\n", "{}", "\ufeff\ufeff"),
		fc.array(line, { minLength: 1, maxLength: 14 }),
		fc.constantFrom("\n", "\r\n", "\r"),
	)
	.map(([start, lines, end]) => start + lines.join(end));

/** Values of lines that are slips all over. */
export const slips = fc.array(
	fc.constantFrom(
		"/a",
		" ",
		", ",
		'"',
		"\u201c",
		"\u2019",
		".*",
		"\\.",
		"(a|b)",
		"[0-9]",
		"&amp;",
		"%",
		"%2",
		"\\",
		"./",
		"../",
		"<",
		"?",
		"'",
		"*",
		"$",
		"none",
		"all",
		"\u00e9",
		"\u200b",
		"http://e.com/x",
		";",
	),
	{ minLength: 1, maxLength: 5 },
);

/** Robots.txt files of 1,225 real sites; not in this repository. */
export const corpus = new URL(
	"../../../shared/corpus/hosts.jsonl.gz",
	import.meta.url,
);

/** Every tenth of them, which a change waits for; at full length all. */
export function realFiles(): { host: string; bytes: Uint8Array }[] {
	const lines = gunzipSync(readFileSync(corpus)).toString().trimEnd();
	return lines
		.split("\n")
		.filter((_, i) => isWhole || i % 10 === 0)
		.map((line) => {
			const { host, robots_b64 } = JSON.parse(line) as {
				host: string;
				robots_b64: string;
			};
			return { host, bytes: Buffer.from(robots_b64, "base64") };
		});
}
