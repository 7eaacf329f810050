const FOUR_LFS = 0x0a0a0a0a;

/** Which of the four bytes of a little-endian word is the first line feed, from 0; -1 if none is. */
export function lineFeedIn(word: number): number {
	// The lowest bit that is left is the top bit of the first byte that is a line feed.
	const other = word ^ FOUR_LFS;
	const found = (other - 0x01010101) & ~other & 0x80808080;
	return found === 0 ? -1 : (31 - Math.clz32(found & -found)) >> 3;
}
