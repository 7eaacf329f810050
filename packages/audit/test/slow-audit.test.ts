import { existsSync, readFileSync } from "node:fs";
import { gunzipSync } from "node:zlib";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { casesOf } from "../../../test/cases.ts";
import { counts } from "../../../tools/audit-logs.mjs";
import { LogAudit } from "../src/index.ts";
import { slowAudit } from "./slow-audit.ts";

const root = new URL("../../../", import.meta.url);
const corpus = new URL("../shared/corpus/", root);
const read = (name: string) =>
	gunzipSync(readFileSync(new URL(name, corpus))).toString();

interface Version {
	readonly file: string;
	readonly text: string;
	readonly since?: number | undefined;
}

/** Compares all numbers of an audit with those of the slow one. */
async function compare(log: string, versions: readonly Version[]) {
	const expected = slowAudit(log, versions);
	const audit = new LogAudit({
		robots: versions.map(({ file, text, since }) => ({
			file,
			bytes: Buffer.from(text),
			since,
		})),
		format: "combined",
		// Which the slow audit reads in.
		dialect: "rfc9309",
	});
	await audit.add("access.log", [Buffer.from(log)]);
	const { crawlers, ...report } = audit.report();
	const { crawlers: slow, ...totals } = expected;
	expect(report).toMatchObject({ ...totals, logs: ["access.log"] });
	expect(crawlers.map(({ name }) => name).sort()).toEqual(
		[...slow.keys()].sort(),
	);
	for (const crawler of crawlers)
		expect(crawler).toMatchObject(slow.get(crawler.name) ?? {});
	return crawlers;
}

const isAbsent = !existsSync(new URL("access-combined.log.gz", corpus));
if (isAbsent)
	console.warn("skipped: real logs and robots.txt files are not in ../shared");

describe.skipIf(isAbsent)(
	"All numbers of 10,000 real lines are those of a slow audit",
	() => {
		const log = isAbsent ? "" : read("access-combined.log.gz");
		/** Those that disallow most kinds of paths, as most files of the corpus disallow none of these. */
		const files = isAbsent
			? []
			: read("hosts.jsonl.gz")
					.trimEnd()
					.split("\n")
					.map((line) => {
						const { host, robots_b64 } = JSON.parse(line) as {
							host: string;
							robots_b64: string;
						};
						return { host, text: Buffer.from(robots_b64, "base64").toString() };
					})
					.filter(
						({ text }) =>
							/disallow:\s*\/(\s|files|blog|images|\*|$)/im.test(text) &&
							Buffer.from(text).toString() === text &&
							text.length < 20_000,
					)
					.slice(0, 20);
		test("20 real robots.txt files are there", () =>
			expect(files.length).toBe(20));

		test.each(files)("by the robots.txt of $host", async ({ host, text }) => {
			await compare(log, [{ file: host, text }]);
		});

		test("by 20 robots.txt files, one after the other", async () => {
			const start = Date.UTC(2015, 4, 17, 12);
			const crawlers = await compare(
				log,
				files.map(({ host, text }, at) => ({
					file: host,
					text,
					since: start + at * 4 * 3_600_000,
				})),
			);
			expect(
				crawlers.some(({ versions }) =>
					versions.some(
						({ disallowedAfterRobotsTxt }) => disallowedAfterRobotsTxt > 0,
					),
				),
			).toBe(true);
		});
	},
);

const months = "Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec".split(" ");

test("All numbers of generated logs are those of a slow audit", async () => {
	const request = fc.record({
		header: fc.constantFrom(
			"GPTBot/1.0",
			"Mozilla/5.0 (compatible; Googlebot/2.1)",
			"Googlebot-Image/1.0",
			"AdsBot-Google (+http://www.google.com/adsbot.html)",
			"Mozilla/5.0 (compatible; ChatGPT-User/1.0)",
			"NeverSeenBot/1.0",
			"Mozilla/5.0 (X11; Linux x86_64; rv:1) Gecko/1 Firefox/1.0",
			"-",
		),
		target: fc.constantFrom(
			"/",
			"/a",
			"/a/b?c=d",
			"/a/b?e",
			"/a/\\x22",
			"/\\ta/b\\n\\b\\v\\rc",
			"/b/c/d",
			"http://example.com/a/b",
			"/robots.txt",
			"/robots.txt?x",
			"*",
		),
		status: fc.constantFrom(200, 301, 403, 404, 429, 451, 503),
		bytes: fc.constantFrom("-", "0", "5", "123456"),
		/** Seconds after the line before. */
		pause: fc.constantFrom(0, 0, 1, 1, 2, 61, 3600, 86_340, 86_400, 86_460, -1),
		/** So often, a second apart, as bursts are. */
		times: fc.constantFrom(1, 1, 1, 1, 1, 9, 10),
	});
	const line = fc.constantFrom(
		"Disallow: /",
		"Disallow: /a",
		"Allow: /a/b",
		"Disallow: /*?",
		"Crawl-delay: 2",
		"Disallow:",
	);
	const agent = fc.constantFrom(
		"*",
		"GPTBot",
		"Googlebot",
		"AdsBot-Google",
		"ChatGPT-User",
	);
	const robots = fc
		.array(fc.tuple(agent, fc.array(line, { maxLength: 3 })), { maxLength: 3 })
		.map((groups) =>
			groups
				.map(([name, rules]) => `User-agent: ${name}\n${rules.join("\n")}\n`)
				.join("\n"),
		);
	await fc.assert(
		fc.asyncProperty(
			fc.array(request, { minLength: 1, maxLength: 30 }),
			fc.array(robots, { minLength: 1, maxLength: 3 }),
			async (requests, texts) => {
				let time = Date.UTC(2026, 0, 1);
				const log = requests
					.flatMap(({ times, pause, ...request }) =>
						Array.from({ length: times }, (_, at) => ({
							...request,
							pause: at === 0 ? pause : 1,
						})),
					)
					.map(({ header, target, status, bytes, pause }) => {
						time += pause * 1000;
						const date = new Date(time);
						const day = `${String(date.getUTCDate()).padStart(2, "0")}/${months[date.getUTCMonth()]}/${date.getUTCFullYear()}`;
						return `192.0.2.1 - - [${day}:${date.toISOString().slice(11, 19)} +0000] "GET ${target} HTTP/1.1" ${status} ${bytes} "-" "${header}"\n`;
					})
					.join("");
				await compare(
					log,
					texts.map((text, at) => ({
						file: `${at}.txt`,
						text,
						since: at === 0 ? undefined : Date.UTC(2026, 0, 1) + at * 7_200_000,
					})),
				);
			},
		),
		{ numRuns: casesOf(100), seed: 9309 },
	);
});

test.each([
	["sample", new URL("sample/access.log", root)],
	["real", new URL("access-combined.log.gz", corpus)],
] as const)(
	"npm run bench:audit knows what the %s lines come to",
	(kind, file) => {
		if (!existsSync(file)) return;
		const bytes = readFileSync(file);
		const log = (kind === "real" ? gunzipSync(bytes) : bytes).toString();
		const text = readFileSync(new URL("sample/robots.txt", root), "utf8");
		const { lines, judged, crawlers } = slowAudit(log, [
			{ file: "robots.txt", text },
		]);
		const disallowed = [...crawlers.values()].reduce(
			(sum, one) => sum + Number(one.disallowed),
			0,
		);
		expect({ lines, requests: judged, disallowed }).toEqual(counts[kind]);
	},
);
