/**
 * The public entry, @robotrie/client, with `robotrie/access`, whose functions and types it works
 * with. Stores of their own packages are entries of their own (sqlite.ts, lmdb.ts, redis.ts), as
 * their packages are optional. docs/client.md is its guide.
 * @module
 */

export * from "robotrie/access";
export type { Fetch } from "./fetch/exchange.ts";
export type { PaceBy } from "./pacing/pace-key.ts";
export type { Visit, VisitAnswer, VisitResult } from "./pacing/visitor.ts";
export { RobotsClient } from "./robots-client.ts";
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
} from "./source/options.ts";
export { MemoryStore, type MemoryStoreOptions } from "./stores/memory-store.ts";
export { openStore } from "./stores/open-store.ts";
export type { RobotsStore, StoreUsage } from "./stores/store.ts";
