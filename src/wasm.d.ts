/** The bundler puts the file in place of the import, a character for each octet. */
declare module "*.wasm" {
	const octets: string;
	export default octets;
}
