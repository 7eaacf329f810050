export {
	type PoolOptions,
	type PoolSource,
	RobotsPool,
} from "./sites/pool.ts";
