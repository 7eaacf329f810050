import { instantiateSync } from "@assemblyscript/loader";
import { TABLE_SIZE } from "../assembly/format.ts";
import { octetClassTables } from "./dialect.ts";
import { RobotrieError } from "./errors.ts";
import { moduleBytes } from "./module.ts";

/** What assembly/index.ts exports; its contracts stand there. */
interface ModuleExports {
	readonly memory: WebAssembly.Memory;
	tables(): number;
	input(size: number): number;
	allocate(size: number): number;
	compile(text: number, records: number, count: number, flags: number): number;
	verify(program: number, length: number): number;
	reserveMarks(program: number): number;
	programLength(program: number): number;
	release(pointer: number): void;
	matchLines(program: number, from: number, length: number, to: number): number;
	matchOne(program: number, from: number, length: number): number;
	countLines(from: number, length: number): number;
}

export const module = instantiateSync(moduleBytes(), {}).instance
	.exports as unknown as ModuleExports;

/** The one view of linear memory; stale once memory has grown, so everything asks `memory()` for it. */
let view = new Uint8Array(module.memory.buffer);

export function memory(): Uint8Array {
	// Growing detaches the buffer, which empties its views; asking for the buffer itself takes ten times as long.
	if (view.length === 0) view = new Uint8Array(module.memory.buffer);
	return view;
}

for (const [index, table] of octetClassTables())
	memory().set(table, module.tables() + index * TABLE_SIZE);

export function outOfMemory(what: string): RobotrieError {
	return new RobotrieError(
		"limit-exceeded",
		`${what} does not fit: a block of WebAssembly memory ends at 512 MiB, all of it at 4 GiB`,
	);
}

/** The module's input region, as of the last call that asked for more room. */
let inputPointer = 0;
let inputSize = -1;
/** A view of it, empty when it has to be made anew. */
let inputView: Uint8Array = new Uint8Array();

const LEAST_INPUT = 64 * 1024;

/** Room for `size` octets to hand to the module. */
export function input(size: number): number {
	if (size > inputSize) {
		const wanted = Math.max(size, LEAST_INPUT);
		inputPointer = module.input(wanted) >>> 0;
		inputSize = inputPointer === 0 ? -1 : wanted;
		inputView = new Uint8Array();
		if (inputPointer === 0) throw outOfMemory(`an input of ${size} octets`);
	}
	return inputPointer;
}

const encoder = new TextEncoder();

/**
 * Writes a text to the input region and returns its octets. The view is kept: making one takes half as long as encoding
 * a URL, and writing character by character twice as long.
 */
export function encodeInput(text: string): number {
	if (inputView.length === 0)
		inputView = memory().subarray(inputPointer, inputPointer + inputSize);
	return encoder.encodeInto(text, inputView).written;
}
