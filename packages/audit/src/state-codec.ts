import { decode, ExtensionCodec, encode } from "@msgpack/msgpack";

/**
 * Plain data as MessagePack and back: what structuredClone takes, but for cycles and classes. A property that is undefined is left
 * out. Numbers of typed arrays are little-endian, as on all platforms with WebAssembly.
 */
export function pack(value: unknown): Uint8Array<ArrayBuffer> {
	return encode(value, options);
}

/** @throws {Error} For bytes that are not what `pack` gives. */
export function unpack(bytes: Uint8Array): unknown {
	// Parts of a Buffer would be Buffers.
	const { buffer, byteOffset, length } = bytes;
	return decode(new Uint8Array(buffer, byteOffset, length), options);
}

const extensionCodec = new ExtensionCodec();
const options = { extensionCodec, ignoreUndefined: true };

/** Types of extensions by their numbers in states, which stay what they are. */
const TYPE_MAP = 5;
const TYPE_SET = 6;
const typedArrays = [
	[0, Float64Array],
	[1, Float32Array],
	[2, Uint32Array],
	[3, Int32Array],
	[4, Uint16Array],
] as const;
for (const [type, Numbers] of typedArrays)
	extensionCodec.register({
		type,
		encode: (value) =>
			value instanceof Numbers
				? new Uint8Array(value.buffer, value.byteOffset, value.byteLength)
				: null,
		// A copy, as numbers must lie at multiples of their size.
		decode: (bytes) => new Numbers(bytes.slice().buffer),
	});

extensionCodec.register({
	type: TYPE_MAP,
	encode: (value) => (value instanceof Map ? pack([...value]) : null),
	decode: (bytes) => new Map(unpack(bytes) as [unknown, unknown][]),
});
extensionCodec.register({
	type: TYPE_SET,
	encode: (value) => (value instanceof Set ? pack([...value]) : null),
	decode: (bytes) => new Set(unpack(bytes) as unknown[]),
});
