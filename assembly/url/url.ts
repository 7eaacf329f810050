import { CLASS_DROP, H_TABLE, PADDING, TABLE_NONE } from "../format/program";
import { authorityOf } from "./authority";
import { IN_PATH, IN_QUERY, metDropped, normalise, WHOLE } from "./normalise";
import { tableAt } from "./tables";
import { find, findAny } from "../bytes/scan";

const SLASH: u32 = 0x2f;
const COLON: u32 = 0x3a;
const SEMICOLON: u32 = 0x3b;
const QUESTION_MARK: u32 = 0x3f;
const HASH: u32 = 0x23;
const BACKSLASH: u32 = 0x5c;
const SPACE: u32 = 0x20;

function isSchemeByte(byte: u32): bool {
	return (
		(byte | 0x20) - 0x61 < 26 ||
		byte - 0x30 < 10 ||
		byte == 0x2b ||
		byte == 0x2d ||
		byte == 0x2e
	);
}

/** First byte behind "scheme://" (RFC 3986 §3.1), or 0 when the text does not begin so. */
function skipScheme(from: usize, end: usize): usize {
	if (from == end || (<u32>load<u8>(from) | 0x20) - 0x61 >= 26) return 0;
	while (from < end && isSchemeByte(load<u8>(from))) from++;
	if (from + 3 > end || load<u8>(from) != COLON || load<u16>(from, 1) != 0x2f2f)
		return 0;
	return from + 3;
}

/**
 * Writes path and query at `to`, with a "/" in front if they do not begin with one (it replaces a backslash), and a line feed behind
 * them; returns their end.
 */
function copyPath(table: u32, from: usize, end: usize, to: usize): usize {
	if (from >= end) {
		store<u8>(to++, SLASH);
	} else if (load<u8>(from) != SLASH) {
		store<u8>(to++, SLASH);
		if (load<u8>(from) == BACKSLASH) from++;
	}
	if (table != TABLE_NONE) {
		const start = to;
		to = normalise(tableAt(table), from, end, start, WHOLE);
		if (metDropped) to = normaliseDropping(tableAt(table), from, end, start);
	} else {
		memory.copy(to, from, end - from);
		to += end - from;
	}
	store<u8>(to, 0x0a);
	return to;
}

/**
 * As `normalise`, without the bytes that the URL standard drops. They are dropped first, as an escape may have one inside, in a copy that
 * lies so far behind `to` that the normal form, of up to three bytes for one, never reaches what is still to be read. What was read
 * may be overwritten: so the "?" is found first.
 */
function normaliseDropping(
	table: usize,
	from: usize,
	end: usize,
	to: usize,
): usize {
	const copy = to + (end - from) * 2 + PADDING;
	let copyEnd = copy;
	for (; from < end; from++) {
		const byte: u32 = load<u8>(from);
		store<u8>(copyEnd, byte);
		copyEnd += usize((load<u8>(table + byte) & CLASS_DROP) == 0);
	}
	copyEnd = find(HASH, copy, copyEnd);
	const query = find(QUESTION_MARK, copy, copyEnd);
	to = normalise(table, copy, query, to, IN_PATH);
	return normalise(table, query, copyEnd, to, IN_QUERY);
}

/**
 * The slow path, for any line; `plainPath` (match/path-spans.ts) is the fast one. Writes path and query at `to`, in normal form, and
 * a line feed behind them; returns their end, 0 if the line is neither an absolute URL nor a path.
 */
export function locate(
	program: usize,
	from: usize,
	end: usize,
	to: usize,
): usize {
	const table: u32 = load<u8>(program, H_TABLE);
	if (table == TABLE_NONE) return locateAsGoogle(from, end, to);
	while (from < end && isDropped(load<u8>(from))) from++;
	if (from == end || load<u8>(from) != SLASH) {
		const path = usualPath(from, end);
		from = path ? path : pathOf(from, end);
		if (!from) return 0;
		if (!path) end = textEnd;
	}
	return copyPath(table, from, end, to);
}

/**
 * Start of the path behind "scheme://" and an authority; 0 if only `pathOf` can tell: a backslash, surrounding white space, or an
 * authority that may be empty.
 */
function usualPath(from: usize, end: usize): usize {
	let authority = authorityOf(from);
	if (!authority) authority = skipScheme(from, end);
	if (!authority || authority >= end) return 0;
	if (<u32>load<u8>(authority) <= SLASH || <u32>load<u8>(end - 1) <= SPACE)
		return 0;
	const path = findDelimiter(authority, end);
	if (path == authority) return 0;
	return path < end && load<u8>(path) == BACKSLASH ? 0 : path;
}

/** Position of the first of "/", "?", "#" and a backslash in [from, end), or `end`. */
function findDelimiter(from: usize, end: usize): usize {
	for (; from < end; from += 16) {
		const chunk = v128.load(from);
		// "/" and "?" differ in one bit.
		const slashes = i8x16.eq(
			v128.or(chunk, i8x16.splat(0x10)),
			i8x16.splat(0x3f),
		);
		const others = v128.or(
			i8x16.eq(chunk, i8x16.splat(0x23)),
			i8x16.eq(chunk, i8x16.splat(0x5c)),
		);
		const found = i8x16.bitmask(v128.or(slashes, others));
		if (found) return min(from + ctz(found), end);
	}
	return end;
}

/** Schemes that the URL standard calls special (§4.2), their letters in a number, the last one lowest. */
const HTTP: u64 = 0x68747470;
const HTTPS: u64 = 0x6874747073;
const WS: u64 = 0x7773;
const WSS: u64 = 0x777373;
const FTP: u64 = 0x667470;
const FILE: u64 = 0x66696c65;

/** End of the text that `pathOf` has read, without white space. */
let textEnd: usize = 0;

/** The URL standard drops tabs and line ends wherever they stand (§4.4). */
function isDropped(byte: u32): bool {
	return byte == 0x09 || byte == 0x0a || byte == 0x0d;
}

/**
 * Start of the path of an absolute URL by the URL standard (§4.4), or 0. Surrounding white space and control characters are skipped.
 * In special schemes a backslash is a slash, and any number of slashes (even none) precedes the authority; in "file" and all other
 * schemes exactly two. The authority itself is not checked.
 */
function pathOf(from: usize, end: usize): usize {
	while (from < end && <u32>load<u8>(from) <= SPACE) from++;
	while (end > from && <u32>load<u8>(end - 1) <= SPACE) end--;
	textEnd = end;
	if (from == end || (<u32>load<u8>(from) | 0x20) - 0x61 >= 26) return 0;
	let scheme: u64 = 0;
	for (; from < end; from++) {
		const byte: u32 = load<u8>(from);
		if (isSchemeByte(byte)) scheme = (scheme << 8) | (byte | 0x20);
		else if (!isDropped(byte)) break;
	}
	if (from == end || load<u8>(from) != COLON) return 0;
	const anySlashes =
		scheme == HTTP ||
		scheme == HTTPS ||
		scheme == FTP ||
		scheme == WS ||
		scheme == WSS;
	const special = anySlashes || scheme == FILE;
	let slashes: u32 = 0;
	for (from++; from < end; from++) {
		const byte: u32 = load<u8>(from);
		if (isDropped(byte)) continue;
		if (byte != SLASH && !(special && byte == BACKSLASH)) break;
		if (!anySlashes && slashes == 2) break;
		slashes++;
	}
	if (!anySlashes && slashes < 2) return 0;
	let path = findAny(SLASH, QUESTION_MARK, HASH, from, end);
	if (special) path = find(BACKSLASH, from, path);
	return path == from && anySlashes ? 0 : path;
}

/**
 * Path, parameters and query as Google's library finds them in any text. Two leading slashes are skipped, "://" ends a scheme only
 * before the first of "/?;", a "#" before the path leaves "/", and the path, a C string there, ends at a NUL.
 */
function locateAsGoogle(from: usize, end: usize, to: usize): usize {
	const line = from;
	if (end - from >= 2 && load<u16>(from) == 0x2f2f) from += 2;
	const searchStart = from;
	const early = findAny(SLASH, QUESTION_MARK, SEMICOLON, from, end);
	if (
		early > line &&
		early > searchStart &&
		early + 1 < end &&
		load<u8>(early - 1) == COLON &&
		load<u16>(early) == 0x2f2f
	) {
		from = early + 2;
	}
	let path = findAny(SLASH, QUESTION_MARK, SEMICOLON, from, end);
	const hash = find(HASH, searchStart, end);
	if (path == end || hash < path) path = end;
	else end = find(0, path, hash);
	return copyPath(TABLE_NONE, path, end, to);
}
