import { afterAll, describe, expect, test } from "vitest";
import { Matcher, RobotsIndex, RobotsTxt } from "../src/index.ts";
import { RobotsPool } from "../src/pool.ts";

const robots = RobotsTxt.parse("User-agent: *\nDisallow: /a");
const matcher = robots.for("x");
const index = new RobotsIndex({ agent: "x" });
const pool = new RobotsPool(index.toBytes(), { workers: 1 });
afterAll(() => pool.close());

const ofMatcher = "a Matcher (send its toBytes() instead)";

describe.each([
	["Matcher", matcher, ofMatcher, ["dialect"]],
	[
		"a loaded Matcher",
		Matcher.fromBytes(matcher.toBytes()),
		ofMatcher,
		["dialect"],
	],
	[
		"RobotsIndex",
		index,
		"a RobotsIndex (send its toBytes() instead)",
		["agent", "dialect"],
	],
	["RobotsTxt", robots, "a RobotsTxt (send the text instead)", ["dialect"]],
	[
		"RobotsPool",
		pool,
		"a RobotsPool (send the toBytes() of its index instead)",
		["agent", "dialect", "workers"],
	],
] as const)("%s", (_, object, shown, keys) => {
	test("is not cloned, as it would lack its methods", () => {
		for (const value of [object, [object], { object }])
			expect(() => structuredClone(value)).toThrow(
				expect.objectContaining({
					name: "DataCloneError",
					message: `${shown} could not be cloned.`,
				}),
			);
	});
	test("nor posted to a thread", () => {
		const { port1, port2 } = new MessageChannel();
		expect(() => port1.postMessage(object)).toThrow(/could not be cloned/);
		port1.close();
		port2.close();
	});
	test("otherwise looks like any other object", () => {
		expect(Object.keys(object)).toEqual(keys);
		expect(object instanceof Set).toBe(false);
		expect(Symbol.iterator in object).toBe(false);
		expect(Object.prototype.toString.call(object)).toBe("[object Object]");
		expect(Object.keys(JSON.parse(JSON.stringify(object)))).toEqual(keys);
	});
});

test("its bytes are cloned", () => {
	const copy = Matcher.fromBytes(structuredClone(matcher.toBytes()));
	expect(copy.isAllowed("/a")).toBe(false);
});
