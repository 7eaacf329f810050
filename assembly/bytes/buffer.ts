import { MAX_BLOCK } from "../format/program";
import { allocate, release } from "./memory";

/** Bytes one behind the other in a block that grows. The block is kept for what comes next unless it is large. */
@unmanaged
export class Buffer {
	start: usize;
	/** Behind the last byte in use. */
	end: usize;
	/** Behind the last byte of the block. */
	limit: usize;
}

/** A larger block is given back when its buffer is cleared. */
const KEPT: usize = 1 << 20;
const LEAST: usize = 1 << 12;

export function clear(buffer: Buffer): void {
	if (buffer.limit - buffer.start > KEPT) {
		release(buffer.start);
		buffer.start = 0;
		buffer.limit = 0;
	}
	buffer.end = buffer.start;
}

/** Appends `size` bytes and returns where they begin, or 0 when memory cannot grow. */
export function append(buffer: Buffer, size: usize): usize {
	const at = buffer.end;
	if (buffer.limit - at < size) return appendGrown(buffer, size);
	buffer.end = at + size;
	return at;
}

function appendGrown(buffer: Buffer, size: usize): usize {
	const held = buffer.end - buffer.start;
	const needed = <u64>held + size;
	if (needed > <u64>MAX_BLOCK) return 0;
	// Half as much again, so that all growing together copies each byte three times at most.
	const wanted = clamped(needed + (needed >> 1));
	const start = allocate(wanted);
	if (!start) return 0;
	memory.copy(start, buffer.start, held);
	release(buffer.start);
	buffer.start = start;
	buffer.end = start + held + size;
	buffer.limit = start + wanted;
	return start + held;
}

function clamped(size: u64): usize {
	return <usize>min<u64>(max<u64>(size, LEAST), MAX_BLOCK);
}
