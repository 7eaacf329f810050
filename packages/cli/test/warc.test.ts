import { randomBytes } from "node:crypto";
import { brotliCompressSync, gzipSync } from "node:zlib";
import { describe, expect, test, vi } from "vitest";
import { file, robotrie } from "./run.ts";
import { type Read, read, recordOf, type Written, warcOf } from "./sites.ts";

const closed = "User-agent: *\nDisallow: /\n";
const site = (name: string, body: string | Uint8Array = closed): Written => ({
	url: `https://${name}.example/robots.txt`,
	body,
});
const plain = (record: Buffer) => record;
const three = [site("a"), site("b"), site("c")];

/** Which of the sites are open, closed, or not there. */
function states({ index }: Read, names: string): string {
	const shown = ["-", "+", "?", "invalid", "~"];
	return [...names]
		.map((name) => shown[index.explain(`https://${name}.example/`).verdict])
		.join("");
}

let files = 0;
const readBytes = (bytes: Uint8Array) => read([file(`${files++}.warc`, bytes)]);

describe("a WARC file", () => {
	const all: readonly Written[] = [
		{ url: "", type: "warcinfo", body: "software: x\r\n" },
		{ url: "https://a.example/robots.txt", type: "request", fields: {} },
		site("a"),
		{ url: "https://a.example/", body: "<html>" },
		{ url: "https://a.example/robots.txt?a", body: "<html>" },
		site("b", "User-agent: y\nDisallow: /\n"),
		{ url: "https://a.example/robots.txt", type: "metadata", body: "a: b" },
	];
	test.each([
		["gzip, a member each", () => warcOf(all)],
		["gzip as a whole", async () => gzipSync(await warcOf(all, plain))],
		["plain", () => warcOf(all, plain)],
	])("%s", async (_, make) => {
		const found = await readBytes(await make());
		expect([states(found, "abc"), found.faults, found.others]).toEqual([
			"-+?",
			[],
			5,
		]);
	});
});

const text = "User-agent: *\nDisallow: /\n";
const chunked = { "Transfer-Encoding": "chunked" };
const gzipped = { "Content-Encoding": "gzip" };
const br = { "Content-Encoding": "br" };
const opened = "User-agent: *\nAllow: /\n";
/** A zstd frame with one raw block (RFC 8878 §3.1.1). */
const zstdOf = (content: string) =>
	Buffer.concat([
		Buffer.from([0x28, 0xb5, 0x2f, 0xfd, 0x20, content.length]),
		Buffer.from([(content.length << 3) | 1, 0, 0]),
		Buffer.from(content),
	]);
const brokenOff = { fields: gzipped, body: gzipSync(text).subarray(0, 12) };
const chunks: readonly (readonly [string, string, string])[] = [
	["wrong chunks", "5\r\nUser-\r\nzz\r\n", "~"],
	["a trailer field", `18\r\n${opened}\r\n0\r\nX-T: 1\r\n\r\n`, "+"],
	["a chunk extension", `18;${"x".repeat(99)}\r\n${opened}\r\n0\r\n\r\n`, "+"],
	["blanks behind a size", `18  \r\n${opened}\r\n0\r\n\r\n`, "+"],
	["bytes behind the last chunk", `18\r\n${opened}\r\n0\r\n\r\nx`, "+"],
	["no end behind the last chunk", `18\r\n${opened}\r\n0\r\n`, "~"],
	["no last chunk", `18\r\n${opened}\r\n`, "~"],
	["a first chunk that breaks off", `99\r\n${opened}`, "~"],
	["a size without its chunk", "18", "~"],
	["no chunk but the last", "0\r\n\r\n", "+"],
];
const answers: readonly (readonly [string, Omit<Written, "url">, string])[] = [
	["200", { body: text }, "-"],
	["404", { status: "HTTP/1.1 404 Not Found", body: text }, "+"],
	["503", { status: "HTTP/1.1 503 Service Unavailable" }, "~"],
	["429 without a reason", { status: "HTTP/1.1 429" }, "~"],
	["HTTP/2", { status: "HTTP/2 200", body: text }, "-"],
	["no HTTP", { status: "SSH-2.0", body: text }, "?"],
	["a redirect to nowhere", { status: "HTTP/1.1 301 Moved" }, "+"],
	["chunks", { fields: chunked, body: `1a\r\n${text}\r\n0\r\n\r\n` }, "-"],
	["chunks that are none any more", { fields: chunked, body: text }, "-"],
	...chunks.map(
		([name, body, state]) => [name, { fields: chunked, body }, state] as const,
	),
	["503 that breaks off", { status: "HTTP/1.1 503", ...brokenOff }, "~"],
	["404 that breaks off", { status: "HTTP/1.1 404", ...brokenOff }, "+"],
	[
		"shorter than its Content-Length",
		{ fields: { "Content-Length": "999" }, body: opened },
		"~",
	],
	[
		"truncated and shorter than its Content-Length",
		{
			fields: { "Content-Length": "999" },
			body: opened,
			warcFields: { "WARC-Truncated": "length" },
		},
		"+",
	],
	[
		"longer than its Content-Length, which was of the coded body",
		{ fields: { "Content-Length": "5" }, body: text },
		"-",
	],
	[
		"shorter than its Content-Length, which was of the coded body",
		{ fields: { ...gzipped, "Content-Length": "99" }, body: opened },
		"+",
	],
	["br that is none any more", { fields: br, body: opened }, "+"],
	["br", { fields: br, body: brotliCompressSync(opened) }, "+"],
	[
		"br that breaks off",
		{ fields: br, body: brotliCompressSync(opened).subarray(0, 12) },
		"~",
	],
	["zstd", { fields: { "Content-Encoding": "zstd" }, body: zstdOf(text) }, "-"],
	[
		"zstd that breaks off",
		{
			fields: { "Content-Encoding": "zstd" },
			body: zstdOf(opened).subarray(0, 12),
		},
		"~",
	],
	["gzip", { fields: gzipped, body: gzipSync(text) }, "-"],
	["gzip that is none any more", { fields: gzipped, body: text }, "-"],
	[
		"gzip that breaks off",
		{ fields: gzipped, body: gzipSync("").subarray(0, 12) },
		"~",
	],
	["a revisit", { type: "revisit", body: "" }, "?"],
	[
		"truncated",
		{ body: text, warcFields: { "WARC-Truncated": "length" } },
		"-",
	],
];
test.each(answers)("an answer: %s", async (_, answer, state) => {
	const record = { url: "https://a.example/robots.txt", ...answer };
	const found = await readBytes(await warcOf([record]));
	expect(states(found, "a")).toBe(state);
	expect(found.faults.length).toBe(state === "?" ? 1 : 0);
});

test("index --summary counts damaged bodies by kind", async () => {
	const damaged: readonly Omit<Written, "url">[] = [
		brokenOff,
		brokenOff,
		{ fields: chunked, body: "99\r\nUser" },
		{ fields: chunked, body: "5\r\nUser-\r\nzz\r\n" },
		{ fields: { "Content-Length": "9" }, body: "User" },
		{ body: text },
	];
	const records = damaged.map((answer, i) => ({
		url: `https://${"abcdef"[i]}.example/robots.txt`,
		...answer,
	}));
	const place = file("damaged.warc.gz", await warcOf(records));
	const out = file("damaged.index", "");
	for (const workers of ["1", "2"]) {
		const { stderr, code } = await robotrie([
			"index",
			"-a",
			"x",
			"--summary",
			"--workers",
			workers,
			"-o",
			out,
			place,
		]);
		expect([code, stderr]).toEqual([
			0,
			expect.stringContaining(
				"; 5 damaged bodies (2 gzip that breaks off, 1 shorter than its Content-Length, 1 without its last chunk, 1 wrong chunks), whose sites count as unreachable\n",
			),
		]);
	}
});

test("a header with bare line feeds", async () => {
	const record = String(await recordOf(site("a")));
	const [head = "", http = "", ...rest] = record.split("\r\n\r\n");
	const bare = `${http.replaceAll("\r\n", "\n")}\n\n${rest.join("\r\n\r\n")}`;
	const length = Buffer.byteLength(bare) - 4;
	const bytes = `${head.replace(/Content-Length: \d+/, `Content-Length: ${length}`)}\r\n\r\n${bare}`;
	const found = await readBytes(gzipSync(bytes));
	expect([states(found, "a"), found.faults]).toEqual(["-", []]);
});

describe("a broken record", () => {
	/** A changed length of the record for site b. */
	const lengthOf = (change: number) => (record: Buffer, name: string) =>
		name === "b"
			? Buffer.from(
					String(record).replace(
						/(\r\nContent-Length: )(\d+)/,
						(_, field, length) => `${field}${Number(length) + change}`,
					),
				)
			: record;
	const broken: readonly (readonly [
		string,
		(record: Buffer, name: string) => Uint8Array,
		string,
		RegExp,
	])[] = [
		[
			"damaged gzip data",
			(record, name) => {
				const bytes = gzipSync(record);
				if (name === "b") bytes.fill(0xff, 20, 40);
				return bytes;
			},
			"-?-",
			/, byte \d+: the record is broken: its gzip data is damaged/,
		],
		[
			"a wrong checksum",
			(record, name) => {
				const bytes = gzipSync(record);
				if (name === "b") bytes.fill(7, bytes.length - 8);
				return bytes;
			},
			"-?-",
			/its gzip data is damaged/,
		],
		[
			"another file between",
			(record, name) => gzipSync(name === "b" ? "hello\n" : record),
			"-?-",
			/it begins like no record/,
		],
		[
			"a length that is none",
			(record, name) =>
				gzipSync(
					name === "b"
						? String(record).replace(/\r\nContent-Length: \d+/, "$&x")
						: record,
				),
			"-?-",
			/it has no Content-Length/,
		],
		[
			"a length into the next record",
			(record, name) => gzipSync(lengthOf(100)(record, name)),
			"-?-",
			/its Content-Length is too large/,
		],
		[
			"a length that ends within it",
			(record, name) => gzipSync(lengthOf(-5)(record, name)),
			"-?-",
			/its Content-Length is wrong/,
		],
		[
			"in a plain file, a length that ends within it",
			lengthOf(-5),
			"-??",
			/its Content-Length is wrong; the file is not read any further/,
		],
		[
			"in a plain file, a length into the next record",
			lengthOf(100),
			"-??",
			/its Content-Length is wrong; the file is not read any further/,
		],
	];
	test.each(broken)("%s", async (_, pack, state, fault) => {
		const parts = await Promise.all(
			three.map(async (one, i) => pack(await recordOf(one), "abc"[i] ?? "")),
		);
		const warn = vi.spyOn(console, "warn").mockImplementation(() => {});
		const found = await readBytes(Buffer.concat(parts));
		expect([states(found, "abc"), found.faults.length]).toEqual([state, 1]);
		expect(warn).not.toHaveBeenCalled();
		expect(found.faults[0]).toMatch(fault);
	});

	test.each([
		["gzip", gzipSync],
		["plain", plain],
	])("a %s file cut off anywhere", async (_, pack) => {
		const parts = await Promise.all(
			three.map(async (one) => pack(await recordOf(one))),
		);
		const whole = Buffer.concat(parts);
		const [first = whole, second = whole] = parts;
		for (let end = 200; end < whole.length; end += 37) {
			const found = await readBytes(whole.subarray(0, end));
			const count =
				end < first.length ? 0 : end < first.length + second.length ? 1 : 2;
			// Of a plain record, only the empty lines behind it may be missing.
			expect([end, states(found, "abc").indexOf("?")]).toEqual([
				end,
				expect.toSatisfy((shown: number) =>
					pack === plain ? shown >= count : shown === count,
				),
			]);
			expect(found.faults.length).toBeLessThanOrEqual(1);
		}
	});
});

describe("bytes within a record that look like the next one", () => {
	const forged = async (pack: (record: Buffer) => Uint8Array) =>
		pack(await recordOf(site("victim", "User-agent: *\nAllow: /\n")));
	/** The forged record behind so many bytes, and more bytes. */
	const body = async (size: number, pack: (record: Buffer) => Uint8Array) =>
		Buffer.concat([
			Buffer.from(
				`${closed}# ${randomBytes(size / 2).toString("hex")}\r\n\r\n`,
			),
			await forged(pack),
			await forged(pack),
			Buffer.from(randomBytes(100_000).toString("hex")),
		]);
	const stored = (record: Buffer) => gzipSync(record, { level: 0 });
	test.each([
		["gzip", stored, gzipSync],
		["plain", plain, plain],
	])("%s", async (_, pack, inner) => {
		// Cut where it looks like a record: behind a megabyte.
		const bodies = [900_000, 1_048_000, 1_100_000, 2_500_000];
		const records = await Promise.all(
			bodies.map(async (size, i) =>
				site(`${"efgh"[i]}`, await body(size, inner)),
			),
		);
		const found = await readBytes(
			await warcOf([site("victim"), ...records, site("a")], pack),
		);
		expect(found.faults).toEqual([]);
		expect(states(found, "aefgh")).toBe("-----");
		expect(found.index.isAllowed("https://victim.example/")).toBe(false);
		expect(found.index.size).toBe(6);
	});
});
