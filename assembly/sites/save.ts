import { allocate, load24, store24 } from "../bytes/memory";
import { C_LENGTH } from "../format/compact";
import { ENTRY_KEY, ENTRY_PROGRAM } from "../format/snapshot";
import { ORIGIN_HEADER, ORIGIN_LENGTH, sizeOf } from "./origins";
import { numberLimit, numberOf } from "./programs";

/** Writes the entries of a snapshot (format/snapshot.ts), and lists of origins. Both go through slots that were copied from the table. */

const SLOT: usize = 4;
const ADDRESS: u32 = ~15;
const HTTPS: u64 = 0x2f2f3a7370747468;
const LF: u8 = 0x0a;

let lastEnd: usize = 0;

/** End of what `saveEntries` or `saveOrigins` wrote last. */
export function savedEnd(): usize {
	return lastEnd;
}

/**
 * Memory for the numbers of a snapshot's programs: u32 how many there are, and for each program of the index u32 its number plus 1, 0
 * before it is met. The caller releases it. 0 when there is no room.
 */
export function createNumbers(): usize {
	const size = ((<usize>numberLimit()) << 2) + 4;
	const numbers = allocate(size);
	if (numbers) memory.fill(numbers, 0, size);
	return numbers;
}

/**
 * Writes entries for `size` bytes of captured slots at `from` to `room` bytes at `to`, as long as they fit. Returns the bytes of the
 * slots that are done.
 */
export function saveEntries(
	numbers: usize,
	from: usize,
	size: usize,
	to: usize,
	room: usize,
): usize {
	const first = from;
	const end = from + size;
	const last = to + room;
	for (; from < end; from += SLOT) {
		const item: usize = load<u32>(from) & ADDRESS;
		if (!item) continue;
		const program: usize = load<u32>(item);
		const mark = numbers + 4 + ((<usize>numberOf(program)) << 2);
		const isNew = load<u32>(mark) == 0;
		const length: usize = isNew ? load24(program + C_LENGTH) : 0;
		const keySize = sizeOf(item);
		if (<usize>(ENTRY_PROGRAM + ENTRY_KEY) + length + keySize > last - to)
			break;
		if (isNew) {
			const count = load<u32>(numbers) + 1;
			store<u32>(numbers, count);
			store<u32>(mark, count);
		}
		store<u32>(to, load<u32>(mark) - 1);
		to += ENTRY_PROGRAM;
		memory.copy(to, program, length);
		to += length;
		store24(to, load24(item + ORIGIN_LENGTH));
		to += ENTRY_KEY;
		memory.copy(to, item + ORIGIN_HEADER, keySize);
		to += keySize;
	}
	lastEnd = to;
	return from - first;
}

/** The same for lines with origins, as the URL standard writes them. */
export function saveOrigins(
	from: usize,
	size: usize,
	to: usize,
	room: usize,
): usize {
	const first = from;
	const end = from + size;
	const last = to + room;
	for (; from < end; from += SLOT) {
		const item: usize = load<u32>(from) & ADDRESS;
		if (!item) continue;
		const keySize = sizeOf(item);
		if (keySize + 9 > last - to) break;
		store<u64>(to, HTTPS);
		to += (<usize>load24(item + ORIGIN_LENGTH) & 1) << 3;
		memory.copy(to, item + ORIGIN_HEADER, keySize);
		to += keySize;
		store<u8>(to++, LF);
	}
	lastEnd = to;
	return from - first;
}
