/**
 * What a column looks like: an address in that of the client, nothing quoted behind the last one. A line whose fields were cut may still be of
 * another format, with a column more in front or headers behind; cut-lines.ts asks here, and the host then decides about lines that are odd.
 * Nearly every line has an IPv4 address, which takes one look at sixteen bytes.
 */

import { endOf, startOf } from "./fields";
import {
	FIELD_BYTES,
	FIELD_IP,
	OPTION_ADDRESS,
	OPTION_IDENT,
	OPTION_NO_HEADERS,
} from "./format";

const SPACE: u32 = 0x20;
const QUOTE: u32 = 0x22;
const PERCENT: u32 = 0x25;
const STAR: u32 = 0x2a;
const COMMA: u32 = 0x2c;
const DASH: u32 = 0x2d;
const POINT: u32 = 0x2e;
const COLON: u32 = 0x3a;
const OPEN_BRACKET: u32 = 0x5b;
const CLOSE_BRACKET: u32 = 0x5d;
const UNDERSCORE: u32 = 0x5f;
/** " \"", and "- " */
const BLANK_QUOTE: u32 = 0x2220;
const DASH_BLANK: u32 = 0x202d;
/** "unix", which Nginx writes with a colon for clients of a socket. */
const UNIX: u32 = 0x78696e75;

/** Whether a line has nothing but blanks. */
export function isBlank(from: usize, end: usize): bool {
	while (from < end && (load<u8>(from) == SPACE || load<u8>(from) == 0x09))
		from++;
	return from == end;
}

/** Whether the fields of the line at hand are what the options of the format say. */
export function areColumns(options: u32): bool {
	if (options & OPTION_NO_HEADERS && hasHeaders()) return false;
	return (
		!(options & OPTION_ADDRESS) ||
		isClient(startOf(FIELD_IP), endOf(FIELD_IP), (options & OPTION_IDENT) != 0)
	);
}

/** Whether quoted fields follow the number of bytes, whose field is the rest of the line. */
function hasHeaders(): bool {
	const end = endOf(FIELD_BYTES);
	let at = startOf(FIELD_BYTES);
	while (at < end && load<u8>(at) != SPACE) at++;
	return at + 1 < end && load<u16>(at) == BLANK_QUOTE;
}

/** Whether a text may be a client: an address, a list of them, a host name, or a dash for none. */
function isClient(from: usize, end: usize, hasIdent: bool): bool {
	const length = end - from;
	if (length <= 16) {
		// Points, digits and colons (a port) only, and three points.
		const bytes = v128.load(from);
		const text = ((<u32>1) << (<u32>length)) - 1;
		const others = i8x16.bitmask(
			i8x16.gt_u(
				i8x16.sub(bytes, i8x16.splat(<i8>POINT)),
				i8x16.splat(<i8>(COLON - POINT)),
			),
		);
		const points = i8x16.bitmask(i8x16.eq(bytes, i8x16.splat(<i8>POINT)));
		if (!(<u32>others & text) && popcnt(<u32>points & text) == 3) return true;
	}
	return isUnusual(from, end, hasIdent);
}

/** The same for everything but a short IPv4 address. */
function isUnusual(from: usize, end: usize, hasIdent: bool): bool {
	if (from == end) return false;
	const ident: u32 = load<u16>(end, 1);
	if (load<u8>(from) == QUOTE && from + 2 < end && load<u8>(end - 1) == QUOTE) {
		from++;
		end--;
	}
	if (load<u8>(from) == DASH && from + 1 == end) return true;
	if (load<u32>(from) == UNIX && load<u8>(from, 4) == COLON) return true;
	let isName = true,
		colons: u32 = 0,
		points: u32 = 0,
		digits: u32 = 0,
		hasGap = false,
		isGroup = true,
		isList = false;
	for (let at = from; at < end; at++) {
		const byte: u32 = load<u8>(at);
		// Of a list the first item is looked at.
		if (byte == COMMA) {
			// Cut off at the first blank, within the list.
			if (at + 1 == end) return false;
			isList = true;
			break;
		}
		if (byte == COLON) {
			if (at > from && load<u8>(at - 1) == COLON) hasGap = true;
			colons++;
			digits = 0;
			continue;
		}
		if (byte == POINT) {
			points++;
			digits = 0;
			continue;
		}
		if (byte - 0x30 < 10 || (byte | 0x20) - 0x61 < 6) {
			if (++digits > 5) isGroup = false;
			continue;
		}
		// A bracket around an IPv6 address, its zone.
		if (byte == OPEN_BRACKET || byte == CLOSE_BRACKET) {
			isName = false;
			continue;
		}
		if (byte == PERCENT && colons > 1) break;
		isGroup = false;
		if (
			(byte | 0x20) - 0x61 >= 26 &&
			byte != DASH &&
			byte != STAR &&
			byte != UNDERSCORE
		)
			return false;
	}
	if (colons)
		return isGroup && (hasGap || colons > 5 || (colons == 1 && points == 3));
	return isName && (isList || !hasIdent || ident == DASH_BLANK);
}
