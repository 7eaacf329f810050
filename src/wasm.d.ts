/** The bundler puts two builds of a module in place of the import (tools/wasm-text.mjs), for edge runtimes the module. */
declare module "*.builds.wasm" {
	export interface Builds {
		/** Pieces of the simd and of the scalar build in turns, a character for each byte. */
		readonly text: string;
		/** Bytes of each. */
		readonly sizes: readonly [simd: number, scalar: number];
		/** Of each. */
		readonly pieces: number;
	}
	const builds: Builds | WebAssembly.Module;
	export default builds;
}

/** The bundler puts the file in place of the import, a character for each byte (tools/wasm-text.mjs). */
declare module "*.wasm" {
	const text: string;
	export default text;
}

/** The bundler puts the file's text in place of the import. */
declare module "*?raw" {
	const text: string;
	export default text;
}
