import { afterAll, describe, expect, test } from "vitest";
import * as library from "../src/index.ts";

import {
	accessFor,
	agent,
	closeAll,
	conditionalHeaders,
	crawl,
	functions,
	good,
	index,
	matcher,
	RobotsTxt,
	robots,
	rows,
	TEXT,
} from "./data/wrong-uses.ts";
import { publicEntries } from "./public-members.ts";

/** All of them, also those to come. */
const entries: readonly object[] = await Promise.all(
	publicEntries.map((path) => import(path)),
);

afterAll(closeAll);

/** Doors without arguments, and the one whose arguments only pass through. */
const unchecked = [
	"new RobotrieError",
	"new SitesError",
	"Matcher#toBytes",
	"Matcher.of",
	"RobotsIndex#stats",
	"RobotsIndex#origins",
	"RobotsIndex#toBytes",
	"RobotsIndex#snapshot",
	"LogAudit#report",
	// Their checks have tables in packages/audit/test/files/.
	"auditFiles",
	"followLog",
	"mergeStates",
	"readNetworks",
	// Steps: the client has checked the agent.
	"RobotsTxt#matcherSteps",
	"RobotsTxt#compactSteps",
	"RobotsTxt#sitemapSteps",
	// Internal: the client's own number and program, and programs that a Matcher gave.
	"RobotsIndex#roomSteps",
	"RobotsIndex#setProgram",
	"RobotsIndex#verdictOf",
	"jumpTables",
	"slotOf",
	"RobotsClient#stats",
	"RobotsClient#snapshot",
	"RedisStore#usage",
	...[
		"RobotsClient",
		"RobotsPool",
		"MemoryStore",
		"LmdbStore",
		"RedisStore",
		"SqliteStore",
	].map((name) => `${name}#close`),
	...["RobotsTxt", "Matcher", "RobotsIndex"].flatMap((name) => [
		`${name}#${String(Symbol.dispose)}`,
		// What console.log asks.
		`${name}#${String(Symbol.for("nodejs.util.inspect.custom"))}`,
	]),
	...["RobotsClient", "RobotsPool"].map(
		(name) => `${name}#${String(Symbol.asyncDispose)}`,
	),
];

async function failureOf(call: () => unknown): Promise<unknown> {
	try {
		await call();
	} catch (error) {
		return error;
	}
	return undefined;
}

describe("wrong arguments are refused by name", () => {
	test.each(
		rows.map(([door, call, ...message], i) => ({ i, door, call, message })),
	)("$i $door $message", async ({ call, message }) => {
		const error = await failureOf(call);
		expect(error).toBeInstanceOf(library.RobotrieError);
		const { code, message: text } = error as library.RobotrieError;
		expect(code).toBe("invalid-argument");
		for (const part of message) expect(text).toMatch(part);
		expect(text.length).toBeLessThan(500);
	});

	test("there are more than a hundred", () =>
		expect(rows.length).toBeGreaterThan(100));

	test("every public function, class and method has a row", () => {
		const doors = new Set([...rows.map(([door]) => door), ...unchecked]);
		expect([...doors].sort()).toEqual(
			[...new Set(entries.flatMap(doorsOf))].sort(),
		);
	});

	test("calls that return a promise reject, they do not throw", () => {
		const asynchronous = rows.filter(([door]) =>
			/^(RobotsClient#(?!peek|release|visited)|RobotsPool[#.]|RobotsIndex.load|LogAudit#|openStore|\w+Store[#.])/.test(
				door,
			),
		);
		const promises = asynchronous.map(([, call]) => call());
		for (const promise of promises) expect(promise).toBeInstanceOf(Promise);
		return Promise.allSettled(promises);
	});
});

function doorsOf(entry: object): string[] {
	return Object.entries(entry).flatMap(([name, value]) => {
		if (typeof value !== "function") return [];
		if (!/^class\b/.test(String(value))) return [name];
		return [
			`new ${name}`,
			...methodsOf(value).map((method) => `${name}.${method}`),
			...methodsOf(value.prototype).map((method) => `${name}#${method}`),
		];
	});
}

function methodsOf(holder: object): string[] {
	return Reflect.ownKeys(holder)
		.filter((key) => key !== "constructor" && key !== "prototype")
		.filter(
			(key) =>
				typeof Object.getOwnPropertyDescriptor(holder, key)?.value ===
				"function",
		)
		.map(String);
}

describe("a URL object stands for its text", () => {
	const url = new URL("https://example.com/a?x#y");
	const other = new URL("https://example.com/b");
	const text = url.href;
	test.each<readonly [string, (url: string | URL) => unknown]>([
		["RobotsTxt#isAllowed", (one) => robots.isAllowed(one, agent)],
		["RobotsTxt#explain", (one) => robots.explain(one, agent)],
		[
			"RobotsTxt#explainByDialect",
			(one) => robots.explainByDialect(one, agent),
		],
		["RobotsTxt#preferences", (one) => robots.preferences(one, agent)],
		["RobotsTxt#canonicalUrl", (one) => robots.canonicalUrl(one)],
		["Matcher#isAllowed", (one) => matcher.isAllowed(one)],
		["Matcher#match", (one) => matcher.match(one)],
		["Matcher#matchMany", (one) => matcher.matchMany([`${other}`, one, other])],
		["RobotsIndex#set", (one) => index.set(one, TEXT)],
		["RobotsIndex#has", (one) => index.has(one)],
		["RobotsIndex#isAllowed", (one) => index.isAllowed(one, true)],
		["RobotsIndex#explain", (one) => index.explain(one)],
		["RobotsIndex#matchMany", (one) => index.matchMany([one, other, ""])],
		["RobotsIndex#delete", (one) => index.set(one, TEXT) ?? index.delete(one)],
		["robotsUrlFor", (one) => functions.robotsUrlFor(one)],
		[
			"appliesTo",
			(one) => functions.appliesTo(functions.robotsUrlFor(one), one),
		],
		["conditionalHeaders", (one) => conditionalHeaders(good, one)],
		["RobotsClient#isAllowed", (one) => crawl.isAllowed(one)],
		["RobotsClient#matchMany", (one) => crawl.matchMany([one, other])],
		[
			"RobotsClient#filter",
			async (one) => `${await crawl.filter([one, other])}`,
		],
		["RobotsClient#access", async (one) => (await crawl.access(one)).access],
		[
			"RobotsClient#fetch",
			async (one) => (await crawl.fetch(one)).access.access,
		],
	])("%s", async (_, ask) => {
		expect(await ask(url)).toEqual(await ask(text));
	});
});

describe("good arguments stay good", () => {
	test.each<readonly [string, () => unknown]>([
		[
			"options that are undefined",
			() => RobotsTxt.parse(TEXT, { dialect: undefined, maxBytes: undefined }),
		],
		[
			"options of a class",
			() =>
				RobotsTxt.parse(
					TEXT,
					new (class {
						dialect = "google";
					})(),
				),
		],
		[
			"options without a prototype",
			() =>
				RobotsTxt.parse(
					TEXT,
					Object.assign(Object.create(null), { maxBytes: 5 }),
				),
		],
		[
			"a URL as the whole text of a file",
			() => RobotsTxt.parse("https://example.com/robots.txt"),
		],
		["a Buffer", () => RobotsTxt.parse(Buffer.from(TEXT))],
		[
			"a fetch Headers object",
			() => accessFor({ status: 200, headers: new Headers({ age: "1" }) }),
		],
	])("%s", (_, call) => expect(call).not.toThrow());
});
