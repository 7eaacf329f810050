/**
 * Texts of compact programs: each byte stands for a symbol of one to eight bytes, or says that the next one stands for
 * itself (the idea is FSST, Boncz et al. 2020). Symbols stand in the order of their first byte, longer ones in front.
 */

export const ESCAPE: u32 = 255;
/** Codes from here on up to ESCAPE stand for eight NULs. */
export const SYMBOL_COUNT: usize = 190;
const SPACE: u32 = 0x20;

/** Symbols, u64 each, filled up with zeros. */
export const symbols: usize = memory.data(ESCAPE * 8);
/** u8 each, for ESCAPE too, which stands for the byte behind it: the bits of a u64 that a symbol does not fill. */
const spares: usize = memory.data(ESCAPE + 1);

export function spareBits(code: u32): u64 {
	return <u64>load<u8>(spares + code);
}

/** Bytes of a symbol. */
export function symbolSize(code: u32): usize {
	return 8 - (<usize>load<u8>(spares + code) >> 3);
}

/** Reads SYMBOL_COUNT symbols, each followed by a space (src/engine/symbols.ts). */
export function setSymbols(at: usize): void {
	for (let code: usize = 0; code < SYMBOL_COUNT; code++) {
		const symbol = symbols + (code << 3);
		let length: usize = 0;
		store<u64>(symbol, 0);
		for (; load<u8>(at) != SPACE; at++)
			store<u8>(symbol + length++, load<u8>(at));
		store<u8>(spares + code, <u8>(64 - (length << 3)));
		at++;
	}
	store<u8>(spares + ESCAPE, 56);
}

/** The end of the text that these symbols stand for if it is at `at`, else 0. */
export function behindText(from: usize, end: usize, at: usize): usize {
	while (from < end) {
		const code: u32 = load<u8>(from++);
		if (code == ESCAPE) {
			if (load<u8>(from++) != load<u8>(at++)) return 0;
			continue;
		}
		const symbol = load<u64>(symbols + ((<usize>code) << 3));
		if ((load<u64>(at) ^ symbol) << spareBits(code)) return 0;
		at += symbolSize(code);
	}
	return at;
}

/** Bytes of the text that these symbols stand for. */
export function textLength(from: usize, end: usize): usize {
	let length: usize = 0;
	for (; from < end; from++) {
		const code: u32 = load<u8>(from);
		if (code == ESCAPE) from++;
		length += symbolSize(code);
	}
	return length;
}
