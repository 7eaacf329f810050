export type Compression = "plain" | "gzip" | "zstd";

/** Octets that tell the compression. */
export const MAGIC = 4;

/** How octets are compressed that begin with these. */
export function compressionOf(head: Uint8Array): Compression {
	if (head[0] === 0x1f && head[1] === 0x8b) return "gzip";
	if (head.length < MAGIC) return "plain";
	const view = new DataView(head.buffer, head.byteOffset);
	const magic = view.getUint32(0, true);
	// RFC 8878 §3.1: a frame, or one to be skipped, which also may come first.
	if (magic === 0xfd2fb528 || magic >>> 4 === 0x184d2a5) return "zstd";
	return "plain";
}
