import {
	createReadStream,
	fstatSync,
	openSync,
	type ReadStream,
} from "node:fs";
import { RobotrieError } from "../../common/errors.ts";
import { readChunks, SnapshotReader } from "../../sites/index-snapshot.ts";
import { RobotsIndex } from "../../sites/robots-index.ts";
import { type SharedMemory, SharedWriter } from "../../sites/shared-index.ts";
import { Failure, systemReason } from "../output/failure.ts";

/** Bytes read at once. */
const PART = 1024 * 1024;

/**
 * The index in a file that `robotrie index` wrote.
 * @param opened The number of the file, if it is open.
 * @throws {Failure} When it cannot be read, or is no index.
 */
export async function readIndex(
	file: string,
	opened?: number,
): Promise<RobotsIndex> {
	try {
		return await RobotsIndex.load(chunksOf(file, opened));
	} catch (error) {
		throw asIndexFailure(file, error);
	}
}

/** Loads the index of a file that is open into memory for threads. @throws {Failure} When it cannot be read, or is no index. */
export async function loadShared(
	memory: SharedMemory,
	file: string,
	opened: number,
): Promise<SharedWriter> {
	try {
		const writer = new SharedWriter(memory);
		const reader = new SnapshotReader(writer.open);
		await readChunks(reader, chunksOf(file, opened));
		return writer;
	} catch (error) {
		throw asIndexFailure(file, error);
	}
}

function chunksOf(file: string, opened?: number): ReadStream {
	const isRegular = opened !== undefined && fstatSync(opened).isFile();
	return createReadStream(file, {
		highWaterMark: PART,
		...(opened === undefined ? {} : { fd: opened, autoClose: false }),
		// Threads share its position. A pipe has none.
		...(isRegular ? { start: 0 } : {}),
	});
}

/** Opens an index, for threads that all read the same one even if it is replaced. @throws {Failure} */
export function openIndex(file: string): number {
	try {
		return openSync(file, "r");
	} catch (error) {
		throw asIndexFailure(file, error);
	}
}

/** What an error that loading an index has led to means for the user. */
export function asIndexFailure(file: string, error: unknown): unknown {
	const reason =
		error instanceof RobotrieError ? error.message : systemReason(error);
	return reason === undefined
		? error
		: new Failure(`cannot read the index ${file}: ${reason}`);
}
