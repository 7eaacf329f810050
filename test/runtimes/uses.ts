/** Runtimes that scripts are given to, and pages. */
export type Runtime =
	| "Node 20"
	| "Node 22"
	| "Node 24"
	| "Deno"
	| "Bun"
	| "Chromium"
	| "Firefox"
	| "workerd";

const nodes: readonly Runtime[] = ["Node 20", "Node 22", "Node 24"];
const servers: readonly Runtime[] = [...nodes, "Deno", "Bun"];
const pages: readonly Runtime[] = ["Chromium", "Firefox"];
const everywhere: readonly Runtime[] = [...servers, ...pages, "workerd"];

/** What a user does with an entry of a package: the same answer is expected wherever the documentation says it runs. */
export interface Use {
	/** What a user imports. */
	readonly entry: string;
	/** Where the documentation says that it runs. */
	readonly runtimes: readonly Runtime[];
	/** A module that exports `answer`. */
	readonly code: string;
	readonly expected: unknown;
	/** Packages that the entry needs, besides those that npm installs with it. */
	readonly packages?: readonly string[];
	/** Whether the answer needs a Redis server, whose address is process.env.REDIS_URL. */
	readonly redis?: boolean;
}

const storeUse = (name: string, place: string) => `
import process from "node:process";
import { ${name} } from "@robotrie/client/${name.replace("Store", "").toLowerCase()}";
const place = ${place};
const text = (bytes) => bytes && new TextDecoder().decode(bytes);
const key = "https://example.com";
const found = [];
const first = await ${name}.open(place);
found.push(text(await first.get(key)));
await first.set(key, new TextEncoder().encode("a"));
await first.set(key + ":8443", new TextEncoder().encode("b"));
await first.close();
const second = await ${name}.open(place);
found.push(text(await second.get(key)));
await second.delete(key);
found.push(text(await second.get(key)), text(await second.get(key + ":8443")));
await second.delete(key + ":8443");
await second.close();
export const answer = found.map((each) => each ?? null);
`;
const stored = [null, "a", null, "b"];

/** A store's file or folder, another one in each run. */
const temporary = (name: string) =>
	`(await import("node:fs")).mkdtempSync((await import("node:os")).tmpdir() + "/robotrie-smoke-") + "/${name}"`;

export const uses: readonly Use[] = [
	{
		entry: "robotrie",
		runtimes: everywhere,
		code: `
import { RobotsIndex, RobotsTxt } from "robotrie";
const text = "User-agent: *\\nDisallow: /grün/\\nAllow: /*.html$\\n";
const robots = RobotsTxt.parse(text);
const index = new RobotsIndex({ agent: "x" });
index.set("https://example.com", text);
let code = "";
try { robots.isAllowed("no url", "x"); } catch (error) { code = error.code; }
export const answer = [
	robots.explain("/gr%C3%BCn/a", "x").rule,
	[...robots.for("x").matchMany(["/grün/a.html", "/grün/b", "/c", "no url"])],
	[...robots.for("x").matchLines(new TextEncoder().encode("/gr%C3%BCn/\\n/\\n"))],
	[...robots.for("x").matchColumn(BigInt64Array.of(0n, 1n, 9n), new TextEncoder().encode("//grün/\\n"))],
	[...index.matchMany(["https://EXAMPLE.com:443/gr%c3%bcn/", "https://example.net/"])],
	code,
	["/gr%C3%BCn/", "/grün/", "/grü", "/gr\\u0000", "/" + "a".repeat(3000), "/gr%C3%BCn/" + "a".repeat(3000)].map((url) => robots.isAllowed(url, "x")),
];
`,
		expected: [
			{ type: "disallow", pattern: "/grün/", line: 2 },
			[0, 0, 1, 3],
			[0, 1],
			[1, 0],
			[0, 2],
			"invalid-url",
			[false, false, true, true, true, false],
		],
	},
	{
		entry: "robotrie/access",
		runtimes: everywhere,
		code: `
import { accessFor, conditionalHeaders } from "robotrie/access";
const now = Date.UTC(2026, 0, 1);
const headers = { "cache-control": "max-age=60", etag: '"v1"' };
const first = accessFor({ status: 200, headers, url: "https://example.com/robots.txt" }, null, { now });
const failed = accessFor({ failure: { code: "timeout", message: "5 s" } }, first, { now: now + 1e9 });
export const answer = [
	first.access,
	conditionalHeaders(first, "https://example.com/robots.txt"),
	failed.access,
	accessFor({ status: 404 }, null, { now }).access,
	accessFor({ status: 503 }, null, { now }).access,
];
`,
		expected: [
			"rules",
			{ "if-none-match": '"v1"' },
			"disallow-all",
			"allow-all",
			"disallow-all",
		],
	},
	{
		entry: "@robotrie/audit",
		runtimes: [...servers, ...pages],
		code: `
import { csvReport, htmlReport, LogAudit, openMetrics, textReport } from "@robotrie/audit";
const bytes = (text) => new TextEncoder().encode(text);
const line = '192.0.2.1 - - [14/Oct/2025:01:00:00 +0000] "GET /a HTTP/1.1" 200 5 "-" ';
const audit = new LogAudit({
	robots: [{ file: "robots.txt", bytes: bytes("User-agent: *\\nDisallow: /\\n") }],
});
await audit.add("access.log", [bytes(line + '"psbot-image/1.0"\\n' + line), bytes('"GPTBot/1.2"')]);
const report = audit.report();
const { lines, crawlers } = report;
const forms = await Promise.all([csvReport, htmlReport, openMetrics, textReport].map((form) => form(report)));
export const answer = [
	lines,
	forms.every((text) => text.includes("GPTBot")),
	crawlers.map(({ name, category, disallowed }) => [name, category, disallowed]),
];
`,
		expected: [
			2,
			true,
			[
				["GPTBot", "ai-training", 1],
				["psbot", "search", 1],
			],
		],
	},
	{
		entry: "@robotrie/client",
		runtimes: servers,
		code: `
import { createServer } from "node:http";
import { RobotsClient } from "@robotrie/client";
let requests = 0;
const server = createServer((request, response) => {
	requests++;
	response.end("User-agent: *\\nDisallow: /a\\n");
});
await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
const site = "http://127.0.0.1:" + server.address().port;
const client = new RobotsClient({ agent: "x", allowPrivateNetwork: true });
const allowed = await client.filter([site + "/a", site + "/b"]);
const { access } = await client.access(site);
await client.close();
server.closeAllConnections();
server.close();
export const answer = [allowed.map((url) => url.slice(site.length)), access, requests];
`,
		expected: [["/b"], "rules", 1],
	},
	{
		entry: "@robotrie/audit/files",
		// Bundled, it has no program for threads: entries.test.ts says that there may be two.
		runtimes: servers,
		code: `
import { writeFileSync } from "node:fs";
import process from "node:process";
import { gzipSync } from "node:zlib";
import { auditFiles } from "@robotrie/audit/files";
const bytes = (text) => new TextEncoder().encode(text);
const path = ${temporary("access.log.gz")};
writeFileSync(path, gzipSync('192.0.2.1 - - [14/Oct/2025:01:00:00 +0000] "GET /a HTTP/1.1" 200 5 "-" "GPTBot/1.2"'));
const robots = [{ file: "robots.txt", bytes: bytes("User-agent: *\\nDisallow: /\\n") }];
const workers = Number(process.env.WORKERS ?? 1);
const { lines, crawlers } = (await auditFiles([path, path], { robots, workers })).report();
export const answer = [lines, crawlers.map(({ name, disallowed }) => [name, disallowed])];
`,
		expected: [2, [["GPTBot", 2]]],
	},
	{
		entry: "@robotrie/sites",
		// Bundled, it has no program for threads: one thread is enough here.
		runtimes: servers,
		code: `
import { buildIndex, openIndex } from "@robotrie/sites";
const line = (origin, robots) => JSON.stringify({ origin, robots }) + "\\n";
const lines = line("https://a.test", "User-agent: *\\nDisallow: /a") + line("https://b.test", "");
const path = ${temporary("sites")};
const chunks = [new TextEncoder().encode(lines)];
const { origins } = await buildIndex({ name: "lines", chunks }, { agent: "x", path }, { shards: 2 });
const index = await openIndex(path);
const verdicts = await index.matchMany(["https://a.test/a", "https://b.test/a", "https://c.test/"]);
index[Symbol.dispose]();
export const answer = [origins, ...verdicts];
`,
		expected: [2, 0, 1, 2],
	},
	{
		entry: "robotrie/compare",
		runtimes: everywhere,
		code: `
import { RobotsTxt } from "robotrie";
import { compareCrawlers, compareFiles } from "robotrie/compare";
const [before, after] = ["/a", "/b"].map((path) => RobotsTxt.parse("User-agent: *\\nDisallow: " + path));
export const answer = [
	compareFiles(before, after, { agents: ["x"] }).changes.map(({ url, agents }) => [url, agents]),
	compareCrawlers(after, "/b").find(({ crawler }) => crawler.name === "bingbot").allowed,
];
`,
		expected: [
			[
				["/a", ["x"]],
				["/b", ["x"]],
			],
			false,
		],
	},
	{
		entry: "robotrie/disassemble",
		runtimes: everywhere,
		code: `
import { RobotsTxt } from "robotrie";
import { disassemble } from "robotrie/disassemble";
const listing = disassemble(RobotsTxt.parse("User-agent: *\\nDisallow: /a\\n").for("x"));
export const answer = listing.split("\\n").filter((line) => line.includes("line 2")).length;
`,
		expected: 1,
	},
	{
		entry: "robotrie/lint",
		runtimes: everywhere,
		code: `
import { lint } from "robotrie/lint";
export const answer = lint("User-agent: *\\nDisalow: /a\\nDisallow: /a*\\nDisallow: /ab\\n").map(({ code, line }) => [code, line]);
`,
		expected: [["misspelled-field", 2]],
	},
	{
		entry: "robotrie/pool",
		runtimes: servers,
		code: `
import { RobotsIndex } from "robotrie";
import { RobotsPool } from "robotrie/pool";
const index = new RobotsIndex({ agent: "x" });
index.set("https://example.com", "User-agent: *\\nDisallow: /a\\n");
const pool = new RobotsPool(index.toBytes(), { workers: 2 });
const urls = ["https://example.com/a", "https://example.com/b", "https://example.net/", "no url"];
const lines = new TextEncoder().encode((urls.join("\\n") + "\\n").repeat(30_000));
const verdicts = await pool.matchLines(lines);
export const answer = [
	[...await pool.matchMany(urls)],
	verdicts.length,
	verdicts.every((verdict, i) => verdict === i % 4),
];
await pool.close();
`,
		expected: [[0, 1, 2, 3], 120_000, true],
	},
	{
		entry: "robotrie/robots-parser",
		runtimes: everywhere,
		code: `
import robotsParser from "robotrie/robots-parser";
const robots = robotsParser("https://example.com/robots.txt", "User-agent: *\\nDisallow: /a\\nSitemap: /s.xml\\n");
export const answer = [
	robots.isAllowed("https://example.com/a", "x"),
	robots.isAllowed("https://example.net/a", "x") === undefined,
	robots.getMatchingLineNumber("https://example.com/a"),
	robots.getSitemaps(),
];
`,
		expected: [false, true, 2, ["/s.xml"]],
	},
	{
		entry: "@robotrie/client/lmdb",
		runtimes: servers,
		packages: ["lmdb"],
		code: storeUse("LmdbStore", temporary("store")),
		expected: stored,
	},
	{
		entry: "@robotrie/client/redis",
		runtimes: servers,
		packages: ["redis"],
		redis: true,
		code: storeUse("RedisStore", "process.env.REDIS_URL"),
		expected: stored,
	},
	{
		entry: "@robotrie/client/sqlite",
		runtimes: servers.filter((name) => name !== "Node 20"),
		code: storeUse("SqliteStore", temporary("store.sqlite")),
		expected: stored,
	},
	{
		entry: "@robotrie/server",
		// It is a program of its own; only Node is promised.
		runtimes: servers.filter((name) => name.startsWith("Node")),
		code: `import { createService } from "@robotrie/server";
const app = await createService({ agent: "ExampleBot" });
const { statusCode } = await app.inject("/healthz");
await app.close();
export const answer = statusCode;`,
		expected: 200,
	},
];
