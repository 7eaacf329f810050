import { crc32 } from "node:zlib";

/**
 * The shard of a host, from 0 to `shards` - 1: CRC-32 of its bytes (ISO 3309, as in zip and gzip), unsigned, modulo `shards`. All
 * origins of a host share a shard. docs/sharding.md has it in other languages, with test vectors.
 * @param host As `URL.hostname` gives it: in lower case and punycode, IPv6 addresses in brackets, without the port.
 */
export function shardOf(host: string | Uint8Array, shards: number): number {
	return crc32(host) % shards;
}

/** The shard of a URL's host. The URL standard leaves the case of hosts as it is where it does not know the scheme. */
export function shardOfUrl({ hostname }: URL, shards: number): number {
	return shardOf(hostname.toLowerCase(), shards);
}
