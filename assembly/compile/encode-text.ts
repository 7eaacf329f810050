/**
 * Writes texts in the symbols of sites/string-table.ts, always the longest that the rest of the text begins with. Only write-compact.ts
 * calls it, after `listSymbols`. It is a file of its own, apart from the symbols, since an index's module needs those but not the 129 KiB
 * of tables here.
 */
import {
	ESCAPE,
	SYMBOL_COUNT,
	spareBits,
	symbolSize,
	symbols,
} from "../sites/string-table";

/**
 * For each two bytes, little-endian, a step (u16) from there: the longest of the symbols of one or two bytes that a text beginning with
 * them begins with, or ESCAPE; from CLASS_AT on a class if a longer symbol begins with them, else 0; from SIZE_AT on twice the symbol's
 * bytes.
 */
const steps: usize = memory.data(131072);
const CLASS_AT: u32 = 8;
const LAST_CLASS: u32 = 31;
const SIZE_AT: u32 = 13;

/** For each byte a u32 with a bit for each class: it is the third byte of a symbol whose first two have that class. */
const thirds: usize = memory.data(1024);

/** Lists of longer symbols by a hash of their first three bytes: the first of each list, and for each symbol the next one; ESCAPE ends them. */
const LIST_BITS: u32 = 10;
const firsts: usize = memory.data(1 << 10);
const nexts: usize = memory.data(ESCAPE);
const HASH: u32 = -1640531535;

function listOf(text: u64): usize {
	return firsts + <usize>(((<u32>text & 0xffffff) * HASH) >>> (32 - LIST_BITS));
}

function stepOf(pair: u32): usize {
	return steps + ((<usize>pair) << 1);
}

function setStep(pair: u32, code: u32, size: u32): void {
	const longer = classOf(load<u16>(stepOf(pair))) << CLASS_AT;
	store<u16>(stepOf(pair), code | longer | (size << (SIZE_AT + 1)));
}

function classOf(step: u32): u32 {
	return (step >> CLASS_AT) & LAST_CLASS;
}

function classesOf(third: u32): usize {
	return thirds + ((<usize>third) << 2);
}

let isListed: bool = false;

/** Lists the symbols, once. */
export function listSymbols(): void {
	if (isListed) return;
	isListed = true;
	for (let pair: u32 = 0; pair < 65536; pair++) setStep(pair, ESCAPE, 1);
	memory.fill(firsts, <u8>ESCAPE, 1 << LIST_BITS);
	let lastClass: u32 = 0;
	// Of symbols that begin alike the longer ones come first, and are to be tried first.
	for (let code = <u32>SYMBOL_COUNT; code-- > 0; ) {
		const symbol = load<u64>(symbols + ((<usize>code) << 3));
		const size = symbolSize(code);
		const pair = <u32>symbol & 0xffff;
		if (size > 2) {
			const list = listOf(symbol);
			store<u8>(nexts + code, load<u8>(list));
			store<u8>(list, <u8>code);
			const step = stepOf(pair);
			if (!classOf(load<u16>(step))) {
				// Some classes have several pairs.
				lastClass = (lastClass % LAST_CLASS) + 1;
				store<u16>(step, load<u16>(step) | (lastClass << CLASS_AT));
			}
			const classes = classesOf((<u32>symbol >> 16) & 0xff);
			const bit: u32 = 1 << classOf(load<u16>(step));
			store<u32>(classes, load<u32>(classes) | bit);
		} else if (size == 2) {
			setStep(pair, code, 2);
		} else {
			for (let next: u32 = 0; next < 256; next++)
				setStep(pair | (next << 8), code, 1);
		}
	}
}

/** Bytes that `encodeText` takes at `list`. */
export function listSize(length: usize): usize {
	return (length + 8) << 1;
}

/**
 * Writes a text's symbols at `to`, which takes at most twice its bytes; returns their end. May read past the text. The steps from all of
 * its bytes are listed first: each step waits for the one before it, and that must not wait for tables, too.
 */
export function encodeText(
	from: usize,
	end: usize,
	to: usize,
	list: usize,
): usize {
	if (from == end) return to;
	let next = list;
	for (let at = from; at < end; at += 8, next += 16) {
		store<u16>(next, load<u16>(stepOf(load<u16>(at))));
		store<u16>(next, load<u16>(stepOf(load<u16>(at, 1))), 2);
		store<u16>(next, load<u16>(stepOf(load<u16>(at, 2))), 4);
		store<u16>(next, load<u16>(stepOf(load<u16>(at, 3))), 6);
		store<u16>(next, load<u16>(stepOf(load<u16>(at, 4))), 8);
		store<u16>(next, load<u16>(stepOf(load<u16>(at, 5))), 10);
		store<u16>(next, load<u16>(stepOf(load<u16>(at, 6))), 12);
		store<u16>(next, load<u16>(stepOf(load<u16>(at, 7))), 14);
	}
	// After the last byte stands one that no symbol has.
	const last = list + ((end - from - 1) << 1);
	store<u16>(last, load<u16>(stepOf(load<u8>(end - 1))));
	for (next = list; next <= last; ) {
		const step: u32 = load<u16>(next);
		const at = from + ((next - list) >> 1);
		let code = step & 255;
		next += <usize>(step >> SIZE_AT);
		if ((load<u32>(classesOf(load<u8>(at, 2))) >> classOf(step)) & 1) {
			const longer = longerSymbol(at, end);
			if (longer != ESCAPE) {
				code = longer;
				next = list + ((at - from + symbolSize(code)) << 1);
			}
		}
		// The byte after an escape; of others it is overwritten.
		store<u8>(to, code);
		store<u8>(to, load<u8>(at), 1);
		to += 1 + <usize>(code == ESCAPE);
	}
	return to;
}

/** The longest symbol of more than two bytes that a text begins with, or ESCAPE. */
function longerSymbol(from: usize, end: usize): u32 {
	const missing = 8 - min<usize>(end - from, 8);
	const text = load<u64>(from) & (u64.MAX_VALUE >> (missing << 3));
	let code: u32 = load<u8>(listOf(text));
	while (code != ESCAPE && !begins(text, code)) code = load<u8>(nexts + code);
	return code;
}

function begins(text: u64, code: u32): bool {
	const symbol = load<u64>(symbols + ((<usize>code) << 3));
	return (text ^ symbol) << spareBits(code) == 0;
}
