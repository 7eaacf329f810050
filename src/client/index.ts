export * from "../access/index.ts";
export type { RobotsClientEvents, RobotsClientStats } from "./events.ts";
export type { Fetch } from "./exchange.ts";
export { MemoryStore } from "./memory-store.ts";
export { openStore } from "./open-store.ts";
export type { RobotsClientOptions } from "./options.ts";
export { RobotsClient, type WaitOptions } from "./robots-client.ts";
export type { RobotsStore } from "./store.ts";
