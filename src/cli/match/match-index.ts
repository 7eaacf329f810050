import { statSync } from "node:fs";
import { concatenate } from "../../common/chunks.ts";
import { openIndex, readIndex } from "../index-files/index-file.ts";
import { isFolder, openFolder, ShardSet } from "../index-files/shard-set.ts";
import type { VerdictLines } from "./verdict-lines.ts";

/** What lines may be judged with. */
export interface MatchResources {
	/** Bytes that loaded shards may take. */
	readonly memory: number;
	readonly workers: number;
}

/** Lines that are put together where shards have to be unloaded for others: loading one takes as long as judging some 200,000 lines. */
const BATCH = 32 * 1024 * 1024;
const LF = 10;
const LEAST_BATCH = 4 * 1024 * 1024;

/** Blocks of whole lines with verdicts by an index: a file, or a folder of shards. @throws {Failure} */
export async function labelByIndex(
	index: string,
	blocks: AsyncIterable<Uint8Array>,
	{ memory, workers }: MatchResources,
	verdictLines: VerdictLines,
): Promise<AsyncIterable<Uint8Array>> {
	const isShared = workers > 1;
	if (!isFolder(index)) {
		if (!isShared)
			return labelHere(blocks, await readIndex(index), verdictLines);
		const { labelByPool, labelInThreads } = await import("./threads.ts");
		// Threads that also label take more of the work, but an index each.
		return workers * mostMemoryOf(index) <= memory
			? labelInThreads(
					blocks,
					{ kind: "file", index, opened: openIndex(index) },
					workers,
					verdictLines,
				)
			: labelByPool(blocks, index, workers, verdictLines);
	}
	const open = await openFolder(index, memory / workers);
	const set = new ShardSet(open);
	const batches = set.fits ? blocks : gathered(blocks, batchFor(open.memory));
	if (!isShared) return labelHere(batches, set, verdictLines);
	const { labelInThreads } = await import("./threads.ts");
	return labelInThreads(
		batches,
		{ kind: "folder", open },
		workers,
		verdictLines,
	);
}

/** Bytes that an index takes at most once it is loaded. */
function mostMemoryOf(file: string): number {
	const size = statSync(file, { throwIfNoEntry: false })?.size ?? 0;
	return size * 2.5 + 2 * 1024 * 1024;
}

function batchFor(memory: number): number {
	return Math.max(LEAST_BATCH, Math.min(BATCH, memory / 8));
}

async function* labelHere(
	blocks: AsyncIterable<Uint8Array>,
	judge: { matchLines(lines: Uint8Array): Uint8Array | Promise<Uint8Array> },
	verdictLines: VerdictLines,
): AsyncGenerator<Uint8Array> {
	for await (const lines of blocks)
		yield verdictLines.label(lines, await judge.matchLines(lines));
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
		// The last line of a file may lack its end.
		if (block.at(-1) !== LF) held.push(Uint8Array.of(LF));
		if (heldSize < size) continue;
		yield concatenate(held);
		held = [];
		heldSize = 0;
	}
	if (heldSize > 0) yield concatenate(held);
}
