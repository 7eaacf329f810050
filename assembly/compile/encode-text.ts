import {
	ESCAPE,
	SYMBOL_COUNT,
	spareBits,
	symbolSize,
	symbols,
} from "../sites/string-table";

/** Writes texts in the symbols of sites/string-table.ts: of those that a text begins with, the longest. */

/**
 * For each two bytes, little-endian, a u16: the longest of the symbols of one or two bytes that a text beginning with them begins with,
 * or ESCAPE; from SIZE_AT on how many bytes it stands for; HAS_LONGER if a longer symbol begins with them.
 */
const pairs: usize = memory.data(131072);
const SIZE_AT: u32 = 8;
/** Above the size, which has four bits. */
const HAS_LONGER: u32 = 1 << 12;

/** Lists of longer symbols by a hash of their first three bytes: the first of each list, and for each symbol the next one; ESCAPE ends them. */
const LIST_BITS: u32 = 10;
const firsts: usize = memory.data(1 << 10);
const nexts: usize = memory.data(ESCAPE);
const HASH: u32 = -1640531535;

function listOf(text: u64): usize {
	return firsts + <usize>(((<u32>text & 0xffffff) * HASH) >>> (32 - LIST_BITS));
}

function pairOf(text: u64): usize {
	return pairs + ((<usize>text & 0xffff) << 1);
}

function setPair(pair: usize, code: u32, size: usize): void {
	const longer = <u32>load<u16>(pair) & HAS_LONGER;
	store<u16>(pair, code | ((<u32>size) << SIZE_AT) | longer);
}

/** Lists the symbols, once they are set. */
export function listSymbols(): void {
	for (let pair: usize = 0; pair < 65536; pair++)
		setPair(pairs + (pair << 1), ESCAPE, 1);
	memory.fill(firsts, <u8>ESCAPE, 1 << LIST_BITS);
	// Of symbols that begin alike the longer ones come first, and are to be tried first.
	for (let code = <u32>SYMBOL_COUNT; code-- > 0; ) {
		const symbol = load<u64>(symbols + ((<usize>code) << 3));
		const size = symbolSize(code);
		const pair = pairOf(symbol);
		if (size > 2) {
			const list = listOf(symbol);
			store<u8>(nexts + code, load<u8>(list));
			store<u8>(list, <u8>code);
			store<u16>(pair, <u32>load<u16>(pair) | HAS_LONGER);
		} else if (size == 2) {
			setPair(pair, code, 2);
		} else {
			for (let next: usize = 0; next < 256; next++)
				setPair(pair + (next << 9), code, 1);
		}
	}
}

/** Writes a text's symbols at `to`, which takes at most twice its bytes; returns their end. May read past the text. */
export function encodeText(from: usize, end: usize, to: usize): usize {
	while (from < end) {
		let text = load<u64>(from);
		// Behind the last byte stands one that no symbol has.
		if (end - from < 8) text &= ((<u64>1) << ((end - from) << 3)) - 1;
		const pair: u32 = load<u16>(pairOf(text));
		let code = pair & 255;
		let size = <usize>((pair >> SIZE_AT) & 15);
		if (pair & HAS_LONGER) {
			let longer: u32 = load<u8>(listOf(text));
			while (longer != ESCAPE && !begins(text, longer))
				longer = load<u8>(nexts + longer);
			if (longer != ESCAPE) {
				code = longer;
				size = symbolSize(code);
			}
		}
		// The byte behind an escape; of others it is overwritten.
		store<u8>(to, code);
		store<u8>(to, <u8>text, 1);
		to += 1 + <usize>(code == ESCAPE);
		from += size;
	}
	return to;
}

function begins(text: u64, code: u32): bool {
	const symbol = load<u64>(symbols + ((<usize>code) << 3));
	return (text ^ symbol) << spareBits(code) == 0;
}
