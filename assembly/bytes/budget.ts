import { allocateTight, release } from "./memory";

/** The memory of an index and its limit. */

/** Bytes in use, including the allocator's overhead. */
export let usedSize: usize = 0;
let sizeLimit: usize = 0;
/** Bytes that the last `take` asked for. */
export let missingSize: usize = 0;

export function limitSize(limit: usize): void {
	sizeLimit = limit;
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
	missingSize = taken;
	if (usedSize + taken > sizeLimit || usedSize + taken < usedSize) return 0;
	const pointer = allocateTight(size);
	if (pointer) usedSize += taken;
	return pointer;
}

export function giveBack(pointer: usize, size: usize): void {
	release(pointer);
	usedSize -= blockSize(size);
}
