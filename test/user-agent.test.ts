import { createRequire } from "node:module";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { classify } from "../packages/audit/src/who/classify.ts";
import { recognise } from "../src/crawlers/crawlers.ts";
import { crawlers, findCrawler } from "../src/index.ts";
import { casesOf } from "./cases.ts";
import {
	browsers,
	knownSenders,
	oddHeaders,
	unknownSenders,
} from "./data/user-agents.ts";

describe("A header of a known crawler", () => {
	test.each(knownSenders)("%s", (header, name) =>
		expect(findCrawler(header)?.name).toBe(name),
	);
});

describe.each([
	["somebody else", unknownSenders],
	["a browser", browsers],
	["an odd shape", oddHeaders],
])("A header of %s", (_, rows) => {
	test.each(rows)("%j", (header, token) => {
		expect(findCrawler(header)).toBe(undefined);
		expect(recognise(header).tokens).toEqual([token]);
	});
});

test("the tables hold 150 real headers", () => {
	const real = [...knownSenders, ...unknownSenders, ...browsers];
	expect(new Set(real.map(([header]) => header)).size).toBe(real.length);
	expect(real.length).toBeGreaterThan(150);
});

interface Listed {
	pattern: string;
	instances: string[];
}
const listed = createRequire(import.meta.url)(
	"crawler-user-agents",
) as Listed[];

test('crawlers of a public list that begin a header or follow "compatible;" are found', () => {
	let compared = 0;
	const wrong: unknown[] = [];
	for (const { pattern, instances } of listed) {
		for (const header of instances) {
			const match = new RegExp(pattern).exec(header);
			const before = header.slice(0, match?.index);
			const rest = header.slice(match?.index);
			if (!match || !/^$|\(compatible; ?$/.test(before)) continue;
			if (!/^[a-z]/i.test(rest) || /^(?:mozilla|msie|https?:)/i.test(rest))
				continue;
			compared++;
			const [token = ""] = recognise(header).tokens;
			const name = rest.replace(/^Yahoo! /, "").toLowerCase();
			if (token === "" || !name.startsWith(token.toLowerCase()))
				wrong.push({ header, token });
		}
	}
	expect(wrong).toEqual([]);
	expect(compared).toBeGreaterThan(1000);
});

const webKit = "AppleWebKit/537.36 (KHTML, like Gecko";
/** Where crawlers put their names; "~" stands where comments may be added. */
const shapes: readonly ((name: string) => string)[] = [
	(name) => `${name}~`,
	(name) => `${name}/1.0 ~`,
	(name) => `${name}/2.1 ~ (+https://crawler.example/bot.html) ~`,
	(name) => `${name} ~ libwww-perl/6.05`,
	(name) => `Mozilla/5.0 ~ (compatible; ${name}) ~`,
	(name) =>
		`Mozilla/5.0 ~ (compatible; ${name}/1.0; +https://crawler.example/) ~`,
	(name) =>
		`Mozilla/5.0 ~ ${webKit}; compatible; ${name}/1.0) ~ Chrome/1.0 ~ Safari/5.1`,
	(name) =>
		`Mozilla/5.0 ~ ${webKit}) ~ Chrome/1.0 Safari/5.1 ~ (compatible; ${name}/1.0)`,
	(name) =>
		`Mozilla/5.0 ~ ${webKit}); compatible; ${name}/1.0; +https://crawler.example/`,
	(name) =>
		`Mozilla/5.0 ~ ${webKit}) ~ Version/13.1 Safari/5.1 ~ (${name}/0.1; +https://crawler.example/)`,
	(name) =>
		`Mozilla/5.0 ~ ${webKit}) ~ Chrome/1.0 ~ Safari/5.1 ~ ${name}/1.0 ~`,
	(name) => `Mozilla/5.0 ~ (X11; Linux; ${name}) ~ Gecko/1`,
	(name) => `Telephone-E250/1.0 ~ Profile/2.0 (compatible; ${name}/2.1)`,
];
const texts = [
	"X11",
	"U",
	"en-US",
	"rv:1.2",
	"Linux x86_64",
	"KHTML, like Gecko",
	"like Twitterbot/1.0",
	"like (bingbot)",
	"+https://a.example/Googlebot,bingbot",
	"Googlebot@crawler.example",
	"\\(",
	"\\)\\\\",
	"",
];
const comment: fc.Arbitrary<string> = fc.letrec((tie) => ({
	comment: fc
		.array(
			fc.oneof({ maxDepth: 4 }, fc.constantFrom(...texts), tie("comment")),
			{ maxLength: 4 },
		)
		.map((parts) => `(${parts.join("; ")})`),
})).comment as fc.Arbitrary<string>;

/** Groups of these choose what other crawlers fetched; no header names them. */
const withoutHeader = [
	"Googlebot-News",
	"Google-Extended",
	"Applebot-Extended",
];
const named = crawlers
	.map(({ name }) => name)
	// Exa's and Exalead's differ by case alone.
	.filter((name) => !withoutHeader.includes(name) && !/^exabot$/i.test(name));

test("known crawlers are found in each of the usual shapes", () => {
	const headers = named.flatMap((name) =>
		shapes.map((shape) => [name, shape(name).replaceAll(" ~", "")] as const),
	);
	expect(
		headers.filter(([name, header]) => findCrawler(header)?.name !== name),
	).toEqual([]);
});

test("known crawlers are found in the usual shapes, whatever comments stand around", () =>
	fc.assert(
		fc.property(
			fc.constantFrom(...named),
			fc.constantFrom(...shapes),
			fc.array(comment, { minLength: 5, maxLength: 5 }),
			fc.func(fc.boolean()),
			(name, shape, comments, isUpper) => {
				const spelled = [...name]
					.map((char, at) => (isUpper(at) ? char.toUpperCase() : char))
					.join("");
				let next = 0;
				const header = shape(spelled).replace(
					/~/g,
					() => comments[next++] ?? "",
				);
				expect(findCrawler(header)?.name).toBe(name);
			},
		),
		{ numRuns: casesOf(3000) },
	));

test.each([
	"Mozilla/5.0 (compatible; Sogou\tweb  spider/4.0)",
	"Mozilla/5.0 (compatible; Google\\bot/2.1)",
	"Mozilla/5.0 (compatible; GOOGLEBOT/2.1)",
	"Sogou; web spider",
])("%j is of the same crawler for the library and the audit", (header) => {
	const { crawler } = recognise(header);
	expect(findCrawler(header)).toBe(crawler);
	expect(classify(header)?.name === crawler?.name || !crawler).toBe(true);
});
