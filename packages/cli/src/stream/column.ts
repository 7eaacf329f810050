import { Failure } from "../output/failure.ts";

/** Texts in one buffer, as Apache Arrow's variable-size binary layout has them. */
export interface Column {
	/** Text i is bytes [offsets[i], offsets[i + 1]). */
	readonly offsets: Int32Array | BigInt64Array;
	readonly bytes: Uint8Array;
}

/** Bytes in front of the offsets: their width and the number of texts. */
const HEADER = 5;

/** Bytes to leave free in front of a payload whose column begins at `at`, for its offsets to be aligned. */
export function roomBefore(at: number): number {
	return -(at + HEADER) & 7;
}

/**
 * The column in bytes that stand in their buffer as `roomBefore` says.
 * @throws {Failure} When its width is not 4 or 8, or it has fewer bytes than its offsets need.
 */
export function columnOf(payload: Uint8Array): Column {
	if (payload.length < HEADER)
		throw new Failure(
			`${payload.length} bytes are fewer than the ${HEADER} of its offset width and number of rows`,
		);
	const view = new DataView(payload.buffer, payload.byteOffset, HEADER);
	const width = view.getUint8(0);
	if (width !== 4 && width !== 8)
		throw new Failure(`the offset width is 4 or 8, not ${width}`);
	const count = view.getUint32(1, true) + 1;
	const end = HEADER + count * width;
	if (end > payload.length)
		throw new Failure(
			`${count} offsets of ${width} bytes need ${end} bytes, and there are ${payload.length}`,
		);
	const at = payload.byteOffset + HEADER;
	return {
		offsets:
			width === 4
				? new Int32Array(payload.buffer, at, count)
				: new BigInt64Array(payload.buffer, at, count),
		bytes: payload.subarray(end),
	};
}
