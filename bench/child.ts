import { isSmall, loadData } from "./data.ts";
import { coldJob, firstPass } from "./first-verdict.ts";
import { measureCalls } from "./index-calls.ts";
import { measureSites } from "./index-sites.ts";
import { library } from "./library.ts";
import { measurePools, poolOpener } from "./pool.ts";
import { buildIndex, loadSnapshot } from "./scale.ts";

async function pools() {
	return measurePools(
		library,
		loadData(),
		await poolOpener(),
		isSmall ? { mib: 1, rounds: 1 } : undefined,
	);
}

/**
 * What is measured in a process of its own, by the first argument; the second is a number of origins or the name of a job. The result
 * goes to stdout as JSON.
 */
const load = isSmall ? { urls: 1000, passes: 1 } : undefined;
const [job = "", origins = "", file = ""] = process.argv.slice(2);
const jobs: Record<string, () => unknown> = {
	build: () => buildIndex(library, Number(origins), file, load),
	load: () => loadSnapshot(library, Number(origins), file, "bytes"),
	stream: () => loadSnapshot(library, Number(origins), file, "stream"),
	pools,
	sites: () => measureSites(library, loadData()),
	calls: () =>
		measureCalls(
			library,
			isSmall ? { origins: 1000, urls: 500, rounds: 1 } : undefined,
		),
	first: () => firstPass(library, loadData(), origins),
	cold: () => coldJob(library, loadData(), origins),
};
process.stdout.write(JSON.stringify(await jobs[job]?.()));
