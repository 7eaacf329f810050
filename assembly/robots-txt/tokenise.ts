import {
	FIELD_AGENT,
	FIELD_ALLOW,
	FIELD_DISALLOW,
	FIELD_OTHER,
	FIELD_SITEMAP,
	MAX_LINE_BYTES,
	OTHER_ALLOW_OUTSIDE,
	OTHER_DISALLOW_OUTSIDE,
	OTHER_FIELD,
	OTHER_MISSPELLED,
	OTHER_NO_COLON,
	OTHER_NO_NAME,
	OTHER_NUL,
	OTHER_SITEMAP,
	OTHER_TRUNCATED,
	READ_LENIENT,
	READ_LETTERS_ONLY,
	READ_NUL_ENDS_LINE,
} from "../format/records";
import { fieldOf } from "./fields";
import {
	addAgent,
	addOther,
	addRule,
	beginLine,
	beginLists,
	endLists,
	hasAgents,
	noteLongLine,
} from "./lists";

/**
 * Cuts a robots.txt into lines, fields and values (RFC 9309 §2.2) and lists them as records (format/records.ts). The host interprets
 * them.
 */

const LF: u32 = 10;
const CR: u32 = 13;
/** CR and LF, little-endian. */
const CRLF: u32 = 0x0a0d;
const SPACE: u32 = 32;
const HASH: u32 = 35;
const DASH: u32 = 45;
const COLON: u32 = 58;

let flags: u32 = 0;

/**
 * Reads [from, end) of the file at `file`, at most `maxLine` bytes of each line; `readFlags` are READ_. Returns the address of LISTS
 * (format/records.ts), which hold until the next file, or 0 when memory cannot grow. May read 16 bytes behind the end.
 */
export function tokeniseFile(
	file: usize,
	from: usize,
	end: usize,
	readFlags: u32,
	maxLine: usize,
): usize {
	beginLists(file, end - from);
	flags = readFlags;
	while (from < end) {
		// Rules count from the first user-agent line on.
		if (hasAgents()) from = readUsualLines(from, end);
		if (from < end) from = readLine(from, end, maxLine);
	}
	return endLists();
}

/** "disallow", "allow", and the letters of "user-agent" on both sides of its "-", little-endian. */
const DISALLOW: u64 = 0x776f6c6c61736964;
const ALLOW: u64 = 0x776f6c6c61;
const USER: u32 = 0x72657375;
const AGENT: u64 = 0x746e656761;
/** Makes capital letters small ones. */
const SMALL: u64 = 0x2020202020202020;
const SMALL_5: u64 = 0x2020202020;
const FIVE_BYTES: u64 = 0xffffffffff;

/**
 * Fast path: reads lines as long as each is empty, or a rule or user-agent line in the usual form, that is, the field name at the start
 * of the line, a colon behind it, no comment and no control character but the line end. Returns the first line that is not. Halves the
 * time of tokenising.
 */
function readUsualLines(from: usize, end: usize): usize {
	if (ASC_FEATURE_SIMD) {
		// Line ends, NUL and other white space than SPACE.
		const control = i8x16.splat(14),
			hash = i8x16.splat(<i8>HASH);
		// Words are read within the file only.
		while (from + 16 < end) {
			const word = load<u64>(from);
			let value = from;
			let allow = false;
			let agent = false;
			if ((word | SMALL) == DISALLOW && load<u8>(from, 8) == COLON) value += 9;
			else if (
				((word & FIVE_BYTES) | SMALL_5) == ALLOW &&
				load<u8>(from, 5) == COLON
			) {
				value += 6;
				allow = true;
			} else if (isUserAgent(from)) {
				value += 11;
				agent = true;
			} else {
				const ends = <u32>word & 0xffff;
				const isEmpty = (ends & 0xff) == LF || ends == CRLF;
				if (!isEmpty) return from;
				beginLine();
				from += ends == CRLF ? 2 : 1;
				continue;
			}
			let at = value;
			let stops = 0;
			for (; at < end; at += 16) {
				const text = v128.load(at);
				stops = i8x16.bitmask(
					v128.or(i8x16.lt_u(text, control), i8x16.eq(text, hash)),
				);
				if (stops || at - from > USUAL_LENGTH) break;
			}
			at += ctz(stops);
			if (!stops || at >= end) return from;
			const stop: u32 = load<u8>(at);
			let next = at + 1;
			if (stop == CR) {
				if (next >= end) return from;
				if (load<u8>(next) == LF) next++;
			} else if (stop != LF) return from;
			let to = at;
			while (value < to && load<u8>(value) == SPACE) value++;
			while (to > value && load<u8>(to - 1) == SPACE) to--;
			beginLine();
			if (agent) addAgent(value, to, tokenEnd(value, to));
			else addRule(allow, value, to);
			from = next;
		}
	}
	return from;
}

/** Whether a line begins with "user-agent:". */
function isUserAgent(from: usize): bool {
	return (
		(load<u32>(from) | <u32>SMALL) == USER &&
		load<u8>(from, 4) == DASH &&
		((load<u64>(from, 5) & FIVE_BYTES) | SMALL_5) == AGENT &&
		load<u8>(from, 10) == COLON
	);
}

/** Longer lines may be longer than what is read of a line. */
const USUAL_LENGTH: usize = 4096;

/** The first colon, "#" and NUL of the line; the largest address if there is none. */
let colon: usize = 0;
let comment: usize = 0;
let nul: usize = 0;

/** Finds the end of the line at `from`, and its first colon, "#" and NUL. */
function scanLine(from: usize, end: usize): usize {
	colon = comment = nul = usize.MAX_VALUE;
	if (ASC_FEATURE_SIMD) {
		const lf = i8x16.splat(<i8>LF),
			cr = i8x16.splat(<i8>CR),
			hash = i8x16.splat(<i8>HASH),
			colons = i8x16.splat(<i8>COLON);
		for (let at = from; at < end; at += 16) {
			const text = v128.load(at);
			const ends = i8x16.bitmask(
				v128.or(i8x16.eq(text, lf), i8x16.eq(text, cr)),
			);
			// The bits before the line end; all bits if there is none.
			const before = (ends & -ends) - 1;
			const colonBits = i8x16.bitmask(i8x16.eq(text, colons)) & before;
			const hashBits = i8x16.bitmask(i8x16.eq(text, hash)) & before;
			const nulBits = i8x16.bitmask(i8x16.eq(text, i8x16.splat(0))) & before;
			if (colonBits) colon = min(colon, at + ctz(colonBits));
			if (hashBits) comment = min(comment, at + ctz(hashBits));
			if (nulBits) nul = min(nul, at + ctz(nulBits));
			if (ends) return min(at + ctz(ends), end);
		}
		return end;
	}
	let at = from;
	for (; at < end; at++) {
		const byte: u32 = load<u8>(at);
		// Most bytes are letters, which are greater than all bytes of interest.
		if (byte > COLON) continue;
		if (byte == COLON) colon = min(colon, at);
		else if (byte == LF || byte == CR) break;
		else if (byte == HASH) comment = min(comment, at);
		else if (byte == 0) nul = min(nul, at);
	}
	return at;
}

/** Reads the line that begins at `start`; returns where the next one does. */
function readLine(start: usize, end: usize, maxLine: usize): usize {
	const lineEnd = scanLine(start, end);
	beginLine();
	let stop = lineEnd;
	if (stop - start > maxLine) {
		stop = start + maxLine;
		addOther(OTHER_TRUNCATED, FIELD_OTHER, start, start, start, start);
	}
	if (nul < stop && nul < comment) {
		addOther(OTHER_NUL, FIELD_OTHER, start, start, start, start);
		if (flags & READ_NUL_ENDS_LINE) stop = nul;
	}
	stop = min(stop, comment);
	readField(start, stop);
	if (lineEnd >= end) return end;
	const crlf =
		load<u8>(lineEnd) == CR && lineEnd + 1 < end && load<u8>(lineEnd, 1) == LF;
	return lineEnd + (crlf ? 2 : 1);
}

/** Space, tab, LF, VT, FF, CR: what the C locale calls white space. */
function isSpace(byte: u32): bool {
	return byte == SPACE || byte - 9 < 5;
}

function isBlank(byte: u32): bool {
	return byte == SPACE || byte == 9;
}

function readField(from: usize, to: usize): void {
	while (from < to && isSpace(load<u8>(from))) from++;
	if (from >= to) return;
	while (isSpace(load<u8>(to - 1))) to--;
	if (to - from > <usize>MAX_LINE_BYTES) {
		noteLongLine(<u32>(to - from));
		return;
	}
	let separator = colon;
	if (separator >= to) {
		addOther(OTHER_NO_COLON, FIELD_OTHER, from, to, from, to);
		separator = flags & READ_LENIENT ? blankFor(from, to) : 0;
		if (!separator) return;
	}
	let nameEnd = separator;
	while (nameEnd > from && isSpace(load<u8>(nameEnd - 1))) nameEnd--;
	if (nameEnd == from) {
		addOther(OTHER_NO_NAME, FIELD_OTHER, from, to, from, to);
		return;
	}
	let value = separator + 1;
	while (value < to && isSpace(load<u8>(value))) value++;
	addField(from, nameEnd, value, to);
}

/** The white space between the words of a line with exactly two words, which stands for a missing colon; else 0. */
function blankFor(from: usize, to: usize): usize {
	let separator = from;
	while (separator < to && !isBlank(load<u8>(separator))) separator++;
	if (separator == to) return 0;
	let second = separator;
	while (isBlank(load<u8>(second))) second++;
	for (let at = second; at < to; at++) if (isBlank(load<u8>(at))) return 0;
	return separator;
}

function addField(from: usize, nameEnd: usize, value: usize, to: usize): void {
	const lenient = (flags & READ_LENIENT) != 0;
	const field = fieldOf(from, nameEnd, lenient);
	if (lenient && field != FIELD_OTHER && fieldOf(from, nameEnd, false) != field)
		addOther(OTHER_MISSPELLED, field, from, nameEnd, value, to);
	if (field == FIELD_ALLOW || field == FIELD_DISALLOW) {
		if (!hasAgents())
			addOther(
				field == FIELD_ALLOW ? OTHER_ALLOW_OUTSIDE : OTHER_DISALLOW_OUTSIDE,
				field,
				from,
				nameEnd,
				value,
				to,
			);
		else addRule(field == FIELD_ALLOW, value, to);
	} else if (field == FIELD_AGENT) addAgent(value, to, tokenEnd(value, to));
	else
		addOther(
			field == FIELD_SITEMAP ? OTHER_SITEMAP : OTHER_FIELD,
			lenient ? field : fieldOf(from, nameEnd, true),
			from,
			nameEnd,
			value,
			to,
		);
}

/** End of the product token at the start of a value: letters, "_", "-" and, unless READ_LETTERS_ONLY, digits. */
function tokenEnd(at: usize, to: usize): usize {
	const digits: u32 = flags & READ_LETTERS_ONLY ? 0 : 10;
	for (; at < to; at++) {
		const byte: u32 = load<u8>(at);
		if ((byte | 32) - 0x61 < 26 || byte == 0x5f || byte == 0x2d) continue;
		if (byte - 0x30 >= digits) break;
	}
	return at;
}
