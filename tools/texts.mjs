// Plugins for Rolldown, Vite and Vitest: imports of modules and of other files as texts. Nothing of them is in a bundle but the text.
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";

const { resolve } = createRequire(import.meta.url);

/** src/engine/linear-memory.ts takes it off again. */
const SHIFT = 40;

/** A virtual module of what `idOf` finds in an import, whose text `textOf` gives. */
const texts = (name, idOf, textOf) => ({
	name,
	enforce: "pre",
	resolveId: (id) => {
		const own = idOf(id);
		return own && `\0${name}:${own}`;
	},
	load: (id) =>
		id.startsWith(`\0${name}:`)
			? {
					code: `export default ${JSON.stringify(textOf(id.slice(name.length + 2)))};`,
					map: null,
				}
			: undefined,
});

/**
 * Importing build/NAME.BUILD.wasm gives the file as a string with a character for each byte. With `build`, that build stands in for the
 * one that is published, "simd".
 *
 * Base64 would cut bytes apart where gzip finds them again: a user's bundle would be 11 KiB larger. Character codes are 40 more than
 * bytes, modulo 256: small numbers are the most frequent bytes, and control characters take a bundler four letters each, 2 KiB in all.
 */
export const wasmText = (build = "simd") =>
	texts(
		"wasm-text",
		(id) => /[\w-]+\.\w+\.wasm$/.exec(id)?.[0],
		(file) => {
			const path = `../build/${file.replace(".simd.", `.${build}.`)}`;
			const bytes = readFileSync(new URL(path, import.meta.url));
			return Buffer.from(bytes.map((byte) => byte + SHIFT)).toString("latin1");
		},
	);

/** An import of a package's file that ends in "?raw" gives the file's text, as in Vite. */
export const rawText = texts(
	"raw-text",
	(id) => /^[^./].*(?=\?raw$)/.exec(id)?.[0],
	(file) => readFileSync(resolve(file), "utf8"),
);

/**
 * For the edge, which compiles no WebAssembly from bytes: importing build/NAME.simd.wasm gives it as a WebAssembly.Module, by the import
 * that those runtimes and their bundlers have for it, of the file in dist.
 */
export const wasmImport = {
	name: "wasm-import",
	resolveId: (id) => {
		const [file] = /[\w-]+\.simd\.wasm$/.exec(id) ?? [];
		return file && { id: `../${file}?module`, external: true };
	},
};
