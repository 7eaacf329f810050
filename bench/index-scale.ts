import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { isSmall } from "./data.ts";
import type { CallTimes } from "./index-calls.ts";
import type { SiteBytes } from "./index-sites.ts";
import type { PoolTimes } from "./pool.ts";
import { inChild } from "./processes.ts";
import type { Built, Loaded } from "./scale.ts";

const SIZES = isSmall ? [500, 1000] : [100_000, 1_000_000];

/** An index of generated sites, built by one process and loaded by two others. */
export interface ScaleResult extends Built {
	readonly loaded: Loaded;
	/** The same from a stream of the file. */
	readonly streamed: Loaded;
}

/** An index at growing sizes, or at the largest alone. */
export function measureSizes(sizes: readonly number[] = SIZES): ScaleResult[] {
	const folder = mkdtempSync(join(tmpdir(), "robotrie-bench-"));
	try {
		const file = join(folder, "index.rti");
		return sizes.map((origins): ScaleResult => {
			const count = origins.toLocaleString("en");
			process.stderr.write(`index of ${count} origins …\n`);
			const built = inChild<Built>("build", String(origins), file);
			process.stderr.write(`index of ${count} origins, loaded …\n`);
			const loaded = inChild<Loaded>("load", String(origins), file);
			const streamed = inChild<Loaded>("stream", String(origins), file);
			return { ...built, loaded, streamed };
		});
	} finally {
		rmSync(folder, { recursive: true, force: true });
	}
}

export const measureLargest = () => measureSizes(SIZES.slice(-1));

/** What an index costs at growing sizes and by site, what its calls take, and what a second worker gains. */
export function measureScale(): {
	scale: ScaleResult[];
	sites: SiteBytes;
	calls: CallTimes;
	pools: PoolTimes;
} {
	const scale = measureSizes();
	process.stderr.write("index, bytes of sites …\n");
	const sites = inChild<SiteBytes>("sites");
	process.stderr.write("index, calls …\n");
	const calls = inChild<CallTimes>("calls");
	process.stderr.write("index, two workers …\n");
	return { scale, sites, calls, pools: inChild<PoolTimes>("pools") };
}
