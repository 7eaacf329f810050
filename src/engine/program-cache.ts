import { PADDING } from "../../assembly/format/program.ts";
import { linear } from "./instance.ts";
import { outOfMemory } from "./linear-memory.ts";

/** A program's copy in WebAssembly memory; pointer 0 if not loaded. Loaded ones form a ring, in the order of their last use. */
export interface CacheSlot {
	pointer: number;
	/** Bytes taken, including the allocator's overhead. */
	size: number;
	/** The one used just before, and the one used just after. */
	older: CacheSlot;
	newer: CacheSlot;
}

export function emptySlot(): CacheSlot {
	const slot = { pointer: 0, size: 0 } as CacheSlot;
	slot.older = slot;
	slot.newer = slot;
	return slot;
}

/**
 * Programs belong to their matchers on the JavaScript heap and are garbage-collected with them. Linear memory is a cache (LRU) of
 * this many bytes: it holds copies of the programs in use. So neither a loop that never yields, where finalisers do not run,
 * nor a forgotten matcher makes memory grow.
 */
const CACHE_SIZE = 64 * 1024 * 1024;
/** Bytes that a block takes in addition to its content. */
const BLOCK_OVERHEAD = PADDING + 20;
/** Where the ring begins and ends: its newer slot is the least recently used one, its older slot the one used last. */
const ends = emptySlot();
let loadedSize = 0;
/** The instance that they are loaded in. */
let instance = 0;

/** Loads a program into linear memory unless it is there; returns its address, valid until the next call. */
export function load(program: Uint8Array, slot: CacheSlot): number {
	if (instance !== linear.instance) forgetAll();
	if (slot.pointer !== 0) {
		if (ends.older !== slot) {
			detach(slot);
			attach(slot);
		}
		return slot.pointer;
	}
	const size = program.length + BLOCK_OVERHEAD;
	while (loadedSize + size > CACHE_SIZE && ends.newer !== ends)
		unload(ends.newer);
	const pointer = linear.module.allocate(program.length) >>> 0;
	if (pointer === 0) throw outOfMemory(`a program of ${program.length} bytes`);
	linear.bytes().set(program, pointer);
	if (linear.module.reserveVisited(pointer) === 0) {
		linear.module.release(pointer);
		throw outOfMemory(`a program of ${program.length} bytes`);
	}
	slot.pointer = pointer;
	slot.size = size;
	loadedSize += size;
	attach(slot);
	return pointer;
}

/** Frees a program's copy in linear memory. */
export function unload(slot: CacheSlot): void {
	if (instance !== linear.instance) forgetAll();
	if (slot.pointer === 0) return;
	linear.module.release(slot.pointer);
	slot.pointer = 0;
	loadedSize -= slot.size;
	detach(slot);
}

/** After a trap there is another instance, in which nothing is loaded. */
function forgetAll(): void {
	loadedSize = 0;
	for (let slot = ends.newer; slot !== ends; slot = ends.newer) {
		slot.pointer = 0;
		detach(slot);
	}
	instance = linear.instance;
}

/** Makes a slot the one used last. */
function attach(slot: CacheSlot): void {
	const last = ends.older;
	slot.older = last;
	slot.newer = ends;
	last.newer = slot;
	ends.older = slot;
}

function detach(slot: CacheSlot): void {
	const { older, newer } = slot;
	older.newer = newer;
	newer.older = older;
	// Else an unloaded slot, and its matcher's neighbours, would keep each other alive.
	slot.older = slot;
	slot.newer = slot;
}
