import type * as pools from "../src/pool.ts";
import { command, count } from "../tools/command.mjs";
import { storeResult, thisMachine } from "../tools/store-result.mjs";
import { judgeWhileSetting } from "./live.ts";

const machine = thisMachine();
const values = command(
	"npm run bench -- live",
	"Has a RobotsPool judge while its rules change, and while they do not.",
)
	.option("--sets <number>", "sets a second", count, 10_000)
	.option("--rounds <number>", "rounds of each", count, 15)
	.option(
		"--workers <number>",
		"threads that judge",
		count,
		// The thread that sets and the one that makes the changes need a core.
		Math.max(1, machine.cores - 1),
	)
	.parse()
	.opts<{ sets: number; rounds: number; workers: number }>();

// As built: a bundle has no worker's file beside it. From build/bench, where this runs.
const dist = new URL("../../dist/pool.js", import.meta.url).href;
const { RobotsPool } = (await import(dist)) as typeof pools;
const result = await judgeWhileSetting({
	load: (snapshot, workers) => RobotsPool.load(snapshot, { workers }),
	workers: values.workers,
	setsPerSecond: values.sets,
	rounds: values.rounds,
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
// With other options than the usual ones it is for whoever asked.
const part = process.argv.slice(2).join(" ");
process.stdout.write(`saved as ${storeResult("live", result, part)}\n`);
