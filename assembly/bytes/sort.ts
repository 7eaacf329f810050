/**
 * Stable sorting of lists of pointers (u32 each). The order comes from a number that stands beside each pointer, so that sorting
 * reads one list and not what the pointers lead to: a KeyedPointer, as u64, has the key in its upper half.
 */

/** Bytes of working memory that `sortKeyed` needs for each item. */
export const KEYED_SIZE: usize = 8;

/** Up to this many items, insertion sort is faster than radix sort. */
const FEW: u32 = 24;

/** Most bits of a digit. Its counts, 4 KiB, stay in the first-level cache. */
const MOST_BITS: u32 = 10;
/** How many items have each digit; then where the next one with it goes. */
const counts = memory.data(4 * 1024);

export function pointerAt(items: usize, index: u32): usize {
	return load<u32>(items + ((<usize>index) << 2));
}

export function setPointer(items: usize, index: u32, pointer: usize): void {
	store<u32>(items + ((<usize>index) << 2), <u32>pointer);
}

export function setKeyed(
	list: usize,
	index: u32,
	key: u32,
	pointer: usize,
): void {
	store<u64>(list + ((<usize>index) << 3), ((<u64>key) << 32) | pointer);
}

export function keyOf(list: usize, index: u32): u32 {
	return load<u32>(list + ((<usize>index) << 3), 4);
}

export function keyedPointer(list: usize, index: u32): usize {
	return load<u32>(list + ((<usize>index) << 3));
}

/**
 * Sorts `count` keyed pointers by their keys, smallest first: byte by byte from the lowest one, leaving out bytes that all keys
 * share. `spare` is room for as many.
 */
export function sortKeyed(list: usize, count: u32, spare: usize): void {
	if (count <= FEW) {
		insertKeyed(list, count);
		return;
	}
	const end = list + ((<usize>count) << 3);
	// Bits that are set in all keys, and in any: each byte of a key is between theirs.
	let all: u32 = u32.MAX_VALUE,
		any: u32 = 0;
	for (let at = list; at < end; at += 8) {
		const key = load<u32>(at, 4);
		all &= key;
		any |= key;
	}
	let from = list,
		to = spare;
	for (let shift: u32 = 0; shift < 32; shift += 8) {
		const least = (all >> shift) & 255,
			most = (any >> shift) & 255;
		// All keys have this byte in common: the pass would copy everything and order nothing.
		if (least == most) continue;
		distribute(from, count, to, shift, 255, least, most);
		const swap = from;
		from = to;
		to = swap;
	}
	// After an odd number of passes the result is in `spare`.
	if (from != list) memory.copy(list, from, (<usize>count) << 3);
}

/** As `sortKeyed`, for keys that are spread over all numbers, like hashes: one pass parts nearly all of them. */
export function sortSpread(list: usize, count: u32, spare: usize): void {
	if (count <= FEW) {
		insertKeyed(list, count);
		return;
	}
	// About as many digits as items, so that few items share one.
	const shift = max(clz(count), 32 - MOST_BITS);
	const most: u32 = u32.MAX_VALUE >> shift;
	distribute(list, count, spare, shift, most, 0, most);
	memory.copy(list, spare, (<usize>count) << 3);
	for (let first: u32 = 0; first < count; ) {
		const digit = keyOf(list, first) >> shift;
		let end = first + 1;
		while (end < count && keyOf(list, end) >> shift == digit) end++;
		// `spare` was copied back, so it is free again.
		if (end - first > 1)
			sortKeyed(list + ((<usize>first) << 3), end - first, spare);
		first = end;
	}
}

/** Copies items to `to`, in the order of one digit of their keys, which is from `least` to `most`. */
function distribute(
	from: usize,
	count: u32,
	to: usize,
	shift: u32,
	mask: u32,
	least: u32,
	most: u32,
): void {
	const end = from + ((<usize>count) << 3);
	const firstCount = counts + ((<usize>least) << 2);
	const lastCount = counts + ((<usize>most) << 2);
	memory.fill(firstCount, 0, lastCount + 4 - firstCount);
	for (let at = from; at < end; at += 8) {
		const counter = counts + (((load<u32>(at, 4) >> shift) & mask) << 2);
		// In bytes, so that a count becomes a place without a multiplication.
		store<u32>(counter, load<u32>(counter) + 8);
	}
	let place: u32 = 0;
	for (let counter = firstCount; counter <= lastCount; counter += 4) {
		const size = load<u32>(counter);
		store<u32>(counter, place);
		place += size;
	}
	for (let at = from; at < end; at += 8) {
		const counter = counts + (((load<u32>(at, 4) >> shift) & mask) << 2);
		const target = load<u32>(counter);
		store<u32>(counter, target + 8);
		store<u64>(to + target, load<u64>(at));
	}
}

/** Insertion sort: an item moves only past larger ones, so it is stable, too. */
function insertKeyed(list: usize, count: u32): void {
	const end = list + ((<usize>count) << 3);
	for (let at = list + 8; at < end; at += 8) {
		const item = load<u64>(at);
		const key = <u32>(item >> 32);
		let hole = at;
		for (; hole > list && load<u32>(hole - 8, 4) > key; hole -= 8)
			store<u64>(hole, load<u64>(hole - 8));
		store<u64>(hole, item);
	}
}
