/** What the Benchmark pane and its worker send each other, and the parts of a run, in the order in which the worker does them. */
import type { CaseResult } from "../../../../bench/report.ts";

/**
 * What is measured, in order, and which share of the time each takes. The shares add up to 1, and only the estimate of the time that is left
 * depends on them: they may be some percent off.
 */
export const benchParts = [
	{ name: "parse and compile", share: 0.3 },
	{ name: "paths", share: 0.07 },
	{ name: "URLs", share: 0.08 },
	{ name: "strings", share: 0.45 },
	{ name: "index", share: 0.1 },
] as const;
export type BenchPart = (typeof benchParts)[number]["name"];

export interface BenchOrder {
	/** Fewer rounds than usual show only whether it works. */
	readonly rounds: number | undefined;
}

/** What a benchmark's worker tells: the part that it has begun, or what it found. */
export type BenchMessage =
	| { readonly begun: BenchPart }
	| { readonly cases: readonly CaseResult[]; readonly data: string }
	| { readonly error: string };
