import { Entry, entryAt } from "./entry";
import {
	FILTER_DEPTH,
	FILTER_SECOND,
	FILTER_SIZE,
	FILTER_THIRD,
} from "../format/program";

/**
 * The tables of the prefilter (the idea is Hyperscan's "Teddy"). Needles are spread over eight bits. Needles of the same bit let
 * mixtures of their bytes through, so they should be alike.
 */

const BITS: u32 = 8;

/**
 * For each byte of a group of needles a u32: a bit for each low nibble; from bit 16 on, for each high nibble of the first byte. Then the
 * costs of the group and of it and the next one as one, which are kept since most merges leave most of them as they are.
 */
const GROUP_SIZE: usize = 20;
const NIBBLES_SIZE: usize = 12;
const COST: usize = 12;
const COST_WITH_NEXT: usize = 16;
const MAX_GROUPS: u32 = 64;
const groups: usize = memory.data(64 * 20);

/**
 * Fills the tables. Neighbours in sorted order share their first bytes: the two neighbouring groups whose union costs least are
 * merged until there is one group for each bit. Groups of equal size let half as many positions again through.
 */
export function buildFilter(filter: usize, sorted: usize, count: u32): void {
	let prefixes: u32 = 0;
	for (let i: u32 = 0; i < count; i++) if (isNewPrefix(sorted, i)) prefixes++;
	const size = (prefixes + MAX_GROUPS - 1) / MAX_GROUPS;
	memory.fill(groups, 0, 64 * GROUP_SIZE);
	let index: u32 = 0;
	for (let i: u32 = 0; i < count; i++) {
		if (!isNewPrefix(sorted, i)) continue;
		addPrefix(groups + (index++ / size) * GROUP_SIZE, entryAt(sorted, i));
	}
	let left = (prefixes + size - 1) / size;
	if (left > BITS) setCosts(groups, groups + <usize>left * GROUP_SIZE);
	while (left > BITS) mergeNeighbours(left--);
	memory.fill(filter, 0, FILTER_SIZE);
	for (let bit: u32 = 0; bit < left; bit++) {
		const group = groups + bit * GROUP_SIZE;
		// The table for the high nibbles follows the one for the low ones.
		fillTable(filter, load<u32>(group), bit);
		fillTable(filter + FILTER_SECOND, load<u32>(group, 4), bit);
		fillTable(filter + FILTER_THIRD, load<u32>(group, 8), bit);
	}
}

function fillTable(table: usize, nibbles: u32, bit: u32): void {
	for (; nibbles; nibbles &= nibbles - 1) {
		const entry = table + <usize>ctz(nibbles);
		store<u8>(entry, <u32>load<u8>(entry) | (1 << bit));
	}
}

/** Whether the needle at `index` differs from the one before it in the bytes that the prefilter tests. */
function isNewPrefix(sorted: usize, index: u32): bool {
	if (index == 0) return true;
	const entry = entryAt(sorted, index);
	const previous = entryAt(sorted, index - 1);
	const length = min<u32>(entry.length, FILTER_DEPTH);
	return (
		length != min<u32>(previous.length, FILTER_DEPTH) ||
		memory.compare(entry.text, previous.text, length) != 0
	);
}

/** Adds the first bytes of a needle to a group. Bytes behind a short needle may be anything. */
function addPrefix(group: usize, entry: Entry): void {
	for (let depth: u32 = 0; depth < <u32>FILTER_DEPTH; depth++, group += 4) {
		let nibbles: u32 = -1;
		if (depth < entry.length) {
			const byte: u32 = load<u8>(entry.text + depth);
			nibbles = (1 << (byte & 15)) | (0x10000 << (byte >> 4));
		}
		if (depth) nibbles &= 0xffff;
		store<u32>(group, load<u32>(group) | nibbles);
	}
}

/** Sets the costs of groups from one on; there is none from `end` on. */
function setCosts(group: usize, end: usize): void {
	for (; group < end; group += GROUP_SIZE) {
		const next = group + GROUP_SIZE;
		store<i32>(group, cost(group, group), COST);
		if (next < end) store<i32>(group, cost(group, next), COST_WITH_NEXT);
	}
}

/** Makes one group of the two neighbours for which that lets least more through. */
function mergeNeighbours(count: u32): void {
	const last = groups + (<usize>count - 1) * GROUP_SIZE;
	let least = i32.MAX_VALUE;
	let best: usize = 0;
	for (let group = groups; group < last; group += GROUP_SIZE) {
		const more =
			load<i32>(group, COST_WITH_NEXT) -
			load<i32>(group, COST) -
			load<i32>(group + GROUP_SIZE, COST);
		if (more >= least) continue;
		least = more;
		best = group;
	}
	const next = best + GROUP_SIZE;
	for (let i: usize = 0; i < NIBBLES_SIZE; i += 4)
		store<u32>(best + i, load<u32>(best + i) | load<u32>(next + i));
	memory.copy(next, next + GROUP_SIZE, last - next);
	setCosts(
		max(best, groups + GROUP_SIZE) - GROUP_SIZE,
		min(next + GROUP_SIZE, last),
	);
}

/** How much two groups let through as one: the mixtures, high nibbles of small letters counting three times. */
function cost(a: usize, b: usize): i32 {
	const high = (load<u32>(a) | load<u32>(b)) >> 16;
	let product = <i32>(popcnt(high) + 2 * popcnt(high & 0xc0));
	for (let i: usize = 0; i < NIBBLES_SIZE; i += 4)
		product *= <i32>popcnt((load<u32>(a + i) | load<u32>(b + i)) & 0xffff);
	return product;
}
