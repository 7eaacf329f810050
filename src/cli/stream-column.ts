import type { RobotsIndex } from "../sites/robots-index.ts";
import { Failure } from "./failure.ts";

/** Texts in one buffer, as Apache Arrow's variable-size binary layout has them. */
export interface Column {
	/** Text i is bytes [offsets[i], offsets[i + 1]). */
	readonly offsets: Int32Array | BigInt64Array;
	readonly bytes: Uint8Array;
}

/** Bytes in front of the offsets: their width and the number of texts. */
const HEADER = 5;

/** Where a payload has to begin in its buffer for its offsets to be aligned. */
export const COLUMN_ROOM = 8 - HEADER;

/**
 * The column in a payload that begins at COLUMN_ROOM of its buffer.
 * @throws {Failure} When its width is not 4 or 8, or it has fewer bytes than its offsets need.
 */
export function columnOf(buffer: Uint8Array): Column {
	const payload = buffer.subarray(COLUMN_ROOM);
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

/** Bytes of rows that are judged at once. */
const CHUNK = 1024 * 1024;

const LF = 10;
const CR = 13;

/**
 * A verdict for each text of a column, written to `into`.
 * @throws {Failure} When its offsets fall or lie beyond the bytes.
 */
export function judgeColumn(
	index: RobotsIndex,
	column: Column,
	into: Uint8Array,
): void {
	const ends = endsOf(column);
	const rows = ends.length - 1;
	for (let from = 0; from < rows; ) {
		let to = from + 1;
		const start = ends[from] as number;
		while (to < rows && (ends[to + 1] as number) - start <= CHUNK) to++;
		judgeRows(index, column.bytes, ends.subarray(from, to + 1), into, from);
		from = to;
	}
}

function endsOf({ offsets, bytes }: Column): Float64Array {
	const ends = new Float64Array(offsets.length);
	let before = 0;
	for (let i = 0; i < offsets.length; i++) {
		const offset = Number(offsets[i]);
		if (offset < before)
			throw new Failure(`offset ${i} is ${offset}, less than ${before}`);
		if (offset > bytes.length)
			throw new Failure(
				`offset ${i} is ${offset}, beyond the ${bytes.length} bytes of the column`,
			);
		ends[i] = before = offset;
	}
	return ends;
}

/** Rows with line ends are judged one by one, all others as lines. */
function judgeRows(
	index: RobotsIndex,
	bytes: Uint8Array,
	ends: Float64Array,
	into: Uint8Array,
	at: number,
): void {
	const rows = ends.length - 1;
	const start = ends[0] as number;
	const lines = new Uint8Array((ends[rows] as number) - start + rows);
	const others: number[] = [];
	let length = 0;
	for (let row = 0; row < rows; row++) {
		const text = bytes.subarray(ends[row], ends[row + 1]);
		if (text.includes(LF) || text.includes(CR)) others.push(row);
		else {
			lines.set(text, length);
			length += text.length;
		}
		lines[length++] = LF;
	}
	into.set(index.matchLines(lines.subarray(0, length)), at);
	const texts = others.map((row) =>
		new TextDecoder("utf-8", { ignoreBOM: true }).decode(
			bytes.subarray(ends[row], ends[row + 1]),
		),
	);
	index.matchMany(texts).forEach((verdict, i) => {
		into[at + (others[i] as number)] = verdict;
	});
}
