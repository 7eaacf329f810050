import { execFileSync } from "node:child_process";
import {
	copyFileSync,
	mkdirSync,
	mkdtempSync,
	readFileSync,
	rmSync,
	writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { transformSync } from "esbuild";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import {
	hasRedis,
	type RedisServer,
	startRedis,
} from "../packages/client/test/redis.ts";
import { root } from "./installed.ts";
import { publicMembers } from "./public-members.ts";
import { network, onNetwork, STATED, valueIn } from "./shown.ts";

/**
 * Runs the examples of docstrings over the built packages, all in one process, and compares the values that they state. An example begins
 * where its reader is: `given` has what it uses and does not declare.
 */
const given = `
import { createReadStream, createWriteStream, writeFileSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { pipeline } from "node:stream/promises";
import { setTimeout } from "node:timers/promises";
import * as robotrie from "robotrie";
import { compareCrawlers, compareFiles } from "robotrie/compare";
import { disassemble, jumpTables, slotOf } from "robotrie/disassemble";
import { fix, lint } from "robotrie/lint";
import { RobotsPool } from "robotrie/pool";
import robotsParser from "robotrie/robots-parser";
import * as audits from "@robotrie/audit";
import { auditFiles, followLog, mergeStates, readNetworks } from "@robotrie/audit/files";
import * as clients from "@robotrie/client";
import { LmdbStore } from "@robotrie/client/lmdb";
import { RedisStore } from "@robotrie/client/redis";
import { SqliteStore } from "@robotrie/client/sqlite";
import { buildIndex, openIndex, shardOf, SitesError, updateIndex } from "@robotrie/sites";
import { createService, serve } from "@robotrie/server";
const { crawlers, dialectFor, dialectNames, findCrawler, Matcher, RobotrieError, RobotsIndex, RobotsTxt } = robotrie;
const { appliesTo, recognise, robotsUrlFor, Verdict } = robotrie;
const { apacheFormat, auditRows, compareReports, formatOf, jsonFormat } = audits;
const { LogAudit, nginxFormat, parseRanges, parseTime, suggestions } = audits;
const { checkReport, csvReport, htmlReport, openMetrics, reportTable } = audits;
const { sortLogs, textComparison, textReport } = audits;
const { accessFor, conditionalHeaders, MemoryStore, openStore, rulesOf } = clients;
const { RequestLimit, RobotsClient } = clients;
${network}
const console = { log() {} };
const running = [];
const setInterval = (run) => running.push(run());
const text = "User-agent: *\\nDisallow: /private/\\n";
const old = "User-agent: *\\nDisallow: /\\n";
const body = new TextEncoder().encode(text);
const bytes = body;
const robots = RobotsTxt.parse(text);
const matcher = robots.for("ExampleBot");
const url = "https://example.com/a.html";
const urls = [url, "https://example.com/private/a.html"];
const isOutdated = () => true;
const newIndex = () => {
	const index = new RobotsIndex({ agent: "ExampleBot" });
	index.set("https://example.com", text);
	return index;
};
const pool = await RobotsPool.load(newIndex(), { workers: 1 });
const store = new MemoryStore();
const client = new RobotsClient({ agent: "ExampleBot", fetch });
const verdicts = client.peek(urls);
const download = fetch;
const monthOf = async (path) => {
	const audit = new LogAudit({ robots: [{ file: "robots.txt", bytes }] });
	const line = (second) => '192.0.2.1 - - [14/Oct/2025:12:30:' + second + ' +0000] "GET ' + path + ' HTTP/1.1" 200 5 "-" "GPTBot/1.0"\\n';
	await audit.add("a.log", [new TextEncoder().encode(Array.from({ length: 40 }, (_, i) => line(i + 10)).join(""))]);
	return audit;
};
const may = await monthOf("/a");
const june = await monthOf("/private/a");
const audit = june;
writeFileSync("sites.index", newIndex().toBytes());
writeFileSync("example.robotrie", matcher.toBytes());
writeFileSync("today.ndjson", '{"origin": "https://example.com", "status": 404}\\n');
await buildIndex("today.ndjson", { agent: "ExampleBot", path: "sites" }, { shards: 4, facts: true });
const results = [];
async function run(name, example) {
	const values = [];
	try {
		await example((value) =>
			values.push(JSON.stringify(value instanceof Uint8Array ? [...value] : value) ?? "undefined"));
		await Promise.all(running.splice(0));
		results.push({ name, values });
	} catch (error) {
		results.push({ name, values, error: String(error?.stack ?? error) });
	}
}
`;

interface Example {
	readonly name: string;
	readonly code: string;
}

interface Result {
	readonly name: string;
	/** What its statements gave that state a value, as JSON. */
	readonly values: readonly string[];
	readonly error?: string;
}

const node = process.versions.node.split(".").map(Number);
const hasSqlite = (node[0] ?? 0) > 22 || (node[0] === 22 && node[1] !== 0);
const cannotRun: readonly (readonly [needs: RegExp, missing: boolean])[] = [
	[/\.sqlite"/, !hasSqlite],
	[/redis:/, !hasRedis],
];

const examples: readonly Example[] = publicMembers().flatMap(
	({ name, docstring }) =>
		docstring
			.split("@example")
			.slice(1)
			.map((text) => ({
				name,
				code: text
					.replace(/\*\/[\s\S]*/, "")
					.split("\n")
					.map((line) => line.replace(/^\s*\* ?/, ""))
					.join("\n")
					.replace(/^@[\s\S]*/m, "")
					.trim(),
			})),
);
const runnable = examples.filter(
	({ code }) =>
		!cannotRun.some(([needs, missing]) => missing && needs.test(code)),
);

const stated = (code: string) =>
	code.split("\n").flatMap((line) => {
		const [, , comment] = STATED.exec(line) ?? [];
		return comment === undefined ? [] : [valueIn(comment)];
	});

/** In a block of its own, since an example may declare what is given to others. What examples change or use up is new for each. */
const asFunction = ({ name, code }: Example) =>
	`await run(${JSON.stringify(name)}, async (state) => {
const index = newIndex();
const response = new Response(text);
{
${code.replace(new RegExp(STATED, "gm"), "state($1);")}
}});`;

// Within the package, which can import itself by its name.
mkdirSync(join(root, "build"), { recursive: true });
const folder = mkdtempSync(join(root, "build/docstrings-"));
for (const name of ["robots.txt", "access.log", "urls.txt"])
	copyFileSync(join(root, "sample", name), join(folder, name));

/** What every example gave, in order. */
let results: readonly Result[];
let redis: RedisServer | undefined;
beforeAll(async () => {
	if (hasRedis) redis = await startRedis();
	const text = `${given}${onNetwork(runnable.map(asFunction).join("\n"))}
writeFileSync("results.json", JSON.stringify(results));
process.exit();`;
	const { code } = transformSync(
		text.replaceAll("redis://127.0.0.1:6379", redis?.url ?? ""),
		{ loader: "ts", format: "esm", target: "node20" },
	);
	const file = join(folder, "examples.mjs");
	writeFileSync(file, code);
	// A service writes its log to stdout.
	execFileSync(process.execPath, [file], { cwd: folder, stdio: "ignore" });
	results = JSON.parse(readFileSync(join(folder, "results.json"), "utf8"));
});
afterAll(async () => {
	await redis?.[Symbol.asyncDispose]();
	rmSync(folder, { recursive: true, force: true });
});

test("every example is run", () => {
	expect(examples.length).toBeGreaterThan(50);
	expect(results.map(({ name }) => name)).toEqual(
		runnable.map(({ name }) => name),
	);
});

describe("The example of", () => {
	test.each(runnable.map((example, place) => ({ ...example, place })))(
		"$name runs, and gives what it states",
		({ code, place }) => {
			const { values, error } = results[place] as Result;
			expect(error).toBeUndefined();
			const expected = stated(code);
			expect(values).toHaveLength(expected.length);
			for (const [i, value] of expected.entries()) {
				const found = values[i] ?? "";
				if (typeof value === "object" && value !== null)
					expect(JSON.parse(found)).toMatchObject(value);
				else expect(found).toBe(JSON.stringify(value) ?? "undefined");
			}
		},
	);
});
