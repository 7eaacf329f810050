import { type Imports, instantiateSync } from "@assemblyscript/loader";
import code from "../../build/robotrie.simd.wasm";
import indexCode from "../../build/robotrie-index.simd.wasm";
import { RobotrieError } from "../common/errors.ts";

/** The smallest module that needs 128-bit SIMD: a function that makes a vector and drops it. */
const SIMD_PROBE = new Uint8Array([
	0, 97, 115, 109, 1, 0, 0, 0, 1, 4, 1, 96, 0, 0, 3, 2, 1, 0, 10, 9, 1, 7, 0,
	65, 0, 253, 15, 26, 11,
]);

/**
 * A module from its bytes, a character for each (tools/texts.mjs). Edge runtimes compile none from bytes: for those the import is
 * the module itself.
 * @throws {RobotrieError} unsupported.
 */
export function compileModule(
	code: string | WebAssembly.Module,
): WebAssembly.Module {
	// Its class may be that of another realm.
	if (typeof code !== "string") return code;
	if (!WebAssembly.validate(SIMD_PROBE))
		throw new RobotrieError(
			"unsupported",
			"WebAssembly has no 128-bit SIMD here, which robotrie needs; Chromium has it since version 91, Firefox since 89, Safari since 16.4, and Node where the processor has SSE 4.1 or NEON",
		);
	return new WebAssembly.Module(bytesOf(code));
}

/** How much character codes are above the bytes they stand for, modulo 256. */
const SHIFT = 32;

export function bytesOf(text: string): Uint8Array<ArrayBuffer> {
	const bytes = new Uint8Array(text.length);
	for (let at = 0; at < text.length; at++)
		bytes[at] = text.charCodeAt(at) - SHIFT;
	return bytes;
}

/**
 * What a new instance of a module exports: the functions themselves. The loader's own `exports` wrap each of them, to pass on a count of
 * arguments that only functions with optional ones need. It takes what is not of this realm's class for bytes, as the modules are that
 * Next.js hands to code on the edge.
 */
export function instantiate<Exports>(
	module: WebAssembly.Module,
	imports: Imports = {},
): Exports {
	return withMemory(() => {
		const { exports } =
			module instanceof WebAssembly.Module
				? instantiateSync(module, imports).instance
				: new WebAssembly.Instance(module, imports as WebAssembly.Imports);
		return exports as Exports;
	});
}

/**
 * What needs a WebAssembly memory. Engines reserve address space for all that it may grow to, V8 about 10 GiB for each, which
 * `ulimit -v` and containers can forbid.
 * @throws {RobotrieError} limit-exceeded.
 */
export function withMemory<Result>(make: () => Result): Result {
	try {
		return make();
	} catch (error) {
		if (!(error instanceof RangeError) || /stack/i.test(error.message))
			throw error;
		throw new RobotrieError(
			"limit-exceeded",
			`there is no room for a WebAssembly memory (${error.message}): the engine reserves about 10 GiB of address space for each; raise the limit, as with "ulimit -v unlimited"`,
		);
	}
}

let compiledMain: WebAssembly.Module | undefined;

/** Compiles, verifies and runs programs: assembly/index.ts. Compiled when first asked for. */
export function mainModule(): WebAssembly.Module {
	compiledMain ??= compileModule(code);
	return compiledMain;
}

let compiledIndex: WebAssembly.Module | undefined;

/** Keeps programs of many origins and runs them: assembly/robots-index.ts. As well. */
export function indexModule(): WebAssembly.Module {
	compiledIndex ??= compileModule(indexCode);
	return compiledIndex;
}
