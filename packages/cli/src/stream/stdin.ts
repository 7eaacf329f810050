import { openSync, readlinkSync, readSync } from "node:fs";
import { open, STDIN } from "../input/input.ts";
import type { Source } from "./input.ts";

/** Where Linux shows what stdin is. */
const LINK = "/proc/self/fd/0";

/** The bytes of stdin. @throws {Failure} For a directory. */
export function stdinSource(): Source {
	const pipe = openPipe();
	return pipe === undefined
		? sourceOf(open(STDIN))
		: (into) => readSync(pipe, into);
}

/** Bytes that come in chunks. */
export function sourceOf(chunks: AsyncIterable<Uint8Array>): Source {
	const iterator = chunks[Symbol.asyncIterator]();
	let chunk: Uint8Array = new Uint8Array();
	return async (into) => {
		while (chunk.length === 0) {
			const next = await iterator.next();
			if (next.done) return 0;
			chunk = next.value;
		}
		const part = chunk.subarray(0, into.length);
		into.set(part);
		chunk = chunk.subarray(part.length);
		return part.length;
	};
}

/**
 * Stdin, opened once more for reads that wait, if it is a pipe on Linux; undefined for anything else. A frame is then read to where it
 * belongs, and does not come in chunks of 64 KiB, each with a turn of the event loop and a copy.
 */
function openPipe(): number | undefined {
	try {
		// Opening a named pipe would wait for someone who writes to it, and who may have gone.
		const isPipe = readlinkSync(LINK).startsWith("pipe:");
		return isPipe ? openSync(LINK, "r") : undefined;
	} catch {
		return undefined;
	}
}
