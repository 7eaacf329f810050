/** Searches over bytes, comparisons, copies. All of them may read up to PADDING bytes past `end`, and use none of those. */

/** Position of the first `byte` in [from, end), or `end`. */
export function find(byte: u32, from: usize, end: usize): usize {
	const wanted = i8x16.splat(<i8>byte);
	for (; from < end; from += 16) {
		const matches = i8x16.bitmask(i8x16.eq(v128.load(from), wanted));
		if (matches) return min(from + ctz(matches), end);
	}
	return end;
}

/** Position of the first of three bytes in [from, end), or `end`. */
export function findAny(
	a: u32,
	b: u32,
	c: u32,
	from: usize,
	end: usize,
): usize {
	const va = i8x16.splat(<i8>a),
		vb = i8x16.splat(<i8>b),
		vc = i8x16.splat(<i8>c);
	for (; from < end; from += 16) {
		const chunk = v128.load(from);
		const matches = i8x16.bitmask(
			v128.or(
				v128.or(i8x16.eq(chunk, va), i8x16.eq(chunk, vb)),
				i8x16.eq(chunk, vc),
			),
		);
		if (matches) return min(from + ctz(matches), end);
	}
	return end;
}

/** Whether `length` bytes, at least one, are the same; reads whole words past both ends. */
export function equal(a: usize, b: usize, length: usize): bool {
	// Most texts fit one vector: no loop whose end must be guessed.
	for (; length > 16; length -= 16, a += 16, b += 16) {
		if (v128.any_true(v128.xor(v128.load(a), v128.load(b)))) return false;
	}
	const same = i8x16.bitmask(i8x16.eq(v128.load(a), v128.load(b)));
	return ~same << (32 - <u32>length) == 0;
}

/** As `equal`, for up to 32 bytes, with nothing to be mispredicted: 1 or 0. Always reads 32. */
export function equalShort(a: usize, b: usize, length: u32): u32 {
	const first = i8x16.bitmask(i8x16.eq(v128.load(a), v128.load(b)));
	const second = i8x16.bitmask(i8x16.eq(v128.load(a, 16), v128.load(b, 16)));
	return u32(<u32>ctz(~(first | (second << 16))) >= length);
}

/** Copies bytes from the first one on and returns their new end; up to 16 bytes behind it are overwritten. */
export function copyForward(from: usize, length: usize, to: usize): usize {
	const end = to + length;
	for (; to < end; to += 16, from += 16) v128.store(to, v128.load(from));
	return end;
}

/** Copies bytes up to `end` and returns their new start; up to 16 bytes in front of it are overwritten. */
export function copyBackward(from: usize, length: usize, end: usize): usize {
	const start = end - length;
	from += length;
	for (; end > start; end -= 16, from -= 16)
		v128.store(end - 16, v128.load(from - 16));
	return start;
}

/**
 * Position of the first occurrence of a text in [from, end), or 0. Tests the text's first and last byte at 16
 * positions at once; only positions that pass both are compared in full.
 */
export function search(
	text: usize,
	length: usize,
	from: usize,
	end: usize,
): usize {
	if (from + length > end) return 0;
	const last = end - length;
	const first = v128.load8_splat(text);
	const tail = v128.load8_splat(text + length - 1);
	for (; from <= last; from += 16) {
		let matches = i8x16.bitmask(
			v128.and(
				i8x16.eq(v128.load(from), first),
				i8x16.eq(v128.load(from + length - 1), tail),
			),
		);
		while (matches) {
			const at = from + ctz(matches);
			if (at > last) return 0;
			if (equal(at, text, length)) return at;
			matches &= matches - 1;
		}
	}
	return 0;
}
