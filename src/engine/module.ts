import indexSimd from "../../build/robotrie-index.simd.wasm";

// In this order, not that of names, gzip finds most of a build in the one before: 2 KB less.

import simd from "../../build/robotrie.simd.wasm";

// Last, as it has nearly all of the one in front.

import scalar from "../../build/robotrie.scalar.wasm";
import { RobotrieError } from "../common/errors.ts";

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

/** A module from its bytes, a character for each, as scripts/wasm-text.mjs makes them. */
export function moduleOf(text: string): WebAssembly.Module {
	const bytes = new Uint8Array(text.length);
	for (let i = 0; i < bytes.length; i++) {
		const at = text.charCodeAt(i) - 35;
		bytes[i] =
			at - 3 + (at > 78 && at < 92 ? 30 : at > 108 && at < 122 ? -30 : 0);
	}
	return new WebAssembly.Module(bytes);
}

/** Compiles, verifies and runs programs: assembly/index.ts. */
export const mainModule = compileModule(simd, scalar);

let indexModule: WebAssembly.Module | undefined;

/**
 * Keeps programs of many origins and runs them: assembly/robots-index.ts. Compiled when first asked for. Its scalar build would
 * be 2 KB of the 40 that the library may have, for platforms that lack SIMD and yet have an index of many sites.
 * @throws {RobotrieError} unsupported.
 */
export function moduleOfIndex(): WebAssembly.Module {
	if (!WebAssembly.validate(SIMD_PROBE))
		throw new RobotrieError("unsupported", "an index needs SIMD");
	indexModule ??= moduleOf(indexSimd);
	return indexModule;
}
