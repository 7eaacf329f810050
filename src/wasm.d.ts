/** The bundler puts the file in place of the import, a character for each byte (scripts/wasm-text.mjs). */
declare module "*.wasm" {
	const text: string;
	export default text;
}

/** The bundler puts the file's text in place of the import. */
declare module "*?raw" {
	const text: string;
	export default text;
}
