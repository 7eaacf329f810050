import { measurePools } from "./pool.ts";
import { buildIndex, loadSnapshot } from "./scale.ts";

/** What is measured in a process of its own, by the first argument; the result goes to stdout as JSON. */
const [job = "", origins = "", file = ""] = process.argv.slice(2);
const jobs: Record<string, () => unknown> = {
	build: () => buildIndex(Number(origins), file),
	load: () => loadSnapshot(Number(origins), file),
	pools: measurePools,
};
process.stdout.write(JSON.stringify(await jobs[job]?.()));
