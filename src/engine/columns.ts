/**
 * Judges the rows of a column: they are spread to lines in WebAssembly memory and judged as such, by engine.ts for a matcher and by
 * origin-table.ts for an index.
 */
import { checkLength } from "../common/chunks.ts";
import type { Column } from "../common/column.ts";
import type { LinearMemory, RowExports } from "./linear-memory.ts";

/**
 * Rows judged at once, and their bytes with one more for each. With them the input region of an index stays within what a worker of
 * a pool has for lines (origin-table.ts: `roomOf` a CHUNK).
 */
const MOST_ROWS = 8192;
const MOST_BYTES = 64 * 1024;
/** Bytes after rows and lines that are read and written at once (assembly/url/lines.ts). */
const SPREAD_PADDING = 128;

/** How the rows of a column are judged. */
interface RowJudge {
	readonly linear: LinearMemory<RowExports>;
	/** Bytes of the input region for so many bytes of lines, with what judging them takes. */
	roomOf(length: number): number;
	/** The verdicts of the lines at an address, in `into` if given. `rowOf` gives the bytes of the line with a number. */
	judgeLines(
		from: number,
		length: number,
		into: Uint8Array | undefined,
		rowOf: (line: number) => Uint8Array,
	): Uint8Array;
	/** The verdict for bytes that may hold line ends. */
	judgeOne(row: Uint8Array): number;
}

/**
 * Verdict bytes, one for each row.
 * @throws {RobotrieError} invalid-argument, for a wrong offset; limit-exceeded, for a row that is longer than a URL may be, or when
 * memory cannot grow.
 */
export function judgeColumn(column: Column, judge: RowJudge): Uint8Array {
	const rows = column.rowsFrom(0, MOST_ROWS, MOST_BYTES);
	if (rows > 0 && rows === column.length)
		return column.finish(judgeRows(column, 0, rows, judge, column.place));
	const verdicts = column.place ?? new Uint8Array(column.length);
	for (let first = 0; first < column.length; ) {
		const rows = column.rowsFrom(first, MOST_ROWS, MOST_BYTES);
		if (rows > 0) {
			const part = verdicts.subarray(first, first + rows);
			judgeRows(column, first, rows, judge, part);
		} else if (!column.isNull(first)) {
			verdicts[first] = judgeRow(column, first, judge);
		}
		first += Math.max(rows, 1);
	}
	return column.finish(verdicts);
}

function judgeRow(column: Column, row: number, judge: RowJudge): number {
	const length = column.offset(row + 1) - column.offset(row);
	if (length < 0) throw column.wrongOffset();
	checkLength("a URL", length);
	return judge.judgeOne(column.row(row));
}

/** Judges rows from `first` on as lines: verdicts, in `into` if given, which has a byte for each. */
function judgeRows(
	column: Column,
	first: number,
	rows: number,
	judge: RowJudge,
	into: Uint8Array | undefined,
): Uint8Array {
	const { linear } = judge;
	const { module } = linear;
	const { isWide } = column;
	const start = column.offset(first);
	const size = column.offset(first + rows) - start;
	// Another thread may write to them.
	if (size < 0) throw column.wrongOffset();
	const offsetsSize = (rows + 1) * (isWide ? 8 : 4);
	// Offsets, rows, their lines and what judging those takes.
	const room = size + SPREAD_PADDING + judge.roomOf(size + rows);
	const input = linear.input(7 + offsetsSize + room + SPREAD_PADDING);
	const offsets = ((input + 7) & ~7) >>> 0;
	const some = column.offsets(first, rows);
	if (some instanceof Int32Array) linear.words().set(some, offsets >>> 2);
	else linear.longs().set(some, offsets >>> 3);
	const from = offsets + offsetsSize;
	linear.bytes().set(column.between(start, start + size), from);
	const lines = from + size + SPREAD_PADDING;
	const end = module.spreadRows(offsets, isWide, rows, from, size, lines) >>> 0;
	if (end === 0) throw column.wrongOffset();
	// Rows that are not lines have fewer bytes there. Copied, since judging uses the same region.
	const odd =
		end - lines === size + rows
			? []
			: linear.words().slice(offsets >>> 2, (offsets >>> 2) + module.oddRows());
	const rowOf = (line: number) => column.row(first + line);
	const verdicts = judge.judgeLines(lines, end - lines, into, rowOf);
	for (const row of odd) {
		if (!column.isNull(first + row))
			verdicts[row] = judgeRow(column, first + row, judge);
	}
	return verdicts;
}
