import type { AsyncBuffer, FileMetaData } from "hyparquet";
import { Failure, systemReason } from "./failure.ts";

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
	try {
		for await (const rows of rowsOf(file))
			yield encoder.encode(rows.map((row) => `${lineOf(row)}\n`).join(""));
	} catch (error) {
		const system = systemReason(error);
		const reason = error instanceof Error ? error.message : String(error);
		throw new Failure(
			system === undefined
				? `${file} is not valid Parquet: ${reason}`
				: `cannot read ${file}: ${system}`,
		);
	}
}

async function* rowsOf(
	path: string,
): AsyncGenerator<readonly Record<string, unknown>[]> {
	const [hyparquet, { compressors }] = await Promise.all([
		import("hyparquet"),
		import("hyparquet-compressors"),
	]);
	const file: AsyncBuffer = await hyparquet.asyncBufferFromFile(path);
	const metadata: FileMetaData = await hyparquet.parquetMetadataAsync(file);
	let start = 0;
	for (const group of metadata.row_groups) {
		const end = start + Number(group.num_rows);
		for (; start < end; start += ROWS)
			yield await hyparquet.parquetReadObjects({
				file,
				metadata,
				rowStart: start,
				rowEnd: Math.min(start + ROWS, end),
				compressors,
			});
		start = end;
	}
}

const decoder = new TextDecoder();

/** Whole numbers of 64 bits, times and bytes as JSON has them. */
function lineOf(row: Record<string, unknown>): string {
	return JSON.stringify(row, (_, value: unknown) => {
		if (typeof value === "bigint") return Number(value);
		return value instanceof Uint8Array ? decoder.decode(value) : value;
	});
}
