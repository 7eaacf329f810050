import { setImmediate } from "node:timers/promises";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { describe, expect, test } from "vitest";
import { linear, workspace } from "../../src/engine/workspace.ts";
import { RobotsIndex, RobotsTxt } from "../../src/index.ts";

/** A file in which rule `i` has the pattern that is given for it, and the last one is "/last". */
const fileOf = (pattern: (i: number) => string, count: number) =>
	`User-agent: *\n${Array.from({ length: count }, (_, i) => `Disallow: ${pattern(i)}\n`).join("")}Disallow: /last\n`;

const PAGE = 4096;

/** Pages of linear memory that have anything in them. */
function writtenPages(bytes: Uint8Array): number {
	const words = new BigUint64Array(bytes.buffer);
	let pages = 0;
	for (let at = 0; at < words.length; at += PAGE / 8)
		if (words.subarray(at, at + PAGE / 8).some((word) => word !== 0n)) pages++;
	return pages;
}

describe("A file of many rules", () => {
	const text = fileOf((i) => `/category-${i % 100}/product-${i}.html`, 30_000);
	const small = "User-agent: *\nDisallow: /small";
	const options = { dialect: "google" } as const;

	// Linear memory never shrinks: before other tests make it grow.
	test("is compiled in linear memory of its own, of at most thirty times its size", () => {
		RobotsTxt.parse(small, options).for("x");
		const before = linear.bytes().length;
		const robots = RobotsTxt.parse(text, options);
		const matcher = robots.for("x");
		expect(linear.bytes().length).toBe(before);
		const own = workspace().bytes();
		expect(own.length).toBeLessThan(30 * text.length);
		// What is reserved and never written to takes no memory.
		expect(writtenPages(own) * PAGE).toBeLessThan(7 * text.length);
		expect(matcher.isAllowed("/category-7/product-7.html")).toBe(false);
		expect(matcher.isAllowed("/category-7/product-8.html")).toBe(true);
	});

	test("leaves that memory to the garbage collector when another file is read", async () => {
		const robots = RobotsTxt.parse(text, options);
		const matcher = robots.for("x");
		expect(workspace()).not.toBe(linear);
		const own = new WeakRef(workspace());
		RobotsTxt.parse(text.replaceAll("category", "c"), options).for("x");
		expect(workspace()).toBe(own.deref());
		expect(RobotsTxt.parse(small, options).isAllowed("/small", "x")).toBe(
			false,
		);
		expect(workspace()).toBe(linear);
		// What was asked of a WeakRef stays until the next turn.
		await setImmediate();
		setFlagsFromString("--expose-gc");
		(runInNewContext("gc") as () => void)();
		expect(own.deref()).toBeUndefined();
		// Its rules are read again.
		expect(matcher.match("/category-7/product-7.html")?.line).toBe(9);
		expect(robots.groups[0]?.rules[7]?.line).toBe(9);
		expect(robots.for("y").isAllowed("/last")).toBe(false);
	});

	test("is set in an index like others", () => {
		const index = new RobotsIndex({ agent: "x", ...options });
		for (const [host, source] of Object.entries({
			a: small,
			b: text,
			c: small,
		}))
			index.set(`https://${host}.example`, source);
		const urls = ["https://a.example/small", "https://b.example/last"];
		expect([...index.matchMany([...urls, "https://c.example/small"])]).toEqual([
			0, 0, 0,
		]);
		expect(index.isAllowed("https://b.example/small")).toBe(true);
	});

	// The debug build checks that texts stay within their room.
	describe.each(["rfc9309", "google"] as const)("in %s", (dialect) => {
		// Less room is reserved for records than these come to.
		test.each(["Allow:/\n", "allow:\n", "Allow:/\r", "allow /\n"])(
			"has room for rules as short as %j",
			(rule) => {
				const count = 70_000;
				const file = `User-agent: *\n${rule.repeat(count)}Disallow: /last\n`;
				const robots = RobotsTxt.parse(file, { dialect, maxBytes: 2 ** 20 });
				const { rule: last } = robots.explain("/last", "x");
				expect([last?.line, last?.pattern]).toEqual([count + 2, "/last"]);
			},
		);

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

describe("A crawler of many groups", () => {
	/** Groups of one crawler, each of its own rule, between those of others. */
	const fileOfGroups = (count: number, comment = 0) =>
		Array.from(
			{ length: count },
			(_, i) =>
				`User-agent: many\nDisallow: /many/${i}$\n\nUser-agent: ${i ? "other" : "few"}\nDisallow: /few\n\n`,
		).join("") + "#".repeat(comment);

	const disallowed = (robots: RobotsTxt, count: number) => {
		const [many, few] = [robots.for("many"), robots.for("few")];
		const urls = Array.from({ length: count + 1 }, (_, i) => `/many/${i}`);
		return {
			many: [...many.matchMany(urls)],
			few: few.isAllowed("/few"),
			others: few.isAllowed("/many/0"),
		};
	};
	const right = (count: number) => ({
		many: [...Array.from({ length: count }, () => 0), 1],
		few: false,
		others: true,
	});

	// Room for few groups is kept; more have it moved, and large files have memory of their own.
	test.each([
		{ counts: [1, 64, 65, 1, 64, 200, 1] },
		{ counts: [65, 2, 3000, 2] },
		{ counts: [2, 100, 2], comment: 300_000 },
	])(
		"has the rules of all, file after file: $counts",
		({ counts, comment }) => {
			for (const count of counts) {
				const robots = RobotsTxt.parse(fileOfGroups(count, comment));
				expect(disallowed(robots, count)).toEqual(right(count));
				// Once more, in another order: the file is read already.
				expect(robots.for("few").isAllowed("/few")).toBe(false);
				expect(disallowed(robots, count)).toEqual(right(count));
			}
		},
	);
});
