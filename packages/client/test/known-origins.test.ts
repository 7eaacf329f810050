import { describe, expect, test } from "vitest";
import { RobotsTxt } from "../../../src/index.ts";
import { KnownOrigins } from "../src/rules/known-origins.ts";

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
		for (const [askedAt, due] of asked)
			origins.set(site, { rules: open }, askedAt, due);
		expect(origins.has(site, now)).toBe(holds);
		expect(judged(origins, `${site}/b`, now)).toBe(holds ? 1 : 2);
	});

	test("programs that the thread judges by: the oldest leave for later ones", () => {
		const origins = new KnownOrigins({ agent: "x" }, 1000);
		const set = (name: string, mib: number) => {
			const apart = new Uint8Array(mib * 2 ** 20);
			origins.set(`https://${name}`, { rules: open, apart }, 0, MINUTE);
		};
		const there = () =>
			["a", "b", "c"].filter((name) => origins.apart(`https://${name}`, 0));
		set("a", 30);
		set("b", 30);
		set("a", 10);
		set("c", 24);
		expect([there(), origins.size]).toEqual([["a", "b", "c"], 3]);
		set("c", 25);
		// The index has none of them, and what it had of one before is gone.
		expect([there(), origins.size]).toEqual([["a", "c"], 2]);
		expect(origins.apart("https://a", MINUTE)).toBeUndefined();
		origins.set("https://a", { rules: open }, 0, MINUTE);
		expect(judged(origins, "https://a/a", 0)).toBe(0);
		set("a", 1);
		expect(judged(origins, "https://a/a", 0)).toBe(2);
		origins.delete("https://a");
		expect(there()).toEqual(["c"]);
	});

	test("more than a call takes out leave in steps", () => {
		const origins = new KnownOrigins({ agent: "x" }, 1000);
		for (let i = 0; i < 350; i++)
			origins.set(`https://s${i}.example`, { rules: "allow-all" }, 0, 1 + i);
		let steps = 0;
		for (const _ of origins.expireAll(300)) steps++;
		expect([steps, origins.size]).toEqual([3, 50]);
	});
});
