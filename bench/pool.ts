import type * as library from "../src/sites/pool.ts";
import { expectCount } from "./cases.ts";
import { loadData } from "./data.ts";
import { indexOf, mixedUrls } from "./mixed.ts";
import { linesOf } from "./site.ts";

// As built, since a bundle has no worker's file beside it. From build/bench, where this runs.
const { RobotsPool } = (await import(
	new URL("../../dist/pool.js", import.meta.url).href
)) as typeof library;

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

/** Pools of different numbers of workers in turn, over MiB of real URLs of all sites in random order. */
export async function measurePools(): Promise<PoolTimes> {
	const data = loadData();
	const index = indexOf(data, "google");
	const once = linesOf(mixedUrls(data, "google").map(({ url }) => url));
	const times = Math.ceil((MIB * 2 ** 20) / once.length);
	const lines = new Uint8Array(once.length * times);
	for (let i = 0; i < times; i++) lines.set(once, i * once.length);
	const expected = Buffer.from(index.matchLines(lines));
	const snapshot = index.toBytes();
	const pools = WORKERS.map((workers) => ({
		workers,
		pool: new RobotsPool(snapshot, { workers }),
		ms: [] as number[],
	}));
	// The first round is where workers start and code is compiled.
	for (let round = 0; round <= ROUNDS; round++) {
		for (const { workers, pool, ms } of pools) {
			const start = performance.now();
			const verdicts = await pool.matchLines(lines);
			if (round > 0) ms.push(performance.now() - start);
			const wrong = expected.equals(verdicts) ? 0 : 1;
			expectCount(`${workers} workers, wrong answers`, wrong, 0);
		}
	}
	for (const { pool } of pools) await pool.close();
	return {
		bytes: lines.length,
		lines: expected.length,
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
