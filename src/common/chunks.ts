/**
 * Large inputs in chunks of whole lines, and many texts joined to lines, for all bulk calls. A chunk stays in the second-level cache
 * between being copied to WebAssembly and being matched.
 */
import { MAX_LINE } from "../../assembly/format/program.ts";
import { sizeOf, startOf } from "./bytes.ts";
import { RobotrieError } from "./errors.ts";

/** Bytes of lines handed to a module at once: they stay in the second-level cache from copying to matching. */
export const CHUNK = 128 * 1024;

/**
 * Said before anything is copied, as linear memory cannot hold it.
 * @throws {RobotrieError} limit-exceeded, when a line or URL has more bytes than linear memory has room for.
 */
export function checkLength(what: string, length: number): void {
	if (length > MAX_LINE)
		throw new RobotrieError(
			"limit-exceeded",
			`${what} of ${length} bytes is longer than the limit of ${MAX_LINE}`,
		);
}

/** The same for a text, whose bytes nobody has counted. */
export function checkTextLength({ length }: string): void {
	if (length > MAX_LINE)
		throw new RobotrieError(
			"limit-exceeded",
			`a URL of ${length} characters is longer than the limit of ${MAX_LINE} bytes`,
		);
}

/**
 * Lines are judged one chunk at a time: `judge` gives each of them a verdict byte, as `deliver`
 * does. A chunk is what `lentBytes` gives, so its size is given, too. One chunk for short inputs,
 * which most are: then nothing is put together.
 */
export function judgeInChunks(
	bytes: Uint8Array,
	into: Uint8Array | undefined,
	judge: (chunk: Uint8Array, size: number, into?: Uint8Array) => Uint8Array,
): Uint8Array {
	const size = sizeOf(bytes);
	if (size <= CHUNK) return judge(bytes, size, into);
	const verdicts = concatenate(
		Array.from(chunksOf(startOf(bytes, size), CHUNK), (chunk) => {
			checkLength("a line", chunk.length);
			return judge(chunk, chunk.length);
		}),
	);
	return into ? deliver(verdicts, 0, verdicts.length, into) : verdicts;
}

/** Fewer bytes are copied faster one by one than by a view of them, which takes 30 ns to make. */
const FEW = 32;

/**
 * Bytes [from, to), at the front of `into`, or as an array of their own. For one of more than 64
 * bytes the engine leaves its heap, which takes 0.3 to 1 microsecond; verdicts from a pool would
 * share a buffer, and be lost when one of them is transferred. With `into`, a call allocates
 * nothing for inputs of up to a chunk, which is what a loop over millions of batches needs.
 */
export function deliver(
	bytes: Uint8Array,
	from: number,
	to: number,
	into: Uint8Array | undefined,
): Uint8Array {
	if (!into) return bytes.slice(from, to);
	const front = frontOf(into, to - from);
	fill(front, bytes, from);
	return front;
}

/**
 * Fills an array of ours with what stands at `from` in `bytes`. Not by `deliver`, whose view of it would make the engine take a short array
 * off its heap.
 */
export function fill(own: Uint8Array, bytes: Uint8Array, from: number): void {
	const count = own.length;
	if (count > FEW) own.set(bytes.subarray(from, from + count));
	else for (let i = 0; i < count; i++) own[i] = bytes[from + i] as number;
}

/**
 * The error names both numbers, so that a caller knows how much to make room for.
 * @throws {RobotrieError} invalid-argument, when `into` is too short for so many verdicts.
 */
export function frontOf(into: Uint8Array, count: number): Uint8Array {
	const size = sizeOf(into);
	if (count > size)
		throw new RobotrieError(
			"invalid-argument",
			`${count} verdicts do not fit into ${size} bytes`,
		);
	return startOf(into, count);
}

export function concatenate(parts: readonly Uint8Array[]): Uint8Array {
	const whole = new Uint8Array(
		parts.reduce((total, part) => total + part.length, 0),
	);
	let at = 0;
	for (const part of parts) {
		whole.set(part, at);
		at += part.length;
	}
	return whole;
}

/**
 * Lines in chunks of at most `size` bytes, or of a single longer line; each but the last ends after
 * a line end. Chunks end after a line feed, so that no line is judged in two halves.
 */
export function* chunksOf(
	bytes: Uint8Array,
	size: number,
): Generator<Uint8Array> {
	for (let from = 0; from < bytes.length; ) {
		const to = chunkEnd(bytes, from, size);
		yield bytes.subarray(from, to);
		from = to;
	}
}

/**
 * The end of the last whole line within `size` bytes from `from` on, or of a single longer line. A
 * line longer than `size` makes a chunk of its own; the next feed is searched for once.
 */
function chunkEnd(bytes: Uint8Array, from: number, size: number): number {
	const limit = from + size;
	if (limit >= bytes.length) return bytes.length;
	const last = bytes.lastIndexOf(10, limit - 1);
	if (last >= from) return last + 1;
	const next = bytes.indexOf(10, limit);
	return next < 0 ? bytes.length : next + 1;
}

/** Characters joined at once: at most CHUNK bytes when they are ASCII. */
const STRING_CHUNK = 64 * 1024;
/** A text with more characters is judged by itself: joined to others it might pass the length of strings. */
const MOST_JOINED = 1024 * 1024;
/**
 * Bytes that texts are joined to at most, of which the longest has so many characters. Three bytes
 * are the longest UTF-8 form of a UTF-16 unit.
 */
export function mostTogether(longest: number): number {
	return (STRING_CHUNK + longest + 1) * 3;
}

/**
 * Writes the verdicts of joined texts to `into`, a byte for each. False, with nothing written, when
 * there is another number of lines, as line ends inside a text make several of it. Joining texts
 * makes one call of many: a call costs as much as judging some lines.
 */
type JudgeJoined = (
	joined: string,
	texts: readonly string[],
	into: Uint8Array,
) => boolean;

/**
 * Judges texts many at a time, joined to lines, and gives one verdict byte for each, at the front of `into` if given. Where
 * `judgeJoined` cannot tell the texts apart, `judgeOne` judges one by one.
 * @throws {RobotrieError} invalid-argument, when `into` is too short.
 */
export function judgeTexts(
	texts: readonly string[],
	into: Uint8Array | undefined,
	judgeJoined: JudgeJoined,
	judgeOne: (text: string) => number,
): Uint8Array {
	const verdicts = into
		? frontOf(into, texts.length)
		: new Uint8Array(texts.length);
	// Joining one would only copy it.
	if (texts.length === 1) {
		verdicts[0] = judgeOne(texts[0] as string);
		return verdicts;
	}
	for (let first = 0; first < texts.length; ) {
		let last = first;
		// At least one text, even if it alone passes the limit.
		for (let length = 0; last < texts.length && length < STRING_CHUNK; last++) {
			const size = (texts[last] as string).length;
			length += size + 1;
			if (length > MOST_JOINED) break;
		}
		if (last === first) {
			verdicts[first++] = judgeOne(texts[last] as string);
			continue;
		}
		const all = last - first === texts.length;
		const some = all ? texts : texts.slice(first, last);
		const joined = `${some.join("\n")}\n`;
		// No copy where all texts fit into one round.
		const part = all ? verdicts : verdicts.subarray(first, last);
		// A carriage return at a text's end would be cut off.
		if (joined.includes("\r") || !judgeJoined(joined, some, part))
			part.set(some.map(judgeOne));
		first = last;
	}
	return verdicts;
}

const FOUR_LFS = 0x0a0a0a0a;

/**
 * Which of the four bytes of a little-endian word is the first line feed, from 0; -1 if none is.
 * The usual test for a zero byte in a word, after an exclusive or with line feeds; of several the
 * first is found.
 */
export function lineFeedIn(word: number): number {
	// The lowest bit that is left is the top bit of the first byte that is a line feed.
	const other = word ^ FOUR_LFS;
	const found = (other - 0x01010101) & ~other & 0x80808080;
	return found === 0 ? -1 : (31 - Math.clz32(found & -found)) >> 3;
}

/**
 * Items of a source as they come, up to a signal. Then it ends, also where the next item never comes: `Readable.from` with a signal waits
 * for the source there.
 */
export async function* until<Item>(
	signal: AbortSignal,
	items: Iterable<Item> | AsyncIterable<Item>,
): AsyncGenerator<Item, void, undefined> {
	const source =
		Symbol.asyncIterator in items
			? items[Symbol.asyncIterator]()
			: items[Symbol.iterator]();
	// A race against one promise for all items would keep every item in memory.
	let stop = () => {};
	const heard = () => stop();
	signal.addEventListener("abort", heard);
	let isReading = false;
	let isEnded = false;
	try {
		while (!signal.aborted) {
			isReading = true;
			const result = await new Promise<IteratorResult<Item> | undefined>(
				(resolve, reject) => {
					stop = () => resolve(undefined);
					Promise.resolve(source.next()).then(resolve, (error) => {
						isEnded = true;
						reject(error);
					});
				},
			);
			if (!result) return;
			isReading = false;
			isEnded = result.done === true;
			if (result.done) return;
			yield result.value;
		}
	} finally {
		signal.removeEventListener("abort", heard);
		const ending = isEnded ? undefined : Promise.resolve(source.return?.());
		// A source whose next item never comes would not end either.
		if (isReading) ending?.catch(() => {});
		else await ending;
	}
}
