import { linear } from "../src/engine/instance.ts";

/**
 * Lines put in linear memory once, for the two lower bounds: no engine can tell lines apart without finding their ends, and none that
 * answers line by line can do without a list of them.
 */
export class PlacedLines {
	readonly #from: number;
	readonly #length: number;
	readonly #lines: number;

	/** @throws {Error} When there is no memory. */
	constructor(bytes: Uint8Array) {
		this.#from = linear.module.allocate(bytes.length) >>> 0;
		if (this.#from === 0) throw new Error(`no room for ${bytes.length} bytes`);
		linear.bytes().set(bytes, this.#from);
		this.#length = bytes.length;
		this.#lines = this.count();
	}

	/** Line ends. */
	count(): number {
		return linear.module.countLineEnds(this.#from, this.#length);
	}

	/** Writes the address of each line end to the input region; returns how many there are. */
	list(): number {
		const to = linear.input(4 * this.#lines);
		return linear.module.listLineEnds(this.#from, this.#length, to);
	}

	/** The ends that `list` finds, counted from the first byte. */
	listed(): number[] {
		const count = this.list();
		const to = linear.input(4 * this.#lines) >>> 2;
		return Array.from(
			linear.words().subarray(to, to + count),
			(end) => (end >>> 0) - this.#from,
		);
	}
}
