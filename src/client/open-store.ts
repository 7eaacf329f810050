import { check } from "../common/arguments.ts";
import { locationKind } from "./check-store.ts";
import type { RobotsStore } from "./store.ts";

/**
 * Opens a store by its location: "redis:" and "rediss:" URLs lead to a Redis server, anything else is a folder for LMDB.
 * @throws {RobotrieError} missing-package, store-unavailable, invalid-argument.
 */
export async function openStore(location: string): Promise<RobotsStore> {
	check("location", location, locationKind);
	if (/^rediss?:/i.test(location)) {
		const { RedisStore } = await import("./redis-store.ts");
		return RedisStore.open(location);
	}
	const { LmdbStore } = await import("./lmdb-store.ts");
	return LmdbStore.open(location);
}
