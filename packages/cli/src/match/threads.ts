import type Tinypool from "tinypool";
import type { OpenFolder } from "../index-files/shard-set.ts";
import {
	type SharedShards,
	stopWaiting,
} from "../index-files/shared-shards.ts";
import { SortedLines } from "../index-files/sorted-lines.ts";
import { endPart, type LinePart } from "../input/line-parts.ts";
import { ownBuffer, startThreads } from "../options/threads.ts";
import { inOrder } from "../options/workers.ts";
import { Failure } from "../output/failure.ts";
import type { VerdictLines, VerdictName } from "./verdict-lines.ts";

/** What threads judge by. Plain data. */
export type JudgeSource =
	| { readonly kind: "matcher"; readonly program: Uint8Array }
	| { readonly kind: "index"; readonly shards: SharedShards };

/** What a thread is sent. */
export interface MatchJob {
	readonly source: JudgeSource;
	readonly only: VerdictName | undefined;
	readonly part: LinePart;
	/** What the output is written to, if it has room there. */
	readonly into: ArrayBuffer;
}

/** Why a thread cannot go on; null if another one's failure says that. */
interface JobFailure {
	readonly failure: string | null;
}

/** What it answers: labelled lines and how many lines have each verdict; or why it cannot read its part, whatever others do. */
export type MatchJobResult =
	| {
			readonly output: Uint8Array<ArrayBuffer>;
			readonly counts: Float64Array;
	  }
	| { readonly unreadable: string }
	| JobFailure;

/** What a thread is sent that has some of the shards to itself: lines of one of them. */
export interface ShardJob {
	readonly open: OpenFolder;
	readonly shard: number;
	readonly lines: Uint8Array;
}

/** What it answers. */
export type ShardJobResult = { readonly verdicts: Uint8Array } | JobFailure;

/** Parts under way for each worker. */
const AHEAD = 3;

const WORKER = "match-worker.js";

/** Lines with their verdicts, in their order, each until the next is asked for; `counted` counts them. @throws {Failure} */
export async function* labelInThreads(
	parts: AsyncIterable<LinePart>,
	source: JudgeSource,
	workers: number,
	counted: VerdictLines,
): AsyncGenerator<Uint8Array> {
	const pool = startThreads(WORKER, workers);
	const first = new FirstFailure(() => {
		if (source.kind === "index") stopWaiting(source.shards);
	});
	// Buffers go to threads and come back: pages of new ones would have to be cleared, and V8 would collect garbage again and again.
	const free: ArrayBuffer[] = [];
	const judge = async (part: LinePart) => {
		const into = free.pop() ?? new ArrayBuffer(0);
		const job: MatchJob = { source, only: counted.only, part, into };
		const transferList =
			part instanceof Uint8Array ? [into, ...ownBuffer(part)] : [into];
		const answer: Exclude<MatchJobResult, JobFailure> = await first.unless(
			pool.run(job, { transferList }),
		);
		if ("unreadable" in answer) throw new Failure(answer.unreadable);
		counted.add(answer.counts);
		return answer.output;
	};
	try {
		const results = inOrder(parts, AHEAD * workers, judge);
		for await (const { item, result } of results) {
			endPart(item);
			yield result;
			free.push(result.buffer);
		}
	} finally {
		await pool.destroy();
	}
}

/** Of the failures of threads that wait for each other, the one that the others follow from. */
class FirstFailure {
	readonly #failed: Promise<never>;
	#fail: (error: unknown) => void = () => {};

	/** @param onFailure Told of it. */
	constructor(onFailure: () => void) {
		this.#failed = new Promise((_, reject) => {
			this.#fail = (error) => {
				reject(error);
				onFailure();
			};
		});
		this.#failed.catch(() => {});
	}

	/** A thread's answer. @throws {unknown} The first failure. */
	async unless<Answer extends object>(
		promise: Promise<Answer | JobFailure>,
	): Promise<Answer> {
		try {
			const answer = await promise;
			if (!("failure" in answer)) return answer;
			if (answer.failure !== null) throw new Failure(answer.failure);
		} catch (error) {
			this.#fail(error);
		}
		return this.#failed;
	}
}

/** Threads that each have some of an index's shards to themselves: together they load each shard once, where not all fit into memory. */
export class ShardOwners {
	readonly #open: OpenFolder;
	readonly #threads: readonly Tinypool[];
	/** Those that no call uses. */
	readonly #free: SortedLines[] = [];
	/** Shards in the order of the last call: those that were used last are loaded. */
	#order: readonly number[];

	/** @param open Its memory is divided among the threads. */
	constructor(open: OpenFolder, workers: number) {
		this.#open = { ...open, memory: open.memory / workers };
		this.#threads = Array.from({ length: workers }, () =>
			startThreads(WORKER, 1),
		);
		this.#order = [...open.shards.keys()];
	}

	/** A `Verdict` for every one of whole lines, as `RobotsIndex.matchLines` gives it. @throws {Failure} */
	async matchLines(lines: Uint8Array): Promise<Uint8Array> {
		const open = this.#open;
		const sorted = this.#free.pop() ?? new SortedLines(open.shards.length);
		sorted.sort(lines);
		const needed = new Set(sorted.needed());
		this.#order = this.#order.toReversed();
		/** By shard: of several the first one is told, as by a single thread. */
		const failures: Record<number, string> = {};
		const judgeOne = async (shard: number) => {
			const thread = this.#threads[shard % this.#threads.length] as Tinypool;
			// A copy: a view would be sent with all of its buffer.
			const some = sorted.linesOf(shard).slice();
			const job: ShardJob = { open, shard, lines: some };
			const answer: ShardJobResult = await thread.run(job, {
				name: "judgeShard",
				transferList: [some.buffer],
			});
			if (!("failure" in answer)) sorted.setVerdicts(shard, answer.verdicts);
			else if (answer.failure !== null) failures[shard] = answer.failure;
		};
		await Promise.all(
			this.#order.filter((shard) => needed.has(shard)).map(judgeOne),
		);
		const [failure] = Object.values(failures);
		if (failure !== undefined) throw new Failure(failure);
		this.#free.push(sorted);
		return sorted.verdicts;
	}

	/** Ends the threads. */
	async end(): Promise<void> {
		await Promise.all(this.#threads.map((thread) => thread.destroy()));
	}
}
