import { PADDING } from "../../assembly/format/program.ts";
import { linear, module } from "./instance.ts";
import { outOfMemory } from "./linear-memory.ts";

/** A program's copy in WebAssembly memory; pointer 0 if not loaded. */
export interface CacheSlot {
	pointer: number;
	/** Bytes taken, including the allocator's overhead. */
	size: number;
	/** Clock of its last use. */
	used: number;
	/** Index in `loaded`. */
	index: number;
}

export function emptySlot(): CacheSlot {
	return { pointer: 0, size: 0, used: 0, index: 0 };
}

/**
 * Programs belong to their matchers on the JavaScript heap and are garbage-collected with them. Linear memory is a cache (LRU) of
 * this many bytes: it holds copies of the programs in use. So neither a loop that never yields, where finalisers do not run,
 * nor a forgotten matcher makes memory grow.
 */
const CACHE_SIZE = 64 * 1024 * 1024;
/** Bytes that a block takes in addition to its content. */
const BLOCK_OVERHEAD = PADDING + 20;
const loaded: CacheSlot[] = [];
let loadedSize = 0;
let clock = 0;

/** Loads a program into linear memory unless it is there; returns its address, valid until the next call. */
export function load(program: Uint8Array, slot: CacheSlot): number {
	slot.used = ++clock;
	if (slot.pointer !== 0) return slot.pointer;
	const size = program.length + BLOCK_OVERHEAD;
	if (loadedSize + size > CACHE_SIZE) evict();
	const pointer = module.allocate(program.length) >>> 0;
	if (pointer === 0) throw outOfMemory(`a program of ${program.length} bytes`);
	linear.bytes().set(program, pointer);
	if (module.reserveVisited(pointer) === 0) {
		module.release(pointer);
		throw outOfMemory(`a program of ${program.length} bytes`);
	}
	slot.pointer = pointer;
	slot.size = size;
	slot.index = loaded.length;
	loadedSize += size;
	loaded.push(slot);
	return pointer;
}

/** Frees a program's copy in linear memory. */
export function unload(slot: CacheSlot): void {
	if (slot.pointer === 0) return;
	module.release(slot.pointer);
	slot.pointer = 0;
	loadedSize -= slot.size;
	const last = loaded.pop();
	if (last && last !== slot) {
		last.index = slot.index;
		loaded[last.index] = last;
	}
}

/** Unloads the least recently used programs until half of the cache is free. */
function evict(): void {
	for (const slot of loaded.toSorted((a, b) => a.used - b.used)) {
		if (loadedSize <= CACHE_SIZE / 2) break;
		unload(slot);
	}
}
