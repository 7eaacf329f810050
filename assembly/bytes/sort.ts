/** Whether the record at `a` belongs in front of the one at `b` (negative), behind it (positive), or either. */
export type Comparison = (a: usize, b: usize) => i32;

/** Sorts `count` pointers by what they point to: a stable merge sort, bottom up, with room for as many at `spare`. */
export function sortPointers(
	items: usize,
	count: u32,
	spare: usize,
	compare: Comparison,
): void {
	let from = items,
		to = spare;
	for (let width: u32 = 1; width < count; width <<= 1) {
		for (let low: u32 = 0; low < count; low += width << 1) {
			merge(
				from,
				to,
				low,
				min(low + width, count),
				min(low + (width << 1), count),
				compare,
			);
		}
		const swap = from;
		from = to;
		to = swap;
	}
	if (from != items) memory.copy(items, from, (<usize>count) << 2);
}

function merge(
	from: usize,
	to: usize,
	low: u32,
	middle: u32,
	high: u32,
	compare: Comparison,
): void {
	let left = low,
		right = middle;
	for (let out = low; out < high; out++) {
		const takeLeft =
			left < middle &&
			(right >= high ||
				compare(pointerAt(from, left), pointerAt(from, right)) <= 0);
		setPointer(to, out, pointerAt(from, takeLeft ? left++ : right++));
	}
}

export function pointerAt(items: usize, index: u32): usize {
	return load<u32>(items + ((<usize>index) << 2));
}

export function setPointer(items: usize, index: u32, pointer: usize): void {
	store<u32>(items + ((<usize>index) << 2), <u32>pointer);
}
