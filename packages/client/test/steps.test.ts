/** What a site sends is worked on in steps, between which the event loop turns. Steps are counted, not timed. */
import { describe, expect, test, vi } from "vitest";
import { accessFor } from "../../../src/access.ts";
import { inOneGo, type Steps } from "../../../src/common/steps.ts";
import {
	RobotrieError,
	RobotsIndex,
	RobotsTxt,
	Verdict,
} from "../../../src/index.ts";
import { GroupIndex } from "../../../src/matching/agents.ts";
import { dialectNames } from "../../../src/robots-txt/dialect.ts";
import { isWhole } from "../../../test/cases.ts";
import { COPIED, copyInTurns } from "../src/common/turns.ts";
import { type Fetch, MemoryStore } from "../src/index.ts";
import { decodeSteps, encodeEntry, encodeSteps } from "../src/stores/entry.ts";
import { clientOf, clock } from "./site.ts";

const KIB = 1024;
/** Bytes of a file that a client reads whole. */
const FULL = 500 * KIB;
/** Where there only have to be several steps: less than half of the time. */
const LARGE = isWhole ? FULL : 200 * KIB;

/** Files of a size that are made to take time. */
const hostile: readonly (readonly [string, (bytes: number) => string])[] = [
	["rules that all have to be tried", (size) => fill("Allow:*i$", size)],
	["rules of one prefix", (size) => fill("Allow:/a*$", size)],
	["rules that each take code", (size) => fill("Allow:*z$", size, true)],
	["escapes in two forms", (size) => fill("Allow:*a%3fz", size, true)],
	["groups of one rule", (size) => fill("User-agent: *\nAllow:/z", size, true)],
	["Request-rate", (size) => fill("Request-rate: 1/5 0100-0200", size)],
	["Visit-time that does not count", (size) => fill("Visit-time: x", size)],
	["Crawl-delay", (size) => fill("Crawl-delay: x", size)],
	["user-agent lines", (size) => fill("User-agent: a\nCrawl-delay: 1", size)],
	["unknown lines", (size) => fill("X: y", size)],
];
/** `isNumbered`: "z" is another text in each line. */
function fill(line: string, size: number, isNumbered = false): string {
	const lines = ["User-agent: *"];
	let length = 14;
	for (let number = 0; ; number++) {
		const next = isNumbered ? line.replace("z", number.toString(36)) : line;
		length += next.length + 1;
		if (length > size) return `${lines.join("\n")}\n`;
		lines.push(next);
	}
}

/** The compact program that an index gets. */
const compactOf = (robots: RobotsTxt) => Buffer.from(robots.compactFor("x"));

/** The number of steps, and what comes of them. */
function count<Result>(steps: Steps<Result>): [number, Result] {
	for (let number = 1; ; number++) {
		const step = steps.next();
		if (step.done) return [number, step.value];
	}
}

/** Milliseconds, by a clock for which each step takes so long that there is time for one alone in each turn. */
let passed = 0;

const slowClock = () =>
	vi.spyOn(performance, "now").mockImplementation(() => {
		passed += 3;
		return passed;
	});

/** How often the event loop turns until something has ended. */
async function turnsOf(call: Promise<unknown>): Promise<number> {
	const ended = call.then(() => true);
	const turn = () => new Promise<false>((go) => setImmediate(go, false));
	for (let turns = 0; ; turns++)
		if (await Promise.race([ended, turn()])) return turns;
}

describe.each(hostile)("%s", (_, text) => {
	const url = `/${"i".repeat(8 * KIB - 1)}`;
	/** Lines that one step may read. */
	const most = 1000;

	test("pace: a step has at most 1,000 lines", () => {
		for (const size of [62 * KIB, LARGE / 2, LARGE]) {
			const file = text(size);
			const robots = RobotsTxt.parse(file);
			const [steps, pace] = count(robots.paceSteps("x"));
			const { otherLines } = RobotsTxt.parse(file);
			expect(steps).toBeGreaterThan(otherLines.length / most);
			const whole = RobotsTxt.parse(file);
			expect(pace).toEqual({
				delay: whole.crawlDelay("x"),
				rates: whole.requestRates("x"),
				window: whole.visitTime("x"),
			});
		}
	});

	test.each(dialectNames)(
		"compiling: a step has at most 4,000 rules, %s",
		(dialect) => {
			const file = text(FULL);
			const parse = () => RobotsTxt.parse(file, { dialect });
			const robots = parse();
			const rules = robots.groups.reduce(
				(sum, one) => sum + one.rules.length,
				0,
			);
			const [steps] = count(robots.compactSteps("x"));
			expect(steps).toBeGreaterThan(rules / 4000);
			const whole = compactOf(parse());
			expect(compactOf(robots).equals(whole)).toBe(true);
			const [matcherSteps, matcher] = count(parse().matcherSteps("x"));
			expect(matcherSteps).toBeGreaterThan(rules / 4000);
			expect(matcher.toBytes()).toEqual(parse().for("x").toBytes());
		},
	);

	test("compiling: others may be compiled between the steps", () => {
		const file = text(LARGE);
		const [one, other] = [RobotsTxt.parse(file), RobotsTxt.parse(file)];
		const all = [
			one.compactSteps("x"),
			other.compactSteps("x"),
			other.matcherSteps("x"),
		];
		const [small, large] = [text(KIB), text(300 * KIB)];
		for (let left = all, turn = 0; left.length > 0; turn++) {
			left = left.filter((steps) => !steps.next().done);
			RobotsTxt.parse(small).for("x");
			// Between a few of the steps: it takes longer than all of them.
			if (turn % 8 === 1) RobotsTxt.parse(large).for("x");
		}
		const whole = RobotsTxt.parse(file);
		const program = compactOf(whole);
		expect(compactOf(one).equals(program)).toBe(true);
		expect(compactOf(other).equals(program)).toBe(true);
		expect(other.for("x").toBytes()).toEqual(whole.for("x").toBytes());
	});

	test("explain: each dialect is compiled, judged and parsed in steps of its own", () => {
		const file = text(LARGE);
		const robots = RobotsTxt.parse(file);
		const [steps, explanation] = count(robots.explainSteps(url, "x"));
		expect(steps).toBeGreaterThanOrEqual(3 * 4);
		expect(explanation).toEqual(RobotsTxt.parse(file).explain(url, "x"));
		expect(explanation).toEqual(inOneGo(robots.explainSteps(url, "x")));
	});

	test.each(dialectNames)(
		"the event loop turns between the steps of each call, %s",
		async (dialect) => {
			const body = text(LARGE);
			const fetch: Fetch = async () => new Response(body);
			using _ = slowClock();
			await using client = clientOf({ dialect, fetch, now: clock().read });
			const origin = "https://a.test";
			const robots = () => RobotsTxt.parse(body, { dialect });
			const agent = "ExampleBot";
			const [explaining] = count(robots().explainSteps(url, agent));
			const [compiling] = count(robots().compactSteps(agent));
			const [pacing] = count(robots().paceSteps(agent));
			const [listing] = count(robots().sitemapSteps());
			const calls: readonly (readonly [number, () => Promise<unknown>])[] = [
				[compiling, () => client.isAllowed(origin + url)],
				[explaining, () => client.explain(origin + url)],
				[pacing, () => client.nextVisit(origin)],
				[pacing, () => client.crawlDelay(origin)],
				[listing, () => client.sitemaps(origin)],
				[listing, () => client.sitemaps(origin, { agent })],
			];
			for (const [least, call] of calls) {
				expect(await turnsOf(call())).toBeGreaterThanOrEqual(least - 1);
			}
		},
	);
});

test.each(dialectNames)(
	"no step makes an index of many names for a second crawler, %s",
	(dialect) => {
		const names = Array.from({ length: 300 }, (_, at) => `bot${at}`);
		const file = names.map((name) => `User-agent: ${name}\nDisallow: /\n`);
		const robots = RobotsTxt.parse(file.join(""), { dialect });
		using made = vi.spyOn(GroupIndex, "of");
		for (const agent of names.slice(7, 9)) count(robots.compactSteps(agent));
		expect(made).not.toHaveBeenCalled();
		for (const agent of names.slice(0, 2)) robots.for(agent);
		expect(made).toHaveBeenCalledOnce();
	},
);

test("rules that are more than a program holds allow nothing, and others have their verdicts", async () => {
	const body = fill("Allow:/a*z", 300 * KIB, true);
	let isDown = false;
	const fetch: Fetch = async (url) =>
		isDown
			? new Response(null, { status: 503 })
			: new Response(new URL(url).hostname === "a.test" ? body : "");
	const why = "300 rules need more than the 200 bytes a program may have";
	using compile = vi
		.spyOn(RobotsTxt.prototype, "compactSteps")
		// biome-ignore lint/correctness/useYield: it fails in its first step
		.mockImplementation(function* () {
			throw new RobotrieError("limit-exceeded", why);
		});
	await using client = clientOf({ dialect: "google", fetch });
	const urls = ["https://a.test/a1", "https://b.test/", "https://a.test/b"];
	expect([...(await client.matchMany(urls))]).toEqual([
		Verdict.Disallowed,
		Verdict.Allowed,
		Verdict.Disallowed,
	]);
	expect(await client.isAllowed(urls[0] as string)).toBe(false);
	expect(await client.explain(urls[0] as string)).toMatchObject({
		allowed: false,
		reason: expect.stringContaining(why),
	});
	expect(await client.access(urls[0] as string)).toMatchObject({
		access: "disallow-all",
		code: "too-large",
	});
	expect(await client.crawlDelay(urls[0] as string)).toBeUndefined();
	// Known from then on, and not compiled for each call.
	const { length } = compile.mock.calls;
	expect([...client.peek(urls)]).toEqual([0, 1, 0]);
	expect(await client.filter(urls)).toEqual([urls[1]]);
	expect(compile.mock.calls).toHaveLength(length);
	expect(client.stats()).toMatchObject({ requests: 2, origins: 2 });
	// The copy holds while asking fails: a visit and a verdict say the same of it.
	isDown = true;
	await client.fetch(urls[0] as string);
	expect(await client.visit(urls[0] as string, () => {})).toEqual({
		outcome: "disallowed",
	});
	expect((await client.sort(urls)).disallowed).toEqual([urls[0], urls[2]]);
});

describe("a body of some megabytes", () => {
	const body = new Uint8Array(8 * COPIED + 1).map((_, i) => i * 7919);
	const origin = "https://a.test";

	test("is encoded and decoded 512 KiB a step, to what it is in one go", () => {
		const access = accessFor({ status: 200, body, url: origin });
		const [encoding, entry] = count(encodeSteps(origin, access));
		expect(encoding).toBe(9);
		expect(entry).toEqual(encodeEntry(origin, access));
		const [decoding, found] = count(decodeSteps(origin, entry));
		// Copied, and summed.
		expect(decoding).toBe(17);
		expect(found).toEqual(access);
		entry[entry.length - 1] = (entry.at(-1) ?? 0) ^ 1;
		const [, wrong] = count(decodeSteps(origin, entry));
		expect(wrong).toBe("its checksum is wrong");
	});

	test.each([1000, 65_536, COPIED + 1, body.length])(
		"is joined from parts of %d bytes, with what comes after its limit left out",
		async (size) => {
			const parts = Array.from(
				{ length: Math.ceil(body.length / size) },
				(_, i) => body.subarray(i * size, (i + 1) * size),
			);
			for (const most of [0, 1, COPIED, COPIED + 1, body.length])
				expect(await copyInTurns(parts, most)).toEqual(body.slice(0, most));
		},
	);

	test("has memory for its program made ready in steps, between which an index judges", () => {
		const index = new RobotsIndex({ agent: "x" });
		index.set(origin, "User-agent: *\nDisallow: /a");
		const { byteLength } = index;
		const steps = index.roomSteps(4 * COPIED);
		let number = 0;
		for (; !steps.next().done; number++)
			expect(index.matchMany([`${origin}/a`, `${origin}/b`])).toEqual(
				Uint8Array.of(0, 1),
			);
		// A block for it, and the input region, which is a little larger.
		expect(number).toBe(9);
		expect(index.byteLength).toBe(byteLength);
		// Without memory there is nothing to do.
		expect(count(index.roomSteps(2 ** 31))[0]).toBeGreaterThan(0);
	});

	/** The most bytes that are copied in a turn of the event loop until something has ended. */
	async function mostCopied(call: Promise<unknown>): Promise<number> {
		let copied = 0;
		let most = 0;
		const { set, slice } = Uint8Array.prototype;
		const note = (bytes: ArrayLike<unknown>) => {
			copied += bytes.length;
			most = Math.max(most, copied);
		};
		using _ = vi
			.spyOn(Uint8Array.prototype, "set")
			.mockImplementation(function (this: Uint8Array, from, at) {
				note(from);
				set.call(this, from, at);
			});
		using __ = vi
			.spyOn(Uint8Array.prototype, "slice")
			.mockImplementation(function (this: Uint8Array, from, to) {
				const copy = slice.call(this, from, to);
				note(copy);
				return copy;
			});
		const ended = call.then(() => true);
		const turn = () => new Promise<false>((go) => setImmediate(go, false));
		while (!(await Promise.race([ended, turn()]))) copied = 0;
		return most;
	}

	test("is copied at most 512 KiB in a turn, from the network to the store and back", async () => {
		using _ = slowClock();
		// What has begun by the other clock ends.
		await new Promise(setImmediate);
		const store = new MemoryStore();
		const time = clock();
		// Of a file that is too large no rules are read.
		const ask = (fetch: Fetch) =>
			clientOf({
				dialect: "yandex",
				maxBytes: body.length - 1,
				fetch,
				store,
				now: time.read,
			});
		// With the entry's description.
		const most = COPIED + 4096;
		// A response whose body is bytes copies them as it is made, in Node 24.
		const { body: stream } = new Response(body);
		await using first = ask(async () => new Response(stream));
		const asked = await mostCopied(first.isAllowed(`${origin}/a`));
		expect(asked).toBeGreaterThanOrEqual(COPIED);
		expect(asked).toBeLessThan(most);
		await using second = ask(async () => Response.error());
		const found = second.robots(origin);
		expect(await mostCopied(found)).toBeLessThan(most);
		expect((await found).copy?.body).toEqual(body);
		// The answer has expired, and is stored anew with the failure.
		time.now += 7 * 86_400_000;
		await using third = ask(async () => {
			throw new Error("no network");
		});
		const failed = third.robots(origin);
		expect(await mostCopied(failed)).toBeLessThan(most);
		expect((await failed).copy?.body).toEqual(body);
		expect(third.stats()).toMatchObject({ failures: 1, storeErrors: 0 });
	});
});
