/** CRC-32 of each byte, then of each byte with one, two and three zeros behind it. */
const table = new Int32Array(4 * 256);
for (let i = 0; i < table.length; i++) {
	let sum = i < 256 ? i : (table[i - 256] as number);
	for (let bit = 0; bit < 8; bit++)
		sum = sum & 1 ? (sum >>> 1) ^ 0xedb88320 : sum >>> 1;
	table[i] = sum;
}

/** CRC-32 of bytes [from, to), as `zlib.crc32` gives it, whose call takes several times as long for the bytes of a host. */
export function crc32Of(bytes: Uint8Array, from: number, to: number): number {
	let sum = -1;
	let at = from;
	for (; at + 4 <= to; at += 4) {
		sum ^=
			(bytes[at] as number) |
			((bytes[at + 1] as number) << 8) |
			((bytes[at + 2] as number) << 16) |
			((bytes[at + 3] as number) << 24);
		sum =
			(table[768 + (sum & 0xff)] as number) ^
			(table[512 + ((sum >>> 8) & 0xff)] as number) ^
			(table[256 + ((sum >>> 16) & 0xff)] as number) ^
			(table[sum >>> 24] as number);
	}
	for (; at < to; at++)
		sum = (sum >>> 8) ^ (table[(sum ^ (bytes[at] as number)) & 0xff] as number);
	return ~sum >>> 0;
}

/** Loaded when a shard is asked for: commands without shards have a file in common with those. */
let zlib: typeof import("node:zlib") | undefined;

/**
 * The shard of a host, from 0 to `shards` - 1: CRC-32 of its bytes (ISO 3309, as in zip and gzip), unsigned, modulo `shards`. All
 * origins of a host share a shard. docs/sharding.md has it in other languages, with test vectors.
 * @param host As `URL.hostname` gives it: in lower case and punycode, IPv6 addresses in brackets, without the port.
 */
export function shardOf(host: string, shards: number): number {
	zlib ??= process.getBuiltinModule("node:zlib");
	return zlib.crc32(host) % shards;
}

/** The shard of a URL's host. The URL standard leaves the case of hosts as it is where it does not know the scheme. */
export function shardOfUrl({ hostname }: URL, shards: number): number {
	return shardOf(hostname.toLowerCase(), shards);
}
