import { readFileSync } from "node:fs";

/**
 * For esbuild: a .wasm import gives a string with a character for each octet. Gzipped that is half of what base64 takes,
 * which cuts octets apart where compression would find them again. Octet 0 becomes "#", so that the most frequent ones need
 * no escape in a string. Code with such strings must be read as UTF-8, as ES modules always are.
 */
export const wasmText = {
	name: "wasm-text",
	setup(bundle) {
		bundle.onLoad({ filter: /\.wasm$/ }, ({ path }) => ({
			contents: charactersOf(readFileSync(path)),
			loader: "text",
		}));
	},
};

const OFFSET = 35;

export function charactersOf(octets) {
	return Array.from(octets, (octet) =>
		String.fromCharCode(octet + OFFSET),
	).join("");
}
