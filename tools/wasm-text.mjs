import { readFileSync } from "node:fs";

/** src/engine/module.ts takes it off again. */
const SHIFT = 32;

/**
 * For Rolldown, Vite and Vitest. Importing build/NAME.BUILD.wasm gives the file as a string with a character for each byte. With
 * `build`, that build stands in for the one that is published, "simd".
 *
 * Base64 would cut bytes apart where gzip finds them again: a user's bundle would be 11 KiB larger. Character codes are 32 more than
 * bytes, modulo 256: small numbers are the most frequent bytes, and control characters take a bundler four letters each, 2 KiB in all.
 */
export function wasmText(build = "simd") {
	return {
		name: "wasm-text",
		enforce: "pre",
		resolveId: (id) => {
			const [file] = /[\w-]+\.\w+\.wasm$/.exec(id) ?? [];
			return file && `\0${file}`;
		},
		load: (id) => {
			const [, name, asked] = /^\0([\w-]+)\.(\w+)\.wasm$/.exec(id) ?? [];
			if (!name) return undefined;
			const value = codesOf(name, asked === "simd" ? build : asked);
			return {
				code: `export default ${JSON.stringify(value.toString("latin1"))};`,
				map: null,
			};
		},
	};
}

/**
 * For Rolldown. Importing build/NAME.simd.wasm gives it as a WebAssembly.Module, by the import that edge runtimes and their
 * bundlers have for it: `file`, from the output's folder, with "?module" behind.
 */
export function wasmImport(file) {
	return {
		name: "wasm-import",
		resolveId: (id) => {
			const [, name] = /([\w-]+)\.simd\.wasm$/.exec(id) ?? [];
			return name && { id: `${file(name)}?module`, external: true };
		},
	};
}

function codesOf(name, build) {
	const file = new URL(`../build/${name}.${build}.wasm`, import.meta.url);
	return Buffer.from(readFileSync(file).map((byte) => byte + SHIFT));
}
