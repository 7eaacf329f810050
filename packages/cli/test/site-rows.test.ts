import { parquetWriteBuffer } from "hyparquet-writer";
import { afterEach, describe, expect, test, vi } from "vitest";
import { RobotrieError, RobotsTxt, Verdict } from "../../../src/index.ts";
import { file } from "./run.ts";
import { read, type Written, warcOf } from "./sites.ts";

const { Allowed, Disallowed, Later } = Verdict;
const closed = "User-agent: *\nDisallow: /\n";
type Row = Readonly<Record<string, unknown>>;

let files = 0;
const readRows = (rows: readonly Row[]) =>
	read([
		file(
			`${files++}.ndjson`,
			rows.map((row) => `${JSON.stringify(row)}\n`).join(""),
		),
	]);

/** One row about a.example, and what becomes of it: open, closed, or why it is rejected. */
const rows: readonly (readonly [Row, string])[] = [
	[{ robots: closed }, "closed"],
	[{ robots: closed, status: null }, "closed"],
	[{ robots: closed, status: 200 }, "closed"],
	[{ robots: closed, status: 206 }, "closed"],
	[{ robots: closed, status: 404 }, "open"],
	[{ robots: closed, status: 403 }, "open"],
	[{ robots: "", status: 429 }, "later"],
	[{ status: 404 }, "open"],
	[{ status: 503 }, "later"],
	[{ status: 0 }, "later"],
	[{ status: 304 }, "later"],
	[{ status: 999 }, "later"],
	[{ status: 301 }, "later"],
	[{ status: 300 }, "later"],
	[{ status: 310, location: "https://b.example/robots.txt" }, "later"],
	[{ status: 301, robots: "" }, "later"],
	[{ status: 301, location: "https://b.example/robots.txt" }, "later"],
	[{ status: 300, location: "https://b.example/robots.txt" }, "later"],
	// They lead nowhere, as in the client.
	[{ status: 301, location: "http://[" }, "open"],
	[{ status: 301, location: "mailto:a@b.example" }, "open"],
	[{ access: "disallow-all", status: 404 }, "closed"],
	[{ access: "later" }, "later"],
	[{ access: "later", robots: "" }, "open"],
	[{ robots_b64: btoa(closed), status: 200 }, "closed"],
	[{ body: closed }, "closed"],
	[{ body: closed, robots: null, status: 200 }, "closed"],
	[{ robots: closed, body: "" }, "closed"],
	[{ status: 200 }, 'status 200 without "robots", "body" or "robots_b64"'],
	[{ status: "200", robots: closed }, '"status" is no whole number'],
	[{ status: 20.5 }, '"status" is no whole number'],
	[{ status: -1 }, '"status" is no whole number from 0 on'],
	[{ status: -1, robots: closed }, '"status" is no whole number from 0 on'],
	[{ robots_b64: closed }, '"robots_b64" is no Base64'],
	[
		{ robots_b64: `${btoa(closed).slice(0, 9)}\n${btoa(closed).slice(9)}\n` },
		"closed",
	],
	[{ access: "maybe" }, 'neither "robots" (or "body"), "robots_b64", "status"'],
	[{ robots: 7 }, 'neither "robots" (or "body"), "robots_b64", "status"'],
];

describe("a line of JSON", () => {
	test.each(rows)("%j: %s", async (row, expected) => {
		const { index, faults } = await readRows([
			{ origin: "https://a.example", ...row },
		]);
		const { verdict } = index.explain("https://a.example/");
		const found = ["closed", "open", faults[0], "invalid", "later"][verdict];
		expect(found).toContain(expected);
	});

	test("for Yandex only a text with status 200 restricts anything", async () => {
		const html = { robots: closed, status: 200, content_type: "text/html" };
		const found = await read(
			[
				file(
					`${files++}.ndjson`,
					[
						{ origin: "https://a.example", ...html },
						{
							origin: "https://b.example",
							...html,
							content_type: "image/png",
						},
						{ origin: "https://c.example", status: 503 },
					]
						.map((row) => JSON.stringify(row))
						.join("\n"),
				),
			],
			{ dialect: "yandex" },
		);
		const states = ["a", "b", "c"].map((name) =>
			found.index.isAllowed(`https://${name}.example/`),
		);
		expect(states).toEqual([false, true, true]);
	});
});

const to = (name: string, target: string): Row => ({
	origin: `https://${name}.example`,
	status: 301,
	location: target,
});
const at = (name: string, more: Row = { robots: closed }): Row => ({
	origin: `https://${name}.example`,
	...more,
});
const of = (name: string) => `https://${name}.example/robots.txt`;
/** Rows, the verdict at a.example, and how many redirects found an answer and did not. */
const redirects: readonly (readonly [
	string,
	readonly Row[],
	Verdict,
	number,
	number,
])[] = [
	["to an answer behind it", [to("a", of("b")), at("b")], Disallowed, 1, 0],
	["to an answer before it", [at("b"), to("a", of("b"))], Disallowed, 1, 0],
	[
		"that is relative",
		[to("a", "//b.example/robots.txt"), at("b")],
		Disallowed,
		1,
		0,
	],
	["to another path", [to("a", "https://b.example/"), at("b")], Later, 0, 1],
	["to nobody knows where", [at("a", { status: 301 })], Later, 0, 1],
	[
		"to a redirect to nobody knows where",
		[to("a", of("b")), at("b", { status: 302 })],
		Later,
		0,
		2,
	],
	["to no answer", [to("a", of("b"))], Later, 0, 1],
	["to a 404", [to("a", of("b")), at("b", { status: 404 })], Allowed, 1, 0],
	["to a 503", [to("a", of("b")), at("b", { status: 503 })], Later, 1, 0],
	[
		"over five hops",
		[..."abcde"]
			.map((name, i) => to(name, of("bcdef"[i] ?? "")))
			.concat(at("f")),
		Disallowed,
		5,
		0,
	],
	[
		"over six hops",
		[..."abcdef"]
			.map((name, i) => to(name, of("bcdefg"[i] ?? "")))
			.concat(at("g")),
		Allowed,
		5,
		1,
	],
	["in a circle", [to("a", of("b")), to("b", of("a"))], Allowed, 0, 2],
	["to itself", [to("a", of("a"))], Allowed, 0, 1],
	[
		"before an answer of its own",
		[to("a", of("b")), at("a")],
		Disallowed,
		0,
		0,
	],
	["behind an answer of its own", [at("a"), to("a", of("b"))], Later, 0, 1],
];

describe("a redirect", () => {
	test.each(redirects)("%s", async (_, rows, verdict, followed, unanswered) => {
		const found = await readRows(rows);
		expect(found).toMatchObject({ faults: [], followed, unanswered });
		expect(found.index.explain("https://a.example/").verdict).toBe(verdict);
	});

	const there = "https://b.example/all.txt";
	const html = { "Content-Type": "text/html; charset=utf-8" };
	const typed = { "Content-Type": "Text/Plain; charset=utf-8" };
	const moved = (url: string, location: string): Written => ({
		url,
		status: "HTTP/1.1 302 Found",
		fields: { Location: location },
	});
	const first = moved("https://a.example/robots.txt", `${there}#here`);
	/** Records, the verdict at a.example, and how many redirects found an answer and did not. */
	const otherPaths: readonly (readonly [
		string,
		readonly Written[],
		Verdict,
		number,
		number,
	])[] = [
		[
			"a text behind it",
			[first, { url: there, body: closed }],
			Disallowed,
			1,
			0,
		],
		[
			"a text before it",
			[{ url: there, body: closed }, first],
			Disallowed,
			1,
			0,
		],
		[
			"a text without a type, then one with it",
			[
				first,
				{ url: there, body: "", fields: {} },
				{ url: there, body: closed, fields: typed },
			],
			Disallowed,
			1,
			0,
		],
		[
			"a page",
			[first, { url: there, body: closed, fields: html }],
			Later,
			0,
			1,
		],
		[
			"no page",
			[first, { url: there, status: "HTTP/1.1 404 Not Found", fields: html }],
			Allowed,
			1,
			0,
		],
		[
			"an error",
			[first, { url: there, status: "HTTP/1.1 503 Unavailable", fields: html }],
			Later,
			1,
			0,
		],
		[
			"a redirect from there to a text beside it",
			[
				moved(there, "more?1"),
				first,
				{ url: "https://b.example/more?1", body: closed },
			],
			Disallowed,
			1,
			0,
		],
		[
			"a redirect from there to another robots.txt",
			[
				moved(there, "//c.example/robots.txt"),
				first,
				{ url: "https://c.example/robots.txt", body: closed },
			],
			Disallowed,
			1,
			0,
		],
		["a circle", [first, moved(there, there)], Allowed, 0, 1],
		[
			"what was only asked",
			[first, { url: there, type: "request" }],
			Later,
			0,
			1,
		],
	];
	test.each(otherPaths)(
		"in a WARC file, to another path: %s",
		async (_, records, verdict, followed, unanswered) => {
			const place = file(`${files++}.warc.gz`, await warcOf(records));
			const found = await read([place]);
			expect(found).toMatchObject({ faults: [], followed, unanswered });
			expect(found.index.explain("https://a.example/").verdict).toBe(verdict);
		},
	);

	test("in a WARC file, to another shard", async () => {
		const place = file(
			`${files++}.warc.gz`,
			await warcOf([
				{
					url: "http://a.example/robots.txt",
					status: "HTTP/1.1 301 Moved Permanently",
					fields: { Location: "https://www.a.example/robots.txt" },
				},
				{ url: "https://www.a.example/robots.txt", body: closed },
			]),
		);
		const { index, followed } = await read([place]);
		expect([index.isAllowed("http://a.example/"), followed]).toEqual([
			false,
			1,
		]);
	});
});

describe("Parquet", () => {
	const names = ["a", "b", "c", "d"];
	const origins = {
		name: "origin",
		data: names.map((name) => `https://${name}.example`),
		type: "STRING",
	} as const;
	const status = {
		name: "status",
		data: [200, 404, 503, 301],
		type: "INT32",
	} as const;
	const texts = {
		name: "robots",
		data: [closed, null, null, null],
		type: "STRING",
	} as const;
	const bytes = {
		name: "robots",
		data: [Buffer.from(closed), null, null, null],
		type: "BYTE_ARRAY",
	} as const;
	const location = {
		name: "location",
		data: [null, null, null, "https://a.example/robots.txt"],
		type: "STRING",
	} as const;
	const other = {
		name: "other",
		data: [1n, 2n, 3n, 4n],
		type: "INT64",
	} as const;
	const write = (
		columnData: Parameters<typeof parquetWriteBuffer>[0]["columnData"],
		rowGroupSize = 100,
	) => new Uint8Array(parquetWriteBuffer({ columnData, rowGroupSize }));
	test.each([
		["text", [origins, status, texts, location]],
		["bytes", [other, bytes, location, status, origins]],
		[
			"bytes, as the Spark package calls them",
			[{ ...bytes, name: "body" }, location, status, origins],
		],
		[
			"64-bit numbers",
			[
				origins,
				texts,
				location,
				{ name: "status", data: [200n, 404n, 503n, 301n], type: "INT64" },
			],
		],
	] as const)("with columns of %s", async (_, columns) => {
		for (const size of [100, 1, 3]) {
			const place = file(
				`${files++}.parquet`,
				write(
					columns.map((column) => ({ ...column, data: [...column.data] })),
					size,
				),
			);
			const { index, faults, followed } = await read([place]);
			expect([faults, followed]).toEqual([[], 1]);
			const states = names.map((name) =>
				index.isAllowed(`https://${name}.example/`),
			);
			expect(states).toEqual([false, true, false, false]);
		}
	});

	const copy = <Column extends { data: readonly unknown[] }>(
		column: Column,
	) => ({
		...column,
		data: [...column.data],
	});
	const whole = write([copy(origins), copy(status), copy(texts)]);
	test.each([
		["no column of origins", write([copy(status)]), /has no column "origin"/],
		["cut off", whole.subarray(0, whole.length - 20), /is not valid Parquet: /],
	])("%s", async (_, content, message) => {
		const place = file(`${files++}.parquet`, content);
		await expect(read([place])).rejects.toThrow(message);
	});

	test("a rejected row is told by its number", async () => {
		const place = file(
			`${files++}.parquet`,
			write(
				[copy(origins), { ...copy(status), data: [404, 404, 200, 404] }],
				2,
			),
		);
		const { faults, index } = await read([place]);
		expect([faults, index.size]).toEqual([
			[`${place}: row 3: status 200 without "robots", "body" or "robots_b64"`],
			3,
		]);
	});
});

describe("a file that is too large for the second crawler", () => {
	afterEach(() => {
		vi.restoreAllMocks();
	});

	const large = "User-agent: *\nDisallow: /large\n";
	const open = "User-agent: *\nDisallow: /c\n";
	const robotsAt = (name: string, body: string): Written => ({
		url: of(name),
		body,
	});
	/** Records between those of a.example and c.example, and the fault. */
	const between: readonly (readonly [string, Written])[] = [
		["a robots.txt", robotsAt("b", large)],
		["a text elsewhere", { url: "https://b.example/text", body: large }],
	];
	test.each(between)("%s: the next site keeps its rules", async (_, record) => {
		const compile = RobotsTxt.prototype.compactFor;
		vi.spyOn(RobotsTxt.prototype, "compactFor").mockImplementation(function (
			this: RobotsTxt,
			agent,
		) {
			const isLarge =
				this.isAllowed("/", "y") && !this.isAllowed("/large", "y");
			if (agent === "y" && isLarge)
				throw new RobotrieError("limit-exceeded", "too large");
			return compile.call(this, agent);
		});
		const records = [robotsAt("a", closed), record, robotsAt("c", open)];
		const place = file(`${files++}.warc`, await warcOf(records));
		const { index, faults } = await read([place], { agents: ["x", "y"] });
		expect(faults).toEqual([expect.stringMatching(/b\.example.*: too large$/)]);
		const urls = ["a.example/", "b.example/", "c.example/", "c.example/c"];
		const verdicts = index.matchMany(urls.map((url) => `https://${url}`));
		expect([...verdicts]).toEqual([0, 2, 1, 0]);
	});
});
