import Tinypool from "tinypool";

/** What a thread answers, whose buffers are sent rather than copied. */
export function moved(
	answer: object,
	buffers: readonly ArrayBufferLike[],
): unknown {
	// Tinypool tells such an object by the two symbols, which its types have under other names.
	const movable: object = {
		[Tinypool.transferableSymbol]: buffers,
		[Tinypool.valueSymbol]: answer,
	};
	return Tinypool.move(movable as Parameters<typeof Tinypool.move>[0]);
}

/** The buffer of bytes that are all of it, to be sent with them rather than copied. */
export function ownBuffer({ buffer, length }: Uint8Array): ArrayBuffer[] {
	return buffer instanceof ArrayBuffer && buffer.byteLength === length
		? [buffer]
		: [];
}
