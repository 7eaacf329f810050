import { afterAll, expect, test } from "vitest";
import { Matcher, RobotsIndex, RobotsTxt } from "../src/index.ts";
import { RobotsPool } from "../src/pool.ts";

const robots = RobotsTxt.parse("User-agent: *\nDisallow: /a");
const matcher = robots.for("x");
const index = new RobotsIndex({ agent: "x" });
const pool = new RobotsPool(index.toBytes(), { workers: 1 });
afterAll(() => pool.close());

test.each([
	["Matcher", matcher, ["dialect"]],
	["a loaded Matcher", Matcher.fromBytes(matcher.toBytes()), ["dialect"]],
	["RobotsIndex", index, ["agent", "dialect"]],
	["RobotsTxt", robots, ["dialect"]],
	["RobotsPool", pool, ["agent", "dialect", "workers"]],
] as const)("%s shows what it is for, and nothing else", (_, object, keys) => {
	expect(Object.keys(object)).toEqual(keys);
	expect(Object.prototype.toString.call(object)).toBe("[object Object]");
	expect(Object.keys(JSON.parse(JSON.stringify(object)))).toEqual(keys);
});

test("a matcher's bytes are cloned, and make another one", () => {
	const copy = Matcher.fromBytes(structuredClone(matcher.toBytes()));
	expect(copy.isAllowed("/a")).toBe(false);
});
