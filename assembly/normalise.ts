import {
	CLASS_COUNTS_AS_ESCAPE,
	CLASS_DECODE,
	CLASS_DECODE_IN_QUERY,
	CLASS_ESCAPE,
	TABLE_SIZE,
} from "./format";
import { tables } from "./memory";

/**
 * Percent-encoding (RFC 9309 §2.2.2, RFC 3986 §2), once for rules and URLs, steered by a table of octet classes.
 *
 * The standard's normal form escapes what is not ASCII and "*", "$". Comparing needs only some form that is equal
 * exactly when the standard's is, so this one keeps such octets bare: UTF-8 paths need no work at all, and
 * rules take a third of the room. Rule lengths count them as the three octets of their escape.
 */

/** Whether the last call of `normalise` met a bare "?" or began behind one. */
export let inQuery: bool = false;

const PERCENT: u32 = 0x25;
const QUESTION_MARK: u32 = 0x3f;

export function tableAt(index: u32): usize {
	return tables + <usize>index * TABLE_SIZE;
}

/** The value of a hex digit, or 255. */
function hexValue(octet: u32): u32 {
	return load<u8>(HEX_VALUES + octet);
}

const HEX_VALUES = memory.data(256);
memory.fill(HEX_VALUES, 255, 256);
for (let value: u32 = 0; value < 16; value++) {
	store<u8>(HEX_VALUES + hexDigit(value), value);
	store<u8>(HEX_VALUES + (hexDigit(value) | 0x20), value);
}

function hexDigit(value: u32): u32 {
	return value < 10 ? value + 0x30 : value + 0x37;
}

function storeEscape(to: usize, octet: u32): usize {
	store<u8>(to, 0x25);
	store<u8>(to, hexDigit(octet >> 4), 1);
	store<u8>(to, hexDigit(octet & 15), 2);
	return to + 3;
}

/**
 * Writes the normal form of [from, end) and returns its end. Takes at most three octets per octet read;
 * `query` says whether the text begins behind the first "?".
 */
export function normalise(
	table: usize,
	from: usize,
	end: usize,
	to: usize,
	query: bool,
): usize {
	const begin = to;
	let stray = false;
	const decodesNonAscii = (load<u8>(table, 128) & CLASS_DECODE) != 0;
	while (from < end) {
		const octet: u32 = load<u8>(from);
		if (octet == PERCENT) {
			if (ASC_FEATURE_SIMD && decodesNonAscii) {
				const written = decodeRun(from, end, to);
				if (written != to) {
					from += (written - to) * 3;
					to = written;
					continue;
				}
			}
			// What follows the text may be read, but is no part of it.
			const high = hexValue(load<u8>(from, 1));
			const low = hexValue(load<u8>(from, 2));
			if ((high | low) < 16 && from + 2 < end) {
				const escaped = (high << 4) | low;
				const kind: u32 = load<u8>(table + escaped);
				from += 3;
				if (kind & CLASS_DECODE || (query && kind & CLASS_DECODE_IN_QUERY)) {
					store<u8>(to++, escaped);
				} else {
					to = storeEscape(to, escaped);
				}
				continue;
			}
			stray = true;
		} else if (load<u8>(table + octet) & CLASS_ESCAPE) {
			to = storeEscape(to, octet);
			from++;
			continue;
		} else if (octet == QUESTION_MARK) {
			query = true;
		}
		store<u8>(to++, octet);
		from++;
	}
	inQuery = query;
	return stray ? foldEscapes(table, begin, to) : to;
}

/**
 * Replaces the run of escapes of octets that are not ASCII at `from`, and returns the end of the octets written at `to`,
 * which may be followed by eight more. Words in other scripts are such runs: one by one they take four times as long.
 */
function decodeRun(from: usize, end: usize, to: usize): usize {
	const percent = i8x16.splat(<i8>PERCENT);
	// "%XX" side by side: where digits stand, first the first ones, then the second ones.
	const places = i8x16(
		0,
		-1,
		-1,
		0,
		-1,
		-1,
		0,
		-1,
		-1,
		0,
		-1,
		-1,
		0,
		-1,
		-1,
		0,
	);
	const firsts = i8x16(
		1,
		4,
		7,
		10,
		13,
		16,
		16,
		16,
		16,
		16,
		16,
		16,
		16,
		16,
		16,
		16,
	);
	const seconds = i8x16(
		2,
		5,
		8,
		11,
		14,
		16,
		16,
		16,
		16,
		16,
		16,
		16,
		16,
		16,
		16,
		16,
	);
	while (true) {
		const text = v128.load(from);
		const digits = i8x16.sub(text, i8x16.splat(0x30));
		const letters = i8x16.sub(
			v128.or(text, i8x16.splat(0x20)),
			i8x16.splat(0x61),
		);
		const isDigit = i8x16.lt_u(digits, i8x16.splat(10));
		const isHex = v128.or(isDigit, i8x16.lt_u(letters, i8x16.splat(6)));
		const expected = v128.bitselect(isHex, i8x16.eq(text, percent), places);
		const values = v128.bitselect(
			digits,
			i8x16.add(letters, i8x16.splat(10)),
			isDigit,
		);
		const octets = v128.or(
			i8x16.shl(i8x16.swizzle(values, firsts), 4),
			i8x16.swizzle(values, seconds),
		);
		v128.store64_lane(to, octets, 0);
		// Up to five escapes: a third of the octets that are as expected, as far as they lie in the text and are not ASCII.
		const triples = (ctz(~i8x16.bitmask(expected) | 0x8000) * 11) >> 5;
		const others = ctz(~i8x16.bitmask(octets) | 32);
		const count: usize = min<usize>(min(triples, others), (end - from) / 3);
		to += count;
		if (count < 5) return to;
		from += 15;
	}
}

/**
 * A "%" that begins no escape may meet two decoded hex digits ("%%44%30"). The standard's normal form then reads
 * like the escape of an octet that is kept bare here; folding it keeps both forms equally discerning.
 */
function foldEscapes(table: usize, from: usize, end: usize): usize {
	let to = from;
	for (; from < end; from++, to++) {
		const octet: u32 = load<u8>(from);
		if (octet == PERCENT && from + 2 < end) {
			const high: u32 = load<u8>(from, 1);
			const low: u32 = load<u8>(from, 2);
			const digits = hexValue(high) | hexValue(low);
			const escaped = (hexValue(high) << 4) | hexValue(low);
			// Lower-case digits are no part of a normal form.
			if (
				digits < 16 &&
				high < 0x60 &&
				low < 0x60 &&
				load<u8>(table + escaped) & CLASS_COUNTS_AS_ESCAPE
			) {
				store<u8>(to, escaped);
				from += 2;
				continue;
			}
		}
		store<u8>(to, octet);
	}
	return to;
}

/** Octets that a normal form has in the standard's spelling. */
export function spelledLength(table: usize, from: usize, end: usize): u32 {
	let length: u32 = 0;
	for (; from < end; from++)
		length += load<u8>(table + load<u8>(from)) & CLASS_COUNTS_AS_ESCAPE ? 3 : 1;
	return length;
}
