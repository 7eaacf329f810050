/**
 * Whole numbers as bytes, for the requests of a segment (taken.ts, visits.ts): seven bits a byte, the lowest first, and the highest bit where
 * more follow. The reader is for bytes that may come from a stored state, which anybody may have made.
 */

import { damaged } from "./packed-numbers.ts";

/** Bytes of a number below 2 ** 53. */
const LONGEST = 8;

/** Writes whole numbers below 2 ** 53. */
export class VarintWriter {
	#bytes = new Uint8Array(256);
	#size = 0;

	write(number: number): void {
		if (this.#size + LONGEST > this.#bytes.length) {
			const more = new Uint8Array(2 * this.#bytes.length);
			more.set(this.#bytes);
			this.#bytes = more;
		}
		let rest = number;
		while (rest >= 128) {
			this.#bytes[this.#size++] = (rest % 128) + 128;
			rest = Math.floor(rest / 128);
		}
		this.#bytes[this.#size++] = rest;
	}

	/** A copy of what was written. */
	written(): Uint8Array {
		return this.#bytes.slice(0, this.#size);
	}
}

/** Reads what a VarintWriter wrote. */
export class VarintReader {
	readonly #bytes: Uint8Array;
	#at = 0;

	constructor(bytes: Uint8Array) {
		this.#bytes = bytes;
	}

	get isAtEnd(): boolean {
		return this.#at >= this.#bytes.length;
	}

	/** The next number; it may be larger than 2 ** 53 if no VarintWriter wrote it. @throws {RangeError} If the bytes end, or go on too long. */
	read(): number {
		let number = 0;
		for (let unit = 1; unit <= 128 ** (LONGEST - 1); unit *= 128) {
			const byte = this.#bytes[this.#at++];
			if (byte === undefined) throw damaged("a request is cut off");
			number += (byte & 127) * unit;
			if (byte < 128) return number;
		}
		throw damaged("a number is too long");
	}
}
