/**
 * Stdin of `robotrie stream`: given numbers of bytes, read to where they are used. A pipe on Linux is read synchronously: one fifth less CPU
 * time for each URL than chunks of 64 KiB with a turn of the event loop each.
 */
import { openSync, readlinkSync, readSync } from "node:fs";
import { open, STDIN } from "../input/input.ts";
import { Failure } from "../output/output.ts";

/** Puts bytes at the front of an array that has room for some: how many, 0 at the end of the input. */
export type Source = (into: Uint8Array) => number | Promise<number>;

/** The input ends within what should be read, or would: nothing after it can be found. */
export class InputEnds extends Failure {}

/**
 * Bytes that are read ahead, as many small frames come at once. A frame is often a few hundred
 * bytes, and each read is a call of the system.
 */
const AHEAD = 16 * 1024;

/** The longest array that is kept for the next call: that of a frame as robotrie-spark sends it. */
const MOST_KEPT = 24 * 1024 * 1024;

/** Bytes of a chunk. */
const CHUNK = 256 * 1024;

/**
 * Bytes after which the event loop gets a turn, as a source may wait without giving it one. A
 * source that never waits would starve timers and signals.
 */
const TURN = 1024 * 1024;

/** Reads given numbers of bytes. */
export class ByteReader {
	readonly #source: Source;
	readonly #ahead = Buffer.allocUnsafeSlow(AHEAD);
	/** Bytes [from, to) were read ahead and not taken yet. */
	#from = 0;
	#to = 0;
	#kept: Uint8Array = new Uint8Array();
	#sinceTurn = 0;

	constructor(source: Source) {
		this.#source = source;
	}

	/** Whether no byte is left. */
	async atEnd(): Promise<boolean> {
		if (this.#from < this.#to) return false;
		this.#from = 0;
		this.#to = await this.#receive(this.#ahead);
		return this.#to === 0;
	}

	/**
	 * The next `size` bytes, after `room` bytes that are left free. The next call may overwrite them.
	 * `room` leaves space in front, so that what follows it stands at an address that typed arrays
	 * allow.
	 * @throws {InputEnds} When there are fewer.
	 */
	async read(size: number, room = 0): Promise<Uint8Array> {
		const bytes = this.#arrayOf(room + size);
		await this.#fill(bytes.subarray(room), 0, size);
		return bytes;
	}

	/** The next `size` bytes in chunks. @throws {InputEnds} When there are fewer. */
	async *chunks(size: number): AsyncGenerator<Uint8Array> {
		// Snapshots may be larger than memory for one array, so they are read in pieces of a chunk.
		for (let at = 0; at < size; at += CHUNK) {
			const chunk = Buffer.allocUnsafeSlow(Math.min(CHUNK, size - at));
			await this.#fill(chunk, at, size);
			yield chunk;
		}
	}

	/** Fills an array with the bytes from `start` on of `size`. */
	async #fill(bytes: Uint8Array, start: number, size: number): Promise<void> {
		for (let at = 0; at < bytes.length; ) {
			const rest = bytes.subarray(at);
			const isAhead = this.#from < this.#to || rest.length < AHEAD;
			// Small requests come from what was read ahead, large ones go straight to where they are
			// needed.
			const count = await (isAhead
				? this.#takeAhead(rest)
				: this.#receive(rest));
			if (count === 0)
				throw new InputEnds(
					`the input ends after ${start + at} of ${size} bytes`,
				);
			at += count;
		}
	}

	async #takeAhead(into: Uint8Array): Promise<number> {
		if (await this.atEnd()) return 0;
		const end = Math.min(this.#to, this.#from + into.length);
		const part = this.#ahead.subarray(this.#from, end);
		into.set(part);
		this.#from = end;
		return part.length;
	}

	async #receive(into: Uint8Array): Promise<number> {
		if (this.#sinceTurn >= TURN) {
			this.#sinceTurn = 0;
			await new Promise(setImmediate);
		}
		const count = await this.#source(into);
		this.#sinceTurn += count;
		return count;
	}

	/** Pages of it that nothing is written to take no memory, whatever length a header claims. */
	#arrayOf(size: number): Uint8Array {
		// Larger arrays are made anew each time: keeping them would keep the largest frame for ever.
		if (size > MOST_KEPT) return Buffer.allocUnsafeSlow(size);
		if (size > this.#kept.length)
			this.#kept = Buffer.allocUnsafeSlow(
				Math.min(MOST_KEPT, Math.max(size, 2 * this.#kept.length)),
			);
		return this.#kept.subarray(0, size);
	}
}

/** Where Linux shows what stdin is. */
const LINK = "/proc/self/fd/0";

/** The bytes of stdin. @throws {Failure} For a directory. */
export function stdinSource(): Source {
	// A stream of chunks is the fallback; the pipe is the usual case on Linux.
	const pipe = openPipe();
	return pipe === undefined
		? sourceOf(open(STDIN))
		: (into) => readSync(pipe, into);
}

/** Bytes that come in chunks. */
export function sourceOf(chunks: AsyncIterable<Uint8Array>): Source {
	// A chunk may be longer than what is asked for; the rest is kept.
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
	// Read by /proc, because stdin's own descriptor is asynchronous and shared.
	try {
		// Opening a named pipe would wait for someone who writes to it, and who may have gone.
		const isPipe = readlinkSync(LINK).startsWith("pipe:");
		return isPipe ? openSync(LINK, "r") : undefined;
	} catch {
		return undefined;
	}
}
