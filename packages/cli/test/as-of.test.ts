/** `index --as-of`: of many captures of a robots.txt the one in force that day. */

import { join } from "node:path";
import fc from "fast-check";
import { parquetWriteBuffer } from "hyparquet-writer";
import { describe, expect, test } from "vitest";
import { casesOf } from "../../../test/cases.ts";
import { file, folder, robotrie } from "./run.ts";
import { read, type Written, warcOf } from "./sites.ts";

const closed = "User-agent: *\nDisallow: /\n";
const opened = "User-agent: *\nAllow: /\n";
const DAY = 86_400_000;
const asOf = Date.parse("2026-03-02T00:00Z") - 1;

let files = 0;
const linesFile = (rows: readonly object[]) =>
	file(
		`as-of-${files++}.ndjson`,
		rows.map((row) => `${JSON.stringify(row)}\n`).join(""),
	);
const stateOf = (
	{ index }: Awaited<ReturnType<typeof read>>,
	name = "a",
): string =>
	["closed", "open", "unknown"][
		index.explain(`https://${name}.example/`).verdict
	] ?? "";

describe("the date of a record", () => {
	const early = { origin: "https://a.example", robots: opened };
	const dates: readonly (readonly [unknown, string])[] = [
		["2026-03-01", "closed"],
		["2026-03-01T23:59:59Z", "closed"],
		["2026-03-01 23:59:59.9", "closed"],
		["2026-03-02T01:59:59+02:00", "closed"],
		["2026-03-02T00:00:00Z", "open"],
		["2026-03-01T23:00:00-01:00", "open"],
		["20260301235959", "closed"],
		["20260301", "closed"],
		["20260302000000", "open"],
		["2026-02-01", "closed"],
		["2026-01-01", "open"],
		// The same time: the later record counts.
		["2026-01-31", "closed"],
	];
	test.each(dates)("%j: %s", async (date, expected) => {
		const found = await read(
			[
				linesFile([
					{ ...early, date: "2026-01-31" },
					{ origin: "https://a.example", robots: closed, date },
				]),
			],
			{ asOf },
		);
		expect([stateOf(found), found.faults]).toEqual([expected, []]);
	});

	test.each([
		undefined,
		null,
		"",
		"yesterday",
		"2026-02-30",
		"20260230",
		1_772_323_200,
	])("%j is none, which is said", async (date) => {
		const found = await read(
			[
				linesFile([
					{ ...early, date: "2026-01-31" },
					{ origin: "https://a.example", robots: closed, date },
				]),
			],
			{ asOf },
		);
		expect(stateOf(found)).toBe("open");
		expect(found.faults).toEqual([
			expect.stringMatching(/ndjson:2: no date, which --as-of needs$/),
		]);
	});
});

test("any order and splitting gives what the records in their order of time give", async () => {
	const names = ["a", "b", "c"];
	const capture = fc.record({
		origin: fc.constantFrom(...names).map((name) => `https://${name}.example`),
		day: fc.integer({ min: 0, max: 6 }),
		answer: fc.oneof(
			fc.constantFrom(
				{ robots: closed },
				{ robots: opened },
				{ status: 404 },
				{ status: 503 },
			),
			fc.constantFrom(...names).map((name) => ({
				status: 301,
				location: `https://${name}.example/robots.txt`,
			})),
		),
	});
	await fc.assert(
		fc.asyncProperty(
			fc.array(capture, { minLength: 1, maxLength: 24 }),
			fc.integer({ min: 1, max: 5 }),
			fc.integer({ min: 1, max: 4 }),
			async (captures, most, parts) => {
				const rows = captures.map(({ origin, day, answer }) => ({
					...{ origin, ...answer },
					date: new Date(asOf + (day - 3) * DAY).toISOString(),
				}));
				const limit = asOf + (most - 3) * DAY;
				const size = Math.ceil(rows.length / parts);
				const places = Array.from({ length: parts }, (_, i) =>
					linesFile(rows.slice(i * size, (i + 1) * size)),
				);
				const inTime = rows
					.filter(({ date }) => Date.parse(date) <= limit)
					.sort((a, b) => Date.parse(a.date) - Date.parse(b.date));
				const [found, expected] = [
					await read(places, { asOf: limit }),
					await read([linesFile(inTime)]),
				];
				const states = names.map((name) => stateOf(found, name));
				expect(states).toEqual(names.map((name) => stateOf(expected, name)));
				expect(found.index.size).toBe(expected.index.size);
				expect([found.followed, found.unanswered]).toEqual([
					expected.followed,
					expected.unanswered,
				]);
			},
		),
		{ numRuns: casesOf(60) },
	);
});

describe("WARC-Date", () => {
	const site = (
		date: string,
		body: string,
		url = "https://a.example/robots.txt",
	): Written => ({ url, body, date });
	const moved = (date: string, to: string): Written => ({
		url: "https://a.example/robots.txt",
		status: "HTTP/1.1 301 Moved Permanently",
		fields: { Location: to },
		date,
	});
	const elsewhere = "https://a.example/rules.txt";
	const all: readonly (readonly [string, readonly Written[], string])[] = [
		[
			"the newest counts, wherever it stands",
			[
				site("2026-03-01T23:59:59Z", closed),
				site("2026-02-01T00:00:00Z", opened),
			],
			"closed",
		],
		[
			"what is later does not",
			[
				site("2026-03-02T00:00:00Z", closed),
				site("2026-02-01T00:00:00Z", opened),
			],
			"open",
		],
		[
			"a redirect that is older does not",
			[
				site("2026-02-02T00:00:00Z", closed),
				moved("2026-02-01T00:00:00Z", "https://b.example/robots.txt"),
			],
			"closed",
		],
		[
			"the answer at a redirect's target is the newest in time",
			[
				moved("2026-02-01T00:00:00Z", elsewhere),
				site("2026-02-02T00:00:00Z", closed, elsewhere),
				site("2026-02-01T00:00:00Z", opened, elsewhere),
				site("2026-03-03T00:00:00Z", opened, elsewhere),
			],
			"closed",
		],
	];
	test.each(all)("%s", async (_, records, expected) => {
		const warc = file(`as-of-${files++}.warc.gz`, await warcOf(records));
		const found = await read([warc], { asOf });
		expect([stateOf(found), found.faults]).toEqual([expected, []]);
	});
});

describe("robotrie index --as-of", () => {
	const rows = [
		{ origin: "https://a.example", robots: closed, date: "2026-03-01" },
		{ origin: "https://a.example", robots: opened, date: "2026-02-01" },
		{ origin: "https://a.example", robots: opened, date: "2026-03-02" },
	];
	const index = (...args: string[]) => robotrie(["index", "-a", "x", ...args]);

	test.each([
		["one thread", ["--workers", "1"]],
		["two threads", ["--workers", "2"]],
		["shards", ["--shards", "4"]],
	] as const)("%s", async (_, options) => {
		const out = join(folder, `as-of-${files++}`);
		const [newest, ...others] = rows;
		const b = { origin: "https://b.example", robots: closed };
		const places = [
			linesFile([newest as object]),
			linesFile([...others, { ...b, date: "2026-01-01" }]),
		];
		const made = await index(
			"--as-of",
			"2026-03-01",
			...options,
			"--summary",
			"--out",
			out,
			...places,
		);
		expect(made.stderr).toMatch(/2 origins.*; 1 later record skipped$/m);
		const { stdout } = await robotrie(["match", "--index", out], {
			stdin: "https://a.example/\nhttps://b.example/\n",
		});
		expect(String(stdout)).toBe(
			"disallowed\thttps://a.example/\ndisallowed\thttps://b.example/\n",
		);
	});

	test("a Parquet timestamp is a date", async () => {
		const buffer = parquetWriteBuffer({
			columnData: [
				{ name: "origin", data: rows.map(({ origin }) => origin) },
				{ name: "robots", data: rows.map(({ robots }) => robots) },
				{
					name: "date",
					type: "TIMESTAMP",
					data: rows.map(({ date }) => new Date(date)),
				},
			],
		});
		const place = file(`as-of-${files++}.parquet`, Buffer.from(buffer));
		const found = await read([place], { asOf });
		expect([stateOf(found), found.faults]).toEqual(["closed", []]);
	});

	const failures: readonly (readonly [
		string,
		readonly object[] | undefined,
		RegExp,
	])[] = [
		["2026-02-30", rows, /Expected a day such as 2026-03-01/],
		["March", rows, /Expected a day such as 2026-03-01/],
		[
			"2025-01-01",
			rows,
			/no robots.txt that was recorded in time: 3 records are later than --as-of; nothing was written/,
		],
	];
	test.each(failures)("%s fails", async (date, some, expected) => {
		const out = file(`as-of-${files++}.index`, "");
		const { code, stderr } = await index(
			"--as-of",
			date,
			"--out",
			out,
			linesFile(some ?? []),
		);
		expect(stderr).toMatch(expected);
		expect(code).toBe(2);
	});
});
