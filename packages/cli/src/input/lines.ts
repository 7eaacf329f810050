/**
 * Lines of files in blocks, and where a thread reads some itself. `match` judges blocks; `canonical`, `crawl-check` and `index` read blocks
 * too. A block holds whole lines, and no line is longer than 64 MiB: it has to be held in full.
 */

import { closeSync, openSync, readSync } from "node:fs";
import { sizeOf, statIfThere } from "#sites/files/stat";
import { checkLine, isParquet, startOf, wholeLines } from "#sites/files/text";
import { failureOf } from "../output/output.ts";
import { nameOf, readRaw, readText, STDIN } from "./input.ts";

const LF = 10;

/** The lines of a file one by one as text, without their ends. */
export async function* textLines(
	chunks: AsyncIterable<Uint8Array>,
	name: string,
): AsyncGenerator<string> {
	// A mark at the start is gone by now; another one is part of its line.
	const decoder = new TextDecoder("utf-8", { ignoreBOM: true });
	for await (const block of wholeLines(chunks, name)) {
		const lines = decoder.decode(block).split("\n");
		if (lines.at(-1) === "") lines.pop();
		// "\r\n" is one line end, also where the file was written by Windows.
		for (const line of lines)
			yield line.endsWith("\r") ? line.slice(0, -1) : line;
	}
}

/** The URLs that arguments give; without any the lines of stdin, empty ones aside. */
export async function* urlsOf(urls: readonly string[]): AsyncGenerator<string> {
	if (urls.length > 0) yield* urls;
	else
		for await (const line of textLines(readText(STDIN), nameOf(STDIN)))
			if (line !== "") yield line;
}

/**
 * Bytes of lines in a block: with smaller ones, threads would spend much of their time on passing
 * them on. Larger ones would keep more lines waiting for their turn.
 */
const BLOCK = 1024 * 1024;
/** First bytes by which a file is recognised that is read as it is. */
const SNIFFED = 64;

/** Whole lines, or where a thread reads some itself. */
export type LineBlock = Uint8Array | LineRange;

/** Called with the number of bytes of the files that were read since, as they are stored. */
export type OnRead = (bytes: number) => void;

/**
 * Whole lines of all files. The threads of `match` read files themselves, so that the main thread
 * passes on positions and not bytes.
 * @throws {Failure}
 */
export async function* blocksOf(
	files: readonly string[],
	onRead?: OnRead,
): AsyncGenerator<Uint8Array> {
	for (const file of files) yield* blocksOfFile(file, onRead);
}

/**
 * The lines of all files for threads, which read plain files themselves, as long as these are now.
 * Each block is to be passed to `endBlock` once it and all before it are done with.
 * @throws {Failure}
 */
export async function* blocksForThreads(
	files: readonly string[],
	onRead?: OnRead,
): AsyncGenerator<LineBlock> {
	for (const file of files)
		if (await isRead(file)) yield* rangesOf(file, onRead);
		else yield* blocksOfFile(file, onRead);
}

/** Closes the file that it is the last range of. */
export function endBlock(block: LineBlock): void {
	if ("descriptor" in block && block.to === block.size)
		closeSync(block.descriptor);
}

/**
 * Whether threads can read a file: it is regular, of some size, and of text that is read as it is.
 * Anything else has to be decoded first, which one thread does for all.
 */
async function isRead(file: string): Promise<boolean> {
	if (file === STDIN) return false;
	const found = statIfThere(file);
	if (!found?.isFile() || found.size <= BLOCK) return false;
	const { head, isPlain } = await startOf(readRaw(file), nameOf(file), SNIFFED);
	return isPlain && !isParquet(head);
}

function* rangesOf(file: string, onRead?: OnRead): Generator<LineRange> {
	// Opened once for all threads; a descriptor is valid in the whole process.
	const descriptor = openSync(file, "r");
	// The size is taken now, so that a log that grows is read to where it ends.
	const size = sizeOf(descriptor);
	const name = nameOf(file);
	for (let from = 0; from < size; from += BLOCK) {
		const to = Math.min(from + BLOCK, size);
		onRead?.(to - from);
		yield { descriptor, name, from, to, size };
	}
}

function blocksOfFile(
	file: string,
	onRead?: OnRead,
): AsyncGenerator<Uint8Array> {
	const text = readText(file, undefined, BLOCK, onRead);
	return wholeLines(text, nameOf(file));
}

/** Bytes that are read at once after a range, for the end of its last line. */
const AFTER = 16 * 1024;

/** The lines of a plain file that begin at its bytes from `from` to `to`, the second one not included. Plain data, to be sent to a thread. */
export interface LineRange {
	/** Open in the whole process. */
	readonly descriptor: number;
	readonly name: string;
	readonly from: number;
	readonly to: number;
	/** Where the file ends: what is appended later is not read. */
	readonly size: number;
}

/**
 * Reads ranges, one after the other into the same memory. One buffer per thread, grown to the
 * longest range it has read.
 */
export class RangeReader {
	#buffer = Buffer.alloc(0);

	/**
	 * The lines of a range, which the next call overwrites. A range's lines are those that begin in
	 * it, so that neighbouring ranges have each line once.
	 * @throws {Failure} When they cannot be read, and for one that is too long.
	 */
	read(range: LineRange): Uint8Array {
		const { from, to, size, name } = range;
		// A line begins at the first byte if the one before is a line feed.
		const start = Math.max(0, from - 1);
		let length = this.#fill(range, start, 0, to - start);
		const first = from === 0 ? 0 : this.#lineEnd(0, length);
		if (first < 0 || first === length) return new Uint8Array();
		const last = this.#buffer.lastIndexOf(LF, length - 1) + 1;
		// The last line may go on beyond the range; its end is searched in steps.
		for (let end = last === length ? length : -1; end < 0; ) {
			const left = Math.min(AFTER, size - start - length);
			const read = this.#fill(range, start + length, length, left);
			end = this.#lineEnd(length, length + read);
			// At the end of the file a line needs no end.
			if (read === 0) end = length;
			length = end < 0 ? length + read : end;
			checkLine(length - last, name);
		}
		return this.#buffer.subarray(first, length);
	}

	/** The position after the first line end of some bytes, -1 without one. */
	#lineEnd(from: number, to: number): number {
		const at = this.#buffer.subarray(from, to).indexOf(LF);
		return at < 0 ? -1 : from + at + 1;
	}

	/** Reads bytes of the file, fewer where it ends, and returns their number. */
	#fill(
		{ descriptor, name }: LineRange,
		position: number,
		into: number,
		count: number,
	): number {
		this.#reserve(into, into + count);
		let done = 0;
		try {
			// A read gives what is there, which may be less than was asked for.
			while (done < count) {
				const read = readSync(
					descriptor,
					this.#buffer,
					into + done,
					count - done,
					position + done,
				);
				if (read === 0) break;
				done += read;
			}
		} catch (error) {
			throw failureOf(`read ${name}`, error);
		}
		return done;
	}

	#reserve(held: number, size: number): void {
		if (size <= this.#buffer.length) return;
		// Half as much again, so that a few long lines do not make it grow every time.
		const larger = Buffer.allocUnsafeSlow(size + (size >> 1));
		this.#buffer.copy(larger, 0, 0, held);
		this.#buffer = larger;
	}
}
