import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { DuckDBInstance } from "@duckdb/node-api";
import { describe, expect, test } from "vitest";
import type { AuditReport } from "../../audit/src/index.ts";
import { databases } from "./data/networks.ts";
import { file, folder, robotrie, robotrieProcess } from "./run.ts";

/** `robotrie audit --asn`: the networks that requests come from, by files of MaxMind and IPinfo with made-up networks. */

const rules = file("asn.txt", "User-agent: *\nDisallow: /private\n");
const clients = [
	"192.0.2.7",
	"192.0.2.255",
	"198.51.100.127",
	"198.51.100.128",
	"2001:db8::1",
	"::ffff:192.0.2.9",
	"203.0.113.1",
	"unknown",
];
const log = file(
	"asn.log",
	clients
		.map(
			(client, at) =>
				`${client} - - [14/Oct/2025:12:30:4${at} +0000] "GET /private HTTP/1.1" 200 5 "-" "${at === 2 ? "CCBot" : "GPTBot"}/1.2"\n`,
		)
		.join(""),
);
const CRAWLERS = "AS64500 Example Crawlers, Inc.";
const PIPES = "AS64501 Röhre & Söhne";

const maxmind = `network,autonomous_system_number,autonomous_system_organization
192.0.2.0/24,64500,"Example Crawlers, Inc."
198.51.100.0/25,64501,"Röhre & Söhne"
`;
const maxmind6 = `network,autonomous_system_number,autonomous_system_organization
2001:db8::/32,64500,"Example Crawlers, Inc."
`;
const ipinfoLite = `network,country,country_code,continent,continent_code,asn,as_name,as_domain
198.51.100.0/25,Germany,DE,Europe,EU,AS64501,Röhre & Söhne,pipes.example
192.0.2.0/24,Germany,DE,Europe,EU,AS64500,"Example Crawlers, Inc.",crawlers.example
2001:db8::/32,Germany,DE,Europe,EU,AS64500,"Example Crawlers, Inc.",crawlers.example
203.0.113.0/24,Germany,DE,Europe,EU,,,
`;
const ipinfo = `start_ip,end_ip,asn,name,domain
192.0.2.0,192.0.2.255,AS64500,"Example Crawlers, Inc.",crawlers.example\r
198.51.100.0,198.51.100.127,AS64501,Röhre & Söhne,pipes.example\r
2001:db8::,2001:db8:ffff:ffff:ffff:ffff:ffff:ffff,AS64500,"Example Crawlers, Inc.",crawlers.example\r
`;
/** Also with bits set after a prefix, an IPv4 range mapped to IPv6, spaces, and a prefix without its length, which is none. */
const nested = `network, asn, as_name
192.0.2.0/28,64502,Within
192.0.2.129/24, 64500,"Example Crawlers, Inc."
192.0.2.7,64500,"Example Crawlers, Inc."
192.0.2.9,64500,"Example Crawlers, Inc."
192.0.2.16/28,64502,Before the last
::ffff:198.51.100.0/121,64501,Röhre & Söhne
203.0.113.0/,64502,No length
2001:db8::/32,64500,"Example Crawlers, Inc."
`;
const database = (name: keyof typeof databases) =>
	file(`${name}.mmdb`, Buffer.from(databases[name], "base64"));

/** Files, and whether they have IPv6. */
const files: readonly (readonly [
	what: string,
	files: readonly string[],
	has6: boolean,
])[] = [
	["MaxMind's database", [database("maxmind")], true],
	["a database of IPv4", [database("maxmind4")], false],
	["IPinfo's database", [database("ipinfo")], true],
	[
		"MaxMind's CSV",
		[file("asn-4.csv", maxmind), file("asn-6.csv", maxmind6)],
		true,
	],
	["MaxMind's CSV of IPv4", [file("asn-4.csv", maxmind)], false],
	["IPinfo Lite's CSV", [file("asn-lite.csv", ipinfoLite)], true],
	["IPinfo's CSV of ranges", [file("asn-ranges.csv", ipinfo)], true],
	[
		"a compressed database",
		[file("asn.mmdb.gz", gzipSync(readFileSync(database("maxmind"))))],
		true,
	],
	["ranges within others", [file("asn-nested.csv", nested)], true],
	["a compressed CSV", [file("asn-lite.csv.gz", gzipSync(ipinfoLite))], true],
];
const asn = (of: readonly string[]) => of.flatMap((each) => ["--asn", each]);
const LITE = asn([file("asn-lite.csv", ipinfoLite)]);

/** Requests by network, of each crawler. */
const systemsOf = ({ crawlers }: AuditReport) =>
	Object.fromEntries(
		crawlers.map(({ name, systems }) => [
			name,
			Object.fromEntries(systems.top.map(({ text, count }) => [text, count])),
		]),
	);
const jsonOf = async (...args: readonly string[]) => {
	const { stdout } = await robotrie(["audit", "-r", rules, "--json", ...args]);
	return JSON.parse(String(stdout)) as AuditReport;
};

describe("--asn", () => {
	test.each(files)("reads %s", async (_, of, has6) => {
		const report = await jsonOf(...asn(of), log);
		expect(systemsOf(report)).toEqual({
			CCBot: { [PIPES]: 1 },
			GPTBot: { [CRAWLERS]: has6 ? 4 : 3, "(unknown)": has6 ? 3 : 4 },
		});
	});

	test.each([
		[["--anonymize"]],
		[["--anonymize-key", file("asn.key", "0123456789abcdef")]],
	])("names networks with %s, and no address", async (how) => {
		const report = await jsonOf(...LITE, ...how, log);
		expect(systemsOf(report)).toEqual(systemsOf(await jsonOf(...LITE, log)));
		for (const client of clients.slice(0, -1))
			expect(JSON.stringify(report)).not.toContain(client);
	});

	test("counts in threads, states and while a log grows as in one run", async () => {
		const { crawlers } = await jsonOf(...LITE, log);
		const { crawlers: others } = await jsonOf(
			...LITE,
			"--workers",
			"2",
			log,
			file("asn-2.log", ""),
		);
		expect(others).toEqual(crawlers);
		const state = join(folder, "asn.state");
		await robotrie(["audit", "-r", rules, ...LITE, "--state", state, log]);
		const { stdout } = await robotrie(["audit", "merge", "--json", state]);
		expect((JSON.parse(String(stdout)) as AuditReport).crawlers).toEqual(
			crawlers,
		);
		const { stdout: grown } = await robotrieProcess(
			["audit", "follow", "-r", rules, ...LITE, "--json", "-"],
			{ stdin: readFileSync(log) },
		);
		expect((JSON.parse(String(grown)) as AuditReport).crawlers).toEqual(
			crawlers,
		);
	});

	test("is in the table, the CSV, Parquet and the page", async () => {
		const audit = ["audit", "-r", rules, ...LITE, log];
		const { stdout: table } = await robotrie(audit);
		expect(String(table).replace(/\s+/g, " ")).toContain(
			`networks that requests came from: GPTBot ${CRAWLERS} 57.1% and 1 more, CCBot ${PIPES}`,
		);
		const { stdout: csv } = await robotrie([...audit, "-o", "csv"]);
		expect(String(csv)).toMatch(/,systems,top_system,dialect\n/);
		expect(String(csv)).toContain(`,2,"${CRAWLERS}",rfc9309\n`);
		const { stdout: html } = await robotrie([...audit, "-o", "html"]);
		expect(String(html)).toContain(
			"Its requests came from AS64501 Röhre &amp; Söhne (1).",
		);
		const { stdout: parquet } = await robotrie([...audit, "-o", "parquet"]);
		const path = join(folder, "asn.parquet");
		writeFileSync(path, parquet);
		const connection = await (await DuckDBInstance.create()).connect();
		const reader = await connection.runAndReadAll(
			`SELECT top_system, systems::INT FROM '${path}'`,
		);
		expect(reader.getRows()).toEqual([
			[CRAWLERS, 2],
			[PIPES, 1],
		]);
		connection.closeSync();
	});

	test("is left out of reports without it", async () => {
		const { stdout } = await robotrie(["audit", "-r", rules, log]);
		expect(String(stdout)).not.toContain("networks that requests");
		expect(systemsOf(await jsonOf(log))).toEqual({ CCBot: {}, GPTBot: {} });
	});

	test.each([
		["a file that is not there", "/nowhere.csv", "cannot read /nowhere.csv"],
		[
			"a database that is not there",
			"/nowhere.mmdb",
			"cannot read /nowhere.mmdb",
		],
		[
			"a database of cities",
			database("city"),
			"it is a database of GeoLite2-City",
		],
		[
			"a damaged database",
			file("bad.mmdb", "abc"),
			"is not a file of networks",
		],
		...(["maxmind", "ipinfo"] as const).map(
			(name): [string, string, string] => {
				// Its metadata, at the end, are sound.
				const bytes = readFileSync(database(name));
				const [from, to] = [0.1, 0.5].map((of) =>
					Math.floor(bytes.length * of),
				);
				bytes.fill(255, from, to);
				return [
					`a database of ${name} that is damaged within`,
					file(`within-${name}.mmdb`, bytes),
					"is not a file of networks",
				];
			},
		),
		[
			"another CSV",
			file("other.csv", "a,b,c\n1,2,3\n"),
			"its first line names no such columns",
		],
		[
			"a CSV without rows",
			file("empty.csv", maxmind.split("\n")[0] ?? ""),
			"it has no row with a network and its number",
		],
	])("refuses %s", async (_, path, message) => {
		const { code, stderr } = await robotrie([
			"audit",
			"-r",
			rules,
			"--asn",
			path,
			log,
		]);
		expect([code, stderr]).toEqual([2, expect.stringContaining(message)]);
	});
});
