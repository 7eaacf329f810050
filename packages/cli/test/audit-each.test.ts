import { readFileSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { RobotsTxt } from "../../../src/index.ts";
import { casesOf } from "../../../test/cases.ts";
import type { AuditReport } from "../../audit/src/index.ts";
import { file, folder, robotrie, robotrieProcess, root } from "./run.ts";

const rulesText =
	"User-agent: GPTBot\nDisallow: /p\nAllow: /p/open\n\nUser-agent: *\nDisallow: /b\n";
const rules = file("each-robots.txt", rulesText);

/** A row of --each, by the names of its columns. */
type Row = Readonly<Record<string, string | number | null>>;

const rowsOf = (text: string): Row[] =>
	text
		.split("\n")
		.filter((line) => line !== "")
		.map((line) => JSON.parse(line) as Row);

/** Rows of CSV by RFC 4180. */
function csvOf(text: string): string[][] {
	const rows: string[][] = [[]];
	for (const [whole, quoted, plain, end] of text.matchAll(
		/(?:"((?:[^"]|"")*)"|([^",\n]*))(,|\n|$)/g,
	)) {
		if (whole === "") break;
		rows.at(-1)?.push(quoted?.replaceAll('""', '"') ?? plain ?? "");
		if (end === "\n") rows.push([]);
	}
	return rows.filter((row) => row.length > 0);
}

const agents = [
	["GPTBot/1.0", "GPTBot", "ai-training"],
	["CCBot/2.0", "CCBot", "ai-training"],
	["Mozilla/5.0 (X11; Linux x86_64) Gecko/1 Firefox/1.0", null, null],
	["-", null, null],
] as const;
/** Paths as logs have them, and as they were requested. */
const paths = [
	["/", "/"],
	["/p?a,b", "/p?a,b"],
	["/p/open", "/p/open"],
	["/b", "/b"],
	["/b/\\x22\\x5c", '/b/"\\'],
	["/b/\\x0a\\x01", "/b/\n\u0001"],
	["/é ü", "/é ü"],
	["=1+1", "=1+1"],
	["-1", "-1"],
	["/robots.txt", "/robots.txt"],
	["*", "*"],
] as const;

const referrers = [
	["-", null],
	["https://a.example/?q=1+1", "https://a.example/?q=1+1"],
	["\\x22é\\x01", '"é\u0001'],
] as const;

const request = fc.record({
	agent: fc.constantFrom(...agents),
	path: fc.constantFrom(...paths),
	host: fc.constantFrom("a.example", "b.example:80", "-"),
	address: fc.constantFrom("192.0.2.1", "2001:db8::1"),
	status: fc.constantFrom("200", "404", "-"),
	bytes: fc.constantFrom("5", "123456789012", "-"),
	referrer: fc.constantFrom(...referrers),
	/** Milliseconds since 1970. */
	time: fc.integer({ min: 0, max: 4e12 }).map((time) => time - (time % 1000)),
});
type Request = typeof request extends fc.Arbitrary<infer T> ? T : never;

function lineOf(one: Request): string {
	const date = new Date(one.time).toUTCString();
	const [, day, month, year, clock] =
		/, (\d\d) (\w{3}) (\d{4}) (\S+)/.exec(date) ?? [];
	return `${one.host} ${one.address} - - [${day}/${month}/${year}:${clock} +0000] "GET ${one.path[0]} HTTP/1.1" ${one.status} ${one.bytes} "${one.referrer[0]}" "${one.agent[0]}"`;
}

const robots = RobotsTxt.parse(rulesText);

/** The row for a request, as RobotsTxt says. */
function expected(one: Request, line: number): Row | undefined {
	const [, crawler, category] = one.agent;
	const path = one.path[1];
	if (crawler === null) return undefined;
	const isUrl = path.startsWith("/");
	const found = isUrl ? robots.explain(path, crawler) : undefined;
	const isRobots = path === "/robots.txt";
	return {
		line,
		time: new Date(one.time).toISOString(),
		crawler,
		category,
		verification: null,
		host: one.host === "-" ? null : one.host,
		path,
		status: one.status === "-" ? null : Number(one.status),
		bytes: one.bytes === "-" ? 0 : Number(one.bytes),
		address: one.address,
		verdict: isRobots
			? "robotsTxt"
			: found
				? found.allowed
					? "allowed"
					: "disallowed"
				: "invalid",
		robots: isRobots || !found ? null : rules,
		rule_line: isRobots ? null : (found?.rule?.line ?? null),
		rule: isRobots ? null : (found?.rule?.pattern ?? null),
		user_agent: one.agent[0],
		method: "GET",
		referrer: one.referrer[1],
	};
}

describe("--each", () => {
	test("writes what RobotsTxt says of every line, as NDJSON and as CSV", () =>
		fc.assert(
			fc.asyncProperty(
				fc.array(request, { minLength: 1, maxLength: 60 }),
				async (requests) => {
					const log = file(
						"each.log",
						requests.map((one) => `${lineOf(one)}\n`).join(""),
					);
					const each = async (format: string) => {
						const { stdout, code } = await robotrie([
							"audit",
							"-r",
							rules,
							"-f",
							"vcombined",
							log,
							"--each",
							"-",
							"--each-format",
							format,
						]);
						// 2 where nothing was judged and most have no header.
						expect([0, 2]).toContain(code);
						return stdout.toString();
					};
					const [ndjson, csv] = await Promise.all([
						each("ndjson"),
						each("csv"),
					]);
					const wanted = requests
						.map((one, index) => expected(one, index + 1))
						.filter((row) => row !== undefined);
					expect(rowsOf(ndjson)).toEqual(wanted);
					const [, ...rows] = csvOf(csv);
					expect(rows).toEqual(
						wanted.map((row) =>
							Object.values(row)
								.map((value) => String(value ?? ""))
								// As the report's CSV has them: a spreadsheet would run them.
								.map((text) => text.replace(/^[=+@-]/, "'$&"))
								// And so that nothing drives a terminal.
								.map((text) =>
									text.replace(
										/[^\P{Cc}\n]/gu,
										(byte) =>
											`\\x${byte.charCodeAt(0).toString(16).padStart(2, "0")}`,
									),
								),
						),
					);
				},
			),
			{ numRuns: casesOf(12) },
		));

	const sample = readFileSync(join(root, "sample/access.log"));
	// More than one task of 16 MiB.
	const large = Buffer.concat(Array.from({ length: 70 }, () => sample));
	const audit = ["audit", "-r", join(root, "sample/robots.txt")];

	test("the number of workers, compression and stdin change no byte, and memory stays bounded", async () => {
		const log = file("large.log", large);
		const packed = file("large.gz", gzipSync(large, { level: 1 }));
		const each = [...audit, "--each", "-"];
		const [first, ...others] = [
			await robotrieProcess([...each, "--workers", "1", log]),
			await robotrieProcess([...each, "--workers", "3", log]),
			await robotrieProcess([...each, "--workers", "2"], { stdin: large }),
			await robotrieProcess([...each, packed]),
		] as const;
		for (const { code, stderr } of [first, ...others])
			expect([code, stderr]).toEqual([0, ""]);
		// Of long outputs only the beginning is kept.
		const wholeRows = (stdout: Buffer) =>
			stdout.toString().replace(/[^\n]*$/, "");
		const kept = wholeRows(first.stdout);
		const rows = rowsOf(
			wholeRows((await robotrie([...each], { stdin: sample })).stdout),
		);
		expect(rowsOf(kept).slice(0, rows.length)).toEqual(
			rows.slice(0, rowsOf(kept).length),
		);
		for (const { stdoutHash, memory } of [first, ...others]) {
			expect(stdoutHash).toBe(first.stdoutHash);
			expect(memory).toBeLessThan(256);
		}
	});

	test("--each-all has a row for every line that is not blank, as the report counts them", async () => {
		const log = file(
			"all.log",
			`junk\n\n${sample}${"x".repeat(2 ** 20 + 9)}\nmore\n`,
		);
		const rows = join(folder, "all.ndjson");
		const { stdout } = await robotrie([
			...audit,
			"-o",
			"json",
			"--each",
			rows,
			"--each-all",
			log,
			"--since",
			"2025-10-14T06:00:00Z",
			"--agents",
			"ExampleAI,ExampleCorpus",
		]);
		const report = JSON.parse(stdout.toString()) as AuditReport;
		const all = rowsOf(readFileSync(rows, "utf8"));
		const count = (verdict: string) =>
			all.filter((row) => row.verdict === verdict).length;
		const sum = (name: "allowed" | "disallowed" | "robotsTxt" | "invalid") =>
			report.crawlers.reduce((total, crawler) => total + crawler[name], 0);
		for (const name of [
			"allowed",
			"disallowed",
			"robotsTxt",
			"invalid",
		] as const)
			expect([name, count(name)]).toEqual([name, sum(name)]);
		for (const name of [
			"people",
			"withoutAgent",
			"leftOut",
			"outside",
			"unparsed",
			"withoutRobots",
		] as const)
			expect([name, count(name)]).toEqual([name, report[name]]);
		expect(report.outside).toBeGreaterThan(0);
		expect(report.leftOut).toBeGreaterThan(0);
		expect(all.length).toBe(report.lines - report.blank);
		expect(all.map(({ line }) => line)).toEqual(
			all.map(({ line }) => line).toSorted((a, b) => Number(a) - Number(b)),
		);
		expect(all[0]).toMatchObject({ line: 1, verdict: "unparsed", path: null });
		expect(report.unparsedLines.map(({ line }) => line)).toEqual([
			1, 3003, 3004,
		]);
	});

	test("names the log where there are several, and the crawler of requests without a robots.txt", async () => {
		const line = (host: string) =>
			`${host} 192.0.2.1 - - [14/Oct/2025:00:00:00 +0000] "GET /b HTTP/1.1" 200 5 "-" "CCBot/2.0"\n`;
		const logs = ["h1.log", "h2.log"].map((name) =>
			file(name, line("a.example") + line("c.example")),
		);
		const { stdout } = await robotrie([
			"audit",
			"-r",
			`a.example=${rules}`,
			"-f",
			"vcombined",
			"--each",
			"-",
			"--each-all",
			...logs,
		]);
		expect(
			rowsOf(stdout.toString()).map(
				({ file, line, host, crawler, verdict }) => [
					file,
					line,
					host,
					crawler,
					verdict,
				],
			),
		).toEqual(
			logs.flatMap((log) => [
				[log, 1, "a.example", "CCBot", "disallowed"],
				[log, 2, "c.example", "CCBot", "withoutRobots"],
			]),
		);
	});

	test("leaves the report as it is, and goes by the ending of the file", async () => {
		const log = join(root, "sample/access.log");
		const rows = join(folder, "rows.csv");
		const [plain, both] = [
			await robotrie([...audit, log]),
			await robotrie([...audit, "--each", rows, log]),
		];
		expect(both.stdout.toString()).toBe(plain.stdout.toString());
		expect(readFileSync(rows, "utf8").split("\n")[0]).toBe(
			"line,time,crawler,category,verification,host,path,status,bytes,address,verdict,robots,rule_line,rule,user_agent,method,referrer",
		);
	});

	test("ends quietly when nobody reads on", async () => {
		const { code, stderr } = await robotrieProcess([...audit, "--each", "-"], {
			stdin: large,
			closeAfter: 1000,
		});
		expect([code, stderr]).toEqual([0, ""]);
	});

	test("leaves the file as it was when a log cannot be read", async () => {
		const kept = file("kept.ndjson", "kept");
		const broken = file("broken-each.gz", gzipSync(sample).subarray(0, 9000));
		const { code } = await robotrie([...audit, "--each", kept, broken]);
		expect(code).toBe(2);
		expect(readFileSync(kept, "utf8")).toBe("kept");
	});

	test.each([
		[["--each", "-", "--state", "-"], "cannot both be written to stdout"],
		[["--each-all"], "--each-all needs --each <file>"],
		[["--each-format", "csv"], "--each-format needs --each <file>"],
	])("%j is refused", async (args, message) => {
		const { code, stderr } = await robotrie([...audit, ...args]);
		expect(code).toBe(2);
		expect(stderr).toContain(message);
	});
});
