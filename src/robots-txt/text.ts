/** A byte order mark within the file is text like any other. */
const decoder = new TextDecoder("utf-8", { ignoreBOM: true });

/** The text of bytes [from, to); invalid UTF-8 becomes U+FFFD. */
export function decodeText(
	bytes: Uint8Array,
	from: number,
	to: number,
): string {
	return decoder.decode(bytes.subarray(from, to));
}
