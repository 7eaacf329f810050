/**
 * Judges URLs of many sites. Each stretch is processed in several passes whose loops hardly branch and whose cache misses overlap: hash the
 * origins; look up their slots; read their items; compare those and find their programs; find the paths and list the candidates; run
 * the prefix code; run the code of unanchored patterns.
 *
 * The shorter a loop, the more of its misses the processor waits for at once. Comparing items as soon as their slots are known waits for
 * two or three. So some loops only read what the next ones need: slots, items, the second line of cache of programs, the first byte of
 * code. With a million origins they save a third of the time; with 1,225, in the second- and third-level cache, a tenth. URLs
 * whose origins are all unknown gain nothing, and take 2 to 7% more in a small index.
 *
 * Tried and slower: prefetching slots while hashing (10%); slots and items in one loop (4 to 6%); a loop for the first line of programs (0
 * to 4%); reading a second item with the same tag, too (8%). Without gain: a loop for the filters of programs; jump tables looked up in a loop
 * of their own.
 *
 * robots-index.ts and shared-index.ts export it. Scratch must be reserved for the longest line, and the visited set for the largest
 * program.
 */
import { scratch } from "../bytes/memory";
import { equalShort, find, hasEscaped } from "../bytes/scan";
import {
	H_TABLE,
	TABLE_ESCAPED,
	VERDICT_INVALID,
	VERDICT_UNKNOWN,
	VERDICT_UNUSUAL,
} from "../format/program";
import { plainPath } from "../match/path-spans";
import { indexLines, isLong, lineEnds, specials } from "../url/lines";
import {
	authorityOf,
	afterPort,
	hashBytes,
	hashBytesInline,
	isPlainHost,
	locate,
	readOrigin,
} from "../url/url";
import {
	alwaysOf,
	openTable,
	prefixTable,
	readUnanchored,
	verdictOf,
} from "./compact-run";
import { C_UNANCHORED } from "../format/compact";
import {
	headerOf,
	keyOf,
	likelyItem,
	programInTable,
	programOf,
	readTable,
	settleOrigins,
	touchItem,
} from "./origins";
import {
	addPath,
	addPathBy,
	clearLists,
	MOST_LINES,
	touched,
	LineSpan,
	runListed,
	runPath,
	runPrefixes,
	runUnanchored,
	SPAN_SIZE,
	spans,
	spansEnd,
	UrlSpan,
} from "./stretch";

const LF: u32 = 0x0a;
const CR: u32 = 0x0d;
const SPACE: u32 = 0x20;
const SLASH: u32 = 0x2f;
const SEMICOLON: u32 = 0x3b;
const COLON: u32 = 0x3a;
/** ":443" and ":80", as loads read them. */
const PORT_443: u32 = 0x3334343a;
const PORT_80: u32 = 0x30383a;

/** What a span has in place of a program. */
const UNUSUAL: u32 = 0;
const UNKNOWN: u32 = 1;
const INVALID: u32 = 2;
const NO_PROGRAM: u32 = 2;
/** In a span's `best`: the rest is a verdict. */
const JUDGED: u32 = 1 << 31;

/** `equalShort` compares up to 32 bytes, of which the last one is the slash. */
const LONGEST_ORIGIN: usize = 32;

/**
 * Judges the lines of [start, start + length) and writes a verdict byte for each at `to`; returns their number. Lines that
 * only the host can judge get VERDICT_UNUSUAL, and the address of each is appended, as u32, at `unusual`. All programs are of the
 * google dialect or none is.
 */
export function matchOrigins(
	start: usize,
	length: usize,
	to: usize,
	unusual: usize,
	google: bool,
): u32 {
	// Before anything else: the host takes all up to its end for addresses, also after an empty input.
	endOfList = unusual;
	if (length == 0) return 0;
	settleOrigins(length);
	const first = to;
	let end = start + length;
	// Every line ends in a line feed, so that no loop below asks for the end of the text.
	if (load<u8>(end - 1) != LF) store<u8>(end++, LF);
	for (let from = start; from < end; ) {
		const last = spansEnd(indexLines(from, end, google, false, 0));
		// Each step for all lines of the stretch before the next step: then look-ups of many lines wait for memory at the same time.
		from = readOrigins(from, last, google);
		findItems(last);
		touchItems(last);
		findPrograms(last);
		touchPrograms(last);
		findPaths(last);
		runPrefixes();
		runUnanchored();
		to = writeVerdicts(last, to);
	}
	return <u32>(to - first);
}

/**
 * The same for lines of one site, by its program; they are URLs, whose hosts are not looked at, or paths. Without a program, 0, all are
 * VERDICT_UNKNOWN.
 */
export function matchLinesBy(
	program: usize,
	start: usize,
	length: usize,
	to: usize,
	google: bool,
): u32 {
	if (length == 0) return 0;
	const first = to;
	let end = start + length;
	if (load<u8>(end - 1) != LF) store<u8>(end++, LF);
	const escaped =
		program != 0 && <u32>load<u8>(program, H_TABLE) == TABLE_ESCAPED;
	const hasFilter = program != 0 && load<u8>(program, C_UNANCHORED) != 0;
	const filter: usize = hasFilter ? readUnanchored(program) : 0;
	for (let from = start; from < end; ) {
		const last = spansEnd(indexLines(from, end, google, escaped, filter));
		from = readPathsBy(program, from, last, google);
		if (filter) runListed(program, last);
		to = writeVerdicts(last, to);
	}
	return <u32>(to - first);
}

/**
 * Fills the spans of lines from `start` up to `last`, and runs the program; returns the end of the lines. Most lines have the origin of the
 * one before, which is found by comparing bytes.
 */
function readPathsBy(
	program: usize,
	start: usize,
	last: usize,
	google: bool,
): usize {
	const always = program ? alwaysOf(program) : 0;
	if (program) openTable(prefixTable(program));
	let tail = specials();
	let special: usize = load<u32>(tail);
	let written = scratch;
	// Of a longer line than a stretch, no positions are listed.
	const areListed = !isLong(start);
	let at = lineEnds();
	let origin = start;
	/** Bytes of the last origin and the slash after it; 0 before there is any. */
	let originLength: usize = 0;
	let listed = 0;
	clearLists();
	for (let address = spans(); address < last; address += SPAN_SIZE, at += 4) {
		const feed: usize = load<u32>(at);
		let slow = false;
		while (special < feed) {
			slow = true;
			tail += 4;
			special = load<u32>(tail);
		}
		let end = feed - (usize(load<u8>(feed - 1) == CR) & usize(feed > start));
		let path: usize = 0;
		if (!slow) {
			if (
				originLength &&
				(google || <u32>load<u8>(end - 1) > SPACE) &&
				equalShort(start, origin, <u32>originLength)
			) {
				path = start + originLength - 1;
			} else {
				path = plainPath(start, end, google);
				if (path > start && path - start < LONGEST_ORIGIN) {
					origin = start;
					originLength = path - start + 1;
				}
			}
		}
		let isListed = areListed;
		if (program && !path) {
			isListed = false;
			path = written;
			end = locate(program, start, end, path);
			if (end) written = end + 1;
		}
		start = feed + 1;
		if (!program || !end) {
			const verdict = program ? VERDICT_INVALID : VERDICT_UNKNOWN;
			changetype<UrlSpan>(address).best = JUDGED | verdict;
			continue;
		}
		addPathBy(address, program, always, path, end, isListed);
		// A line may have but two bytes.
		if (++listed < MOST_LINES) continue;
		runPrefixes();
		runUnanchored();
		clearLists();
		listed = 0;
	}
	runPrefixes();
	runUnanchored();
	return start;
}

/** Where the address of the next unusual line goes. */
let endOfList: usize = 0;

/** End of the list of unusual lines that the last `matchOrigins` wrote. */
export function endOfUnusual(): usize {
	return endOfList;
}

/** Fills the spans of lines from `start` up to `last`, and the start of the next one, which it returns. */
function readOrigins(start: usize, last: usize, google: bool): usize {
	let at = lineEnds();
	for (let address = spans(); address < last; address += SPAN_SIZE, at += 4) {
		const feed: usize = load<u32>(at);
		const authority = authorityOf(start);
		const span = changetype<LineSpan>(address);
		span.start = <u32>start;
		const end = authority ? endBySlash(authority, feed, google) : 0;
		if (end) {
			const key = keyOf(start, authority);
			const originEnd = beforePort(start, authority, end);
			span.originHeader = headerOf(start, key, originEnd);
			span.afterOrigin = <u32>end;
			span.hashOrProgram = hashBytesInline(key, originEnd);
		} else {
			span.originHeader = 0;
		}
		start = feed + 1;
	}
	changetype<LineSpan>(last).start = <u32>start;
	return start;
}

/**
 * First "/" of a line from its authority on, or its end. Something else may end an origin before it, or not be what the URL standard
 * writes. Then no stored origin equals the bytes, as each is written by that standard, and `findSlowly` reads them again. Looking at each
 * byte beforehand took URLs of many sites 7% more.
 *
 * 0 if a ";" precedes it in the google dialect: it belongs to a host for the URL standard, and begins the path for Google's library. So the
 * bytes may be a stored origin and the path begin within them; `findSlowly` leaves such lines to the host.
 */
function endBySlash(authority: usize, feed: usize, google: bool): usize {
	const slash = i8x16.splat(<i8>SLASH);
	const first = v128.load(authority),
		second = v128.load(authority, 16);
	// Nearly all origins end within 32 bytes.
	let inFirst = i8x16.eq(first, slash),
		inSecond = i8x16.eq(second, slash);
	if (google) {
		const semicolon = i8x16.splat(<i8>SEMICOLON);
		inFirst = v128.or(inFirst, i8x16.eq(first, semicolon));
		inSecond = v128.or(inSecond, i8x16.eq(second, semicolon));
	}
	const found = i8x16.bitmask(inFirst) | (i8x16.bitmask(inSecond) << 16);
	let end = feed;
	if (found) end = min(authority + <usize>ctz(found), feed);
	else {
		const from = min(authority + 32, feed);
		end = find(SLASH, from, feed);
		if (google) end = find(SEMICOLON, from, end);
	}
	return google && load<u8>(end) == SEMICOLON ? 0 : end;
}

/** The end of an origin without its default port, ":443" or ":80", if that stands before `end`. */
function beforePort(start: usize, authority: usize, end: usize): usize {
	const port = load<u32>(end - 4);
	if (port == PORT_443) return authority - start == 8 ? end - 4 : end;
	if (port >> 8 == PORT_80) return authority - start == 7 ? end - 3 : end;
	return end;
}

/** Lines without an origin get some item, too, which is not used. */
function findItems(last: usize): void {
	const table = readTable();
	for (let address = spans(); address < last; address += SPAN_SIZE) {
		const span = changetype<LineSpan>(address);
		span.likelyItem = <u32>likelyItem(table, span.hashOrProgram);
	}
}

function touchItems(last: usize): void {
	let sum: u32 = 0;
	for (let address = spans(); address < last; address += SPAN_SIZE)
		sum += touchItem(changetype<LineSpan>(address).likelyItem);
	touched(sum);
}

function findPrograms(last: usize): void {
	for (let address = spans(); address < last; address += SPAN_SIZE) {
		const span = changetype<LineSpan>(address);
		const header = span.originHeader;
		let program: usize = 0;
		if (header) {
			const key = <usize>span.start + ((<usize>header & 1) << 3);
			program = programOf(key, header, span.hashOrProgram, span.likelyItem);
		}
		// Its first bytes are needed two steps later.
		if (program) touched(load<u32>(program));
		else program = findSlowly(span);
		span.hashOrProgram = <u32>program;
	}
}

/** The program of a line whose bytes up to a slash are no stored origin, or what it has instead. */
function findSlowly(span: LineSpan): usize {
	const start: usize = span.start;
	const authority = authorityOf(start);
	const end = authority ? readOrigin(start, authority) : 0;
	if (!end) return mayBeUrl(start) ? UNUSUAL : INVALID;
	const key = keyOf(start, authority);
	const header = headerOf(start, key, end);
	if (header != span.originHeader) {
		span.afterOrigin = <u32>afterPort(start, authority, end);
		const program = programInTable(key, header, hashBytes(key, end));
		if (program) return program;
	}
	// Only then the key is what the URL standard would write; other hosts are left to that standard's parser.
	return isPlainHost(authority, end) ? UNKNOWN : UNUSUAL;
}

/** Reads the second line of cache of programs, in which their jump tables mostly are. Lines without a program have some readable address. */
function touchPrograms(last: usize): void {
	let sum: u32 = 0;
	for (let address = spans(); address < last; address += SPAN_SIZE)
		sum += load<u8>(<usize>changetype<LineSpan>(address).hashOrProgram, 64);
	touched(sum);
}

/** The URL standard skips leading spaces and control characters; then it needs a letter and, somewhere after it, a colon. */
function mayBeUrl(at: usize): bool {
	const first: u32 = load<u8>(at);
	if (first > 0x20 && (first | 0x20) - 0x61 >= 26) return false;
	while (load<u8>(at) != LF && load<u8>(at) != COLON) at++;
	return load<u8>(at) == COLON;
}

/**
 * Finds the paths, and judges the lines without a program. Paths that are not in normal form are written to `scratch` in normal
 * form, one after the other.
 */
function findPaths(last: usize): void {
	let tail = specials();
	let special: usize = load<u32>(tail);
	let written = scratch;
	clearLists();
	for (let address = spans(); address < last; address += SPAN_SIZE) {
		const span = changetype<LineSpan>(address);
		const next = changetype<LineSpan>(address + SPAN_SIZE);
		// Where the line feed is.
		const feed: usize = <usize>next.start - 1;
		let slow = false;
		while (special < feed) {
			slow = true;
			tail += 4;
			special = load<u32>(tail);
		}
		const program: usize = span.hashOrProgram;
		if (program <= NO_PROGRAM) {
			changetype<UrlSpan>(address).best = JUDGED | verdictWithout(span);
			continue;
		}
		const start: usize = span.start;
		let path: usize = span.afterOrigin;
		let end = feed - (usize(load<u8>(feed - 1) == CR) & usize(feed > start));
		if (
			slow ||
			load<u8>(path) != SLASH ||
			load<u8>(end - 1) <= SPACE ||
			(load<u8>(program, H_TABLE) == TABLE_ESCAPED && hasEscaped(path, end))
		) {
			path = written;
			end = locate(program, start, end, path);
			written = end + 1;
		}
		addPath(address, program, path, end);
	}
}

/** The verdict for a line without a program; lists the line if only the host can judge it. */
function verdictWithout(span: LineSpan): u32 {
	const program = span.hashOrProgram;
	if (program != UNUSUAL)
		return program == UNKNOWN ? VERDICT_UNKNOWN : VERDICT_INVALID;
	store<u32>(endOfList, span.start);
	endOfList += 4;
	return VERDICT_UNUSUAL;
}

/** In the order of the lines, whatever the order in which they were judged. */
function writeVerdicts(last: usize, to: usize): usize {
	for (let address = spans(); address < last; address += SPAN_SIZE) {
		const best = changetype<UrlSpan>(address).best;
		store<u8>(to++, best & JUDGED ? best : verdictOf(best));
	}
	return to;
}

/** Verdict for the path of one text; its line ends count as bytes. */
export function matchOne(program: usize, start: usize, length: usize): u32 {
	const end = locate(program, start, start + length, scratch);
	if (!end) return VERDICT_INVALID;
	return verdictOf(runPath(program, scratch, end));
}
