import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { DuckDBInstance } from "@duckdb/node-api";
import { describe, expect, test } from "vitest";
import { file, folder, robotrie } from "./run.ts";
import { inTerminal } from "./terminal.ts";

/** Parquet that `robotrie audit` writes, read back by DuckDB: the same rows as in JSON lines and CSV, with real types. */

const rules = file(
	"parquet.txt",
	"User-agent: *\nCrawl-delay: 1.5\nDisallow: /p\n",
);
const lines = [
	'192.0.2.1 - - [14/Oct/2025:12:30:45 +0000] "GET /p/é?a=%00 HTTP/1.1" 200 5000000000 "https://a.example/" "GPTBot/1.0"',
	'192.0.2.1 - - [14/Oct/2025:12:30:46 +0000] "GET /p/é?a=%00 HTTP/1.1" 403 - "-" "GPTBot/1.0"',
	'192.0.2.2 - - [15/Oct/2025:01:00:00 +0200] "GET /robots.txt HTTP/1.1" 200 1 "-" "Bingbot/2.0"',
	'192.0.2.3 - - [15/Oct/2025:01:00:00 +0200] "GET /\\x22 HTTP/1.1" 200 1 "-" "Mozilla/5.0 (X11; Linux x86_64; rv:1.0) Gecko/20100101 Firefox/130.0"',
	"not a line",
];
const log = file("parquet.log", lines.map((line) => `${line}\n`).join(""));
const out = (name: string) => join(folder, `parquet-${name}`);

const duck = await DuckDBInstance.create();

/** Rows of a query, with bigints as numbers. */
async function query(sql: string): Promise<unknown[][]> {
	const connection = await duck.connect();
	await connection.run("SET TimeZone = 'UTC'");
	const reader = await connection.runAndReadAll(sql);
	const rows = reader.getRowsJson();
	connection.closeSync();
	return rows;
}

const typesOf = async (path: string) =>
	Object.fromEntries(
		(await query(`DESCRIBE SELECT * FROM '${path}'`)).map(([name, type]) => [
			name,
			type,
		]),
	);

/** The type of each column as DuckDB sees it; VARCHAR if it is not named. */
const eachTypes = {
	line: "BIGINT",
	time: "TIMESTAMP WITH TIME ZONE",
	status: "BIGINT",
	bytes: "BIGINT",
	rule_line: "BIGINT",
};
const tableTypes = {
	first_seen: "TIMESTAMP WITH TIME ZONE",
	last_seen: "TIMESTAMP WITH TIME ZONE",
	crawl_delay_kept: "BOOLEAN",
	...Object.fromEntries(
		[
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
			"dialect",
		].map((name) => [name, "VARCHAR"]),
	),
	...Object.fromEntries(
		[
			"compliance",
			"median_gap",
			"p10_gap",
			"robots_txt_interval",
			"robots_txt_longest_interval",
			"crawl_delay",
			"crawl_delay_shorter_share",
			"bytes_share",
		].map((name) => [name, "DOUBLE"]),
	),
};

/** A value as JSON lines have it. */
const plain = (value: unknown, type: unknown) =>
	value === null
		? null
		: type === "BIGINT"
			? Number(value)
			: type === "TIMESTAMP WITH TIME ZONE"
				? new Date(
						`${String(value)
							.replace(" ", "T")
							.replace(/\+00(:00)?$/, "")}Z`,
					).toISOString()
				: value;

async function rowsOf(path: string) {
	const types = await typesOf(path);
	const names = Object.keys(types);
	return (await query(`SELECT * FROM '${path}'`)).map((row) =>
		Object.fromEntries(
			names.map((name, at) => [name, plain(row[at], types[name])]),
		),
	);
}

describe("--each as Parquet", () => {
	test.each([
		["one log", ["--each-all"], [log]],
		["judged lines", [], [log]],
		[
			"two logs",
			["--each-all"],
			[log, file("parquet-2.log", `${lines[0]}\n${lines[2]}\n`)],
		],
		["no rows", ["--agents", "CCBot"], [log]],
		["anonymous rows", ["--each-all", "--anonymize"], [log]],
	])("has the rows of JSON lines: %s", async (name, options, logs) => {
		const audit = ["audit", "-r", rules, ...options];
		const path = out(`${name}.parquet`);
		const { stderr } = await robotrie([...audit, "--each", path, ...logs]);
		expect(stderr).not.toContain("rror");
		const { stdout } = await robotrie([...audit, "--each", "-", ...logs]);
		const rows = String(stdout)
			.split("\n")
			.filter(Boolean)
			.map((line) => JSON.parse(line) as Record<string, unknown>);
		expect(await rowsOf(path)).toEqual(rows);
		const names = Object.keys(await typesOf(path));
		expect(await typesOf(path)).toEqual(
			Object.fromEntries(
				names.map((each) => [each, eachTypes[each as "line"] ?? "VARCHAR"]),
			),
		);
		expect(names.slice(0, 2)).toEqual(
			logs.length > 1 ? ["file", "line"] : ["line", "time"],
		);
	});

	test("has several groups of many rows", async () => {
		const many = join(folder, "parquet-many.log");
		writeFileSync(many, `${lines[0]}\n`.repeat(120_000));
		const path = out("many.parquet");
		await robotrie([
			"audit",
			"-r",
			rules,
			"--each",
			path,
			"--workers",
			"2",
			many,
		]);
		expect(
			await query(
				`SELECT count(*)::INT, max(line)::INT, count(DISTINCT line)::INT, sum(bytes) FROM '${path}'`,
			),
		).toEqual([[120_000, 120_000, 120_000, `${120_000 * 5e9}`]]);
		const [[groups]] = (await query(
			`SELECT count(DISTINCT row_group_id)::INT FROM parquet_metadata('${path}')`,
		)) as [[number]];
		expect(groups).toBe(3);
	});

	test("goes to a pipe", async () => {
		const { stdout } = await robotrie([
			"audit",
			"-r",
			rules,
			"--each",
			"-",
			"--each-format",
			"parquet",
			log,
		]);
		writeFileSync(out("pipe.parquet"), stdout);
		expect(
			await query(`SELECT crawler, verdict FROM '${out("pipe.parquet")}'`),
		).toEqual([
			["GPTBot", "disallowed"],
			["GPTBot", "disallowed"],
			["bingbot", "robotsTxt"],
		]);
	});

	test("counts beyond 64 bits stay large", async () => {
		const path = out("large.parquet");
		const large = file(
			"parquet-large.log",
			`${lines[0]?.replace("5000000000", "9".repeat(30))}\n`,
		);
		await robotrie(["audit", "-r", rules, "--each", path, large]);
		expect(
			await query(`SELECT bytes > 1e15 OR bytes = 0 FROM '${path}'`),
		).toEqual([[true]]);
	});
});

describe("-o parquet", () => {
	test.each<[name: string, options: readonly string[]]>([
		["of crawlers", []],
		["of crawlers and what they take", ["--paths"]],
	])("has the rows of the CSV %s", async (_, options) => {
		const path = out("report.parquet");
		const csv = out("report.csv");
		const audit = ["audit", "-r", rules, ...options, log];
		await robotrie([...audit, "-o", "parquet", "--out", path]);
		await robotrie([...audit, "-o", "csv", "--out", csv]);
		const types = await typesOf(path);
		expect(types).toEqual(
			Object.fromEntries(
				Object.keys(types).map((name) => [
					name,
					tableTypes[name as "first_seen"] ?? "BIGINT",
				]),
			),
		);
		expect(Object.keys(types)).toEqual(
			readFileSync(csv, "utf8").split("\n")[0]?.split(","),
		);
		// DuckDB finds the types of the CSV by itself; as texts both are the same.
		const asText = (name: string) =>
			`SELECT COLUMNS(*)::VARCHAR FROM '${name}'`;
		const [first] = await query(
			`SELECT name, requests::INT, disallowed::INT, bytes_disallowed, crawl_delay, crawl_delay_kept, first_seen::VARCHAR FROM '${path}'`,
		);
		expect(first).toEqual([
			"GPTBot",
			2,
			2,
			"5000000000",
			1.5,
			true,
			"2025-10-14 12:30:45+00",
		]);
		expect((await query(asText(path))).length).toBe(
			(await query(asText(csv))).length,
		);
	});

	test("has the suspects of --suspects", async () => {
		const path = out("suspects.parquet");
		await robotrie([
			"audit",
			"-r",
			"sample/robots.txt",
			"--suspects",
			"-o",
			"parquet",
			"--out",
			path,
			"sample/browsers.log",
		]);
		expect(
			await query(
				`SELECT address, system, pages::INT, pages_estimated, first_seen::VARCHAR FROM '${path}'`,
			),
		).toEqual([["203.0.113.88", null, 124, false, "2025-10-14 02:00:00+00"]]);
	});

	test("has the paths and shares of --paths", async () => {
		const path = out("taken.parquet");
		const typed = lines.slice(0, 3).map((line) => `${line} text/html`);
		await robotrie([
			"audit",
			"-r",
			rules,
			"--paths",
			"-o",
			"parquet",
			"--out",
			path,
			"--log-format",
			'$remote_addr - - [$time_local] "$request" $status $body_bytes_sent "$http_referer" "$http_user_agent" $sent_http_content_type',
			file("parquet-typed.log", typed.join("\n")),
		]);
		expect(
			await query(
				`SELECT bytes_share, top_section, top_section_requests::INT, top_taken_path, top_taken_path_requests::INT, top_content_type FROM '${path}'`,
			),
		).toEqual([
			[99.99, "/p/", 2, "/p/é", 2, "text/html"],
			[0, null, null, null, null, null],
		]);
	});

	test("has the series of the CSV with --every, in UTC", async () => {
		const path = out("series.parquet");
		const csv = out("series.csv");
		const audit = [
			"audit",
			"-r",
			rules,
			log,
			"--every",
			"day",
			"--time-zone",
			"Europe/Berlin",
		];
		await robotrie([...audit, "-o", "parquet", "--out", path]);
		await robotrie([...audit, "-o", "csv", "--out", csv]);
		const types = await typesOf(path);
		expect(types).toEqual({
			start: "TIMESTAMP WITH TIME ZONE",
			...Object.fromEntries(
				["name", "category", "purpose", "verification"].map((name) => [
					name,
					"VARCHAR",
				]),
			),
			...Object.fromEntries(
				["allowed", "disallowed", "other"].map((name) => [name, "BIGINT"]),
			),
		});
		const [header = "", ...rows] = readFileSync(csv, "utf8")
			.trim()
			.split("\n")
			.map((line) => line.split(","));
		expect(Object.keys(types)).toEqual(header);
		expect(rows.length).toBeGreaterThan(1);
		expect((await rowsOf(path)).map((row) => Object.values(row))).toEqual(
			rows.map(([start = "", ...rest]) => [
				new Date(start).toISOString(),
				...rest.map((text, at) => (at < 4 ? text || null : Number(text))),
			]),
		);
	});

	test("is written for no crawler, and to a pipe", async () => {
		const { stdout } = await robotrie([
			"audit",
			"-r",
			rules,
			"--agents",
			"CCBot",
			"-o",
			"parquet",
			log,
		]);
		writeFileSync(out("none.parquet"), stdout);
		expect(
			await query(`SELECT count(*)::INT FROM '${out("none.parquet")}'`),
		).toEqual([[0]]);
	});

	test
		.skipIf(process.platform === "win32")
		.each(["-o parquet", "--each - --each-format parquet"])(
		"is not shown in a terminal: %s",
		async (options) => {
			const { shown, code } = await inTerminal(
				`robotrie audit -r ${rules} ${options} ${log}`,
			);
			expect(shown).toContain("Parquet is not for terminals");
			expect(code).toBe(2);
		},
	);

	test("is no list of headers", async () => {
		const { code, stderr } = await robotrie([
			"audit",
			"--list-headers",
			"-o",
			"parquet",
			log,
		]);
		expect([code, String(stderr)]).toEqual([
			2,
			expect.stringContaining("--list-headers writes a table, json or ndjson"),
		]);
	});
});
