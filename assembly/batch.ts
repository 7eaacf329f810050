import {
	H_LITERALS,
	H_MAX_FLOATING,
	H_TABLE,
	MATCH_INVALID,
	TABLE_NONE,
	TABLE_SPELLED,
	VERDICT_INVALID,
} from "./format";
import {
	indexLines,
	indexOne,
	lineCount,
	lineEnds,
	specials,
	starts,
	STRETCH,
} from "./lines";
import { filterOf, matchFloating, matchListed, matchPrefix } from "./match";
import { findAny } from "./scan";
import { locate, pathEnd, pathStart } from "./url";

const CR: u32 = 0x0d;
/** No octet: nothing is cut off in front of the line feed. */
const NONE: u32 = 256;
const SLASH: u32 = 0x2f;
const HTTP: u32 = 0x70747468;
const COLON_SLASH_SLASH: u32 = 0x2f2f3a;

function isGoogle(program: usize): bool {
	return load<u8>(program, H_TABLE) == TABLE_NONE;
}

/** "#" ends a URL in every dialect; "%" needs work in most, NUL in Google's. */
function specialOctet(google: bool): u32 {
	return google ? 0 : 0x25;
}

/** URLs with octets that the standard escapes need work. */
function isSpelled(program: usize): bool {
	return load<u8>(program, H_TABLE) == TABLE_SPELLED;
}

/** One text, judged as a line; line ends in it count as octets. Returns as `judgeLines` leaves in `decision`. */
export function matchOne(program: usize, start: usize, length: usize): u32 {
	const google = isGoogle(program);
	const end = start + length;
	const special = specialOctet(google);
	store<u8>(end, 0x0a);
	const plain =
		!isSpelled(program) && findAny(0x23, special, special, start, end) == end;
	indexOne(start, end, plain);
	line = start;
	tainted = false;
	judgeLines(program, google, NONE, end + 1, end);
	return decision;
}

/**
 * Judges the lines of [start, start + length) and writes a verdict octet for each at `to`; returns their number.
 * LF or CRLF ends a line, the last one may lack it.
 */
export function matchLines(
	program: usize,
	start: usize,
	length: usize,
	to: usize,
): u32 {
	if (length == 0) return 0;
	const google = isGoogle(program);
	const special = specialOctet(google);
	const spelled = isSpelled(program);
	const filter = load<u32>(program, H_LITERALS) ? filterOf(program) : 0;
	const first = to;
	let end = start + length;
	if (load<u8>(end - 1) != 0x0a) store<u8>(end++, 0x0a);
	line = start;
	tainted = false;
	for (let from = start; from < end; from += STRETCH) {
		indexLines(from, min(from + STRETCH, end), special, spelled, filter);
		to = judgeLines(program, google, CR, to, from);
	}
	return <u32>(to - first);
}

/** Where the line begins that the next line end will end. */
let line: usize = 0;
/** A special octet was met in it already, in an earlier stretch. */
let tainted: bool = false;
/** Encoded rank of the rule that decided the last line, 0 for none, MATCH_INVALID for no URL. */
let decision: u32 = 0;

/** Where the path begins in a URL of the common form, "http" or "https", a host, "/"; else some octet that is no "/". */
function afterOrigin(start: usize, end: usize, google: bool): usize {
	if (load<u32>(start) != HTTP) return start;
	const authority = start + (load<u8>(start, 4) == 0x73 ? 8 : 7);
	if ((load<u32>(authority - 3) & 0xffffff) != COLON_SLASH_SLASH) return start;
	return findAny(SLASH, 0x3f, google ? 0x3b : 0x3f, authority, end);
}

/**
 * Judges the listed lines, writes their verdicts at `to` and returns the end of those. `cut` may precede a line feed,
 * `listed` is where the stretch begins that the lists are about.
 */
function judgeLines(
	program: usize,
	google: bool,
	cut: u32,
	to: usize,
	listed: usize,
): usize {
	const maxFloating = load<u32>(program, H_MAX_FLOATING);
	let float = starts;
	let start = line;
	let soiled = tainted;
	let tail = specials;
	let special: usize = load<u32>(tail);
	let best: u32 = 0;
	const last = lineEnds + ((<usize>lineCount) << 2);
	for (let at = lineEnds; at < last; at += 4) {
		const feed: usize = load<u32>(at);
		let end = feed;
		if (load<u8>(feed - 1) == cut && feed > start) end--;
		let path = start;
		if (special < feed || soiled) {
			soiled = false;
			while (special < feed) {
				tail += 4;
				special = load<u32>(tail);
			}
			path = 0;
		} else if (load<u8>(start) != SLASH) {
			path = afterOrigin(start, end, google);
			if (path >= end || load<u8>(path) != SLASH) path = 0;
		} else if (google && load<u8>(start, 1) == SLASH) {
			path = 0;
		}
		if (!path && locate(program, start, end)) {
			path = pathStart;
			end = pathEnd;
		}
		start = feed + 1;
		if (path) {
			best = matchPrefix(program, path, end);
			if (best < maxFloating) {
				// A path that begins in front of what is listed, or lies in scratch, is searched by itself.
				if (path < listed || path == pathStart) {
					best = matchFloating(program, path, end, best);
				} else {
					while (<usize>load<u32>(float) < path) float += 4;
					if (<usize>load<u32>(float) < end)
						best = matchListed(program, float, path, end, best);
				}
			}
		} else {
			best = MATCH_INVALID;
		}
		store<u8>(to++, path ? (best & 1) | u32(best == 0) : VERDICT_INVALID);
	}
	decision = best;
	line = start;
	tainted = soiled || special != u32.MAX_VALUE;
	return to;
}
