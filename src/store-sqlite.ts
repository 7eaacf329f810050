export { SqliteStore, type SqliteStoreOptions } from "./client/sqlite-store.ts";
