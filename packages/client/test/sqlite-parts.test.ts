/** Large entries of an SQLite store are stored in parts. Bytes in a turn of the event loop are counted, not timed. */
import { copyFileSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, describe, expect, test, vi } from "vitest";
import { COPIED } from "../src/common/turns.ts";
import { decodeEntry, NewerEntry, standIn } from "../src/stores/entry.ts";
import { SqliteStore } from "../src/stores/sqlite-store.ts";
import { clientOf, serve } from "./site.ts";
import { hasSqlite } from "./sqlite.ts";

const folder = mkdtempSync(join(tmpdir(), "robotrie-parts-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
let files = 0;
const newFile = () => join(folder, `${files++}.sqlite`);

const KEY = "http://a.test";
const HOUR = 3_600_000;
const small = Uint8Array.of(1, 2, 3);
/** Bytes of a length, each kind of its own. */
const bytes = (length: number, kind = 0) =>
	new Uint8Array(length).map((_, i) => i * 7919 + kind);
const large = bytes(3 * COPIED + 5);
const other = bytes(2 * COPIED, 1);

type Value = string | number | Uint8Array;
interface Database {
	prepare(sql: string): {
		all(...values: Value[]): Record<string, unknown>[];
		run(...values: Value[]): unknown;
	};
	close(): void;
}
const sqlite = process.getBuiltinModule("node:sqlite") as unknown as {
	DatabaseSync: new (file: string) => Database;
	StatementSync: {
		prototype: Record<"get" | "run", (...all: Value[]) => unknown>;
	};
};

/** The rows that another program finds in the file. */
function sql(file: string, text: string, ...values: Value[]) {
	const database = new sqlite.DatabaseSync(file);
	const rows = database.prepare(text).all(...values);
	database.close();
	return rows;
}
const partsIn = (file: string) =>
	sql(file, "SELECT count(*) AS n FROM parts")[0]?.n;

/** The most bytes that SQLite reads and writes in a turn of the event loop until something has ended. */
async function mostInATurn(call: Promise<unknown>): Promise<number> {
	let sum = 0;
	let most = 0;
	const note = (values: unknown[]) => {
		for (const value of values)
			if (value instanceof Uint8Array) sum += value.length;
		most = Math.max(most, sum);
	};
	const { prototype } = sqlite.StatementSync;
	const { get, run } = prototype;
	using _ = vi.spyOn(prototype, "get").mockImplementation(function (
		this: unknown,
		...values
	) {
		const row = get.apply(this, values);
		note(Object.values(row ?? {}));
		return row;
	});
	using __ = vi.spyOn(prototype, "run").mockImplementation(function (
		this: unknown,
		...values
	) {
		note(values);
		return run.apply(this, values);
	});
	const ended = call.then(() => true);
	const turn = () => new Promise<false>((go) => setImmediate(go, false));
	while (!(await Promise.race([ended, turn()]))) sum = 0;
	return most;
}

/** A clock for which each piece of work uses up its turn. */
function slowClock() {
	let passed = performance.now();
	return vi.spyOn(performance, "now").mockImplementation(() => {
		passed += 3;
		return passed;
	});
}

describe.skipIf(!hasSqlite)("An entry in parts", () => {
	test.each<readonly [string, Uint8Array, number]>([
		["of no bytes", bytes(0), 0],
		["of 512 KiB", bytes(COPIED), 0],
		["a byte larger", bytes(COPIED + 1), 2],
		["of just three parts", bytes(3 * COPIED), 3],
		["of four", large, 4],
		["that looks like a name of parts", standIn(7), 1],
		["that looks like a name of none", standIn(0), 1],
	])("%s is given back byte for byte", async (_, entry, parts) => {
		const file = newFile();
		const store = await SqliteStore.open(file);
		await store.set(KEY, entry);
		expect(partsIn(file)).toBe(parts);
		expect(Buffer.compare((await store.get(KEY)) ?? large, entry)).toBe(0);
		// In another place, in place of itself, and not where something else is expected.
		for (const [expected, now] of [
			[undefined, false],
			[small, false],
			[other, false],
			[entry, true],
		] as const)
			expect(await store.replace(KEY, expected, entry)).toBe(now);
		expect(await store.replace(KEY, entry, small)).toBe(true);
		expect(await store.get(KEY)).toEqual(small);
		expect(await store.replace(KEY, small, entry)).toBe(true);
		await store.close();
		// What was replaced, and what was not written, has left no parts.
		expect(partsIn(file)).toBe(parts);
		const again = await SqliteStore.open(file);
		expect(Buffer.compare((await again.get(KEY)) ?? large, entry)).toBe(0);
		await again.delete(KEY);
		expect(await again.get(KEY)).toBeUndefined();
		await again.close();
		expect(partsIn(file)).toBe(0);
	});

	test("is read and written 512 KiB in a turn, and so are many of a turn", async () => {
		const store = await SqliteStore.open(newFile());
		const many = Array.from({ length: 20 }, (_, i) => bytes(200_000, i));
		const keyOf = (i: number) => `http://${i}.test`;
		using _ = slowClock();
		const most = COPIED + 200_000 + 4096;
		for (const call of [
			() => store.set(KEY, large),
			() => store.get(KEY),
			() => store.replace(KEY, large, other),
			() => Promise.all(many.map((entry, i) => store.set(keyOf(i), entry))),
			() => store.delete(KEY),
		]) {
			const found = await mostInATurn(call());
			expect(found).toBeLessThan(most);
		}
		await store.close();
	});

	test("is read as it was or as it is while others write it", async () => {
		const file = newFile();
		const store = await SqliteStore.open(file);
		const writer = await SqliteStore.open(file);
		await writer.set(KEY, large);
		let isOver = false;
		const write = async () => {
			for (let i = 0; i < 40; i++)
				await writer.set(KEY, [large, other, small][i % 3] ?? small);
			isOver = true;
		};
		const written = write();
		const seen = new Set<number>();
		while (!isOver) {
			await new Promise(setImmediate);
			const entry = (await store.get(KEY)) ?? bytes(0);
			const whole = [large, other, small].find(
				({ length }) => length === entry.length,
			);
			expect(Buffer.compare(entry, whole ?? bytes(1))).toBe(0);
			seen.add(entry.length);
		}
		expect(seen.size).toBeGreaterThan(1);
		await written;
		await Promise.all([store.close(), writer.close()]);
		expect(partsIn(file)).toBe(4);
	});

	test.each([
		["another entry", small],
		["none", undefined],
	])("that is replaced by %s is not read any further", async (_, found) => {
		const file = newFile();
		const store = await SqliteStore.open(file);
		await store.set(KEY, large);
		const { prototype } = sqlite.StatementSync;
		const { get } = prototype;
		using __ = vi.spyOn(prototype, "get").mockImplementation(function (
			this: unknown,
			...values
		) {
			if (values[1] === 2) {
				sql(file, "DELETE FROM parts");
				if (found) sql(file, "UPDATE entries SET entry = ?", found);
				else sql(file, "DELETE FROM entries");
			}
			return get.apply(this, values);
		});
		expect(await store.get(KEY)).toEqual(found);
		await store.close();
	});

	test("gives way to what is set later, also while it is being written", async () => {
		const file = newFile();
		const store = await SqliteStore.open(file);
		const given = Uint8Array.from(small);
		const all = [store.set(KEY, large), store.set(KEY, given)];
		given.fill(0);
		await Promise.all(all);
		expect(await store.get(KEY)).toEqual(small);
		await Promise.all([store.set(KEY, large), store.delete(KEY)]);
		expect(await store.get(KEY)).toBeUndefined();
		await Promise.all([store.set(KEY, other), store.set(KEY, large)]);
		expect(await store.get(KEY)).toHaveLength(large.length);
		// Closing waits for it.
		const last = store.set(KEY, other);
		await store.close();
		await last;
		const next = await SqliteStore.open(file);
		expect(await next.get(KEY)).toHaveLength(other.length);
		await next.close();
		expect(partsIn(file)).toBe(2);
	});

	test("is an entry of a newer version to programs that know no parts", async () => {
		const file = newFile();
		const store = await SqliteStore.open(file);
		await store.set(KEY, large);
		await store.close();
		// What they ask.
		const [row] = sql(file, "SELECT entry FROM entries WHERE key = ?", KEY);
		const found = decodeEntry(KEY, row?.entry as Uint8Array);
		expect(found).toBeInstanceOf(NewerEntry);
		// If one of them stores an entry all the same, that is what counts.
		sql(
			file,
			"INSERT INTO entries (key, entry, written) VALUES (?, ?, ?) ON CONFLICT (key) DO UPDATE SET entry = excluded.entry, written = excluded.written",
			KEY,
			small,
			Date.now(),
		);
		const again = await SqliteStore.open(file);
		expect(await again.get(KEY)).toEqual(small);
		await again.close();
	});

	test("that no row has is removed after an hour, and no other", async () => {
		const file = newFile();
		const store = await SqliteStore.open(file, { keepFor: 0 });
		await store.set(KEY, large);
		await store.close();
		sql(file, "UPDATE parts SET written = written - ?", 2 * HOUR);
		const add = (age: number) =>
			sql(
				file,
				"INSERT INTO parts (name, number, key, written, bytes) VALUES (?, ?, ?, ?, ?)",
				standIn(1),
				0,
				KEY,
				Date.now() - age,
				small,
			);
		// Of processes that were killed, and of one that may still write.
		add(2 * HOUR);
		add(HOUR / 2);
		add(2 * HOUR);
		expect(partsIn(file)).toBe(7);
		const next = await SqliteStore.open(file, { keepFor: 0 });
		await next.set("http://b.test", small);
		await next.close();
		expect(partsIn(file)).toBe(5);
		const last = await SqliteStore.open(file);
		expect(await last.get(KEY)).toHaveLength(large.length);
		await last.close();
	});

	test("is not kept if another process has removed a part", async () => {
		const file = newFile();
		const store = await SqliteStore.open(file);
		await store.set(KEY, small);
		const { prototype } = sqlite.StatementSync;
		const { run } = prototype;
		using _ = vi.spyOn(prototype, "run").mockImplementation(function (
			this: unknown,
			...values
		) {
			const result = run.apply(this, values);
			if (values[1] === 3) sql(file, "DELETE FROM parts WHERE number = 1");
			return result;
		});
		await expect(store.set(KEY, large)).rejects.toThrow(/removed its parts/);
		expect(await store.get(KEY)).toEqual(small);
		await store.close();
		expect(partsIn(file)).toBe(0);
	});

	test("that is forgotten leaves no parts", async () => {
		const file = newFile();
		const store = await SqliteStore.open(file);
		await store.set(KEY, large);
		await store.close();
		const day = 24 * HOUR;
		for (const table of ["entries", "parts"])
			sql(file, `UPDATE ${table} SET written = written - ${100 * day}`);
		const next = await SqliteStore.open(file);
		expect(await next.get(KEY)).toBeUndefined();
		await next.set("http://b.test", small);
		await next.close();
		expect(partsIn(file)).toBe(0);
	});

	test("without one of its parts is damaged, and fetched again", async () => {
		const body = Buffer.from(
			`User-agent: *\nDisallow: /private\n#${"x".repeat(3 * COPIED)}`,
		);
		await using site = await serve((_, response) => response.end(body));
		const file = newFile();
		const origin = site.origin("a.test");
		for (const [number, requests] of [
			[undefined, 1],
			[undefined, 0],
			[0, 1],
			[2, 1],
			[3, 1],
		] as const) {
			if (number !== undefined)
				sql(file, "DELETE FROM parts WHERE number = ?", number);
			const store = await SqliteStore.open(file);
			await using client = clientOf({ store, dialect: "google" });
			expect(await client.isAllowed(`${origin}/private`)).toBe(false);
			expect(client.stats()).toMatchObject({
				requests,
				corruptEntries: number === undefined ? 0 : 1,
				storeErrors: 0,
			});
			await client.close();
			await store.close();
			expect(partsIn(file)).toBe(4);
		}
	});

	test("of a file from before there were parts is read whole", async () => {
		const file = newFile();
		copyFileSync(
			fileURLToPath(
				new URL("../../../test/data/stored/sqlite-store.v1", import.meta.url),
			),
			file,
		);
		const store = await SqliteStore.open(file, { keepFor: 0 });
		expect(await store.get(KEY)).toEqual(small);
		await store.set("http://b.test", large);
		expect(await store.get("http://b.test")).toHaveLength(large.length);
		await store.close();
	});

	test("of an older file with parts is read", async () => {
		const file = newFile();
		copyFileSync(
			fileURLToPath(
				new URL(
					"../../../test/data/stored/sqlite-store-parts.v1",
					import.meta.url,
				),
			),
			file,
		);
		const store = await SqliteStore.open(file, { keepFor: 0 });
		expect(await store.get(KEY)).toEqual(small);
		expect(await store.get("http://b.test")).toHaveLength(32);
		await store.close();
	});
});
