export { type PoolOptions, RobotsPool } from "./sites/pool.ts";
