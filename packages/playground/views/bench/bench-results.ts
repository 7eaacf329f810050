/**
 * The form of a benchmark's results, and the newest stored run of these cases in Node, from which bench-pane.ts says how long a run took
 * there. It is read when the page is built: results that were stored later need a new build.
 */
import type { CaseResult } from "../../../../bench/report.ts";

/** What a run gave, in the form of bench/results. */
export interface BenchResults {
	readonly date: string;
	readonly data: string;
	readonly cases: readonly CaseResult[];
	readonly seconds?: number;
	readonly browser?: string;
	readonly node?: string;
	readonly cpu?: string;
}

const files = import.meta.glob<BenchResults>(
	[
		"../../../../bench/results/*-page-node*.json",
		"!../../../../bench/results/local-*",
	],
	{ eager: true, import: "default" },
);

/** The same cases in Node, as stored in bench/results; undefined where nothing is stored. */
export const nodeResults: BenchResults | undefined = Object.values(files)
	.sort((a, b) => a.date.localeCompare(b.date))
	.at(-1);
