import { concatenate } from "../common/chunks.ts";
import type { JsonFields } from "./formats.ts";
import { JsonLines } from "./json-lines.ts";

const LF = 10;

const decoder = new TextDecoder("utf-8", { ignoreBOM: true });
const encoder = new TextEncoder();

/** Transcoded lines, and where the lines that they stand for are. */
export interface JsonBlock {
	/** Whole lines of the scanner's template. */
	readonly text: Uint8Array;
	/** The line behind a transcoded one, by its number in the block, without its end. */
	original(index: number): Uint8Array;
}

/** Cuts bytes into lines of JSON and transcodes them, in blocks that fit the scanner's buffer. */
export class JsonFeed {
	readonly #lines: JsonLines;
	readonly #blockSize: number;
	readonly #longestLine: number;
	readonly #onOverlong: (start: Uint8Array) => void;
	/** The beginning of a line whose end is still to come. */
	#held: Uint8Array = new Uint8Array(0);
	/** Within a line that is longer than any may be. */
	#skipping = false;

	/** @param onOverlong Told of the beginning of each line that is longer than `longestLine`. */
	constructor(
		fields: JsonFields,
		blockSize: number,
		longestLine: number,
		onOverlong: (start: Uint8Array) => void,
	) {
		this.#lines = new JsonLines(fields);
		this.#blockSize = blockSize;
		this.#longestLine = longestLine;
		this.#onOverlong = onOverlong;
	}

	*feed(part: Uint8Array): Generator<JsonBlock> {
		const bytes =
			this.#held.length > 0 ? concatenate([this.#held, part]) : part;
		let from = 0;
		if (this.#skipping) {
			const feed = bytes.indexOf(LF);
			if (feed < 0) return;
			this.#skipping = false;
			from = feed + 1;
		}
		const end = Math.max(bytes.lastIndexOf(LF) + 1, from);
		yield* this.#blocks(bytes.subarray(from, end));
		this.#held = bytes.slice(end);
		if (this.#held.length <= this.#longestLine) return;
		this.#onOverlong(this.#held);
		this.#skipping = true;
		this.#held = new Uint8Array(0);
	}

	/** What is left: a last line without an end. */
	*end(): Generator<JsonBlock> {
		if (this.#held.length > 0) yield* this.feed(Uint8Array.of(LF));
	}

	*#blocks(bytes: Uint8Array): Generator<JsonBlock> {
		// One call is cheaper than one a line. Of other text than ASCII it would make a string of two bytes a character, with
		// which JSON.parse takes longer than the calls do.
		const text = decoder.decode(bytes);
		const hasSameOffsets = text.length === bytes.length;
		let lines: string[] = [];
		let starts: number[] = [];
		let size = 0;
		for (let at = 0; at < bytes.length; ) {
			const feed = bytes.indexOf(LF, at);
			const line = this.#lines.transcode(
				hasSameOffsets
					? text.slice(at, feed)
					: decoder.decode(bytes.subarray(at, feed)),
			);
			// At most three bytes a character, and a line feed.
			const room = line.length * 3 + 1;
			if (size + room > this.#blockSize) {
				yield blockOf(lines, bytes, [...starts, at]);
				lines = [];
				starts = [];
				size = 0;
			}
			// Escapes make no line longer than a buffer; what is so long is no request.
			lines.push(room > this.#longestLine ? "!" : line);
			starts.push(at);
			size += room;
			at = feed + 1;
		}
		if (lines.length > 0)
			yield blockOf(lines, bytes, [...starts, bytes.length]);
	}
}

function blockOf(
	lines: readonly string[],
	bytes: Uint8Array,
	starts: readonly number[],
): JsonBlock {
	return {
		text: encoder.encode(`${lines.join("\n")}\n`),
		original: (index) =>
			bytes.slice(starts[index], (starts[index + 1] ?? 1) - 1),
	};
}
