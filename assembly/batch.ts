import {
	FEATURE_GOOGLE_URL,
	H_FEATURES,
	MATCH_INVALID,
	VERDICT_ALLOWED,
	VERDICT_INVALID,
} from "./format";
import { matchPath } from "./match";
import { findAny } from "./scan";
import { locate, pathEnd, pathStart } from "./url";

const HTTP: u32 = 0x70747468;
const COLON_SLASH_SLASH: u32 = 0x2f2f3a;

/**
 * The encoded rank of the rule that decides the line [start, end), 0 for none, MATCH_INVALID for no URL.
 * `plain` says that the line holds no octet that the dialect treats specially anywhere in a URL.
 */
function judge(
	program: usize,
	google: bool,
	start: usize,
	end: usize,
	plain: bool,
): u32 {
	if (plain && start < end) {
		let path = start;
		if (load<u8>(start) != 0x2f) {
			// The common form: "http://" or "https://", a host, and a path that begins with "/".
			if (load<u32>(start) == HTTP) {
				const secure: usize = load<u8>(start, 4) == 0x73 ? 1 : 0;
				if ((load<u32>(start + secure, 4) & 0xffffff) == COLON_SLASH_SLASH) {
					path = findAny(
						0x2f,
						0x3f,
						google ? 0x3b : 0x3f,
						start + secure + 7,
						end,
					);
				}
			}
		} else if (google && load<u8>(start, 1) == 0x2f) {
			path = end;
		}
		if (path < end && load<u8>(path) == 0x2f)
			return matchPath(program, path, end);
	}
	if (!locate(program, start, end)) return MATCH_INVALID;
	return matchPath(program, pathStart, pathEnd);
}

function isGoogle(program: usize): bool {
	return (load<u8>(program, H_FEATURES) & FEATURE_GOOGLE_URL) != 0;
}

/** "#" ends a URL in every dialect; "%" needs work in most, NUL in Google's. */
function specialOctet(google: bool): u32 {
	return google ? 0 : 0x25;
}

/** One text, judged as a line; line ends in it count as octets. An octet that is not LF may follow it: see `input`. */
export function matchOne(program: usize, start: usize, length: usize): u32 {
	const google = isGoogle(program);
	const end = start + length;
	const special = specialOctet(google);
	store<u8>(end, 0x0a);
	return judge(
		program,
		google,
		start,
		end,
		findAny(0x23, special, special, start, end) == end,
	);
}

/** Bit i is set where octet i of the 64 at `block` is `octet`. */
function occurrences(block: usize, octet: u32): u64 {
	if (ASC_FEATURE_SIMD) {
		const wanted = i8x16.splat(<i8>octet);
		return (
			<u64>i8x16.bitmask(i8x16.eq(v128.load(block), wanted)) |
			((<u64>i8x16.bitmask(i8x16.eq(v128.load(block, 16), wanted))) << 16) |
			((<u64>i8x16.bitmask(i8x16.eq(v128.load(block, 32), wanted))) << 32) |
			((<u64>i8x16.bitmask(i8x16.eq(v128.load(block, 48), wanted))) << 48)
		);
	}
	// Eight octets at a time: a zero octet sets its top bit, which a multiplication gathers.
	const pattern = <u64>octet * 0x0101010101010101;
	let mask: u64 = 0;
	for (let i: usize = 0; i < 64; i += 8) {
		const x = load<u64>(block + i) ^ pattern;
		const zero = ~(
			((x & 0x7f7f7f7f7f7f7f7f) + 0x7f7f7f7f7f7f7f7f) |
			x |
			0x7f7f7f7f7f7f7f7f
		);
		mask |= (((zero >> 7) * 0x0102040810204080) >> 56) << i;
	}
	return mask;
}

/**
 * Judges the lines of [start, start + length) and writes a verdict octet for each at `to`; returns their number.
 * LF or CRLF ends a line, the last one may lack it. Line ends and special octets are found for 64 octets at once.
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
	const first = to;
	let end = start + length;
	// A line end behind the last line; where there is one already, this one begins no further line.
	store<u8>(end, 0x0a);
	if (load<u8>(end - 1) == 0x0a) end--;
	let line = start;
	let plain = true;
	for (let block = start; ; block += 64) {
		let newlines = occurrences(block, 0x0a);
		const specials = occurrences(block, 0x23) | occurrences(block, special);
		let open: u64 = -1;
		while (newlines) {
			const bit = ctz(newlines);
			const newline = block + <usize>bit;
			const below = ((<u64>1) << bit) - 1;
			if (specials & open & below) plain = false;
			let lineEnd = newline;
			if (lineEnd > line && load<u8>(lineEnd - 1) == 0x0d) lineEnd--;
			const best = judge(program, google, line, lineEnd, plain);
			store<u8>(
				to++,
				best == 0
					? VERDICT_ALLOWED
					: best == <u32>MATCH_INVALID
						? VERDICT_INVALID
						: best & 1,
			);
			if (newline >= end) return <u32>(to - first);
			line = newline + 1;
			plain = true;
			open = ~below << 1;
			newlines &= newlines - 1;
		}
		if (specials & open) plain = false;
	}
	return 0;
}
