import { type Imports, instantiateSync } from "@assemblyscript/loader";
import scalar from "../../build/robotrie.scalar.wasm";
import simd from "../../build/robotrie.simd.wasm";
import indexScalar from "../../build/robotrie-index.scalar.wasm";
import indexSimd from "../../build/robotrie-index.simd.wasm";

/** The smallest module that needs 128-bit SIMD: a function that makes a vector and drops it. */
const SIMD_PROBE = new Uint8Array([
	0, 97, 115, 109, 1, 0, 0, 0, 1, 4, 1, 96, 0, 0, 3, 2, 1, 0, 10, 9, 1, 7, 0,
	65, 0, 253, 15, 26, 11,
]);

/** A module from its SIMD build where the platform runs it, else from its scalar build; both in base64. */
export function compileModule(
	simd: string,
	scalar: string,
): WebAssembly.Module {
	return moduleOf(WebAssembly.validate(SIMD_PROBE) ? simd : scalar);
}

/** A module from its bytes in base64. */
export function moduleOf(base64: string): WebAssembly.Module {
	return new WebAssembly.Module(decodeBase64(base64));
}

export function decodeBase64(base64: string): Uint8Array<ArrayBuffer> {
	// Newer than the library's oldest platforms, and than the types it is checked against.
	const { fromBase64 } = Uint8Array as {
		fromBase64?: (base64: string) => Uint8Array<ArrayBuffer>;
	};
	if (fromBase64) return fromBase64.call(Uint8Array, base64);
	const text = atob(base64);
	const bytes = new Uint8Array(text.length);
	for (let at = 0; at < text.length; at++) bytes[at] = text.charCodeAt(at);
	return bytes;
}

/**
 * What a new instance of a module exports. These are the exports themselves: the loader's own object has a function around each of
 * them, for modules whose functions have optional parameters.
 */
export function instantiate<Exports>(
	module: WebAssembly.Module,
	imports?: Imports,
): Exports {
	const { instance } = instantiateSync(module, imports);
	return instance.exports as Exports;
}

/** Compiles, verifies and runs programs: assembly/index.ts. */
export const mainModule = compileModule(simd, scalar);

let compiledIndex: WebAssembly.Module | undefined;

/** Keeps programs of many origins and runs them: assembly/robots-index.ts. Compiled when first asked for. */
export function indexModule(): WebAssembly.Module {
	compiledIndex ??= compileModule(indexSimd, indexScalar);
	return compiledIndex;
}
