import code from "../build/controls.simd.wasm";
import { compileModule, instantiate } from "../src/engine/linear-memory.ts";

/** What assembly/controls.ts exports; its contracts stand there. */
interface Controls {
	readonly memory: WebAssembly.Memory;
	allocate(size: number): number;
	allocateList(count: number): number;
	sumBytes(from: number, end: number): bigint;
	countLineEnds(from: number, end: number): number;
	listLineEnds(from: number, end: number, list: number): number;
	hashSegments(
		from: number,
		end: number,
		list: number,
		verdicts: number,
	): number;
}

/** Bytes that are read behind the last line. */
const BLOCK = 64;

let compiled: Controls | undefined;

/**
 * Lines put in linear memory once, for the lower bounds: no engine can tell lines apart without finding their ends, and none that
 * answers line by line can do without a list of them.
 */
export class PlacedLines {
	readonly #controls: Controls;
	readonly #from: number;
	readonly #end: number;
	readonly #count: number;
	readonly #list: number;
	readonly #verdicts: number;

	/** @throws {Error} When there is no memory. */
	constructor(bytes: Uint8Array) {
		compiled ??= instantiate<Controls>(compileModule(code));
		this.#controls = compiled;
		const place = (size: number, at = compiled?.allocate(size)) => {
			if (!at) throw new Error(`no room for ${size} bytes`);
			return at >>> 0;
		};
		this.#from = place(bytes.length + BLOCK);
		this.#end = this.#from + bytes.length;
		this.#bytes().fill(0, this.#end, this.#end + BLOCK);
		this.#bytes().set(bytes, this.#from);
		this.#count = this.count();
		this.#list = place(
			4 * this.#count,
			this.#controls.allocateList(this.#count),
		);
		this.#verdicts = place(this.#count + 1);
	}

	#bytes(): Uint8Array {
		return new Uint8Array(this.#controls.memory.buffer);
	}

	/** The sum of all bytes. */
	sum(): number {
		return Number(this.#controls.sumBytes(this.#from, this.#end));
	}

	/** Line ends. */
	count(): number {
		return this.#controls.countLineEnds(this.#from, this.#end);
	}

	/** Writes the address of each line end to a list; returns how many there are. */
	list(): number {
		return this.#controls.listLineEnds(this.#from, this.#end, this.#list);
	}

	/** The ends that `list` finds, counted from the first byte. */
	listed(): number[] {
		const words = new Uint32Array(this.#controls.memory.buffer);
		const to = this.#list >>> 2;
		return Array.from(
			words.subarray(to, to + this.list()),
			(end) => end - this.#from,
		);
	}

	/** The same list, and a byte out of a hash of each line's first segment. */
	hash(): number {
		return this.#controls.hashSegments(
			this.#from,
			this.#end,
			this.#list,
			this.#verdicts,
		);
	}

	/** The bytes that `hash` stores. */
	hashed(): Uint8Array {
		const count = this.hash();
		return this.#bytes().slice(this.#verdicts, this.#verdicts + count);
	}
}

/** What `hash` is to store for a line: the upper byte of a product of the bytes between its first one and its next "/", up to the eighth. */
export function segmentHash(line: Uint8Array): number {
	const slash = line.indexOf(0x2f, 1);
	const end = Math.min(8, line.length, slash < 0 ? 8 : slash);
	const word = line
		.subarray(1, end)
		.reduceRight((value, byte) => (value << 8n) | BigInt(byte), 0n);
	return Number(BigInt.asUintN(64, word * 0x9e3779b97f4a7c15n) >> 56n);
}
