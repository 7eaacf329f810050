import { Bench } from "tinybench";
import type { Engine } from "./engine.ts";

/** What is timed of an engine. */
type Timed = Pick<Engine, "name" | "chunks" | "before">;

/** Milliseconds for a whole case. */
export interface Timing {
	/** Sum over the chunks of their fastest round. */
	readonly fastest: number;
	/** Sum over the chunks of their median round. */
	readonly median: number;
}

/**
 * Times engines chunk by chunk, in turn within each round, so that a slow stretch of the machine meets all of them.
 * Tinybench does the timing; each of its runs is one round.
 */
export function measure(
	engines: readonly Timed[],
	rounds: number,
): ReadonlyMap<string, Timing> {
	const samples = new Map(engines.map(({ name }) => [name, [] as number[][]]));
	const chunkCount = Math.max(...engines.map(({ chunks }) => chunks.length));
	for (let chunk = 0; chunk < chunkCount; chunk++) {
		const present = engines.filter(({ chunks }) => chunk < chunks.length);
		for (const { name } of present) samples.get(name)?.push([]);
		for (let round = 0; round < rounds; round++) {
			const bench = new Bench({
				iterations: 1,
				time: 0,
				warmup: false,
				throws: true,
			});
			for (const { name, chunks, before } of present) {
				bench.add(name, chunks[chunk] as () => unknown, {
					async: false,
					...(before && { beforeEach: before }),
				});
			}
			bench.runSync();
			for (const { name, result } of bench.tasks) {
				if (result.state !== "completed")
					throw new Error(`${name} did not run`);
				samples.get(name)?.at(-1)?.push(result.latency.min);
			}
		}
	}
	return new Map(
		[...samples].map(([name, chunks]) => [
			name,
			{
				fastest: sum(chunks, (times) => Math.min(...times)),
				median: sum(chunks, median),
			},
		]),
	);
}

/** Milliseconds for one pass over all of an engine's chunks. */
export function singlePass({ chunks }: Timed): number {
	const start = performance.now();
	for (const run of chunks) run();
	return performance.now() - start;
}

function sum(
	chunks: readonly number[][],
	pick: (times: number[]) => number,
): number {
	return chunks.reduce((total, times) => total + pick(times), 0);
}

function median(times: number[]): number {
	const sorted = times.toSorted((a, b) => a - b);
	return sorted[sorted.length >> 1] ?? 0;
}
