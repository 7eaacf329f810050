/**
 * @robotrie/client/lmdb: robots.txt answers in an LMDB database, shared by the processes of a machine. An entry of its own, as it needs the optional package lmdb.
 * @module
 */

export { LmdbStore } from "./stores/lmdb-store.ts";
