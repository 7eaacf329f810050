import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import * as audit from "../../packages/audit/src/index.ts";
import * as client from "../../packages/client/src/index.ts";
import * as lmdb from "../../packages/client/src/lmdb.ts";
import * as redis from "../../packages/client/src/redis.ts";
import * as sqlite from "../../packages/client/src/sqlite.ts";
import * as server from "../../packages/server/src/index.ts";
import * as sites from "../../packages/sites/src/index.ts";
import * as access from "../../src/access.ts";
import { inOneGo } from "../../src/common/steps.ts";
import * as comparison from "../../src/compare.ts";
import * as disassembly from "../../src/disassemble.ts";
import * as library from "../../src/index.ts";
import * as linter from "../../src/lint.ts";
import * as pools from "../../src/pool.ts";
import * as robotsParsers from "../../src/robots-parser.ts";

type MethodName =
	| "LmdbStore"
	| "LogAudit"
	| "Matcher"
	| "MemoryStore"
	| "RedisStore"
	| "RequestLimit"
	| "SqliteStore"
	| "RobotsClient"
	| "RobotsIndex"
	| "RobotsPool"
	| "RobotsTxt"
	| "access"
	| "load"
	| "replace"
	| "accessFor"
	| "auditRows"
	| "buildIndex"
	| "add"
	| "addState"
	| "apacheFormat"
	| "appliesTo"
	| "canonicalLines"
	| "canonicalUrl"
	| "close"
	| "compareCrawlers"
	| "compareFiles"
	| "checkReport"
	| "compareReports"
	| "csvReport"
	| "htmlReport"
	| "openMetrics"
	| "reportTable"
	| "textComparison"
	| "textReport"
	| "conditionalHeaders"
	| "crawlDelay"
	| "createService"
	| "decide"
	| "default"
	| "delete"
	| "disassemble"
	| "explain"
	| "explainByDialect"
	| "fetch"
	| "filter"
	| "findCrawler"
	| "recognise"
	| "for"
	| "forget"
	| "formatOf"
	| "fromBytes"
	| "get"
	| "compactFor"
	| "dialectFor"
	| "groupsOf"
	| "explainSteps"
	| "paceSteps"
	| "has"
	| "isAllowed"
	| "jsonFormat"
	| "fix"
	| "lint"
	| "match"
	| "module.exports"
	| "matchBatches"
	| "matchColumn"
	| "matchLines"
	| "matchLinesOf"
	| "matchMany"
	| "next"
	| "nextVisit"
	| "nginxFormat"
	| "open"
	| "openIndex"
	| "openStore"
	| "peek"
	| "prefetch"
	| "robots"
	| "rulesOf"
	| "sitemaps"
	| "sort"
	| "release"
	| "visit"
	| "visited"
	| "snapshot"
	| "state"
	| "parse"
	| "parseRanges"
	| "parseTime"
	| "suggestions"
	| "sortLogs"
	| "preferences"
	| "requestRates"
	| "robotsUrlFor"
	| "sectionsOf"
	| "serve"
	| "set"
	| "shardOf"
	| "sortedRules"
	| "text"
	| "updateIndex"
	| "toBytes"
	| "isMatchedByWildcard"
	| "visitTime"
	| "visitTimes";

type Methods = {
	readonly [Name in MethodName]: Untyped;
};

/** What the package exports, as callers without types see it. */
export interface Untyped extends Methods, UntypedClass {
	(...values: readonly unknown[]): Untyped;
}

interface UntypedClass {
	new (...values: readonly unknown[]): Untyped;
}

const untyped = (value: unknown) => value as Untyped;
const { Matcher, RobotsIndex, RobotsTxt, ...functions } = untyped(library);
const { accessFor, conditionalHeaders, rulesOf } = untyped(access);
const {
	LogAudit,
	auditRows,
	checkReport,
	compareReports,
	csvReport,
	htmlReport,
	openMetrics,
	parseRanges,
	parseTime,
	reportTable,
	sortLogs,
	suggestions,
	textComparison,
	textReport,
	...formats
} = untyped(audit);
const { MemoryStore, RequestLimit, RobotsClient, openStore } = untyped(client);
const { createService, serve } = untyped(server);
const { buildIndex, openIndex, shardOf, updateIndex } = untyped(sites);
const { disassemble } = untyped(disassembly);
const { fix, lint } = untyped(linter);
const { compareCrawlers, compareFiles } = untyped(comparison);
const { default: robotsParser, "module.exports": required } =
	untyped(robotsParsers);

const TEXT = "User-agent: *\nDisallow: /a";
const PAGE = "https://example.com/a";
const agent = "ExampleBot";
const bytes = new TextEncoder().encode(TEXT);
const robots = RobotsTxt.parse(TEXT);
const matcher = robots.for(agent);
const index = new RobotsIndex({ agent });
const crawl = new RobotsClient({
	agent,
	fetch: async () => new Response(TEXT),
});
const store = new MemoryStore();
const log = new LogAudit({ robots: [{ file: "robots.txt", bytes }] });
const oneHost = new LogAudit({
	robots: [{ file: "robots.txt", bytes, host: "a.example" }],
	keepState: true,
});
const folder = mkdtempSync(join(tmpdir(), "robotrie-wrong-"));
const lmdbStore = untyped(await lmdb.LmdbStore.open(folder));
// Arguments are looked at before anything else: neither a server nor workers are needed.
const redisStore = untyped(Object.create(redis.RedisStore.prototype));
const pool = untyped(Object.create(pools.RobotsPool.prototype));
const { LmdbStore } = untyped(lmdb);
const { RedisStore } = untyped(redis);
const { SqliteStore } = untyped(sqlite);
const sqliteStore = untyped(Object.create(sqlite.SqliteStore.prototype));
const { RobotsPool } = untyped(pools);

export async function closeAll(): Promise<void> {
	await Promise.all([crawl.close(), lmdbStore.close()]);
	rmSync(folder, { recursive: true, force: true });
}

const good = accessFor({ status: 200, body: bytes });
const response = () => new Response(TEXT);

export type Row = readonly [
	door: string,
	call: () => unknown,
	...message: (string | RegExp)[],
];

/** A row for each of several wrong values of one argument. */
const each = <Value>(
	door: string,
	values: readonly Value[],
	call: (value: Value) => unknown,
	...message: (string | RegExp)[]
): Row[] => values.map((value): Row => [door, () => call(value), ...message]);

const SOURCE = "source is a Uint8Array or a string, not ";
const URLS = "urls is an array of strings or URL objects, not ";
const AGENT = "agent is a product token";
const noUrls = [
	undefined,
	null,
	7,
	[PAGE],
	{},
	new Date(0),
	Symbol("x"),
	new Proxy(new URL(PAGE), {}),
	{ [Symbol.toStringTag]: "URL", href: 7 },
];
/** An array of holes. */
const holes = new Array(1);
const noAgents = [undefined, null, 7, [], [7], ["a", 7], holes, { agent }];
const noBytes = [undefined, null, "x", [1], new ArrayBuffer(1), response()];
const noOffsets = [
	undefined,
	null,
	"x",
	7,
	new Float64Array(1),
	new BigUint64Array(1),
];
const OFFSETS = "offsets is an Int32Array or BigInt64Array, not ";
const ends = Int32Array.of(0, 1, 2);
const noLists = [undefined, null, PAGE, new Set([PAGE]), new URL(PAGE), bytes];

/** Wrong offsets themselves have a table in engine/columns.test.ts. */
function columnRows(
	door: string,
	ask: (...values: readonly unknown[]) => unknown,
): Row[] {
	return [
		...each(door, noOffsets, (wrong) => ask(wrong, bytes), OFFSETS),
		[door, () => ask([0, 1], bytes), OFFSETS, "pass Int32Array.from(offsets)"],
		[
			door,
			() => ask(new Uint32Array(2), bytes),
			OFFSETS,
			"pass Int32Array.from(offsets)",
		],
		...each(
			door,
			noBytes,
			(wrong) => ask(ends, wrong),
			"bytes is a Uint8Array",
		),
		[door, () => ask(new Int32Array(), bytes), "offsets has a number for each"],
		[door, () => ask(Int32Array.of(1, 0), bytes), "offsets[1] is from 1"],
		...each(
			door,
			[null, 7, [], new Uint8Array(2)],
			(options) => ask(ends, bytes, options),
			"options of matchColumn is an object with validity, bitOffset, into",
		),
		[
			door,
			() => ask(ends, bytes, { valid: bytes }),
			'matchColumn has no option "valid": did you mean validity?',
		],
		[
			door,
			() => ask(ends, bytes, { validity: [1] }),
			"validity is a Uint8Array, not [1]",
		],
		...each(
			door,
			[-1, 0.5, Number.NaN, 2 ** 53, "1"],
			(bitOffset) => ask(ends, bytes, { validity: bytes, bitOffset }),
			"bitOffset is a whole number from 0 to 9007199254740991, not ",
		),
		[
			door,
			() => ask(ends, bytes, { validity: new Uint8Array(1), bitOffset: 7 }),
			"validity has 9 bits for 2 rows from bit 7 on, not 8",
		],
		[door, () => ask(ends, bytes, { into: 7 }), "into is a Uint8Array, not 7"],
		[
			door,
			() => ask(ends, bytes, { into: new Uint8Array(1) }),
			"2 verdicts do not fit into 1 bytes",
		],
	];
}

export const rows: readonly Row[] = [
	...each(
		"RobotsTxt.parse",
		[undefined, null, 7, {}, [TEXT]],
		(source) => RobotsTxt.parse(source),
		SOURCE,
	),
	[
		"RobotsTxt.parse",
		() => RobotsTxt.parse(response()),
		SOURCE,
		"a Response: pass await response.text()",
	],
	[
		"RobotsTxt.parse",
		() => RobotsTxt.parse(response().text()),
		SOURCE,
		"a Promise: await it first",
	],
	[
		"RobotsTxt.parse",
		() => RobotsTxt.parse(new ArrayBuffer(3)),
		SOURCE,
		"an ArrayBuffer: pass new Uint8Array(buffer)",
	],
	[
		"RobotsTxt.parse",
		() => RobotsTxt.parse(new URL(PAGE)),
		SOURCE,
		"a URL",
		"nothing is fetched",
	],
	[
		"RobotsTxt.parse",
		() => RobotsTxt.parse("https://example.com/robots.txt", TEXT),
		"the URL comes first: RobotsTxt.parse takes only the file's text",
		'"https://example.com/robots.txt"',
	],
	[
		"RobotsTxt.parse",
		() => RobotsTxt.parse(new URL(PAGE), TEXT),
		"the URL comes first",
	],
	[
		"RobotsTxt.parse",
		() => RobotsTxt.parse(TEXT, "google"),
		'options of RobotsTxt.parse is an object with dialect, maxBytes, knowsCrawlers, url, not "google": pass { dialect: "google" }',
	],
	...each(
		"RobotsTxt.parse",
		[null, "bing", 7, [], () => {}, new Map()],
		(options) => RobotsTxt.parse(TEXT, options),
		"options of RobotsTxt.parse is an object with dialect, maxBytes, knowsCrawlers, url, not ",
	),
	[
		"RobotsTxt.parse",
		() => RobotsTxt.parse(TEXT, { dialekt: "google" }),
		'RobotsTxt.parse has no option "dialekt": did you mean dialect? there are dialect, maxBytes, knowsCrawlers, url',
	],
	[
		"RobotsTxt.parse",
		() => RobotsTxt.parse(TEXT, { maxbytes: 1 }),
		'no option "maxbytes": did you mean maxBytes?',
	],
	[
		"RobotsTxt.parse",
		() => RobotsTxt.parse(TEXT, { zzz: 1 }),
		'no option "zzz": there are dialect, maxBytes, knowsCrawlers, url',
	],
	[
		"RobotsTxt.parse",
		() => RobotsTxt.parse(TEXT, { dialect: "Google" }),
		'dialect is one of rfc9309, google, yandex, not "Google"',
	],
	[
		"RobotsTxt.parse",
		() => RobotsTxt.parse(TEXT, { dialect: null }),
		"dialect is one of",
		"not null",
	],
	[
		"RobotsTxt.parse",
		() => RobotsTxt.parse(TEXT, Object.create({ dialect: "bing" })),
		'not "bing"',
	],
	[
		"RobotsTxt.parse",
		() => RobotsTxt.parse(TEXT, { maxBytes: "500" }),
		'maxBytes is a number of bytes from 0 on, not "500": pass the number 500',
	],
	[
		"new RobotsTxt",
		() => new RobotsTxt(TEXT),
		"RobotsTxt.parse(source, options)",
	],
	...each("RobotsTxt#for", noAgents, (wrong) => robots.for(wrong), AGENT),
	[
		"RobotsTxt#for",
		() => robots.for({ agent }),
		'{"agent":"ExampleBot"}: pass its agent alone',
	],
	...each(
		"RobotsTxt#crawlDelay",
		noAgents,
		(wrong) => robots.crawlDelay(wrong),
		AGENT,
	),
	["RobotsTxt#compactFor", () => robots.compactFor(), AGENT, "not undefined"],
	[
		"RobotsTxt#explainSteps",
		() => robots.explainSteps(PAGE).next(),
		AGENT,
		"not undefined",
	],
	[
		"RobotsTxt#paceSteps",
		() => inOneGo(robots.paceSteps() as never),
		AGENT,
		"not undefined",
	],
	["RobotsTxt#groupsOf", () => robots.groupsOf(), AGENT, "not undefined"],
	["RobotsTxt#sectionsOf", () => robots.sectionsOf(), AGENT, "not undefined"],
	[
		"RobotsTxt#requestRates",
		() => robots.requestRates(),
		AGENT,
		"not undefined",
	],
	["RobotsTxt#visitTime", () => robots.visitTime(), AGENT, "not undefined"],
	["RobotsTxt#visitTimes", () => robots.visitTimes(), AGENT, "not undefined"],
	[
		"RobotsTxt#isMatchedByWildcard",
		() => robots.isMatchedByWildcard(),
		AGENT,
		"not undefined",
	],
	["RobotsTxt#sortedRules", () => robots.sortedRules(), AGENT, "not undefined"],
	...each(
		"RobotsTxt#isAllowed",
		noUrls,
		(url) => robots.isAllowed(url, agent),
		"url is a string or a URL object, not ",
	),
	["RobotsTxt#isAllowed", () => robots.isAllowed(PAGE), AGENT, "not undefined"],
	[
		"RobotsTxt#explain",
		() => robots.explain(null, agent),
		"url is a string or a URL object, not null",
	],
	["RobotsTxt#explain", () => robots.explain(PAGE), AGENT],
	[
		"RobotsTxt#explainByDialect",
		() => robots.explainByDialect(7, agent),
		"url is",
		"not 7",
	],
	[
		"RobotsTxt#explainByDialect",
		() => robots.explainByDialect(PAGE, 7),
		AGENT,
		"not 7",
	],
	[
		"RobotsTxt#preferences",
		() => robots.preferences([PAGE], agent),
		"url is",
		`["${PAGE}"]`,
	],
	["RobotsTxt#preferences", () => robots.preferences(PAGE), AGENT],
	...each(
		"RobotsTxt#canonicalUrl",
		noUrls,
		(url) => robots.canonicalUrl(url),
		"url is a string or a URL object",
	),
	...each(
		"RobotsTxt#canonicalLines",
		noBytes,
		(lines) => robots.canonicalLines(lines),
		"bytes is a Uint8Array, not ",
	),

	[
		"new Matcher",
		() => new Matcher(),
		"RobotsTxt.for(agent)",
		"Matcher.fromBytes(bytes)",
	],
	["new Matcher", () => new Matcher(TEXT), "RobotsTxt.for(agent)"],
	...each(
		"Matcher#isAllowed",
		noUrls,
		(url) => matcher.isAllowed(url),
		"url is a string or a URL object, not ",
	),
	[
		"Matcher#isAllowed",
		() => matcher.isAllowed([PAGE]),
		"matchMany takes many URLs",
	],
	[
		"Matcher#isAllowed",
		() => matcher.isAllowed(Buffer.from(PAGE)),
		"a Uint8Array: matchLines takes bytes",
	],
	[
		"Matcher#isAllowed",
		() => matcher.isAllowed(new Request(PAGE)),
		"a Request: pass request.url",
	],
	["Matcher#match", () => matcher.match(), "url is", "not undefined"],
	["Matcher#decide", () => matcher.decide(), "url is", "not undefined"],
	...each(
		"Matcher#matchMany",
		noLists,
		(urls) => matcher.matchMany(urls),
		URLS,
	),
	[
		"Matcher#matchMany",
		() => matcher.matchMany(PAGE),
		"isAllowed takes one URL",
	],
	[
		"Matcher#matchMany",
		() => matcher.matchMany(new Set([PAGE])),
		"a Set: pass Array.from(…)",
	],
	[
		"Matcher#matchMany",
		() => matcher.matchMany([PAGE, null]),
		"urls[1] is a string or a URL object, not null",
	],
	[
		"Matcher#matchMany",
		() => matcher.matchMany(new Array(2)),
		"urls[0]",
		"undefined",
	],
	[
		"Matcher#matchMany",
		() => matcher.matchMany([...new Array(99_999).fill(PAGE), 7]),
		"urls[99999]",
		"not 7",
	],
	[
		"Matcher#matchMany",
		() => matcher.matchMany([PAGE], [0]),
		"into is a Uint8Array, not [0]",
	],
	[
		"Matcher#matchMany",
		() => matcher.matchMany([PAGE, PAGE], new Uint8Array(1)),
		"2 verdicts do not fit into 1 bytes",
	],
	...each(
		"Matcher#matchLines",
		noBytes,
		(lines) => matcher.matchLines(lines),
		"bytes is a Uint8Array, not ",
	),
	[
		"Matcher#matchLines",
		() => matcher.matchLines(PAGE),
		"pass new TextEncoder().encode(text)",
	],
	[
		"Matcher#matchLines",
		() => matcher.matchLines(bytes, 7),
		"into is a Uint8Array, not 7",
	],
	...columnRows("Matcher#matchColumn", (...values) =>
		matcher.matchColumn(...values),
	),
	...each(
		"Matcher.fromBytes",
		noBytes,
		(from) => Matcher.fromBytes(from),
		"bytes is a Uint8Array, not ",
	),

	[
		"new RobotsIndex",
		() => new RobotsIndex(),
		"options of RobotsIndex is an object with agent, dialect, maxBytes, maxRobotsBytes, expectedOrigins, not undefined",
	],
	[
		"new RobotsIndex",
		() => new RobotsIndex(agent),
		"options of RobotsIndex",
		`"${agent}"`,
	],
	["new RobotsIndex", () => new RobotsIndex({}), AGENT, "not undefined"],
	[
		"new RobotsIndex",
		() => new RobotsIndex({ agents: [agent] }),
		'no option "agents": did you mean agent?',
	],
	[
		"new RobotsIndex",
		() => new RobotsIndex({ agent, maxBytes: 2 ** 33 }),
		"maxBytes is a number of bytes from 0 to 4294967296, not 8589934592",
	],
	[
		"new RobotsIndex",
		() => new RobotsIndex({ agent, maxRobotsBytes: -1 }),
		"maxRobotsBytes is a number of bytes from 0 on, not -1",
	],
	[
		"new RobotsIndex",
		() => new RobotsIndex({ agent, expectedOrigins: -1 }),
		"expectedOrigins is a number of origins from 0 to 67108864, not -1",
	],
	[
		"RobotsIndex#set",
		() => index.set(7, TEXT),
		"origin is a string or a URL object, not 7",
	],
	...each(
		"RobotsIndex#set",
		[undefined, null, 7, {}],
		(source) => index.set(PAGE, source),
		"is a Uint8Array",
	),
	[
		"RobotsIndex#set",
		() => index.set(PAGE, response()),
		"pass await response.text()",
	],
	["RobotsIndex#delete", () => index.delete(), "origin is", "undefined"],
	["RobotsIndex#has", () => index.has(null), "origin is", "null"],
	["RobotsIndex#isAllowed", () => index.isAllowed(7), "url is", "not 7"],
	[
		"RobotsIndex#isAllowed",
		() => index.isAllowed(PAGE, 0),
		"ifUnknown is true or false, not 0",
	],
	["RobotsIndex#explain", () => index.explain(), "url is", "undefined"],
	...each(
		"RobotsIndex#matchMany",
		noLists,
		(urls) => index.matchMany(urls),
		URLS,
	),
	["RobotsIndex#matchMany", () => index.matchMany([7]), "urls[0] is", "not 7"],
	[
		"RobotsIndex#matchMany",
		() => index.matchMany([PAGE], 7),
		"into is a Uint8Array, not 7",
	],
	[
		"RobotsIndex#matchMany",
		() => index.matchMany([PAGE, PAGE], new Uint8Array(1)),
		"2 verdicts do not fit into 1 bytes",
	],
	[
		"RobotsIndex#matchLines",
		() => index.matchLines(PAGE),
		"bytes is a Uint8Array",
	],
	[
		"RobotsIndex#matchLines",
		() => index.matchLines(bytes, []),
		"into is a Uint8Array, not []",
	],
	[
		"RobotsIndex#matchLinesOf",
		() => index.matchLinesOf(PAGE, PAGE),
		"bytes is a Uint8Array",
	],
	[
		"RobotsIndex#matchLinesOf",
		() => index.matchLinesOf(7, bytes),
		"origin is a string or a URL object, not 7",
	],
	[
		"RobotsIndex#matchLinesOf",
		() => index.matchLinesOf(PAGE, bytes, []),
		"into is a Uint8Array, not []",
	],
	...columnRows("RobotsIndex#matchColumn", (...values) =>
		index.matchColumn(...values),
	),
	[
		"RobotsIndex.fromBytes",
		() => RobotsIndex.fromBytes("x"),
		"snapshot is a Uint8Array",
	],
	[
		"RobotsIndex.fromBytes",
		() => RobotsIndex.fromBytes(index.toBytes(), agent),
		"options of RobotsIndex.fromBytes",
	],
	[
		"RobotsIndex.fromBytes",
		() => RobotsIndex.fromBytes(index.toBytes(), { agnet: agent }),
		"did you mean agent?",
	],
	[
		"RobotsIndex.load",
		() => RobotsIndex.load(index.toBytes()),
		"chunks is an iterable or async iterable of Uint8Arrays",
		"put it in an array",
	],
	[
		"RobotsIndex.load",
		() => RobotsIndex.load(["RTO"]),
		'a chunk is a Uint8Array, not "RTO"',
	],
	[
		"RobotsIndex.load",
		() => RobotsIndex.load([index.toBytes()], { agent: "Other" }),
		'the snapshot is for ExampleBot, not "Other"',
	],
	...each(
		"dialectFor",
		[undefined, null, 7, [], [7]],
		(name) => functions.dialectFor(name),
		"agent is a product token, a User-Agent header or a list of product tokens, not ",
	),
	...each(
		"findCrawler",
		[undefined, null, 7, [agent]],
		(name) => functions.findCrawler(name),
		"agent is a string, not ",
	),
	...each(
		"recognise",
		[undefined, null, 7, [agent]],
		(name) => functions.recognise(name),
		"agent is a string, not ",
	),
	[
		"findCrawler",
		() => functions.findCrawler(agent, { dialect: "bing" }),
		"dialect is one of",
		'not "bing"',
	],
	[
		"findCrawler",
		() => functions.findCrawler(agent, { dialekt: "google" }),
		'findCrawler has no option "dialekt": did you mean dialect?',
	],
	...each(
		"robotsUrlFor",
		noUrls,
		(url) => functions.robotsUrlFor(url),
		"url is a string or a URL object",
	),
	[
		"appliesTo",
		() => functions.appliesTo(7, PAGE),
		"robotsUrl is a string or a URL object, not 7",
	],
	["appliesTo", () => functions.appliesTo(PAGE), "url is", "undefined"],

	...each(
		"accessFor",
		[undefined, null, 200, "200"],
		(outcome) => accessFor(outcome),
		"an object with",
	),
	[
		"accessFor",
		() => accessFor(response()),
		"not a Response: pass { status: response.status",
	],
	[
		"accessFor",
		() => accessFor({}),
		"an outcome has a status or a failure, not {}",
	],
	[
		"accessFor",
		() => accessFor({ status: "429" }),
		'status is a whole number from 0 on, not "429": pass the number 429',
	],
	[
		"accessFor",
		() => accessFor({ statusCode: 429 }),
		'outcome has no option "statusCode": did you mean status?',
	],
	[
		"accessFor",
		() => accessFor({ status: 200, body: TEXT }),
		"body is a Uint8Array",
		"pass new TextEncoder().encode(text)",
	],
	[
		"accessFor",
		() => accessFor({ status: 200, headers: [["a", "b"]] }),
		"headers is",
		"pass Object.fromEntries(headers)",
	],
	[
		"accessFor",
		() => accessFor({ status: 200, headers: { age: 7 } }),
		"headers is",
	],
	[
		"accessFor",
		() => accessFor({ status: 301, redirects: PAGE }),
		"redirects is an array",
	],
	[
		"accessFor",
		() => accessFor({ status: 301, redirects: holes }),
		"redirects is an array",
	],
	[
		"accessFor",
		() => accessFor({ status: 301, redirects: [{ url: PAGE }] }),
		"status is",
		"undefined",
	],
	[
		"accessFor",
		() => accessFor({ failure: { code: "ENOTFOUND", message: "" } }),
		"code is one of dns, connection",
		'"ENOTFOUND"',
	],
	[
		"accessFor",
		() => accessFor({ status: 200, url: new URL(PAGE) }),
		"url is a string, not a URL: pass url.href",
	],
	[
		"accessFor",
		() => accessFor({ status: 200 }, { now: 1 }),
		"previous.copy is an object or null, not undefined",
	],
	[
		"accessFor",
		() => accessFor({ status: 200 }, JSON.parse(JSON.stringify(good))),
		"previous.copy.body is a Uint8Array",
	],
	[
		"accessFor",
		() => accessFor({ status: 200 }, "rules"),
		"previous is what accessFor gave before, or null",
	],
	[
		"accessFor",
		() => accessFor({ status: 200 }, null, { maxlifetime: 1 }),
		"did you mean maxLifetime?",
	],
	[
		"accessFor",
		() => accessFor({ status: 200 }, null, { now: new Date(0) }),
		"now is a number from 0 on, not a Date",
	],
	[
		"accessFor",
		() => accessFor({ status: 200 }, null, { serverErrorAsNotFound: 1 }),
		"serverErrorAsNotFound is true or false, not 1",
	],
	["conditionalHeaders", () => conditionalHeaders(good), "url is", "undefined"],
	[
		"conditionalHeaders",
		() => conditionalHeaders(PAGE, PAGE),
		"previous is what accessFor gave before",
	],
	["rulesOf", () => rulesOf(), "access is what accessFor gave", "undefined"],
	["rulesOf", () => rulesOf({ access: "no" }), "access.access is", '"no"'],

	["suggestions", () => suggestions(), "report is a report of LogAudit"],
	[
		"suggestions",
		() => suggestions(new LogAudit({ robots: [{ file: "r", bytes }] })),
		"call its report()",
	],
	["compareReports", () => compareReports(), "before is a report of LogAudit"],
	[
		"compareReports",
		() => compareReports({ crawlers: [], purposes: [] }, {}),
		"after is a report of LogAudit",
	],
	["parseTime", () => parseTime(5), "text is "],
	["parseTime", () => parseTime("2026-02-30"), '"2026-02-30" is not a time'],
	[
		"parseTime",
		() => parseTime("2026-03-01T25:00"),
		'"2026-03-01T25:00" is not a time',
	],
	[
		"parseTime",
		() => parseTime("2026-03-01", "Nowhere/X"),
		'"Nowhere/X" is not a time zone',
	],
	[
		"sortLogs",
		() => sortLogs("access.log"),
		"logs is an array of { name, open }",
	],
	[
		"sortLogs",
		() => sortLogs([{ name: "a.log", open: [] }]),
		"logs[0].open is a function",
	],
	["sortLogs", () => sortLogs([{ open() {} }]), "logs[0].name is a string"],
	[
		"sortLogs",
		() => sortLogs([{ name: "a.log", open: () => ["text"] }]),
		"a chunk of bytes is",
	],
	[
		"sortLogs",
		() => sortLogs([{ name: "a.log", open: () => "text" }]),
		"logs[0].open() is an iterable or async iterable of Uint8Arrays",
	],
	["sortLogs", () => sortLogs([], { formats: "csv" }), "did you mean format?"],
	["sortLogs", () => sortLogs([], { advice: "x" }), "advice is an object with"],
	["checkReport", () => checkReport([]), "report is a report of LogAudit"],
	["csvReport", () => csvReport(), "report is a report of LogAudit"],
	["htmlReport", () => htmlReport({}), "report is a report of LogAudit"],
	["reportTable", () => reportTable(), "report is a report of LogAudit"],
	["openMetrics", () => openMetrics(), "report is a report of LogAudit"],
	[
		"openMetrics",
		() => openMetrics({ crawlers: [], purposes: [] }, "GPTBot"),
		"names is an array of strings",
	],
	["textReport", () => textReport(), "report is a report of LogAudit"],
	[
		"textReport",
		() => textReport({ crawlers: [], purposes: [] }, { width: 40 }),
		"width is a whole number from 80 on, not 40",
	],
	[
		"textReport",
		() => textReport({ crawlers: [], purposes: [] }, { colours: true }),
		"did you mean colors?",
	],
	["textComparison", () => textComparison(), "before is a report of LogAudit"],
	[
		"textComparison",
		() => {
			const report = { crawlers: [], purposes: [] };
			return textComparison(report, report, { top: 0 });
		},
		"top is a whole number from 1 on",
	],
	["auditRows", () => auditRows(), "options of auditRows"],
	[
		"auditRows",
		() => auditRows({ robots: [{ file: "r", bytes }] }, "access.log"),
		"bytes is an iterable or async iterable of Uint8Arrays",
	],
	[
		"auditRows",
		() => auditRows({ robots: [{ file: "r", bytes }], groupBy: "name" }, []),
		'auditRows has no option "groupBy"',
	],
	[
		"auditRows",
		() => auditRows({ robots: [{ file: "r", bytes }], all: 1 }, []),
		"all is ",
	],
	["auditRows", () => auditRows({ robots: [] }, []), "at least one robots.txt"],
	["new LogAudit", () => new LogAudit(), "options of LogAudit"],
	["new LogAudit", () => new LogAudit({}), "robots is an array", "undefined"],
	[
		"new LogAudit",
		() => new LogAudit({ robots: "robots.txt" }),
		'robots is an array of { file, bytes } objects, not "robots.txt": pass [{ file: "robots.txt", bytes }]',
	],
	[
		"new LogAudit",
		() => new LogAudit({ robots: { file: "r", bytes } }),
		"put it in an array",
	],
	[
		"new LogAudit",
		() => new LogAudit({ robots: [] }),
		"at least one robots.txt",
	],
	[
		"new LogAudit",
		() => new LogAudit({ robots: [{ file: "r" }] }),
		"bytes is a Uint8Array, not undefined",
	],
	[
		"new LogAudit",
		() => new LogAudit({ robots: [{ file: "r", bytes: TEXT }] }),
		"bytes is a Uint8Array",
	],
	[
		"new LogAudit",
		() => new LogAudit({ robots: [{ file: "r", bytes, name: "x" }] }),
		'robots[0] has no option "name"',
	],
	[
		"new LogAudit",
		() => new LogAudit({ robots: [{ file: "r", bytes }], since: "2025-01-01" }),
		"since is a Date",
		"pass new Date(…)",
	],
	[
		"new LogAudit",
		() => new LogAudit({ robots: [{ file: "r", bytes }], groupBy: "agent" }),
		"groupBy is one of name, category, header",
	],
	[
		"new LogAudit",
		() => new LogAudit({ robots: [{ file: "r", bytes }], agents: agent }),
		"agents is an array of strings",
	],
	[
		"new LogAudit",
		() =>
			new LogAudit({ robots: [{ file: "r", bytes }], format: { path: ["p"] } }),
		"format is",
		"pass jsonFormat(fields)",
	],
	[
		"new LogAudit",
		() =>
			new LogAudit({ robots: [{ file: "r", bytes }], ranges: [{ name: "x" }] }),
		"prefixes is an array of addresses or ranges",
	],
	[
		"new LogAudit",
		() =>
			new LogAudit({
				robots: [{ file: "r", bytes }],
				ranges: [{ name: "x", prefixes: ["192.0.2.0/33"] }],
			}),
		"prefixes is an array of addresses or ranges",
	],
	[
		"new LogAudit",
		() => new LogAudit({ robots: [{ file: "r", bytes }], dialect: "bing" }),
		"dialect is one of",
	],
	[
		"LogAudit#state",
		() => log.state(),
		"state() needs the option keepState",
		"pass { keepState: true } to new LogAudit, auditFiles or mergeStates",
	],
	["LogAudit#addState", () => log.addState("x"), "state is a Uint8Array"],
	[
		"LogAudit#addState",
		() => log.addState(bytes, 3),
		"name is a string, not 3",
	],
	[
		"LogAudit#addState",
		() => log.addState(bytes, "a.state"),
		"cannot merge a.state: it is not an audit's state",
	],
	[
		"LogAudit#addState",
		async () => log.addState(await oneHost.state(), "a.state"),
		"made with other settings than this audit",
		"of a.example",
	],
	["LogAudit#add", () => log.add(bytes), "name is a string, not a Uint8Array"],
	[
		"LogAudit#add",
		() => log.add("access.log", bytes),
		"bytes is an iterable or async iterable of Uint8Arrays, not a Uint8Array: put it in an array",
	],
	[
		"LogAudit#add",
		() => log.add("access.log", "access.log"),
		"pass createReadStream(file)",
	],
	[
		"LogAudit#add",
		() => log.add("access.log", response()),
		"a Response: pass response.body",
	],
	[
		"LogAudit#add",
		() => log.add("access.log", ["a line"]),
		"a chunk of bytes is a Uint8Array",
	],
	["formatOf", () => formats.formatOf(), "text is a string, not undefined"],
	["formatOf", () => formats.formatOf("%r", 5), "name is a string, not 5"],
	[
		"formatOf",
		() => formats.formatOf("apache2"),
		'there is no log format "apache2"',
	],
	[
		"formatOf",
		() => formats.formatOf("combined", "main"),
		'"combined" is no configuration',
	],
	[
		"nginxFormat",
		() => formats.nginxFormat(null),
		"format is a string, not null",
	],
	["apacheFormat", () => formats.apacheFormat(7), "format is a string, not 7"],
	["jsonFormat", () => formats.jsonFormat(5), "options of jsonFormat"],
	["jsonFormat", () => formats.jsonFormat("path"), '"path" is not a field'],
	[
		"jsonFormat",
		() => formats.jsonFormat({ path: "uri" }),
		'path is an array of strings, not "uri": put the key in an array',
	],
	[
		"jsonFormat",
		() => formats.jsonFormat({ path: [] }),
		"leave the field out, or name its key",
	],
	[
		"jsonFormat",
		() => formats.jsonFormat({ request: [] }),
		"leave the field out, or name its key",
	],
	[
		"jsonFormat",
		() => formats.jsonFormat("path=uri,path=url"),
		'the fields "path=uri,path=url" have path twice',
	],
	[
		"jsonFormat",
		() => formats.jsonFormat({ agent: ["ua"] }),
		"path is",
		"undefined",
	],
	[
		"jsonFormat",
		() => formats.jsonFormat({ path: ["p"], agents: ["ua"] }),
		"did you mean agent?",
	],
	[
		"jsonFormat",
		() => formats.jsonFormat({ path: ["p"] }, 7),
		"name is a string, not 7",
	],
	[
		"parseRanges",
		() => parseRanges({ prefixes: [] }, "a.json"),
		"text is a string",
	],
	["parseRanges", () => parseRanges("[]"), "file is a string, not undefined"],
	[
		"parseRanges",
		() => parseRanges("[]", "a.json", 7),
		"name is a string, not 7",
	],

	["new RobotsClient", () => new RobotsClient(), "options of RobotsClient"],
	["new RobotsClient", () => new RobotsClient({}), AGENT],
	[
		"new RobotsClient",
		() => new RobotsClient({ agent, store: "folder" }),
		'store is a store (an object with get, set, delete, close), not "folder": open it first',
	],
	[
		"new RobotsClient",
		() => new RobotsClient({ agent, store: Promise.resolve(store) }),
		"a Promise: await it first",
	],
	[
		"new RobotsClient",
		() => new RobotsClient({ agent, store: new Map() }),
		"store is",
		"a Map",
	],
	[
		"new RobotsClient",
		() => new RobotsClient({ agent, timeOut: 5 }),
		"did you mean timeout?",
	],
	[
		"new RobotsClient",
		() => new RobotsClient({ agent, timeout: "30" }),
		"timeout is a number from 1 to 2147483647",
		"pass the number 30",
	],
	[
		"new RobotsClient",
		() => new RobotsClient({ agent, userAgent: 7 }),
		"userAgent is a header field's value, not 7",
	],
	[
		"new RobotsClient",
		() => new RobotsClient({ agent, fetch: PAGE }),
		"fetch is a function",
	],
	[
		"new RobotsClient",
		() => new RobotsClient({ agent, now: Date.now() }),
		"now is a function",
	],
	[
		"new RobotsClient",
		() => new RobotsClient({ agent, allowPrivateNetwork: "no" }),
		"allowPrivateNetwork is true or false",
	],
	[
		"new RobotsClient",
		() => new RobotsClient({ agent, forbiddenAsDisallow: 403 }),
		"forbiddenAsDisallow is true or false, not 403",
	],
	[
		"new RobotsClient",
		() => new RobotsClient({ agent, proxy: "socks5://127.0.0.1:1080" }),
		"proxy is the URL of an HTTP proxy, such as http://proxy.example:3128, not",
	],
	[
		"new RobotsClient",
		() => new RobotsClient({ agent, proxy: "http://[" }),
		"proxy is the URL of an HTTP proxy",
	],
	[
		"new RobotsClient",
		() => new RobotsClient({ agent, proxy: "http://%@proxy.example/" }),
		"proxy is the URL of an HTTP proxy",
	],
	[
		"new RobotsClient",
		() => new RobotsClient({ agent, proxy: "http://proxy.example/", fetch }),
		"proxy is for the client's own requests",
	],
	[
		"new RobotsClient",
		() => new RobotsClient({ agent, headers: new Headers() }),
		"headers is an object of header fields",
	],
	[
		"new RobotsClient",
		() => new RobotsClient({ agent, headers: { "User-Agent": "x" } }),
		"headers is an object of header fields",
	],
	[
		"new RobotsClient",
		() => new RobotsClient({ agent, headers: { Host: "x" } }),
		"headers is an object of header fields",
	],
	[
		"new RobotsClient",
		() => new RobotsClient({ agent, headers: { "a b": "x" } }),
		"headers is an object of header fields",
	],
	[
		"new RobotsClient",
		() => new RobotsClient({ agent, headers: { From: "a\nb" } }),
		"headers is an object of header fields",
	],
	[
		"new RobotsClient",
		() => new RobotsClient({ agent, copyAfter: -1 }),
		"copyAfter is a number from 0 on, not -1",
	],
	[
		"new RobotsClient",
		() => new RobotsClient({ agent, serverErrorAsNotFound: [PAGE] }),
		"serverErrorAsNotFound is true, false or a function",
	],
	[
		"new RobotsClient",
		() => new RobotsClient({ agent, maxRedirects: -1 }),
		"maxRedirects is a number from 0 on, not -1",
	],
	...each(
		"RobotsClient#isAllowed",
		noUrls,
		(url) => crawl.isAllowed(url),
		"url is a string or a URL object",
	),
	[
		"RobotsClient#isAllowed",
		() => crawl.isAllowed(PAGE, agent),
		"options of RobotsClient.isAllowed is an object with signal",
	],
	[
		"RobotsClient#isAllowed",
		() => crawl.isAllowed(PAGE, { signal: new AbortController() }),
		"signal is an AbortSignal",
		"pass controller.signal",
	],
	[
		"RobotsClient#isAllowed",
		() => crawl.isAllowed(PAGE, { timeout: 1 }),
		'RobotsClient.isAllowed has no option "timeout"',
	],
	["RobotsClient#filter", () => crawl.filter(PAGE), URLS],
	[
		"RobotsClient#filter",
		() => crawl.filter([PAGE], null),
		"options of RobotsClient.filter",
	],
	["RobotsClient#sort", () => crawl.sort(PAGE), URLS],
	[
		"RobotsClient#sort",
		() => crawl.sort([PAGE], null),
		"options of RobotsClient.sort",
	],
	["RobotsClient#matchMany", () => crawl.matchMany([7]), "urls[0]"],
	[
		"RobotsClient#matchMany",
		() => crawl.matchMany([PAGE], new AbortController().signal),
		"options of RobotsClient.matchMany",
	],
	[
		"RobotsClient#matchLines",
		() => crawl.matchLines(PAGE),
		"bytes is a Uint8Array",
	],
	["RobotsClient#access", () => crawl.access(), "url is", "undefined"],
	["RobotsClient#fetch", () => crawl.fetch(null), "url is", "null"],
	["buildIndex", () => buildIndex(5, []), "sources", "not [5]"],
	["buildIndex", () => buildIndex([], { agent: "x" }), "targets"],
	[
		"buildIndex",
		() => buildIndex([], [], { shards: 0 }),
		"shards",
		"from 1 to 4096",
	],
	["buildIndex", () => buildIndex([], [], { asOf: "May" }), "asOf", '"May"'],
	["buildIndex", () => buildIndex([], [], { shard: 4 }), "shards"],
	[
		"buildIndex",
		() => buildIndex([], { agent: "x", path: "y" }, { facts: true }),
		"facts needs shards",
	],
	["updateIndex", () => updateIndex(5, []), "path is a string, not 5"],
	["updateIndex", () => updateIndex("x", [5]), "sources"],
	["updateIndex", () => updateIndex("x", [], { agent: "x" }), "agent"],
	["openIndex", () => openIndex(), "path is a string, not undefined"],
	["openIndex", () => openIndex("x", { memory: -1 }), "memory"],
	["shardOf", () => shardOf(5, 4), "host is a string, not 5"],
	["shardOf", () => shardOf("example.com", 0), "shards", "from 1 on"],
	[
		"openStore",
		() => openStore(),
		"location is a folder, a file or a redis: URL, as a string, not undefined",
	],
	["openStore", () => openStore(""), "location is", '""'],
	["openStore", () => openStore({ folder }), "location is"],
	["RobotsClient#robots", () => crawl.robots(7), "url is", "7"],
	[
		"RobotsClient#robots",
		() => crawl.robots(PAGE, agent),
		"options of RobotsClient.robots",
	],
	["RobotsClient#crawlDelay", () => crawl.crawlDelay(7), "url is", "7"],
	[
		"RobotsClient#crawlDelay",
		() => crawl.crawlDelay(PAGE, agent),
		"options of RobotsClient.crawlDelay",
	],
	["RobotsClient#sitemaps", () => crawl.sitemaps(7), "url is", "7"],
	[
		"RobotsClient#sitemaps",
		() => crawl.sitemaps(PAGE, agent),
		"options of RobotsClient.sitemaps",
	],
	[
		"RobotsClient#sitemaps",
		() => crawl.sitemaps(PAGE, { agent: 7 }),
		"agent is",
	],
	["RobotsClient#visited", () => crawl.visited(7), "url is", "7"],
	["RobotsClient#visited", () => crawl.visited(PAGE, "now"), "at is a number"],
	[
		"RobotsClient#visited",
		() => crawl.visited(PAGE, 0, { status: "429" }),
		"answer.status is a number from 0",
		"pass the number 429",
	],
	["RobotsClient#release", () => crawl.release(PAGE), "at is a number"],
	["RobotsClient#visit", () => crawl.visit(7), "url is", "7"],
	["RobotsClient#visit", () => crawl.visit(PAGE), "download is a function"],
	[
		"RobotsClient#visit",
		() => crawl.visit(PAGE, () => {}, { maxWait: "1" }),
		"maxWait is a number from 0",
		"pass the number 1",
	],
	[
		"new RobotsClient",
		() => new RobotsClient({ agent, paceBy: "ip" }),
		'paceBy is "host", "origin", "domain", "address" or a function',
	],
	[
		"new RobotsClient",
		() => new RobotsClient({ agent, minDelay: -1 }),
		"minDelay is a number from 0",
	],
	["RobotsClient#explain", () => crawl.explain(7), "url is", "7"],
	[
		"RobotsClient#explain",
		() => crawl.explain(PAGE, agent),
		"options of RobotsClient.explain",
	],
	["RobotsClient#nextVisit", () => crawl.nextVisit(7), "url is", "7"],
	[
		"RobotsClient#nextVisit",
		() => crawl.nextVisit(PAGE, agent),
		"options of RobotsClient.nextVisit",
	],
	[
		"RobotsClient#nextVisit",
		() => crawl.nextVisit(PAGE, { reserve: 1 }),
		"reserve is true or false, not 1",
	],
	[
		"RobotsClient#nextVisit",
		() => crawl.nextVisit(PAGE, { after: "now" }),
		"after is a number",
	],
	[
		"new RobotsClient",
		() => new RobotsClient({ agent, shareFetches: 1 }),
		"shareFetches is true or false, not 1",
	],
	[
		"new RobotsClient",
		() => new RobotsClient({ agent, concurrency: "many" }),
		"concurrency is",
	],
	["new RequestLimit", () => new RequestLimit(0), "concurrency is a number"],
	["RobotsClient#prefetch", () => crawl.prefetch(PAGE), URLS],
	["RobotsClient#prefetch", () => crawl.prefetch([PAGE, null]), "urls[1]"],
	[
		"new RobotsClient",
		() => new RobotsClient({ agent, defaultDelay: -1 }),
		"defaultDelay is a number from 0",
	],
	["RobotsClient#peek", () => crawl.peek(PAGE), URLS],
	["RobotsClient#peek", () => crawl.peek([PAGE, 7]), "urls[1]"],
	["RobotsClient#forget", () => crawl.forget([PAGE]), "url is", "matchMany"],
	[
		"new MemoryStore",
		() => new MemoryStore(1000),
		"options of MemoryStore is an object with maxEntries, maxBytes",
	],
	[
		"new MemoryStore",
		() => new MemoryStore({ maxBytes: "1000" }),
		"maxBytes is a number of bytes from 0 on",
		"pass the number 1000",
	],
	[
		"new MemoryStore",
		() => new MemoryStore({ maxEntries: -1 }),
		"maxEntries is a number from 0 on, not -1",
	],
	["MemoryStore#get", () => store.get(7), "key is a string, not 7"],
	["MemoryStore#set", () => store.set("a", TEXT), "entry is a Uint8Array"],
	["MemoryStore#set", () => store.set(7, bytes), "key is a string"],
	["MemoryStore#delete", () => store.delete(), "key is a string"],
	[
		"MemoryStore#replace",
		() => store.replace("a", TEXT, bytes),
		"expected is a Uint8Array",
	],
	["new LmdbStore", () => new LmdbStore(folder), "await LmdbStore.open(…)"],
	["LmdbStore.open", () => LmdbStore.open(7), "folder is", "not 7"],
	["LmdbStore#get", () => lmdbStore.get(7), "key is a string"],
	["LmdbStore#set", () => lmdbStore.set("a", TEXT), "entry is a Uint8Array"],
	["LmdbStore#delete", () => lmdbStore.delete(), "key is a string"],
	[
		"new RedisStore",
		() => new RedisStore("redis://127.0.0.1"),
		"await RedisStore.open(…)",
	],
	["RedisStore.open", () => RedisStore.open(), "url is", "undefined"],
	[
		"RedisStore.open",
		() => RedisStore.open("redis://127.0.0.1", { ttl: 7 }),
		'RedisStore.open has no option "ttl"',
	],
	[
		"RedisStore.open",
		() => RedisStore.open("redis://127.0.0.1", { keepFor: "1" }),
		"keepFor is a whole number of seconds from 0 on",
	],
	[
		"RedisStore.open",
		() => RedisStore.open("redis://127.0.0.1", { prefix: 7 }),
		"prefix is a string, not 7",
	],
	["RedisStore#get", () => redisStore.get(7), "key is a string"],
	["RedisStore#set", () => redisStore.set("a", TEXT), "entry is a Uint8Array"],
	["RedisStore#delete", () => redisStore.delete(), "key is a string"],
	[
		"RedisStore#replace",
		() => redisStore.replace("a", bytes, TEXT),
		"entry is a Uint8Array",
	],

	[
		"new SqliteStore",
		() => new SqliteStore("a.db"),
		"await SqliteStore.open(…)",
	],
	["SqliteStore.open", () => SqliteStore.open(), "file is", "undefined"],
	[
		"SqliteStore.open",
		() => SqliteStore.open("a.db", { keep: 1 }),
		"did you mean keepFor?",
	],
	["SqliteStore#get", () => sqliteStore.get(7), "key is a string"],
	[
		"SqliteStore#set",
		() => sqliteStore.set("a", TEXT),
		"entry is a Uint8Array",
	],
	["SqliteStore#delete", () => sqliteStore.delete(), "key is a string"],
	[
		"SqliteStore#replace",
		() => sqliteStore.replace(7, bytes, bytes),
		"key is a string",
	],
	[
		"createService",
		() => createService(agent),
		"options of createService is an object with agent, dialect",
	],
	["createService", () => createService({ agents: agent }), "mean agent?"],
	[
		"createService",
		() => createService({ maxRows: "many" }),
		'maxRows is a number from 0 to 9007199254740991, not "many"',
	],
	...each(
		"createService",
		["", "Mozilla/5.0 (compatible; ExampleBot/1.0)", [], holes, ["a", ""]],
		(wrong) => createService({ agent: wrong }),
		"agent is a product token or a list of them",
	),
	[
		"serve",
		() => serve({ logLevel: "loud", port: 0, store: null }),
		"logLevel is one of trace, debug, info",
	],
	["serve", () => serve(8080), "options of serve is an object with agent"],
	[
		"serve",
		() => serve({ port: 65_536 }),
		"port is a whole number from 0 to 65535, not 65536",
	],
	["serve", () => serve({ host: "0.0.0.0" }), "give a token, or certificates"],
	["serve", () => serve({ token: "short" }), "at least 16 characters"],
	["serve", () => serve({ store: 7 }), "store is a string or null, not 7"],
	[
		"disassemble",
		() => disassemble(robots),
		"matcher is a Matcher",
		"pass robots.for(agent)",
	],
	[
		"disassemble",
		() => disassemble(matcher.toBytes()),
		"matcher is a Matcher, not a Uint8Array",
	],
	...each("lint", [undefined, null, 7, []], (source) => lint(source), SOURCE),
	["lint", () => lint(response()), "pass await response.text()"],
	[
		"lint",
		() => lint(TEXT, "google"),
		'options of lint is an object with dialect, maxBytes, location, sitemapUrls, noindexUrls, not "google": pass { dialect: "google" }',
	],
	["lint", () => lint(TEXT, { max: 1 }), "did you mean maxBytes?"],
	...each("fix", [undefined, null, 7, []], (source) => fix(source), SOURCE),
	["fix", () => fix(response()), "pass await response.text()"],
	["fix", () => fix(TEXT, { max: 1 }), "did you mean maxBytes?"],
	[
		"compareFiles",
		() => compareFiles(TEXT, robots),
		"before is a RobotsTxt",
		"pass RobotsTxt.parse(…)",
	],
	["compareFiles", () => compareFiles(robots), "after is a RobotsTxt"],
	[
		"compareFiles",
		() => compareFiles(robots, robots, { agent }),
		"did you mean agents?",
	],
	[
		"compareFiles",
		() => compareFiles(robots, robots, { agents: agent }),
		"agents is an array",
		"put it in an array",
	],
	[
		"compareFiles",
		() => compareFiles(robots, robots, { agents: holes }),
		"agents is an array",
	],
	[
		"compareFiles",
		() => compareFiles(robots, robots, { urls: PAGE }),
		"urls is an array",
	],
	[
		"compareCrawlers",
		() => compareCrawlers(TEXT, PAGE),
		"robots is a RobotsTxt",
	],
	["compareCrawlers", () => compareCrawlers(robots, 7), "url is a string"],
	[
		"default",
		() => robotsParser(PAGE, response()),
		"source is a Uint8Array or a string",
		"pass await response.text()",
	],
	["default", () => robotsParser(PAGE, TEXT).isAllowed(PAGE, 7), "agent is"],
	["module.exports", () => required(PAGE, 7), "source is"],
	["new RobotsPool", () => new RobotsPool(), "snapshot is a Uint8Array"],
	["new RobotsPool", () => new RobotsPool(index), "snapshot is a Uint8Array"],
	[
		"new RobotsPool",
		() => new RobotsPool(index.toBytes(), 2),
		"options of RobotsPool is an object with workers, maxRobotsBytes, not 2",
	],
	[
		"new RobotsPool",
		() => new RobotsPool(index.toBytes(), { threads: 2 }),
		'RobotsPool has no option "threads"',
	],
	[
		"new RobotsPool",
		() => new RobotsPool(index.toBytes(), { workers: 1.5 }),
		"workers is a whole number from 1 to 256, not 1.5",
	],
	[
		"RobotsPool.load",
		() => RobotsPool.load("sites.index"),
		"source is a RobotsIndex, a snapshot as a Uint8Array, or its chunks",
		"pass createReadStream(file)",
	],
	[
		"RobotsPool.load",
		() => RobotsPool.load(index, { workers: 0 }),
		"workers is a whole number from 1 to 256, not 0",
	],
	["RobotsPool.load", () => RobotsPool.load([7]), "a chunk is", "not 7"],
	[
		"RobotsPool#replace",
		() => pool.replace(),
		"source is a RobotsIndex",
		"not undefined",
	],
	["RobotsPool#set", () => pool.set(7, ""), "origin is", "not 7"],
	["RobotsPool#delete", () => pool.delete(7), "origin is", "not 7"],
	[
		"RobotsPool#matchLines",
		() => pool.matchLines(PAGE),
		"bytes is a Uint8Array",
	],
	["RobotsPool#matchMany", () => pool.matchMany(PAGE), URLS],
	["RobotsPool#matchMany", () => pool.matchMany([7]), "urls[0]"],
	[
		"RobotsPool#matchMany",
		() => pool.matchMany([PAGE], [0]),
		"into is a Uint8Array, not [0]",
	],
	[
		"RobotsPool#matchMany",
		() => pool.matchMany([PAGE, PAGE], new Uint8Array(1)),
		"2 verdicts do not fit into 1 bytes",
	],
	...columnRows("RobotsPool#matchColumn", (...values) =>
		pool.matchColumn(...values),
	),
	[
		"RobotsPool#matchBatches",
		() => pool.matchBatches(bytes).next(),
		"batches is an iterable",
		"put it in an array",
	],
	[
		"RobotsPool#matchBatches",
		() => pool.matchBatches().next(),
		"batches is an iterable",
		"undefined",
	],
];

/** For other tests of arguments. */
export {
	accessFor,
	agent,
	conditionalHeaders,
	crawl,
	functions,
	good,
	index,
	matcher,
	RobotsTxt,
	robots,
	TEXT,
};
