import { mkdtempSync, rmSync } from "node:fs";
import { statfs } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test, vi } from "vitest";
import { LmdbStore } from "../../src/store-lmdb.ts";

vi.mock("node:fs/promises", async (original) => {
	const all = await original<typeof import("node:fs/promises")>();
	return { ...all, statfs: vi.fn(all.statfs) };
});

/** Told of each read of a database. */
const reads = vi.hoisted(() => ({ heard: () => {} }));

vi.mock("lmdb", async (original) => {
	const all = await original<typeof import("lmdb")>();
	const open = (options: Parameters<typeof all.open>[0]) => {
		const database = all.open(options);
		const { get } = database;
		database.get = (...args) => {
			reads.heard();
			return get.apply(database, args);
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
