import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { beforeEach, describe, expect, test, vi } from "vitest";
import { until } from "../../src/common/chunks.ts";
import { type Matcher, RobotsTxt } from "../../src/index.ts";

// The module's linear memory is private to the engine: watched where it is made.
const { watched } = vi.hoisted(() => {
	const watched = { memory: undefined as WebAssembly.Memory | undefined };
	WebAssembly.Instance = class extends WebAssembly.Instance {
		constructor(...args: ConstructorParameters<typeof WebAssembly.Instance>) {
			super(...args);
			watched.memory = this.exports.memory as WebAssembly.Memory;
		}
	};
	return { watched };
});

const MIB = 2 ** 20;
const linear = () => (watched.memory?.buffer.byteLength ?? Number.NaN) / MIB;
const file = (i: number) =>
	`User-agent: *\nDisallow: /a${i}\nAllow: /*b${i}$\n`;
const compile = (i: number) => RobotsTxt.parse(file(i)).for("x");

/** JavaScript's memory in use, MiB, once garbage is gone. */
function heap(): number {
	setFlagsFromString("--expose-gc");
	(runInNewContext("gc") as () => void)();
	return process.memoryUsage().heapUsed / MIB;
}

/** As much as a process may keep in use: the engine's limit for resident programs and what it copies through. */
const LIMIT = 96;

beforeEach(() => {
	// Nothing is instantiated before it is needed.
	compile(0);
	expect(linear()).toBeGreaterThan(0);
});

const ROUNDS = 100_000;

describe(`${ROUNDS} matchers in a loop that never yields`, () => {
	const loops: readonly (readonly [string, (i: number) => unknown])[] = [
		["compiled only", (i) => compile(i)],
		["used and forgotten", (i) => compile(i).isAllowed(`/a${i}`)],
		[
			"used and disposed of",
			(i) => {
				using matcher = compile(i);
				matcher.isAllowed("/b");
			},
		],
		[
			"by RobotsTxt.isAllowed",
			(i) => RobotsTxt.parse(file(i)).isAllowed(`/a${i}`, "x"),
		],
		[
			"one RobotsTxt asked for ever new agents",
			(() => {
				const robots = RobotsTxt.parse(file(1));
				return (i: number) => robots.isAllowed("/", `agent${i}`);
			})(),
		],
		[
			"by RobotsTxt.canonicalUrl",
			(i) => RobotsTxt.parse(`Clean-param: a /b${i}`).canonicalUrl(`/b${i}?a`),
		],
		[
			"preferences and canonical URLs, disposed of",
			(i) => {
				using robots = RobotsTxt.parse(
					`User-agent: *\nContent-Usage: /a${i} b=n\nClean-param: a /b${i}`,
				);
				robots.preferences(`/a${i}`, "x");
				robots.canonicalUrl(`/b${i}?a`);
			},
		],
	];
	const keepsPlace = new Set([
		"used and forgotten",
		"by RobotsTxt.isAllowed",
		"by RobotsTxt.canonicalUrl",
	]);
	test.each(loops)("%s: memory stays flat", (what, action) => {
		for (let i = 0; i < ROUNDS / 2; i++) action(i);
		const half = linear();
		const heapHalf = heap();
		for (let i = ROUNDS / 2; i < ROUNDS; i++) action(i);
		expect(linear()).toBeLessThanOrEqual(Math.max(half, LIMIT));
		expect(linear()).toBeLessThanOrEqual(LIMIT);
		// Records of programs that keep their place until others need it; else 40 bytes a matcher would be seen.
		expect(heap() - heapHalf).toBeLessThan(keepsPlace.has(what) ? 8 : 2);
	});
});

test("large programs in a loop: linear memory stays flat", () => {
	const rules = Array.from(
		{ length: 10_000 },
		(_, n) => `Disallow: /${n}x*y${n}`,
	);
	const robots = RobotsTxt.parse(`User-agent: *\n${rules.join("\n")}`);
	for (let i = 0; i < 30; i++)
		expect(robots.for("x").isAllowed("/42x-y42")).toBe(false);
	const once = linear();
	for (let i = 0; i < 90; i++)
		expect(robots.for("x").isAllowed("/42x-y43")).toBe(true);
	expect(linear()).toBeLessThanOrEqual(Math.max(once, 2 * LIMIT));
});

test("evicted matchers answer as before", () => {
	const rules = Array.from({ length: 5000 }, (_, n) => `Disallow: /*${n}z*q`);
	const large = RobotsTxt.parse(`User-agent: *\n${rules.join("\n")}`);
	const first: Matcher[] = Array.from({ length: 200 }, (_, i) => compile(i));
	const check = () =>
		first.forEach((matcher, i) => {
			expect(matcher.isAllowed(`/a${i}`)).toBe(false);
			expect(matcher.match(`/xb${i}`)?.line).toBe(3);
			expect([...matcher.matchMany([`/a${i}`, "/c", "x"])]).toEqual([0, 1, 3]);
		});
	check();
	// More bytes of programs than have a place at once.
	const others = Array.from({ length: 1000 }, () => large.for("x"));
	const bytes = others.reduce((sum, matcher) => sum + matcher.byteLength, 0);
	expect(bytes).toBeGreaterThan(64 * MIB);
	for (const matcher of others) expect(matcher.isAllowed("/7z/q")).toBe(false);
	check();
	for (const matcher of others) expect(matcher.isAllowed("/7z/")).toBe(true);
	check();
});

test("disposing of one matcher leaves the others alone", () => {
	const robots = RobotsTxt.parse(file(1));
	const [one, two] = [robots.for("x"), robots.for("x")];
	expect(one.isAllowed("/a1")).toBe(false);
	expect(two.isAllowed("/a1")).toBe(false);
	one[Symbol.dispose]();
	const three = compile(3);
	expect(three.isAllowed("/a3")).toBe(false);
	expect(two.isAllowed("/a1")).toBe(false);
	expect(() => one.isAllowed("/a1")).toThrow("disposed");
});

test("a RobotsTxt answers after its dispose as before", () => {
	const robots = RobotsTxt.parse(
		`${file(1)}Content-Usage: /c b=n\nClean-param: a /b`,
	);
	const check = () => {
		expect(robots.isAllowed("/a1", "x")).toBe(false);
		expect(robots.canonicalUrl("/b?a")).toBe("/b");
		expect(robots.preferences("/c", "x").contentUsage.b?.allowed).toBe(false);
	};
	check();
	robots[Symbol.dispose]();
	check();
});

test("memory of long inputs is reused", () => {
	const matcher = compile(1);
	const long = new TextEncoder().encode(`/${"%61".repeat(300_000)}\n/a1`);
	expect([...matcher.matchLines(long)]).toEqual([1, 0]);
	const once = linear();
	for (let i = 0; i < 20; i++)
		expect([...matcher.matchLines(long)]).toEqual([1, 0]);
	expect(linear()).toBe(once);
});

test("a source that a signal may end keeps nothing of what it gave", async () => {
	const { signal } = new AbortController();
	const before = heap();
	let given = 0;
	const source = (function* () {
		// 0.8 MiB each.
		for (; given < 200; given++) yield new Array<number>(100_000).fill(given);
	})();
	for await (const { length } of until(signal, source)) {
		expect(length).toBe(100_000);
		if (given === 199) expect(heap() - before).toBeLessThan(20);
	}
	expect(given).toBe(200);
});
