import { readSync } from "node:fs";
import { Failure, systemReason } from "../output/failure.ts";

const LF = 10;

/** A line has to be held in full, and a few times over in the module's memory. */
const LONGEST_LINE = 64 * 1024 * 1024;

/** Bytes that are read at once behind a range, for the end of its last line. */
const BEHIND = 16 * 1024;

/** The lines of a plain file that begin at its bytes from `from` to `to`, the second one not included. Plain data, to be sent to a thread. */
export interface LineRange {
	/** Open in the whole process. */
	readonly descriptor: number;
	readonly name: string;
	readonly from: number;
	readonly to: number;
	/** Where the file ends: what is written behind that is not read. */
	readonly size: number;
}

/** @throws {Failure} For a line that is too long; `size` includes its end. */
export function checkLine(size: number, name: string): void {
	if (size > LONGEST_LINE)
		throw new Failure(`a line of ${name} is longer than ${LONGEST_LINE} bytes`);
}

/** Reads ranges, one after the other into the same memory. */
export class RangeReader {
	#buffer = Buffer.alloc(0);

	/** The lines of a range, which the next call overwrites. @throws {Failure} When they cannot be read, and for one that is too long. */
	read(range: LineRange): Uint8Array {
		const { from, to, size, name } = range;
		// The byte in front tells whether a line begins at the first one.
		const start = Math.max(0, from - 1);
		let length = this.#fill(range, start, 0, to - start);
		const first = from === 0 ? 0 : this.#lineEnd(0, length);
		if (first < 0 || first === length) return new Uint8Array();
		const last = this.#buffer.lastIndexOf(LF, length - 1) + 1;
		for (let end = last === length ? length : -1; end < 0; ) {
			const left = Math.min(BEHIND, size - start - length);
			const read = this.#fill(range, start + length, length, left);
			end = this.#lineEnd(length, length + read);
			if (read === 0) end = length;
			length = end < 0 ? length + read : end;
			checkLine(length - last, name);
		}
		return this.#buffer.subarray(first, length);
	}

	/** Behind the first line end of some bytes, -1 without one. */
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
			const reason = systemReason(error);
			if (reason === undefined) throw error;
			throw new Failure(`cannot read ${name}: ${reason}`);
		}
		return done;
	}

	#reserve(held: number, size: number): void {
		if (size <= this.#buffer.length) return;
		const larger = Buffer.allocUnsafeSlow(size + (size >> 1));
		this.#buffer.copy(larger, 0, 0, held);
		this.#buffer = larger;
	}
}
