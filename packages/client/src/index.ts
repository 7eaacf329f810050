export * from "robotrie/access";
export type { Fetch } from "./exchange.ts";
export { MemoryStore, type MemoryStoreOptions } from "./memory-store.ts";
export { openStore } from "./open-store.ts";
export {
	RequestLimit,
	type RobotsAnswer,
	type RobotsClientEvents,
	type RobotsClientOptions,
	type RobotsClientStats,
	type SitemapOptions,
	type VisitOptions,
	type WaitOptions,
} from "./options.ts";
export { RobotsClient } from "./robots-client.ts";
export type { RobotsStore } from "./store.ts";
