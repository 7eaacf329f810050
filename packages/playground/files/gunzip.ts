/**
 * Decompression of gzip as logs have it, in a worker, for log-file.ts. What must hold: the views that it yields are of memory that is not
 * written again, as callers keep them while they await the next one.
 */
import {
	Z_BUF_ERROR,
	Z_NO_FLUSH,
	Z_OK,
	Z_STREAM_END,
	ZStream,
	zlibInflate,
	zlibInflateInit2,
	zlibInflateReset,
} from "pako";

const CHUNK = 256 * 1024;
/** A gzip wrapper (16) around the largest window (zlib.h, inflateInit2). */
const GZIP = 16 + 15;

/**
 * Decompresses gzip, also members end to end, as rotated logs have them: the browser's own DecompressionStream stops at the
 * second one. Zeros after a member are padding, as for Node.
 * @throws {Error} when the data is damaged, or its end is missing.
 */
export async function* gunzip(
	source: AsyncIterable<Uint8Array>,
): AsyncGenerator<Uint8Array> {
	const stream = new ZStream();
	zlibInflateInit2(stream, GZIP);
	let hasEnded = false;
	let isPadding = false;
	for await (const chunk of source) {
		stream.input = chunk;
		stream.next_in = 0;
		stream.avail_in = chunk.length;
		// A chunk that filled the output may have more to give, though all of its input was taken.
		for (let isFull = false; isFull || stream.avail_in > 0; ) {
			if (hasEnded) {
				isPadding ||= chunk[stream.next_in] === 0;
				// Once padding has begun, the rest of the file is ignored.
				if (isPadding) break;
				zlibInflateReset(stream);
				hasEnded = false;
			}
			if (stream.avail_out === 0) {
				stream.output = new Uint8Array(CHUNK);
				stream.next_out = 0;
				stream.avail_out = CHUNK;
			}
			const from = stream.next_out;
			const status = zlibInflate(stream, Z_NO_FLUSH);
			hasEnded = status === Z_STREAM_END;
			// Z_BUF_ERROR says that there is nothing to be done before more comes.
			if (status !== Z_OK && status !== Z_BUF_ERROR && !hasEnded)
				throw new Error(stream.msg || "incorrect data");
			isFull = stream.avail_out === 0 && !hasEnded;
			if (stream.next_out > from)
				yield stream.output.subarray(from, stream.next_out);
		}
	}
	if (!hasEnded) throw new Error("unexpected end of file");
}
