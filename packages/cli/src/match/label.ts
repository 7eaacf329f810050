/**
 * Puts verdicts in front of lines by an index, in this thread or in several, and by one robots.txt in several; match.ts calls it. What its
 * threads do (`start`) is at the end. The output has the order of the input, and each block of it is valid until the next is asked for.
 *
 * How threads share an index depends on its size. A file, and shards that all fit into memory, are loaded once for all threads, each of
 * which reads and judges any line (SharedShardSet). Where they do not fit, each thread owns some of the shards and loads only those
 * (ShardOwners). If a thread cannot load a shared index, all fail with its message: those that waited throw OtherFailed.
 *
 * Two ways are as few as were found. Of the CPU time for 4 million lines in two threads, the main thread, which is the limit with more of them,
 * had 0.16 as it is, for 16 shards 0.08; a RobotsPool for a file had 0.32, and owners for shards that fit 0.57.
 */

import {
	filesOf,
	fits,
	openFolder,
	openIndexFile,
	readIndex,
	ShardSet,
	SortedLines,
} from "@robotrie/sites/internal-shards";
import { Matcher } from "robotrie";
import { concatenate } from "#robotrie/common/chunks";
import { isFolder } from "#sites/files/stat";
import {
	inOrder,
	moved,
	ownBuffer,
	serve,
	Threads,
} from "#sites/threads/threads";
import {
	blocksForThreads,
	blocksOf,
	endBlock,
	type LineBlock,
	type LineRange,
	type OnRead,
	RangeReader,
} from "../input/lines.ts";
import { Failure, isTold } from "../output/output.ts";
import {
	SharedShardSet,
	type SharedShards,
	shareShards,
	stopWaiting,
} from "./shared-shards.ts";
import { VerdictLines, type VerdictName } from "./verdict-lines.ts";

type OpenFolder = Awaited<ReturnType<typeof openFolder>>;
type SharedFile = ReturnType<typeof filesOf>[number];

/**
 * What lines may be judged with. Given to every way of judging, so that a caller need not know
 * which one is taken.
 */
interface MatchResources {
	/** Bytes that loaded shards may take. */
	readonly memory: number;
	readonly workers: number;
	readonly onRead: OnRead;
}

/**
 * The lines of files with verdicts by an index: a file, or a folder of shards. See the head of this
 * file for the ways to share it.
 * @throws {Failure}
 */
export async function labelByIndex(
	index: string,
	inputs: readonly string[],
	{ memory, workers, onRead }: MatchResources,
	verdictLines: VerdictLines,
): Promise<AsyncIterable<Uint8Array>> {
	const blocks = blocksOf(inputs, onRead);
	const shared = (files: readonly SharedFile[], some: typeof threadBlocks) => {
		const shards = shareShards(files, workers);
		return labelInThreads(
			some,
			{ kind: "index", shards },
			workers,
			verdictLines,
		);
	};
	// Blocks for threads are positions in a plain file where that is possible.
	const threadBlocks = blocksForThreads(inputs, onRead);
	if (!isFolder(index))
		return workers < 2
			? labelHere(blocks, await readIndex(index), verdictLines)
			: shared(
					[{ path: index, opened: openIndexFile(index) }],
					withEmpty(threadBlocks),
				);
	const open = await openFolder(index, memory);
	if (fits(open, workers))
		return workers < 2
			? labelHere(blocks, new ShardSet(open), verdictLines)
			: shared(filesOf(open), threadBlocks);
	// Where shards have to be unloaded, larger batches load each shard less often.
	const batches = gathered(blocks, batchFor(memory));
	return workers < 2
		? labelHere(batches, new ShardSet(open), verdictLines)
		: labelByOwners(batches, open, workers, verdictLines);
}

/**
 * Blocks after an empty one, which has an index loaded, and refused if it is damaged, even if there
 * are no lines. Without any line, an index would never be loaded, and a damaged one never noticed.
 */
async function* withEmpty(
	blocks: AsyncIterable<LineBlock>,
): AsyncGenerator<LineBlock> {
	yield new Uint8Array();
	yield* blocks;
}

async function* labelHere(
	blocks: AsyncIterable<Uint8Array>,
	judge: { matchLines(lines: Uint8Array): Uint8Array | Promise<Uint8Array> },
	verdictLines: VerdictLines,
): AsyncGenerator<Uint8Array> {
	// One block is judged and written before the next is read, so that memory holds one.
	for await (const lines of blocks)
		yield verdictLines.label(lines, await judge.matchLines(lines));
}

/** Blocks under way for each thread: one that it judges, one that waits for it, and one whose output waits for its turn. */
const AHEAD = 3;

function startThreads(
	source: JudgeSource,
	workers: number,
	{ only }: Partial<VerdictLines> = {},
): Threads<typeof start> {
	// Threads that wait for a shared file would wait for ever for a thread that has ended.
	const onFailure = () => {
		if (source.kind === "index") stopWaiting(source.shards);
	};
	// The program lies beside the file of dist that this is part of.
	const program = new URL("./label-worker.js", import.meta.url);
	return new Threads<typeof start>(
		program,
		workers,
		{ source, only },
		{ onFailure },
	);
}

/** Lines with their verdicts, which `verdictLines` counts. @throws {Failure} */
export async function* labelInThreads(
	blocks: AsyncIterable<LineBlock>,
	source: JudgeSource,
	workers: number,
	verdictLines: VerdictLines,
): AsyncGenerator<Uint8Array> {
	// Answers come in the order of the lines; the buffer of an answer is free again once it was
	// written.
	const threads = startThreads(source, workers, verdictLines);
	// Buffers go to threads and come back: pages of new ones would have to be cleared, and V8 would collect garbage again and again.
	const free: ArrayBuffer[] = [];
	const judge = async (block: LineBlock) => {
		const into = free.pop() ?? new ArrayBuffer(0);
		const buffers =
			block instanceof Uint8Array ? [into, ...ownBuffer(block)] : [into];
		const answer = await threads.run("label", { block, into }, buffers);
		// Answers, not failures, for what is wrong with the input: the lines before it have to be
		// written first.
		if ("unreadable" in answer) throw new Failure(answer.unreadable);
		verdictLines.add(answer.counts);
		return answer.output;
	};
	try {
		for await (const { item, result } of inOrder(
			blocks,
			AHEAD * workers,
			judge,
		)) {
			endBlock(item);
			yield result;
			free.push(result.buffer);
		}
	} finally {
		await threads.end();
	}
}

/**
 * Bytes of lines that are put together where shards have to be unloaded for others: loading one
 * takes as long as judging some 200,000 lines.
 */
const BATCH = 32 * 1024 * 1024;
const LEAST_BATCH = 4 * 1024 * 1024;
const LF = 10;

/** An eighth of the memory for lines, the rest for shards. */
function batchFor(memory: number): number {
	return Math.max(LEAST_BATCH, Math.min(BATCH, memory / 8));
}

/** Blocks put together, about `size` bytes at once. */
async function* gathered(
	blocks: AsyncIterable<Uint8Array>,
	size: number,
): AsyncGenerator<Uint8Array> {
	let held: Uint8Array[] = [];
	let heldSize = 0;
	for await (const block of blocks) {
		held.push(block);
		heldSize += block.length;
		// The last line of a file may lack its end. Otherwise two files' lines would be judged as one.
		if (block.at(-1) !== LF) held.push(Uint8Array.of(LF));
		if (heldSize < size) continue;
		yield concatenate(held);
		held = [];
		heldSize = 0;
	}
	if (heldSize > 0) yield concatenate(held);
}

async function* labelByOwners(
	batches: AsyncIterable<Uint8Array>,
	open: OpenFolder,
	workers: number,
	verdictLines: VerdictLines,
): AsyncGenerator<Uint8Array> {
	const owners = new ShardOwners(open, workers);
	try {
		// The next lines are sorted while threads judge some. Two at a time: one is judged while the
		// next is sorted by shards.
		const judged = inOrder(batches, 2, (lines) => owners.matchLines(lines));
		for await (const { item, result } of judged)
			yield verdictLines.label(item, result);
	} finally {
		await owners.end();
	}
}

/**
 * Threads that each have some of an index's shards to themselves: together they load each shard
 * once, where not all fit into memory. Each shard is in one thread's memory, which is what the
 * memory option divides.
 */
class ShardOwners {
	readonly #threads: Threads<typeof start>;
	readonly #shards: number;
	/** Those that no call uses. */
	readonly #free: SortedLines[] = [];
	/** Shards in the order of the last call. Each call reverses it, to begin with the shards that were used last and still are loaded. */
	#order: readonly number[];

	/**
	 * The memory is divided, as each thread loads shards of its own.
	 * @param open Its memory is divided among the threads.
	 */
	constructor(open: OpenFolder, workers: number) {
		const own = { ...open, memory: open.memory / workers };
		this.#threads = startThreads({ kind: "shards", open: own }, workers);
		this.#shards = open.shards.length;
		this.#order = [...open.shards.keys()];
	}

	/** A `Verdict` for each of whole lines, as `RobotsIndex.matchLines` returns it. @throws {Failure} */
	async matchLines(lines: Uint8Array): Promise<Uint8Array> {
		const sorted = this.#free.pop() ?? new SortedLines(this.#shards);
		// Sorted here, as the threads see only their own shards.
		sorted.sort(lines);
		const needed = new Set(sorted.needed());
		this.#order = this.#order.toReversed();
		/** By shard: of several failures the first shard's is thrown, as by a single thread. */
		const failures: Record<number, unknown> = {};
		const judgeOne = async (shard: number) => {
			// Fixed: the same shard always goes to the same thread, which has it loaded.
			const owner = shard % this.#threads.count;
			// A copy: a view would be sent with all of its buffer.
			const some = sorted.linesOf(shard).slice();
			const task = { shard, lines: some };
			try {
				const verdicts = await this.#threads.run(
					"judgeShard",
					task,
					ownBuffer(some),
					owner,
				);
				// Written into the batch's verdicts at the places that its lines have.
				sorted.setVerdicts(shard, verdicts);
			} catch (error) {
				failures[shard] = error;
			}
		};
		// Started in the order that begins with loaded shards; all of them run at once.
		await Promise.all(
			this.#order.filter((shard) => needed.has(shard)).map(judgeOne),
		);
		// After all, so that the error of the first shard is thrown, whichever failed first.
		for (const failure of Object.values(failures)) throw failure;
		this.#free.push(sorted);
		return sorted.verdicts;
	}

	/** Ends the threads. */
	async end(): Promise<void> {
		await this.#threads.end();
	}
}

/**
 * What threads judge by. Plain data. Programs are copied to each thread; an index file is read once
 * and shared.
 */
type JudgeSource =
	| { readonly kind: "matcher"; readonly program: Uint8Array }
	| { readonly kind: "index"; readonly shards: SharedShards }
	| { readonly kind: "shards"; readonly open: OpenFolder };

interface Settings {
	readonly source: JudgeSource;
	/** The verdict of the lines that are written; all without one. */
	readonly only: VerdictName | undefined;
}

/** A thread judges by one source for its whole life. */
function judgeOf(source: JudgeSource, thread: number) {
	switch (source.kind) {
		case "matcher":
			return Matcher.fromBytes(source.program);
		case "index":
			return new SharedShardSet(source.shards, thread);
		case "shards":
			return new ShardSet(source.open);
	}
}

/** What a thread does. */
const start = ({ source, only }: Settings, thread: number) => {
	const judge = judgeOf(source, thread);
	const verdictLines = new VerdictLines(only);
	const reader = new RangeReader();
	return {
		/**
		 * Lines with their verdicts, and how many have each. `into` is used for them if it has room. Why lines cannot be read is an answer and not
		 * a failure, as a failure would stop threads that wait for each other before the lines in front of these are judged.
		 */
		async label({ block, into }: { block: LineBlock; into: ArrayBuffer }) {
			// A range is read here, in the thread, so that its bytes never pass the main thread.
			const lines = block instanceof Uint8Array ? block : read(reader, block);
			if ("unreadable" in lines) return lines;
			const verdicts = await judge.matchLines(lines);
			const output = verdictLines.label(lines, verdicts, into);
			const answer = { output, counts: verdictLines.takeCounts() };
			return moved(answer, [output.buffer]);
		},
		/** Verdicts for lines that all belong to one shard. */
		judgeShard({ shard, lines }: { shard: number; lines: Uint8Array }) {
			return (judge as ShardSet).matchShard(shard, lines);
		},
	};
};

function read(
	reader: RangeReader,
	range: LineRange,
): Uint8Array | { readonly unreadable: string } {
	try {
		return reader.read(range);
	} catch (error) {
		if (!isTold(error)) throw error;
		return { unreadable: error.message };
	}
}

export default serve(start);
