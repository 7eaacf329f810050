/**
 * Files as streams of bytes, for the worker of the Log pane and for lists of URLs (read-file.ts). What must hold: a caller who stops early
 * returns the generator, which lets go of the file.
 */
import {
	compressionOf,
	decompressZstd,
	MAGIC,
	withHead,
} from "#robotrie/common/compression";
import { unreadable } from "./files.ts";
import { gunzip } from "./gunzip.ts";

/**
 * The bytes of a file, decompressed; gzip and zstd are recognised by their first bytes. `onRead` gets counts of bytes as they are stored,
 * compressed: progress is measured against the file's size. @throws {Error} when it cannot be read, or is compressed and damaged.
 */
export async function* bytesOf(
	file: File,
	onRead: (bytes: number) => void = () => {},
): AsyncGenerator<Uint8Array> {
	const { head, bytes } = await withHead(stored(file, onRead), MAGIC);
	const kind = compressionOf(head);
	if (kind === "plain") {
		yield* bytes;
		return;
	}
	try {
		yield* kind === "gzip" ? gunzip(bytes) : decompressZstd(bytes);
	} catch (error) {
		// It comes through the decompressor, whose data is not to blame.
		if (error instanceof Unreadable) throw error;
		const reason = error instanceof Error ? error.message : String(error);
		throw new Error(`${file.name} holds damaged ${kind} data: ${reason}`);
	}
}

/** A file went away, has changed, or is a folder: not to be reported as damaged data. */
class Unreadable extends Error {}

async function* stored(
	file: File,
	onRead: (bytes: number) => void,
): AsyncGenerator<Uint8Array> {
	const reader = file.stream().getReader();
	try {
		for (;;) {
			const { done, value } = await reader.read().catch(() => {
				// What browsers say of it is "network error".
				throw new Unreadable(unreadable(file));
			});
			if (done) return;
			onRead(value.length);
			yield value;
		}
	} finally {
		await reader.cancel().catch(() => {});
	}
}
