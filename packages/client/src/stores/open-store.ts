/**
 * Opens a store by a text, as command lines and configurations have it. Each store's code, and its
 * package, is imported only when it is chosen.
 */

import { check } from "#robotrie/common/arguments";
import type { RobotsStore } from "./store.ts";
import { locationKind } from "./store.ts";

/**
 * Opens a store by its location: "redis:" and "rediss:" URLs lead to a Redis server, "sqlite:" before a file's name and names
 * that end in .sqlite, .sqlite3 or .db to an SQLite file, anything else is a folder for LMDB.
 * @example
 * const store = await openStore("robots.sqlite");
 * await using client = new RobotsClient({ agent: "ExampleBot", store });
 * @throws {RobotrieError} missing-package, unsupported, store-unavailable, invalid-argument.
 */
export async function openStore(location: string): Promise<RobotsStore> {
	check("location", location, locationKind);
	if (/^rediss?:/i.test(location)) {
		const { RedisStore } = await import("./redis-store.ts");
		return RedisStore.open(location);
	}
	const prefix = /^sqlite:(\/\/(?=\/))?/i;
	if (prefix.test(location) || /\.(sqlite3?|db)$/i.test(location)) {
		const { SqliteStore } = await import("./sqlite-store.ts");
		return SqliteStore.open(location.replace(prefix, ""));
	}
	const { LmdbStore } = await import("./lmdb-store.ts");
	return LmdbStore.open(location);
}
