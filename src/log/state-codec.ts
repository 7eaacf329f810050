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

const typedArrays = [
	Float64Array,
	Float32Array,
	Uint32Array,
	Int32Array,
	Uint16Array,
] as const;
typedArrays.forEach((Numbers, index) => {
	extensionCodec.register({
		type: index,
		encode: (value) =>
			value instanceof Numbers
				? new Uint8Array(value.buffer, value.byteOffset, value.byteLength)
				: null,
		// A copy, as numbers must lie at multiples of their size.
		decode: (bytes) => new Numbers(bytes.slice().buffer),
	});
});

extensionCodec.register({
	type: typedArrays.length,
	encode: (value) => (value instanceof Map ? pack([...value]) : null),
	decode: (bytes) => new Map(unpack(bytes) as [unknown, unknown][]),
});
extensionCodec.register({
	type: typedArrays.length + 1,
	encode: (value) => (value instanceof Set ? pack([...value]) : null),
	decode: (bytes) => new Set(unpack(bytes) as unknown[]),
});
