import type { CaseResult } from "../../bench/report.ts";
import type { Build } from "./bench-messages.ts";

/** What one build's run gave, in the form of bench/results. */
export interface BuildResults {
	readonly date: string;
	readonly build: Build;
	readonly data: string;
	readonly cases: readonly CaseResult[];
	/** Of the run of both builds. */
	readonly seconds?: number;
	readonly browser?: string;
	readonly node?: string;
	readonly cpu?: string;
}

const files = import.meta.glob<BuildResults>(
	["../bench/results/*-page-node*.json", "!../bench/results/local-*"],
	{ eager: true, import: "default" },
);

/** The same cases in Node, of the build with SIMD, as stored in bench/results; undefined where nothing is stored. */
export const nodeResults: BuildResults | undefined = Object.values(files)
	.filter(({ build }) => build === "simd")
	.sort((a, b) => a.date.localeCompare(b.date))
	.at(-1);
