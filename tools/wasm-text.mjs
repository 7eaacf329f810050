import { readFileSync } from "node:fs";

/** src/engine/module.ts takes it off again. */
const SHIFT = 32;

/** Bytes of the simd build that a piece of it has. */
const PIECE = 4096;

/**
 * For Rolldown, Vite and Vitest. Importing build/NAME.BUILD.wasm gives the file as a string with a character for each byte; importing
 * build/NAME.builds.wasm gives the simd and the scalar build as one string, `text`, and their `sizes` in bytes. With `build`, that build
 * stands in for both. A function of the bundle's entry may choose one: then there is no scalar build, and its text is half as long.
 *
 * Base64 would cut bytes apart where gzip finds them again: a user's bundle would be 11 KiB larger. Character codes are 32 more than
 * bytes, modulo 256: small numbers are the most frequent bytes, and control characters take a bundler four letters each, 2 KiB in all.
 * Pieces of the two builds follow each other in turns, since most of their functions are alike and gzip looks back no more than
 * 32 KiB: 16 KiB less.
 */
export function wasmText(build) {
	let only = typeof build === "function" ? undefined : build;
	return {
		name: "wasm-text",
		enforce: "pre",
		buildStart: ({ input }) => {
			if (typeof build === "function") only = build(input);
		},
		resolveId: (id) => {
			const [file] = /[\w-]+\.\w+\.wasm$/.exec(id) ?? [];
			return file && `\0${file}`;
		},
		load: (id) => {
			const [, name, asked] = /^\0([\w-]+)\.(\w+)\.wasm$/.exec(id) ?? [];
			if (!name) return undefined;
			const value =
				asked === "builds"
					? typeof build === "function" && only
						? inTurns(codesOf(name, only), Buffer.alloc(0))
						: inTurns(
								codesOf(name, only ?? "simd"),
								codesOf(name, only ?? "scalar"),
							)
					: codesOf(name, asked).toString("latin1");
			return { code: `export default ${JSON.stringify(value)};`, map: null };
		},
	};
}

/**
 * For Rolldown. Importing build/NAME.builds.wasm gives the simd build as a WebAssembly.Module, by the import that edge runtimes and their
 * bundlers have for it: `file`, from the output's folder, with "?module" behind.
 */
export function wasmImport(file) {
	return {
		name: "wasm-import",
		resolveId: (id) => {
			const [, name] = /([\w-]+)\.builds\.wasm$/.exec(id) ?? [];
			return name && { id: `${file(name)}?module`, external: true };
		},
	};
}

function codesOf(name, build) {
	const file = new URL(`../build/${name}.${build}.wasm`, import.meta.url);
	return Buffer.from(readFileSync(file).map((byte) => byte + SHIFT));
}

/** Two builds in as many pieces; src/engine/module.ts puts them together again. */
function inTurns(...builds) {
	const count = Math.ceil(builds[0].length / PIECE);
	const pieces = Array.from({ length: count }, (_, i) =>
		builds.map((build) => {
			const size = Math.ceil(build.length / count);
			return build.subarray(i * size, (i + 1) * size);
		}),
	);
	return {
		text: Buffer.concat(pieces.flat()).toString("latin1"),
		sizes: builds.map(({ length }) => length),
		pieces: count,
	};
}
