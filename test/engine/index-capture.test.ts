import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { RobotsIndex, RobotsTxt } from "../../src/index.ts";
import { casesOf } from "../cases.ts";

/** Snapshots and lists of origins while the index changes. */

const ORIGINS = 9000;
const originOf = (i: number) => `https://h${i}.example`;
/** Different programs, each of its rules allows one path. */
const robotsOf = (i: number) =>
	`User-agent: *\nDisallow: /\nAllow: /${"x".repeat(200)}${i}\n`;
const pathOf = (i: number) => `/${"x".repeat(200)}${i}`;

/** What is known about an index: the program of each origin. */
type Model = ReadonlyMap<number, number>;

function expectSame(index: RobotsIndex, model: Model): void {
	expect([...index.origins()].sort()).toEqual(
		[...model.keys()].map(originOf).sort(),
	);
	const urls = [...model].map(([i, program]) => originOf(i) + pathOf(program));
	expect(index.matchMany(urls).every((verdict) => verdict === 1)).toBe(true);
	expect(index.stats().programs).toBe(new Set(model.values()).size);
}

class Changed {
	readonly index: RobotsIndex;
	readonly model: Map<number, number>;

	constructor(
		index = new RobotsIndex({ agent: "x" }),
		model: Model = new Map(),
	) {
		this.index = index;
		this.model = new Map(model);
	}

	set(i: number, program: number): void {
		this.index.set(originOf(i), robotsOf(program));
		this.model.set(i, program);
	}

	delete(i: number): void {
		expect(this.index.delete(originOf(i))).toBe(this.model.delete(i));
	}
}

/** Made once for each number of origins, since compiling takes long. */
const made = new Map<number, { bytes: Uint8Array; model: Model }>();

function filled(origins = ORIGINS): Changed {
	const known = made.get(origins);
	if (known)
		return new Changed(RobotsIndex.fromBytes(known.bytes), known.model);
	const changed = new Changed();
	for (let i = 0; i < origins; i++) changed.set(i, i % 6000);
	made.set(origins, {
		bytes: changed.index.toBytes(),
		model: new Map(changed.model),
	});
	return changed;
}

/** Reads a chunk whenever it is told to, so that changes come between any two. */
async function collect(
	chunks: AsyncIterable<Uint8Array>,
	between: (chunk: number) => void,
): Promise<Uint8Array[]> {
	const all: Uint8Array[] = [];
	for await (const chunk of chunks) {
		all.push(chunk);
		between(all.length);
	}
	return all;
}

describe("a snapshot in chunks", () => {
	const change = fc.record({
		origin: fc.nat(ORIGINS + 500),
		program: fc.option(fc.nat(7000), { freq: 3 }),
	});

	test("is that of one moment, whatever is set and deleted meanwhile", async () => {
		await fc.assert(
			fc.asyncProperty(
				fc.array(fc.array(change, { maxLength: 200 }), {
					minLength: 2,
					maxLength: 6,
				}),
				async (rounds) => {
					const changed = filled();
					const { index } = changed;
					const before = new Map(changed.model);
					const chunks = await collect(index.snapshot(), (count) => {
						for (const { origin, program } of rounds[count] ?? [])
							if (program === null) changed.delete(origin);
							else changed.set(origin, program);
						expect(index.size).toBe(changed.model.size);
					});
					expect(chunks.length).toBeGreaterThan(3);
					expectSame(await RobotsIndex.load(chunks), before);
					expectSame(RobotsIndex.fromBytes(Buffer.concat(chunks)), before);
					expectSame(index, changed.model);
					expectSame(RobotsIndex.fromBytes(index.toBytes()), changed.model);
				},
			),
			{ numRuns: casesOf(6), seed: 25 },
		);
	});

	test("two at a time, of different moments", async () => {
		const changed = filled();
		const models: Model[] = [];
		const loaded: Promise<RobotsIndex>[] = [];
		for (let round = 0; round < 3; round++) {
			const chunks = changed.index.snapshot();
			models.push(new Map(changed.model));
			const first = await chunks.next();
			loaded.push(
				RobotsIndex.load(
					(async function* () {
						if (!first.done) yield first.value;
						yield* chunks;
					})(),
				),
			);
			for (let i = 0; i < 100; i++) changed.set(i * 7, 3000 + round);
			for (let i = 0; i < 10; i++) changed.delete(1000 + round * 10 + i);
		}
		for (const [i, index] of loaded.entries())
			expectSame(await index, models[i] as Model);
		expectSame(changed.index, changed.model);
	});

	test("what it kept is freed, also when it is left early", async () => {
		const changed = filled();
		const { index } = changed;
		const round = async (early: boolean) => {
			for await (const _ of index.snapshot()) {
				for (let i = 0; i < 500; i++) changed.set(i, i + 1);
				for (let i = 0; i < 500; i++) changed.set(i, i);
				if (early) break;
			}
		};
		await round(false);
		const { byteLength } = index;
		for (let i = 0; i < 5; i++) await round(i % 2 === 0);
		for (const origin of index.origins()) {
			index.delete(origin);
			break;
		}
		changed.model.delete(
			[...changed.model.keys()].find((i) => !index.has(originOf(i))) ?? -1,
		);
		expectSame(index, changed.model);
		expect(index.byteLength).toBeLessThanOrEqual(byteLength);
	});

	test("lets the event loop have a turn for each chunk", async () => {
		const { index } = filled();
		let turns = 0;
		let going = true;
		const count = () => {
			turns++;
			if (going) setImmediate(count);
		};
		setImmediate(count);
		const chunks = await collect(index.snapshot(), () => {});
		const saved = turns;
		expect(saved).toBeGreaterThanOrEqual(chunks.length - 1);
		// A source that has all at once.
		await RobotsIndex.load([Buffer.concat(chunks)]);
		expect(turns - saved).toBeGreaterThanOrEqual(2);
		going = false;
	});

	test("may come in chunks of any size", async () => {
		const changed = filled(100);
		const bytes = changed.index.toBytes();
		for (const size of [1, 17, 1000, bytes.length]) {
			const shared = new Uint8Array(size);
			const loaded = await RobotsIndex.load(
				(function* () {
					for (let at = 0; at < bytes.length; at += size) {
						const part = bytes.subarray(at, at + size);
						// Chunks may change once the next one is asked for.
						shared.set(part);
						yield shared.subarray(0, part.length);
					}
				})(),
			);
			expectSame(loaded, changed.model);
		}
	});

	test("with a program larger than a chunk", async () => {
		const index = new RobotsIndex({ agent: "x" });
		const rules = Array.from(
			{ length: 60_000 },
			(_, i) => `Disallow: /${(i * 7919) % 100_003}/ZQZQZQ`,
		);
		index.set("https://a.example", "disallow-all");
		const text = `User-agent: *\n${rules.join("\n")}`;
		index.set(
			"https://large.example",
			RobotsTxt.parse(text, { maxBytes: 4 * 2 ** 20 }),
		);
		index.set("https://b.example", "disallow-all");
		expect(index.stats().programBytes).toBeGreaterThan(2 ** 19);
		const chunks = await collect(index.snapshot(), () => {});
		const bytes = Buffer.concat(chunks);
		expect(bytes).toEqual(Buffer.from(index.toBytes()));
		for (const source of [chunks, [bytes], chunksIn(bytes, 65_536)]) {
			const loaded = await RobotsIndex.load(source);
			expect(loaded.stats()).toMatchObject({ origins: 3, programs: 2 });
			expect([
				...loaded.matchMany(["https://large.example/7919/ZQZQZQ"]),
			]).toEqual([0]);
		}
	});
});

function* chunksIn(bytes: Uint8Array, size: number): Generator<Uint8Array> {
	for (let at = 0; at < bytes.length; at += size)
		yield bytes.subarray(at, at + size);
}

describe("the iterator of origins", () => {
	test("gives each origin of its beginning once, though all are deleted and others set", () => {
		const changed = filled();
		const found: string[] = [];
		for (const origin of changed.index.origins()) {
			found.push(origin);
			expect(changed.index.delete(origin)).toBe(true);
			changed.index.set(`${origin}:81`, "allow-all");
		}
		expect(found.sort()).toEqual(
			[...changed.model.keys()].map(originOf).sort(),
		);
		expect(changed.index.size).toBe(ORIGINS);
	});

	test("begins without reading all", () => {
		const { index } = filled();
		const [first] = index.origins();
		expect(first).toMatch(/^https:\/\/h\d+\.example$/);
	});
});

describe("expectedOrigins", () => {
	test("makes room for the tables at once", () => {
		const index = new RobotsIndex({ agent: "x", expectedOrigins: 10_000 });
		const empty = index.byteLength;
		expect(empty).toBeGreaterThan(2 * 10_000 * 4);
		index.set("https://h.example", "allow-all");
		expect(index.byteLength - empty).toBeLessThan(1000);
		expect(new RobotsIndex({ agent: "x" }).byteLength).toBeLessThan(1000);
	});
	test("is refused when there is no room for it", () => {
		expect(
			() =>
				new RobotsIndex({
					agent: "x",
					expectedOrigins: 10_000,
					maxBytes: 10_000,
				}),
		).toThrow("a table of 10000 origins needs 65552 bytes");
	});
});
