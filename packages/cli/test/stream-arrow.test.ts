import { writeFileSync } from "node:fs";
import zlib from "node:zlib";
import * as flechette from "@uwdata/flechette";
import {
	Binary,
	Bool,
	type DataType,
	Dictionary,
	Float64,
	Int32,
	Int64,
	LargeBinary,
	LargeUtf8,
	List,
	makeData,
	makeVector,
	Table,
	TimestampMicrosecond,
	tableFromIPC,
	tableToIPC,
	Utf8,
	type Vector,
	vectorFromArray,
} from "apache-arrow";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { RobotsIndex, Verdict } from "../../../src/index.ts";
import { casesOf } from "../../../test/cases.ts";
import { readIndex } from "../../sites/src/shards/index-file.ts";
import { answerArrow } from "../src/stream/arrow.ts";
import { LONGEST_URL } from "../src/stream/frames.ts";
import { ByteReader, sourceOf } from "../src/stream/input.ts";
import { StreamRules } from "../src/stream/rules.ts";
import { file, robotrie } from "./run.ts";

const ORIGIN = "https://h.example";
const index = new RobotsIndex({ agent: "ExampleBot" });
const other = new RobotsIndex({ agent: "Other" });
for (const one of [index, other])
	one.set(
		ORIGIN,
		"User-agent: *\nDisallow: /a\n\nUser-agent: Other\nDisallow: /b\n",
	);
const copyOf = (one: RobotsIndex) => RobotsIndex.fromBytes(one.toBytes());

type Text = string | null;
const texts: readonly Text[] = [
	`${ORIGIN}/a`,
	null,
	`${ORIGIN}/b`,
	"https://other.example/",
	"",
	"no URL",
	`${ORIGIN}/\u00e9/${"long".repeat(9)}`,
];

/** A verdict for each text; a null for a null. */
function wanted(list: readonly Text[], by = index): (number | null)[] {
	const verdicts = by.matchMany(list.map((text) => text ?? ""));
	return list.map((text, i) =>
		text === null ? null : (verdicts[i] as number),
	);
}

interface Settings {
	readonly column?: string;
	readonly verdict?: string;
	readonly indexes?: readonly RobotsIndex[];
	readonly chunk?: number;
}

/** What goes out for a stream that comes in chunks, until the error that ends it. */
async function answered(
	bytes: Uint8Array,
	{ column, verdict = "verdict", indexes = [index], chunk }: Settings = {},
): Promise<{ out: Uint8Array; error: string | undefined }> {
	const rules = new StreamRules([]);
	for (const one of indexes) rules.take(copyOf(one), true);
	const out: Uint8Array[] = [];
	const size = chunk ?? (bytes.length || 1);
	async function* chunks() {
		for (let at = 0; at < bytes.length; at += size)
			yield bytes.slice(at, at + size);
	}
	let error: string | undefined;
	const write = async (part: Uint8Array) => {
		out.push(part.slice());
	};
	const reload = async (path: string) => rules.take(await readIndex(path));
	try {
		const input = new ByteReader(sourceOf(chunks()));
		await answerArrow(input, { rules, column, verdict, write, reload });
	} catch (failed) {
		error = String(failed);
	}
	return { out: new Uint8Array(Buffer.concat(out)), error };
}

/** A stream of batches, each of columns. */
function streamOf(...batches: Record<string, Vector>[]): Uint8Array {
	const [first, ...others] = batches.map((columns) => new Table(columns));
	return tableToIPC((first as Table).concat(...others), "stream");
}

function column(bytes: Uint8Array, name: string): unknown[] {
	return [...(tableFromIPC(bytes).getChild(name) ?? [])];
}

const encoder = new TextEncoder();
const asBytes = (list: readonly Text[]) =>
	list.map((text) => (text === null ? null : encoder.encode(text)));

/** A column of texts in each way that Arrow has for it. */
const ways: Readonly<Record<string, (list: readonly Text[]) => Uint8Array>> = {
	utf8: (list) => streamOf({ url: vectorFromArray(list, new Utf8()) }),
	"large utf8": (list) =>
		streamOf({ url: vectorFromArray(list, new LargeUtf8()) }),
	binary: (list) =>
		streamOf({ url: vectorFromArray(asBytes(list), new Binary()) }),
	"large binary": (list) =>
		streamOf({ url: vectorFromArray(asBytes(list), new LargeBinary()) }),
	"utf8 view": (list) => viewStream(list, flechette.utf8View()),
	"binary view": (list) => viewStream(list, flechette.binaryView()),
	dictionary: (list) =>
		streamOf({
			url: vectorFromArray(list, new Dictionary(new Utf8(), new Int32())),
		}),
	"several batches": (list) =>
		streamOf(
			...[list.slice(0, 3), list.slice(3)].map((part) => ({
				url: vectorFromArray(part, new Utf8()),
			})),
		),
};

/** A stream of one column of views: texts of up to 12 bytes stand in them, others in one of two buffers. */
function viewStream(list: readonly Text[], type: flechette.DataType) {
	const views = Buffer.alloc(16 * list.length);
	const validity = new Uint8Array((list.length + 7) >> 3);
	const data: Buffer[] = [Buffer.alloc(0), Buffer.alloc(0)];
	for (const [row, text] of list.entries()) {
		if (text === null) {
			// What stands in a null means nothing.
			views.fill(0xee, 16 * row, 16 * row + 16);
			continue;
		}
		validity[row >> 3] = (validity[row >> 3] ?? 0) | (1 << (row & 7));
		const bytes = Buffer.from(text);
		const at = 16 * row;
		views.writeInt32LE(bytes.length, at);
		bytes.copy(views, at + 4, 0, 12);
		if (bytes.length <= 12) continue;
		const buffer = row % 2;
		views.writeInt32LE(buffer, at + 8);
		views.writeInt32LE(data[buffer]?.length ?? 0, at + 12);
		data[buffer] = Buffer.concat([data[buffer] ?? bytes, bytes]);
	}
	return viewsToStream(type, list.length, views, data, {
		validity,
		nullCount: list.filter((text) => text === null).length,
	});
}

function viewsToStream(
	type: flechette.DataType,
	length: number,
	values: Uint8Array,
	data: readonly Uint8Array[],
	nulls = { validity: new Uint8Array(), nullCount: 0 },
): Uint8Array {
	const batch = new flechette.Batch({ length, type, values, ...nulls });
	const fields = [flechette.field("url", type)];
	const columns = [
		new flechette.Column([Object.assign(batch, { data })], type),
	];
	const table = new flechette.Table({ fields }, columns);
	return flechette.tableToIPC(table, { format: "stream" }) as Uint8Array;
}

/** Columns of a stream as flechette reads them, which knows views. */
function flechetteColumn(bytes: Uint8Array, name: string): unknown[] {
	return [...flechette.tableFromIPC(bytes).getChild(name)];
}

describe.each(Object.entries(ways))("A column of %s", (_, stream) => {
	test.each([undefined, 1, 7])("in chunks of %s bytes", async (chunk) => {
		const bytes = stream(texts);
		const { out, error } = await answered(bytes, {
			...(chunk !== undefined && { chunk }),
		});
		expect(error).toBeUndefined();
		expect(flechetteColumn(out, "verdict")).toEqual(wanted(texts));
		expect(flechetteColumn(out, "url")).toEqual(flechetteColumn(bytes, "url"));
	});

	test("any texts", () =>
		fc.assert(
			fc.asyncProperty(
				fc.array(
					fc.option(
						fc.oneof(fc.constantFrom(...texts), fc.webUrl(), fc.string()),
					),
					{ minLength: 1, maxLength: 40 },
				),
				async (list) => {
					const { out } = await answered(stream(list));
					expect(flechetteColumn(out, "verdict")).toEqual(wanted(list));
				},
			),
			{ numRuns: casesOf(30) },
		));
});

test("other columns, metadata and the batches' sizes stay as they are", async () => {
	const many = (offset: number) => ({
		id: vectorFromArray([1n + BigInt(offset), null, 3n], new Int64()),
		url: vectorFromArray([texts[0], null, texts[2]], new Utf8()),
		price: vectorFromArray([1.5, -0, null], new Float64()),
		isNew: vectorFromArray([true, null, false], new Bool()),
		tags: vectorFromArray(
			[["a"], [], null],
			new List(flechetteField("item", new Utf8())),
		),
		from: vectorFromArray(
			["x", "y", "x"],
			new Dictionary(new Utf8(), new Int32(), 7),
		),
		at: vectorFromArray([1, 2, null], new TimestampMicrosecond()),
	});
	const bytes = streamOf(many(0), many(10));
	const { out, error } = await answered(bytes);
	expect(error).toBeUndefined();
	const [before, after] = [tableFromIPC(bytes), tableFromIPC(out)];
	expect(after.batches.map(({ numRows }) => numRows)).toEqual([3, 3]);
	expect(after.schema.fields.map(String)).toEqual([
		...before.schema.fields.map(String),
		"verdict: Uint8",
	]);
	for (const { name } of before.schema.fields)
		expect(JSON.stringify(column(out, name), big)).toBe(
			JSON.stringify(column(bytes, name), big),
		);
	expect([...after.schema.metadata]).toEqual([
		["robotrie.version", "1"],
		["robotrie.dialect", "rfc9309"],
		["robotrie.agents", '["ExampleBot"]'],
	]);
	expect(column(out, "verdict")).toEqual([0, null, 1, 0, null, 1]);
});

function big(_: string, value: unknown): unknown {
	return typeof value === "bigint" ? `${value}n` : value;
}

function flechetteField(name: string, type: DataType) {
	return new Table({ [name]: vectorFromArray(["a"], type) }).schema
		.fields[0] as never;
}

test("a dictionary goes out once, until it changes", async () => {
	const type = new Dictionary(new Utf8(), new Int32(), 3);
	const part = (list: readonly Text[]) => ({
		url: vectorFromArray(list, type),
	});
	const [first, second] = [
		[texts[0] as Text, texts[2] as Text],
		["no URL", `${ORIGIN}/a/2`],
	];
	const same = part(first);
	const bytes = streamOf(same, same, part(second));
	const { out, error } = await answered(bytes);
	expect(error).toBeUndefined();
	expect(column(out, "verdict")).toEqual([
		...wanted(first),
		...wanted(first),
		...wanted(second),
	]);
	expect(column(out, "url")).toEqual([...first, ...first, ...second]);
	const dictionaries = (stream: Uint8Array) =>
		Buffer.from(stream).toString("latin1").split("/bhttps").length;
	expect(dictionaries(out)).toBe(dictionaries(bytes));
});

test("several crawlers have a column each", async () => {
	const bytes = streamOf({ url: vectorFromArray([...texts], new Utf8()) });
	const { out } = await answered(bytes, {
		indexes: [index, other],
		verdict: "may",
	});
	expect(column(out, "may_ExampleBot")).toEqual(wanted(texts));
	expect(column(out, "may_Other")).toEqual(wanted(texts, other));
	expect(wanted(texts)).not.toEqual(wanted(texts, other));
});

const utf8 = () => vectorFromArray(["/"], new Utf8());
const number = () => vectorFromArray([1], new Int32());

test.each([
	[{ url: utf8(), x: utf8() }, undefined, "url"],
	[{ page: utf8(), n: number() }, undefined, "page"],
	[{ url: utf8(), link: utf8() }, "link", "link"],
] as const)("the column of URLs: %#", async (columns, given, judged) => {
	const at = vectorFromArray([`${ORIGIN}/a`], new Utf8());
	const bytes = streamOf({ ...columns, [judged]: at });
	const { out } = await answered(bytes, {
		...(given !== undefined && { column: given }),
	});
	expect(column(out, "verdict")).toEqual([Verdict.Disallowed]);
});

test("streams without rows, without batches, and one after the other", async () => {
	const empty = streamOf({ url: vectorFromArray([] as string[], new Utf8()) });
	const full = streamOf({ url: utf8() });
	expect((await answered(new Uint8Array())).out).toHaveLength(0);
	const { out, error } = await answered(Buffer.concat([empty, full]));
	expect(error).toBeUndefined();
	const first = (await answered(empty)).out;
	expect(tableFromIPC(first).schema.fields.map(String)).toEqual([
		"url: Utf8",
		"verdict: Uint8",
	]);
	expect(out.subarray(0, first.length)).toEqual(first);
	expect(column(out.subarray(first.length), "verdict")).toEqual([3]);
});

test("a schema that names an index has it judge from then on", async () => {
	const later = new RobotsIndex({ agent: "ExampleBot" });
	later.set(ORIGIN, "User-agent: *\nDisallow: /b\n");
	const naming = (path: string) => {
		const table = new Table({
			url: vectorFromArray([`${ORIGIN}/a`, `${ORIGIN}/b`], new Utf8()),
		});
		if (path !== "") table.schema.metadata.set("robotrie.index", path);
		return tableToIPC(table, "stream");
	};
	const path = file("later.index", later.toBytes());
	const sizes = [naming(""), naming(path), naming("")];
	const { out, error } = await answered(Buffer.concat(sizes));
	expect(error).toBeUndefined();
	const end = Buffer.of(255, 255, 255, 255, 0, 0, 0, 0);
	const tables = [];
	for (let at = 0; at < out.length; ) {
		const next = Buffer.from(out).indexOf(end, at) + end.length;
		tables.push(column(out.subarray(at, next), "verdict"));
		at = next;
	}
	expect(tables).toEqual([
		[0, 1],
		[1, 0],
		[1, 0],
	]);
	expect((await answered(naming("nothing"))).error).toMatch(
		/message 1: cannot read the index nothing: no such file or directory/,
	);
});

test("a site that cannot be had is later, not forbidden", async () => {
	const failing = new RobotsIndex({ agent: "ExampleBot" });
	failing.set(ORIGIN, "later");
	failing.set("https://closed.example", "disallow-all");
	const list = [`${ORIGIN}/a`, "https://closed.example/a", "https://x.example"];
	const table = new Table({ url: vectorFromArray(list, new Utf8()) });
	table.schema.metadata.set(
		"robotrie.index",
		file("failing.index", failing.toBytes()),
	);
	const { out } = await answered(Buffer.from(tableToIPC(table, "stream")));
	expect(column(out, "verdict")).toEqual([4, 0, 2]);
});

test("a text that is too long for a URL is invalid, and shifts nothing", async () => {
	const long = "x".repeat(LONGEST_URL + 1);
	const list = [`${ORIGIN}/a`, null, long, `${ORIGIN}/b`];
	const bytes = streamOf({ url: vectorFromArray(list, new Utf8()) });
	const { out } = await answered(bytes);
	expect(column(out, "verdict")).toEqual([0, null, 3, 1]);
});

test("more views of one text than memory could hold end to end", async () => {
	const text = encoder.encode(`${ORIGIN}/b/${"x".repeat(60_000)}`);
	const rows = 20_000;
	const views = new Int32Array(rows * 4);
	for (let row = 0; row < rows; row++)
		views.set([text.length, text[0] ?? 0, 0, 0], row * 4);
	const { out, error } = await answered(
		viewsToStream(flechette.utf8View(), rows, new Uint8Array(views.buffer), [
			text,
		]),
	);
	expect(error).toBeUndefined();
	expect(new Set(flechetteColumn(out, "verdict"))).toEqual(new Set([1]));
});

describe("Compression", () => {
	const codec = {
		encode: (bytes: Uint8Array) =>
			(
				zlib as unknown as { zstdCompressSync: (b: Uint8Array) => Uint8Array }
			).zstdCompressSync(bytes),
		decode: (bytes: Uint8Array) => bytes,
	};
	const has = "zstdCompressSync" in zlib;
	const table = flechette.tableFromColumns({
		url: flechette.columnFromArray(Array(100).fill(`${ORIGIN}/a`)),
	});

	test.runIf(has)("zstd is read", async () => {
		flechette.setCompressionCodec(flechette.CompressionType.ZSTD, codec);
		const bytes = flechette.tableToIPC(table, {
			format: "stream",
			codec: flechette.CompressionType.ZSTD,
		}) as Uint8Array;
		const { out } = await answered(bytes);
		expect(column(out, "verdict")).toEqual(Array(100).fill(0));
	});

	test("lz4 is named", async () => {
		const lz4 = flechette.CompressionType.LZ4_FRAME;
		const keep = (bytes: Uint8Array) => bytes.subarray(0, bytes.length - 1);
		flechette.setCompressionCodec(lz4, { encode: keep, decode: keep });
		const bytes = flechette.tableToIPC(table, {
			format: "stream",
			codec: lz4,
		}) as Uint8Array;
		expect((await answered(bytes)).error).toMatch(
			/LZ4_FRAME, which is not read: write it with zstd or uncompressed/,
		);
	});
});

const good = streamOf({ url: vectorFromArray([...texts], new Utf8()) });
const damaged: readonly (readonly [string, Uint8Array, Settings, RegExp])[] = [
	["text", encoder.encode("https://e.com/\n"), {}, /not Arrow's IPC streaming/],
	[
		"an Arrow file",
		encoder.encode("ARROW1\0\0........"),
		{},
		/file format; send the streaming format/,
	],
	["a few bytes", Uint8Array.of(255, 255), {}, /input ends after 2 of 8 bytes/],
	["half a stream", good.subarray(0, good.length >> 1), {}, /input ends after/],
	[
		"no schema",
		good.subarray(
			8 + new DataView(good.buffer, good.byteOffset).getInt32(4, true),
		),
		{},
		/a stream begins with a schema/,
	],
	[
		"no texts",
		streamOf({ url: number() }),
		{},
		/the column "url" does not hold texts/,
	],
	[
		"several columns of texts",
		streamOf({ a: utf8(), b: utf8() }),
		{},
		/no column "url"; name the one of URLs by --column: "a", "b"/,
	],
	["a column that is not there", good, { column: "x" }, /no column "x"/],
	[
		"a column called verdict",
		streamOf({ url: utf8(), verdict: number() }),
		{},
		/column "verdict" already; name the one of verdicts by --verdict/,
	],
];
test.each(damaged)("%s: an error", async (_, bytes, settings, message) => {
	expect((await answered(bytes, settings)).error).toMatch(message);
});

test("offsets that fall are an error of their message", async () => {
	const data = makeData({
		type: new Utf8(),
		valueOffsets: Int32Array.of(0, 5, 2),
		data: encoder.encode("/aaaa"),
		length: 2,
		nullCount: 0,
	});
	const bytes = streamOf({ url: makeVector(data) });
	const { error, out } = await answered(bytes);
	expect(error).toMatch(/message 2: .*offset/);
	expect(tableFromIPC(out).numRows).toBe(0);
});

test("a key beyond its dictionary is an error", async () => {
	const type = new Dictionary(new Utf8(), new Int32(), 1);
	const vector = makeVector(
		makeData({
			type,
			dictionary: vectorFromArray(["/a"], new Utf8()),
			data: Int32Array.of(0, 4),
			length: 2,
			nullCount: 0,
		}),
	);
	expect((await answered(streamOf({ url: vector }))).error).toMatch(
		/row 1 has the key 4, and the dictionary 1 texts/,
	);
});

/**
 * Bytes of the first record batch's body, after its metadata. Of what is changed in metadata flechette makes lists as long as the changed
 * numbers say, up to all memory: a stream comes from a program that one trusts (docs/stream.md).
 */
function bodyOf(bytes: Uint8Array): readonly [from: number, to: number] {
	const data = new DataView(bytes.buffer, bytes.byteOffset);
	const schema = 8 + data.getInt32(4, true);
	return [schema + 8 + data.getInt32(schema + 4, true), bytes.length - 8];
}

test("bytes of a body changed anywhere: verdicts, or one sentence", () =>
	fc.assert(
		fc.asyncProperty(
			fc.constantFrom("utf8", "large utf8", "utf8 view", "binary view"),
			fc.array(fc.tuple(fc.nat(), fc.nat(255)), { minLength: 1, maxLength: 4 }),
			async (way, changes) => {
				const bytes = new Uint8Array(ways[way]?.(texts) ?? []);
				const [from, to] = bodyOf(bytes);
				for (const [at, byte] of changes)
					bytes[from + (at % (to - from))] = byte;
				const { out, error } = await answered(bytes);
				if (error === undefined)
					expect(flechetteColumn(out, "verdict")).toHaveLength(texts.length);
				else expect(error).toMatch(/^Failure: message 2: [^\n]+$/);
			},
		),
		{ numRuns: casesOf(300) },
	));

describe("The command", () => {
	const path = file("arrow.index", "");
	writeFileSync(path, index.toBytes());

	test("judges stdin", async () => {
		const result = await robotrie(["stream", "--arrow", "-i", path], {
			stdin: good,
		});
		expect(result).toMatchObject({ code: 0, stderr: "" });
		expect(column(Buffer.from(result.stdout), "verdict")).toEqual(
			wanted(texts),
		);
	});

	test("names the column and the file that is not Arrow", async () => {
		const args = ["stream", "--arrow", "-i", path];
		const result = await robotrie([...args, "--column", "x"], { stdin: good });
		expect(result.code).toBe(2);
		expect(result.stderr).toMatch(
			/^robotrie: message 1: there is no column "x"/,
		);
	});
});
