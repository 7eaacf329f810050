/** Reads single lines out of a block, for Judge: only those whose origin is not at hand become text. */

const LF = 10;
const CR = 13;

/** The lines of `bytes`, by number from 0, that `wanted` asks for, as text without their ends. */
export function* linesWhere(
	bytes: Uint8Array,
	wanted: (line: number) => boolean,
): Generator<readonly [line: number, text: string]> {
	const decoder = new TextDecoder();
	for (let line = 0, at = 0; at < bytes.length; line++) {
		const found = bytes.indexOf(LF, at);
		const end = found < 0 ? bytes.length : found;
		if (wanted(line)) {
			const stop = end > at && bytes[end - 1] === CR ? end - 1 : end;
			yield [line, decoder.decode(bytes.subarray(at, stop))];
		}
		at = end + 1;
	}
}
