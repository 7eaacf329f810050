/**
 * The public entry, @robotrie/client, with `robotrie/access`, whose functions and types it works
 * with. Stores of their own packages are entries of their own (sqlite.ts, lmdb.ts, redis.ts), as
 * their packages are optional. docs/client.md is its guide.
 * @module
 */

export * from "robotrie/access";
export type { Fetch } from "./exchange.ts";
export { MemoryStore, type MemoryStoreOptions } from "./memory-store.ts";
export { openStore } from "./open-store.ts";
export {
	type LaterUrl,
	type NextVisitOptions,
	RequestLimit,
	type RobotsAnswer,
	type RobotsClientEvents,
	type RobotsClientOptions,
	type RobotsClientStats,
	type SitemapOptions,
	type SortedUrls,
	type VisitOptions,
	type WaitOptions,
} from "./options.ts";
export type { PaceBy } from "./pace-key.ts";
export { RobotsClient } from "./robots-client.ts";
export type { RobotsStore, StoreUsage } from "./store.ts";
export type { Visit, VisitAnswer, VisitResult } from "./visitor.ts";
