import { Entry } from "./emit";
import {
	FILTER_SIZE,
	H_HEAD_BITS,
	HEADER_SIZE,
	MAX_HEAD_BITS,
	MIN_HEAD_BITS,
	OCTET_SET_SIZE,
} from "./format";
import { headBit, setsEnd } from "./match";
import { pointerAt } from "./sort";

/**
 * Fills the tables of the filter (as Hyperscan's "Teddy" does for pairs of octets). Keys are spread over eight bits;
 * keys of the same bit may let each other's mixtures through, so they are dealt out in sorted order, neighbours together:
 * those share their first octet.
 */
export function buildFilter(filter: usize, sorted: usize, count: u32): void {
	memory.fill(filter, 0, FILTER_SIZE);
	let pairs: u32 = 0;
	let previous: u32 = u32.MAX_VALUE;
	for (let i: u32 = 0; i < count; i++) {
		const pair = pairOf(sorted, i);
		if (pair != previous) pairs++;
		previous = pair;
	}
	previous = u32.MAX_VALUE;
	let index: u32 = 0;
	for (let i: u32 = 0; i < count; i++) {
		const pair = pairOf(sorted, i);
		if (pair == previous) continue;
		previous = pair;
		const bit: u8 = 1 << (<u8>((index++ * 8) / pairs));
		setNibbles(filter, pair >> 9, bit);
		if (pair & 256) {
			for (let j: usize = 32; j < 64; j++)
				store<u8>(filter + j, load<u8>(filter + j) | bit);
		} else {
			setNibbles(filter + 32, pair & 255, bit);
		}
	}
}

/** The key's first two octets; bit 8 says that there is only one. */
function pairOf(sorted: usize, index: u32): u32 {
	const entry = changetype<Entry>(pointerAt(sorted, index));
	const first = (<u32>load<u8>(entry.text)) << 9;
	return entry.length > 1 ? first | load<u8>(entry.text + 1) : first | 256;
}

function setNibbles(tables: usize, octet: u32, bit: u8): void {
	const low = tables + (octet & 15),
		high = tables + 16 + (octet >> 4);
	store<u8>(low, load<u8>(low) | bit);
	store<u8>(high, load<u8>(high) | bit);
}

/** Bits of the head set: 16 an entry let one in 16 unrelated paths through. */
export function headBits(entries: u32): u32 {
	let bits: u32 = MIN_HEAD_BITS;
	while (bits < <u32>MAX_HEAD_BITS && (<u32>1) << bits < entries * 16) bits++;
	return bits;
}

/** Fills the octet set and the head set for entries of the prefix code; returns what lies behind them. */
export function buildSets(program: usize, sorted: usize, count: u32): usize {
	const bits = headBits(count);
	const end = program + setsEnd(bits);
	const octets = program + HEADER_SIZE;
	const heads = octets + OCTET_SET_SIZE;
	memory.fill(octets, 0, end - octets);
	store<u8>(program, bits, H_HEAD_BITS);
	for (let i: u32 = 0; i < count; i++) {
		const entry = changetype<Entry>(pointerAt(sorted, i));
		if (entry.length > 3) {
			setBit(heads, headBit(entry.text + 1, bits));
		} else if (entry.length > 1) {
			setBit(octets, load<u8>(entry.text + 1));
		} else {
			// "/$": what follows the path's "/" is its line end.
			setBit(octets, 0x0a);
			setBit(octets, 0x0d);
		}
	}
	return end;
}

function setBit(bits: usize, index: u32): void {
	const octet = bits + (index >> 3);
	store<u8>(octet, <u32>load<u8>(octet) | ((<u32>1) << (index & 7)));
}
