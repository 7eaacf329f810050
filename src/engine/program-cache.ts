import { PADDING } from "../../assembly/format/program.ts";
import { linear, module } from "./instance.ts";
import { outOfMemory } from "./linear-memory.ts";

/** A program's place in linear memory while it has one. */
export interface Residence {
	pointer: number;
	/** Bytes taken, with what the allocator adds. */
	size: number;
	/** Clock of its last use. */
	used: number;
	/** Its place among the residents. */
	index: number;
}

export function noResidence(): Residence {
	return { pointer: 0, size: 0, used: 0, index: 0 };
}

/**
 * Programs belong to their matchers, on the JavaScript heap, and are collected with them; linear memory holds copies of
 * those in use, up to this many bytes. So neither a loop that never yields (where finalisers do not run) nor
 * a forgotten matcher makes memory grow.
 */
const RESIDENT_LIMIT = 64 * 1024 * 1024;
/** What a block takes beside its bytes. */
const BLOCK_OVERHEAD = PADDING + 20;
const residents: Residence[] = [];
let residentSize = 0;
let clock = 0;

/** Brings a program into linear memory unless it is there; returns its address, valid until the next call. */
export function admit(program: Uint8Array, residence: Residence): number {
	residence.used = ++clock;
	if (residence.pointer !== 0) return residence.pointer;
	const size = program.length + BLOCK_OVERHEAD;
	if (residentSize + size > RESIDENT_LIMIT) evict();
	const pointer = module.allocate(program.length) >>> 0;
	if (pointer === 0) throw outOfMemory(`a program of ${program.length} bytes`);
	linear.bytes().set(program, pointer);
	if (module.reserveMarks(pointer) === 0) {
		module.release(pointer);
		throw outOfMemory(`a program of ${program.length} bytes`);
	}
	residence.pointer = pointer;
	residence.size = size;
	residence.index = residents.length;
	residentSize += size;
	residents.push(residence);
	return pointer;
}

/** Ends a program's stay in linear memory. */
export function dismiss(residence: Residence): void {
	if (residence.pointer === 0) return;
	module.release(residence.pointer);
	residence.pointer = 0;
	residentSize -= residence.size;
	const last = residents.pop();
	if (last && last !== residence) {
		last.index = residence.index;
		residents[last.index] = last;
	}
}

/** Dismisses those used least recently until half the room is free. */
function evict(): void {
	for (const residence of residents.toSorted((a, b) => a.used - b.used)) {
		if (residentSize <= RESIDENT_LIMIT / 2) break;
		dismiss(residence);
	}
}
