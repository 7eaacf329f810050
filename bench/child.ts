import { firstPass } from "./first-verdict.ts";
import { measurePools } from "./pool.ts";
import { buildIndex, loadSnapshot } from "./scale.ts";

/**
 * What is measured in a process of its own, by the first argument; the second is a number of origins or the name of a job. The result
 * goes to stdout as JSON.
 */
const [job = "", origins = "", file = ""] = process.argv.slice(2);
const jobs: Record<string, () => unknown> = {
	build: () => buildIndex(Number(origins), file),
	load: () => loadSnapshot(Number(origins), file),
	pools: measurePools,
	first: () => firstPass(origins, false),
	cold: () => firstPass(origins, true),
};
process.stdout.write(JSON.stringify(await jobs[job]?.()));
