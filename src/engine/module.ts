import { type Imports, instantiateSync } from "@assemblyscript/loader";
import builds, { type Builds } from "../../build/robotrie.builds.wasm";
import indexBuilds from "../../build/robotrie-index.builds.wasm";
import { RobotrieError } from "../common/errors.ts";

/** The smallest module that needs 128-bit SIMD: a function that makes a vector and drops it. */
const SIMD_PROBE = new Uint8Array([
	0, 97, 115, 109, 1, 0, 0, 0, 1, 4, 1, 96, 0, 0, 3, 2, 1, 0, 10, 9, 1, 7, 0,
	65, 0, 253, 15, 26, 11,
]);

/**
 * A module from its SIMD build where the platform runs it, else from its scalar build. Edge runtimes compile none from bytes: for those
 * the import is the module itself.
 */
export function compileModule(
	builds: Builds | WebAssembly.Module,
): WebAssembly.Module {
	// Its class may be that of another realm.
	if (!("sizes" in builds)) return builds;
	const build = WebAssembly.validate(SIMD_PROBE) ? 0 : 1;
	return new WebAssembly.Module(bytesOf(textOf(builds, build)));
}

/** One of two builds whose pieces follow each other in turns (tools/wasm-text.mjs). */
function textOf({ text, sizes, pieces }: Builds, build: 0 | 1): string {
	const steps = sizes.map((size) => Math.ceil(size / pieces));
	let joined = "";
	let at = 0;
	for (let i = 0; i < pieces; i++)
		for (const each of [0, 1] as const) {
			const step = steps[each] as number;
			const end = at + Math.min(step, Math.max(sizes[each] - i * step, 0));
			if (each === build) joined += text.slice(at, end);
			at = end;
		}
	return joined;
}

/** How much character codes are above the bytes they stand for, modulo 256. */
const SHIFT = 32;

/** A module from its bytes, a character for each (tools/wasm-text.mjs). */
export function moduleOf(text: string): WebAssembly.Module {
	return new WebAssembly.Module(bytesOf(text));
}

export function bytesOf(text: string): Uint8Array<ArrayBuffer> {
	const bytes = new Uint8Array(text.length);
	for (let at = 0; at < text.length; at++)
		bytes[at] = text.charCodeAt(at) - SHIFT;
	return bytes;
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
	compiledMain ??= compileModule(builds);
	return compiledMain;
}

let compiledIndex: WebAssembly.Module | undefined;

/** Keeps programs of many origins and runs them: assembly/robots-index.ts. As well. */
export function indexModule(): WebAssembly.Module {
	compiledIndex ??= compileModule(indexBuilds);
	return compiledIndex;
}
