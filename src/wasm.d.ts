/** The bundler puts a text in place of the import (tools/texts.mjs), for edge runtimes the module. */
declare module "*.simd.wasm" {
	const code: string | WebAssembly.Module;
	export default code;
}

/** As well, but for no edge runtime: those have no threads. */
declare module "*.wasm" {
	const text: string;
	export default text;
}

/** The bundler puts the file's text in place of the import. */
declare module "*?raw" {
	const text: string;
	export default text;
}
