/** The bundler puts the file in place of the import, a character for each byte, as scripts/wasm-text.mjs says. */
declare module "*.wasm" {
	const bytes: string;
	export default bytes;
}

/** The bundler puts the file's text in place of the import. */
declare module "*?raw" {
	const text: string;
	export default text;
}
