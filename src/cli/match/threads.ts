import { createReadStream } from "node:fs";
import Tinypool from "tinypool";
import { RobotsPool } from "../../sites/pool.ts";
import { asIndexFailure } from "../index-files/index-file.ts";
import type { OpenFolder } from "../index-files/shard-set.ts";
import { inOrder } from "../options/workers.ts";
import { Failure } from "../output/failure.ts";
import type { VerdictLines, VerdictName } from "./verdict-lines.ts";

/** What a thread judges by. Plain data. */
export type JudgeSource =
	| { readonly kind: "matcher"; readonly program: Uint8Array }
	/** Each thread loads the index in a file that is open. */
	| { readonly kind: "file"; readonly index: string; readonly opened: number }
	/** Each thread loads shards of its own. */
	| { readonly kind: "folder"; readonly open: OpenFolder };

/** What a thread is sent. */
export interface MatchJob {
	readonly source: JudgeSource;
	readonly only: VerdictName | undefined;
	readonly lines: Uint8Array;
}

/** What it answers: labelled lines and how many lines have each verdict, or why it cannot go on. */
export type MatchJobResult =
	| { readonly output: Uint8Array; readonly counts: Float64Array }
	| { readonly failure: string };

/** Blocks under way for each worker. */
const AHEAD = 3;

/** Blocks of whole lines with their verdicts, in their order; `counted` counts them. @throws {Failure} */
export async function* labelInThreads(
	blocks: AsyncIterable<Uint8Array>,
	source: JudgeSource,
	workers: number,
	counted: VerdictLines,
): AsyncGenerator<Uint8Array> {
	const pool = new Tinypool({
		filename: new URL("./match-worker.js", import.meta.url).href,
		minThreads: workers,
		maxThreads: workers,
		isolateWorkers: false,
		execArgv: [],
	});
	const judge = async (lines: Uint8Array): Promise<Uint8Array> => {
		const job: MatchJob = { source, only: counted.only, lines };
		const answer: MatchJobResult = await pool.run(job);
		if ("failure" in answer) throw new Failure(answer.failure);
		counted.add(answer.counts);
		return answer.output;
	};
	try {
		// Batches for a folder are large.
		const ahead = source.kind === "folder" ? workers + 1 : AHEAD * workers;
		const results = inOrder(blocks, ahead, judge);
		for await (const { result } of results) yield result;
	} finally {
		await pool.destroy();
	}
}

/** The same by an index in a file, which is in memory once for all threads. @throws {Failure} */
export async function* labelByPool(
	blocks: AsyncIterable<Uint8Array>,
	index: string,
	workers: number,
	verdictLines: VerdictLines,
): AsyncGenerator<Uint8Array> {
	const pool = await RobotsPool.load(createReadStream(index), {
		workers,
	}).catch((error) => {
		throw asIndexFailure(index, error);
	});
	try {
		const results = inOrder(blocks, AHEAD * workers, (lines) =>
			pool.matchLines(lines),
		);
		for await (const { item, result } of results)
			yield verdictLines.label(item, result);
	} finally {
		await pool.close();
	}
}
