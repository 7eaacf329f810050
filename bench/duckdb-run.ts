import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import {
	type DuckDBConnection,
	DuckDBInstance,
	DuckDBScalarFunction,
	type DuckDBUTinyIntVector,
	type DuckDBVarCharVector,
	UTINYINT,
	VARCHAR,
} from "@duckdb/node-api";
import type { RobotsIndex } from "../src/index.ts";
import {
	machineName,
	storeResult,
	thisMachine,
} from "../tools/store-result.mjs";
import { demandSame } from "./check.ts";
import { isSmall, loadData, partOf } from "./data.ts";
import { library } from "./library.ts";
import { indexOf, mixedUrls } from "./mixed.ts";

/** One process: DuckDB reads a column of URLs from a Parquet file, and writes it with a column of verdicts to another. */

const ROUNDS = isSmall ? 1 : 7;
const ROWS = isSmall ? 10_000 : 1_000_000;
/** URLs a second and core, at least. */
const TARGET = 600_000;

/** As in docs/columns.md. */
const verdictFunction = (index: RobotsIndex) =>
	DuckDBScalarFunction.create({
		name: "verdict",
		parameterTypes: [VARCHAR],
		returnType: UTINYINT,
		mainFunction(_, input, output) {
			const column = input.getColumnVector(0) as DuckDBVarCharVector;
			const verdicts = output as DuckDBUTinyIntVector;
			const urls = Array.from(
				{ length: input.rowCount },
				(_, row) => column.getItem(row) ?? "",
			);
			index.matchMany(urls).forEach((one, row) => {
				verdicts.setItem(row, one);
			});
			output.flush();
		},
	});

async function open(index: RobotsIndex): Promise<DuckDBConnection> {
	const connection = await (await DuckDBInstance.create()).connect();
	// A second one would not make the function faster, which runs in JavaScript's thread.
	await connection.run("SET threads = 1");
	connection.registerScalarFunction(verdictFunction(index));
	return connection;
}

/** The URLs of all sites in random order, as often as makes ROWS. */
async function writeUrls(
	connection: DuckDBConnection,
	urls: readonly string[],
	file: string,
): Promise<number> {
	await connection.run("CREATE TABLE urls (url VARCHAR)");
	const appender = await connection.createAppender("urls");
	const times = Math.ceil(ROWS / urls.length);
	for (let i = 0; i < times; i++)
		for (const url of urls) {
			appender.appendVarchar(url);
			appender.endRow();
		}
	appender.closeSync();
	await connection.run(`COPY urls TO '${file}'`);
	return times * urls.length;
}

/** Fewest seconds of wall clock and of processor time that a statement takes. */
async function timed(connection: DuckDBConnection, sql: string) {
	let wall = Number.POSITIVE_INFINITY;
	let cpu = Number.POSITIVE_INFINITY;
	for (let round = 0; round < ROUNDS; round++) {
		const start = performance.now();
		const before = process.cpuUsage();
		await connection.run(sql);
		const { user, system } = process.cpuUsage(before);
		wall = Math.min(wall, (performance.now() - start) / 1e3);
		cpu = Math.min(cpu, (user + system) / 1e6);
	}
	return { wall, cpu };
}

const data = loadData();
const mixed = mixedUrls(data, "google");
const connection = await open(indexOf(library, data, "google"));
const folder = mkdtempSync(join(tmpdir(), "robotrie-duckdb-"));
try {
	const [input, output] = ["urls", "verdicts"].map((name) =>
		join(folder, `${name}.parquet`),
	);
	const urls = mixed.map(({ url }) => url);
	const rows = await writeUrls(connection, urls, input as string);
	const copy = (column: string) =>
		`COPY (SELECT url, ${column} AS verdict FROM '${input}') TO '${output}'`;
	const judged = await timed(connection, copy("verdict(url)"));
	const reader = await connection.runAndReadAll(
		`SELECT verdict FROM '${output}'`,
	);
	const found = reader.getColumns()[0] as number[];
	const right = Array.from(
		found,
		(_, row) => mixed[row % mixed.length]?.verdict,
	) as number[];
	demandSame("DuckDB", found, right);
	const alone = await timed(
		connection,
		copy("CAST(strlen(url) % 4 AS UTINYINT)"),
	);
	const machine = machineName(thisMachine());
	process.stdout.write(
		`DuckDB, ${rows} URLs of ${data.sites.length} sites from one Parquet file to another, ${machine}, Node ${process.version}\n`,
	);
	const perSecond = (seconds: number) => Math.round(rows / seconds);
	for (const [what, { wall, cpu }] of [
		["with verdicts", judged],
		["DuckDB alone", alone],
	] as const)
		process.stdout.write(
			`${what.padEnd(16)}${perSecond(wall)} URLs a second, ${perSecond(cpu)} a second of processor time\n`,
		);
	const isReached = perSecond(judged.cpu) >= TARGET;
	process.stdout.write(
		`target: ${TARGET} a second and core: ${isReached ? "reached" : "MISSED"}\n`,
	);
	const { source, sites } = data;
	const measured = { source, sites: sites.length, urls: rows };
	const result = { data: measured, judged, alone };
	const file = storeResult("duckdb", result, partOf(data));
	process.stdout.write(`saved as ${file}\n`);
	if (!isReached && !isSmall) process.exitCode = 1;
} finally {
	connection.closeSync();
	rmSync(folder, { recursive: true, force: true });
}
