/** The bundler puts the file in place of the import, in base64 (scripts/wasm-base64.mjs). */
declare module "*.wasm" {
	const base64: string;
	export default base64;
}

/** The bundler puts the file's text in place of the import. */
declare module "*?raw" {
	const text: string;
	export default text;
}
