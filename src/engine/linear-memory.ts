/**
 * WebAssembly modules, and the memory of an instance with its input region. It is the only place that compiles and instantiates, and that
 * turns a trap or a memory that cannot grow into a `RobotrieError`. Views of memory are renewed after each call that may grow it.
 */
import { type Imports, instantiateSync } from "@assemblyscript/loader";
import { LINES_PADDING, MAX_BLOCK } from "../../assembly/format/program.ts";
import code from "../../build/robotrie.simd.wasm";
import indexCode from "../../build/robotrie-index.simd.wasm";
import { RobotrieError } from "../common/errors.ts";
import {
	type AsciiWriter,
	asciiWriter,
	fromBase64,
	MOST_CHARACTERS,
} from "./ascii-writer.ts";

/** assembly/module-text.wat, assembled, in Base64. */
export const TEXT_MODULE =
	"AGFzbQEAAAABBgFgAX8BfwMCAQAFAwEAAQcTAgZtZW1vcnkCAAZkZWNvZGUAAApZAVcBA39BAP0PGgNAIAEtAAAhAyADQf0ATwRAIAFBAWohASADQdMAbC" +
	"ABLQAAQa3QAGtqIQMLIAIgA0EoazoAACABQQFqIQEgAkEBaiECIAEgAEkNAAsgAgs=";

interface TextExports {
	readonly memory: WebAssembly.Memory;
	decode(length: number): number;
}

/**
 * A module from its bytes, as a text (tools/texts.mjs). Edge runtimes compile none from bytes: for those the import is
 * the module itself.
 * @throws {RobotrieError} unsupported.
 */
export function compileModule(
	code: string | WebAssembly.Module,
): WebAssembly.Module {
	// Its class may be that of another realm.
	if (typeof code !== "string") return code;
	return new WebAssembly.Module(bytesOf(code));
}

/**
 * The bytes of a module that is imported as a text: `asText` of tools/texts.mjs, backwards. By a small module, as V8 has optimised nothing by
 * then: with a loop in JavaScript a process's first verdict takes 1 to 2 ms more.
 * @throws {RobotrieError} unsupported.
 */
export function bytesOf(text: string): Uint8Array<ArrayBuffer> {
	const reader = fromBase64(TEXT_MODULE);
	if (!WebAssembly.validate(reader))
		throw new RobotrieError(
			"unsupported",
			"WebAssembly has no 128-bit SIMD here, which robotrie needs; Chromium has it since version 91, Firefox since 89, Safari since 16.4, and Node where the processor has SSE 4.1 or NEON",
		);
	const { memory, decode } = instantiate<TextExports>(
		new WebAssembly.Module(reader),
	);
	// A page is there already.
	memory.grow(text.length >>> 16);
	const bytes = new Uint8Array(memory.buffer);
	encoder.encodeInto(text, bytes);
	return bytes.subarray(0, decode(text.length));
}

/**
 * What a new instance of a module exports: the functions themselves. The loader's own `exports` wrap each of them, to pass on a count of
 * arguments that only functions with optional ones need. It takes what is not of this realm's class for bytes, as the modules are that
 * Next.js hands to code on the edge.
 */
export function instantiate<Exports>(
	module: WebAssembly.Module,
	imports: Imports = {},
): Exports {
	return withMemory(() => {
		const { exports } =
			module instanceof WebAssembly.Module
				? instantiateSync(module, imports).instance
				: new WebAssembly.Instance(module, imports as WebAssembly.Imports);
		return exports as Exports;
	});
}

/** A new instance of a module that is compiled for it: of the audit, and of the page's traces. */
export function newInstance<Exports>(
	code: string | WebAssembly.Module,
	imports: Imports = {},
): Exports {
	return instantiate(compileModule(code), imports);
}

/**
 * What needs a WebAssembly memory. Engines reserve address space for all that it may grow to, V8 about 10 GiB for each, which
 * `ulimit -v` and containers can forbid.
 * @throws {RobotrieError} limit-exceeded.
 */
export function withMemory<Result>(make: () => Result): Result {
	try {
		return make();
	} catch (error) {
		if (!(error instanceof RangeError) || /stack/i.test(error.message))
			throw error;
		throw new RobotrieError(
			"limit-exceeded",
			`there is no room for a WebAssembly memory (${error.message}): the engine reserves about 10 GiB of address space for each; raise the limit, as with "ulimit -v unlimited"`,
		);
	}
}

let compiledMain: WebAssembly.Module | undefined;

/** Compiles, verifies and runs programs: assembly/index.ts. Compiled when first asked for. */
export function mainModule(): WebAssembly.Module {
	compiledMain ??= compileModule(code);
	return compiledMain;
}

let compiledIndex: WebAssembly.Module | undefined;

/** Keeps programs of many origins and runs them: assembly/robots-index.ts. As well. */
export function indexModule(): WebAssembly.Module {
	compiledIndex ??= compileModule(indexCode);
	return compiledIndex;
}

/** What every module exports. Where several instances share a memory, they import it. */
export interface CommonExports {
	readonly memory: WebAssembly.Memory;
	moduleVersion(): number;
	input(size: number): number;
}

/** What modules that judge columns export besides (assembly/url/lines.ts). */
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
/** What ends something that other threads wait for, or a finaliser calls: that goes on after a failure. */
const AFTER_FAILURE: ReadonlySet<string> = new Set([
	"endReading",
	"endChange",
	"endCapture",
]);
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
	/** What it is a view of. */
	#viewed: ArrayBuffer = this.#view.buffer as ArrayBuffer;
	#words: Int32Array = new Int32Array();
	#longs: BigInt64Array = new BigInt64Array();
	/** Writes short ASCII texts to the memory, in browsers. */
	#writer: AsciiWriter | null = null;
	/** The module's input region, as of the last call that asked for more room. */
	#inputPointer = 0;
	#inputSize = -1;
	/** A view of it, empty when it has to be made anew. */
	#inputView: Uint8Array = new Uint8Array();
	/** What its memory holds that cannot be made anew. */
	readonly #content: string | undefined;
	#instances = 0;
	/** What an export threw, after which its instance is of no more use. */
	#broken: { readonly error: unknown } | undefined;

	/**
	 * The module is asked for and instantiated when it is first used; `memory` is for one that imports one.
	 *
	 * An instance that threw, by a trap or because the stack was full, stopped in the middle of something, and nobody knows what its
	 * memory holds. It is replaced by a new one; with `content`, which is what would be lost by that, everything is refused instead.
	 */
	constructor(
		compiled: () => WebAssembly.Module,
		memory?: WebAssembly.Memory,
		content?: string,
	) {
		this.#compiled = compiled;
		this.#memory = memory;
		this.#shared = memory !== undefined;
		this.#content = content;
	}

	/** Which instance this is: with another one, nothing lies any more where it lay. */
	get instance(): number {
		if (this.#broken && this.#content === undefined) this.#replace();
		return this.#instances;
	}

	/** Why all calls are refused. */
	get failure(): RobotrieError | undefined {
		if (!this.#broken || this.#content === undefined) return undefined;
		const { error } = this.#broken;
		const reason = error instanceof Error ? error.message : String(error);
		return new RobotrieError(
			"disposed",
			`${this.#content} was given up, as WebAssembly stopped within a call (${reason}): make or load it again`,
		);
	}

	/** What the module exports. */
	get module(): Exports {
		if (this.#broken && this.#content === undefined) this.#replace();
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
		const guarded = this.#guarded(exports);
		this.#exports = guarded;
		this.#memory ??= exports.memory;
		if (!this.#shared) this.#writer = asciiWriter(this.#memory);
		return guarded;
	}

	/**
	 * The exports of an instance, each of which tells of what it throws. Made at once: of an object that is filled name by name, V8 makes
	 * a dictionary, in which every call looks its function up.
	 */
	#guarded(exports: Exports): Exports {
		return Object.fromEntries(
			Object.entries(exports).map(([name, call]) => [
				name,
				typeof call === "function" ? this.#guard(name, call) : call,
			]),
		) as unknown as Exports;
	}

	#guard(name: string, call: (...values: number[]) => unknown) {
		const isKept = this.#content === undefined || AFTER_FAILURE.has(name);
		// As many as the longest has: WebAssembly leaves out what a function does not take, and a list of them takes time.
		return (
			a: number,
			b: number,
			c: number,
			d: number,
			e: number,
			f: number,
		) => {
			if (this.#broken && !isKept) throw this.failure;
			try {
				return call(a, b, c, d, e, f);
			} catch (error) {
				// Nothing is called here: the stack may be full.
				this.#broken = { error };
				this.#inputSize = -1;
				throw error;
			}
		};
	}

	/** Has the next call make another instance. Where this ends early, as the stack is full, it begins anew. */
	#replace(): void {
		this.#instances++;
		this.#exports = undefined;
		if (!this.#shared) this.#memory = undefined;
		this.#inputSize = -1;
		this.#inputView = new Uint8Array();
		this.#view = new Uint8Array();
		this.#words = new Int32Array();
		this.#longs = new BigInt64Array();
		this.#broken = undefined;
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
			(this.#shared && this.#viewed !== this.#buffer())
		) {
			this.#viewed = this.#buffer();
			this.#view = new Uint8Array(this.#viewed);
		}
		return this.#view;
	}

	/** So many bytes from an address on, in a view that the next call may empty. Asking `bytes` for its buffer takes as long as making one. */
	bytesAt(address: number, length: number): Uint8Array {
		this.bytes();
		return new Uint8Array(this.#viewed, address, length);
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
			this.#inputView = new Uint8Array();
			this.#inputSize = -1;
			this.#inputPointer = this.module.input(wanted) >>> 0;
			if (this.#inputPointer === 0)
				throw outOfMemory(`an input of ${size} bytes`);
			this.#inputSize = wanted;
		}
		return this.#inputPointer;
	}

	/**
	 * Copies bytes to the input region and returns their address, up to seven bytes after its start.
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
		if (text.length <= MOST_CHARACTERS) {
			const written = this.#writer?.(text, this.#inputPointer) ?? -1;
			if (written >= 0) return written;
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
		`there is no room for ${what}: a block of WebAssembly memory ends at 512 MiB, all of it at 4 GiB`,
	);
}
