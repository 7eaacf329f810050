import { randomBytes } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { statfs } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, test, vi } from "vitest";
import { LmdbStore } from "../src/lmdb.ts";

vi.mock("node:fs/promises", async (original) => {
	const all = await original<typeof import("node:fs/promises")>();
	return { ...all, statfs: vi.fn(all.statfs) };
});

/** Told of each read of a database, and of those that copy the value. */
const reads = vi.hoisted(() => ({ heard: () => {}, copied: () => {} }));

vi.mock("lmdb", async (original) => {
	const all = await original<typeof import("lmdb")>();
	const open = (options: Parameters<typeof all.open>[0]) => {
		const database = all.open(options);
		const { get, getBinaryFast } = database;
		database.get = (...args) => {
			reads.copied();
			return get.apply(database, args);
		};
		database.getBinaryFast = (...args) => {
			reads.heard();
			return getBinaryFast.apply(database, args);
		};
		return database;
	};
	return { ...all, open };
});

const folder = mkdtempSync(join(tmpdir(), "robotrie-lmdb-work-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const entry = new TextEncoder().encode("entry");
const keys = Array.from({ length: 200 }, (_, i) => `https://h${i}.test`);

test("what a commit wrote is read back in many turns of the event loop", async () => {
	const store = await LmdbStore.open(join(folder, "turns"));
	let inThisTurn = 0;
	let most = 0;
	let isOver = false;
	const nextTurn = () => {
		inThisTurn = 0;
		if (!isOver) setImmediate(nextTurn);
	};
	const { now } = performance;
	let time = performance.now();
	try {
		const set = Promise.all(keys.map((key) => store.set(key, entry)));
		// From here on each read of the clock takes a millisecond.
		performance.now = () => time++;
		reads.heard = () => {
			most = Math.max(most, ++inThisTurn);
		};
		setImmediate(nextTurn);
		await set;
	} finally {
		isOver = true;
		reads.heard = () => {};
		performance.now = now;
	}
	expect(most).toBeGreaterThan(0);
	expect(most).toBeLessThanOrEqual(6);
	for (const key of keys)
		expect(await store.get(key)).toEqual(Buffer.from(entry));
	await store.close();
});

describe("an entry is read back without a copy", () => {
	const text = Buffer.from("/section-1/page\n".repeat(200_000));
	const sizes = [0, 1, 64, 5000, 70_000, 3_000_000];
	test.each(
		sizes.flatMap((size) => [
			{ size, kind: "noise", value: randomBytes(size) },
			{ size, kind: "text", value: text.subarray(0, size) },
		]),
	)("$size bytes of $kind", async ({ size, kind, value }) => {
		const store = await LmdbStore.open(join(folder, `copies-${kind}-${size}`));
		let copied = 0;
		reads.copied = () => copied++;
		try {
			for (const next of [randomBytes(size + 1), value, value])
				await store.set("a", next);
			expect(copied).toBe(0);
			expect(Buffer.from((await store.get("a")) ?? []).equals(value)).toBe(
				true,
			);
		} finally {
			reads.copied = () => {};
			await store.close();
		}
	});
});

test("a disk with plenty of room is not asked for it at each write", async () => {
	const store = await LmdbStore.open(join(folder, "room"));
	const { bavail, bsize } = await statfs(folder);
	vi.mocked(statfs).mockClear();
	const { now } = performance;
	const time = performance.now();
	performance.now = () => time;
	try {
		for (const key of keys.slice(0, 20)) await store.set(key, entry);
	} finally {
		performance.now = now;
	}
	const isPlenty = bavail * bsize > 2 ** 30;
	expect(statfs).toHaveBeenCalledTimes(isPlenty ? 1 : 20);
	await store.close();
});
