import { readFileSync } from "node:fs";

/**
 * For esbuild: a .wasm import gives a string with a character for each octet. Gzipped that is half of what base64 takes,
 * which cuts octets apart where compression would find them again. Code with such strings must be read as UTF-8, as ES modules
 * always are.
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

/**
 * Octets in the order of their characters, from "#" on. The first 92 need one octet in UTF-8 and no escape in a string, so the
 * most frequent ones are among them: -3 to 88, but for 13 of those that change places with 106 to 118 (i32.add and so on).
 */
const octetAt = (at) =>
	(at - 3 + (at > 78 && at < 92 ? 30 : at > 108 && at < 122 ? -30 : 0)) & 255;
const characters = [];
for (let at = 0; at < 256; at++)
	characters[octetAt(at)] = String.fromCharCode(at + 35);

export function charactersOf(octets) {
	return Array.from(octets, (octet) => characters[octet]).join("");
}
