import indexScalar from "../build/robotrie-index.scalar.wasm";
import indexSimd from "../build/robotrie-index.simd.wasm";

// In this order, not that of names, gzip finds most of a build in the one before: 1 KB less.

import scalar from "../build/robotrie.scalar.wasm";
import simd from "../build/robotrie.simd.wasm";

/** The smallest module that needs 128-bit SIMD: a function that makes a vector and drops it. */
const SIMD_PROBE = new Uint8Array([
	0, 97, 115, 109, 1, 0, 0, 0, 1, 4, 1, 96, 0, 0, 3, 2, 1, 0, 10, 9, 1, 7, 0,
	65, 0, 253, 15, 26, 11,
]);

/** A module from its SIMD build where the platform runs it, else from its scalar build. */
export function compileModule(
	simd: string,
	scalar: string,
): WebAssembly.Module {
	return moduleOf(WebAssembly.validate(SIMD_PROBE) ? simd : scalar);
}

/** What the bundler adds to each octet to make a character of it (scripts/wasm-text.mjs). */
const OFFSET = 35;

/** A module from its octets, a character for each. */
export function moduleOf(octets: string): WebAssembly.Module {
	const bytes = new Uint8Array(octets.length);
	for (let i = 0; i < bytes.length; i++)
		bytes[i] = octets.charCodeAt(i) - OFFSET;
	return new WebAssembly.Module(bytes);
}

/** Compiles, verifies and runs programs: assembly/index.ts. */
export const mainModule = compileModule(simd, scalar);

let indexModule: WebAssembly.Module | undefined;

/** Keeps programs of many origins and runs them: assembly/robots-index.ts. Compiled when first asked for. */
export function moduleOfIndex(): WebAssembly.Module {
	indexModule ??= compileModule(indexSimd, indexScalar);
	return indexModule;
}
