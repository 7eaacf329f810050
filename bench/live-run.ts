import { parseArgs } from "node:util";
import { storeResult, thisMachine } from "../scripts/store-result.mjs";
import type * as pools from "../src/pool.ts";
import { judgeWhileSetting } from "./live.ts";

const machine = thisMachine();
const { values } = parseArgs({
	options: {
		sets: { type: "string", default: "10000" },
		rounds: { type: "string", default: "15" },
		// The thread that sets and the one that makes the changes need a core.
		workers: { type: "string", default: `${Math.max(1, machine.cores - 1)}` },
	},
});

// As built: a bundle has no worker's file beside it. From build/bench, where this runs.
const dist = new URL("../../dist/pool.js", import.meta.url).href;
const { RobotsPool } = (await import(dist)) as typeof pools;
const result = await judgeWhileSetting({
	load: (snapshot, workers) => RobotsPool.load(snapshot, { workers }),
	workers: Number(values.workers),
	setsPerSecond: Number(values.sets),
	rounds: Number(values.rounds),
});
const { lines, workers, setsPerSecond, quiet, setting, apart } = result;
const cost = (ms: number) => `${((ms / quiet - 1) * 100).toFixed(1)}%`;
const rate = (ms: number) => `${(lines / ms / 1000).toFixed(2)} million`;
process.stdout.write(`${workers} workers of ${machine.cores} cores, ${lines} URLs a call, all verdicts right

| median of ${values.rounds} rounds | URLs a second |
|---|---:|
| nothing changes | ${rate(quiet)} |
| ${Math.round(setsPerSecond)} sets a second | ${rate(setting)} |
| as many in an index of their own | ${rate(apart)} |

Setting costs ${cost(setting)} of the time; the same work on memory that nobody shares costs ${cost(apart)}.
`);
process.stdout.write(`saved as ${storeResult("live", result)}\n`);
