import { describe, expect, test } from "vitest";
import { RobotsTxt } from "../../../src/index.ts";
import { KnownOrigins } from "../src/known-origins.ts";

const MINUTE = 60_000;
const site = "https://s.example";
const open = RobotsTxt.parse("User-agent: *\nDisallow: /a");

const known = () => new KnownOrigins({ agent: "x" }, 4);
const judged = (origins: KnownOrigins, url: string, now: number) => {
	origins.prepare([url], now);
	return origins.index.matchMany([url])[0];
};

// test/fuzz/at-hand.ts compares them, step by step, with a list that is gone through each time.
describe("Origins at hand", () => {
	// [what is done, whether the answer holds at the end]
	const cases: readonly [
		what: string,
		asked: readonly (readonly [askedAt: number, due: number])[],
		now: number,
		holds: boolean,
	][] = [
		["asked for now", [[0, 10 * MINUTE]], 0, true],
		["due", [[0, 10 * MINUTE]], 10 * MINUTE, false],
		["the clock is set back a little", [[MINUTE, 10 * MINUTE]], 0, true],
		["the clock is set back", [[MINUTE + 1, 10 * MINUTE]], 0, false],
		[
			"it is asked for again, and the clock is set back",
			[
				[0, 100 * MINUTE],
				[50 * MINUTE, 150 * MINUTE],
			],
			MINUTE,
			false,
		],
		[
			"the clock is set back, and it is asked for again",
			[
				[50 * MINUTE, 150 * MINUTE],
				[MINUTE, 100 * MINUTE],
			],
			MINUTE,
			true,
		],
		[
			"it is asked for again, and holds for a shorter time",
			[
				[0, 100 * MINUTE],
				[MINUTE, 2 * MINUTE],
			],
			3 * MINUTE,
			false,
		],
		[
			"it is asked for again, and holds for a longer time",
			[
				[0, 2 * MINUTE],
				[MINUTE, 100 * MINUTE],
			],
			3 * MINUTE,
			true,
		],
	];
	test.each(cases)("%s", (_, asked, now, holds) => {
		const origins = known();
		for (const [askedAt, due] of asked) origins.set(site, open, askedAt, due);
		expect(origins.has(site, now)).toBe(holds);
		expect(judged(origins, `${site}/b`, now)).toBe(holds ? 1 : 2);
	});

	test("more than a call takes out leave in steps", () => {
		const origins = new KnownOrigins({ agent: "x" }, 1000);
		for (let i = 0; i < 350; i++)
			origins.set(`https://s${i}.example`, "allow-all", 0, 1 + i);
		let steps = 0;
		for (const _ of origins.expireAll(300)) steps++;
		expect([steps, origins.size]).toEqual([3, 50]);
	});
});
