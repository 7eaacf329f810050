export * from "robotrie/access";
export type { Fetch } from "./exchange.ts";
export { MemoryStore, type MemoryStoreOptions } from "./memory-store.ts";
export { openStore } from "./open-store.ts";
export type {
	RobotsAnswer,
	RobotsClientEvents,
	RobotsClientOptions,
	RobotsClientStats,
	SitemapOptions,
	VisitOptions,
	WaitOptions,
} from "./options.ts";
export { RobotsClient } from "./robots-client.ts";
export type { RobotsStore } from "./store.ts";
