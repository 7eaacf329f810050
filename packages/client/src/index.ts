export * from "robotrie/access";
export type {
	RobotsAnswer,
	SitemapOptions,
	VisitOptions,
	WaitOptions,
} from "./call-options.ts";
export type { RobotsClientEvents, RobotsClientStats } from "./events.ts";
export type { Fetch } from "./exchange.ts";
export { MemoryStore, type MemoryStoreOptions } from "./memory-store.ts";
export { openStore } from "./open-store.ts";
export type { RobotsClientOptions } from "./options.ts";
export { RobotsClient } from "./robots-client.ts";
export type { RobotsStore } from "./store.ts";
