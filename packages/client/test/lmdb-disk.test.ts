import { mkdtempSync, rmSync } from "node:fs";
import { statfs } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeEach, expect, test, vi } from "vitest";
import { LmdbStore } from "../src/lmdb.ts";

vi.mock("node:fs/promises", { spy: true });

const folder = mkdtempSync(join(tmpdir(), "robotrie-disk-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
beforeEach(() => {
	vi.mocked(statfs).mockClear();
});

test("writes that begin together ask once how much room there is", async () => {
	const store = await LmdbStore.open(join(folder, "many"));
	const entry = new Uint8Array(100);
	await Promise.all(
		Array.from({ length: 200 }, (_, i) => store.set(`key ${i}`, entry)),
	);
	expect(vi.mocked(statfs).mock.calls.length).toBeLessThan(10);
	await store.set("key", entry);
	expect(await store.get("key 199")).toHaveLength(100);
	await store.close();
});

test("there has to be room for all of them", async () => {
	const store = await LmdbStore.open(join(folder, "full"));
	const free = (bytes: number) =>
		vi
			.mocked(statfs)
			.mockResolvedValue({ bavail: 2 ** 20 + bytes, bsize: 1 } as never);
	free(10_000);
	const entry = new Uint8Array(3000);
	const sets = await Promise.allSettled(
		["a", "b", "c"].map((key) => store.set(key, entry)),
	);
	expect(sets.map(({ status }) => status)).toEqual([
		"fulfilled",
		"rejected",
		"rejected",
	]);
	expect(sets[1]).toMatchObject({
		reason: {
			code: "store-unavailable",
			message: expect.stringMatching(/less than 1060576 bytes are free/),
		},
	});
	// Nothing is left over from those that are done.
	await store.set("b", entry);
	await store.delete("a");
	expect(await store.get("b")).toHaveLength(3000);
	await store.close();
});
