import { describe, expect, test } from "vitest";
import { linear } from "../../src/engine/instance.ts";
import { RobotsTxt } from "../../src/index.ts";

/** A file in which rule `i` has the pattern that is given for it, and the last one is "/last". */
const fileOf = (pattern: (i: number) => string, count: number) =>
	`User-agent: *\n${Array.from({ length: count }, (_, i) => `Disallow: ${pattern(i)}\n`).join("")}Disallow: /last\n`;

describe("A file of many rules", () => {
	// Linear memory never shrinks: before other tests make it grow.
	test("takes linear memory of at most thirty times its size", () => {
		const text = fileOf(
			(i) => `/category-${i % 100}/product-${i}.html`,
			30_000,
		);
		const matcher = RobotsTxt.parse(text, { dialect: "google" }).for("x");
		expect(linear.bytes().length).toBeLessThan(30 * text.length);
		expect(matcher.isAllowed("/category-7/product-7.html")).toBe(false);
		expect(matcher.isAllowed("/category-7/product-8.html")).toBe(true);
	});

	// The debug build checks that texts stay within their room.
	describe.each(["rfc9309", "google"] as const)("in %s", (dialect) => {
		test.each([
			["escaped bytes", "éü"],
			["escapes", "$é%c3%a9ü"],
			["stars", "*é*a"],
			["stars and two forms", "*%3f%5b*?"],
		])("has room for %s", (_, text) => {
			const file = fileOf((i) => `/${i}/${text.repeat(60)}`, 700);
			const matcher = RobotsTxt.parse(file, { dialect }).for("x");
			expect(matcher.isAllowed("/7/")).toBe(true);
			expect(matcher.isAllowed("/last")).toBe(false);
		});
	});
});
