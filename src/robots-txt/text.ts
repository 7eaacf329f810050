/** A byte order mark within the file is text like any other. */
const decoder = new TextDecoder("utf-8", { ignoreBOM: true });

/** Longer texts are faster to decode by the platform than character by character. */
const SHORT = 40;

/** The text of bytes [from, to); invalid UTF-8 becomes U+FFFD. */
export function decodeText(
	bytes: Uint8Array,
	from: number,
	to: number,
): string {
	if (to - from > SHORT) return decoder.decode(bytes.subarray(from, to));
	let text = "";
	for (let at = from; at < to; at++) {
		const byte = bytes[at] as number;
		if (byte > 127) return decoder.decode(bytes.subarray(from, to));
		text += String.fromCharCode(byte);
	}
	return text;
}
