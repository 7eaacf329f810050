/**
 * Origins in their common form: "http://" or "https://", a host of lower-case letters, digits, "-", "." and "_", perhaps
 * a port. The URL standard parses such a host to itself, unless its last label is a number or a label begins with
 * "xn--" (§3.3, §3.5). Everything else is left to the host's URL parser.
 */

const HTTP: u32 = 0x70747468;
const COLON_SLASH_SLASH: u32 = 0x2f2f3a;
const COLON: u32 = 0x3a;
const DOT: u32 = 0x2e;
const LF: u32 = 0x0a;
const CR: u32 = 0x0d;

/** First byte of the authority of an http or https URL, or 0. */
export function authorityOf(start: usize): usize {
	if (load<u32>(start) != HTTP) return 0;
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

/** Where a URL goes on behind its origin, whose end `readOrigin` gave: behind the default port, ":80" or ":443", if there is one. */
export function behindPort(
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
	for (; ; at += 32) {
		const others =
			otherBytes(v128.load(at)) | (otherBytes(v128.load(at, 16)) << 16);
		if (others) return at + <usize>ctz(others);
	}
	while (isHostByte(load<u8>(at))) at++;
	return at;
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

function isHostByte(byte: u32): bool {
	return byte - 0x61 < 26 || (byte - 0x2d < 13 && byte != 0x2f) || byte == 0x5f;
}

/**
 * Whether the URL standard takes a host of the common form as it stands: its last label, one final dot aside, begins with no
 * digit, and no label begins with "xn--".
 */
export function isPlainHost(authority: usize, end: usize): bool {
	if (load<u8>(end - 1) == DOT) end--;
	let label = authority;
	for (let at = authority; at < end; at++) {
		if (load<u8>(at) == DOT || load<u8>(at) == COLON) {
			if (load<u32>(label) == 0x2d2d6e78) return false;
			if (load<u8>(at) == COLON) break;
			label = at + 1;
		}
	}
	return load<u32>(label) != 0x2d2d6e78 && !isDigit(load<u8>(label));
}

/** Bytes hashed at once, and of the keys. */
const HASH_BLOCK: usize = 32;
/** Random bytes that the host writes once. */
export const hashKeys: usize = memory.data(32);
const MIX: u64 = 0x9e3779b97f4a7c15;

/**
 * Hash of the bytes [from, end), at least one. In blocks it is NH of UMAC (RFC 4418 §5.2), whose collisions cannot be made
 * without the keys: whoever can name hosts could else make look-ups slow. Most hosts fit one block.
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
