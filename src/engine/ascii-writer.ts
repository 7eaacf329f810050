/**
 * Writes a URL to linear memory in browsers, for `LinearMemory.encodeInput`. There `TextEncoder.encodeInto` takes most of the time of
 * `isAllowed`: 180 ns for 55 characters in Chromium, by the "js-string" builtins of WebAssembly 40. In Node 22 and 24 it takes 26 and the builtins
 * 60, so only browsers get this. Where the builtins are missing, or modules are not compiled from bytes, there is no writer.
 */

/** Longer texts are left to `encodeInto`: assembly/strings.wat copies to an array of so many characters. */
export const MOST_CHARACTERS = 2048;

/** The length of the text, or -1 if it is not ASCII: then nothing counts that was written. */
export type AsciiWriter = (text: string, to: number) => number;

/** assembly/strings.wat, assembled and optimised. */
// biome-ignore format: bytes
export const STRINGS_MODULE = new Uint8Array([
	0, 97, 115, 109, 1, 0, 0, 0, 1, 23, 4, 94, 119, 1, 96, 1, 111, 1, 127, 96, 3, 111, 99, 0, 127, 1, 127, 96, 2, 111, 127, 1,
	127, 2, 79, 3, 14, 119, 97, 115, 109, 58, 106, 115, 45, 115, 116, 114, 105, 110, 103, 6, 108, 101, 110, 103, 116, 104, 0, 1, 14, 119, 97, 115,
	109, 58, 106, 115, 45, 115, 116, 114, 105, 110, 103, 17, 105, 110, 116, 111, 67, 104, 97, 114, 67, 111, 100, 101, 65, 114, 114, 97, 121, 0, 2, 8,
	114, 111, 98, 111, 116, 114, 105, 101, 6, 109, 101, 109, 111, 114, 121, 2, 0, 1, 3, 2, 1, 3, 6, 11, 1, 100, 0, 0, 65, 128, 16, 251,
	7, 0, 11, 7, 14, 1, 10, 119, 114, 105, 116, 101, 65, 115, 99, 105, 105, 0, 2, 10, 87, 1, 85, 1, 4, 127, 32, 0, 16, 0, 34, 3,
	65, 128, 16, 75, 4, 64, 65, 127, 15, 11, 32, 0, 35, 0, 65, 0, 16, 1, 26, 3, 64, 32, 2, 32, 3, 79, 69, 4, 64, 35, 0, 32,
	2, 251, 13, 0, 34, 5, 32, 4, 114, 33, 4, 32, 1, 32, 2, 106, 32, 5, 58, 0, 0, 32, 2, 65, 1, 106, 33, 2, 12, 1, 11, 11,
	65, 127, 32, 3, 32, 4, 65, 255, 0, 75, 27, 11,
]);

let compiled: WebAssembly.Module | null | undefined;

/** The module, null where the engine cannot compile it or has no need of it. */
function stringsModule(): WebAssembly.Module | null {
	if (compiled !== undefined) return compiled;
	compiled = null;
	// Node, Deno and Bun name themselves.
	if (globalThis.navigator?.userAgent?.startsWith("Mozilla/"))
		compiled = compileStrings();
	return compiled;
}

/** Compiles the module with the builtins that it imports; null without them. */
export function compileStrings(): WebAssembly.Module | null {
	try {
		return new WebAssembly.Module(STRINGS_MODULE, { builtins: ["js-string"] });
	} catch {
		return null;
	}
}

/** A writer to a memory, or null: then `encodeInto` is the way. */
export function asciiWriter(
	memory: WebAssembly.Memory,
	module = stringsModule(),
): AsciiWriter | null {
	if (!module) return null;
	try {
		const { exports } = new WebAssembly.Instance(module, {
			robotrie: { memory },
		});
		return exports.writeAscii as AsciiWriter;
	} catch {
		// An engine that ignores what it does not know compiles the module, and misses its imports here.
		return null;
	}
}
