/**
 * Bytes handed over at once. A run-length block makes 128 KiB of 4 bytes, and all that one call yields is held
 * before any of it can be passed on.
 */
const SLICE = 256;

/**
 * Decompresses zstd, also several frames end to end. Not by node:zlib, even where it knows zstd: there, frames after the
 * first and a missing end go unnoticed. Content check sums are not verified.
 */
export async function* decompressZstd(
	source: AsyncIterable<Uint8Array>,
): AsyncGenerator<Uint8Array> {
	// Few inputs are zstd.
	const { Decompress } = await import("fzstd");
	let ready: Uint8Array[] = [];
	const frames = new Decompress((data) => ready.push(data));
	for await (const chunk of source) {
		for (let from = 0; from < chunk.length; from += SLICE) {
			frames.push(chunk.subarray(from, from + SLICE));
			yield* ready;
			ready = [];
		}
	}
	frames.push(new Uint8Array(0), true);
	yield* ready;
}
