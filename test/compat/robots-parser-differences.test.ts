import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { robotsParser as theirParser } from "../../bench/peer.ts";
import ourParser from "../../src/robots-parser.ts";
import { isWhole } from "../cases.ts";
import { runs } from "../differential.ts";
import { root } from "../installed.ts";
import {
	type Answer,
	explain,
	type Kind,
	kinds,
	type Question,
} from "./robots-parser-model.ts";

const site = "http://example.com";

type Parser = typeof theirParser;

function answersOf(parser: Parser, text: string) {
	const robots = parser(`${site}/robots.txt`, text);
	return (path: string, agent: string): Answer => ({
		allowed: robots.isAllowed(site + path, agent) as boolean,
		line: robots.getMatchingLineNumber(site + path, agent),
	});
}

/** How many answers differ, how many of them in the verdict, by the kinds that explain each. */
class Differences {
	asked = 0;
	verdicts = 0;
	readonly found = new Map<string, number>();

	ask(text: string, paths: readonly string[], agents: readonly string[]): void {
		const theirs = answersOf(theirParser, text);
		const ours = answersOf(ourParser, text);
		for (const agent of agents)
			for (const path of paths) {
				this.asked++;
				const [a, b] = [theirs(path, agent), ours(path, agent)];
				if (a.allowed === b.allowed && a.line === b.line) continue;
				this.verdicts += Number(a.allowed !== b.allowed);
				const key = explain({ text, path, agent }, a, b).join(" + ");
				this.found.set(key, (this.found.get(key) ?? 0) + 1);
			}
	}
}

describe("Each kind of difference has an example", () => {
	const star = (...rules: readonly string[]) =>
		["User-agent: *", ...rules].join("\n");
	const examples: Readonly<Record<Kind, Question>> = {
		otherLines: {
			text: "User-agent: x\nSitemap: http://a.test/\nUser-agent: y\nDisallow: /a",
			path: "/a",
			agent: "x",
		},
		emptyGroup: {
			text: `${star("Disallow: /a")}\nUser-agent: x\n`,
			path: "/a",
			agent: "x",
		},
		token: {
			text: "User-agent: x and others\nDisallow: /a",
			path: "/a",
			agent: "x",
		},
		identity: {
			text: "User-agent: x\nDisallow: /a",
			path: "/a",
			agent: "Mozilla/5.0 (compatible; x/1.0; +http://a.test)",
		},
		slash: { text: star("Disallow: a"), path: "/a", agent: "x" },
		escapes: { text: star("Disallow: /%61"), path: "/a", agent: "x" },
		written: { text: star("Disallow: /a?"), path: "/a?", agent: "x" },
		star: {
			text: star("Disallow: /ab", "Allow: /a**"),
			path: "/ab",
			agent: "x",
		},
		robotsTxt: { text: star("Disallow: /"), path: "/robots.txt", agent: "x" },
	};
	test.each(Object.keys(kinds) as Kind[])("%s", (kind) => {
		const question = examples[kind];
		const { text, path, agent } = question;
		const theirs = answersOf(theirParser, text)(path, agent);
		const ours = answersOf(ourParser, text)(path, agent);
		expect(ours.allowed).not.toBe(theirs.allowed);
		expect(explain(question, theirs, ours)).toEqual([kind]);
	});
});

describe("Every difference is of these kinds", () => {
	const concat = (pieces: readonly string[], maxLength: number) =>
		fc
			.array(fc.constantFrom(...pieces), { maxLength })
			.map((chosen) => chosen.join(""));
	const path = concat(
		[..."ab/?*$:@{.~", "%61", "%2F", "%2f", "%7B", "\u00e9", "%C3%A9", "%3A"],
		6,
	).map((text) => `/${text}`);
	const pattern = fc
		.tuple(
			fc.constantFrom("/", "/", "/", "*", ""),
			concat(
				[..."ab/?*$:@{.~", "%61", "%2F", "%7b", "\u00e9", "%c3%a9", "%3A"],
				5,
			),
		)
		.map((parts) => parts.join(""));
	const agentLine = fc.constantFrom(
		..."*xy",
		"X/2.0",
		"x bot",
		"* all",
		"Googlebot",
		"Googlebot-News",
		"AdsBot-Google",
		"",
	);
	const line = fc.oneof(
		{ weight: 3, arbitrary: agentLine.map((name) => `User-agent: ${name}`) },
		{ weight: 6, arbitrary: pattern.map((text) => `Disallow: ${text}`) },
		{ weight: 3, arbitrary: pattern.map((text) => `Allow: ${text} # why`) },
		fc.constantFrom(
			"",
			"# nothing",
			"no colon",
			": no name",
			"Crawl-delay: 2",
			"Sitemap: http://a.test/",
			"Disallow: /robots.txt",
		),
	);
	const file = fc.tuple(
		fc.constantFrom("", "\ufeff"),
		fc.array(line, { maxLength: 12 }),
		fc.constantFrom("\n", "\r\n", "\r"),
	);
	const agents = [
		..."*x",
		"x/1.0",
		"Mozilla/5.0 (compatible; x/1.0; +http://a.test)",
		"Googlebot-News",
		"AdsBot-Google",
	];

	test("in generated files", () => {
		const differences = new Differences();
		fc.assert(
			fc.property(
				file,
				fc.array(path, { minLength: 1, maxLength: 4 }),
				([mark, lines, end], paths) => {
					const text = mark + lines.join(end);
					differences.ask(text, [...paths, "/robots.txt", "/a"], agents);
				},
			),
			runs(3000),
		);
		const alone = [...differences.found.keys()].filter(
			(key) => !key.includes("+"),
		);
		expect(alone.sort()).toEqual(Object.keys(kinds).sort());
	});

	const corpus = join(root, "../shared/corpus");
	test.skipIf(!existsSync(corpus))("in files of real sites", () => {
		const differences = new Differences();
		const records = (file: string) =>
			gunzipSync(readFileSync(join(corpus, file)))
				.toString()
				.trimEnd()
				.split("\n")
				.map((line) => JSON.parse(line));
		const texts = new Map<string, string>();
		const hosts = records("hosts.jsonl.gz");
		for (const [i, { host, robots_b64, urls }] of hosts.entries()) {
			if (!isWhole && i % 10 > 0) continue;
			const text = Buffer.from(robots_b64, "base64").toString();
			texts.set(host, text);
			differences.ask(text, urls.map(pathOf), ["Googlebot"]);
		}
		for (const { host, urls } of records("derived.jsonl.gz")) {
			const text = texts.get(host);
			if (text === undefined) continue;
			differences.ask(text, urls.map(pathOf), ["Googlebot", "ExampleBot"]);
		}
		expect(Object.keys(kinds)).toEqual(
			expect.arrayContaining([...differences.found.keys()]),
		);
		if (!isWhole) return;
		// The figures of docs/migrating.md.
		expect(differences).toMatchObject({ asked: 182_351, verdicts: 397 });
		expect(Object.fromEntries(differences.found)).toEqual({
			emptyGroup: 17,
			otherLines: 62,
			slash: 164,
			star: 86,
			written: 277,
		});
	});
});

const pathOf = (url: string) => url.replace(/^\w+:\/\/[^/?#]*/, "") || "/";
