import { existsSync, readFileSync } from "node:fs";
import { gunzipSync } from "node:zlib";
import { describe, expect, test } from "vitest";
import { dialects } from "../differential.ts";
import { agreedVerdicts, type Question } from "../fuzz/entry-points.ts";

/** Generated files are asked about in nets.test.ts, by the fuzzer's target "entry-points". */

const many = (count: number, line: (i: number) => string) =>
	Array.from({ length: count }, (_, i) => `${line(i)}\n`).join("");
const site = "https://h.example";

const hostile: readonly (readonly [
	what: string,
	question: Omit<Question, "dialect">,
])[] = [
	[
		"wildcards that nearly match",
		{
			robots: `User-agent: foo\n${many(50, (i) => `Disallow: /${"*a".repeat(60)}*b${i}`)}`,
			agent: "foo",
			urls: [
				`${site}/${"a".repeat(4000)}b7`,
				`/${"a".repeat(4000)}`,
				`${site}/b1`,
			],
		},
	],
	[
		"3,000 groups, the last of which counts",
		{
			robots: `${many(3000, (i) => `User-agent: a${i}\nDisallow: /`)}User-agent: foo\nDisallow: /b\n`,
			agent: "foo",
			urls: [`${site}/a`, `${site}/b`, "/b?a"],
		},
	],
	[
		"3,000 agents in one group",
		{
			robots: `${many(3000, (i) => `User-agent: a${i}`)}User-agent: foo\nDisallow: /b\nUser-agent: *\nDisallow: /a\n`,
			agent: "foo",
			urls: [`${site}/a`, `${site}/b`, "/b?a"],
		},
	],
	[
		"3,000 rules, and long URLs",
		{
			robots: `User-agent: *\n${many(3000, (i) => `Disallow: /${i}/*x$`)}`,
			agent: "foo",
			urls: [
				`${site}/2999/${"%61".repeat(20_000)}x`,
				`${site}/2999/${"\u00e9".repeat(20_000)}`,
				`/${"/".repeat(70_000)}`,
			],
		},
	],
	[
		"text that is no Unicode, and control characters",
		{
			robots:
				"User-agent: *\nDisallow: /\xef\xbf\xbd\nDisallow: /\x01\nDisallow: /\xff\n",
			agent: "foo",
			urls: [
				"/\ud800",
				`${site}/\ud800`,
				`${site}/\x01`,
				"/\u00ff",
				"/%FF",
				"/\0",
			],
		},
	],
	[
		"tabs and line ends inside URLs",
		{
			robots: "User-agent: *\nDisallow: /cart/\nDisallow: /*?a=:b\n",
			agent: "foo",
			urls: [
				`${site}/ca\nrt/`,
				`${site}/ca\trt/`,
				`${site}/ca\rrt/`,
				`${site}/\r\ncart/\r`,
				`ht\ttps:/\r/h.ex\tample/cart/`,
				"/ca\trt/",
				"\t/cart/",
				"\r\n/cart/",
				"/x?a=%\t3\rab",
				`${site}/x?a=%3\nAb#\t`,
				`${site}/${"x".repeat(500)}?\ta=:\tb`,
				"\t",
				"/robots\t.txt",
			],
		},
	],
	[
		"bytes without a line",
		{ robots: "\0".repeat(5000), agent: "foo", urls: ["/", site, "", " "] },
	],
];

describe.each(dialects)(
	"All entry points agree on hostile input, %s",
	(dialect) => {
		test.each(hostile)("%s", async (_, question) => {
			const verdicts = await agreedVerdicts({ ...question, dialect });
			expect(verdicts).toHaveLength(question.urls.length);
		});
	},
);

interface Host {
	readonly host: string;
	readonly robots_b64: string;
	readonly urls: readonly string[];
	readonly allowed: Readonly<Record<string, string>>;
}

/** Data beside the project, not part of it. */
const corpus = new URL(
	"../../../shared/corpus/hosts.jsonl.gz",
	import.meta.url,
);
const present = existsSync(corpus);
const title = present
	? "All entry points agree on real files"
	: "All entry points agree on real files: SKIPPED, ../shared with its corpora is missing";
const EVERY = 100;
const URLS = 40;

describe.skipIf(!present)(title, () => {
	const hosts = present
		? gunzipSync(readFileSync(corpus))
				.toString()
				.trimEnd()
				.split("\n")
				.filter((_, i) => i % EVERY === 0)
				.map((line) => JSON.parse(line) as Host)
		: [];

	test.each(dialects)("%s", async (dialect) => {
		for (const { robots_b64, urls, allowed } of hosts)
			for (const [agent, wanted] of Object.entries(allowed).slice(0, 2)) {
				const verdicts = await agreedVerdicts({
					robots: Buffer.from(robots_b64, "base64").toString("latin1"),
					agent,
					dialect,
					urls: urls.slice(0, URLS),
				});
				if (dialect === "google")
					expect(verdicts.join("")).toBe(wanted.slice(0, URLS));
			}
	});
});
