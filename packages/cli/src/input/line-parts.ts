import { closeSync, fstatSync, openSync, statSync } from "node:fs";
import { nameOf, readStart, readText, STDIN } from "./input.ts";
import type { LineRange } from "./line-range.ts";
import { wholeLines } from "./lines.ts";
import { isParquet } from "./parquet.ts";

/** Bytes of lines that are worked on at once: in smaller parts, threads would spend much of their time on passing them on. */
const PART = 1024 * 1024;
/** Bytes that tell whether a file is read as it is. */
const SNIFFED = 64;

/** Whole lines, or where a thread reads some itself. */
export type LinePart = Uint8Array | LineRange;

/** Told how many more bytes of the files, as they are stored, were read. */
export type OnRead = (bytes: number) => void;

/** Whole lines of all files. @throws {Failure} */
export async function* blocksOf(
	files: readonly string[],
	onRead?: OnRead,
): AsyncGenerator<Uint8Array> {
	for (const file of files) yield* blocksOfFile(file, onRead);
}

/**
 * The lines of all files for threads, which read plain files themselves, as long as these are now.
 * Each part is to be passed to `endPart` once it and all in front of it are done with.
 * @throws {Failure}
 */
export async function* partsOf(
	files: readonly string[],
	onRead?: OnRead,
): AsyncGenerator<LinePart> {
	for (const file of files)
		if (await isRead(file)) yield* rangesOf(file, onRead);
		else yield* blocksOfFile(file, onRead);
}

/** Closes the file that it is the last range of. */
export function endPart(part: LinePart): void {
	if ("descriptor" in part && part.to === part.size) closeSync(part.descriptor);
}

/** Whether threads can read a file: it is regular, of some size, and of text that is read as it is. */
async function isRead(file: string): Promise<boolean> {
	if (file === STDIN) return false;
	const found = statSync(file, { throwIfNoEntry: false });
	if (!found?.isFile() || found.size <= PART) return false;
	const { head, isPlain } = await readStart(file, SNIFFED);
	return isPlain && !isParquet(head);
}

function* rangesOf(file: string, onRead?: OnRead): Generator<LineRange> {
	const descriptor = openSync(file, "r");
	const { size } = fstatSync(descriptor);
	const name = nameOf(file);
	for (let from = 0; from < size; from += PART) {
		const to = Math.min(from + PART, size);
		onRead?.(to - from);
		yield { descriptor, name, from, to, size };
	}
}

function blocksOfFile(
	file: string,
	onRead?: OnRead,
): AsyncGenerator<Uint8Array> {
	const text = readText(file, undefined, PART, onRead);
	return wholeLines(text, nameOf(file));
}
