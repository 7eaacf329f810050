/** What the client knows of a site survives faults of the store, restarts, other versions and clocks that jump. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { crc32 } from "node:zlib";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { accessFor, type RobotsAccess } from "../../../src/access.ts";
import { casesOf } from "../../../test/cases.ts";
import {
	type Fetch,
	MemoryStore,
	type RobotsClientOptions,
	type RobotsStore,
} from "../src/index.ts";
import { decodeEntry, encodeEntry } from "../src/stores/entry.ts";
import { LmdbStore } from "../src/stores/lmdb-store.ts";
import { RedisStore } from "../src/stores/redis-store.ts";
import { SqliteStore } from "../src/stores/sqlite-store.ts";
import { hasRedis, type RedisServer, startRedis } from "./redis.ts";
import { clientOf, clock, DAY, HOUR, idle, MINUTE } from "./site.ts";
import { hasSqlite } from "./sqlite.ts";

const ORIGIN = "https://a.test";
const URL_B = `${ORIGIN}/b`;

const root = mkdtempSync(join(tmpdir(), "robotrie-knowledge-"));
let redis: RedisServer | undefined;
let stores = 0;
beforeAll(async () => {
	if (hasRedis) redis = await startRedis();
});
afterAll(async () => {
	await redis?.[Symbol.asyncDispose]();
	rmSync(root, { recursive: true, force: true });
});

const kinds: readonly (readonly [
	string,
	boolean,
	() => Promise<RobotsStore>,
])[] = [
	["MemoryStore", true, async () => new MemoryStore()],
	["LmdbStore", true, () => LmdbStore.open(join(root, `l${stores++}`))],
	[
		"SqliteStore",
		hasSqlite,
		() => SqliteStore.open(join(root, `${stores++}.sqlite`)),
	],
	[
		"RedisStore",
		hasRedis,
		() => RedisStore.open(redis?.url ?? "", { prefix: `k${stores++}:` }),
	],
];

/** What a call of a store does instead of what it should. */
type Fault = "rejects" | "garbage";

/** A store whose next calls fail as they are told. */
function faulty(store: RobotsStore) {
	const faults = {
		get: [] as (Fault | undefined)[],
		set: [] as (Fault | undefined)[],
	};
	const hit = async () => {
		if (faults.set.shift()) throw new Error("the store is away");
	};
	const wrapped: RobotsStore = {
		async get(key) {
			const fault = faults.get.shift();
			if (fault === "rejects") throw new Error("the store is away");
			const entry = await store.get(key);
			return fault === "garbage" && entry
				? entry.map((byte, i) => (i === entry.length - 1 ? byte ^ 1 : byte))
				: entry;
		},
		async set(key, entry) {
			await hit();
			await store.set(key, entry);
		},
		...(store.replace && {
			async replace(key, expected, entry) {
				await hit();
				return (await store.replace?.(key, expected, entry)) ?? false;
			},
		}),
		delete: (key) => store.delete(key),
		close: () => store.close(),
	};
	return { store: wrapped, faults };
}

type Answer = number | "timeout";

/** A site whose answers are told one after another; each robots.txt has a number. */
function site() {
	const now = { answer: 200 as Answer, files: 0 };
	const fetch: Fetch = async () => {
		if (now.answer === "timeout") throw new Error("no connection");
		const body =
			now.answer === 200
				? `User-agent: *\nDisallow: /b\n# ${++now.files}\n`
				: null;
		return new Response(body, { status: now.answer });
	};
	return { now, fetch };
}

async function entryOf(store: RobotsStore, key = ORIGIN) {
	const entry = await store.get(key);
	const access = entry && decodeEntry(key, entry);
	return access as RobotsAccess | undefined;
}

/** Asks at once, however long the answer at hand holds. */
async function ask(options: Partial<RobotsClientOptions>) {
	await using client = clientOf({ refreshAhead: 0, ...options });
	const allowed = await client.isAllowed(URL_B);
	await idle(client);
	return allowed;
}

describe.each(kinds)("%s", (_, runs, open) => {
	test.skipIf(!runs)(
		"one failed read in an outage leaves the last good copy",
		async () => {
			const inner = await open();
			const { store, faults } = faulty(inner);
			const { now, fetch } = site();
			const time = clock();
			const options = { store, fetch, now: time.read };
			expect(await ask(options)).toBe(false);
			now.answer = 503;
			for (let day = 0; day < 31; day++) {
				time.now += DAY;
				expect(await ask(options)).toBe(false);
			}
			const before = await entryOf(inner);
			expect(before).toMatchObject({ failures: 31, unreachableFor: 30 * DAY });
			time.now += DAY;
			faults.get.push("rejects");
			expect(await ask(options)).toBe(false);
			expect(await entryOf(inner)).toMatchObject({
				failures: 32,
				unreachableFor: 31 * DAY,
				code: "long-unreachable",
			});
			expect((await entryOf(inner))?.copy?.body).toEqual(before?.copy?.body);
			for (let day = 0; day < 32; day++) {
				time.now += DAY;
				faults.get.push(day % 2 ? "rejects" : undefined, "rejects");
				expect(await ask(options)).toBe(false);
			}
			expect((await entryOf(inner))?.copy?.body).toEqual(before?.copy?.body);
			await inner.close();
		},
	);

	test.skipIf(!runs)("an entry of a newer version stays as it is", async () => {
		const store = await open();
		const { now, fetch } = site();
		const time = clock();
		const options = { store, fetch, now: time.read };
		await ask(options);
		const newer = Buffer.from((await store.get(ORIGIN)) ?? []);
		newer.writeUInt32LE(3, 4);
		await store.set(ORIGIN, newer);
		for (const answer of [200, 503, "timeout", 404] as const) {
			time.now += 2 * DAY;
			now.answer = answer;
			await using client = clientOf(options);
			const told = vi.fn();
			client.on("storeError", told);
			expect(await client.isAllowed(URL_B)).toBe(answer === 404);
			expect(client.stats()).toMatchObject({ requests: 1, corruptEntries: 0 });
			// In memory it is known all the same.
			await client.isAllowed(URL_B);
			expect(client.stats().requests).toBe(1);
			expect(String(told.mock.calls[0]?.[0].error)).toMatch(
				/is kept as it is: it has version 3, and this program reads up to 2/,
			);
			expect(
				Buffer.compare((await store.get(ORIGIN)) ?? ([] as never), newer),
			).toBe(0);
		}
		await store.close();
	});

	test.skipIf(!runs)(
		"what another process learns during a request is not overwritten",
		async () => {
			const store = await open();
			const time = clock();
			const one = site();
			const options = { store, now: time.read, refreshAhead: 0 };
			await ask({ ...options, fetch: one.fetch });
			time.now += 2 * DAY;
			// While this request is under way, and then fails, another one succeeds.
			one.now.files = 41;
			const fetch: Fetch = async () => {
				await ask({ ...options, fetch: one.fetch });
				throw new Error("no connection");
			};
			expect(await ask({ ...options, fetch })).toBe(false);
			const entry = await entryOf(store);
			expect(new TextDecoder().decode(entry?.copy?.body)).toMatch(/# 42\n/);
			expect(entry).toMatchObject({ failures: 1, code: "cached-copy" });
			await store.close();
		},
	);

	test.skipIf(!runs)(
		"replaces an entry only if it is what is expected",
		async () => {
			const store = await open();
			if (!store.replace) return;
			const [a, b, c] = [1, 2, 3].map((byte) => Uint8Array.of(byte, 0, 255));
			if (!a || !b || !c) throw new Error("three");
			expect(await store.replace("k", a, b)).toBe(false);
			expect(await store.replace("k", undefined, a)).toBe(true);
			expect(await store.replace("k", undefined, b)).toBe(false);
			expect(await store.replace("k", c, b)).toBe(false);
			expect(await store.replace("k", a, b)).toBe(true);
			expect([...((await store.get("k")) ?? [])]).toEqual([...b]);
			await store.set("e", new Uint8Array());
			expect(await store.replace("e", undefined, a)).toBe(false);
			expect(await store.replace("e", new Uint8Array(), a)).toBe(true);
			const all = await Promise.all(
				Array.from({ length: 20 }, (_, i) =>
					store.replace?.("k", b, Uint8Array.of(i)),
				),
			);
			expect(all.filter((isWritten) => isWritten)).toHaveLength(1);
			await store.close();
		},
	);
});

type Step = {
	readonly answer: Answer;
	readonly later: number;
	readonly reads: readonly (Fault | undefined)[];
	readonly writes: readonly (Fault | undefined)[];
	readonly restarts: boolean;
};
const fault = fc.option(fc.constantFrom<Fault>("rejects", "garbage"), {
	nil: undefined,
	freq: 2,
});
const steps: fc.Arbitrary<Step[]> = fc.array(
	fc.record({
		answer: fc.constantFrom<Answer>(200, 503, 503, "timeout", 429),
		later: fc.oneof(
			fc.integer({ min: MINUTE, max: DAY }),
			fc.constant(DAY),
			fc.integer({ min: -40 * DAY, max: 40 * DAY }),
		),
		reads: fc.array(fault, { maxLength: 3 }),
		writes: fc.array(fault, { maxLength: 2 }),
		restarts: fc.boolean(),
	}),
	{ minLength: 1, maxLength: 60 },
);

const failing = (reads: Step["reads"]): Step => ({
	answer: 503,
	later: 2 * MINUTE,
	reads,
	writes: [],
	restarts: false,
});

test("knowledge never shrinks by a fault: a site that always disallowed /b never allows it", async () => {
	await fc.assert(
		fc.asyncProperty(steps, async (steps) => {
			const inner = new MemoryStore();
			const { store, faults } = faulty(inner);
			const { now, fetch } = site();
			const time = clock();
			const options = { store, fetch, now: time.read, refreshAhead: 0 };
			expect(await ask(options)).toBe(false);
			let client = clientOf(options);
			let saved = 1;
			let before = await entryOf(inner);
			for (const { answer, later, reads, writes, restarts } of steps) {
				now.answer = answer;
				time.now += later;
				faults.get = [...reads];
				faults.set = [...writes];
				if (restarts) {
					await client.close();
					client = clientOf(options);
				}
				const files = now.files;
				expect(await client.isAllowed(URL_B)).toBe(false);
				await idle(client);
				faults.get = [];
				faults.set = [];
				const entry = await entryOf(inner);
				const copy = new TextDecoder().decode(entry?.copy?.body);
				const file = Number(/# (\d+)/.exec(copy)?.[1]);
				expect(file).toBeGreaterThanOrEqual(saved);
				saved = file;
				// A failure adds to what was known of failures, and takes nothing away.
				if (entry && before && now.files === files) {
					const isSame =
						file ===
						Number(
							/# (\d+)/.exec(new TextDecoder().decode(before.copy?.body))?.[1],
						);
					if (isSame) {
						expect(entry.failures).toBeGreaterThanOrEqual(before.failures);
						expect(entry.unreachableFor).toBeGreaterThanOrEqual(
							before.unreachableFor,
						);
					}
				}
				before = entry;
			}
			await client.close();
		}),
		{
			numRuns: casesOf(100),
			examples: [
				// A read that gives garbage does not show that nothing was there.
				[
					[
						failing(["rejects", "rejects"]),
						failing(["garbage", "rejects"]),
						failing([]),
					],
				],
			],
		},
	);
});

test("version 1 of an entry is read", () => {
	const now = Date.UTC(2026, 0, 1);
	let access = accessFor({ status: 503 }, null, { now });
	for (let hour = 1; hour < 50; hour++)
		access = accessFor({ status: 503 }, access, { now: now + hour * HOUR });
	const entry = Buffer.from(encodeEntry(ORIGIN, access));
	const bodyAt = 16 + entry.readUInt32LE(12);
	const old = (change: object) => {
		const { unreachableFor: _, ...description } = JSON.parse(
			entry.toString("utf8", 16, bodyAt),
		);
		const text = Buffer.from(JSON.stringify({ ...description, ...change }));
		const made = Buffer.concat([entry.subarray(0, 16), text]);
		made.writeUInt32LE(1, 4);
		made.writeUInt32LE(text.length, 12);
		made.writeUInt32LE(crc32(made.subarray(12)), 8);
		return made;
	};
	expect(decodeEntry(ORIGIN, old({}))).toEqual(access);
	// Two failures are no more than a day.
	expect(decodeEntry(ORIGIN, old({ failures: 2 }))).toMatchObject({
		unreachableFor: DAY,
	});
});

/**
 * RFC 9309 §2.3.1.4 as it reads, without the code: what was observed is the list of answers. A site is unreachable for as long as
 * requests have failed one after another, each at most a day after it was due.
 */
function model(
	answers: readonly {
		readonly at: number;
		readonly status: number;
		readonly due: number | null;
	}[],
	limit: number,
): "rules" | "allow-all" | "disallow-all" {
	const last = answers.at(-1);
	if (last?.status === 200) return "rules";
	if (last?.status === 404) return "allow-all";
	const good = answers.findLastIndex(({ status }) => status !== 503);
	const hasCopy = answers[good]?.status === 200;
	const fetched = answers[good]?.at ?? 0;
	const now = last?.at ?? 0;
	if (hasCopy && now < fetched + DAY && now >= fetched - MINUTE) return "rules";
	let failing = 0;
	for (let i = good + 2; i < answers.length; i++) {
		const [one, two] = [answers[i - 1], answers[i]];
		if (!one || !two) continue;
		const isObserved = two.at >= one.at && two.at <= (one.due ?? one.at) + DAY;
		if (isObserved) failing += two.at - one.at;
	}
	if (failing <= limit) return "disallow-all";
	return hasCopy ? "rules" : "allow-all";
}

describe("a day of clock jumps and outages", () => {
	const run = (
		statuses: readonly number[],
		gaps: readonly number[],
		limit: number,
	) => {
		const answers: Parameters<typeof model>[0][number][] = [];
		let previous: RobotsAccess | null = null;
		let at = Date.UTC(2026, 0, 1);
		for (const [i, status] of statuses.entries()) {
			at += gaps[i] ?? 0;
			const access: RobotsAccess = accessFor({ status }, previous, {
				now: at,
				unreachableLimit: limit,
			});
			previous = access;
			answers.push({ at, status, due: access.retryAfter });
			expect([i, at, access.access]).toEqual([i, at, model(answers, limit)]);
		}
		return previous;
	};

	test("minute by minute, with a limit of two hours", () => {
		const minutes = Array.from({ length: 24 * 60 }, (_, i) => i);
		const jumps = [
			-5 * 365 * DAY,
			3 * HOUR,
			-3 * HOUR,
			40 * DAY,
			-40 * DAY,
			DAY,
		];
		const seen = new Set<string>();
		for (let seed = 0; seed < 20; seed++) {
			let state = seed * 7919 + 1;
			const random = (n: number) => {
				state = (state * 48_271) % 2_147_483_647;
				return state % n;
			};
			let down = false;
			const statuses = minutes.map(() => {
				if (random(300) === 0) down = !down;
				return down ? 503 : random(20) ? 200 : 404;
			});
			const gaps = minutes.map(() =>
				random(60) ? MINUTE : (jumps[random(jumps.length)] as number),
			);
			seen.add(run(statuses, gaps, 2 * HOUR)?.access ?? "");
		}
		expect(seen.size).toBeGreaterThan(1);
	});

	test("for months, with the limit of 30 days", () => {
		const step = fc.tuple(
			fc.constantFrom(503, 503, 503, 503, 503, 503, 503, 503, 200, 404),
			fc.oneof(
				{ weight: 20, arbitrary: fc.integer({ min: HOUR, max: DAY }) },
				{ weight: 1, arbitrary: fc.integer({ min: -60 * DAY, max: 60 * DAY }) },
			),
		);
		fc.assert(
			fc.property(fc.array(step, { maxLength: 120 }), (steps) => {
				run(
					steps.map(([status]) => status),
					steps.map(([, gap]) => gap),
					30 * DAY,
				);
			}),
			{ numRuns: casesOf(300) },
		);
	});
});

test("within a process, a clock that is set does not change for how long a site was down", async () => {
	vi.useFakeTimers({
		toFake: ["Date", "performance"],
		now: Date.UTC(2026, 0, 1),
	});
	try {
		const store = new MemoryStore();
		const { now, fetch } = site();
		now.answer = 503;
		await using client = clientOf({ store, fetch });
		for (const jump of [0, -5 * 365 * DAY, 5 * 365 * DAY, 40 * DAY, -HOUR]) {
			vi.advanceTimersByTime(HOUR);
			vi.setSystemTime(Date.now() + jump);
			await client.fetch(ORIGIN);
		}
		expect(await entryOf(store)).toMatchObject({
			failures: 5,
			unreachableFor: 4 * HOUR,
			access: "disallow-all",
		});
	} finally {
		vi.useRealTimers();
	}
});
