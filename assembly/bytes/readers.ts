import { append, Buffer } from "./buffer";

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

export function hasReaders(): bool {
	return notes.end != notes.start;
}

export function beginReading(note: usize): void {
	atomic.store<u64>(note, atomic.load<u64>(epoch) + 1);
}

export function endReading(note: usize): void {
	atomic.store<u64>(note, 0);
}

export function currentEpoch(): u64 {
	return atomic.load<u64>(epoch);
}

export function nextEpoch(): void {
	atomic.add<u64>(epoch, 1);
}

/** The epoch in which the reader began that has read for longest; the current one if nobody reads. */
export function oldestEpoch(): u64 {
	let oldest = currentEpoch();
	for (let at = notes.start; at < notes.end; at += 4) {
		const note = atomic.load<u64>(load<u32>(at));
		if (note) oldest = min(oldest, note - 1);
	}
	return oldest;
}
