import { inspect } from "node:util";
import { expect, test } from "vitest";
import { Matcher, RobotsIndex, RobotsTxt } from "../src/index.ts";

const robots = RobotsTxt.parse(
	"User-agent: a\nDisallow: /b\nAllow: /b/c\n\nUser-agent: *\nAllow: /",
);
const matcher = robots.for("a");
const { byteLength } = matcher;

const index = new RobotsIndex({ agent: "a" });
index.set("https://a.test", robots.for("a"));
const used = index.byteLength;

function disposed<T extends Disposable>(object: T): T {
	object[Symbol.dispose]();
	return object;
}

const shown: readonly [string, object, string][] = [
	["a RobotsTxt", robots, "RobotsTxt { dialect: 'rfc9309', groups: 2 }"],
	[
		"an empty one in another dialect",
		RobotsTxt.parse("", { dialect: "google" }),
		"RobotsTxt { dialect: 'google', groups: 0 }",
	],
	[
		"a Matcher",
		matcher,
		`Matcher { dialect: 'rfc9309', byteLength: ${byteLength} }`,
	],
	[
		"a loaded Matcher",
		Matcher.fromBytes(matcher.toBytes()),
		`Matcher { dialect: 'rfc9309', byteLength: ${byteLength} }`,
	],
	[
		"a disposed Matcher",
		disposed(robots.for("*")),
		"Matcher { dialect: 'rfc9309', disposed: true }",
	],
	[
		"a RobotsIndex",
		index,
		`RobotsIndex { agent: 'a', dialect: 'rfc9309', origins: 1, byteLength: ${used} }`,
	],
	[
		"a disposed RobotsIndex",
		disposed(new RobotsIndex({ agent: ["a", "b"] })),
		"RobotsIndex { agent: [ 'a', 'b' ], dialect: 'rfc9309', disposed: true }",
	],
];
test.each(shown)("console.log of %s", (_what, object, text) =>
	expect(inspect(object, { breakLength: Number.POSITIVE_INFINITY })).toBe(text),
);

test("internals are not among the properties", () => {
	expect(Object.keys(robots)).toEqual(["dialect"]);
	expect({ ...matcher }).toEqual({ dialect: "rfc9309" });
});
