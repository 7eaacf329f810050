/**
 * The benchmark's controls: what an engine cannot do without, whatever it does besides. bench/floors.ts calls them on lines that lie in
 * memory already. All of them read whole blocks of 64 bytes: up to BLOCK bytes after the last line are read, and must be zero.
 *
 * A list by 16 bytes at a time and a loop over the bits of each mask takes 7 to 9 ns a line, since most masks have no bit or one, and
 * the loop's end is mispredicted. A mask of 64 bytes mostly has one to three: three stores without a condition, of which the unused
 * ones are overwritten by the next mask's.
 */
import { allocate } from "./bytes/memory";

export { allocate };

const LF: u8 = 0x0a;
const BLOCK: usize = 64;
/** Bytes after the list that unused stores may overwrite. */
const SPARE: usize = 12;

/** Room for a list of `count` addresses. */
export function allocateList(count: u32): usize {
	return allocate(((<usize>count) << 2) + SPARE);
}

/** Reads every byte and does nothing else. */
export function sumBytes(from: usize, end: usize): u64 {
	let sums = i64x2.splat(0);
	for (; from < end; from += 16) {
		const pairs = i16x8.extadd_pairwise_i8x16_u(v128.load(from));
		const fours = i32x4.extadd_pairwise_i16x8_u(pairs);
		sums = i64x2.add(sums, i64x2.extend_low_i32x4_u(fours));
		sums = i64x2.add(sums, i64x2.extend_high_i32x4_u(fours));
	}
	return i64x2.extract_lane(sums, 0) + i64x2.extract_lane(sums, 1);
}

/** A bit for each LF in the 64 bytes at `from`. */
function maskOf(from: usize): u64 {
	const wanted = i8x16.splat(LF);
	const a = <u64>(<u32>i8x16.bitmask(i8x16.eq(v128.load(from), wanted)));
	const b = <u64>(<u32>i8x16.bitmask(i8x16.eq(v128.load(from, 16), wanted)));
	const c = <u64>(<u32>i8x16.bitmask(i8x16.eq(v128.load(from, 32), wanted)));
	const d = <u64>(<u32>i8x16.bitmask(i8x16.eq(v128.load(from, 48), wanted)));
	return a | (b << 16) | (c << 32) | (d << 48);
}

/** Number of LFs. */
export function countLineEnds(from: usize, end: usize): u32 {
	let count: u32 = 0;
	for (; from < end; from += BLOCK) count += <u32>popcnt(maskOf(from));
	return count;
}

/** Writes the address of each LF to `list`, as u32, and returns how many there are. */
export function listLineEnds(from: usize, end: usize, list: usize): u32 {
	let to = list;
	for (; from < end; from += BLOCK) {
		let mask = maskOf(from);
		const count = <usize>popcnt(mask);
		store<u32>(to, <u32>(from + <usize>ctz(mask)));
		mask &= mask - 1;
		store<u32>(to, <u32>(from + <usize>ctz(mask)), 4);
		mask &= mask - 1;
		store<u32>(to, <u32>(from + <usize>ctz(mask)), 8);
		mask &= mask - 1;
		for (let more = to + 12; mask; mask &= mask - 1, more += 4)
			store<u32>(more, <u32>(from + <usize>ctz(mask)));
		to += count << 2;
	}
	return <u32>((to - list) >> 2);
}

/**
 * The least that looks like an engine: the list, and for each line one hash of its first segment (up to seven bytes after its first
 * one) and one byte stored at `verdicts`. Returns the number of lines.
 */
export function hashSegments(
	from: usize,
	end: usize,
	list: usize,
	verdicts: usize,
): u32 {
	const count = listLineEnds(from, end, list);
	let start = from;
	for (let i: usize = 0; i < count; i++) {
		const lineEnd = <usize>load<u32>(list + (i << 2));
		store<u8>(verdicts + i, hashOf(load<u64>(start), lineEnd - start));
		start = lineEnd + 1;
	}
	return count;
}

/** A byte out of the bytes between a line's first one and its next "/" or its end. */
function hashOf(word: u64, length: usize): u8 {
	const others = (word ^ 0x2f2f2f2f2f2f2f2f) | 0xff;
	const low: u64 = 0x7f7f7f7f7f7f7f7f;
	const slash = ctz(~(((others & low) + low) | others | low) & ~0xff);
	// Of eight bytes without "/" all count.
	const bits = min<u64>(slash & ~7, (<u64>min<usize>(length, 8)) << 3);
	const kept = bits >= 64 ? word : word & (((<u64>1) << bits) - 1);
	return <u8>(((kept >> 8) * 0x9e3779b97f4a7c15) >> 56);
}
