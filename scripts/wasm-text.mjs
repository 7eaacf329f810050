import { readFileSync } from "node:fs";

/** Characters that no bundler escapes. */
const PLAIN = Array.from({ length: 95 }, (_, i) => i + 32).filter(
	(code) => !'"$\\`'.includes(String.fromCharCode(code)),
);

/** As many bytes, the most frequent ones of all modules. */
function frequentBytes() {
	const counts = new Uint32Array(256);
	for (const name of ["robotrie", "robotrie-index"])
		for (const build of ["simd", "scalar"])
			for (const byte of readFileSync(fileOf(`${name}.${build}.wasm`)))
				counts[byte]++;
	return Array.from(counts.keys())
		.sort((a, b) => counts[b] - counts[a] || a - b)
		.slice(0, PLAIN.length)
		.sort((a, b) => a - b);
}

const fileOf = (name) => new URL(`../build/${name}`, import.meta.url);

/** The bytes in plain characters, where that is possible; src/engine/module.ts turns them back. */
function textOf(bytes) {
	const frequent = frequentBytes();
	const codes = Uint8Array.from({ length: 256 }, (_, byte) => byte);
	for (const [i, byte] of frequent.entries()) codes[byte] = PLAIN[i];
	const free = frequent.filter((byte) => !PLAIN.includes(byte));
	const others = PLAIN.filter((code) => !frequent.includes(code));
	for (const [i, byte] of others.entries()) codes[byte] = free[i];
	const text = Buffer.from(bytes.map((byte) => codes[byte]));
	return Buffer.concat([Buffer.from(frequent), text]).toString("latin1");
}

/**
 * For Rolldown, Vite and Vitest: importing build/NAME.BUILD.wasm gives the file as a string with a character for each byte. With
 * `build`, that build stands in for the simd and the scalar one; others ("shared", "traced") are asked for by purpose and stay.
 *
 * Base64 would cut bytes apart where gzip finds them again: a user's bundle would be 11 KiB larger. Bundlers take four letters for many
 * characters, so the most frequent bytes get others: all builds of a module then fit gzip's window of 32 KiB, one beside the other. The
 * text begins with those bytes.
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
			const text = JSON.stringify(textOf(readFileSync(fileOf(id.slice(1)))));
			return { code: `export default ${text};`, map: null };
		},
	};
}
