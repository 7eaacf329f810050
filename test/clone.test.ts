import { describe, expect, test } from "vitest";
import { Matcher, RobotsIndex, RobotsTxt } from "../src/index.ts";

const matcher = RobotsTxt.parse("User-agent: *\nDisallow: /a").for("x");
const index = new RobotsIndex({ agent: "x" });

describe.each([
	["Matcher", matcher, ["dialect"]],
	["a loaded Matcher", Matcher.fromBytes(matcher.toBytes()), ["dialect"]],
	["RobotsIndex", index, ["agent", "dialect"]],
] as const)("%s", (_, object, keys) => {
	test("is not cloned, as it would lack its methods", () => {
		for (const value of [object, [object], { object }])
			expect(() => structuredClone(value)).toThrow(
				expect.objectContaining({
					name: "DataCloneError",
					message: expect.stringContaining("toBytes"),
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
		expect(Object.keys(object).sort()).toEqual(["clone", ...keys].sort());
		expect(Object.prototype.toString.call(object)).toBe("[object Object]");
		expect(Object.keys(JSON.parse(JSON.stringify(object)))).toEqual(keys);
	});
});

test("its bytes are cloned", () => {
	const copy = Matcher.fromBytes(structuredClone(matcher.toBytes()));
	expect(copy.isAllowed("/a")).toBe(false);
});
