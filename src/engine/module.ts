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

/** A module from its SIMD build where the platform runs it, else from its scalar build; both as text. */
export function compileModule(
	simd: string,
	scalar: string,
): WebAssembly.Module {
	return moduleOf(WebAssembly.validate(SIMD_PROBE) ? simd : scalar);
}

/** A module from its bytes, a character for each (scripts/wasm-text.mjs). */
export function moduleOf(text: string): WebAssembly.Module {
	return new WebAssembly.Module(bytesOf(text));
}

/** Codes of the characters that no bundler escapes. */
const PLAIN = Array.from({ length: 95 }, (_, i) => i + 32).filter(
	(code) => !'"$\\`'.includes(String.fromCharCode(code)),
);

/**
 * The text begins with the bytes that plain characters stand for. The bytes with the codes of plain characters that are not among
 * them changed places with those of them that have other codes; all others have their own.
 */
export function bytesOf(text: string): Uint8Array<ArrayBuffer> {
	const head = Array.from(PLAIN, (_, at) => text.charCodeAt(at));
	const meaning = Uint8Array.from({ length: 256 }, (_, code) => code);
	PLAIN.forEach((code, at) => {
		meaning[code] = head[at] as number;
	});
	const others = PLAIN.filter((code) => !head.includes(code));
	head
		.filter((byte) => !PLAIN.includes(byte))
		.forEach((code, at) => {
			meaning[code] = others[at] as number;
		});
	const bytes = new Uint8Array(text.length - PLAIN.length);
	for (let at = 0; at < bytes.length; at++)
		bytes[at] = meaning[text.charCodeAt(at + PLAIN.length)] as number;
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
