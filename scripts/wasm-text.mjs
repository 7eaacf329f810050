import { readFileSync } from "node:fs";

/**
 * For esbuild: a .wasm import gives a string with a character for each byte. Gzipped that is half of what base64 takes,
 * which cuts bytes apart where compression would find them again. Code with such strings must be read as UTF-8, as ES modules
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
 * Bytes in the order of their characters, from "#" on. The first 92 need one byte in UTF-8 and no escape in a string, so the
 * most frequent ones are among them: -3 to 88, but for 13 of those that change places with 106 to 118 (i32.add and so on).
 */
const byteAt = (at) =>
	(at - 3 + (at > 78 && at < 92 ? 30 : at > 108 && at < 122 ? -30 : 0)) & 255;
const characters = [];
for (let at = 0; at < 256; at++)
	characters[byteAt(at)] = String.fromCharCode(at + 35);

export function charactersOf(bytes) {
	return Array.from(bytes, (byte) => characters[byte]).join("");
}
