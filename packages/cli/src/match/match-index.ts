import { concatenate } from "robotrie/internal";
import { openIndex, readIndex } from "../index-files/index-file.ts";
import {
	filesOf,
	fits,
	isFolder,
	type OpenFolder,
	openFolder,
	ShardSet,
	type SharedFile,
} from "../index-files/shard-set.ts";
import {
	blocksOf,
	type LinePart,
	type OnRead,
	partsOf,
} from "../input/line-parts.ts";
import { inOrder } from "../options/workers.ts";
import type { VerdictLines } from "./verdict-lines.ts";

/** What lines may be judged with. */
export interface MatchResources {
	/** Bytes that loaded shards may take. */
	readonly memory: number;
	readonly workers: number;
	readonly onRead: OnRead;
}

/** Lines that are put together where shards have to be unloaded for others: loading one takes as long as judging some 200,000 lines. */
const BATCH = 32 * 1024 * 1024;
const LF = 10;
const LEAST_BATCH = 4 * 1024 * 1024;

/** The lines of files with verdicts by an index: a file, or a folder of shards. @throws {Failure} */
export async function labelByIndex(
	index: string,
	inputs: readonly string[],
	{ memory, workers, onRead }: MatchResources,
	verdictLines: VerdictLines,
): Promise<AsyncIterable<Uint8Array>> {
	const blocks = blocksOf(inputs, onRead);
	if (!isFolder(index)) {
		if (workers < 2)
			return labelHere(blocks, await readIndex(index), verdictLines);
		const files = [{ path: index, opened: openIndex(index) }];
		return labelShared(
			files,
			withEmpty(partsOf(inputs, onRead)),
			workers,
			verdictLines,
		);
	}
	const open = await openFolder(index, memory);
	if (fits(open, workers))
		return workers < 2
			? labelHere(blocks, new ShardSet(open), verdictLines)
			: labelShared(
					filesOf(open),
					partsOf(inputs, onRead),
					workers,
					verdictLines,
				);
	const batches = gathered(blocks, batchFor(memory));
	if (workers < 2) return labelHere(batches, new ShardSet(open), verdictLines);
	return labelByOwners(batches, open, workers, verdictLines);
}

async function* labelByOwners(
	batches: AsyncIterable<Uint8Array>,
	open: OpenFolder,
	workers: number,
	verdictLines: VerdictLines,
): AsyncGenerator<Uint8Array> {
	const { ShardOwners } = await import("./threads.ts");
	const owners = new ShardOwners(open, workers);
	try {
		// The next lines are sorted while threads judge some.
		const judged = inOrder(batches, 2, (lines) => owners.matchLines(lines));
		for await (const { item, result } of judged)
			yield verdictLines.label(item, result);
	} finally {
		await owners.end();
	}
}

async function labelShared(
	files: readonly SharedFile[],
	parts: AsyncIterable<LinePart>,
	workers: number,
	verdictLines: VerdictLines,
): Promise<AsyncIterable<Uint8Array>> {
	const [{ shareShards }, { labelInThreads }] = await Promise.all([
		import("../index-files/shared-shards.ts"),
		import("./threads.ts"),
	]);
	const shards = shareShards(files, workers);
	const source = { kind: "index", shards } as const;
	return labelInThreads(parts, source, workers, verdictLines);
}

/** Parts behind an empty one, which has an index loaded even if there are no lines. */
async function* withEmpty(
	parts: AsyncIterable<LinePart>,
): AsyncGenerator<LinePart> {
	yield new Uint8Array();
	yield* parts;
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
