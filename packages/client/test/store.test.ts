import { setTimeout as sleep } from "node:timers/promises";
import { crc32 } from "node:zlib";
import { describe, expect, test } from "vitest";
import {
	MemoryStore,
	type RobotsClientEvents,
	type RobotsStore,
} from "../src/index.ts";
import { clientOf, FILE, file, serve } from "./site.ts";

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
		["fewer bytes", (entry) => entry.subarray(0, -1), /checksum/],
		[
			"more bytes",
			(entry) => Buffer.concat([entry, Buffer.from("x")]),
			/checksum/,
		],
		[
			"one bit in the body",
			(entry) =>
				entry.map((byte, i) => (i === entry.length - 2 ? byte ^ 1 : byte)),
			/checksum/,
		],
		[
			"one bit in the description",
			(entry) => entry.map((byte, i) => (i === 40 ? byte ^ 4 : byte)),
			/checksum/,
		],
		[
			"a version that never was",
			(entry) => entry.map((byte, i) => (i === 4 ? 0 : byte)),
			/version 0, which does not exist/,
		],
		[
			"a newer version and damage",
			(entry) =>
				entry.map((byte, i) =>
					i === 4 ? 99 : i === entry.length - 2 ? byte ^ 1 : byte,
				),
			/checksum/,
		],
		[
			"something else",
			() => new TextEncoder().encode('{"access":"allow-all"}'),
			/not an entry/,
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

	/** An entry whose check sum is right, with another description. */
	const withDescription = (
		entry: Uint8Array,
		change: (description: Record<string, unknown>) => unknown,
	) => {
		const old = Buffer.from(entry);
		const bodyAt = 16 + old.readUInt32LE(12);
		const now = change(JSON.parse(old.toString("utf8", 16, bodyAt)));
		const text = Buffer.from(
			typeof now === "string" ? now : JSON.stringify(now),
		);
		const made = Buffer.concat([
			old.subarray(0, 16),
			text,
			old.subarray(bodyAt),
		]);
		made.writeUInt32LE(text.length, 12);
		made.writeUInt32LE(crc32(made.subarray(12)), 8);
		return made;
	};
	const wrongCopies: readonly (readonly [string, unknown])[] = [
		["truncated", 0],
		["url", null],
		["fetchedAt", "2026"],
		["fetchedAt", 9e15],
		["expires", null],
		["expires", 0],
		["headers", null],
		["headers", []],
		["headers", { etag: 1 }],
		["headers", { etag: "a\nb" }],
	];
	const wrongFields: readonly (readonly [string, unknown])[] = [
		["access", "everything"],
		["access", undefined],
		["code", "toString"],
		["reason", 1],
		["askedAt", null],
		["askedAt", -9e15],
		["expires", "never"],
		["expires", 0],
		["retryAfter", "0"],
		["retryAfter", 1],
		["copy", null],
		["copy", undefined],
		["copy", []],
		["copy", "text"],
		["unreachableSince", true],
		["unreachableSince", 1],
		["failures", -1],
		["failures", 1.5],
		["failures", 3],
		["unreachableFor", null],
		["unreachableFor", 1],
		["unreachableFor", -1],
		["key", 1],
		["key", "http://other.test"],
	];
	const wrongDescriptions: readonly (readonly [
		string,
		(description: Record<string, unknown>) => unknown,
	])[] = [
		["no JSON", () => "{"],
		["nothing", () => ""],
		["null", () => null],
		["a list", () => []],
		["the key alone", ({ key }) => ({ key })],
		...wrongFields.map(
			([name, value]) =>
				[
					`${name} is ${JSON.stringify(value)}`,
					(all: Record<string, unknown>) => ({ ...all, [name]: value }),
				] as const,
		),
		...wrongCopies.map(
			([name, value]) =>
				[
					`copy.${name} is ${JSON.stringify(value)}`,
					(all: Record<string, unknown>) => ({
						...all,
						copy: { ...(all.copy as object), [name]: value },
					}),
				] as const,
		),
	];

	test.each(wrongDescriptions)(
		"whose entry has a wrong description is not trusted: %s",
		async (_, change) => {
			await using site = await serve(file);
			const store = new MemoryStore();
			const origin = site.origin("a.test");
			await using first = clientOf({ store });
			await first.isAllowed(origin);
			const entry = (await store.get(origin)) as Uint8Array;
			await store.set(
				origin,
				withDescription(entry, (same) => same),
			);
			await using same = clientOf({ store });
			expect(await same.isAllowed(`${origin}/private`)).toBe(false);
			expect(same.stats()).toMatchObject({ storeHits: 1, corruptEntries: 0 });
			await store.set(origin, withDescription(entry, change));
			await using client = clientOf({ store });
			expect(await client.isAllowed(`${origin}/private`)).toBe(false);
			expect(client.stats()).toMatchObject({ requests: 1, corruptEntries: 1 });
		},
	);

	const hang = () => new Promise<never>(() => {});
	const fails = () => Promise.reject(new Error("store is away"));
	const throws = () => {
		throw new Error("store is away");
	};
	test.each<[string, Partial<RobotsStore>, storeErrors: number]>([
		["get hangs", { get: hang }, 6],
		["set hangs", { set: hang }, 5],
		["both hang", { get: hang, set: hang }, 6],
		["both reject", { get: fails, set: fails }, 6],
		["both throw", { get: throws, set: throws }, 6],
		["get gives no bytes", { get: async () => "text" as never }, 0],
	])("that is in trouble is done without: %s", async (_, trouble, errors) => {
		await using site = await serve(file);
		const memory = new MemoryStore();
		const store: RobotsStore = {
			get: (key) => memory.get(key),
			set: (key, entry) => memory.set(key, entry),
			delete: (key) => memory.delete(key),
			close: () => memory.close(),
			...trouble,
		};
		const client = clientOf({ store, storeTimeout: 50 });
		let told = 0;
		client.on("storeError", () => told++);
		for (const name of ["a.test", "b.test", "c.test"])
			expect(await client.isAllowed(`${site.origin(name)}/private`)).toBe(
				false,
			);
		expect(client.stats()).toMatchObject({ requests: 3, storeErrors: errors });
		expect(told).toBe(errors);
		await client.close();
	});

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
		// What could not be read is read again, and not overwritten.
		expect(told).toEqual([
			["get", "store is away"],
			["get", "store is away"],
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

	test.each([
		[20, 20, 1],
		[20, 21, 2],
		[20, 22, 2],
		[21, 20, 1],
		[FILE.length, 2 * FILE.length, 1],
		[FILE.length - 1, FILE.length, 2],
	])(
		"cut at %i bytes and asked for up to %i: %i requests",
		async (first, second, requests) => {
			await using site = await serve(file);
			const store = new MemoryStore();
			for (const maxBytes of [first, second]) {
				await using client = clientOf({ store, maxBytes });
				await client.isAllowed(site.origin("a.test"));
			}
			expect(site.requests).toHaveLength(requests);
		},
	);

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
