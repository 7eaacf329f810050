/** @robotrie/client/lmdb: an entry of its own, as it needs the optional package lmdb. */

export { LmdbStore } from "./lmdb-store.ts";
