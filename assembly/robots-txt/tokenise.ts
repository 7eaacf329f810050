/**
 * Cuts a robots.txt into lines, fields and values (RFC 9309 §2.2) and lists them as records (format/records.ts). index.ts calls
 * `tokeniseFile`; the host interprets the records, so that no dialect but for the READ_ flags is known here. It overwrites the byte at the
 * text's end and reads past it, so the text must lie in a buffer of the module.
 */
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
import {
	addAgent,
	addOther,
	addRule,
	addUsualRule,
	beginLine,
	beginLists,
	endLists,
	hasAgents,
	noteLongLine,
} from "./records";
import { DASH, isSpace, SPACE, tokenStart, withoutVersion } from "./token";

const LF: u32 = 10;
const CR: u32 = 13;
/** CR and LF, little-endian. */
const CRLF: u32 = 0x0a0d;
const HASH: u32 = 35;
const COLON: u32 = 58;

/** READ_ flags of the file. */
let flags: u32 = 0;

/**
 * Reads [from, end) of the file at `file`, at most `maxLine` bytes of each line; `readFlags` are READ_. Returns the address of LISTS
 * (format/records.ts), which hold until the next file, or 0 when memory cannot grow. Overwrites the byte at `end`, and may read 48 more.
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
	// A line end after the last line: searches find it, and no word goes beyond it.
	store<u8>(end, LF);
	while (from < end) {
		from = readUsualLines(from, end);
		if (from < end) from = readLine(from, end, maxLine);
	}
	return endLists();
}

/** "disallow", "allow", "sitemap:", and the letters of "user-agent" on both sides of its "-", little-endian. */
const DISALLOW: u64 = 0x776f6c6c61736964;
const ALLOW: u64 = 0x776f6c6c61;
const SITEMAP: u64 = 0x3a70616d65746973;
const USER: u32 = 0x72657375;
const AGENT: u64 = 0x746e656761;
/** Makes capital letters small ones. */
const SMALL: u64 = 0x2020202020202020;
const SMALL_7: u64 = 0x20202020202020;
const SMALL_5: u64 = 0x2020202020;
const FIVE_BYTES: u64 = 0xffffffffff;

/** Line ends, NUL and other white space than SPACE; "#". */
function stopsOf(text: v128): u32 {
	return i8x16.bitmask(
		v128.or(
			i8x16.lt_u(text, i8x16.splat(14)),
			i8x16.eq(text, i8x16.splat(<i8>HASH)),
		),
	);
}

/**
 * Fast path: reads lines as long as each is empty, a comment, or a rule, user-agent or sitemap line in the usual form, that is, the field
 * name at the start of the line, a colon after it, no comment and no control character but the line end. Returns the first line that
 * is not. Halves the time of tokenising.
 */
function readUsualLines(from: usize, end: usize): usize {
	// Rules count from the first user-agent line on.
	let counts = hasAgents();
	while (from < end) {
		// One load decides which field the line may have; with bit 5 set, in any case.
		const word = load<u64>(from);
		let value = from + 9;
		let field: u32 = FIELD_DISALLOW;
		if (!((word | SMALL) == DISALLOW && load<u8>(from, 8) == COLON)) {
			const first = <u32>word & 0xff;
			if (first == LF || first == CR) {
				beginLine();
				from += (<u32>word & 0xffff) == CRLF ? 2 : 1;
				continue;
			}
			if (
				((word & FIVE_BYTES) | SMALL_5) == ALLOW &&
				load<u8>(from, 5) == COLON
			) {
				value = from + 6;
				field = FIELD_ALLOW;
			} else if (isUserAgent(from)) {
				value = from + 11;
				field = FIELD_AGENT;
			} else if ((word | SMALL_7) == SITEMAP) {
				value = from + 8;
				field = FIELD_SITEMAP;
			} else if (first == HASH) {
				value = from + 1;
				field = FIELD_OTHER;
			} else return from;
		}
		let at = value;
		// Most values fit: no loop whose end must be guessed.
		let stops = stopsOf(v128.load(at)) | (stopsOf(v128.load(at, 16)) << 16);
		while (!stops) {
			at += 32;
			if (at - from > USUAL_LENGTH) return from;
			stops = stopsOf(v128.load(at)) | (stopsOf(v128.load(at, 16)) << 16);
		}
		at += ctz(stops);
		const stop: u32 = load<u8>(at);
		let next = at + 1;
		if (stop != LF) {
			// "#" or a control character: the line is not usual.
			if (stop != CR) return from;
			if (load<u8>(next) == LF) next++;
		}
		let to = at;
		while (value < to && load<u8>(value) == SPACE) value++;
		while (to > value && load<u8>(to - 1) == SPACE) to--;
		if (field == FIELD_DISALLOW || field == FIELD_ALLOW) {
			// A rule before any user-agent line is a finding, which `readLine` adds.
			if (!counts) return from;
			beginLine();
			addUsualRule(field == FIELD_ALLOW, value, to);
		} else {
			beginLine();
			if (field == FIELD_AGENT) {
				addAgentLine(value, to);
				counts = true;
			} else if (field == FIELD_SITEMAP)
				addOther(OTHER_SITEMAP, FIELD_SITEMAP, from, from + 7, value, to);
		}
		from = next;
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
	const lf = i8x16.splat(<i8>LF),
		cr = i8x16.splat(<i8>CR),
		hash = i8x16.splat(<i8>HASH),
		colons = i8x16.splat(<i8>COLON);
	for (let at = from; at < end; at += 16) {
		const text = v128.load(at);
		// All four searches in one pass, as each of these bytes may be the first that matters.
		const ends = i8x16.bitmask(v128.or(i8x16.eq(text, lf), i8x16.eq(text, cr)));
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

/** Reads the line that begins at `start`; returns where the next one does. */
function readLine(start: usize, end: usize, maxLine: usize): usize {
	const lineEnd = scanLine(start, end);
	beginLine();
	let stop = lineEnd;
	// What is beyond the limit is not read, as in Google's library. A record says so: a rule that is cut off matches more.
	if (stop - start > maxLine) {
		stop = start + maxLine;
		addOther(OTHER_TRUNCATED, FIELD_OTHER, start, start, start, start);
	}
	// A NUL in a comment changes nothing.
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

/** What may stand for a missing colon; line ends in the middle of a line cannot be there. */
function isBlank(byte: u32): bool {
	return byte == SPACE || byte == 9;
}

/** Reads what is left of a line without its comment: name, colon, value. */
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

/** Adds the record of a line. A misspelt name that the dialect takes for a field has a record of its own besides, for diagnostics. */
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
	} else if (field == FIELD_AGENT) addAgentLine(value, to);
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

/** Adds a user-agent line with its product token; in Google's library that is the letters, "_" and "-" with which the value begins. */
function addAgentLine(value: usize, to: usize): void {
	if (flags & READ_LETTERS_ONLY) {
		addAgent(value, to, value, tokenEnd(value, to));
		return;
	}
	const from = tokenStart(value, to);
	addAgent(value, to, from, withoutVersion(from, tokenEnd(from, to), to));
}

/** End of the run of letters, "_", "-" and, unless READ_LETTERS_ONLY, digits with which bytes begin. */
function tokenEnd(at: usize, to: usize): usize {
	const digits: u32 = flags & READ_LETTERS_ONLY ? 0 : 10;
	const noDigits = i8x16.splat(digits ? 0 : -1);
	for (; at < to; at += 16) {
		const text = v128.load(at);
		const letter = i8x16.le_u(
			i8x16.sub(v128.or(text, i8x16.splat(0x20)), i8x16.splat(0x61)),
			i8x16.splat(25),
		);
		const digit = i8x16.le_u(
			i8x16.sub(text, i8x16.splat(0x30)),
			i8x16.splat(9),
		);
		const mark = v128.or(
			i8x16.eq(text, i8x16.splat(0x5f)),
			i8x16.eq(text, i8x16.splat(<i8>DASH)),
		);
		// Sixteen bytes at once: a token ends in the first block nearly always.
		const others = ~i8x16.bitmask(
			v128.or(v128.or(letter, mark), v128.andnot(digit, noDigits)),
		);
		const length = ctz(others);
		if (length < 16) return min(at + length, to);
	}
	return to;
}

/** Spellings, each a length and its letters, the right one first; a length of 0 ends a list. */
const AGENT_SPELLINGS = memory.data<u8>([
	// user-agent, useragent, user agent
	10, 117, 115, 101, 114, 45, 97, 103, 101, 110, 116, 9, 117, 115, 101, 114, 97,
	103, 101, 110, 116, 10, 117, 115, 101, 114, 32, 97, 103, 101, 110, 116, 0,
]);
const ALLOW_SPELLINGS = memory.data<u8>([5, 97, 108, 108, 111, 119, 0]);
const DISALLOW_SPELLINGS = memory.data<u8>([
	// disallow, dissallow, dissalow, disalow, diasllow, disallaw
	8, 100, 105, 115, 97, 108, 108, 111, 119, 9, 100, 105, 115, 115, 97, 108, 108,
	111, 119, 8, 100, 105, 115, 115, 97, 108, 111, 119, 7, 100, 105, 115, 97, 108,
	111, 119, 8, 100, 105, 97, 115, 108, 108, 111, 119, 8, 100, 105, 115, 97, 108,
	108, 97, 119, 0,
]);
const SITEMAP_SPELLINGS = memory.data<u8>([
	// sitemap, site-map
	7, 115, 105, 116, 101, 109, 97, 112, 8, 115, 105, 116, 101, 45, 109, 97, 112,
	0,
]);

/**
 * The field that bytes [from, to) name. Exact in any case (RFC 9309 §2.2), or, when `lenient`, by the beginning of any known spelling,
 * as Google's library does ("disallowed" is disallow).
 */
function fieldOf(from: usize, to: usize, lenient: bool): u32 {
	// No two fields begin with the same letter.
	const first = <u32>load<u8>(from) | 32;
	if (first == 0x64)
		return isSpelled(DISALLOW_SPELLINGS, from, to, lenient)
			? FIELD_DISALLOW
			: 0;
	if (first == 0x61)
		return isSpelled(ALLOW_SPELLINGS, from, to, lenient)
			? FIELD_ALLOW
			: FIELD_OTHER;
	if (first == 0x75)
		return isSpelled(AGENT_SPELLINGS, from, to, lenient)
			? FIELD_AGENT
			: FIELD_OTHER;
	if (first == 0x73)
		return isSpelled(SITEMAP_SPELLINGS, from, to, lenient)
			? FIELD_SITEMAP
			: FIELD_OTHER;
	return FIELD_OTHER;
}

/** Whether bytes are the first spelling of a list or, when `lenient`, begin with any of them. */
function isSpelled(
	spellings: usize,
	from: usize,
	to: usize,
	lenient: bool,
): bool {
	const size = to - from;
	if (!lenient) {
		const length: usize = load<u8>(spellings);
		return size == length && beginsWith(from, spellings + 1, length);
	}
	for (let length: usize; (length = load<u8>(spellings++)); spellings += length)
		if (size >= length && beginsWith(from, spellings, length)) return true;
	return false;
}

/** Whether bytes are the `length` letters of a spelling, in any case. */
function beginsWith(from: usize, spelling: usize, length: usize): bool {
	for (let i: usize = 0; i < length; i++) {
		const byte: u32 = load<u8>(from + i);
		const wanted: u32 = load<u8>(spelling + i);
		// Bit 5 makes a capital letter a small one.
		if (byte != wanted && (wanted < 0x61 || (byte | 32) != wanted))
			return false;
	}
	return true;
}
