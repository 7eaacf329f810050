import { entryAt } from "./entry";
import { FILTER_DEPTH, FILTER_SIZE } from "./format";

/**
 * Fills the tables of the filter (the idea is Hyperscan's "Teddy"). Keys are spread over eight bits; keys of the same bit
 * let each other's mixtures through, so they are dealt out in sorted order, neighbours together: those share their
 * first octets.
 */
export function buildFilter(filter: usize, sorted: usize, count: u32): void {
	memory.fill(filter, 0, FILTER_SIZE);
	let heads: u32 = 0;
	for (let i: u32 = 0; i < count; i++) if (isNewHead(sorted, i)) heads++;
	let index: u32 = 0;
	let bit: u8 = 0;
	for (let i: u32 = 0; i < count; i++) {
		if (!isNewHead(sorted, i)) continue;
		bit = 1 << (<u8>((index++ * 8) / heads));
		const entry = entryAt(sorted, i);
		for (let depth: u32 = 0; depth < <u32>FILTER_DEPTH; depth++) {
			const tables = filter + depth * 32;
			if (depth < entry.length)
				setNibbles(tables, load<u8>(entry.text + depth), bit);
			else setAll(tables, bit);
		}
	}
}

/** Whether the filter sees the key at `index` as another than the one in front of it. */
function isNewHead(sorted: usize, index: u32): bool {
	if (index == 0) return true;
	const entry = entryAt(sorted, index);
	const previous = entryAt(sorted, index - 1);
	const length = min<u32>(entry.length, FILTER_DEPTH);
	return (
		length != min<u32>(previous.length, FILTER_DEPTH) ||
		memory.compare(entry.text, previous.text, length) != 0
	);
}

function setAll(tables: usize, bit: u8): void {
	for (let i: usize = 0; i < 32; i++)
		store<u8>(tables + i, load<u8>(tables + i) | bit);
}

function setNibbles(tables: usize, octet: u32, bit: u8): void {
	const low = tables + (octet & 15),
		high = tables + 16 + (octet >> 4);
	store<u8>(low, load<u8>(low) | bit);
	store<u8>(high, load<u8>(high) | bit);
}
