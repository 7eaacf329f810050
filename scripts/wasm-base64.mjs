import { readFileSync } from "node:fs";

/**
 * For Rolldown, Vite and Vitest: importing build/NAME.BUILD.wasm gives the file in base64. With `build`, that build stands in for
 * the simd and the scalar one; others ("shared", "traced") are asked for by purpose and stay.
 */
export function wasmBase64(build) {
	return {
		name: "wasm-base64",
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
			const base64 = readFileSync(file, "base64");
			return { code: `export default "${base64}";`, map: null };
		},
	};
}
