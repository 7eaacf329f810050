/**
 * @robotrie/client/redis: robots.txt answers in Redis, shared by many machines. An entry of its own, as it needs the optional package redis.
 * @module
 */

export { RedisStore, type RedisStoreOptions } from "./stores/redis-store.ts";
