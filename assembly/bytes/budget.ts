import { allocateTight, release } from "./memory";

/** What an index takes of its memory, and the most that it may. */

/** Bytes in use, what the allocator adds included. */
export let usedSize: usize = 0;
let sizeLimit: usize = 0;
/** Bytes that the last `take` asked for. */
export let lackedSize: usize = 0;

export function limitSize(limit: usize): void {
	sizeLimit = limit;
}

/** Bytes that the allocator takes for a block of `size`: with its own head, rounded up to 16. */
function blockSize(size: usize): usize {
	return (size + 4 + 15) & ~15;
}

/** A block whose address is a multiple of 16, or 0 when there is no room. */
export function take(size: usize): usize {
	const taken = blockSize(size);
	lackedSize = taken;
	if (usedSize + taken > sizeLimit || usedSize + taken < usedSize) return 0;
	const pointer = allocateTight(size);
	if (pointer) usedSize += taken;
	return pointer;
}

export function giveBack(pointer: usize, size: usize): void {
	release(pointer);
	usedSize -= blockSize(size);
}
