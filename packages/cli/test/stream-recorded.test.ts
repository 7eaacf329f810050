/** Frames `B` and `T`: recorded answers compiled for an engine that joins them, and the shards made of them. */

import {
	binary,
	tableFromArrays,
	tableFromIPC,
	tableToIPC,
	utf8,
} from "@uwdata/flechette";
import { describe, expect, test } from "vitest";
import { RobotsIndex } from "../../../src/index.ts";
import {
	answered,
	columnFrame,
	frame,
	framesOf,
} from "../../../test/frames.ts";

const AGENTS = ["ExampleBot"];
const ORIGIN = "https://h.example";
const head = (said: unknown) => {
	const text = Buffer.from(JSON.stringify(said));
	return Buffer.concat([Buffer.from(Uint32Array.of(text.length).buffer), text]);
};
const types = { programs: binary(), state: utf8() };
const arrow = (columns: Parameters<typeof tableFromArrays>[0]) =>
	tableToIPC(tableFromArrays(columns, { types }), {
		format: "stream",
	}) as Uint8Array;
const build = (columns: Parameters<typeof tableFromArrays>[0], more = {}) =>
	frame("B", head({ name: "x", shards: 3, first: 7, ...more }), arrow(columns));

async function rowsOf(input: Buffer) {
	const { replies } = await answered([input], AGENTS);
	const { type, payload } = framesOf(replies).at(-1) as {
		type: string;
		payload: Buffer;
	};
	if (type !== "B") return payload.toString();
	const end = 4 + payload.readUInt32LE();
	const table = tableFromIPC(new Uint8Array(payload.subarray(end)));
	const counts = JSON.parse(payload.toString("utf8", 4, end));
	return { counts, table: table.toArray() as Record<string, unknown>[] };
}

test("B says what each record means", async () => {
	const found = await rowsOf(
		build({
			origin: [ORIGIN, "http://H.example/x", "https://i.example", null],
			status: [200, 301, 302, 404],
			body: ["User-agent: *\nDisallow: /a", null, null, null],
			location: [null, `${ORIGIN}/robots.txt#x`, null, null],
		}),
	);
	if (typeof found === "string") throw new Error(found);
	const rows = found.table.map(({ programs, shard, ...row }) => ({
		...row,
		has: programs !== null,
	}));
	const some = { is_origin: true, time: null };
	expect(rows).toHaveLength(3);
	expect(rows).toEqual(
		expect.arrayContaining([
			{ ...some, key: ORIGIN, is_moved: false, target: null, has: true },
			{
				...some,
				key: "http://h.example",
				is_moved: true,
				target: ORIGIN,
				has: false,
			},
			{
				...some,
				key: "https://i.example",
				is_moved: true,
				target: null,
				has: false,
			},
		]),
	);
	expect(found.counts).toMatchObject({
		...{ used: 3, others: 0, later: 0 },
		faults: { count: 1, first: ['x: row 10: no "origin"'] },
	});
});

test("T makes a shard of them, C forgets it", async () => {
	const built = await rowsOf(
		build({ origin: [ORIGIN], body: ["User-agent: *\nDisallow: /a"] }),
	);
	if (typeof built === "string") throw new Error(built);
	const put = frame(
		"T",
		arrow({
			origin: [ORIGIN, "https://later.example", "https://open.example"],
			programs: [built.table[0]?.programs, null, null] as Uint8Array[],
			state: [null, "later", "allow-all"],
		}),
	);
	const urls = [
		`${ORIGIN}/a`,
		"https://later.example/",
		"https://open.example/",
	];
	const save = frame("S");
	const input = [put, save, frame("C"), save, columnFrame(urls)];
	const { replies } = await answered(input, AGENTS);
	const [made, empty, column] = framesOf(replies);
	const index = RobotsIndex.fromBytes(made?.payload as Uint8Array);
	expect([...index.matchMany(urls)]).toEqual([0, 4, 1]);
	expect(RobotsIndex.fromBytes(empty?.payload as Uint8Array).size).toBe(0);
	// What is made is not judged by.
	expect([...(column?.payload ?? [])]).toEqual([2, 2, 2]);
});

const cut = build({ origin: [ORIGIN], status: [404] });
const begins =
	'it begins with the length of a JSON object and that, which has "name", "shards" (from 1 to 4096) and may have "asOf" and "first"';
const wrong: readonly (readonly [string, Buffer, string | RegExp])[] = [
	["nothing", frame("B"), begins],
	["no length", frame("B", Buffer.from([9, 0, 0, 0])), begins],
	["no JSON", frame("B", Buffer.from([1, 0, 0, 0, 120])), begins],
	["no shards", frame("B", head({ name: "x" })), begins],
	["too many", frame("B", head({ name: "x", shards: 4097 })), begins],
	["no time", frame("B", head({ name: "x", shards: 1, asOf: "x" })), begins],
	[
		"no table",
		frame("B", head({ name: "x", shards: 1, first: 1 }), Buffer.from("x")),
		/its table cannot be read: /,
	],
	[
		"a table cut off",
		frame("B", cut.subarray(5, cut.length - 200)),
		/its table cannot be read: /,
	],
	[
		"a file that is an index",
		frame(
			"B",
			head({ name: "x", shards: 1 }),
			new RobotsIndex({ agent: "x" }).toBytes(),
		),
		/^frame 1 \(B\): x is an index that robotrie index wrote/,
	],
];
type Columns = Record<string, unknown[]>;
const wrongRows: readonly (readonly [string, Columns, string])[] = [
	["columns", { origin: ["https://a"] }, "its table has the columns"],
	[
		"no rules",
		{ origin: ["https://a"], programs: [null], state: ["x"] },
		"row 0 has neither programs nor a state",
	],
	...[[], [1], [9, 0, 0], [0, 0, 0], [3, 0, 0, 3, 0, 0]].map(
		(bytes): readonly [string, Columns, string] => [
			`${bytes}`,
			{
				origin: ["https://a"],
				programs: [Uint8Array.from(bytes)],
				state: [null],
			},
			"are not what a build gave for 1 crawlers",
		],
	),
];
describe("what is wrong with", () => {
	test.each(wrong)("B: %s", async (_, input, message) => {
		const found = String(await rowsOf(input));
		if (typeof message === "string")
			expect(found).toBe(`frame 1 (B): ${message}`);
		else expect(found).toMatch(message);
	});

	test.each(wrongRows)("T: %s", async (_, columns, message) => {
		const input = [frame("T", arrow(columns)), frame("S")];
		const { replies } = await answered(input, AGENTS);
		const last = framesOf(replies).at(-1);
		expect(last?.type).toBe("E");
		expect(String(last?.payload)).toContain(message);
	});
});
