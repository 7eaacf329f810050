import type { Dialect } from "robotrie";
import { type RowRange, rowsOf } from "../input/parquet.ts";
import { Failure } from "../output/failure.ts";
import { type SiteRecord, siteOfRow } from "./record.ts";

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

/** Sites of a row group; each row has the columns of a line of JSON. @throws {Failure} When it cannot be read. */
export async function* readParquet(
	file: string,
	{ from, to }: RowRange,
	dialect: Dialect,
): AsyncGenerator<SiteRecord> {
	const choose = (names: readonly string[]) => {
		if (!names.includes("origin"))
			throw new Failure(`${file} has no column "origin"`);
		return COLUMNS.filter((name) => names.includes(name));
	};
	// A robots.txt need not be UTF-8.
	const rows = await rowsOf(file, { from, to }, choose, false);
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
