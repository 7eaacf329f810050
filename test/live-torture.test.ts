import { expect, test } from "vitest";
import { RobotsIndex } from "../src/index.ts";
import type * as pools from "../src/pool.ts";
import { changeWhileJudging } from "./live-pool.ts";

/** Milliseconds; ROBOTRIE_TORTURE=1 asks for a minute. */
const DURATION = process.env.ROBOTRIE_TORTURE === "1" ? 60_000 : 10_000;

test("four workers judge while 1,000 origins change: every verdict is one that holds, and memory stays", async () => {
	// The workers are a file that only the build makes.
	const dist = new URL("../dist/pool.js", import.meta.url).href;
	const { RobotsPool } = (await import(dist)) as typeof pools;
	const empty = new RobotsIndex({ agent: "x" }).toBytes();
	await using pool = await RobotsPool.load(empty, { workers: 4 });
	const { sizes } = await changeWhileJudging(pool, DURATION);
	const quarter = Math.floor(sizes.length / 4);
	expect(quarter).toBeGreaterThan(0);
	const early = Math.max(...sizes.slice(0, 2 * quarter));
	const late = Math.max(...sizes.slice(-quarter));
	expect(late).toBeLessThan(1.25 * early);
});
