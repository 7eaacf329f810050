import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { RobotsTxt } from "../../../src/index.ts";
import { AddressBook } from "../../audit/src/addresses.ts";
import { KnownOrigins } from "../src/known-origins.ts";

const MINUTE = 60_000;
const MOST = 4;
const sites = Array.from({ length: 7 }, (_, i) => `https://s${i}.example`);
const open = RobotsTxt.parse("User-agent: *\nDisallow: /a");
const closed = RobotsTxt.parse("User-agent: *\nDisallow: /");

const known = () => new KnownOrigins({ agent: "x" }, MOST);
const judged = (origins: KnownOrigins, url: string, now: number) => {
	origins.prepare([url], now);
	return origins.index.matchMany([url])[0];
};

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
		const [site = ""] = sites;
		const origins = known();
		for (const [askedAt, due] of asked) origins.set(site, open, askedAt, due);
		expect(origins.has(site, now)).toBe(holds);
		expect(judged(origins, `${site}/b`, now)).toBe(holds ? 1 : 2);
	});

	const time = fc.nat(20).map((steps) => (steps * MINUTE) / 2);
	const site = fc.constantFrom(...sites);
	const step = fc.oneof(
		fc.record({ what: fc.constant("set" as const), site, time, lasts: time }),
		fc.record({
			what: fc.constantFrom(
				...(["has", "delete", "judge", "expire", "answer"] as const),
			),
			site,
			time,
		}),
	);

	/** What is at hand, least recently used first: the clock of each step is another one. */
	test("do what a list does that is gone through each time", () =>
		fc.assert(
			fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
				const origins = known();
				const plain = new Map<string, { askedAt: number; due: number }>();
				const isOver = (origin: string, now: number) => {
					const held = plain.get(origin);
					return !held || held.due <= now || held.askedAt > now + MINUTE;
				};
				const use = (origin: string) => {
					const held = plain.get(origin);
					if (held && plain.delete(origin)) plain.set(origin, held);
				};
				const dropDue = (now: number) => {
					for (const [origin, { due }] of plain)
						if (due <= now) plain.delete(origin);
				};
				for (const one of steps) {
					const { site, time: now } = one;
					if (one.what === "set") {
						const due = now + one.lasts;
						origins.set(site, now % MINUTE ? closed : open, now, due);
						if (plain.has(site)) use(site);
						else if (plain.size >= MOST)
							plain.delete([...plain.keys()][0] as string);
						plain.set(site, { askedAt: now, due });
						use(site);
					} else if (one.what === "has") {
						expect(origins.has(site, now)).toBe(!isOver(site, now));
						use(site);
					} else if (one.what === "answer") {
						const { askedAt = 0, due = 0 } = plain.get(site) ?? {};
						expect(origins.hasAnswerOf(site, askedAt, due)).toBe(
							plain.has(site),
						);
						expect(origins.hasAnswerOf(site, askedAt, due + 1)).toBe(false);
						expect(origins.hasAnswerOf(site, askedAt + 1, due)).toBe(false);
					} else if (one.what === "delete") {
						expect(origins.delete(site)).toBe(plain.delete(site));
					} else if (one.what === "expire") {
						for (const _ of origins.expireAll(now));
						dropDue(now);
					} else {
						const { askedAt = 0 } = plain.get(site) ?? {};
						const verdict = askedAt % MINUTE ? 0 : 1;
						const over = isOver(site, now);
						const mustLook =
							plain.size > MOST / 2 ||
							[...plain.values()].some((held) => held.askedAt > now + MINUTE);
						expect(judged(origins, `${site}/b`, now)).toBe(over ? 2 : verdict);
						dropDue(now);
						if (over) plain.delete(site);
						else if (mustLook) use(site);
						// Whether one that is not at risk of leaving counts as used may differ: then the order is no promise.
						else return;
					}
					expect(origins.size).toBe(plain.size);
					expect(origins.index.size).toBe(plain.size);
					for (const origin of plain.keys())
						expect(origins.index.has(origin)).toBe(true);
				}
			}),
			{ numRuns: 300 },
		));

	test("more than a call takes out leave in steps", () => {
		const origins = new KnownOrigins({ agent: "x" }, 1000);
		for (let i = 0; i < 350; i++)
			origins.set(`https://s${i}.example`, "allow-all", 0, 1 + i);
		let steps = 0;
		for (const _ of origins.expireAll(300)) steps++;
		expect([steps, origins.size]).toEqual([3, 50]);
	});
});

describe("Address ranges", () => {
	const sources = [
		{ name: "gptbot", prefixes: ["192.0.2.0/28", "2001:db8::/48"] },
		{ name: "googlebot", prefixes: ["192.0.2.8/29"] },
		{ name: undefined, prefixes: ["198.51.100.0/24"] },
	];
	const crawlers = ["GPTBot", "gptbot", "Googlebot", "bingbot"];
	const addresses = [
		...["192.0.2.1", "192.0.2.9", "198.51.100.7", "203.0.113.1"],
		...["2001:db8::1", "2001:db9::1", "no address"],
	];
	const right: Readonly<Record<string, readonly string[]>> = {
		GPTBot: ["192.0.2.1", "192.0.2.9", "2001:db8::1"],
		gptbot: ["192.0.2.1", "192.0.2.9", "2001:db8::1"],
		Googlebot: ["192.0.2.9"],
		bingbot: ["198.51.100.7"],
	};

	test("verify an address for its own crawler, whatever was asked before", () => {
		const questions = crawlers.flatMap((name) =>
			addresses.map((address) => ({ name, address })),
		);
		fc.assert(
			fc.property(
				fc.shuffledSubarray([...questions, ...questions]),
				(order) => {
					const book = new AddressBook(sources);
					for (const { name, address } of order)
						expect(book.verify(name, address)).toBe(
							right[name]?.includes(address) ? "verified" : "claimed",
						);
				},
			),
		);
	});

	test("say nothing where there is no address", () =>
		expect(new AddressBook(sources).verify("GPTBot", undefined)).toBe(
			"unknown",
		));
});
