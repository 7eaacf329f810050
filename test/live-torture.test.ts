import { setImmediate as nextTurn } from "node:timers/promises";
import { describe, expect, test } from "vitest";
import { RobotsIndex } from "../src/index.ts";
import type * as pools from "../src/pool.ts";
import {
	changeWhileJudging,
	GrowingLines,
	type LivePool,
} from "./live-pool.ts";

/** Milliseconds; ROBOTRIE_ALL=1 asks for a minute. */
const DURATION = process.env.ROBOTRIE_ALL === "1" ? 60_000 : 10_000;
/** A slow machine makes a hundred a second. A size is told after each 50 that follow the first thousand: twelve sizes or more. */
const CHANGES = 1600;

test("four workers judge while 1,000 origins change: every verdict is one that holds, and memory stays", async () => {
	// The workers are a file that only the build makes.
	const dist = new URL("../dist/pool.js", import.meta.url).href;
	const { RobotsPool } = (await import(dist)) as typeof pools;
	const empty = new RobotsIndex({ agent: "x" }).toBytes();
	await using pool = await RobotsPool.load(empty, { workers: 4 });
	const { sizes } = await changeWhileJudging(pool, DURATION, CHANGES);
	const quarter = Math.floor(sizes.length / 4);
	// A reader that the machine stops for a while holds up a batch of changes: single sizes tell little.
	const early = median(sizes.slice(0, quarter));
	const late = median(sizes.slice(-quarter));
	expect(late).toBeLessThan(1.25 * early);
});

/** Milliseconds; ROBOTRIE_ALL=1 asks for ten minutes in all. */
const GROWING = process.env.ROBOTRIE_ALL === "1" ? 300_000 : 5_000;

describe("lines in buffers that grow while they are judged, and rules that change: every verdict is one that holds", () => {
	const judge = async (pool: LivePool): Promise<void> => {
		const lines = new GrowingLines();
		try {
			const { verdicts, changes } = await changeWhileJudging(
				pool,
				GROWING,
				100,
				lines.next,
			);
			console.log(`${verdicts} verdicts, ${changes} changes`);
			expect(verdicts).toBeGreaterThan(0);
		} finally {
			await lines.end();
		}
	};

	test("of a pool", { timeout: GROWING + 120_000 }, async () => {
		const dist = new URL("../dist/pool.js", import.meta.url).href;
		const { RobotsPool } = (await import(dist)) as typeof pools;
		const empty = new RobotsIndex({ agent: "x" }).toBytes();
		await using pool = await RobotsPool.load(empty, { workers: 3 });
		await judge(pool);
	});

	test("of an index", { timeout: GROWING + 120_000 }, async () => {
		const index = new RobotsIndex({ agent: "x" });
		await judge({
			set: async (origin, robots) => index.set(origin, robots),
			delete: async (origin) => index.delete(origin),
			matchLines: async (lines) => {
				// Others have their turn, and buffers grow.
				await nextTurn();
				return index.matchLines(lines);
			},
			get byteLength() {
				return index.byteLength;
			},
		});
	});
});

function median(sizes: readonly number[]): number {
	const sorted = sizes.toSorted((a, b) => a - b);
	return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN;
}
