/**
 * The memory of an index: blocks within a limit, which are freed only when no thread can be reading them any more. sites/ takes all slots,
 * origins and programs from here; shared-index.ts says when a change is over. A block that was taken out of the index must be given back by
 * `giveBack`, never released directly.
 */
import { allocateTight, append, Buffer, release } from "./memory";

/**
 * Threads read an index while one of them, the writer, changes it; no one waits. A reader notes the epoch in which it begins, and 0
 * when it ends. The writer takes something out of the index first, begins the next epoch, and uses its memory again when every
 * reader that still reads has begun later: nobody else can have met it.
 *
 * Nothing can be missed: a reader makes its note before it looks at the index, and the writer looks at the notes after it has
 * changed the index. All four are atomic operations, whose order is the same for all threads; where a reader begins to look (what
 * was published), and what the writer changes (slots, an origin's program), must stay so.
 */

/** u64, one more than 0: what readers note. Statics are shared as the rest of memory is. */
const epoch: usize = memory.data(8, 8);

/** u32 addresses of the readers' notes, u64 each. The writer's own. */
const notes = changetype<Buffer>(memory.data(12, 4));

/** Adds a reader's note, which is a multiple of 8; false if there is no room. */
export function addReader(note: usize): bool {
	const at = append(notes, 4);
	if (!at) return false;
	store<u32>(at, <u32>note);
	atomic.store<u64>(note, 0);
	return true;
}

function hasReaders(): bool {
	return notes.end != notes.start;
}

export function beginReading(note: usize): void {
	atomic.store<u64>(note, atomic.load<u64>(epoch) + 1);
}

export function endReading(note: usize): void {
	atomic.store<u64>(note, 0);
}

function currentEpoch(): u64 {
	return atomic.load<u64>(epoch);
}

function nextEpoch(): void {
	atomic.add<u64>(epoch, 1);
}

/** The epoch in which the reader began that has read for longest; the current one if nobody reads. */
function oldestEpoch(): u64 {
	let oldest = currentEpoch();
	for (let at = notes.start; at < notes.end; at += 4) {
		const note = atomic.load<u64>(load<u32>(at));
		if (note) oldest = min(oldest, note - 1);
	}
	return oldest;
}

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

/** Was in use when `take` failed, and has been given back since. */
export function addMissing(size: usize): void {
	asked += size;
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

/** Frees a block, in shared memory once no thread can be reading it. */
export function giveBack(pointer: usize, size: usize): void {
	if (ASC_FEATURE_THREADS) {
		if (hasReaders()) {
			wait(pointer, size);
			return;
		}
	}
	free(pointer, size);
}

function free(pointer: usize, size: usize): void {
	release(pointer);
	used -= blockSize(size);
}

/** A block that waits for its readers. */
@unmanaged
class Waiting {
	pointer: u32;
	size: u32;
	/** In which it was taken out of the index. */
	epoch: u64;
}

const WAITING: usize = offsetof<Waiting>();
/** The longest wait comes first. */
const waiting = changetype<Buffer>(memory.data(12, 8));
/** Bytes of blocks at its start that have been freed. */
let freed: usize = 0;

/** Without memory for the note a block is never freed. */
function wait(pointer: usize, size: usize): void {
	const at = append(waiting, WAITING);
	if (!at) return;
	const block = changetype<Waiting>(at);
	block.pointer = <u32>pointer;
	block.size = <u32>size;
	block.epoch = currentEpoch();
}

/** After a change of an index that threads share: frees what nobody reads any more. */
export function freeUnread(): void {
	nextEpoch();
	const oldest = oldestEpoch();
	let at = waiting.start + freed;
	for (; at < waiting.end; at += WAITING) {
		const block = changetype<Waiting>(at);
		if (block.epoch >= oldest) break;
		free(block.pointer, block.size);
	}
	freed = at - waiting.start;
	if (freed << 1 < waiting.end - waiting.start) return;
	// The others move to the front: as many as have gone, at most.
	memory.copy(waiting.start, at, waiting.end - at);
	waiting.end -= freed;
	freed = 0;
}
