/** @robotrie/client/sqlite: an entry of its own, as it needs a Node that has SQLite. */

export { SqliteStore, type SqliteStoreOptions } from "./sqlite-store.ts";
