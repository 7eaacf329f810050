/**
 * Texts of compact programs: each byte stands for a symbol of one to eight bytes, or says that the next one stands for
 * itself (the idea is FSST, Boncz et al. 2020). Symbols stand in the order of their first byte, longer ones in front.
 */

export const ESCAPE: u32 = 255;
/** Codes from here on up to ESCAPE stand for eight NULs. */
const SYMBOL_COUNT: usize = 190;
const SPACE: u32 = 0x20;

/** Symbols, u64 each, filled up with zeros. */
export const symbols: usize = memory.data(ESCAPE * 8);
/** u8 each: the bits of a u64 that a symbol does not fill. */
const spareBits: usize = memory.data(ESCAPE);
/**
 * For each two bytes, little-endian, the first symbol that a text beginning with them can begin with, or ESCAPE. By one byte alone,
 * half of the time of taking in an index's programs was spent on symbols that the second byte rules out.
 */
const firsts: usize = memory.data(65536);

/** Reads SYMBOL_COUNT symbols, each followed by a space (src/sites/string-table.ts). */
export function setSymbols(at: usize): void {
	memory.fill(firsts, <u8>ESCAPE, 65536);
	for (let code: usize = 0; code < SYMBOL_COUNT; code++) {
		const symbol = symbols + (code << 3);
		let length: usize = 0;
		store<u64>(symbol, 0);
		for (; load<u8>(at) != SPACE; at++)
			store<u8>(symbol + length++, load<u8>(at));
		store<u8>(spareBits + code, <u8>(64 - (length << 3)));
		at++;
		const first = firsts + <usize>load<u8>(symbol);
		if (length > 1)
			noteFirst(first + ((<usize>load<u8>(symbol, 1)) << 8), code);
		else
			for (let next: usize = 0; next < 256; next++)
				noteFirst(first + (next << 8), code);
	}
}

function noteFirst(entry: usize, code: usize): void {
	if (load<u8>(entry) == <u8>ESCAPE) store<u8>(entry, <u8>code);
}

/** Writes a text's symbols at `to`, which takes at most twice its bytes; returns their end. May read past the text. */
export function encodeText(from: usize, end: usize, to: usize): usize {
	while (from < end) {
		const byte = load<u8>(from);
		const text = load<u64>(from);
		let code: u32 = load<u8>(firsts + <usize>load<u16>(from));
		for (; code < ESCAPE; code++) {
			const spare = <u64>load<u8>(spareBits + code);
			const symbol = load<u64>(symbols + ((<usize>code) << 3));
			if (<u8>symbol != byte) code = ESCAPE - 1;
			else if (
				(text ^ symbol) << spare == 0 &&
				from + 8 - <usize>(spare >> 3) <= end
			)
				break;
		}
		store<u8>(to++, code);
		if (code == ESCAPE) {
			store<u8>(to++, byte);
			from++;
		} else {
			from += 8 - <usize>(load<u8>(spareBits + code) >> 3);
		}
	}
	return to;
}

/** The end of the text that these symbols stand for if it is at `at`, else 0. */
export function behindText(from: usize, end: usize, at: usize): usize {
	while (from < end) {
		const code: u32 = load<u8>(from++);
		if (code == ESCAPE) {
			if (load<u8>(from++) != load<u8>(at++)) return 0;
			continue;
		}
		const spare = <u64>load<u8>(spareBits + code);
		const symbol = load<u64>(symbols + ((<usize>code) << 3));
		if ((load<u64>(at) ^ symbol) << spare) return 0;
		at += 8 - <usize>(spare >> 3);
	}
	return at;
}

/** Bytes of the text that these symbols stand for. */
export function textLength(from: usize, end: usize): usize {
	let length: usize = 0;
	for (; from < end; from++) {
		const code: u32 = load<u8>(from);
		if (code == ESCAPE) from++;
		length += code == ESCAPE ? 1 : 8 - <usize>(load<u8>(spareBits + code) >> 3);
	}
	return length;
}
