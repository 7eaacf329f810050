import {
	LINES_PADDING,
	MAX_BLOCK,
	TABLE_SIZE,
} from "../../assembly/format/program.ts";
import { RobotrieError } from "../common/errors.ts";
import { byteClassTables } from "./byte-classes.ts";
import { instantiate } from "./module.ts";

/** What every module exports. Where several instances share a memory, they import it. */
export interface CommonExports {
	readonly memory: WebAssembly.Memory;
	tables(): number;
	input(size: number): number;
}

/** What modules that judge columns export besides (assembly/url/rows.ts). */
export interface RowExports extends CommonExports {
	spreadRows(
		offsets: number,
		wide: boolean,
		count: number,
		from: number,
		size: number,
		to: number,
	): number;
	oddRows(): number;
}

/** Bytes that `place` may leave out at the start of the input region. */
export const MOST_SHIFT = 7;
const LEAST_INPUT = 64 * 1024;
const MOST_INPUT = MAX_BLOCK - LINES_PADDING;
const encoder = new TextEncoder();

/** An instance of a module and the views of its memory, which are stale once it has grown. */
export class LinearMemory<Exports extends CommonExports> {
	readonly #compiled: () => WebAssembly.Module;
	#exports: Exports | undefined;
	/** Several instances use the memory: views of it stay, but do not grow with it, and text encoders do not write to it. */
	readonly #shared: boolean;
	#memory: WebAssembly.Memory | undefined;
	#view: Uint8Array = new Uint8Array();
	#words: Int32Array = new Int32Array();
	#longs: BigInt64Array = new BigInt64Array();
	/** The module's input region, as of the last call that asked for more room. */
	#inputPointer = 0;
	#inputSize = -1;
	/** A view of it, empty when it has to be made anew. */
	#inputView: Uint8Array = new Uint8Array();

	/** The module is asked for and instantiated when it is first used; `memory` is for one that imports one. */
	constructor(compiled: () => WebAssembly.Module, memory?: WebAssembly.Memory) {
		this.#compiled = compiled;
		this.#memory = memory;
		this.#shared = memory !== undefined;
	}

	/** What the module exports. */
	get module(): Exports {
		return this.#exports ?? this.#start();
	}

	#start(): Exports {
		const memory = this.#memory;
		// V8 may miss growth that happens while the memory is sent to this thread: then bulk instructions trap and views are short.
		memory?.grow(0);
		const exports = instantiate<Exports>(
			this.#compiled(),
			memory && { env: { memory } },
		);
		this.#exports = exports;
		this.#memory ??= exports.memory;
		for (const [index, table] of byteClassTables())
			this.bytes().set(table, exports.tables() + index * TABLE_SIZE);
		return exports;
	}

	/** The memory's buffer, of which growing makes another one. */
	#buffer(): ArrayBuffer {
		return (this.#memory ?? this.module.memory).buffer;
	}

	/** All of memory; every call may give another view. */
	bytes(): Uint8Array {
		// Growing detaches the buffer, which empties its views; asking for the buffer itself takes ten times as long.
		if (
			this.#view.length === 0 ||
			(this.#shared && this.#view.buffer !== this.#buffer())
		)
			this.#view = new Uint8Array(this.#buffer());
		return this.#view;
	}

	/** All of memory as numbers of 32 bits: the one at an address is that at a quarter of it. Every call may give another view. */
	words(): Int32Array {
		if (this.#words.length === 0 || this.#shared)
			this.#words = new Int32Array(this.bytes().buffer);
		return this.#words;
	}

	/** The same as numbers of 64 bits. */
	longs(): BigInt64Array {
		if (this.#longs.length === 0 || this.#shared)
			this.#longs = new BigInt64Array(this.bytes().buffer);
		return this.#longs;
	}

	/**
	 * Address of room for `size` bytes to hand to the module, valid until the next call.
	 * @throws {RobotrieError} limit-exceeded; the next call asks anew.
	 */
	input(size: number): number {
		if (size > this.#inputSize) {
			// The module would take it modulo 2 ** 32.
			if (size > MOST_INPUT) throw outOfMemory(`an input of ${size} bytes`);
			const wanted = Math.max(size, LEAST_INPUT);
			this.#inputPointer = this.module.input(wanted) >>> 0;
			this.#inputSize = this.#inputPointer === 0 ? -1 : wanted;
			this.#inputView = new Uint8Array();
			if (this.#inputPointer === 0)
				throw outOfMemory(`an input of ${size} bytes`);
		}
		return this.#inputPointer;
	}

	/**
	 * Copies bytes to the input region and returns their address, up to seven bytes behind its start.
	 * @param size Bytes from that address on that the region has room for.
	 * @throws {RobotrieError} limit-exceeded.
	 */
	place(bytes: Uint8Array, size = bytes.length): number {
		const start = this.input(size + MOST_SHIFT);
		// To shared memory the engine copies byte by byte, unless source and target are equally far from a multiple of eight.
		const at = this.#shared ? start + ((bytes.byteOffset - start) & 7) : start;
		this.bytes().set(bytes, at);
		return at;
	}

	/**
	 * Writes a text to the input region and returns its bytes. The view is kept: making one takes half as long as encoding
	 * a URL, and writing character by character twice as long.
	 */
	encodeInput(text: string): number {
		if (this.#shared) {
			const bytes = encoder.encode(text);
			this.bytes().set(bytes, this.#inputPointer);
			return bytes.length;
		}
		if (this.#inputView.length === 0) {
			const from = this.#inputPointer;
			this.#inputView = this.bytes().subarray(from, from + this.#inputSize);
		}
		return encoder.encodeInto(text, this.#inputView).written;
	}
}

export function outOfMemory(what: string): RobotrieError {
	return new RobotrieError(
		"limit-exceeded",
		`${what} does not fit: a block of WebAssembly memory ends at 512 MiB, all of it at 4 GiB`,
	);
}
