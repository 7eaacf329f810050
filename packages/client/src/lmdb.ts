export { LmdbStore } from "./lmdb-store.ts";
