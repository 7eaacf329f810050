import {
	MemoryStore,
	type RobotsStore,
	type StoreUsage,
} from "@robotrie/client";
import fc from "fast-check";
import { afterEach, describe, expect, test, vi } from "vitest";
import { casesOf } from "../../../test/cases.ts";
import type { Service } from "../src/index.ts";
import { OverriddenStore } from "../src/overrides.ts";
import { serviceOf } from "./services.ts";

/** What operators set holds until they remove it, whatever becomes of the store's entry. */

const services: Service[] = [];
afterEach(async () => {
	vi.useRealTimers();
	await Promise.all(services.splice(0).map((service) => service.close()));
});

const KEY = "overrides";

/** What every process that shares a server sees, and what may happen to that. */
class SharedEntries {
	entries = new Map<string, Uint8Array>();

	/** A replica's way to them, which may be cut. */
	connect(): RobotsStore & { isCut: boolean } {
		const found = (key: string) => {
			if (store.isCut) throw new Error("the server is away");
			return this.entries.get(key);
		};
		const store = {
			isCut: false,
			get: async (key: string) => found(key),
			set: async (key: string, entry: Uint8Array) => {
				found(key);
				this.entries.set(key, entry);
			},
			replace: async (
				key: string,
				expected: Uint8Array | undefined,
				entry: Uint8Array,
			) => {
				const now = found(key);
				const isSame =
					now && expected
						? Buffer.compare(now, expected) === 0
						: !now && !expected;
				if (isSame) this.entries.set(key, entry);
				return isSame;
			},
			delete: async (key: string) => {
				this.entries.delete(key);
			},
			close: async () => {},
		};
		return store;
	}
}

describe("What the store loses is written again", () => {
	const ORIGINS = ["https://a.example", "https://b.example"] as const;
	const robotsOf = (store: OverriddenStore, origin: string) => {
		const entry = store.pinned(origin);
		return entry && /n: (\d+)/.exec(Buffer.from(entry).toString("latin1"))?.[1];
	};

	/** Another look of all replicas: one writes what is lost, the next look finds it. */
	const look = async () => {
		for (let i = 0; i < 3; i++) await vi.advanceTimersByTimeAsync(1000);
	};

	test.each([
		["is emptied", () => undefined],
		["loses the last change", (before: Uint8Array) => before],
	])("when it %s, and the log says so", async (_, older) => {
		vi.useFakeTimers({ toFake: ["setInterval", "Date"] });
		const lines: string[] = [];
		const shared = new SharedEntries();
		const { service } = await serviceOf({
			store: shared.connect(),
			fastify: {
				logger: {
					level: "warn",
					stream: { write: (line: string) => lines.push(line) },
				},
			},
		});
		services.push(service);
		const put = (host: string) =>
			service.inject({
				method: "PUT",
				url: `/origins/https%3A%2F%2F${host}`,
				payload: "User-agent: *\nDisallow: /\n",
				headers: { "content-type": "text/plain" },
			});
		const verdict = async () =>
			(await service.inject("/allowed?url=https://b.example/")).json().verdict;
		await put("a.example");
		const before = shared.entries.get(KEY) as Uint8Array;
		await put("b.example");
		const after = shared.entries.get(KEY);
		const old = older(before);
		if (old) shared.entries.set(KEY, old);
		else shared.entries.clear();
		await look();
		expect(await verdict()).toBe("disallowed");
		expect(String(shared.entries.get(KEY))).toBe(String(after));
		expect(lines.map((line) => JSON.parse(line))).toMatchObject([
			{
				level: 40,
				msg: "the store had lost overrides; they are written again",
				origins: old
					? ["https://b.example"]
					: ["https://a.example", "https://b.example"],
			},
		]);
	});

	/** A replica that changes something, one whose way to the server is cut or not, one that starts, and a server that is emptied or set back. */
	const step = fc.oneof(
		{
			weight: 4,
			arbitrary: fc.record({
				kind: fc.constantFrom("put", "delete"),
				replica: fc.nat(2),
				origin: fc.constantFrom(...ORIGINS),
			}),
		},
		fc.record({
			kind: fc.constantFrom("cut", "heal", "restart"),
			replica: fc.nat(2),
			origin: fc.constant(ORIGINS[0]),
		}),
		fc.record({
			kind: fc.constantFrom("empty", "set back", "look", "keep"),
			replica: fc.constant(0),
			origin: fc.constant(ORIGINS[0]),
		}),
	);

	test("property: what was answered last holds at every replica", async () => {
		await fc.assert(
			fc.asyncProperty(
				fc.array(step, { minLength: 1, maxLength: 25 }),
				async (steps) => {
					vi.useFakeTimers({ toFake: ["setInterval", "Date"] });
					const shared = new SharedEntries();
					let copy = new Map<string, Uint8Array>();
					const start = async () => {
						const server = shared.connect();
						const store = new OverriddenStore(server);
						await store.open();
						return { server, store };
					};
					const replicas = [await start(), await start(), await start()];
					const expected = new Map<string, string | undefined>();
					for (const [i, { kind, replica, origin }] of steps.entries()) {
						vi.setSystemTime(Date.now() + 1);
						const { server, store } = replicas[replica] as (typeof replicas)[0];
						const robots = kind === "put" ? `# n: ${i}\n` : undefined;
						if (kind === "put" || kind === "delete")
							await store.change(origin, robots).then(
								// An override that this replica does not know yet is not removed: 404.
								(isChanged) => {
									if (robots || isChanged)
										expected.set(origin, robots && String(i));
								},
								// Refused: the server is away.
								() => {},
							);
						else if (kind === "cut") server.isCut = true;
						else if (kind === "heal") server.isCut = false;
						else if (kind === "look") await look();
						else if (kind === "keep") copy = new Map(shared.entries);
						else if (kind === "restart") {
							// Where nobody is left who knows, nobody can write it again: others know first.
							for (const each of replicas) each.server.isCut = false;
							await look();
							await store.close();
							replicas[replica] = await start();
						} else {
							// What only a replica knew that is cut is known again when it is back.
							shared.entries = kind === "empty" ? new Map() : new Map(copy);
						}
					}
					for (const { server } of replicas) server.isCut = false;
					await look();
					for (const { store } of replicas)
						for (const origin of ORIGINS)
							expect(robotsOf(store, origin)).toBe(expected.get(origin));
					for (const { store } of replicas) await store.close();
				},
			),
			{ numRuns: casesOf(300) },
		);
	});

	test("of removed ones the last 1,000 are remembered", async () => {
		const shared = new SharedEntries();
		const removed = Array.from({ length: 1010 }, (_, revision) => [
			`https://${revision}.example`,
			{ revision },
		]);
		shared.entries.set(
			KEY,
			Buffer.from(JSON.stringify(Object.fromEntries(removed))),
		);
		const store = new OverriddenStore(shared.connect());
		await store.open();
		await store.change(ORIGINS[0], "");
		await store.change(ORIGINS[0], undefined);
		const text = Buffer.from(shared.entries.get(KEY) ?? []).toString();
		const kept = Object.keys(JSON.parse(text));
		expect([kept.length, kept.includes("https://10.example")]).toEqual([
			1000,
			false,
		]);
		await store.close();
	});

	test("an entry without revisions is read", async () => {
		const shared = new SharedEntries();
		shared.entries.set(
			KEY,
			Buffer.from('{"https://a.example":{"robots":"# n: 7"}}'),
		);
		const store = new OverriddenStore(shared.connect());
		await store.open();
		expect(robotsOf(store, ORIGINS[0])).toBe("7");
		await store.change(ORIGINS[0], "# n: 8");
		expect(robotsOf(store, ORIGINS[0])).toBe("8");
		await store.close();
	});
});

describe("Overrides", () => {
	const set = (service: Service) =>
		service.inject({
			method: "PUT",
			url: "/origins/https%3A%2F%2Fexample.com",
			payload: "User-agent: *\nDisallow: /\n",
			headers: { "content-type": "text/plain" },
		});

	/** Stores forget what is not set again for 90 days. */
	test("are set again each day", async () => {
		vi.useFakeTimers({ toFake: ["setInterval", "Date"] });
		const store = new MemoryStore();
		const { service } = await serviceOf({ store });
		services.push(service);
		expect((await set(service)).statusCode).toBe(204);
		const entry = await store.get("overrides");
		const replace = vi.spyOn(store, "replace");
		for (const days of [0, 1, 0, 1]) {
			replace.mockClear();
			vi.setSystemTime(Date.now() + days * 86_400_000);
			await vi.advanceTimersByTimeAsync(1000);
			const again = replace.mock.calls.filter(([key]) => key === "overrides");
			expect(again.every(([, before, after]) => before === after)).toBe(true);
			if (days > 0) expect(again.length).toBe(1);
		}
		expect(await store.get("overrides")).toEqual(entry);
	});

	test.each([
		"{",
		"",
		"null",
		"[1]",
		'"text"',
		'{"https://a.example":null}',
		'{"https://a.example":{"robots":5}}',
		'{"https://a.example":{}}',
		'{"https://a.example":{"robots":"","revision":1.5}}',
	])("that are damaged keep it from starting: %j", async (text) => {
		const store = new MemoryStore();
		await store.set("overrides", Buffer.from(text));
		await expect(serviceOf({ store })).rejects.toThrow(
			'the entry "overrides" of the store is damaged',
		);
	});

	test("have at most 1 MiB together", async () => {
		const { service } = await serviceOf();
		services.push(service);
		const statuses: number[] = [];
		for (const name of ["a", "b", "c"]) {
			const { statusCode } = await service.inject({
				method: "PUT",
				url: `/origins/https%3A%2F%2F${name}.example`,
				payload: "x".repeat(500_000),
				headers: { "content-type": "text/plain" },
			});
			statuses.push(statusCode);
		}
		expect(statuses).toEqual([204, 204, 413]);
	});

	test("hold in every dialect, and are explained", async () => {
		const { service, requests } = await serviceOf();
		services.push(service);
		await set(service);
		for (const dialect of ["rfc9309", "google", "yandex"]) {
			const url = `/explain?url=https://example.com/&dialect=${dialect}`;
			expect((await service.inject(url)).json()).toMatchObject({
				allowed: false,
				rule: { line: 2 },
			});
		}
		expect(requests).toEqual([]);
	});
});

describe("A store that has little room", () => {
	const usage = (more: Partial<StoreUsage>): StoreUsage => ({
		used: 10,
		limit: 100,
		evicts: false,
		evicted: 0,
		...more,
	});
	const robots = Buffer.from("x");

	const all = ["https://a", "visit https://a", "lease a"];

	/** What is written after it said how full it is. */
	const kept: readonly (readonly [
		what: string,
		usage: (() => Promise<StoreUsage>) | undefined,
		keys: readonly string[],
	])[] = [
		["has room", async () => usage({}), all],
		["does not tell", undefined, all],
		[
			"fails when it is asked",
			() => {
				throw new Error("INFO is not allowed");
			},
			all,
		],
		[
			"has no limit",
			async () => usage({ used: 1e9, limit: Number.POSITIVE_INFINITY }),
			all,
		],
		["is nearly full", async () => usage({ used: 90 }), all.slice(1)],
	];
	test.each(kept)("that %s", async (_, asked, keys) => {
		const shared = new SharedEntries();
		const store = new OverriddenStore(
			Object.assign(shared.connect(), asked ? { usage: asked } : {}),
		);
		await store.open();
		for (const key of all) {
			expect(await store.replace?.(key, undefined, robots)).toBe(true);
			expect([...shared.entries.keys()].includes(key)).toBe(keys.includes(key));
			shared.entries.delete(key);
			await store.set(key, robots);
			expect([...shared.entries.keys()].includes(key)).toBe(keys.includes(key));
			expect(Buffer.from((await store.get(key)) ?? [])).toEqual(robots);
		}
		// What is there already takes no more room.
		shared.entries.set("https://b", robots);
		const [second, third] = [Buffer.from("y"), Buffer.from("z")];
		expect(await store.replace?.("https://b", robots, second)).toBe(true);
		expect(shared.entries.get("https://b")).toBe(second);
		await store.set("https://b", third);
		expect(shared.entries.get("https://b")).toBe(third);
		expect(await store.change("https://c", "")).toBe(false);
		expect(shared.entries.has(KEY)).toBe(true);
		await store.close();
	});

	test("what it does not get stays here, and goes there when it has room", async () => {
		vi.useFakeTimers({ toFake: ["setInterval", "Date"] });
		const shared = new SharedEntries();
		let used = 90;
		const store = new OverriddenStore(
			Object.assign(shared.connect(), { usage: async () => usage({ used }) }),
		);
		await store.open();
		const [first, second] = [Buffer.from("1"), Buffer.from("2")];
		const key = "https://a";
		expect(await store.replace?.(key, undefined, first)).toBe(true);
		// Another client was faster.
		expect(await store.replace?.(key, undefined, second)).toBe(false);
		expect(await store.replace?.(key, first, second)).toBe(true);
		expect(Buffer.from((await store.get(key)) ?? [])).toEqual(second);
		expect(shared.entries.has(key)).toBe(false);
		await store.forget(key);
		expect(await store.get(key)).toBeUndefined();
		await store.set(key, first);
		used = 10;
		await vi.advanceTimersByTimeAsync(10_000);
		expect(await store.replace?.(key, first, second)).toBe(true);
		expect(shared.entries.get(key)).toBe(second);
		await store.close();
	});

	test("says so, once for each change", async () => {
		vi.useFakeTimers({ toFake: ["setInterval", "Date"] });
		const lines: string[] = [];
		let now = usage({ evicts: true });
		const { service } = await serviceOf({
			store: Object.assign(new SharedEntries().connect(), {
				usage: async () => now,
			}),
			fastify: {
				logger: {
					level: "warn",
					stream: { write: (line: string) => lines.push(line) },
				},
			},
		});
		services.push(service);
		const said = async (more: Partial<StoreUsage>) => {
			now = usage(more);
			for (let i = 0; i < 20; i++) await vi.advanceTimersByTimeAsync(1000);
			return lines.splice(0).map((line) => {
				const { msg, dropped } = JSON.parse(line);
				const found = msg.match(/policy noeviction|nearly full|room again/g);
				return [found?.join(", "), dropped];
			});
		};
		expect(await said({ evicts: true })).toEqual([["policy noeviction", 0]]);
		expect(await said({ evicts: true, evicted: 7 })).toEqual([
			["policy noeviction", 7],
		]);
		expect(await said({ evicted: 7 })).toEqual([]);
		expect(await said({ evicted: 7, used: 95 })).toEqual([["nearly full", 0]]);
		expect(await said({ evicted: 7, used: 20 })).toEqual([["room again", 0]]);
		// It was started again.
		expect(await said({ evicted: 0 })).toEqual([]);
		expect(await said({ evicts: true, used: 90 })).toEqual([
			["nearly full, policy noeviction", 0],
		]);
		await said({});
		const { body } = await service.inject("/metrics");
		expect(body).toContain("\nrobotrie_store_used_bytes 10\n");
		expect(body).toContain("\nrobotrie_store_limit_bytes 100\n");
	});
});
