import { createReadStream } from "node:fs";
import { RobotrieError } from "../common/errors.ts";
import { RobotsIndex } from "../sites/robots-index.ts";
import { Failure, systemReason } from "./failure.ts";
import { writeOutput } from "./output-file.ts";

/** Bytes read at once. */
const PART = 1024 * 1024;

/** The index in a file that `robotrie index` wrote. @throws {Failure} When it cannot be read, or is no index. */
export async function readIndex(file: string): Promise<RobotsIndex> {
	try {
		return await RobotsIndex.load(
			createReadStream(file, { highWaterMark: PART }),
		);
	} catch (error) {
		const reason =
			error instanceof RobotrieError ? error.message : systemReason(error);
		if (reason === undefined) throw error;
		throw new Failure(`cannot read the index ${file}: ${reason}`);
	}
}

/** Writes an index, and returns its size. @throws {Failure} When it cannot be written. */
export async function writeIndex(
	file: string,
	index: RobotsIndex,
): Promise<number> {
	let size = 0;
	async function* counted() {
		for await (const chunk of index.snapshot()) {
			size += chunk.length;
			yield chunk;
		}
	}
	await writeOutput(file, counted());
	return size;
}
