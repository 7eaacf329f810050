import { describe, expect, test } from "vitest";
import { MAX_LINE } from "../../assembly/format/program.ts";
import { MAX_LINE_BYTES } from "../../assembly/format/records.ts";
import { RobotsIndex, RobotsTxt } from "../../src/index.ts";
import { thrownBy } from "../thrown.ts";

const robots = RobotsTxt.parse(
	"User-agent: *\nDisallow: /a\nClean-param: s /a\n",
);
const site = "https://h.example";
const matcher = robots.for("x");
const index = new RobotsIndex({ agent: "x" });
index.set(site, matcher);

/** A URL of so many bytes; those behind its beginning are NUL, which costs no memory until it is written to. */
function lineOf(length: number, start = `${site}/a`): Uint8Array {
	const bytes = new Uint8Array(length);
	bytes.set(new TextEncoder().encode(start));
	return bytes;
}

const textOf = (length: number) => `${site}/a`.padEnd(length, "x");
const PARSED = 2 ** 25;
const LINE = `is longer than the limit of ${MAX_LINE}`;
/** Three times as many, and four times as much again, is just less than 2 ** 32. */
const WRAPPING = 357_913_917;

const rows: readonly (readonly [
	what: string,
	action: () => unknown,
	message: string,
])[] = [
	...[MAX_LINE + 1, 2 ** 30 - 200, 2 ** 30].flatMap(
		(length) =>
			[
				[
					`matcher.matchLines, ${length} bytes`,
					() => matcher.matchLines(lineOf(length)),
					`a line of ${length} bytes ${LINE}`,
				],
				[
					`index.matchLines, ${length} bytes`,
					() => index.matchLines(lineOf(length)),
					`a line of ${length} bytes ${LINE}`,
				],
			] as const,
	),
	...[MAX_LINE + 1, WRAPPING, 2 ** 29 - 24].flatMap(
		(length) =>
			[
				[
					`matcher.isAllowed, ${length} characters`,
					() => matcher.isAllowed(textOf(length)),
					`a URL of ${length} characters ${LINE} bytes`,
				],
				[
					`matcher.matchMany, ${length} characters`,
					() => matcher.matchMany([site, textOf(length), site]),
					`a URL of ${length} characters ${LINE} bytes`,
				],
				[
					`robots.canonicalUrl, ${length} characters`,
					() => robots.canonicalUrl(textOf(length)),
					`a URL of ${length} characters ${LINE} bytes`,
				],
				[
					`index.matchMany, ${length} characters`,
					() => index.matchMany([site, textOf(length), site]),
					`a URL of ${length} characters ${LINE} bytes`,
				],
				[
					`index.set, ${length} characters`,
					() => index.set(textOf(length), "allow-all"),
					`a URL of ${length} characters is longer than the limit of ${PARSED}`,
				],
			] as const,
	),
	[
		"robots.canonicalLines",
		() => robots.canonicalLines(lineOf(2 ** 30, `${site}/a?s=1&`)),
		`a line of ${2 ** 30} bytes ${LINE}`,
	],
	[
		"matcher.isAllowed, characters of three bytes",
		() => matcher.isAllowed(`/${"あ".repeat(MAX_LINE / 3 + 1)}`),
		`a URL of ${Math.floor(MAX_LINE / 3 + 1) * 3 + 1} bytes ${LINE}`,
	],
	[
		"RobotsTxt.parse, a line",
		() =>
			RobotsTxt.parse(lineOf(MAX_LINE_BYTES + 2, "\nDisallow: /"), {
				maxBytes: 2 ** 30,
			}),
		`line 2 of a robots.txt has ${MAX_LINE_BYTES + 1} bytes, more than ${MAX_LINE_BYTES}`,
	],
	[
		"index.matchLines, a URL that only the platform can read",
		() => index.matchLines(lineOf(PARSED + 1, "HTTPS://h.example/")),
		`a URL of ${PARSED + 1} characters is longer than the limit of ${PARSED}`,
	],
];

describe("a line or URL without room is an error, and the instance stays usable", () => {
	const urls = [`${site}/a`, `${site}/b`, "https://unknown.example/", "x"];
	test.each(rows)("%s", (_, action, message) => {
		const error = { code: "limit-exceeded", message };
		expect(thrownBy(action)).toMatchObject(error);
		expect([...index.matchMany(urls)]).toEqual([0, 1, 2, 3]);
		expect([...matcher.matchMany(urls)]).toEqual([0, 1, 1, 3]);
		expect(index.has(site)).toBe(true);
		expect(robots.canonicalUrl("/a?s=1")).toBe("/a");
	});

	test("the longest line", () => {
		const line = lineOf(MAX_LINE);
		expect([...matcher.matchLines(line)]).toEqual([0]);
		expect([...index.matchLines(line)]).toEqual([0]);
	});
});
