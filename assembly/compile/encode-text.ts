import {
	ESCAPE,
	SYMBOL_COUNT,
	spareBits,
	symbolSize,
	symbols,
} from "../sites/string-table";

/** Writes texts in the symbols of sites/string-table.ts: of those that a text begins with, the longest. */

/** For each two bytes, little-endian, the longest of the symbols of one or two bytes that a text beginning with them begins with, or ESCAPE. */
const pairs: usize = memory.data(65536);

/** Lists of longer symbols by a hash of their first three bytes: the first of each list, and for each symbol the next one; ESCAPE ends them. */
const LIST_BITS: u32 = 10;
const firsts: usize = memory.data(1 << 10);
const nexts: usize = memory.data(ESCAPE);
const HASH: u32 = -1640531535;

function listOf(text: u64): usize {
	return firsts + <usize>(((<u32>text & 0xffffff) * HASH) >>> (32 - LIST_BITS));
}

/** Lists the symbols, once they are set. */
export function listSymbols(): void {
	memory.fill(pairs, <u8>ESCAPE, 65536);
	memory.fill(firsts, <u8>ESCAPE, 1 << LIST_BITS);
	// Of symbols that begin alike the longer ones come first, and are to be tried first.
	for (let code = <u32>SYMBOL_COUNT; code-- > 0; ) {
		const symbol = load<u64>(symbols + ((<usize>code) << 3));
		const size = symbolSize(code);
		if (size > 2) {
			const list = listOf(symbol);
			store<u8>(nexts + code, load<u8>(list));
			store<u8>(list, <u8>code);
		} else if (size == 2) {
			store<u8>(pairs + <usize>symbol, <u8>code);
		} else {
			for (let next: usize = 0; next < 256; next++)
				store<u8>(pairs + <usize>symbol + (next << 8), <u8>code);
		}
	}
}

/** Writes a text's symbols at `to`, which takes at most twice its bytes; returns their end. May read past the text. */
export function encodeText(from: usize, end: usize, to: usize): usize {
	while (from < end) {
		const text = load<u64>(from);
		let code: u32 = load<u8>(listOf(text));
		while (code != ESCAPE && !begins(text, code, end - from))
			code = load<u8>(nexts + code);
		if (code == ESCAPE) {
			// Behind the last byte stands one that no symbol has.
			const pair = end - from > 1 ? <u32>text & 0xffff : <u32>text & 0xff;
			code = load<u8>(pairs + pair);
		}
		// The byte behind an escape; of others it is overwritten.
		store<u8>(to, code);
		store<u8>(to, <u8>text, 1);
		to += 1 + <usize>(code == ESCAPE);
		from += symbolSize(code);
	}
	return to;
}

function begins(text: u64, code: u32, left: usize): bool {
	const symbol = load<u64>(symbols + ((<usize>code) << 3));
	return (text ^ symbol) << spareBits(code) == 0 && symbolSize(code) <= left;
}
