export { LmdbStore } from "./client/lmdb-store.ts";
