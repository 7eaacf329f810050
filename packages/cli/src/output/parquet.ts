/**
 * Rows as Parquet, for DuckDB, Spark and pandas: `--each` of a log and the report's table. Rows are kept until a group of them is full, so that
 * memory does not grow with their number. hyparquet-writer is loaded by who needs it.
 */
import type { ByteWriter, ParquetWriter } from "hyparquet-writer";

/** What a column holds. Any value may be missing. */
export type ParquetType = "text" | "integer" | "double" | "boolean" | "time";

/** Columns by name, in their order. */
export type ParquetColumns = Readonly<Record<string, ParquetType>>;

/** Values of a row, in the order of columns: times as in RFC 3339. */
export type ParquetRow = readonly (
	| string
	| number
	| boolean
	| null
	| undefined
)[];

type Element = ConstructorParameters<typeof ParquetWriter>[0]["schema"][0];

const elements: Readonly<Record<ParquetType, Omit<Element, "name">>> = {
	text: {
		type: "BYTE_ARRAY",
		converted_type: "UTF8",
		logical_type: { type: "STRING" },
	},
	integer: { type: "INT64" },
	double: { type: "DOUBLE" },
	boolean: { type: "BOOLEAN" },
	time: {
		type: "INT64",
		converted_type: "TIMESTAMP_MILLIS",
		// Without it DuckDB would take times for local ones.
		logical_type: { type: "TIMESTAMP", isAdjustedToUTC: true, unit: "MILLIS" },
	},
};

/** Rows of a group: readers of a column hold as many values in memory. A row of `--each` is some 300 characters. */
const GROUP_ROWS = 50_000;
/** Characters of a group, as a header may have a megabyte. */
const GROUP_TEXT = 32 * 1024 * 1024;

/** Makes the bytes of a Parquet file: concatenate what `take`, as often as it is called, and `end` return. */
export class ParquetRows {
	readonly #columns: ParquetColumns;
	readonly #bytes: ByteWriter;
	readonly #writer: ParquetWriter;
	#values: unknown[][] = [];
	#rows = 0;
	#text = 0;

	private constructor(
		columns: ParquetColumns,
		bytes: ByteWriter,
		writer: ParquetWriter,
	) {
		this.#columns = columns;
		this.#bytes = bytes;
		this.#writer = writer;
		this.#clear();
	}

	static async of(columns: ParquetColumns): Promise<ParquetRows> {
		const { ByteWriter, ParquetWriter } = await import("hyparquet-writer");
		const bytes = new ByteWriter();
		const names = Object.entries(columns);
		const writer = new ParquetWriter({
			writer: bytes,
			createdBy: "robotrie",
			schema: [
				{ name: "root", num_children: names.length },
				...names.map(([name, type]) => ({
					name,
					repetition_type: "OPTIONAL" as const,
					...elements[type],
				})),
			],
		});
		return new ParquetRows(columns, bytes, writer);
	}

	#clear(): void {
		this.#values = Object.keys(this.#columns).map(() => []);
		this.#rows = 0;
		this.#text = 0;
	}

	add(row: ParquetRow): void {
		const types = Object.values(this.#columns);
		for (const [at, type] of types.entries()) {
			const value = row[at] ?? null;
			this.#values[at]?.push(value === null ? null : converted(value, type));
			if (typeof value === "string") this.#text += value.length;
		}
		this.#rows++;
	}

	/** The bytes of full groups so far, if there are any. */
	take(): Uint8Array | undefined {
		if (this.#rows < GROUP_ROWS && this.#text < GROUP_TEXT) return undefined;
		this.#flush();
		return this.#taken();
	}

	/** The last bytes. */
	end(): Uint8Array {
		this.#flush();
		this.#writer.finish();
		return this.#taken();
	}

	#flush(): void {
		if (this.#rows === 0) return;
		this.#writer.write({
			columnData: Object.keys(this.#columns).map((name, at) => ({
				name,
				data: this.#values[at] as unknown[],
			})),
			rowGroupSize: this.#rows,
		});
		this.#clear();
	}

	/** What was written since the last call; positions in the file go on. */
	#taken(): Uint8Array {
		const bytes = this.#bytes.getBytes().slice();
		this.#bytes.index = 0;
		return bytes;
	}
}

function converted(value: string | number | boolean, type: ParquetType) {
	if (type === "time") return new Date(value as string);
	// Counts of bytes exceed 32 bits; a log may claim more than 64 hold.
	return type === "integer" ? BigInt(Math.min(Number(value), MOST)) : value;
}

/** The largest double that 64 bits hold. */
const MOST = 2 ** 63 - 1024;
