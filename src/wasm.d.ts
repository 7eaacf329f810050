/** The bundler puts the file in place of the import, a character for each octet, as scripts/wasm-text.mjs says. */
declare module "*.wasm" {
	const octets: string;
	export default octets;
}
