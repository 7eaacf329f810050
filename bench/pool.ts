import type * as pool from "../src/sites/pool.ts";
import { demandSame } from "./check.ts";
import type { Library } from "./library.ts";
import { indexOf, mixedUrls } from "./mixed.ts";
import { type Data, linesOf } from "./site.ts";

const WORKERS = [1, 2];
const MIB = 32;
const ROUNDS = 15;

/** Milliseconds that pools of one and of two workers take for the same lines. */
export interface PoolTimes {
	readonly bytes: number;
	readonly lines: number;
	readonly pools: readonly {
		readonly workers: number;
		readonly msFastest: number;
		readonly msMedian: number;
	}[];
}

type Pool = Pick<pool.RobotsPool, "matchLines" | "close">;

/** Opens pools as built, since a bundle has no worker's file beside it. From build/bench, where benchmarks run. */
export async function poolOpener() {
	const { RobotsPool } = (await import(
		new URL("../../dist/pool.js", import.meta.url).href
	)) as typeof pool;
	return (snapshot: Uint8Array, workers: number): Pool =>
		new RobotsPool(snapshot, { workers });
}

/** How much work a pool is given, and how often. */
interface Load {
	readonly mib: number;
	readonly rounds: number;
}

/**
 * Pools of different numbers of workers in turn, over MiB of URLs of all sites in random order.
 * @throws {Error} When a verdict is wrong.
 */
export async function measurePools(
	library: Library,
	data: Data,
	openPool: (snapshot: Uint8Array, workers: number) => Pool,
	{ mib, rounds }: Load = { mib: MIB, rounds: ROUNDS },
): Promise<PoolTimes> {
	const dialect = "google";
	const index = indexOf(library, data, dialect);
	const mixed = mixedUrls(data, dialect);
	const once = linesOf(mixed.map(({ url }) => url));
	const verdicts = Uint8Array.from(mixed, ({ verdict }) => verdict);
	const times = Math.ceil((mib * 2 ** 20) / once.length);
	const lines = new Uint8Array(once.length * times);
	const right = Buffer.alloc(verdicts.length * times);
	for (let i = 0; i < times; i++) {
		lines.set(once, i * once.length);
		right.set(verdicts, i * verdicts.length);
	}
	const snapshot = index.toBytes();
	const pools = WORKERS.map((workers) => ({
		workers,
		pool: openPool(snapshot, workers),
		ms: [] as number[],
	}));
	// The first round is where workers start and code is compiled.
	for (let round = 0; round <= rounds; round++) {
		for (const { workers, pool, ms } of pools) {
			const start = performance.now();
			const found = await pool.matchLines(lines);
			if (round > 0) ms.push(performance.now() - start);
			if (!right.equals(found))
				demandSame(`pool of ${workers} workers`, found, right);
		}
	}
	for (const { pool } of pools) await pool.close();
	return {
		bytes: lines.length,
		lines: right.length,
		pools: pools.map(({ workers, ms }) => {
			ms.sort((a, b) => a - b);
			return {
				workers,
				msFastest: ms[0] ?? 0,
				msMedian: ms[ms.length >> 1] ?? 0,
			};
		}),
	};
}
