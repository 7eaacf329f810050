/** The bundler puts the file's octets in place of the import. */
declare module "*.wasm" {
	const bytes: Uint8Array<ArrayBuffer>;
	export default bytes;
}
