import { randomBytes } from "node:crypto";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import "../../../test/cases.ts";
import { RecentMap } from "../src/common/recent-map.ts";
import { MemoryStore } from "../src/index.ts";

const keys = fc.constantFrom("a", "b", "c", "d", "e");

test("a RecentMap does what a Map does whose used keys are put in again", () => {
	const step = fc.oneof(
		fc.tuple(fc.constant("set" as const), keys, fc.nat()),
		fc.tuple(fc.constantFrom("use", "get", "delete", "oldest"), keys),
		fc.tuple(fc.constant("clear" as const)),
	);
	fc.assert(
		fc.property(fc.array(step), (steps) => {
			const map = new RecentMap<number>();
			const plain = new Map<string, number>();
			for (const [what, key = "", value = 0] of steps) {
				const known = plain.get(key);
				if (what === "set") {
					map.set(key, value);
					plain.delete(key);
					plain.set(key, value);
				} else if (what === "use") {
					expect(map.use(key)).toBe(known);
					if (plain.delete(key)) plain.set(key, known as number);
				} else if (what === "get") {
					expect(map.get(key)).toBe(known);
				} else if (what === "delete") {
					expect(map.delete(key)).toBe(known);
					plain.delete(key);
				} else if (what === "clear") {
					map.clear();
					plain.clear();
				}
				expect(map.oldest()).toBe([...plain.keys()][0]);
				expect(map.size).toBe(plain.size);
			}
		}),
	);
});

describe("A MemoryStore with limits", () => {
	const noise = (size: number) => new Uint8Array(randomBytes(size));

	test("keeps the entries that were used last", async () => {
		const store = new MemoryStore({ maxEntries: 3 });
		for (const key of ["a", "b", "c"]) await store.set(key, noise(10));
		await store.get("a");
		await store.set("d", noise(10));
		await store.set("d", noise(10));
		expect(store.size).toBe(3);
		expect(await store.get("b")).toBeUndefined();
		for (const key of ["a", "c", "d"])
			expect(await store.get(key)).toHaveLength(10);
	});

	test("never takes more bytes", async () => {
		const maxBytes = 100_000;
		const store = new MemoryStore({ maxBytes });
		for (let i = 0; i < 1000; i++) {
			await store.set(`${i % 300}`, noise((i * 7919) % 5000));
			expect(store.byteLength).toBeLessThanOrEqual(maxBytes);
		}
		expect(store.byteLength).toBeGreaterThan(maxBytes - 6000);
		for (let i = 0; i < 300; i++) await store.delete(`${i}`);
		expect(store).toMatchObject({ size: 0, byteLength: 0 });
	});

	test("an entry that is too large takes its predecessor's place, and no other's", async () => {
		const store = new MemoryStore({ maxBytes: 10_000 });
		await store.set("a", noise(100));
		await store.set("b", noise(100));
		await store.set("b", noise(20_000));
		expect(await store.get("b")).toBeUndefined();
		expect(await store.get("a")).toHaveLength(100);
	});

	test.each([100, 200_000])("entries of %d bytes are copies", async (size) => {
		const store = new MemoryStore();
		const entry = noise(size);
		const before = entry.slice();
		const kept = async () => new Uint8Array((await store.get("a")) ?? []);
		let done: Promise<unknown> = store.set("a", entry);
		entry.fill(0);
		(await store.get("a"))?.fill(1);
		expect(await kept()).toEqual(before);
		await done;
		(await store.get("a"))?.fill(1);
		expect(await kept()).toEqual(before);
		const expected = before.slice();
		const next = noise(size);
		const after = next.slice();
		done = store.replace("a", expected, next);
		expected.fill(0);
		next.fill(0);
		expect(await done).toBe(true);
		expect(await kept()).toEqual(after);
	});

	test("large entries are compressed elsewhere, and are there meanwhile", async () => {
		const store = new MemoryStore();
		const zeros = new Uint8Array(500_000);
		const first = store.set("a", zeros);
		const { byteLength } = store;
		expect(await store.get("a")).toEqual(zeros);
		await first;
		expect(store.byteLength).toBeGreaterThan(byteLength);
		expect(store.byteLength).toBeLessThan(10_000);
		expect(new Uint8Array((await store.get("a")) ?? [])).toEqual(zeros);
	});

	// Those of more than 512 KiB are copied in steps.
	test.each([300_000, 600_000])(
		"of several calls at a time for entries of %d bytes and small ones the last one counts",
		async (size) => {
			const store = new MemoryStore();
			const [large, other, small] = [noise(size), noise(size), noise(10)];
			const has = async (entry: Uint8Array) =>
				Buffer.compare((await store.get("a")) ?? Buffer.of(), entry) === 0;
			await Promise.all([store.set("a", large), store.set("a", small)]);
			expect(await has(small)).toBe(true);
			const written = [store.set("a", large), store.set("a", other)];
			// It is there before it is written.
			expect(await has(other)).toBe(true);
			await Promise.all(written);
			expect(await has(other)).toBe(true);
			await Promise.all([store.set("a", large), store.delete("a")]);
			expect(store).toMatchObject({ size: 0, byteLength: 0 });
			await store.set("a", large);
			const changes = [
				store.replace("a", large, other),
				store.replace("a", large, small),
			];
			expect((await Promise.all(changes)).filter(Boolean)).toHaveLength(1);
			expect((await has(other)) || (await has(small))).toBe(true);
		},
	);
});
