/**
 * robotrie/pool: an index judged by worker threads. An entry of its own, as it imports node:worker_threads.
 * @module
 */
export {
	type PoolOptions,
	type PoolSource,
	RobotsPool,
} from "./sites/pool.ts";
