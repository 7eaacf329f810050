import { allocateTight, release } from "./memory";

/** The memory of an index and its limit. */

let used: usize = 0;
let sizeLimit: usize = 0;
let asked: usize = 0;

export function limitSize(limit: usize): void {
	sizeLimit = limit;
}

/** Bytes that the index takes, including the allocator's overhead. */
export function usedSize(): usize {
	return used;
}

/** Bytes that the last `take` asked for: what was missing if it failed. */
export function missingSize(): usize {
	return asked;
}

const BLOCK_HEADER: usize = 4;
const ALIGNMENT: usize = 16;

/** Bytes that the allocator takes for a block of `size` bytes. */
function blockSize(size: usize): usize {
	return (size + BLOCK_HEADER + ALIGNMENT - 1) & ~(ALIGNMENT - 1);
}

/** A block whose address is a multiple of 16, or 0 if there is no room. */
export function take(size: usize): usize {
	const taken = blockSize(size);
	asked = taken;
	if (used + taken > sizeLimit || used + taken < used) return 0;
	const pointer = allocateTight(size);
	if (pointer) used += taken;
	return pointer;
}

export function giveBack(pointer: usize, size: usize): void {
	release(pointer);
	used -= blockSize(size);
}
