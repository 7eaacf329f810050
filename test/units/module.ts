import { readFileSync } from "node:fs";

/** What assembly/test-exports.ts gives; addresses and counts are numbers, booleans 0 or 1. */
export interface Units {
	readonly memory: WebAssembly.Memory;
	allocate(size: number): number;
	release(pointer: number): void;
	growPages(count: number): number;
	classOf(table: number, byte: number): number;
	hexValueOf(byte: number): number;
	choiceOf(set: number): bigint;
	symbolOf(code: number): bigint;
	spareBitsOf(code: number): number;
	sortKeyed(list: number, count: number, spare: number): void;
	sortSpread(list: number, count: number, spare: number): void;
	sortEntries(
		sorted: number,
		count: number,
		spare: number,
		depth: number,
	): void;
	buildFilter(filter: number, sorted: number, count: number): void;
	makeEntry(
		text: number,
		length: number,
		requiredByte: number,
		rank: number,
	): number;
	makeProgram(sorted: number, count: number, spare: number): number;
	bestOf(program: number, table: number, path: number, end: number): number;
	keepProgram(bytes: number): number;
	programsMake(limit: number): number;
	programsCount(): number;
	tableMake(limit: number): number;
	tableAdd(item: number): number;
	tableRemove(item: number): void;
	tableReplace(item: number, by: number): void;
	tableHas(item: number): number;
	tableCount(): number;
	tableSlots(): number;
	tableWalk(): bigint;
	tableReserve(more: number): number;
	tableHashes(): number;
}

/** The builds: with assertions; without; with threads. */
export const builds = ["debug", "simd", "shared"] as const;

/** A new instance, with memory of its own. */
export function load(build: (typeof builds)[number]): Units {
	const module = moduleOf(build);
	if (build === "shared") return loadInto(module, sharedMemory());
	return new WebAssembly.Instance(module).exports as unknown as Units;
}

const modules = new Map<string, WebAssembly.Module>();

export function moduleOf(build: (typeof builds)[number]): WebAssembly.Module {
	const file = new URL(`../../build/units.${build}.wasm`, import.meta.url);
	const module =
		modules.get(build) ?? new WebAssembly.Module(readFileSync(file));
	modules.set(build, module);
	return module;
}

export function sharedMemory(): WebAssembly.Memory {
	return new WebAssembly.Memory({ initial: 16, maximum: 65536, shared: true });
}

/** An instance of the build with threads in memory that others may use too. */
export function loadInto(
	module: WebAssembly.Module,
	memory: WebAssembly.Memory,
): Units {
	const { exports } = new WebAssembly.Instance(module, { env: { memory } });
	return { ...(exports as unknown as Units), memory };
}
