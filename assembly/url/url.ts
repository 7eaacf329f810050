import { H_TABLE, TABLE_NONE } from "../format/program";
import { normalise, tableAt } from "./normalise";
import { find, findAny } from "../bytes/scan";

/** End of the path and query that `locate` wrote. */
export let pathEnd: usize = 0;

const SLASH: u32 = 0x2f;
const COLON: u32 = 0x3a;
const SEMICOLON: u32 = 0x3b;
const QUESTION_MARK: u32 = 0x3f;
const HASH: u32 = 0x23;

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

/** Writes path and query at `to`; a "/" goes in front when they do not begin with one. */
function copyPath(table: u32, from: usize, end: usize, to: usize): void {
	if (from >= end || load<u8>(from) != SLASH) store<u8>(to++, SLASH);
	if (table != TABLE_NONE) {
		to = normalise(tableAt(table), from, end, to, false);
	} else {
		memory.copy(to, from, end - from);
		to += end - from;
	}
	store<u8>(to, 0x0a);
	pathEnd = to;
}

/**
 * Any line: the general way, taken when the short cut of `plainPath` (records.ts) does not apply. Writes path and query at `to`, in
 * normal form, and a line feed behind them; false when the line is neither an absolute URL nor a path.
 */
export function locate(
	program: usize,
	from: usize,
	end: usize,
	to: usize,
): bool {
	const table: u32 = load<u8>(program, H_TABLE);
	if (table == TABLE_NONE) {
		locateAsGoogle(from, end, to);
		return true;
	}
	if (from < end && load<u8>(from) == SLASH) {
		copyPath(table, from, end, to);
		return true;
	}
	const authority = skipScheme(from, end);
	if (!authority) return false;
	copyPath(table, findAny(SLASH, QUESTION_MARK, HASH, authority, end), end, to);
	return true;
}

/**
 * What Google's library takes for path, parameters and query: every text has them. Two leading slashes are passed
 * over, ":" "//" counts as the end of a scheme only in front of the first of "/?;", a "#" in front of the path
 * leaves "/", and the path, a C string there, ends at a NUL.
 */
function locateAsGoogle(from: usize, end: usize, to: usize): void {
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
	copyPath(TABLE_NONE, path, end, to);
}
