import { copyForward, find } from "../bytes/scan";

/**
 * Rows of a column become lines: they lie end to end, and a line feed is put behind each. So columns are judged by the same loop as
 * lines, which costs copying them (2 to 3 ns a URL).
 */

const LF: u32 = 0x0a;
const CR: u32 = 0x0d;
/** Bytes that are read and written at once: 16 at a time, the end of each row would be mispredicted; 64 take 2% longer on real paths. */
const BLOCK: usize = 128;
/** The end of lines when an offset falls or is too large. */
const WRONG_OFFSET: usize = 0;

let oddCount: u32 = 0;
/** The last `copyRows` met a byte up to CR, so that some row may not be a line. */
let mayBeOdd: bool = false;

/**
 * Copies `count` rows, at least one, to `to` as lines, and returns the end of the lines; 0 if an offset is smaller than the one before, or
 * not within the `size` bytes of the rows, which lie from `from` on. At `offsets` stand count + 1 of them, of 32 bits or of 64 if `wide`,
 * the first of which is that of `from`. Behind rows and lines is room for 128 bytes. Rows that are not a line, because they hold LF or
 * end in CR, become empty lines; their numbers, u32, stand at `offsets` afterwards.
 */
export function spreadRows(
	offsets: usize,
	wide: bool,
	count: u32,
	from: usize,
	size: usize,
	to: usize,
): usize {
	// Behind the rows stands what is no control character.
	memory.fill(from + size, 0x20, BLOCK);
	oddCount = 0;
	const end = copyRows(offsets, wide, count, from, size, to);
	return end && mayBeOdd ? copyLines(offsets, wide, count, from, to) : end;
}

/** Rows that the last `spreadRows` made empty lines of. */
export function oddRows(): u32 {
	return oddCount;
}

/** An offset, sign-extended: no difference to a smaller one than 2 ** 53 wraps to one that is right. */
function offsetAt(at: usize, wide: bool): i64 {
	return wide ? load<i64>(at) : <i64>load<i32>(at);
}

/** Copies the rows as if each were a line. */
function copyRows(
	offsets: usize,
	wide: bool,
	count: u32,
	from: usize,
	size: usize,
	to: usize,
): usize {
	const step: usize = wide ? 8 : 4;
	const last = offsets + <usize>count * step;
	const base = offsetAt(offsets, wide) - <i64>from;
	const limit = <i64>(from + size);
	let start = from;
	let least = i8x16.splat(0x20);
	for (let at = offsets; at < last; ) {
		at += step;
		const offset = offsetAt(at, wide) - base;
		if (offset < <i64>start || offset > limit) return WRONG_OFFSET;
		const end = <usize>offset;
		let next = to;
		to += end - start;
		do {
			const a = v128.load(start);
			const b = v128.load(start, 16);
			const c = v128.load(start, 32);
			const d = v128.load(start, 48);
			const e = v128.load(start, 64);
			const f = v128.load(start, 80);
			const g = v128.load(start, 96);
			const h = v128.load(start, 112);
			v128.store(next, a);
			v128.store(next, b, 16);
			v128.store(next, c, 32);
			v128.store(next, d, 48);
			v128.store(next, e, 64);
			v128.store(next, f, 80);
			v128.store(next, g, 96);
			v128.store(next, h, 112);
			const ad = i8x16.min_u(i8x16.min_u(a, b), i8x16.min_u(c, d));
			const eh = i8x16.min_u(i8x16.min_u(e, f), i8x16.min_u(g, h));
			least = i8x16.min_u(least, i8x16.min_u(ad, eh));
			start += BLOCK;
			next += BLOCK;
		} while (next < to);
		store<u8>(to++, LF);
		start = end;
	}
	mayBeOdd = v128.any_true(i8x16.le_u(least, i8x16.splat(<i8>CR)));
	return to;
}

/** The same, row by row, for offsets that are right. */
function copyLines(
	offsets: usize,
	wide: bool,
	count: u32,
	from: usize,
	to: usize,
): usize {
	const step: usize = wide ? 8 : 4;
	const base = offsetAt(offsets, wide) - <i64>from;
	let start = from;
	let at = offsets;
	for (let row: u32 = 0; row < count; row++) {
		at += step;
		const end = <usize>(offsetAt(at, wide) - base);
		if (isLine(start, end)) {
			to = copyForward(start, end - start, to);
		} else {
			// The offsets that were read make room for numbers.
			store<u32>(offsets + ((<usize>oddCount) << 2), row);
			oddCount++;
		}
		store<u8>(to++, LF);
		start = end;
	}
	return to;
}

function isLine(start: usize, end: usize): bool {
	if (end > start && load<u8>(end - 1) == CR) return false;
	return find(LF, start, end) == end;
}
