/**
 * @robotrie/client/sqlite: robots.txt answers in an SQLite database. An entry of its own, as it needs a Node that has SQLite.
 * @module
 */

export { SqliteStore, type SqliteStoreOptions } from "./stores/sqlite-store.ts";
