import type { Dialect } from "../robots-txt/dialect.ts";
import { Failure, systemReason } from "./failure.ts";
import { type SiteRecord, siteOfRow } from "./site-record.ts";

/** Columns that are read, where a file has them. */
const COLUMNS = [
	"origin",
	"robots",
	"robots_b64",
	"status",
	"location",
	"content_type",
	"access",
];

/** Rows of a Parquet file from one number up to another. */
export interface RowRange {
	readonly from: number;
	readonly to: number;
}

/** The row groups of a Parquet file. @throws {Failure} When it is none, or has no column "origin". */
export async function rowGroupsOf(file: string): Promise<RowRange[]> {
	return orFailure(file, async () => {
		const { asyncBufferFromFile, parquetMetadataAsync } = await import(
			"hyparquet"
		);
		const buffer = await asyncBufferFromFile(file);
		const { row_groups } = await parquetMetadataAsync(buffer);
		let to = 0;
		return row_groups.map(({ num_rows }) => {
			const from = to;
			to += Number(num_rows);
			return { from, to };
		});
	});
}

/** Sites of a row group; each row has the columns of a line of JSON. @throws {Failure} When it cannot be read. */
export async function* readParquet(
	file: string,
	{ from, to }: RowRange,
	dialect: Dialect,
): AsyncGenerator<SiteRecord> {
	const rows = await orFailure(file, async () => {
		const [hyparquet, { compressors }] = await Promise.all([
			import("hyparquet"),
			import("hyparquet-compressors"),
		]);
		const buffer = await hyparquet.asyncBufferFromFile(file);
		const metadata = await hyparquet.parquetMetadataAsync(buffer);
		const names = hyparquet
			.parquetSchema(metadata)
			.children.map(({ element }) => element.name);
		if (!names.includes("origin"))
			throw new Failure(`${file} has no column "origin"`);
		return hyparquet.parquetReadObjects({
			file: buffer,
			metadata,
			columns: COLUMNS.filter((name) => names.includes(name)),
			rowStart: from,
			rowEnd: to,
			compressors,
			// A robots.txt need not be UTF-8.
			utf8: false,
		});
	});
	const decoder = new TextDecoder();
	for (const [i, row] of rows.entries()) {
		// Columns of bytes without a type, which some engines write.
		for (const name of COLUMNS)
			if (name !== "robots" && row[name] instanceof Uint8Array)
				row[name] = decoder.decode(row[name]);
		const where = `${file}: row ${from + i + 1}`;
		yield { where, ...siteOfRow(row, dialect) };
	}
}

async function orFailure<Result>(
	file: string,
	read: () => Promise<Result>,
): Promise<Result> {
	try {
		return await read();
	} catch (error) {
		if (error instanceof Failure) throw error;
		const system = systemReason(error);
		if (system !== undefined)
			throw new Failure(`cannot read ${file}: ${system}`);
		const reason = error instanceof Error ? error.message : String(error);
		throw new Failure(`${file} is not valid Parquet: ${reason}`);
	}
}
