/**
 * URLs: the origin of one in its common form, its hash, and the slow path that brings any line's path to normal form (`locate`). Batches
 * call it for lines that their fast paths leave; an index hashes origins with it. The text must be followed by padding; what a URL parser
 * has to decide is left to the host.
 */
import { find, findAny, search } from "../bytes/scan";
import { CLASS_DROP, H_TABLE, PADDING, TABLE_NONE } from "../format/program";
import {
	IN_PATH,
	IN_QUERY,
	metDropped,
	normalise,
	tableAt,
	WHOLE,
} from "./normalise";

/**
 * Origins in their common form: "http://" or "https://", a host of lower-case letters, digits, "-", "." and "_", perhaps
 * a port. The URL standard parses such a host to itself, unless its last label is a number or a label begins with
 * "xn--" (§3.3, §3.5). Everything else is left to the host's URL parser.
 */

const HTTP_WORD: u32 = 0x70747468;
const COLON_SLASH_SLASH: u32 = 0x2f2f3a;
const COLON: u32 = 0x3a;
const DOT: u32 = 0x2e;
const LF: u32 = 0x0a;
const CR: u32 = 0x0d;

/** First byte of the authority of an http or https URL, or 0. */
export function authorityOf(start: usize): usize {
	if (load<u32>(start) != HTTP_WORD) return 0;
	const authority = start + (load<u8>(start, 4) == 0x73 ? 8 : 7);
	return (load<u32>(authority - 3) & 0xffffff) == COLON_SLASH_SLASH
		? authority
		: 0;
}

/** End of the origin at `start`, without a default port, in bytes that end with an LF; 0 if it does not have the common form. */
export function readOrigin(start: usize, authority: usize): usize {
	let at = hostEnd(authority);
	if (at == authority) return 0;
	let originEnd = at;
	if (load<u8>(at) == COLON) {
		const port = at + 1;
		let value: u32 = 0;
		while (isDigit(load<u8>(++at)) && at < port + 5)
			value = value * 10 + load<u8>(at) - 0x30;
		// An empty port, leading zeros or a number that is too large: the host's URL parser decides.
		if (at == port || load<u8>(port) == 0x30 || value > 0xffff) return 0;
		if (value != (authority - start == 8 ? 443 : 80)) originEnd = at;
	}
	const next: u32 = load<u8>(at);
	const isEnd =
		next == 0x2f ||
		next == 0x3f ||
		next == 0x23 ||
		next == LF ||
		(next == CR && load<u8>(at, 1) == LF);
	return isEnd ? originEnd : 0;
}

/** Where a URL goes on after its origin, whose end `readOrigin` gave: after the default port, ":80" or ":443", if there is one. */
export function afterPort(
	start: usize,
	authority: usize,
	originEnd: usize,
): usize {
	// "https://" is a byte longer than "http://", as ":443" is than ":80".
	if (load<u8>(originEnd) != COLON) return originEnd;
	return originEnd + (authority - start) - 4;
}

function isDigit(byte: u32): bool {
	return byte - 0x30 < 10;
}

/** First byte from `at` on that a host of the common form cannot contain. */
function hostEnd(at: usize): usize {
	// Most hosts end within 32 bytes: no loop whose end must be guessed.
	while (true) {
		const others =
			otherBytes(v128.load(at)) | (otherBytes(v128.load(at, 16)) << 16);
		if (others) return at + <usize>ctz(others);
		at += 32;
	}
}

/**
 * A bit for each of 16 bytes that is none of a host's. "-" to "9" is "-", ".", "/" and the digits. What is within a range becomes 0,
 * as SIMD code for unsigned "less than" takes three instructions.
 */
function otherBytes(bytes: v128): i32 {
	const letters = i8x16.sub_sat_u(
		i8x16.sub(bytes, i8x16.splat(0x61)),
		i8x16.splat(25),
	);
	const digits = i8x16.sub_sat_u(
		i8x16.sub(bytes, i8x16.splat(0x2d)),
		i8x16.splat(12),
	);
	const underscore = v128.xor(bytes, i8x16.splat(0x5f));
	const least = i8x16.min_u(i8x16.min_u(letters, digits), underscore);
	const host = i8x16.eq(least, i8x16.splat(0));
	const slash = i8x16.eq(bytes, i8x16.splat(0x2f));
	return i8x16.bitmask(v128.andnot(host, slash)) ^ 0xffff;
}

/** What a label begins with that encodes other letters. */
const PUNYCODE = memory.data<u8>([0x78, 0x6e, 0x2d, 0x2d]);

/**
 * Whether the URL standard surely takes a host of the common form, perhaps with a port, as it stands: its last label, one final dot aside,
 * begins with no digit, and "xn--" is nowhere in it.
 */
export function isPlainHost(authority: usize, end: usize): bool {
	if (search(PUNYCODE, 4, authority, end)) return false;
	let label = find(COLON, authority, end);
	if (load<u8>(label - 1) == DOT) label--;
	while (label > authority && load<u8>(label - 1) != DOT) label--;
	return !isDigit(load<u8>(label));
}

/** Bytes hashed at once, and of the keys. */
const HASH_BLOCK: usize = 32;
/** Random bytes that the host writes once. */
export const hashKeys: usize = memory.data(32);
const MIX: u64 = 0x9e3779b97f4a7c15;

/**
 * Hash of the bytes [from, end), at least one. In blocks it is NH of UMAC (RFC 4418 §5.2), whose collisions cannot be made
 * without the keys: anyone who can choose host names could otherwise make look-ups slow. Most hosts fit one block.
 */
export function hashBytesInline(from: usize, end: usize): u32 {
	let sum: u64 = <u64>(end - from);
	do {
		const size = min(end - from, HASH_BLOCK);
		sum = (sum ^ (sum >> 32)) * MIX + hashBlock(from, size);
		from += size;
	} while (from < end);
	sum = (sum ^ (sum >> 32)) * MIX;
	return <u32>(sum >> 32);
}

/** The same, called: batches of many sites take 5% less time when only they have it in place. */
export function hashBytes(from: usize, end: usize): u32 {
	return hashBytesInline(from, end);
}

/** Ones, then as many zeros: from HASH_BLOCK - size on, what keeps the first `size` bytes of a block. */
const KEPT = memory.data<u64>([-1, -1, -1, -1, 0, 0, 0, 0]);

function hashBlock(from: usize, size: usize): u64 {
	const kept = KEPT + HASH_BLOCK - size;
	const a = i32x4.add(
		v128.and(v128.load(from), v128.load(kept)),
		v128.load(hashKeys),
	);
	const b = i32x4.add(
		v128.and(v128.load(from, 16), v128.load(kept, 16)),
		v128.load(hashKeys, 16),
	);
	const products = i64x2.add(
		i64x2.extmul_low_i32x4_u(a, b),
		i64x2.extmul_high_i32x4_u(a, b),
	);
	return i64x2.extract_lane(products, 0) + i64x2.extract_lane(products, 1);
}

const SLASH: u32 = 0x2f;
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

/** First byte after "scheme://" (RFC 3986 §3.1), or 0 when the text does not begin so. */
function skipScheme(from: usize, end: usize): usize {
	if (from == end || (<u32>load<u8>(from) | 0x20) - 0x61 >= 26) return 0;
	while (from < end && isSchemeByte(load<u8>(from))) from++;
	if (from + 3 > end || load<u8>(from) != COLON || load<u16>(from, 1) != 0x2f2f)
		return 0;
	return from + 3;
}

/**
 * Writes path and query at `to`, with a "/" in front if they do not begin with one (it replaces a backslash), and a line feed after
 * them; returns their end.
 */
function copyPath(table: u32, from: usize, end: usize, to: usize): usize {
	if (from >= end) {
		store<u8>(to++, SLASH);
	} else if (load<u8>(from) != SLASH) {
		store<u8>(to++, SLASH);
		if (load<u8>(from) == BACKSLASH) from++;
	}
	if (table != TABLE_NONE) return copyNormal(table, from, from, end, to);
	memory.copy(to, from, end - from);
	to += end - from;
	store<u8>(to, LF);
	return to;
}

/** Writes path and query in normal form, which [from, special) is already, and a line feed after them; returns their end. */
export function copyNormal(
	table: u32,
	from: usize,
	special: usize,
	end: usize,
	to: usize,
): usize {
	const classes = tableAt(table);
	const start = to;
	to = normalise(classes, from, special, end, start, WHOLE);
	if (metDropped) to = normaliseDropping(classes, from, end, start);
	store<u8>(to, LF);
	return to;
}

/**
 * As `normalise`, without the bytes that the URL standard drops. They are dropped first, as an escape may have one inside, in a copy that
 * lies so far after `to` that the normal form, of up to three bytes for one, never reaches what is still to be read. What was read
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
	to = normalise(table, copy, copy, query, to, IN_PATH);
	return normalise(table, query, query, copyEnd, to, IN_QUERY);
}

/**
 * The slow path, for any line; `plainPath` (match/path-spans.ts) is the fast one. Writes path and query at `to`, in normal form, and
 * a line feed after them; returns their end, 0 if the line is neither an absolute URL nor a path.
 */
export function locate(
	program: usize,
	from: usize,
	end: usize,
	to: usize,
): usize {
	const table: u32 = load<u8>(program, H_TABLE);
	if (table == TABLE_NONE) return locateAsGoogle(from, end, to);
	// White space and control characters around a text are no part of it (URL standard §4.4).
	while (from < end && <u32>load<u8>(from) <= SPACE) from++;
	while (end > from && <u32>load<u8>(end - 1) <= SPACE) end--;
	if (from == end || load<u8>(from) != SLASH) {
		const path = usualPath(from, end);
		from = path ? path : pathOf(from, end);
		if (!from) return 0;
	}
	return copyPath(table, from, end, to);
}

/** Start of the path after "scheme://" and an authority; 0 if only `pathOf` can tell: a backslash, or an authority that may be empty. */
function usualPath(from: usize, end: usize): usize {
	let authority = authorityOf(from);
	if (!authority) authority = skipScheme(from, end);
	if (!authority || authority >= end) return 0;
	if (<u32>load<u8>(authority) <= SLASH) return 0;
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

/** The URL standard drops tabs and line ends wherever they stand (§4.4). */
function isDropped(byte: u32): bool {
	return byte == 0x09 || byte == 0x0a || byte == 0x0d;
}

/**
 * Start of the path of an absolute URL by the URL standard (§4.4), without white space around it, or 0. In special schemes a backslash is a
 * slash, and any number of slashes (even none) precedes the authority; in "file" and all other schemes exactly two. Of the authority it is
 * only checked that it is not empty.
 */
function pathOf(from: usize, end: usize): usize {
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
	return path == from ? 0 : path;
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
