/** A file as the page sends it: a text where it was typed, bytes where it was read. */
export function sourceBytes(source: Uint8Array | string): Uint8Array {
	return typeof source === "string" ? new TextEncoder().encode(source) : source;
}
