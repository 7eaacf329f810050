/**
 * All of linear memory that is not static: blocks of the heap, growing buffers, and the regions in which the host and the module exchange
 * lines and verdicts. Every module uses it. Nothing here traps: where memory cannot grow, the answer is 0 or false. Every block is followed
 * by bytes that may be read, as the loops read whole vectors.
 */
import { LINES_PADDING, MAX_BLOCK, MAX_LINE, PADDING } from "../format/program";

/**
 * The lock on the growth of shared memory. The writer's allocator takes all pages between two looks at the size for its own, so
 * another thread must not add any in between.
 */

/** i32, 1 while a thread has the lock. */
const lock: usize = memory.data(4, 4);
/** Nanoseconds after which a thread that waits for the lock looks again. */
const WAIT: i64 = 100_000_000;
/**
 * Waits, ten seconds in all: the thread that has the lock allocates one block. One that ended meanwhile never gives it back. Counting
 * tries in place of time gave up when the machine stopped that thread for a third of a second.
 */
const PATIENCE: i32 = 100;

/** False if another thread does not give it back. */
function lockGrowth(): bool {
	if (!ASC_FEATURE_THREADS) return true;
	let waits = 0;
	while (atomic.cmpxchg<i32>(lock, 0, 1)) {
		const answer = atomic.wait<i32>(lock, 1, WAIT);
		if (answer == AtomicWaitResult.TIMED_OUT && ++waits == PATIENCE)
			return false;
	}
	return true;
}

function unlockGrowth(): void {
	if (!ASC_FEATURE_THREADS) return;
	atomic.store<i32>(lock, 0);
	atomic.notify(lock, 1);
}

/** Makes memory grow for a thread that does not allocate; returns the number of the first new page, or -1. */
export function growPages(count: i32): i32 {
	if (!lockGrowth()) return -1;
	const page = memory.grow(count);
	unlockGrowth();
	return page;
}

/** Bytes from the heap, followed by PADDING readable ones; 0 when memory cannot grow any further. */
export function allocate(size: usize): usize {
	if (size > <usize>MAX_BLOCK) return 0;
	return allocateBlock(size + PADDING);
}

/** The same, but the readable bytes may belong to the next block: for small blocks, where PADDING would be too much. */
export function allocateTight(size: usize): usize {
	const pointer = allocateBlock(size);
	const last = <u64>pointer + size + LINES_PADDING;
	if (pointer && <i32>(last >> 16) >= memory.size() && memory.grow(1) < 0) {
		heap.free(pointer);
		return 0;
	}
	return pointer;
}

function allocateBlock(size: usize): usize {
	if (size > <usize>(MAX_BLOCK + PADDING)) return 0;
	if (!lockGrowth()) return 0;
	const pointer = fromHeap(size);
	unlockGrowth();
	return pointer;
}

/** TLSF aborts (traps) when a block cannot be had; asking the memory first turns that into an answer. */
function fromHeap(size: usize): usize {
	// TLSF doubles memory that is full. From exactly half of the most it would take all of it, and with nothing left to ask the
	// memory for, every block would be refused; from a page more it can only go on by what a block needs.
	if (memory.size() == MAX_PAGES >> 1) memory.grow(1);
	const free = (<usize>(MAX_PAGES - memory.size())) << 16;
	if (size + SLACK > free) return 0;
	return heap.alloc(size);
}

export function release(pointer: usize): void {
	if (pointer != 0) heap.free(pointer);
}

const MAX_PAGES: i32 = 65536;
/** What the allocator may need beyond the block: its own growth steps and the padding. */
const SLACK: usize = 1 << 17;

/** Where the host puts bytes for the module to read (lines, rules, programs), and the module its verdicts. */
let inputPointer: usize = 0;
let inputCapacity: usize = 0;

/** Room for the normal form of lines. Exported, as are the next two: loops read them, and instances that share memory have their own. */
export let scratch: usize = 0;
let scratchCapacity: usize = 0;

/** The visited set: a bit for each ONCE instruction of a program. */
export let visited: usize = 0;
let visitedCapacity: usize = 0;

/** ARENA_SIZE bytes for what matching learns about a long path, 0 before there are any. */
export let arena: usize = 0;
export const ARENA_SIZE: usize = 1 << 24;

/** The regions were given their place by `moveRegions`, and cannot grow. */
let fixed: bool = false;

/** Replaces a block by one with a quarter more than `size` bytes, or as much as is allowed; 0 when there is no memory. */
function grown(pointer: usize, size: usize): usize {
	release(pointer);
	return allocate(withReserve(size));
}

function withReserve(size: usize): usize {
	return min<usize>(size + (size >> 2), MAX_BLOCK);
}

/**
 * The input region, with room for `size` bytes and LINES_PADDING; what it held before is lost. 0 when there is no
 * memory.
 */
export function input(size: usize): usize {
	if (size > <usize>(MAX_BLOCK - LINES_PADDING)) return 0;
	if (size + LINES_PADDING > inputCapacity) {
		if (fixed) return 0;
		const wanted = max<usize>(size + LINES_PADDING, 1 << 16);
		inputPointer = grown(inputPointer, wanted);
		inputCapacity = inputPointer ? withReserve(wanted) : 0;
	}
	return inputPointer;
}

/** Whether bytes lie in the input region, with room for what judging reads and writes after them. */
export function isInput(from: usize, length: usize): bool {
	// In front of the region the difference is larger than any block.
	const before = from - inputPointer;
	return (
		before < inputCapacity && length + LINES_PADDING <= inputCapacity - before
	);
}

/** Bytes for the normal form of lines with `length` bytes: three for each, a "/", a line feed and the padding of a copy (url/url.ts). */
export function scratchSize(length: usize): usize {
	return length * 3 + 2 + PADDING + LINES_PADDING;
}

export function reserveScratch(length: usize): bool {
	if (length > <usize>MAX_LINE) return false;
	const size = scratchSize(length);
	if (size > scratchCapacity) {
		if (fixed) return false;
		scratch = grown(scratch, size);
		scratchCapacity = scratch ? withReserve(size) : 0;
	}
	return scratch != 0;
}

/** Bytes of the visited set. */
export function visitedSize(): usize {
	return visitedCapacity;
}

/** Moves all regions to another place, once: for instances that share their memory, where only one may allocate. The arena comes last. */
export function moveRegions(
	to: usize,
	inputSize: usize,
	sizeOfScratch: usize,
	sizeOfVisited: usize,
): void {
	fixed = true;
	inputPointer = to;
	inputCapacity = inputSize;
	scratch = to + inputSize;
	scratchCapacity = sizeOfScratch;
	visited = scratch + sizeOfScratch;
	visitedCapacity = sizeOfVisited;
	arena = (visited + sizeOfVisited + 15) & ~15;
	memory.fill(visited, 0, sizeOfVisited);
}

/** Allocates the arena if there is none yet; false when there is no memory. */
export function reserveArena(): bool {
	if (!arena && !fixed) arena = allocate(ARENA_SIZE);
	return arena != 0;
}

/** Makes room for a visited set of `bits` bits, all 0; matching resets them to 0. False if memory cannot grow. */
export function reserveVisited(bits: usize): bool {
	const size = (bits >> 3) + 1;
	if (size <= visitedCapacity) return true;
	// The old set is kept until the new one exists: other programs need it.
	const more: usize = fixed ? <usize>0 : allocate(size);
	if (!more) return false;
	release(visited);
	visited = more;
	visitedCapacity = size;
	memory.fill(visited, 0, size);
	return true;
}

/** A growing byte array. Its block is reused after `clear` unless it is large. */
@unmanaged
export class Buffer {
	start: usize;
	/** End of the bytes in use. */
	end: usize;
	/** End of the block. */
	blockEnd: usize;
}

/** Larger blocks are released by `clear`. */
const KEPT: usize = 1 << 20;
const LEAST: usize = 1 << 12;

/** Most bytes that are reserved for a size that is only an upper bound. */
const MOST_RESERVED: usize = 1 << 23;

export function clear(buffer: Buffer): void {
	if (buffer.blockEnd - buffer.start > KEPT) {
		release(buffer.start);
		buffer.start = 0;
		buffer.blockEnd = 0;
	}
	buffer.end = buffer.start;
}

/**
 * Empties a buffer and gives it room for `size` bytes, if memory can grow: without that it grows step by step, and each step leaves a
 * block behind. What was written to once, WebAssembly does not give back; what is only reserved takes no memory.
 */
export function clearFor(buffer: Buffer, size: usize): void {
	clear(buffer);
	if (append(buffer, min<usize>(size, MOST_RESERVED)))
		buffer.end = buffer.start;
}

/** Appends `size` bytes and returns their address, or 0 if memory cannot grow. */
export function append(buffer: Buffer, size: usize): usize {
	const at = buffer.end;
	if (buffer.blockEnd - at < size) return appendGrown(buffer, size);
	buffer.end = at + size;
	return at;
}

function appendGrown(buffer: Buffer, size: usize): usize {
	const held = buffer.end - buffer.start;
	const needed = <u64>held + size;
	if (needed > <u64>MAX_BLOCK) return 0;
	// Grows by half, so that each byte is copied three times at most. What is asked for at once and will not be kept needs no reserve.
	const reserve = held == 0 && needed > <u64>KEPT ? 0 : needed >> 1;
	const wanted = clamped(needed + reserve);
	const start = allocate(wanted);
	if (!start) return 0;
	memory.copy(start, buffer.start, held);
	release(buffer.start);
	buffer.start = start;
	buffer.end = start + held + size;
	buffer.blockEnd = start + wanted;
	return start + held;
}

function clamped(size: u64): usize {
	return <usize>min<u64>(max<u64>(size, LEAST), MAX_BLOCK);
}
