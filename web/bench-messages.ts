import type { CaseResult } from "../bench/report.ts";

export const builds = ["simd", "scalar"] as const;
/** Which build of the module is measured. */
export type Build = (typeof builds)[number];

/** What a benchmark's worker tells: the case that it has begun, or what it found. */
export type BenchMessage =
	| { readonly begun: string }
	| { readonly cases: readonly CaseResult[]; readonly data: string }
	| { readonly error: string };
