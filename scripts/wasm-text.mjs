import { readFileSync } from "node:fs";

/** src/engine/module.ts takes it off again. */
const SHIFT = 32;

/**
 * For Rolldown, Vite and Vitest: importing build/NAME.BUILD.wasm gives the file as a string with a character for each byte. With
 * `build`, that build stands in for the simd and the scalar one; others ("shared", "traced") are asked for by purpose and stay.
 *
 * Base64 would cut bytes apart where gzip finds them again: a user's bundle would be 11 KiB larger. Character codes are 32 more than
 * bytes, modulo 256: small numbers are the most frequent bytes, and control characters take a bundler four letters each, 2 KiB in all.
 */
export function wasmText(build) {
	return {
		name: "wasm-text",
		enforce: "pre",
		resolveId: (id) => {
			const [, name, asked] = /([\w-]+)\.(\w+)\.wasm$/.exec(id) ?? [];
			if (!name) return undefined;
			const exchanged = build && (asked === "simd" || asked === "scalar");
			return `\0${name}.${exchanged ? build : asked}.wasm`;
		},
		load: (id) => {
			if (!id.startsWith("\0") || !id.endsWith(".wasm")) return undefined;
			const file = new URL(`../build/${id.slice(1)}`, import.meta.url);
			const codes = readFileSync(file).map((byte) => byte + SHIFT);
			const text = JSON.stringify(Buffer.from(codes).toString("latin1"));
			return { code: `export default ${text};`, map: null };
		},
	};
}
