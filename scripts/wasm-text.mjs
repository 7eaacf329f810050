import { readFileSync } from "node:fs";

/**
 * For esbuild: a .wasm import gives a string with a character (U+0000 to U+00FF) for each octet. Gzipped that is half of
 * what base64 takes, which cuts octets apart where compression would find them again. Code with such strings must be
 * read as UTF-8, as ES modules always are.
 */
export const wasmText = {
	name: "wasm-text",
	setup(bundle) {
		bundle.onLoad({ filter: /\.wasm$/ }, ({ path }) => ({
			contents: readFileSync(path, "latin1"),
			loader: "text",
		}));
	},
};
