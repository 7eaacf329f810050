/**
 * Parquet files: rows by group for recorded answers, and rows as lines of JSON for logs. hyparquet is loaded when a file begins like one.
 */
import { isSitesError, SitesError, systemReason } from "./errors.ts";

/**
 * Rows of a Parquet file from one number up to another. Row groups are what a Parquet file is
 * written in, so reading by them reads each byte once.
 */
export interface RowRange {
	readonly from: number;
	readonly to: number;
}

/**
 * The row groups of a Parquet file. Metadata stand at the end of the file, which is why a stream
 * cannot be Parquet.
 * @throws {SitesError} When it is none.
 */
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

const DAY = 86_400_000;

/**
 * What texts are for the values of columns that hold days (DATE) or times of a day (TIME):
 * "2025-10-14", "12:30:45.000". Dates and times of day are numbers of days and of units since
 * midnight; a log needs their text.
 */
async function clockColumns(
	file: string,
): Promise<ReadonlyMap<string, (value: unknown) => unknown>> {
	return orFailure(file, async () => {
		const { asyncBufferFromFile, parquetMetadataAsync, parquetSchema } =
			await import("hyparquet");
		const metadata = await parquetMetadataAsync(
			await asyncBufferFromFile(file),
		);
		const columns = new Map<string, (value: unknown) => unknown>();
		// Only these types: timestamps come as Date objects already.
		for (const { element } of parquetSchema(metadata).children) {
			const { name, converted_type: type, logical_type: logical } = element;
			if (type === "DATE" || logical?.type === "DATE")
				columns.set(name, (value) => dayText(value));
			else if (logical?.type === "TIME")
				columns.set(name, (value) => clockText(value, logical.unit));
			else if (type === "TIME_MILLIS" || type === "TIME_MICROS")
				columns.set(name, (value) => clockText(value, type.slice(5)));
		}
		return columns;
	});
}

/** Of a Date, or of days since 1970. */
function dayText(value: unknown): unknown {
	const date = typeof value === "number" ? new Date(value * DAY) : value;
	return date instanceof Date && !Number.isNaN(date.getTime())
		? date.toISOString().slice(0, date.toISOString().indexOf("T"))
		: value;
}

/** Of so many milli-, micro- or nanoseconds since midnight. */
function clockText(value: unknown, unit: string): unknown {
	// A value of another type is left as it is, so that the log's reader decides about it.
	if (typeof value !== "number" && typeof value !== "bigint") return value;
	const perMillisecond = { MILLIS: 1, MICROS: 1e3, NANOS: 1e6 }[unit] ?? 1;
	const time = Math.floor(Number(value) / perMillisecond);
	return time >= 0 && time < DAY
		? new Date(time).toISOString().slice(11, -1)
		: value;
}

/**
 * Rows of a Parquet file.
 * @param choose Which of its columns are read.
 * @param utf8 Whether bytes without a type are text.
 * @throws {SitesError} When it cannot be read.
 */
export async function rowsOf(
	file: string,
	{ from, to }: RowRange,
	choose: (columns: readonly string[]) => readonly string[],
	utf8: boolean,
): Promise<Record<string, unknown>[]> {
	return orFailure(file, async () => {
		const [hyparquet, { compressors }] = await Promise.all([
			// Two packages: one reads the format, the other one has the compressions that Parquet allows.
			import("hyparquet"),
			import("hyparquet-compressors"),
		]);
		const buffer = await hyparquet.asyncBufferFromFile(file);
		const metadata = await hyparquet.parquetMetadataAsync(buffer);
		const names = hyparquet
			.parquetSchema(metadata)
			.children.map(({ element }) => element.name);
		return hyparquet.parquetReadObjects({
			file: buffer,
			metadata,
			columns: [...choose(names)],
			rowStart: from,
			rowEnd: to,
			compressors,
			utf8,
		});
	});
}

/** One place turns both kinds of failure into a message: of the system, and of the format. */
async function orFailure<Result>(
	file: string,
	read: () => Promise<Result>,
): Promise<Result> {
	try {
		return await read();
	} catch (error) {
		if (isSitesError(error)) throw error;
		const system = systemReason(error);
		if (system !== undefined)
			throw new SitesError("unreadable", `cannot read ${file}: ${system}`);
		const reason = error instanceof Error ? error.message : String(error);
		throw new SitesError(
			"malformed",
			`${file} is not valid Parquet: ${reason}`,
		);
	}
}

/**
 * Rows that are in memory at once. So many rows take some megabytes as objects.
 */
const ROWS = 10_000;

/**
 * The rows of a Parquet file as lines of JSON, by the names of its columns.
 * @throws {SitesError} When it cannot be read.
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
		// bigint has no JSON; the numbers of logs are far below 2 ** 53.
		if (typeof value === "bigint") return Number(value);
		return value instanceof Uint8Array ? decoder.decode(value) : value;
	});
}
