// Plugins for Rolldown, Vite and Vitest: imports of modules and of other files as texts. Nothing of them is in a bundle but the text.
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";

const { resolve } = createRequire(import.meta.url);

/** A virtual module of what `pattern` finds in an import, whose text `textOf` gives. */
const texts = (name, pattern, textOf) => ({
	name,
	enforce: "pre",
	resolveId: (id) => pattern.exec(id)?.[0].replace(/^/, `\0${name}:`),
	load(id) {
		if (!id.startsWith(`\0${name}:`)) return undefined;
		const text = textOf(id.slice(name.length + 2));
		return { code: `export default ${JSON.stringify(text)};`, map: null };
	},
});

/**
 * A module as a text of printable ASCII, which no bundler escapes: a character for each byte from 251 to 255 and below 85, two for others,
 * which are rare. With bytes below 90 in their place, a fifth more bytes took two, and a user's bundle 70 bytes more.
 * Base64 would cut bytes apart where gzip finds them again: a user's bundle would be 11 KiB larger. A character for every byte would make it
 * 0.8 KiB larger, since bundlers write what is not ASCII as "\xE9" or in two bytes. src/engine/linear-memory.ts reads it.
 */
export const asText = (bytes) =>
	Buffer.from(
		// Bytes wrap around at 256.
		[...bytes.map((byte) => byte + 5)].flatMap((byte) =>
			byte < 90
				? [35 + byte]
				: [125 + Math.floor((byte - 90) / 83), 35 + ((byte - 90) % 83)],
		),
	).toString("latin1");

/** Importing build/NAME.BUILD.wasm gives the file as such a text; `build` stands in for the build that is published, "simd". */
export const wasmText = (build = "simd") =>
	texts("wasm-text", /[\w-]+\.\w+\.wasm$/, (file) => {
		const path = `../build/${file.replace(".simd.", `.${build}.`)}`;
		return asText(readFileSync(new URL(path, import.meta.url)));
	});

/** An import of a package's file that ends in "?raw" gives the file's text, as in Vite. */
export const rawText = texts("raw-text", /^[^./].*(?=\?raw$)/, (file) =>
	readFileSync(resolve(file), "utf8"),
);

/** For the edge, which compiles none from bytes: importing build/NAME.simd.wasm gives the WebAssembly.Module, as runtimes there import it. */
export const wasmImport = {
	name: "wasm-import",
	resolveId: (id) => {
		const [file] = /[\w-]+\.simd\.wasm$/.exec(id) ?? [];
		return file && { id: `../${file}?module`, external: true };
	},
};
