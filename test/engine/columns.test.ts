import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { MAX_LINE } from "../../assembly/format/program.ts";
import {
	type ColumnOffsets,
	type ColumnOptions,
	type Matcher,
	RobotrieError,
	RobotsIndex,
	RobotsTxt,
	Verdict,
} from "../../src/index.ts";
import { casesOf } from "../cases.ts";
import { type ColumnRow, columnOf, layouts } from "../columns.ts";
import { dialects } from "../differential.ts";

const robots =
	"User-agent: *\nDisallow: /a\nAllow: /ab\nDisallow: /*z$\nDisallow: /\u00e9\nDisallow: /%0A\nDisallow: /\xff\n";
const site = "https://h.example";

type Judge = Matcher | RobotsIndex;

/** A matcher and an index of the same rules. */
const judges: readonly { what: string; judge: Judge }[] = dialects.flatMap(
	(dialect) => {
		const matcher = RobotsTxt.parse(robots, { dialect }).for("x");
		const index = new RobotsIndex({ agent: "x", dialect });
		for (const origin of [
			site,
			"http://h.example:8080",
			"https://m\u00fcnchen.example",
		])
			index.set(origin, matcher);
		return [
			{ what: `a matcher, ${dialect}`, judge: matcher },
			{ what: `an index, ${dialect}`, judge: index },
		];
	},
);

const long = "c".repeat(70 * 1024);

const cases: readonly (readonly [what: string, rows: readonly ColumnRow[]])[] =
	[
		["no rows", []],
		["an empty row", [""]],
		["empty rows between others", ["", "/a", "", "", "/b", ""]],
		["paths", ["/a", "/b", "/ab", "/xz", "/\u00e9", "/%C3%A9"]],
		[
			"URLs",
			[
				`${site}/a`,
				`${site}/b`,
				"https://other.example/",
				"http://h.example:8080/a",
			],
		],
		["no URLs", ["a", "example.com/a", ":", "http:/", " 1"]],
		[
			"LF within",
			["/b", "/b\n/a", "/a", `${site}/\n/z`, "/b", "\n", "\n/a", "/a\n"],
		],
		[
			"CR within and at the end",
			["/b", "/\rz", "/z\r", "/z", "/z\r\n", "\r", "/a"],
		],
		["CR at the end, and no LF anywhere", ["/b", "/z\r", "/a"]],
		[
			"NUL and other control characters",
			["/\0z", "/a\0", "\0/a", "/\tz", "/b\t", "\v", "/b\x0c/z"],
		],
		["escapes and fragments", ["/%61", "/b#/a", "#/a", "/%", "/%2", "/z#"]],
		["nulls", [null, "/a", null, null, "/b", null]],
		["only nulls", [null, null, null]],
		["70 KiB", ["/a", `/${long}`, `${site}/${long}z`, "/b", `/a${long}`]],
		[
			"64 KiB and a little less or more",
			[0, 1, 2, 3, 4, 5].map((more) => `/${"c".repeat(65_536 - 5 + more)}z`),
		],
		[
			"longer than lines are judged at once",
			[`/${long}${long}z`, "/a", `${site}/${long}${long}\nz`, null],
		],
		[
			"what is not UTF-8",
			[
				[0x2f, 0xff],
				[0x2f, 0xc3],
				[0x2f, 0xed, 0xa0, 0x80],
				[0x2f, 0x0a, 0xff, 0x7a],
			].map((bytes) => Uint8Array.from(bytes)),
		],
		[
			"origins that need a URL parser",
			[
				"https://H.example:443/a",
				"https://M\u00dcNCHEN.example/a",
				" https://h.example/b",
				"https:\\\\h.example/z",
				"https://h.exam\nple/z",
			],
		],
		[
			"20,000 rows",
			Array.from({ length: 20_000 }, (_, i) =>
				i % 3
					? `/${i % 97}z${i % 7 ? "" : "\n"}`
					: `${site}/a${"b".repeat(i % 150)}`,
			),
		],
	];

/** Row by row: a text as `matchMany` judges it; bytes, which are no line end's, as `matchLines` does. */
function oneByOne(judge: Judge, rows: readonly ColumnRow[]) {
	return rows.map((row) => {
		if (row === null) return Verdict.Invalid;
		if (typeof row === "string") return judge.matchMany([row])[0];
		return row.includes(10) ? undefined : judge.matchLines(row)[0];
	});
}

describe.each(judges)("$what", ({ judge }) => {
	test.each(cases)("%s", (_, rows) => {
		const wanted = oneByOne(judge, rows);
		for (const layout of layouts) {
			if (layout.bitOffset === undefined && rows.includes(null)) continue;
			const found = [...judge.matchColumn(...columnOf(rows, layout))];
			expect(
				found.map((verdict, i) =>
					wanted[i] === undefined ? undefined : verdict,
				),
				JSON.stringify(layout),
			).toEqual(wanted);
		}
	});

	test("any rows, in any layout, and any slice of them", () => {
		const text = fc
			.array(
				fc.constantFrom(
					..."/ab#%26z\u00e9\n\r\t\0",
					`${site}/`,
					"c".repeat(60),
					"c".repeat(8192),
				),
				{ maxLength: 12, size: "max" },
			)
			.map((all) => all.join(""));
		const row = fc.oneof({ weight: 8, arbitrary: text }, fc.constant(null));
		const rowLists = fc.array(row, { maxLength: 40, size: "max" });
		const layout = fc.record({
			wide: fc.boolean(),
			before: fc.nat(70),
			bitOffset: fc.nat(20),
		});
		fc.assert(
			fc.property(
				rowLists,
				layout,
				fc.nat(40),
				fc.nat(40),
				(rows, how, a, b) => {
					const wanted = oneByOne(judge, rows);
					const [offsets, bytes, options] = columnOf(rows, how);
					expect([...judge.matchColumn(offsets, bytes, options)]).toEqual(
						wanted,
					);
					const [from, to] = [
						Math.min(a, b, rows.length),
						Math.min(Math.max(a, b), rows.length),
					];
					const slice = judge.matchColumn(
						offsets.subarray(from, to + 1),
						bytes,
						{
							...options,
							bitOffset: how.bitOffset + from,
						},
					);
					expect([...slice]).toEqual(wanted.slice(from, to));
				},
			),
			{ numRuns: casesOf(100), seed: 9309 },
		);
	});
});

const [matcher, index] = judges.map(({ judge }) => judge) as [Judge, Judge];

describe.each([
	["a matcher", matcher],
	["an index", index],
] as const)("matchColumn of %s", (_, judge) => {
	const ask = (
		offsets: ColumnOffsets,
		bytes: Uint8Array,
		options?: ColumnOptions,
	) => judge.matchColumn(offsets, bytes, options) as Uint8Array;
	const urls = [`${site}/a`, `${site}/b`, "x"];
	const wanted = [Verdict.Disallowed, Verdict.Allowed, Verdict.Invalid];
	const [offsets, bytes] = columnOf(urls);

	test.each([3, 4, 100])("into an array of %i bytes", (size) => {
		const into = new Uint8Array(size).fill(9);
		const verdicts = ask(offsets, bytes, { into });
		expect([...verdicts]).toEqual(wanted);
		expect(verdicts.buffer).toBe(into.buffer);
		expect([...into]).toEqual([...wanted, ...Array(size - 3).fill(9)]);
	});

	test("into the column's own memory", () => {
		const [many, text] = columnOf(
			Array.from({ length: 60_000 }, (_, i) => urls[i % 3] ?? ""),
		);
		const own = new Uint8Array(text);
		// The first verdicts go where the last rows are.
		const into = own.subarray(own.length - 60_000);
		const found = ask(many, own, { into });
		expect([...found.subarray(0, 6)]).toEqual([...wanted, ...wanted]);
		expect(found.every((verdict, i) => verdict === wanted[i % 3])).toBe(true);
	});

	test("of shared memory", () => {
		const shared = new Uint8Array(new SharedArrayBuffer(bytes.length));
		shared.set(bytes);
		const words = new Int32Array(new SharedArrayBuffer(offsets.length * 4));
		words.set(offsets as Int32Array);
		expect([...ask(words, shared)]).toEqual(wanted);
		// That one is decoded, for the platform to read its origin.
		shared.set(new TextEncoder().encode("\n"), `${site}/`.length);
		const odd = ask(words.subarray(0, 2), shared);
		expect([...odd]).toEqual([...judge.matchMany([`${site}/\n`])]);
	});

	const wrong: readonly (readonly [
		string,
		ColumnOffsets,
		ColumnOptions | undefined,
		RegExp,
	])[] = [
		[
			"no offsets",
			new Int32Array(),
			{},
			/^offsets has .* not "an empty array"/,
		],
		[
			"falling",
			Int32Array.of(0, 5, 4),
			{},
			/^offsets\[2\] is from 5, that of the row before, to \d+, the number of bytes, not 4$/,
		],
		[
			"falling before the last",
			Int32Array.of(0, 5, 4, 6),
			{},
			/^offsets\[2\] is from 5, .* not 4$/,
		],
		[
			"far beyond the bytes before the last",
			Int32Array.of(0, 2 ** 31 - 1, 6),
			{},
			/^offsets\[1\] is from 0, .* not 2147483647$/,
		],
		[
			"64 bits, far beyond the bytes before the last",
			BigInt64Array.of(0n, 2n ** 40n, 6n),
			{},
			/^offsets\[1\] is from 0, .* not 1099511627776$/,
		],
		[
			"negative",
			Int32Array.of(-1, 5),
			{},
			/^offsets\[0\] is from 0 to \d+, the number of bytes, not -1$/,
		],
		[
			"beyond the bytes",
			Int32Array.of(0, bytes.length + 1),
			{},
			new RegExp(
				`^offsets\\[1\\] is .*to ${bytes.length}, the number of bytes, not ${bytes.length + 1}$`,
			),
		],
		[
			"beyond the bytes, alone",
			Int32Array.of(bytes.length + 1),
			{},
			/^offsets\[0\]/,
		],
		[
			"64 bits, falling",
			BigInt64Array.of(0n, 5n, 4n),
			{},
			/^offsets\[2\] .*not 4$/,
		],
		["64 bits, negative", BigInt64Array.of(-1n), {}, /^offsets\[0\] .*not -1$/],
		[
			"64 bits, that end as a good one does",
			BigInt64Array.of(0n, 2n ** 32n + 1n),
			{},
			/^offsets\[1\] .*not 4294967297$/,
		],
		[
			"no safe integer",
			BigInt64Array.of(0n, 2n ** 63n - 1n),
			{},
			/^offsets\[1\] .*not 9223372036854775807$/,
		],
		[
			"validity that is too short",
			Int32Array.from({ length: 10 }),
			{ validity: new Uint8Array(1) },
			/^validity has 9 bits for 9 rows from bit 0 on, not 8$/,
		],
		[
			"validity that bitOffset makes too short",
			Int32Array.from({ length: 8 }),
			{ validity: new Uint8Array(1), bitOffset: 2 },
			/^validity has 9 bits for 7 rows from bit 2 on, not 8$/,
		],
		[
			"into that is too short",
			Int32Array.from({ length: 4 }),
			{ into: new Uint8Array(2) },
			/^3 verdicts do not fit into 2 bytes$/,
		],
	];
	test.each(wrong)("wrong: %s", (_, wrongOffsets, options, message) => {
		const into = new Uint8Array(2).fill(9);
		let error: unknown;
		try {
			ask(wrongOffsets, bytes, options?.into ? { ...options, into } : options);
		} catch (thrown) {
			error = thrown;
		}
		expect(error).toBeInstanceOf(RobotrieError);
		expect((error as RobotrieError).code).toBe("invalid-argument");
		expect((error as RobotrieError).message).toMatch(message);
		expect([...into]).toEqual([9, 9]);
		expect([...ask(offsets, bytes)]).toEqual(wanted);
	});

	test("a row that is longer than a URL may be", () => {
		const many = new Uint8Array(MAX_LINE + 2);
		many[0] = 0x2f;
		const ends = Int32Array.of(0, 1, MAX_LINE + 2);
		expect(() => ask(ends, many)).toThrow(
			`a URL of ${MAX_LINE + 1} bytes is longer than the limit of ${MAX_LINE}`,
		);
		expect([...ask(ends, many, { validity: Uint8Array.of(1) })].at(1)).toBe(
			Verdict.Invalid,
		);
	});
});

describe("Linear memory", () => {
	test("does not grow with the number of rows", async () => {
		const { linear } = await import("../../src/engine/workspace.ts");
		const rows = Array.from({ length: 5000 }, (_, i) => `/a${i}`);
		const [offsets, bytes] = columnOf(rows);
		matcher.matchColumn(offsets, bytes);
		const size = linear.bytes().length;
		const [more, moreBytes] = columnOf(
			Array.from({ length: 100 }, () => rows).flat(),
		);
		matcher.matchColumn(more, moreBytes);
		expect(linear.bytes().length).toBe(size);
	});
});
