export * from "./access.ts";
export type {
	RobotsAnswer,
	SitemapOptions,
	VisitOptions,
	WaitOptions,
} from "./client/call-options.ts";
export type { RobotsClientEvents, RobotsClientStats } from "./client/events.ts";
export type { Fetch } from "./client/exchange.ts";
export { MemoryStore, type MemoryStoreOptions } from "./client/memory-store.ts";
export { openStore } from "./client/open-store.ts";
export type { RobotsClientOptions } from "./client/options.ts";
export { RobotsClient } from "./client/robots-client.ts";
export type { RobotsStore } from "./client/store.ts";
