/**
 * Percent-encoding (RFC 9309 §2.2.2, RFC 3986 §2), once for rules and URLs, steered by a table of byte classes. compile/read-rule.ts calls
 * it for patterns, url.ts for URLs on the slow path; both must use the same table.
 *
 * The standard's normal form escapes what is not ASCII, "*", "$" and what no URL contains (space, "<", "{" …). Comparing needs only some
 * form that is equal exactly when the standard's is, so this one keeps such bytes bare: UTF-8 paths need no work at all, and rules take a
 * third of the room. Rule lengths count them as the three bytes of their escape.
 *
 * Every "%" with two hex digits after it is an escape, in one pass: a "%" without them stays as it is, and escapes behind it are decoded as
 * anywhere ("%3%41" becomes "%3A"). Where that spells an escape whose byte this form keeps bare, the byte is written: "%C%33" becomes what
 * "%C3" is, as both are "%C3" in the standard's form.
 */
import { copyForward, find, inClasses, PLAIN_STOPS } from "../bytes/scan";
import {
	CLASS_COUNTS_AS_ESCAPE,
	CLASS_DECODE,
	CLASS_DECODE_IN_QUERY,
	CLASS_DROP,
	CLASS_ESCAPE,
	TABLE_SIZE,
} from "../format/program";

/**
 * The tables are data of the module, as instances that share a memory may start while others read: one that filled the hex digits in when it
 * started gave others wrong verdicts. test/units/tables.test.ts derives them from what the standards say.
 */

/**
 * Byte classes: for each normalisation table (format/program.ts: TABLE_BARE, TABLE_GOOGLE, TABLE_ESCAPED) the CLASS_ flags of each byte.
 * Unreserved characters (RFC 3986 §2.3) are decoded; gen-delims (RFC 9309 §2.2.2, the example "?baz=https://foo.bar") in a query; bytes
 * above 127, those that no URL contains (RFC 3986 §2), "*" and "$" are bare or escaped (RFC 9309 §2.2.2, §2.2.3); tab, line feed and carriage
 * return are dropped from URLs, and escaped in rules: a path may not contain the line feed that ends it.
 */
// biome-ignore format: 32 bytes a line
const TABLES = memory.data<u8>([
	// TABLE_BARE
	9, 9, 9, 9, 9, 9, 9, 9, 9, 20, 20, 9, 9, 20, 9, 9, 9, 9, 9, 9, 9, 9, 9, 9, 9, 9, 9, 9, 9, 9, 9, 9,
	9, 0, 9, 2, 9, 0, 0, 0, 0, 0, 9, 0, 0, 1, 1, 2, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 2, 0, 9, 0, 9, 2,
	2, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 2, 9, 2, 9, 1,
	9, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 9, 9, 9, 1, 9,
	9, 9, 9, 9, 9, 9, 9, 9, 9, 9, 9, 9, 9, 9, 9, 9, 9, 9, 9, 9, 9, 9, 9, 9, 9, 9, 9, 9, 9, 9, 9, 9,
	9, 9, 9, 9, 9, 9, 9, 9, 9, 9, 9, 9, 9, 9, 9, 9, 9, 9, 9, 9, 9, 9, 9, 9, 9, 9, 9, 9, 9, 9, 9, 9,
	9, 9, 9, 9, 9, 9, 9, 9, 9, 9, 9, 9, 9, 9, 9, 9, 9, 9, 9, 9, 9, 9, 9, 9, 9, 9, 9, 9, 9, 9, 9, 9,
	9, 9, 9, 9, 9, 9, 9, 9, 9, 9, 9, 9, 9, 9, 9, 9, 9, 9, 9, 9, 9, 9, 9, 9, 9, 9, 9, 9, 9, 9, 9, 9,
	// TABLE_GOOGLE
	0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
	0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
	0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
	0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
	4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4,
	4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4,
	4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4,
	4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4,
	// TABLE_ESCAPED
	4, 4, 4, 4, 4, 4, 4, 4, 4, 20, 20, 4, 4, 20, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4,
	4, 0, 4, 2, 4, 0, 0, 0, 0, 0, 4, 0, 0, 1, 1, 2, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 2, 0, 4, 0, 4, 2,
	2, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 2, 4, 2, 4, 1,
	4, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 4, 4, 4, 1, 4,
	4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4,
	4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4,
	4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4,
	4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4,
]);

export function tableAt(index: u32): usize {
	return TABLES + <usize>index * TABLE_SIZE;
}

// biome-ignore format: 32 bytes a line
const HEX_VALUES = memory.data<u8>([
	255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255,
	255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 255, 255, 255, 255, 255, 255,
	255, 10, 11, 12, 13, 14, 15, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255,
	255, 10, 11, 12, 13, 14, 15, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255,
	255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255,
	255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255,
	255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255,
	255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255,
]);

/** The value of a hex digit, or 255. */
export function hexValue(byte: u32): u32 {
	return load<u8>(HEX_VALUES + byte);
}

/**
 * For every set of eight bytes the indices of those in it, a byte each, the first one lowest. Each instance computes it when it starts, as 2
 * KB of data would be 0.5 KB of a user's bundle. One that shares a memory stores what is there already.
 */
const CHOICES = memory.data(256 * 8, 8);

function fillChoices(): void {
	for (let set: u32 = 1; set < 256; set++) {
		let indices: u64 = 0;
		let shift: u64 = 0;
		for (let left = set; left; left &= left - 1, shift += 8)
			indices |= (<u64>ctz(left)) << shift;
		store<u64>(CHOICES + ((<usize>set) << 3), indices);
	}
}

fillChoices();

/** Eight bytes: the indices of the bytes in a set. */
export function choiceAt(set: usize): usize {
	return CHOICES + (set << 3);
}

/**
 * Sets of ASCII bytes for `decodeSimple`, from TABLE_BARE: for each low hex digit of an escape, a bit for each high one. Those that are
 * decoded anywhere, those that are also decoded in a query, and those that are not decoded.
 */
const DECODED = memory.data(48, 16);
const DECODED_IN_QUERY: usize = DECODED + 16;
const KEPT: usize = DECODED + 32;
/** The bit of each high digit; from 8 on, all: what is not ASCII is decoded, and each low digit has some ASCII byte that is. */
const HIGH_BITS = memory.data<u8>([
	1, 2, 4, 8, 16, 32, 64, 128, 255, 255, 255, 255, 255, 255, 255, 255,
]);

/** Stores each byte once, as threads that share a memory may read it meanwhile: it has its value already, as in `fillChoices`. */
function fillSets(): void {
	for (let low: u32 = 0; low < 16; low++) {
		let decoded: u32 = 0;
		let inQuery: u32 = 0;
		for (let high: u32 = 0; high < 8; high++) {
			const kind: u32 = load<u8>(TABLES + ((high << 4) | low));
			decoded |= u32((kind & CLASS_DECODE) != 0) << high;
			inQuery |= u32((kind & CLASS_DECODE_IN_QUERY) != 0) << high;
		}
		inQuery |= decoded;
		store<u8>(DECODED + low, decoded);
		store<u8>(DECODED_IN_QUERY + low, inQuery);
		store<u8>(KEPT + low, ~inQuery);
	}
}

fillSets();

const CR: u32 = 0x0d;
const HASH: u32 = 0x23;
const PERCENT: u32 = 0x25;
const QUESTION_MARK: u32 = 0x3f;
/** "a" and what follows it. */
const SMALL_LETTERS: u32 = 0x61;

function hexDigit(value: u32): u32 {
	return value < 10 ? value + 0x30 : value + 0x37;
}

function storeEscape(to: usize, byte: u32): usize {
	store<u8>(to, 0x25);
	store<u8>(to, hexDigit(byte >> 4), 1);
	store<u8>(to, hexDigit(byte & 15), 2);
	return to + 3;
}

/** The byte of the escape at an address, if it stands there as `storeEscape` writes it; else some byte that no table keeps bare. */
function escapeAt(at: usize): u32 {
	const first: u32 = load<u8>(at, 1);
	const second: u32 = load<u8>(at, 2);
	const high = hexValue(first);
	const low = hexValue(second);
	const isWritten =
		(high | low) < 16 && first < SMALL_LETTERS && second < SMALL_LETTERS;
	return isWritten ? (high << 4) | low : PERCENT;
}

/** What a text is: all of a path, with its query. */
export const WHOLE: u32 = 0;
/** It stands in front of the first "?". */
export const IN_PATH: u32 = 1;
/** It stands after the first "?", or begins with it. */
export const IN_QUERY: u32 = 2;

/** The last `normalise` met a byte that the URL standard drops from URLs, and wrote its escape. */
export let metDropped: bool = false;

/**
 * Writes the normal form of [from, end), up to a "#", and returns its end; up to 16 bytes more may be written. Takes at most three
 * bytes per byte read. [from, special) is known to be its own normal form, and only copied.
 */
export function normalise(
	table: usize,
	from: usize,
	special: usize,
	end: usize,
	to: usize,
	part: u32,
): usize {
	metDropped = false;
	// Where the last "%" without two hex digits was written, 0 without one.
	let stray: usize = 0;
	let query = part == IN_QUERY;
	// No bare "?" stands in front of it, unless `query`.
	let passed = from;
	to = copyForward(from, special - from, to);
	from = special;
	const simple = (load<u8>(table, 128) & CLASS_DECODE) != 0;
	while (true) {
		if (simple && to > stray + 2) {
			to = decodeSimple(query ? DECODED_IN_QUERY : DECODED, from, end, to);
			from = stoppedAt;
		}
		if (from >= end) break;
		let byte: u32 = load<u8>(from);
		if (byte == PERCENT) {
			// Bytes after the text may be read, but do not belong to it.
			const high = hexValue(load<u8>(from, 1));
			const low = hexValue(load<u8>(from, 2));
			if ((high | low) < 16 && from + 2 < end) {
				const escaped = (high << 4) | low;
				const kind: u32 = load<u8>(table + escaped);
				if (kind & CLASS_DECODE_IN_QUERY && !query && part == WHOLE) {
					passed = find(QUESTION_MARK, passed, from);
					query = passed < from;
				}
				from += 2;
				if (kind & CLASS_DECODE || (query && kind & CLASS_DECODE_IN_QUERY)) {
					byte = escaped;
				} else {
					from++;
					to = storeEscape(to, escaped);
					continue;
				}
			} else stray = to;
		} else if (byte == HASH) {
			break;
		} else {
			const kind: u32 = load<u8>(table + byte);
			if (kind & CLASS_DROP) metDropped = true;
			if (kind & CLASS_ESCAPE) {
				to = storeEscape(to, byte);
				from++;
				continue;
			}
		}
		from++;
		store<u8>(to++, byte);
		if (to - stray == 3) {
			const spelled = escapeAt(stray);
			if (load<u8>(table + spelled) & CLASS_COUNTS_AS_ESCAPE) {
				store<u8>(stray, spelled);
				to = stray + 1;
			}
			stray = 0;
		}
	}
	return to;
}

/** Where `decodeSimple` stopped. */
let stoppedAt: usize = 0;

/** Of the first eight bytes, writes those in a set; returns the end of them. */
function storeChoice(bytes: v128, set: usize, to: usize): usize {
	const choice = v128.load64_zero(choiceAt(set));
	v128.store64_lane(to, i8x16.swizzle(bytes, choice), 0);
	return to + <usize>popcnt(set);
}

/** Bytes to fill vectors with. As constants they would be created in every round of a loop, which takes as long as its work. */
const FILLS = memory.data<u8>([
	0x25, 0xc6, 6, 0x10, 0xdf, 0x41, 10, 8, 15, 0x23, 0x0d, 0x61,
]);

/**
 * Copies bytes, decodes escapes of a set and of what is not ASCII, and keeps those that stay as they are, up to the first "#", other "%"
 * or byte up to CR; returns the end of what was written. Takes 16 bytes at a time whatever they are: words in other scripts are runs of
 * escapes, whose ends were mispredicted when it took a run at a time. A search for "#" of its own, in front, took 6% of an escaped
 * line's time.
 */
function decodeSimple(set: usize, from: usize, end: usize, to: usize): usize {
	stoppedAt = end;
	if (from >= end) return to;
	const percent = v128.load8_splat(FILLS),
		lift = v128.load8_splat(FILLS, 1),
		six = v128.load8_splat(FILLS, 2),
		sixteen = v128.load8_splat(FILLS, 3),
		upper = v128.load8_splat(FILLS, 4),
		a = v128.load8_splat(FILLS, 5),
		ten = v128.load8_splat(FILLS, 6),
		eight = v128.load8_splat(FILLS, 7),
		fifteen = v128.load8_splat(FILLS, 8),
		hash = v128.load8_splat(FILLS, 9),
		cr = v128.load8_splat(FILLS, 10);
	// Of the bytes at `from`, those that end an escape.
	let digits: u32 = 0;
	while (true) {
		const text = v128.load(from),
			first = v128.load(from, 1),
			second = v128.load(from, 2);
		const percents = i8x16.eq(text, percent);
		// Values of hex digits, and more than 15 for what is none.
		const high = i8x16.min_u(
			i8x16.add(i8x16.sub_sat_u(i8x16.add(first, lift), six), sixteen),
			i8x16.add_sat_u(i8x16.sub(v128.and(first, upper), a), ten),
		);
		const low = i8x16.min_u(
			i8x16.add(i8x16.sub_sat_u(i8x16.add(second, lift), six), sixteen),
			i8x16.add_sat_u(i8x16.sub(v128.and(second, upper), a), ten),
		);
		// At most 15 where the first digit is from 8 to 15 and the second from 0 to 15.
		const lowered = v128.xor(high, eight);
		const checked = i8x16.max_u(i8x16.add_sat_u(lowered, lowered), low);
		const values = v128.or(i16x8.shl(v128.and(high, fifteen), 4), low);
		let bytes = v128.bitselect(values, text, percents);
		const within: u32 = (1 << (<u32>min<usize>(end - from, 18))) - 1;
		let escapes =
			i8x16.bitmask(v128.and(percents, i8x16.le_u(checked, fifteen))) &
			(within >> 2);
		let others =
			i8x16.bitmask(
				v128.or(v128.or(percents, i8x16.eq(text, hash)), i8x16.le_u(text, cr)),
			) &
			~escapes &
			within;
		if (others) {
			// Escapes of ASCII bytes, apart: paths in other scripts have none, and would take 7% more.
			const none = i8x16.splat(0);
			// No bits where either is no digit.
			const bit = v128.and(percents, i8x16.swizzle(v128.load(HIGH_BITS), high));
			const isDecoded = i8x16.ne(
				v128.and(bit, i8x16.swizzle(v128.load(set), low)),
				none,
			);
			// With small letters, it is written anew.
			const isKept = v128.andnot(
				i8x16.ne(v128.and(bit, i8x16.swizzle(v128.load(KEPT), low)), none),
				v128.or(
					isDecoded,
					i8x16.ge_u(i8x16.max_u(first, second), v128.load8_splat(FILLS, 11)),
				),
			);
			const decoded = i8x16.bitmask(isDecoded) & (within >> 2);
			escapes |= decoded;
			others &= ~(decoded | (i8x16.bitmask(isKept) & (within >> 2)));
			bytes = v128.bitselect(text, bytes, isKept);
		}
		digits |= (escapes << 1) | (escapes << 2);
		const kept = ((others & -others) - 1) & within & ~digits & 0xffff;
		to = storeChoice(bytes, kept & 255, to);
		to = storeChoice(v128.shuffle<i64>(bytes, bytes, 1, 1), kept >> 8, to);
		if (others || end - from <= 16) {
			if (others) stoppedAt = from + ctz(others);
			return to;
		}
		digits >>= 16;
		from += 16;
	}
}

/**
 * Copies [from, end) to `to` as long as no byte has another normal form or length than its own in any table: up to the first "%", "#",
 * "*", "$", byte that no URL contains or that is not ASCII. Returns where it stopped; up to 16 bytes more may be written.
 */
export function copyPlain(from: usize, end: usize, to: usize): usize {
	for (; from < end; from += 16, to += 16) {
		const text = v128.load(from);
		v128.store(to, text);
		const stops = plainStops(text);
		if (stops) return min(from + ctz(stops), end);
	}
	return end;
}

/** Number of bytes in [from, end) at which `copyPlain` stops; reads 16 bytes more. */
export function countSpecial(from: usize, end: usize): u32 {
	let count: u32 = 0;
	for (; from < end; from += 16) {
		const stops = plainStops(v128.load(from));
		const left = <u32>min<usize>(end - from, 16);
		count += popcnt(stops & ((1 << left) - 1));
	}
	return count;
}

/** A bit for each byte at which `copyPlain` stops. */
function plainStops(text: v128): i32 {
	return i8x16.bitmask(inClasses(text, PLAIN_STOPS));
}

/**
 * Bytes of a normal form that count for precedence: those of the standard's escaped form, but one for the escape of a byte that is
 * decoded in the query. A literal after a "*" has a form for the path and one for the query, and both have to count alike.
 */
export function countedLength(table: usize, from: usize, end: usize): u32 {
	let length: u32 = 0;
	for (; from < end; from++) {
		const byte: u32 = load<u8>(from);
		if (byte == PERCENT && from + 2 < end) {
			const high = hexValue(load<u8>(from, 1));
			const low = hexValue(load<u8>(from, 2));
			if (
				(high | low) < 16 &&
				load<u8>(table + ((high << 4) | low)) & CLASS_DECODE_IN_QUERY
			)
				from += 2;
		}
		length += load<u8>(table + byte) & CLASS_COUNTS_AS_ESCAPE ? 3 : 1;
	}
	return length;
}
