/** @robotrie/client/redis: an entry of its own, as it needs the optional package redis. */

export { RedisStore, type RedisStoreOptions } from "./redis-store.ts";
