import { clockColumns, rowGroupsOf, rowsOf } from "./parquet.ts";

/** Rows that are in memory at once. */
const ROWS = 10_000;

/**
 * The rows of a Parquet file as lines of JSON, by the names of its columns.
 * @throws {Failure} When it cannot be read.
 */
export async function* readParquetLines(
	file: string,
): AsyncGenerator<Uint8Array> {
	const encoder = new TextEncoder();
	const clocks = await clockColumns(file);
	for (const group of await rowGroupsOf(file))
		for (let { from } = group; from < group.to; from += ROWS) {
			const to = Math.min(from + ROWS, group.to);
			const rows = await rowsOf(file, { from, to }, (names) => names, true);
			for (const row of rows)
				for (const [name, text] of clocks) row[name] = text(row[name]);
			yield encoder.encode(rows.map((row) => `${lineOf(row)}\n`).join(""));
		}
}

const decoder = new TextDecoder();

/** Whole numbers of 64 bits and bytes as JSON has them. */
function lineOf(row: Record<string, unknown>): string {
	return JSON.stringify(row, (_, value: unknown) => {
		if (typeof value === "bigint") return Number(value);
		return value instanceof Uint8Array ? decoder.decode(value) : value;
	});
}
