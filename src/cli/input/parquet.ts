import { Failure, systemReason } from "../output/failure.ts";

/** Rows of a Parquet file from one number up to another. */
export interface RowRange {
	readonly from: number;
	readonly to: number;
}

/** Whether these are the first bytes of a Parquet file. */
export function isParquet(head: Uint8Array): boolean {
	return Buffer.from(head.subarray(0, 4)).toString("latin1") === "PAR1";
}

/** The row groups of a Parquet file. @throws {Failure} When it is none. */
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

/**
 * Rows of a Parquet file.
 * @param choose Which of its columns are read.
 * @param utf8 Whether bytes without a type are text.
 * @throws {Failure} When it cannot be read.
 */
export async function rowsOf(
	file: string,
	{ from, to }: RowRange,
	choose: (columns: readonly string[]) => readonly string[],
	utf8: boolean,
): Promise<readonly Record<string, unknown>[]> {
	return orFailure(file, async () => {
		const [hyparquet, { compressors }] = await Promise.all([
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
