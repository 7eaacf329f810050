/**
 * Cuts a line that is a JSON object into fields, the values of the keys that the host wants (useKeys). The whole line is checked to be JSON.
 * Anything unusual is left to the host, whose JSON.parse then decides alone what it means: an escape or a byte beyond ASCII in a wanted
 * text, a wanted key that comes twice, a value of another type, invalid JSON. See packages/audit/src/formats/json-lines.ts for the other reader
 * and why there are two.
 */

import {
	FIELD_AGENT,
	FIELD_COUNT,
	FIELD_HOST,
	FIELD_IP,
	FIELD_QUERY,
	FIELD_REQUEST,
	FIELD_STATUS,
	FIELD_TARGET,
	FIELD_TIME,
	KEYS_HEADER,
	KEY_SIZE,
	KEY_WHOLE,
} from "./format";
import { equal, find, findAny } from "../../../assembly/bytes/scan";
import { clearFields, endOf, setBounds, startOf } from "./fields";
import { Key, Keys } from "./layout";

/** Wanted keys of the outermost object. */
let root: usize = 0;
/** The line at hand, counted from 1. */
let lineNumber: u32 = 0;
/** For each field the rank of the key that it was taken from; the lowest wins. */
const ranks: usize = memory.data(FIELD_COUNT * 4);
/** The text of a field that is absent: "-". */
const dash: usize = memory.data<u8>([0x2d, 0x0a]);

/** Deepest nesting of objects and lists; deeper ones are left to the host, as these functions recurse. */
const DEEPEST: u32 = 24;

const TAB: u32 = 0x09;
const LF: u32 = 0x0a;
const CR: u32 = 0x0d;
const SPACE: u32 = 0x20;
const QUOTE: u32 = 0x22;
const HASH: u32 = 0x23;
const COMMA: u32 = 0x2c;
const DASH: u32 = 0x2d;
const POINT: u32 = 0x2e;
const SLASH: u32 = 0x2f;
const ZERO: u32 = 0x30;
const COLON: u32 = 0x3a;
const QUESTION_MARK: u32 = 0x3f;
const OPEN_BRACKET: u32 = 0x5b;
const BACKSLASH: u32 = 0x5c;
const CLOSE_BRACKET: u32 = 0x5d;
const OPEN_BRACE: u32 = 0x7b;
const CLOSE_BRACE: u32 = 0x7d;

/** Sets the tree of wanted keys; see KEY_SIZE. */
export function useKeys(tree: usize): void {
	root = tree;
}

// All functions below take the position of what they read and return the position after it, or 0 for what they leave to the host.

/** The first byte that is not a blank. The line feed is none, so that the search ends with the line. */
function skipBlanks(at: usize): usize {
	let byte: u32 = load<u8>(at);
	while (byte == SPACE || byte == TAB || byte == CR) byte = load<u8>(++at);
	return at;
}

/** The first quote, backslash or control character. The line feed is one, so that the search ends with the line. */
function stopInline(at: usize): usize {
	const quotes = i8x16.splat(<i8>QUOTE),
		backslashes = i8x16.splat(<i8>BACKSLASH),
		blanks = i8x16.splat(<i8>SPACE);
	while (true) {
		const bytes = v128.load(at);
		const stops = i8x16.bitmask(
			v128.or(
				v128.or(i8x16.eq(bytes, quotes), i8x16.eq(bytes, backslashes)),
				i8x16.lt_u(bytes, blanks),
			),
		);
		if (stops) return at + <usize>ctz(stops);
		at += 16;
	}
}

/** Whether the text that was read last has an escape. */
let hasEscape: bool = false;

function isHex(byte: u32): bool {
	return byte - ZERO < 10 || (byte | 0x20) - 0x61 < 6;
}

/** The quote that ends the text whose first quote is just before `at`. */
function endOfText(at: usize): usize {
	hasEscape = false;
	while (true) {
		at = stopInline(at);
		const byte: u32 = load<u8>(at);
		if (byte == QUOTE) return at;
		if (byte != BACKSLASH) return 0;
		hasEscape = true;
		switch (<u32>load<u8>(at, 1)) {
			case QUOTE:
			case BACKSLASH:
			case SLASH:
			case 0x62:
			case 0x66:
			case 0x6e:
			case 0x72:
			case 0x74:
				at += 2;
				break;
			case 0x75:
				for (let digit = at + 2; digit < at + 6; digit++)
					if (!isHex(load<u8>(digit))) return 0;
				at += 6;
				break;
			default:
				return 0;
		}
	}
}

/** The first byte that is not a digit. */
function digits(at: usize): usize {
	while (<u32>load<u8>(at) - ZERO < 10) at++;
	return at;
}

/** A number without sign and exponent. */
function plainNumber(at: usize): usize {
	let end = digits(at);
	if (end == at || (load<u8>(at) == ZERO && end > at + 1)) return 0;
	if (load<u8>(end) != POINT) return end;
	at = end + 1;
	end = digits(at);
	return end == at ? 0 : end;
}

/** Any number of JSON. */
function number(at: usize): usize {
	if (load<u8>(at) == DASH) at++;
	at = plainNumber(at);
	if (!at || (load<u8>(at) | 0x20) != 0x65) return at;
	at++;
	const sign: u32 = load<u8>(at);
	if (sign == DASH || sign == 0x2b) at++;
	const end = digits(at);
	return end == at ? 0 : end;
}

/** Any value, which is not wanted and only checked. */
function value(at: usize, depth: u32): usize {
	switch (<u32>load<u8>(at)) {
		case QUOTE: {
			const end = endOfText(at + 1);
			return end ? end + 1 : 0;
		}
		case OPEN_BRACE:
			return object(at + 1, 0, depth + 1);
		case OPEN_BRACKET:
			return list(at + 1, depth + 1);
		// "true", "null", "alse"
		case 0x74:
			return load<u32>(at) == 0x65757274 ? at + 4 : 0;
		case 0x6e:
			return isNull(at) ? at + 4 : 0;
		case 0x66:
			return load<u32>(at, 1) == 0x65736c61 ? at + 5 : 0;
	}
	return number(at);
}

function isNull(at: usize): bool {
	return load<u32>(at) == 0x6c6c756e;
}

/** A list whose bracket is just before `at`. */
function list(at: usize, depth: u32): usize {
	if (depth > DEEPEST) return 0;
	at = skipBlanks(at);
	if (load<u8>(at) == CLOSE_BRACKET) return at + 1;
	at = value(at, depth);
	return at ? restOfList(at, depth) : 0;
}

/** What follows an element of a list. */
function restOfList(at: usize, depth: u32): usize {
	while (true) {
		at = skipBlanks(at);
		const byte: u32 = load<u8>(at);
		if (byte == CLOSE_BRACKET) return at + 1;
		if (byte != COMMA) return 0;
		at = value(skipBlanks(at + 1), depth);
		if (!at) return 0;
	}
}

/** An object whose brace is just before `at`; `keys` are its wanted keys, 0 if it has none. */
function object(at: usize, keys: usize, depth: u32): usize {
	if (depth > DEEPEST) return 0;
	at = skipBlanks(at);
	if (load<u8>(at) == CLOSE_BRACE) return at + 1;
	while (true) {
		if (load<u8>(at) != QUOTE) return 0;
		const from = at + 1;
		const to = endOfText(from);
		if (!to || (keys && hasEscape)) return 0;
		const key = keys ? keyOf(keys, from, to - from) : 0;
		at = skipBlanks(to + 1);
		if (load<u8>(at) != COLON) return 0;
		at = skipBlanks(at + 1);
		at = key ? wantedValue(at, changetype<Key>(key), depth) : value(at, depth);
		if (!at) return 0;
		at = skipBlanks(at);
		const byte: u32 = load<u8>(at);
		if (byte == CLOSE_BRACE) return at + 1;
		if (byte != COMMA) return 0;
		at = skipBlanks(at + 1);
	}
}

/** The wanted key of this text; 0 if it is not wanted. */
function keyOf(list: usize, text: usize, length: usize): usize {
	const keys = changetype<Keys>(list);
	if (!((keys.lengths >> min<u64>(<u64>length, 63)) & 1)) return 0;
	const firstBytes = load<u64>(text);
	let at = list + KEYS_HEADER;
	const end = at + <usize>keys.count * <usize>KEY_SIZE;
	for (; at < end; at += KEY_SIZE) {
		const key = changetype<Key>(at);
		if (
			key.length == <u32>length &&
			!((firstBytes ^ key.firstBytes) & key.mask) &&
			(length <= 8 || equal(text, key.text, length))
		)
			return at;
	}
	return 0;
}

/** The value of a wanted key. */
function wantedValue(at: usize, key: Key, depth: u32): usize {
	// JSON.parse takes the last of two; leave it to the host.
	if (key.line == lineNumber) return 0;
	key.line = lineNumber;
	const byte: u32 = load<u8>(at);
	if (byte == OPEN_BRACE)
		return key.child && !key.field ? object(at + 1, key.child, depth + 1) : 0;
	if (byte == OPEN_BRACKET) {
		// The first element counts, which a list may lack.
		if (key.child) return 0;
		at = skipBlanks(at + 1);
		if (load<u8>(at) == CLOSE_BRACKET) return at + 1;
		at = scalar(at, key);
		return at ? restOfList(at, depth + 1) : 0;
	}
	if (!key.field) return value(at, depth);
	if (isNull(at)) return key.rank & KEY_WHOLE ? 0 : at + 4;
	return scalar(at, key);
}

/** A text or a number for a key's field. */
function scalar(at: usize, key: Key): usize {
	let from = at,
		to: usize = 0,
		next: usize = 0;
	if (load<u8>(at) == QUOTE) {
		from++;
		to = endOfText(from);
		if (!to || hasEscape || !isAscii(from, to)) return 0;
		next = to + 1;
	} else {
		to = plainNumber(at);
		if (!to) return 0;
		// Longer ones lose digits, others are written in another way.
		const isExact = to - from <= 15 && find(POINT, from, to) == to;
		if (!isExact && (key.field != FIELD_TIME || key.twin)) return 0;
		// An exponent.
		if ((load<u8>(to) | 0x20) == 0x65) return 0;
		next = to;
	}
	take(key.field, key.rank & (KEY_WHOLE - 1), from, to);
	const twin = key.twin;
	if (twin) take(twin & (KEY_WHOLE - 1), twin / KEY_WHOLE, from, to);
	return next;
}

/** Sets a field, unless a key of a lower rank has set it already. */
function take(field: u32, rank: u32, from: usize, to: usize): void {
	const best = ranks + ((<usize>field) << 2);
	if (rank >= load<u32>(best)) return;
	store<u32>(best, rank);
	setBounds(field, from, to);
}

/** Whether a text is ASCII. Other bytes may be invalid UTF-8, which JSON.parse's caller replaces. */
function isAscii(from: usize, end: usize): bool {
	for (; from + 16 <= end; from += 16)
		if (i8x16.bitmask(v128.load(from))) return false;
	for (; from < end; from++) if (load<u8>(from) & 0x80) return false;
	return true;
}

/** Makes a field that is absent "-". */
function complete(field: i32): void {
	if (!endOf(field)) setBounds(field, dash, dash + 1);
}

/** Whether the path has a query of its own. */
function hasQuery(): bool {
	const end = endOf(FIELD_TARGET);
	return find(QUESTION_MARK, startOf(FIELD_TARGET), end) < end;
}

/** Reduces a URL in FIELD_HOST to its host, and a path to nothing; as `hostOf` in json-lines.ts. */
function trimHost(): void {
	if (!endOf(FIELD_HOST)) return;
	const end = endOf(FIELD_HOST);
	if (load<u8>(startOf(FIELD_HOST)) == SLASH) {
		setBounds(FIELD_HOST, 0, 0);
		return;
	}
	const slash = find(SLASH, startOf(FIELD_HOST), end);
	if (slash + 2 > end || load<u16>(slash - 1) != 0x2f3a) return;
	if (load<u8>(slash, 1) != SLASH) return;
	const from = slash + 2;
	setBounds(FIELD_HOST, from, findAny(SLASH, QUESTION_MARK, HASH, from, end));
}

/** Cuts the line at `start`, and returns where its line feed is; 0 if the host has to. */
export function cutJson(start: usize, hasTime: bool): usize {
	lineNumber++;
	clearFields();
	memory.fill(ranks, 0xff, FIELD_COUNT * 4);
	let at = skipBlanks(start);
	if (load<u8>(at) != OPEN_BRACE) return 0;
	at = object(at + 1, root, 0);
	if (!at) return 0;
	at = skipBlanks(at);
	if (load<u8>(at) != LF) return 0;
	if (!endOf(FIELD_TARGET) && !endOf(FIELD_REQUEST)) return 0;
	if (hasTime && !endOf(FIELD_TIME)) return 0;
	// The request line is what the client sent; it takes precedence over the path that the server made of it.
	if (endOf(FIELD_REQUEST)) setBounds(FIELD_TARGET, 0, 0);
	else if (hasQuery()) setBounds(FIELD_QUERY, 0, 0);
	trimHost();
	complete(FIELD_HOST);
	complete(FIELD_IP);
	if (startOf(FIELD_STATUS) == endOf(FIELD_STATUS))
		setBounds(FIELD_STATUS, dash, dash + 1);
	complete(FIELD_AGENT);
	return at;
}
