/**
 * Reads an index file, into an index of its own or a table that is there. shard-set.ts calls it, and `match` and `stream` of the command line.
 * Whatever is wrong with a file, the message names it and is the same with any number of threads.
 */

import { closeSync, createReadStream, openSync, read } from "node:fs";
import { RobotrieError, RobotsIndex } from "robotrie";
import { readSnapshot } from "robotrie/internal";
import { failureOf, SitesError } from "../files/errors.ts";
import { statOf } from "../files/stat.ts";

/** Bytes read at once. */
const CHUNK = 1024 * 1024;

/**
 * The index in a file that `robotrie index` wrote.
 * @param opened The number of the file, if it is open.
 * @throws {SitesError} When it cannot be read, or is not an index.
 */
export async function readIndex(
	file: string,
	opened?: number,
): Promise<RobotsIndex> {
	try {
		return await RobotsIndex.load(chunksOf(file, opened));
	} catch (error) {
		throw loadingFailure(file, error);
	}
}

/**
 * Reads the snapshot in a file that is open into the table that `open` gives. Used where the table
 * is not a RobotsIndex: for memory that threads share, and for several files in one.
 * @throws {SitesError} When it cannot be read, or is not a snapshot.
 */
export async function readInto(
	open: Parameters<typeof readSnapshot>[0],
	file: string,
	opened: number,
): Promise<void> {
	try {
		await readSnapshot(open, chunksOf(file, opened));
	} catch (error) {
		throw loadingFailure(file, error);
	}
}

/**
 * The bytes of a file. Each chunk holds until the next one is asked for. A file that is open is
 * read by positions and not from where another reader left off.
 */
async function* chunksOf(
	file: string,
	opened?: number,
): AsyncGenerator<Uint8Array> {
	const fd = opened ?? openSync(file, "r");
	try {
		// A pipe has no position, and others are shared by threads.
		if (statOf(fd).isFile()) yield* chunksOfFile(fd);
		else
			yield* createReadStream(file, {
				fd,
				autoClose: false,
				highWaterMark: CHUNK,
			});
	} finally {
		if (opened === undefined) closeSync(fd);
	}
}

/** The chunks of a file, in two buffers in turn: one is read while the other is used. */
async function* chunksOfFile(fd: number): AsyncGenerator<Uint8Array> {
	// While one buffer is used, the next chunk is read into the other.
	let buffer = new Uint8Array(CHUNK);
	let other = new Uint8Array(CHUNK);
	let reading = readChunk(fd, buffer, 0);
	try {
		for (let position = 0; ; ) {
			const size = await reading;
			if (size === 0) return;
			position += size;
			reading = readChunk(fd, other, position);
			yield buffer.subarray(0, size);
			[buffer, other] = [other, buffer];
		}
	} finally {
		// The file may be closed next.
		await reading.catch(() => {});
	}
}

/** Resolves to the number of bytes that were read. */
function readChunk(
	fd: number,
	buffer: Uint8Array,
	position: number,
): Promise<number> {
	const result = new Promise<number>((resolve, reject) => {
		read(fd, buffer, 0, buffer.length, position, (error, size) =>
			error ? reject(error) : resolve(size),
		);
	});
	// It is awaited while another chunk is used, or never. An unhandled rejection would end the
	// process.
	result.catch(() => {});
	return result;
}

/** Reads the snapshot in a file into the table that `open` gives. @throws {SitesError} */
export async function readFileInto(
	open: Parameters<typeof readSnapshot>[0],
	file: string,
): Promise<void> {
	const opened = openIndexFile(file);
	try {
		await readInto(open, file, opened);
	} finally {
		closeSync(opened);
	}
}

/** Opens an index file, for threads that all read the same one even if it is replaced. @throws {SitesError} */
export function openIndexFile(file: string): number {
	try {
		return openSync(file, "r");
	} catch (error) {
		throw loadingFailure(file, error);
	}
}

/** As `failureOf`; what the library says about a snapshot is a reason, too. */
export function loadingFailure(file: string, error: unknown): unknown {
	const what = `read the index ${file}`;
	return error instanceof RobotrieError
		? new SitesError("malformed", `cannot ${what}: ${error.message}`)
		: failureOf(what, error);
}
