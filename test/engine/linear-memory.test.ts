import { expect, test } from "vitest";
import { indexModule, instantiate } from "../../src/engine/linear-memory.ts";

const PAGE = 64 * 1024;
const HALF = 2 ** 31 / PAGE;

interface Exports {
	readonly memory: WebAssembly.Memory;
	input(size: number): number;
}

test("blocks can be allocated when half of all memory is full", () => {
	const { memory, input } = instantiate<Exports>(indexModule());
	const pages = () => memory.buffer.byteLength / PAGE;
	// With its first block the allocator takes what memory there is.
	expect(input(1)).not.toBe(0);
	// It knows nothing of these pages, so they are as good as full. Never touched, they cost nothing.
	memory.grow(HALF - pages());
	for (let size = 2 ** 20; size <= 2 ** 24; size *= 2)
		expect(input(size), `${size} bytes`).not.toBe(0);
	expect(pages()).toBeLessThan(2 * HALF);
});
