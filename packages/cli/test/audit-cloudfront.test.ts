import { join } from "node:path";
import { DuckDBInstance } from "@duckdb/node-api";
import { describe, expect, test } from "vitest";
import type { AuditReport } from "../../audit/src/index.ts";
import { file, folder, robotrie } from "./run.ts";

/**
 * CloudFront's standard logs (v2) as Parquet, written by DuckDB. AWS's page on Athena tables for them
 * (docs.aws.amazon.com/athena/latest/ug/create-cloudfront-table-manual-parquet.html) has texts in all columns, named with underscores; copies that were
 * made for queries have types, as AWS's own table of the older logs has.
 */

const rules = file("cloudfront.txt", "User-agent: *\nDisallow: /private\n");
const duck = await DuckDBInstance.create();

const time = "2025-10-14 12:30:45";
const rest = {
	c_ip: "'192.0.2.1'",
	cs_method: "'GET'",
	cs_host: "'d111111abcdef8.cloudfront.net'",
	cs_uri_stem: "'/private/a'",
	cs_uri_query: "'b=c'",
	cs_user_agent: "'GPTBot/1%20(x)'",
	x_host_header: "'a.example'",
	cs_referer: "NULL::VARCHAR",
	sc_status: "'200'",
	sc_bytes: "'5120'",
};
const texts = { date: "'2025-10-14'", time: "'12:30:45'", ...rest };
const typed = {
	...rest,
	date: "DATE '2025-10-14'",
	time: "TIME '12:30:45'",
	sc_status: "200::INTEGER",
	sc_bytes: "5120::BIGINT",
};

type Columns = Readonly<Record<string, string>>;
type File = readonly [what: string, columns: Columns, how: string];
const kinds: readonly (readonly [what: string, columns: Columns])[] = [
	["texts, as documented", texts],
	[
		"its own names",
		Object.fromEntries(
			Object.entries({ ...texts }).map(([name, value]) => [
				nameOf(name),
				value,
			]),
		),
	],
	["types", typed],
	[
		"types and its own names",
		Object.fromEntries(
			Object.entries(typed).map(([name, value]) => [nameOf(name), value]),
		),
	],
	[
		"a small status",
		{ ...typed, sc_status: "200::SMALLINT", sc_bytes: "5120::INTEGER" },
	],
	[
		"unsigned numbers",
		{ ...typed, sc_status: "200::USMALLINT", sc_bytes: "5120::UBIGINT" },
	],
	["doubles", { ...typed, sc_status: "200::DOUBLE", sc_bytes: "5120::DOUBLE" }],
	[
		"decimals",
		{
			...typed,
			sc_status: "200::DECIMAL(9, 0)",
			sc_bytes: "5120::DECIMAL(18, 2)",
		},
	],
	[
		"a date that is a timestamp",
		{ ...typed, date: "TIMESTAMP '2025-10-14 00:00:00'" },
	],
	["a timestamp for both", { ...rest, timestamp: `TIMESTAMP '${time}'` }],
	[
		"a timestamp with a zone",
		{ ...rest, timestamp: `TIMESTAMPTZ '${time}+00'` },
	],
	[
		"a timestamp in nanoseconds",
		{ ...rest, timestamp: `TIMESTAMP_NS '${time}'` },
	],
	[
		"a timestamp in milliseconds",
		{ ...rest, timestamp: `TIMESTAMP_MS '${time}'` },
	],
	["seconds since 1970", { ...rest, timestamp: "1760445045::BIGINT" }],
	["seconds since 1970 as text", { ...rest, timestamp: "'1760445045'" }],
	[
		"milliseconds since 1970",
		{ ...rest, "timestamp(ms)": "1760445045000::BIGINT" },
	],
	["milliseconds as text", { ...rest, timestamp_ms: "'1760445045000'" }],
];
const files: readonly File[] = [
	...kinds.map(([what, columns]): File => [what, columns, ""]),
	...["gzip", "zstd", "lz4_raw", "brotli", "uncompressed"].map(
		(codec): File => [codec, typed, `, COMPRESSION ${codec}`],
	),
];

/** A column's name in CloudFront's own notation. */
function nameOf(name: string): string {
	const own: Columns = {
		cs_user_agent: "cs(User-Agent)",
		cs_referer: "cs(Referer)",
		cs_host: "cs(Host)",
	};
	return own[name] ?? name.replaceAll("_", "-");
}

async function written(
	name: string,
	columns: Columns,
	how: string,
): Promise<string> {
	const path = join(folder, `cloudfront-${name.replace(/\W/g, "-")}.parquet`);
	const list = Object.entries(columns).map(
		([column, value]) => `${value} AS "${column}"`,
	);
	const connection = await duck.connect();
	await connection.run("SET TimeZone = 'UTC'");
	// The second row has nothing but a time.
	const nulls = Object.entries(columns).map(([column, value]) =>
		/^(date|time)/.test(column) ? value : `NULL`,
	);
	await connection.run(
		`COPY (SELECT ${list.join(", ")} UNION ALL SELECT ${nulls.join(", ")}) TO '${path}' (FORMAT parquet${how})`,
	);
	connection.closeSync();
	return path;
}

describe("A Parquet file of CloudFront", () => {
	test.each(files)(
		"with %s is detected and read",
		async (name, columns, how) => {
			const path = await written(name, columns, how);
			const { stdout, stderr } = await robotrie([
				"audit",
				"-r",
				rules,
				"--json",
				path,
			]);
			expect(stderr).not.toContain("format");
			const report = JSON.parse(String(stdout)) as AuditReport;
			expect(report).toMatchObject({
				lines: 2,
				unparsed: 1,
				crawlers: [
					{
						name: "GPTBot",
						disallowed: 1,
						firstSeen: "2025-10-14T12:30:45.000Z",
						statuses: { "2xx": 1 },
						bytes: { disallowed: 5120 },
						rules: [{ examples: ["/private/a?b=c"] }],
					},
				],
			});
		},
	);
});
