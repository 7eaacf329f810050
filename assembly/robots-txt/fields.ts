import {
	FIELD_AGENT,
	FIELD_ALLOW,
	FIELD_DISALLOW,
	FIELD_OTHER,
	FIELD_SITEMAP,
} from "../format/records";

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
export function fieldOf(from: usize, to: usize, lenient: bool): u32 {
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
