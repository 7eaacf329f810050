import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { openStore, type RobotsStore } from "../src/index.ts";
import { RedisStore } from "../src/stores/redis-store.ts";
import { hasRedis, type RedisServer, startRedis } from "./redis.ts";
import { clientOf, FILE, serve } from "./site.ts";
import { hasSqlite } from "./sqlite.ts";

const root = mkdtempSync(join(tmpdir(), "robotrie-killed-"));
let redis: RedisServer | undefined;

beforeAll(async () => {
	if (hasRedis) redis = await startRedis();
});
afterAll(async () => {
	await redis?.[Symbol.asyncDispose]();
	rmSync(root, { recursive: true, force: true });
});

const bytes = (...values: number[]) => Uint8Array.from(values);

/** Processes that write to a store, and the numbers of the entries that they were told are kept. */
function startWriter(location: string, name: string) {
	const script = fileURLToPath(new URL("./store-writer.mjs", import.meta.url));
	const child = spawn(process.execPath, [script, location, name], {
		stdio: ["ignore", "pipe", "inherit"],
	});
	const acknowledged: number[] = [];
	createInterface(child.stdout).on("line", (line) =>
		acknowledged.push(Number(line)),
	);
	return {
		acknowledged,
		async kill() {
			child.kill("SIGKILL");
			await once(child, "close");
		},
	};
}

const expectKept = async (
	store: RobotsStore,
	name: string,
	acknowledged: readonly number[],
) => {
	for (const i of acknowledged) {
		const key = `https://${name}-${i}.example`;
		const entry = Buffer.from((await store.get(key)) ?? []).toString();
		expect(entry).toBe(`${key} `.repeat(1 + (i % 200)));
	}
};

const shared: readonly (readonly [string, boolean, () => string])[] = [
	["an LMDB folder", true, () => join(root, "store")],
	["an SQLite file", hasSqlite, () => join(root, "store.sqlite")],
	["a Redis server", hasRedis, () => redis?.url ?? ""],
];

describe.each(shared)("Processes that use %s", (_, runs, place) => {
	test.skipIf(!runs)(
		"may be killed: what they were told is kept stays",
		async () => {
			const location = place();
			for (const round of [1, 2, 3]) {
				const names = ["a", "b"].map((name) => `${name}${round}`);
				const writers = names.map((name) => startWriter(location, name));
				await vi.waitFor(
					() => {
						for (const { acknowledged } of writers)
							expect(acknowledged.length).toBeGreaterThan(100);
					},
					{ timeout: 30_000, interval: 1 },
				);
				await Promise.all(writers.map((writer) => writer.kill()));
				const store = await openStore(location);
				for (const [i, { acknowledged }] of writers.entries())
					await expectKept(store, names[i] ?? "", acknowledged);
				await store.set("https://after.example", bytes(round));
				expect(await store.get("https://after.example")).toHaveLength(1);
				await store.close();
			}
		},
	);

	test.skipIf(!runs)("see what others have written", async () => {
		const location = place();
		const reader = await openStore(location);
		const writer = startWriter(location, "c");
		await vi.waitFor(
			() => expect(writer.acknowledged.length).toBeGreaterThan(20),
			{ timeout: 30_000 },
		);
		await expectKept(reader, "c", writer.acknowledged.slice(0, 20));
		await writer.kill();
		await reader.close();
	});
});

describe.skipIf(!hasRedis)("A Redis server that is stopped", () => {
	test("takes a call 5 seconds at most, and does not keep the store open", async () => {
		await using server = await startRedis();
		const store = await RedisStore.open(server.url);
		await store.set("http://a", bytes(1));
		server.stop();
		const calls = [
			store.get("http://a"),
			store.set("http://a", bytes(2)),
			store.delete("http://a"),
			RedisStore.open(server.url),
		];
		for (const call of await Promise.allSettled(calls))
			expect(call).toMatchObject({
				status: "rejected",
				reason: {
					message: expect.stringMatching(/gave no answer within 5000 ms/),
				},
			});
		await store.close();
	});

	test("is done without", async () => {
		await using server = await startRedis();
		await using site = await serve((_, response) => response.end(FILE));
		const store = await RedisStore.open(server.url);
		await using client = clientOf({ store, storeTimeout: 200 });
		server.stop();
		const urls = ["a", "b", "c", "d"].map(
			(name) => `${site.origin(`${name}.test`)}/private`,
		);
		for (const url of urls) expect(await client.isAllowed(url)).toBe(false);
		expect(client.stats()).toMatchObject({ requests: 4, storeErrors: 8 });
		server.resume();
		await store.close();
	});
});
