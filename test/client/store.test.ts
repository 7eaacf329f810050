import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, test } from "vitest";
import {
	MemoryStore,
	type RobotsClientEvents,
	type RobotsStore,
} from "../../src/client.ts";
import { clientOf, file, serve } from "./site.ts";

describe("A store", () => {
	test("gives the next client what the last one fetched", async () => {
		await using site = await serve(file);
		const store = new MemoryStore();
		const url = `${site.origin("a.test")}/private`;
		for (const storeHits of [0, 1, 1]) {
			await using client = clientOf({ store });
			expect(await client.isAllowed(url)).toBe(false);
			expect(client.stats()).toMatchObject({ storeHits });
		}
		expect(site.requests).toHaveLength(1);
	});

	test("has it before anybody is told", async () => {
		await using site = await serve(file);
		const memory = new MemoryStore();
		const order: string[] = [];
		const store: RobotsStore = {
			get: (key) => memory.get(key),
			async set(key, entry) {
				await sleep(20);
				await memory.set(key, entry);
				order.push("stored");
			},
			delete: (key) => memory.delete(key),
			close: () => memory.close(),
		};
		await using client = clientOf({ store });
		await client.isAllowed(site.origin("a.test"));
		order.push("told");
		expect(order).toEqual(["stored", "told"]);
	});

	const damage: readonly (readonly [
		string,
		(entry: Uint8Array) => Uint8Array,
		RegExp,
	])[] = [
		["nothing", () => new Uint8Array(), /too short/],
		["fewer bytes", (entry) => entry.subarray(0, -1), /check sum/],
		[
			"more bytes",
			(entry) => Buffer.concat([entry, Buffer.from("x")]),
			/check sum/,
		],
		[
			"one bit in the body",
			(entry) =>
				entry.map((byte, i) => (i === entry.length - 2 ? byte ^ 1 : byte)),
			/check sum/,
		],
		[
			"one bit in the description",
			(entry) => entry.map((byte, i) => (i === 40 ? byte ^ 4 : byte)),
			/check sum/,
		],
		[
			"another version",
			(entry) => entry.map((byte, i) => (i === 4 ? 99 : byte)),
			/version 99, not 1/,
		],
		[
			"something else",
			() => new TextEncoder().encode('{"access":"allow-all"}'),
			/no entry/,
		],
	];

	test.each(damage)(
		"whose entry is damaged is not trusted: %s",
		async (_, change, message) => {
			await using site = await serve(file);
			const store = new MemoryStore();
			const origin = site.origin("a.test");
			{
				await using client = clientOf({ store });
				await client.isAllowed(origin);
			}
			await store.set(origin, change((await store.get(origin)) as Uint8Array));
			await using client = clientOf({ store });
			const told: RobotsClientEvents["corrupt"][] = [];
			client.on("corrupt", (event) => told.push([event]));
			expect(await client.isAllowed(`${origin}/private`)).toBe(false);
			expect(told).toMatchObject([[{ origin }]]);
			expect(told[0]?.[0].reason).toMatch(message);
			expect(client.stats().corruptEntries).toBe(1);
			expect(site.requests).toHaveLength(2);
			await using next = clientOf({ store });
			await next.isAllowed(origin);
			expect(site.requests).toHaveLength(2);
		},
	);

	test("that gives another origin's entry is not trusted", async () => {
		await using site = await serve(file);
		const store = new MemoryStore();
		await using client = clientOf({ store });
		const [a, b] = [site.origin("a.test"), site.origin("b.test")];
		await client.isAllowed(a);
		await store.set(b, (await store.get(a)) as Uint8Array);
		await client.isAllowed(b);
		expect(client.stats()).toMatchObject({ requests: 2, corruptEntries: 1 });
	});

	test("that fails is done without, and told of", async () => {
		await using site = await serve(file);
		const fail = () => Promise.reject(new Error("store is away"));
		const store = { get: fail, set: fail, delete: fail, close: fail };
		await using client = clientOf({ store });
		const told: unknown[] = [];
		client.on("storeError", ({ operation, error }) =>
			told.push([operation, (error as Error).message]),
		);
		expect(await client.isAllowed(`${site.origin("a.test")}/private`)).toBe(
			false,
		);
		expect(told).toEqual([
			["get", "store is away"],
			["set", "store is away"],
		]);
		expect(client.stats().storeErrors).toBe(2);
	});

	test("keeps what another client has cut from one that wants more", async () => {
		await using site = await serve(file);
		const store = new MemoryStore();
		const url = `${site.origin("a.test")}/private`;
		await using small = clientOf({ store, maxBytes: 20 });
		expect(await small.isAllowed(url)).toBe(true);
		await using large = clientOf({ store });
		expect(await large.isAllowed(url)).toBe(false);
		expect(site.requests).toHaveLength(2);
	});

	test("keeps what Yandex reads otherwise apart", async () => {
		await using site = await serve((_, response) => {
			response.statusCode = 503;
			response.end();
		});
		const store = new MemoryStore();
		const url = site.origin("a.test");
		await using strict = clientOf({ store });
		expect(await strict.isAllowed(url)).toBe(false);
		await using yandex = clientOf({ store, dialect: "yandex" });
		expect(await yandex.isAllowed(url)).toBe(true);
		await using google = clientOf({ store, dialect: "google" });
		expect(await google.isAllowed(url)).toBe(false);
		expect(site.requests).toHaveLength(2);
	});
});
