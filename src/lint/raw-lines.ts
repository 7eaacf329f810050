import type { Extent } from "../robots-txt/extent.ts";

const LF = 10;
const CR = 13;
const HASH = 35;

/** A line as it stands in the file. */
export interface RawLine {
	/** From 1. */
	readonly line: number;
	/** Offset of its first byte in the file. */
	readonly start: number;
	/** Without its comment and its line end. */
	readonly bytes: Uint8Array;
}

/** The lines that a dialect reads. CR, LF and CRLF end a line. */
export function* rawLines({ bytes, from, end }: Extent): Generator<RawLine> {
	let line = 0;
	for (let start = from; start < end; ) {
		let stop = start;
		let comment = -1;
		for (; stop < end; stop++) {
			const byte = bytes[stop];
			if (byte === LF || byte === CR) break;
			if (byte === HASH && comment < 0) comment = stop;
		}
		line++;
		yield {
			line,
			start,
			bytes: bytes.subarray(start, comment < 0 ? stop : comment),
		};
		start = stop + (bytes[stop] === CR && bytes[stop + 1] === LF ? 2 : 1);
	}
}
