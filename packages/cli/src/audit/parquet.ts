/**
 * An audit as Parquet: the report's table (`-o parquet`) and the rows of `--each`, with real types. Their columns are those of the CSV. report.ts and
 * side-outputs.ts load it.
 */
import {
	type AuditReport,
	reportTable,
	type VerdictRow,
} from "@robotrie/audit";
import {
	type ParquetColumns,
	type ParquetRow,
	ParquetRows,
	type ParquetType,
} from "../output/parquet.ts";

/** Columns of the report, of its series and of suspects that are no counts. */
const typed: ReadonlyMap<string, ParquetType> = new Map(
	Object.entries({
		text: [
			"name",
			"category",
			"verification",
			"purpose",
			"top_directory",
			"top_path",
			"top_rule_file",
			"top_rule",
			"top_system",
			"top_section",
			"top_taken_path",
			"top_content_type",
			"address",
			"system",
			"reason",
			"dialect",
		],
		time: ["first_seen", "last_seen", "start"],
		double: [
			"compliance",
			"median_gap",
			"p10_gap",
			"robots_txt_interval",
			"robots_txt_longest_interval",
			"crawl_delay",
			"crawl_delay_shorter_share",
			"bytes_share",
		],
		boolean: ["crawl_delay_kept", "pages_estimated"],
	} satisfies { [Type in ParquetType]?: readonly string[] }).flatMap(
		([type, names]) => names.map((name) => [name, type as ParquetType]),
	),
);

/** The report's table as a Parquet file, with the columns of its CSV. */
export async function parquetReport(report: AuditReport): Promise<Uint8Array> {
	const { columns, rows } = await reportTable(report);
	return parquetOf(columns, rows);
}

async function parquetOf(
	names: readonly string[],
	table: Iterable<Readonly<Record<string, ParquetRow[number]>>>,
): Promise<Uint8Array> {
	const columns: ParquetColumns = Object.fromEntries(
		names.map((name) => [name, typed.get(name) ?? "integer"]),
	);
	const rows = await ParquetRows.of(columns);
	const parts: Uint8Array[] = [];
	for (const row of table) {
		rows.add(names.map((name) => row[name]));
		parts.push(rows.take() ?? EMPTY);
	}
	return Buffer.concat([...parts, rows.end()]);
}

const EMPTY = new Uint8Array(0);
const LF = 10;

/** Columns of `--each`, in the order of the CSV. */
const eachColumns: { readonly [Name in keyof VerdictRow]: ParquetType } = {
	line: "integer",
	time: "time",
	crawler: "text",
	category: "text",
	verification: "text",
	host: "text",
	path: "text",
	status: "integer",
	bytes: "integer",
	address: "text",
	verdict: "text",
	robots: "text",
	rule_line: "integer",
	rule: "text",
	user_agent: "text",
	method: "text",
	referrer: "text",
};

/** What `--each` writes as Parquet, of rows that come as lines of JSON. @param isOneLog Whether rows have no name of their log. */
export async function eachParquet(isOneLog: boolean) {
	const columns: ParquetColumns = {
		...(isOneLog ? {} : { file: "text" }),
		...eachColumns,
	};
	const names = Object.keys(columns);
	const parquet = await ParquetRows.of(columns);
	const decoder = new TextDecoder();
	return {
		of: (rows: Uint8Array): Uint8Array => {
			const parts: Uint8Array[] = [];
			for (let from = 0; from < rows.length; ) {
				const end = rows.indexOf(LF, from) + 1;
				const text = decoder.decode(rows.subarray(from, end));
				const row = JSON.parse(text) as Readonly<
					Record<string, ParquetRow[number]>
				>;
				parquet.add(names.map((name) => row[name]));
				parts.push(parquet.take() ?? EMPTY);
				from = end;
			}
			return Buffer.concat(parts);
		},
		end: () => parquet.end(),
	};
}
