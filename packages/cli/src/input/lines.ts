import { Failure } from "../output/failure.ts";
import { nameOf, readText, STDIN } from "./input.ts";
import { checkLine } from "./line-range.ts";
import { isParquet } from "./parquet.ts";

const LF = 10;

/**
 * Cuts bytes behind line ends only, so that every block but the last holds whole lines. No block is empty. A block may be all of a
 * buffer, to be sent to a thread: the buffer is not touched afterwards.
 * @throws {Failure} For Parquet, and lines that are too long.
 */
export async function* wholeLines(
	chunks: AsyncIterable<Uint8Array>,
	name: string,
): AsyncGenerator<Uint8Array> {
	let held: Uint8Array[] = [];
	let heldSize = 0;
	let isFirst = true;
	for await (const chunk of chunks) {
		if (isFirst && isParquet(chunk))
			throw new Failure(
				`${name} is Parquet: write its texts to a file of lines first`,
			);
		isFirst = false;
		const end = chunk.lastIndexOf(LF) + 1;
		const rest = chunk.subarray(end);
		if (end > 0) {
			checkLine(heldSize + chunk.indexOf(LF) + 1, name);
			yield join(held, chunk.subarray(0, end));
			held = [];
			heldSize = 0;
		}
		if (rest.length === 0) continue;
		held.push(rest);
		heldSize += rest.length;
		checkLine(heldSize, name);
	}
	if (heldSize > 0) yield Buffer.concat(held);
}

function join(held: readonly Uint8Array[], last: Uint8Array): Uint8Array {
	return held.length === 0 ? last : Buffer.concat([...held, last]);
}

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
