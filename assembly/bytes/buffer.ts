import { MAX_BLOCK } from "../format/program";
import { allocate, release } from "./memory";

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

/** Bytes reserved for what may come to less. */
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
