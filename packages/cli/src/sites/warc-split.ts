import { constants, gunzipSync } from "node:zlib";
import { concatenate } from "robotrie/internal";
import { Failure } from "../output/failure.ts";

/** Bytes of a block, at least: about a tenth of a second of work. */
const BLOCK = 1024 * 1024;
/** A block grows until a record begins. */
const LONGEST_BLOCK = 1024 * 1024 * 1024;
/** Compressed bytes that surely hold the first letters of a record. */
const START = 1024;
const LEAST_START = 16;

const GZIP = Buffer.from([0x1f, 0x8b, 8]);
const BETWEEN = Buffer.from("\r\n\r\nWARC/1.");
const LETTERS = Buffer.from("WARC/");

/** A part of a WARC file that seems to begin and to end where records do. */
export interface WarcBlock {
	readonly bytes: Uint8Array;
	/** Where it begins in the file, or in what the file is decompressed to. */
	readonly offset: number;
	readonly isLast: boolean;
}

export function isWarc(head: Uint8Array): boolean {
	return LETTERS.equals(head.subarray(0, LETTERS.length));
}

/** What gzip data begins with, decompressed, as far as it is sound; `bytes` need not be whole. */
export function gunzipStart(bytes: Uint8Array): Uint8Array {
	for (let size = bytes.length; size > LEAST_START; size >>= 1) {
		try {
			const start = bytes.subarray(0, size);
			return gunzipSync(start, { finishFlush: constants.Z_SYNC_FLUSH });
		} catch {
			// Damage may be further behind.
		}
	}
	return new Uint8Array();
}

/**
 * Where the first record seems to begin from a byte on: a gzip member that begins like one, or such letters behind an empty line; -1
 * where none does. Any file could hold such bytes within a record: whoever reads the block in front of them has to end there exactly.
 */
export function nextStart(
	bytes: Uint8Array,
	from: number,
	isGzip: boolean,
): number {
	const { buffer, byteOffset, length } = bytes;
	const text = Buffer.from(buffer, byteOffset, length);
	if (!isGzip) {
		const at = text.indexOf(BETWEEN, Math.max(0, from - 4));
		return at < 0 ? -1 : at + 4;
	}
	for (let at = from; ; at++) {
		at = text.indexOf(GZIP, at);
		if (at < 0) return -1;
		if (isWarc(gunzipStart(bytes.subarray(at, at + START)))) return at;
	}
}

/** Cuts a WARC file where records seem to begin; where it is cut depends on its bytes alone. @throws {Failure} */
export async function* splitWarc(
	chunks: AsyncIterable<Uint8Array>,
	isGzip: boolean,
	name: string,
): AsyncGenerator<WarcBlock> {
	let held: Uint8Array[] = [];
	let size = 0;
	let offset = 0;
	/** Up to where no record begins. */
	let searched = BLOCK;
	let wanted = BLOCK + START;
	for await (const chunk of chunks) {
		held.push(chunk);
		size += chunk.length;
		while (size >= wanted) {
			const bytes = held.length === 1 ? chunk : concatenate(held);
			const end = bytes.length - START;
			const cut = nextStart(bytes.subarray(0, end + START), searched, isGzip);
			if (cut < 0 || cut > end) {
				searched = end;
				wanted = size + Math.max(BLOCK, size >> 1);
				if (size > LONGEST_BLOCK)
					throw new Failure(
						`${name} has ${LONGEST_BLOCK} bytes in which no record begins`,
					);
				held = [bytes];
				break;
			}
			yield { bytes: bytes.slice(0, cut), offset, isLast: false };
			offset += cut;
			held = [bytes.subarray(cut)];
			size -= cut;
			searched = BLOCK;
			wanted = BLOCK + START;
		}
	}
	yield { bytes: concatenate(held), offset, isLast: true };
}
