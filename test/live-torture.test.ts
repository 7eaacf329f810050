import { expect, test } from "vitest";
import { RobotsIndex } from "../src/index.ts";
import type * as pools from "../src/pool.ts";
import { changeWhileJudging } from "./live-pool.ts";

/** Milliseconds; ROBOTRIE_TORTURE=1 asks for a minute. */
const DURATION = process.env.ROBOTRIE_TORTURE === "1" ? 60_000 : 10_000;
/** Sizes to be compared. A slow machine makes a hundred changes a second, and tells a size after 50. */
const SIZES = 12;

test("four workers judge while 1,000 origins change: every verdict is one that holds, and memory stays", async () => {
	// The workers are a file that only the build makes.
	const dist = new URL("../dist/pool.js", import.meta.url).href;
	const { RobotsPool } = (await import(dist)) as typeof pools;
	const empty = new RobotsIndex({ agent: "x" }).toBytes();
	await using pool = await RobotsPool.load(empty, { workers: 4 });
	const { sizes } = await changeWhileJudging(pool, DURATION, SIZES);
	const quarter = Math.floor(sizes.length / 4);
	// A reader that the machine stops for a while holds up a batch of changes: single sizes tell little.
	const early = median(sizes.slice(0, quarter));
	const late = median(sizes.slice(-quarter));
	expect(late).toBeLessThan(1.25 * early);
});

function median(sizes: readonly number[]): number {
	const sorted = sizes.toSorted((a, b) => a - b);
	return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN;
}
