/**
 * Writes a URL to linear memory in browsers, for `LinearMemory.encodeInput`. There `TextEncoder.encodeInto` takes most of the time of
 * `isAllowed`: 180 ns for 55 characters in Chromium, by the "js-string" builtins of WebAssembly 40. In Node 22 and 24 it takes 26 and the builtins
 * 60, so only browsers get this. Where the builtins are missing, or modules are not compiled from bytes, there is no writer.
 */

import { instantiateSync } from "@assemblyscript/loader";

/** Longer texts are left to `encodeInto`: assembly/strings.wat copies to an array of so many characters. */
export const MOST_CHARACTERS = 2048;

/** The length of the text, or -1 if it is not ASCII: then nothing counts that was written. */
export type AsciiWriter = (text: string, to: number) => number;

/** assembly/strings.wat, assembled and optimised, in Base64. */
export const STRINGS_MODULE =
	"AGFzbQEAAAABFwRedwFgAW8Bf2ADb2MAfwF/YAJvfwF/Ak8DDndhc206anMtc3RyaW5nBmxlbmd0aAABDndhc206anMtc3RyaW5nEWludG9DaG" +
	"FyQ29kZUFycmF5AAIIcm9ib3RyaWUGbWVtb3J5AgABAwIBAwYLAWQAAEGAEPsHAAsHDgEKd3JpdGVBc2NpaQACClcBVQEEfyAAEAAiA0GAEEsE" +
	"QEF/DwsgACMAQQAQARoDQCACIANPRQRAIwAgAvsNACIFIARyIQQgASACaiAFOgAAIAJBAWohAgwBCwtBfyADIARB/wBLGws=";

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

/** The bytes of a small module. */
export function fromBase64(text: string): Uint8Array<ArrayBuffer> {
	return Uint8Array.from(atob(text), (byte) => byte.charCodeAt(0));
}

/** Compiles the module with the builtins that it imports; null without them. */
export function compileStrings(): WebAssembly.Module | null {
	try {
		return new WebAssembly.Module(fromBase64(STRINGS_MODULE), {
			builtins: ["js-string"],
		});
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
		const { instance } = instantiateSync(module, { robotrie: { memory } });
		return instance.exports.writeAscii as AsciiWriter;
	} catch {
		// An engine that ignores what it does not know compiles the module, and misses its imports here.
		return null;
	}
}
