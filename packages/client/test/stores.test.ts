import { once } from "node:events";
import {
	mkdirSync,
	mkdtempSync,
	readFileSync,
	rmSync,
	writeFileSync,
} from "node:fs";
import { type AddressInfo, createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import {
	afterAll,
	beforeAll,
	describe,
	expect,
	onTestFinished,
	test,
	vi,
} from "vitest";
import { RobotrieError } from "../../../src/index.ts";
import { MemoryStore, openStore, type RobotsStore } from "../src/index.ts";
import { LmdbStore } from "../src/stores/lmdb-store.ts";
import { RedisStore } from "../src/stores/redis-store.ts";
import { SqliteStore } from "../src/stores/sqlite-store.ts";
import { hasRedis, type RedisServer, startRedis } from "./redis.ts";
import { clientOf, FILE, serve } from "./site.ts";
import { hasSqlite } from "./sqlite.ts";

const root = mkdtempSync(join(tmpdir(), "robotrie-store-"));
let folders = 0;
const folder = () => join(root, `store-${folders++}`);
const sqliteFile = () => `${folder()}.sqlite`;
let redis: RedisServer | undefined;
let prefixes = 0;

beforeAll(async () => {
	if (hasRedis) redis = await startRedis();
});
afterAll(async () => {
	await redis?.[Symbol.asyncDispose]();
	rmSync(root, { recursive: true, force: true });
});

const redisUrl = () => redis?.url ?? "";
const kinds: readonly (readonly [
	name: string,
	runs: boolean,
	open: () => Promise<RobotsStore>,
])[] = [
	["MemoryStore", true, async () => new MemoryStore()],
	[
		"MemoryStore with limits",
		true,
		async () => new MemoryStore({ maxBytes: 2 ** 20, maxEntries: 1000 }),
	],
	["LmdbStore", true, () => LmdbStore.open(folder())],
	["SqliteStore", hasSqlite, () => SqliteStore.open(sqliteFile())],
	[
		"RedisStore",
		hasRedis,
		() => RedisStore.open(redisUrl(), { prefix: `test-${prefixes++}:` }),
	],
];

const bytes = (...values: number[]) => Uint8Array.from(values);
const everyByte = Uint8Array.from({ length: 256 }, (_, i) => i);

describe.each(kinds)("%s", (_, runs, open) => {
	const keys = [
		"http://example.com",
		"https://example.com:8443",
		"https://xn--mller-kva.eu",
		"yandex http://example.com",
		`http://${"a.".repeat(2000)}test`,
		`http://${"a.".repeat(2000)}test2`,
	];

	test.skipIf(!runs)(
		"gives back what was set last, byte for byte",
		async () => {
			const store = await open();
			for (const key of keys) expect(await store.get(key)).toBeUndefined();
			await Promise.all(
				keys.map((key, i) => store.set(key, bytes(i, ...everyByte))),
			);
			for (const [i, key] of keys.entries())
				expect([...((await store.get(key)) ?? [])]).toEqual([i, ...everyByte]);
			await store.set(keys[0] ?? "", bytes());
			expect(await store.get(keys[0] ?? "")).toHaveLength(0);
			await store.delete(keys[1] ?? "");
			await store.delete("http://never.set");
			expect(await store.get(keys[1] ?? "")).toBeUndefined();
			expect(await store.get(keys[2] ?? "")).toHaveLength(257);
			const large = new Uint8Array(512_000).fill(7);
			await store.set("http://large", large);
			expect(
				Buffer.from((await store.get("http://large")) ?? []).equals(large),
			).toBe(true);
			await store.close();
		},
	);

	test.skipIf(!runs)(
		"does not change what it is given or has given",
		async () => {
			const store = await open();
			const given = bytes(1, 2, 3);
			await store.set("http://a", given);
			const first = await store.get("http://a");
			await store.set("http://a", bytes(4, 5, 6));
			await store.get("http://a");
			expect(given).toEqual(bytes(1, 2, 3));
			expect([...(first ?? [])]).toEqual([1, 2, 3]);
			await store.close();
		},
	);

	test.skipIf(!runs)("serves a client", async () => {
		await using site = await serve((_, response) => response.end(FILE));
		const store = await open();
		const urls = Array.from(
			{ length: 100 },
			(_, i) => `${site.origin(`h${i}.test`)}/private`,
		);
		for (const requests of [100, 0]) {
			await using client = clientOf({ store });
			expect(await client.filter(urls)).toEqual([]);
			expect(client.stats()).toMatchObject({
				requests,
				storeErrors: 0,
				corruptEntries: 0,
			});
		}
		await store.close();
	});
});

describe("Redis", () => {
	test.skipIf(!hasRedis)(
		"that crashes loses nothing, and is used again when it is back",
		async () => {
			await using server = await startRedis();
			await using site = await serve((_, response) => response.end(FILE));
			const store = await RedisStore.open(server.url);
			await using client = clientOf({ store, maxOrigins: 1 });
			const url = (name: string) => `${site.origin(name)}/private`;
			await client.filter([url("a.test"), url("b.test")]);
			await server.kill();
			await vi.waitFor(
				async () => {
					await expect(store.get("x")).rejects.toThrow();
				},
				{ timeout: 30_000 },
			);
			expect(await client.isAllowed(url("a.test"))).toBe(false);
			expect(client.stats()).toMatchObject({ requests: 3, storeErrors: 2 });
			await server.restart();
			await vi.waitFor(() => store.get("x"), { timeout: 30_000 });
			expect(await client.isAllowed(url("b.test"))).toBe(false);
			expect(client.stats()).toMatchObject({ requests: 3, storeHits: 1 });
			await store.close();
		},
	);

	test.skipIf(!hasRedis)(
		"forgets what was not set again for so long",
		async () => {
			const { createClient } = await import("redis");
			const admin = createClient({ url: redisUrl() });
			await admin.connect();
			for (const [keepFor, least, most] of [
				[undefined, 7_775_000, 7_776_000],
				[60, 50, 60],
				[0, -1, -1],
			] as const) {
				const store = await RedisStore.open(redisUrl(), {
					prefix: "ttl:",
					...(keepFor === undefined ? {} : { keepFor }),
				});
				await store.set("http://a", bytes(1));
				const ttl = await admin.ttl("ttl:http://a");
				expect(ttl).toBeGreaterThanOrEqual(least);
				expect(ttl).toBeLessThanOrEqual(most);
				await store.close();
			}
			await admin.close();
		},
	);
});

test.skipIf(!hasRedis)("Redis says how full it is", async () => {
	await using server = await startRedis();
	const { createClient } = await import("redis");
	const admin = createClient({ url: server.url });
	await admin.connect();
	const store = await RedisStore.open(server.url);
	expect(await store.usage()).toMatchObject({
		limit: Number.POSITIVE_INFINITY,
		evicts: false,
		evicted: 0,
	});
	const { used } = await store.usage();
	const limit = used + 2 ** 20;
	await admin.configSet("maxmemory", String(limit));
	expect(await store.usage()).toMatchObject({ limit, evicts: false });
	await admin.configSet("maxmemory-policy", "allkeys-lru");
	for (let i = 0; i < 40; i++)
		await store.set(`visit ${i}`, new Uint8Array(100_000));
	const full = await store.usage();
	expect(full).toMatchObject({ limit, evicts: true });
	expect(full.evicted).toBeGreaterThan(0);
	expect(full.used).toBeGreaterThan(used);
	await store.close();
	await admin.close();
});

const onDisk = [
	["LmdbStore", true, LmdbStore.open, folder],
	["SqliteStore", hasSqlite, SqliteStore.open, sqliteFile],
] as const;

test.each(onDisk)(
	"%s says that it was closed",
	async (_, runs, open, place) => {
		if (!runs) return;
		const store = await open(place());
		await store.close();
		await store.close();
		for (const call of [
			() => store.get("http://a"),
			() => store.set("http://a", bytes()),
			() => store.delete("http://a"),
		])
			await expect(call()).rejects.toMatchObject({
				code: "store-unavailable",
				message: expect.stringMatching(/it was closed/),
			});
	},
);

describe("A store on the disk whose files are deleted", () => {
	test.each(onDisk)("says so: %s", async (_, runs, open, place) => {
		if (!runs) return;
		const location = place();
		const store = await open(location);
		await store.set("http://a", bytes(1));
		for (const end of ["", "-wal", "-shm"])
			rmSync(location + end, { recursive: true, force: true });
		await vi.waitFor(
			() =>
				expect(store.set("http://a", bytes(2))).rejects.toMatchObject({
					code: "store-unavailable",
					message: expect.stringMatching(/was deleted or replaced/),
				}),
			{ timeout: 30_000 },
		);
		const other = await open(location);
		await expect(store.set("http://a", bytes(2))).rejects.toThrow(/replaced/);
		await other.set("http://a", bytes(3));
		await other.close();
		await store.close();
	});
});

describe("Messages of Redis", () => {
	test.skipIf(!hasRedis)("rediss: to a server without TLS", async () => {
		const url = redisUrl().replace("redis:", "rediss:");
		await expect(RedisStore.open(url)).rejects.toThrow(
			/: the server may not speak TLS there \(redis: in place of rediss:\)$/,
		);
	});

	test("a server before Redis 6, which does not know HELLO", async () => {
		const seen: string[] = [];
		const server = createServer((socket) => {
			socket.on("error", () => {});
			socket.on("data", (data) => {
				for (const [, name] of String(data).matchAll(
					/\*\d+\r\n\$\d+\r\n(\w+)/g,
				)) {
					const command = name?.toUpperCase() ?? "";
					seen.push(command);
					const reply = { GET: "$-1\r\n", SET: "+OK\r\n" }[command];
					socket.write(reply ?? `-ERR unknown command '${command}'\r\n`);
				}
			});
		}).listen(0, "127.0.0.1");
		await once(server, "listening");
		const { port } = server.address() as AddressInfo;
		const store = await RedisStore.open(`redis://127.0.0.1:${port}`);
		await store.set("http://a", bytes(1));
		expect(await store.get("http://a")).toBeUndefined();
		expect(seen).toContain("SET");
		await store.close();
		server.close();
	});
});

describe.skipIf(!hasSqlite)("SQLite", () => {
	test("writes that wait for another process fail together", async () => {
		const file = sqliteFile();
		const store = await SqliteStore.open(file);
		const { DatabaseSync } = process.getBuiltinModule(
			"node:sqlite",
		) as unknown as {
			DatabaseSync: new (
				file: string,
			) => { exec(sql: string): void; close(): void };
		};
		const other = new DatabaseSync(file);
		other.exec("BEGIN IMMEDIATE");
		let failed = 0;
		const sets = Array.from({ length: 450 }, (_, i) =>
			store.set(`http://a${i}`, bytes(i)).catch((error) => {
				failed++;
				return error;
			}),
		);
		await Promise.race(sets);
		// One at a time they would take 5 seconds each: the others are to fail without waiting for that again.
		await vi.waitFor(() => expect(failed).toBe(450), { timeout: 60_000 });
		expect(String(await sets[449])).toMatch(/database is locked/);
		other.exec("COMMIT");
		other.close();
		await store.set("http://b", bytes(1));
		expect(await store.get("http://b")).toHaveLength(1);
		await store.close();
	});

	test("forgets what was not set again for so long", async () => {
		vi.useFakeTimers({ toFake: ["Date"] });
		onTestFinished(() => void vi.useRealTimers());
		const file = sqliteFile();
		const store = await SqliteStore.open(file, { keepFor: 1 });
		await store.set("http://a", bytes(1));
		for (const [passed, length] of [
			[0, 1],
			[999, 1],
			[2, undefined],
		] as const) {
			vi.setSystemTime(Date.now() + passed);
			expect((await store.get("http://a"))?.length).toBe(length);
		}
		await store.close();
		const ever = await SqliteStore.open(file, { keepFor: 0 });
		expect(await ever.get("http://a")).toHaveLength(1);
		await ever.close();
		// The first write removes what is too old.
		const next = await SqliteStore.open(file, { keepFor: 1 });
		await next.set("http://b", bytes(2));
		await next.close();
		const last = await SqliteStore.open(file, { keepFor: 0 });
		expect(await last.get("http://a")).toBeUndefined();
		expect(await last.get("http://b")).toHaveLength(1);
		await last.close();
	});
});

test("an entry that is damaged on disk is fetched again", async () => {
	await using site = await serve((_, response) => response.end(FILE));
	const location = folder();
	const origin = site.origin("a.test");
	const store = await LmdbStore.open(location);
	await using first = clientOf({ store });
	await first.isAllowed(origin);
	const entry = Uint8Array.from((await store.get(origin)) ?? []);
	entry[entry.length - 3] = 0;
	await store.set(origin, entry);
	await using client = clientOf({ store });
	expect(await client.isAllowed(`${origin}/private`)).toBe(false);
	expect(client.stats()).toMatchObject({ requests: 1, corruptEntries: 1 });
	await store.close();
});

describe("A store that cannot be opened", () => {
	const plainFile = () => {
		const path = folder();
		writeFileSync(path, "no folder");
		return path;
	};
	test.each([
		["a file", plainFile, /cannot open the store ".*": EEXIST/],
		[
			"no server",
			() => "redis://127.0.0.1:1",
			/cannot open the store at 127\.0\.0\.1:1: .*ECONNREFUSED/,
		],
		[
			"a password in the message",
			() => "redis://:secret@127.0.0.1:1",
			/^(?!.*secret).*at 127\.0\.0\.1:1/,
		],
	])("says why: %s", async (_, place, message) => {
		const opening = openStore(place());
		await expect(opening).rejects.toThrow(RobotrieError);
		await expect(opening).rejects.toMatchObject({ code: "store-unavailable" });
		await expect(opening).rejects.toThrow(message);
	});

	const sql = (file: string, text: string) => {
		const { DatabaseSync } = process.getBuiltinModule(
			"node:sqlite",
		) as unknown as {
			DatabaseSync: new (
				file: string,
			) => { exec(sql: string): void; close(): void };
		};
		const database = new DatabaseSync(file);
		database.exec(text);
		database.close();
		return file;
	};
	const damaged = (from: number, to: number) => async () => {
		const file = sqliteFile();
		const store = await SqliteStore.open(file);
		await store.set("http://a", everyByte);
		await store.close();
		const content = readFileSync(file).fill(0x5a, from, to);
		writeFileSync(file, content);
		return file;
	};
	test
		.skipIf(!hasSqlite)
		.each<[string, () => string | Promise<string>, RegExp]>([
			[
				"no database",
				() => {
					const file = sqliteFile();
					writeFileSync(file, "robots".repeat(1000));
					return file;
				},
				/cannot open the store ".*": file is not a database/,
			],
			["a damaged header", damaged(0, 100), /file is not a database/],
			["a damaged first page", damaged(100, 4096), /malformed/],
			[
				"a folder",
				() => {
					const path = sqliteFile();
					mkdirSync(path);
					return path;
				},
				/unable to open database file/,
			],
			[
				"another program's database",
				() => sql(sqliteFile(), "CREATE TABLE t (x)"),
				/it is another program's database/,
			],
			[
				"another version",
				async () => {
					const file = sqliteFile();
					await (await SqliteStore.open(file)).close();
					return sql(file, "PRAGMA user_version = 7");
				},
				/it has version 7, not 1/,
			],
		])("says why: SQLite, %s", async (_, place, message) => {
		const opening = openStore(await place());
		await expect(opening).rejects.toMatchObject({ code: "store-unavailable" });
		await expect(opening).rejects.toThrow(message);
	});

	test.skipIf(hasSqlite)("says why: no SQLite in this Node", async () => {
		const opening = openStore(sqliteFile());
		await expect(opening).rejects.toMatchObject({ code: "unsupported" });
		await expect(opening).rejects.toThrow(
			`the SQLite store needs Node 22.13 or later, not ${process.version}`,
		);
	});

	test.each(["a.sqlite", "a.SQLITE3", "a.db", "sqlite:a", "sqlite:///a"])(
		"is SQLite by its name: %s",
		async (location) => {
			vi.spyOn(process, "getBuiltinModule").mockReturnValue(undefined);
			const opening = openStore(location);
			await expect(opening).rejects.toMatchObject({ code: "unsupported" });
			vi.restoreAllMocks();
		},
	);

	test("or was given a wrong option", async () => {
		const opening = RedisStore.open("redis://127.0.0.1:1", { keepFor: -1 });
		await expect(opening).rejects.toThrow(
			/keepFor is a whole number of seconds from 0 on, not -1/,
		);
	});
});
