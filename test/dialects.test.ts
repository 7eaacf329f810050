import { readdirSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { accessFor } from "../src/access.ts";
import { compareCrawlers } from "../src/compare.ts";
import {
	type Dialect,
	findCrawler,
	Matcher,
	RobotsIndex,
	RobotsTxt,
} from "../src/index.ts";
import { lint } from "../src/lint.ts";
import { countedBytes } from "../src/matching/rules.ts";
import { dialectNames, dialects } from "../src/robots-txt/dialect.ts";

/** A dialect is a row of flags (src/robots-txt/dialect.ts): a copy of one under another name is read the same, and no file asks for a name. */

const originals = [...dialectNames];
const copyOf = (name: Dialect) => `${name}-copy` as Dialect;
for (const [i, name] of originals.entries()) {
	Object.assign(dialects, {
		[copyOf(name)]: { ...dialects[name], name: copyOf(name), id: 200 + i },
	});
	(dialectNames as unknown as Dialect[]).push(copyOf(name));
}

const sample = (name: string) =>
	readFileSync(new URL(`../sample/${name}`, import.meta.url), "utf8");

/** Files in which dialects differ, and what is wrong in them. */
const files: Readonly<Record<string, string>> = {
	sample: sample("robots.txt"),
	mistakes: sample("mistakes.txt"),
	fields:
		"User-agent: *\nDissalow: /a\nDisallow /b\nDisallow: c\nAllow:\nDisallow:\nDisallow-AI-Training: /d\nDisallow: /e\0f\n",
	agents:
		"User-agent: Mozilla/5.0 (compatible; YandexBot/3.0)\n\nDisallow: /a\n\nAllow: /b\nUser-agent: YandexImages2\nDisallow: /c\nUser-agent: Googlebot/2.1 x\nDisallow: /d*$\nUser-agent: *\nDisallow: /e\nAllow: /dir/index.html\n",
	long: `User-agent: *\nDisallow: /${"a".repeat(20_000)}\n${"# filler\n".repeat(5_000)}`,
	large: `User-agent: *\nDisallow: /\n${"# filler\n".repeat(60_000)}`,
};
const agents = ["Googlebot", "YandexImages", "GPTBot", "AdsBot-Google"];
const urls = [
	...sample("urls.txt").trimEnd().split("\n"),
	..."/a /b /c c /d /dir/ /e /e%00f ?q no%20url //host/a /robots.txt".split(
		" ",
	),
];

const bytes = (text: string) => new TextEncoder().encode(text);

/** The answers of a dialect, without its own name. */
function answers(dialect: Dialect): string {
	const unnamed = (value: unknown) =>
		JSON.stringify(
			value,
			(_, part) =>
				typeof part === "string"
					? part.replace(`In ${dialect},`, "In this dialect,")
					: part,
			1,
		);
	return unnamed({
		files: Object.entries(files).map(([name, file]) => {
			const robots = RobotsTxt.parse(file, { dialect });
			return {
				name,
				diagnostics: robots.diagnostics,
				groups: robots.groups,
				sitemaps: robots.sitemaps,
				lint: lint(file, { dialect }).map(({ edit, ...finding }) => finding),
				// Reasons name the dialects that differ. Large files take long.
				crawlers:
					file.length < 10_000 &&
					compareCrawlers(robots, "https://example.com/a").map(
						({ reason, dialect: _, ...answer }) => answer,
					),
				agents: agents.map((agent) => {
					const matcher = robots.for(agent);
					const stored = Matcher.fromBytes(matcher.toBytes());
					const index = new RobotsIndex({ agent, dialect });
					index.set("https://example.com", file);
					const loaded = RobotsIndex.fromBytes(index.toBytes());
					const own = urls.filter((url) => url.startsWith("/"));
					return {
						verdicts: [...matcher.matchMany(urls)],
						stored: [...stored.matchMany(urls), stored.dialect === dialect],
						rules: own.map((url) => matcher.match(url)),
						index: [
							...loaded.matchMany(
								own.map((url) => `https://example.com${url}`),
							),
						],
						delay: robots.crawlDelay(agent),
					};
				}),
			};
		}),
		crawlers: agents.map((agent) => findCrawler(agent, { dialect })),
		lengths: ["/a*$", "a", "/%61", "/ä", "/a$b*"].map((pattern) =>
			countedBytes(pattern, dialect),
		),
		access: [
			{
				status: 200,
				headers: { "content-type": "image/png" },
				body: bytes(""),
			},
			{ status: 204, headers: {} },
			{ status: 503, headers: {} },
			{ status: 404, headers: {} },
			{ status: 200, headers: {}, body: bytes("x".repeat(600_000)) },
		].map((outcome) =>
			accessFor(outcome as Parameters<typeof accessFor>[0], null, {
				dialect,
				now: 1e12,
			}),
		),
	});
}

test.each(originals)("a copy of %s is read as it is", (name) => {
	expect(answers(copyOf(name))).toBe(answers(name));
});

/** Lines that may have a dialect's name as a text. */
const allowed: readonly RegExp[] = [
	// A company that people name for its crawler.
	/^\s*\["google", \["Googlebot"\]\],$/,
	// Options of the browser's benchmark, and of a sample.
	/^\s*dialect: "(?:google|rfc9309|yandex)",$/,
];

test("no file asks for a dialect's name", () => {
	// As a text, or as the key of an object; "google:" is a flag in many places.
	const named = new RegExp(
		`["'\`](?:${originals.join("|")})["'\`]|\\b(?:rfc9309|yandex)\\s*:`,
	);
	const root = new URL("..", import.meta.url);
	const found = ["src", "assembly", "packages"]
		.flatMap((folder) =>
			readdirSync(new URL(folder, root), { recursive: true }).map(
				(file) => `${folder}/${file}`,
			),
		)
		.filter(
			(file) =>
				/\.ts$/.test(file) &&
				!/\/(?:dist|node_modules|test)\//.test(file) &&
				file !== "src/robots-txt/dialect.ts",
		)
		.flatMap((file) =>
			readFileSync(new URL(file, root), "utf8")
				.replace(/\/\*[\s\S]*?\*\/|\/\/.*$/gm, "")
				.split("\n")
				.filter((line) => named.test(line))
				.filter((line) => !allowed.some((one) => one.test(line)))
				.map((line) => `${file}: ${line.trim()}`),
		);
	expect(found).toEqual([]);
});
