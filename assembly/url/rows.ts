import { copyForward, find } from "../bytes/scan";

/**
 * Rows of a column become lines: they lie end to end, and a line feed is put behind each. So columns are judged by the same loop as
 * lines, which costs copying them (2 to 4 ns a URL).
 */

const LF: u32 = 0x0a;
const CR: u32 = 0x0d;
/** Bytes that are read and written at once. */
const BLOCK: usize = 64;

let oddCount: u32 = 0;

/**
 * Copies `count` rows, at least one, which lie end to end from `from` on, to `to` as lines, and returns the end of the lines. At `ends`
 * stands, u32, where each row ends, counted from `from`. Behind the rows is room for 64 bytes, behind the lines for as many. Rows
 * that are not a line, because they hold LF or end in CR, become empty lines; their numbers, u32, stand at `ends` afterwards.
 */
export function spreadRows(
	ends: usize,
	count: u32,
	from: usize,
	to: usize,
): usize {
	const last = ends + ((<usize>count) << 2);
	// Behind the rows stands what is no control character.
	memory.fill(from + load<u32>(last - 4), 0x20, BLOCK);
	oddCount = 0;
	if (copyRows(ends, last, from, to)) return copyLines(ends, last, from, to);
	return to + load<u32>(last - 4) + count;
}

/** Rows that the last `spreadRows` made empty lines of. */
export function oddRows(): u32 {
	return oddCount;
}

/** Copies the rows as if each were a line; true if there is a byte up to CR among them, so that some may not be. */
function copyRows(ends: usize, last: usize, from: usize, to: usize): bool {
	let start = from;
	if (ASC_FEATURE_SIMD) {
		let least = i8x16.splat(0x20);
		for (; ends < last; ends += 4) {
			const end = from + load<u32>(ends);
			let next = to;
			to += end - start;
			// Most rows are one or two blocks; 16 bytes at a time the end of each would be mispredicted.
			do {
				const a = v128.load(start);
				const b = v128.load(start, 16);
				const c = v128.load(start, 32);
				const d = v128.load(start, 48);
				v128.store(next, a);
				v128.store(next, b, 16);
				v128.store(next, c, 32);
				v128.store(next, d, 48);
				least = i8x16.min_u(
					least,
					i8x16.min_u(i8x16.min_u(a, b), i8x16.min_u(c, d)),
				);
				start += BLOCK;
				next += BLOCK;
			} while (next < to);
			store<u8>(to++, LF);
			start = end;
		}
		return v128.any_true(i8x16.le_u(least, i8x16.splat(<i8>CR)));
	}
	let low: u64 = 0;
	for (; ends < last; ends += 4) {
		const end = from + load<u32>(ends);
		let next = to;
		to += end - start;
		for (; next < to; next += 8, start += 8) {
			const word = load<u64>(start);
			store<u64>(next, word);
			// The highest bit of each byte up to CR; a byte behind one may be taken for another.
			low |= (word - 0x0e0e0e0e0e0e0e0e) & ~word;
		}
		store<u8>(to++, LF);
		start = end;
	}
	return (low & 0x8080808080808080) != 0;
}

/** The same, row by row. */
function copyLines(ends: usize, last: usize, from: usize, to: usize): usize {
	let start = from;
	for (let at = ends; at < last; at += 4) {
		const end = from + load<u32>(at);
		if (isLine(start, end)) {
			to = copyForward(start, end - start, to);
		} else {
			// The ends that were read make room for numbers.
			store<u32>(ends + ((<usize>oddCount) << 2), <u32>((at - ends) >> 2));
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
