import { LINES_PADDING } from "../../assembly/format/program.ts";
import { checkLength } from "../common/chunks.ts";
import type { Column } from "../common/column.ts";
import type { LinearMemory, RowExports } from "./linear-memory.ts";

/**
 * Rows judged at once, and their bytes with one more for each. With them the input region of an index stays within what a worker of
 * a pool has for lines (origin-table.ts: `roomOf` a CHUNK).
 */
const MOST_ROWS = 8192;
const MOST_BYTES = 64 * 1024;

/** How the rows of a column are judged. */
export interface RowJudge {
	readonly linear: LinearMemory<RowExports>;
	/** Bytes of the input region for so many bytes of lines, with what judging them takes. */
	roomOf(length: number): number;
	/** Writes the verdicts of the lines at an address. `rowOf` gives the bytes of the line with a number. */
	judgeLines(
		from: number,
		length: number,
		verdicts: Uint8Array,
		rowOf: (line: number) => Uint8Array,
	): void;
	/** The verdict for bytes that may hold line ends. */
	judgeOne(row: Uint8Array): number;
}

/**
 * Verdict bytes, one for each row.
 * @throws {RobotrieError} limit-exceeded, for a row that is longer than a URL may be, or when memory cannot grow.
 */
export function judgeColumn(column: Column, judge: RowJudge): Uint8Array {
	const verdicts = column.verdicts();
	for (let first = 0; first < column.length; ) {
		const rows = judgeSome(column, first, judge, verdicts);
		if (rows === 0 && !column.isNull(first))
			verdicts[first] = judgeRow(column, first, judge);
		first += Math.max(rows, 1);
	}
	return column.finish(verdicts);
}

function judgeRow(column: Column, row: number, judge: RowJudge): number {
	checkLength("a URL", column.offset(row + 1) - column.offset(row));
	return judge.judgeOne(column.row(row));
}

/** Judges rows from `first` on as lines; returns their number, 0 if not even one fits. */
function judgeSome(
	column: Column,
	first: number,
	judge: RowJudge,
	verdicts: Uint8Array,
): number {
	const { linear } = judge;
	const { module } = linear;
	const most = Math.min(MOST_ROWS, column.length - first);
	const start = column.offset(first);
	const all = Math.max(0, column.offset(first + most) - start) + most;
	const size = Math.min(MOST_BYTES, all);
	// Where rows end, the rows, their lines and what judging those takes.
	const input = linear.input(
		4 + most * 4 + size + LINES_PADDING + judge.roomOf(size),
	);
	const ends = ((input + 3) & ~3) >>> 0;
	const words = linear.words();
	const rows = column.endsFrom(first, most, size, words, ends >>> 2);
	if (rows === 0) return 0;
	const from = ends + most * 4;
	const length = words[(ends >>> 2) + rows - 1] as number;
	const isAll = start === 0 && length === column.bytes.length;
	linear
		.bytes()
		.set(
			isAll ? column.bytes : column.bytes.subarray(start, start + length),
			from,
		);
	const lines = from + size + LINES_PADDING;
	const end = module.spreadRows(ends, rows, from, lines) >>> 0;
	// Rows that are not lines have fewer bytes there. Copied, since judging uses the same region.
	const odd =
		end - lines === length + rows
			? []
			: linear.words().slice(ends >>> 2, (ends >>> 2) + module.oddRows());
	const part =
		rows === verdicts.length
			? verdicts
			: verdicts.subarray(first, first + rows);
	judge.judgeLines(lines, end - lines, part, (line) =>
		column.row(first + line),
	);
	for (const row of odd) {
		if (!column.isNull(first + row))
			part[row] = judgeRow(column, first + row, judge);
	}
	return rows;
}
