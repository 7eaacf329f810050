/**
 * Recognises gzip and zstd by the first bytes of a stream, and decompresses zstd. The command line, the audit and the playground use it;
 * `robotrie` itself reads bytes that are decompressed already.
 */
import { concatenate } from "./chunks.ts";

type Compression = "plain" | "gzip" | "zstd";

/** Bytes that tell the compression. */
export const MAGIC = 4;

/**
 * How bytes are compressed that begin with these. By content, as names of files lie and streams
 * have none.
 */
export function compressionOf(head: Uint8Array): Compression {
	if (head[0] === 0x1f && head[1] === 0x8b) return "gzip";
	if (head.length < MAGIC) return "plain";
	const view = new DataView(head.buffer, head.byteOffset);
	const magic = view.getUint32(0, true);
	// RFC 8878 §3.1: a frame, or one to be skipped, which also may come first.
	if (magic === 0xfd2fb528 || magic >>> 4 === 0x184d2a5) return "zstd";
	return "plain";
}

/**
 * The first bytes of a stream, at least `size` if it has as many and does not begin with a very
 * short line, and the whole stream. The head is given once more in front of the stream, so that a
 * reader need not know that somebody has looked.
 */
export async function withHead(
	source: AsyncIterable<Uint8Array>,
	size: number,
): Promise<{
	readonly head: Uint8Array;
	readonly bytes: AsyncGenerator<Uint8Array>;
}> {
	const chunks = source[Symbol.asyncIterator]();
	const first: Uint8Array[] = [];
	for (let held = 0; held < size; ) {
		const { done, value } = await chunks.next();
		if (done) break;
		first.push(value);
		held += value.length;
		// A terminal gives a line at a time, and the next only after an answer.
		if (held < MAGIC && isLine(concatenate(first))) break;
	}
	const [only] = first;
	const head = first.length === 1 && only ? only : concatenate(first);
	return { head, bytes: resumed(head, chunks) };
}

const LF = 10;

/** A line is answered before the next one comes. With a NUL byte it may be a part of a UTF-16 text. */
function isLine(bytes: Uint8Array): boolean {
	return bytes.length > 1 && bytes.at(-1) === LF && !bytes.includes(0);
}

async function* resumed(
	head: Uint8Array,
	chunks: AsyncIterator<Uint8Array>,
): AsyncGenerator<Uint8Array> {
	try {
		if (head.length > 0) yield head;
		for (;;) {
			const { done, value } = await chunks.next();
			if (done) break;
			yield value;
		}
	} finally {
		// Ending the wrapper ends the source, or a file would stay open.
		await chunks.return?.();
	}
}

/**
 * Bytes handed over at once. A run-length block makes 128 KiB of 4 bytes, and all that one call
 * yields is held before any of it can be passed on. A hostile frame could otherwise make 128 KiB of
 * every 4 bytes of a chunk, all held at once.
 */
const SLICE = 256;

/**
 * Decompresses zstd, also several frames end to end. Not by node:zlib, even where it knows zstd: there, frames after the
 * first and a missing end go unnoticed. Content check sums are not verified.
 */
export async function* decompressZstd(
	source: AsyncIterable<Uint8Array>,
): AsyncGenerator<Uint8Array> {
	// Few inputs are zstd.
	const { Decompress } = await import("fzstd");
	let ready: Uint8Array[] = [];
	const frames = new Decompress((data) => ready.push(data));
	for await (const chunk of source) {
		// In slices, for the reason above.
		for (let from = 0; from < chunk.length; from += SLICE) {
			frames.push(chunk.subarray(from, from + SLICE));
			yield* ready;
			ready = [];
		}
	}
	// The end is told to the decoder, which then fails for a frame that is not whole.
	frames.push(new Uint8Array(0), true);
	yield* ready;
}
