import { describe, expect, test } from "vitest";
import { recognise } from "../src/crawlers/crawlers.ts";
import { findCrawler, RobotsTxt } from "../src/index.ts";

/** By themselves, as they take long where each branch is counted (npm run mutate:src). */

const MEBIBYTE = 1 << 20;

describe("A header of 1 MiB is read in one pass:", () => {
	test.each([
		"(",
		")",
		"()",
		"(\\",
		"\\",
		";",
		"(compatible;",
		"compatible;a;",
		"compatible ",
		"like ",
		"(like ",
		"(MSIE; compatible;",
		"Mozilla/5.0 ",
		"(compatible; MSIE; a",
		"a ",
		"(a/1 ",
		"(a; http://a; ",
		"http://",
		"://",
		"www.",
		"@",
		"+",
		"'",
		"-",
		"_",
		"1",
		"1.1",
		"bot",
		"cubot ",
		"Bot-",
		"Googlebo",
		"Sogou web ",
	])("many %j", (part) => {
		for (const start of ["", "Mozilla/5.0 (compatible; MSIE; "]) {
			const header = start + part.repeat(MEBIBYTE / part.length);
			const { tokens } = recognise(`${header}.1x (+http://a.example)`);
			expect(tokens).toHaveLength(1);
		}
	});
});

test.each(["a", "(compatible; ", "http://", "bot-", "a/bot-", " ", "bot "])(
	"a header of many %j is nobody's",
	(part) => {
		const header = `Mozilla/${part.repeat(100_000)}`;
		expect(findCrawler(header)).toBe(undefined);
		expect(RobotsTxt.parse("").isAllowed("/", header)).toBe(true);
	},
);
