import builds, { type Builds } from "../../build/robotrie.builds.wasm";
import indexBuilds from "../../build/robotrie-index.builds.wasm";

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

/** One of two builds whose pieces follow each other in turns (scripts/wasm-text.mjs). */
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

/** A module from its bytes, a character for each (scripts/wasm-text.mjs). */
export function moduleOf(text: string): WebAssembly.Module {
	return new WebAssembly.Module(bytesOf(text));
}

export function bytesOf(text: string): Uint8Array<ArrayBuffer> {
	const bytes = new Uint8Array(text.length);
	for (let at = 0; at < text.length; at++)
		bytes[at] = text.charCodeAt(at) - SHIFT;
	return bytes;
}

/** What a new instance of a module exports. */
export function instantiate<Exports>(
	module: WebAssembly.Module,
	imports?: WebAssembly.Imports,
): Exports {
	return new WebAssembly.Instance(module, imports).exports as Exports;
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
