/**
 * Product tokens (RFC 9309 §2.2.1), read alike in a user-agent line and in what a crawler calls itself: what stands in front of the name is
 * skipped, a version behind it is cut off. tokenise.ts calls it for each user-agent line, agents/ for crawlers' names.
 */
export const SPACE: u32 = 32;
export const DASH: u32 = 45;
const DOT: u32 = 46;
export const SLASH: u32 = 47;
const UNDERSCORE: u32 = 95;

/** Space, tab, LF, VT, FF, CR: what the C locale calls white space. */
export function isSpace(byte: u32): bool {
	return byte == SPACE || byte - 9 < 5;
}

export function isDigit(byte: u32): bool {
	return byte - 48 < 10;
}

export function isLetter(byte: u32): bool {
	return (byte | 32) - 97 < 26;
}

/** Letters, digits, "_" and "-": RFC 9309 has no digits in a token, real crawlers do (MJ12bot). */
export function isTokenByte(byte: u32): bool {
	return isLetter(byte) || isDigit(byte) || byte == DASH || byte == UNDERSCORE;
}

/** Capital letters as small ones; only those of ASCII have a case. */
export function lowerCase(byte: u32): u32 {
	return byte - 65 < 26 ? byte | 32 : byte;
}

/** Whether `length` bytes are the same in any case. */
export function equalAnyCase(a: usize, b: usize, length: usize): bool {
	for (let i: usize = 0; i < length; i++)
		if (lowerCase(load<u8>(a + i)) != lowerCase(load<u8>(b + i))) return false;
	return true;
}

/**
 * Where a name begins: behind quotes, stars, colons and the like (": GarlikCrawler", "*foo"). A "/" is in front of a version, and what is
 * not ASCII may be a letter.
 */
export function tokenStart(at: usize, to: usize): usize {
	while (at < to) {
		const byte: u32 = load<u8>(at);
		const isMark = byte - 33 < 94 && !isTokenByte(byte) && byte != SLASH;
		if (!isSpace(byte) && !isMark) break;
		at++;
	}
	return at;
}

/** End of the run of token bytes that begins at `at`. */
export function runEnd(at: usize, to: usize): usize {
	while (at < to && isTokenByte(load<u8>(at))) at++;
	return at;
}

/**
 * End of a run of token bytes, [from, end) of a text up to `to`, without its version: digits behind "-" or "_" ("NaverBot-1.0",
 * "larbin_2.6.2"), or digits in front of a dot and a digit ("trendictionbot0.5.0"). "Acme-1.0" and "Acme-2.0" are one crawler. What is
 * nothing but a version stays.
 */
export function withoutVersion(from: usize, end: usize, to: usize): usize {
	let isDotted =
		end + 1 < to && load<u8>(end) == DOT && isDigit(load<u8>(end, 1));
	// Again, as what is cut once is cut when it is compared, too ("Acme-1-2").
	while (true) {
		let digits = end;
		while (digits > from && isDigit(load<u8>(digits - 1))) digits--;
		if (digits == end || digits == from) return end;
		const before: u32 = load<u8>(digits - 1);
		const isParted = before == DASH || before == UNDERSCORE;
		const cut = isParted ? digits - 1 : digits;
		if ((!isParted && !isDotted) || cut == from) return end;
		end = cut;
		isDotted = false;
	}
}
