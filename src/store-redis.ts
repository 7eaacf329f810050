export { RedisStore, type RedisStoreOptions } from "./client/redis-store.ts";
