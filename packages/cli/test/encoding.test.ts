import { join } from "node:path";
import { gzipSync } from "node:zlib";
import fc from "fast-check";
import { beforeAll, describe, expect, test } from "vitest";
import "../../../test/cases.ts";
import { asUtf8 } from "../../sites/src/files/text.ts";
import { file, folder, robotrie, robots } from "./run.ts";

const MARK = "\ufeff";

function utf16be(text: string): Buffer {
	return Buffer.from(text, "utf16le").swap16();
}

/** A frame of one block that is stored as it is. */
function zstd(bytes: Uint8Array): Buffer {
	const head = Buffer.from("28b52ffda00000000000000000", "hex").subarray(0, 12);
	head.writeUInt32LE(bytes.length, 5);
	head.writeUIntLE((bytes.length << 3) | 1, 9, 3);
	return Buffer.concat([head, bytes]);
}

/** Ways to store a text that is read like its UTF-8. */
const codings: Readonly<Record<string, (text: string) => Buffer>> = {
	"UTF-8 with a byte order mark": (text) => Buffer.from(MARK + text),
	"UTF-16LE": (text) => Buffer.from(MARK + text, "utf16le"),
	"UTF-16BE": (text) => utf16be(MARK + text),
	"UTF-8 with a byte order mark, gzip": (text) =>
		gzipSync(Buffer.from(MARK + text)),
	"UTF-16LE, gzip": (text) => gzipSync(Buffer.from(MARK + text, "utf16le")),
	"UTF-16BE, zstd": (text) => zstd(utf16be(MARK + text)),
};

const clean = file("clean.txt", "User-agent: *\nClean-param: s\n");
const index = join(folder, "encoding.index");
const log = file(
	"encoding.log",
	'192.0.2.1 - - [14/Oct/2025:00:00:00 +0000] "GET /private/x HTTP/1.1" 200 5 "-" "Examplebot/1.0"\n',
);
const input = join(folder, "encoded");

interface Command {
	readonly args: readonly string[];
	readonly text: string;
	/** A part of what it writes, so that nobody compares errors. */
	readonly says: string;
}

const requests =
	'192.0.2.1 - - [14/Oct/2025:00:00:00 +0000] "GET /private/é HTTP/1.1" 200 5 "-" "Examplebot/1.0"\n'.repeat(
		3,
	);
const check = ["match", "-r", robots, "-a", "x", "--check"];
const audit = ["audit", "-r", robots, "-o", "ndjson", "--strict"];

/** Every command that reads lines or a list, from stdin and, where it does so, from a file. */
const commands: Readonly<Record<string, Command>> = {
	"match, stdin": {
		args: check,
		text: "/private/ä\r\n\n/open\n\u{1f600}",
		says: "disallowed\t/private/ä\r\n",
	},
	"match, a file": {
		args: [...check, input],
		text: "/private\n",
		says: "disallowed\t/private\n",
	},
	"canonical, stdin": {
		args: ["canonical", "-r", clean],
		text: "/ä?s=1\n",
		says: "/ä\n",
	},
	"canonical, a file": {
		args: ["canonical", "-r", clean, input],
		text: "/a?s=1\n",
		says: "/a\n",
	},
	"scope, stdin": {
		args: ["scope"],
		text: "http://example.com/a\n",
		says: "http://example.com/robots.txt\thttp://example.com/a\n",
	},
	"explain, stdin": {
		args: ["explain", "-r", robots, "-a", "x"],
		text: "/private/a\n",
		says: "disallowed  /private/a\n",
	},
	"check, stdin": {
		args: ["check", "-r", robots, "-"],
		text: "/ä\tx\tdisallowed\n",
		says: "<stdin>:1: /ä for x: allowed, expected disallowed",
	},
	"check, a file": {
		args: ["check", "-r", robots, input],
		text: "/ä\tx\tdisallowed\n",
		says: ":1: /ä for x: allowed, expected disallowed",
	},
	"crawl-check, stdin": {
		args: ["crawl-check", "-a", "x"],
		text: "gopher://example.com/\n",
		says: "unknown\tgopher://example.com/\n",
	},
	"crawl-check, a file": {
		args: ["crawl-check", "-a", "x", input],
		text: "gopher://example.com/\n",
		says: "unknown\tgopher://example.com/\n",
	},
	"index, stdin": {
		args: ["index", "-a", "x", "-o", index, "--summary"],
		text: '{"origin":"https://example.com","access":"allow-all"}\n',
		says: "1 origin",
	},
	"index, a file": {
		args: ["index", "-a", "x", "-o", index, "--summary", input],
		text: '{"origin":"https://example.com","access":"allow-all"}\n',
		says: "1 origin",
	},
	"audit, stdin": { args: audit, text: requests, says: '"disallowed":3' },
	"audit, a file": {
		args: [...audit, input],
		text: requests,
		says: '"disallowed":3',
	},
	"audit, a list of addresses": {
		args: [...audit, "--verify", `Examplebot=${input}`, log],
		text: '{"prefixes":[{"ipv4Prefix":"192.0.2.0/24"}]}',
		says: '"verification":"verified"',
	},
};

/** The decoder is the same for all commands: one of them reads every coding, the others some. */
const codingsOf = (name: string) =>
	Object.entries(codings).filter(
		([coding]) =>
			name.startsWith("match") ||
			coding === "UTF-8 with a byte order mark" ||
			coding === "UTF-16LE, gzip",
	);

describe.each(Object.entries(commands))("%s", (name, { args, text, says }) => {
	const run = async (bytes: Uint8Array) => {
		file("encoded", bytes);
		const { stdout, stderr, code } = await robotrie(args, {
			stdin: args.includes(input) ? "" : bytes,
		});
		return { stdout: stdout.toString(), stderr, code };
	};
	let plain: Awaited<ReturnType<typeof run>>;
	beforeAll(async () => {
		plain = await run(Buffer.from(text));
	});
	test.each(codingsOf(name))("reads %s like UTF-8", async (_, code) => {
		expect(plain.stdout + plain.stderr).toContain(says);
		expect(await run(code(text))).toEqual(plain);
	});
});

test("a byte order mark without text is an empty list", async () => {
	for (const bytes of [Buffer.from(MARK), Buffer.from(MARK, "utf16le")]) {
		const result = await robotrie(check, { stdin: bytes });
		expect(result).toMatchObject({ code: 0, stderr: "", stdoutSize: 0 });
	}
});

/** The header of a file in a tar archive. */
const tar = Buffer.alloc(512);
tar.write("access.log");
tar.write("ustar", 257);

test.each([
	["UTF-32LE", "fffe00002f000000", "is UTF-32: convert it to UTF-8"],
	["UTF-32BE", "0000feff0000002f", "is UTF-32: convert it to UTF-8"],
	[
		"UTF-16LE without a byte order mark",
		"2f00700072000a00",
		"looks like UTF-16 without a byte order mark: convert it to UTF-8",
	],
	[
		"UTF-16BE without a byte order mark",
		"002f00700072000a",
		"looks like UTF-16 without a byte order mark: convert it to UTF-8",
	],
	[
		"xz",
		"fd377a585a000004e6d6b446",
		"is compressed with xz: decompress it first, with xz -dc",
	],
	[
		"bzip2",
		"425a6839314159265359f9",
		"is compressed with bzip2: decompress it first, with bzip2 -dc",
	],
	[
		"lz4",
		"04224d1864700ab1",
		"is compressed with lz4: decompress it first, with lz4 -dc",
	],
	[
		"a zip archive",
		"504b030414000000",
		"is a zip archive: unpack it first, with unzip -p",
	],
	[
		"a Parquet file",
		"5041523115041500",
		"is Parquet: write its texts to a file of lines first",
	],
	[
		"a tar archive",
		tar.toString("hex"),
		"is a tar archive: unpack it first, with tar -xOf",
	],
	[
		"a compressed tar archive",
		gzipSync(tar).toString("hex"),
		"is a tar archive: unpack it first, with tar -xOf",
	],
	["half a UTF-16 character", "fffe2f000a", "is UTF-16 and damaged"],
	["half a surrogate pair", "fffe00d82f00", "is UTF-16 and damaged"],
])("%s is refused", async (_, hex, message) => {
	const stdin = Buffer.from(hex, "hex");
	const result = await robotrie(check, { stdin });
	expect(result).toMatchObject({
		code: 2,
		stdoutSize: 0,
		stderr: `robotrie: <stdin> ${message}\n`,
	});
});

test.each([
	["letters that bzip2 begins with", "BZh9\n", "invalid\tBZh9\n"],
	["a NUL byte in a line", "/a\0b\n", "allowed\t/a\0b\n"],
	[
		"a mark in a later line",
		`/a\n${MARK}/b\n`,
		`allowed\t/a\ninvalid\t${MARK}/b\n`,
	],
	["part of a mark", "\xef\xbb/a\n", "invalid\t\xef\xbb/a\n"],
])("left as it is: %s", async (_, stdin, expected) => {
	const encoding = /[\xbb]/.test(stdin) ? "latin1" : "utf8";
	const result = await robotrie(check, { stdin: Buffer.from(stdin, encoding) });
	expect(result.stdout.toString(encoding)).toBe(expected);
	expect(result).toMatchObject({ code: 0, stderr: "" });
});

test("the text does not depend on how it is cut into chunks", () =>
	fc.assert(
		fc.asyncProperty(
			// A text that begins with NUL would make of the mark another one.
			fc.string({ unit: "grapheme" }).filter((text) => !text.startsWith("\0")),
			fc.constantFrom("utf8", "utf16le", "utf16be"),
			fc.array(fc.integer({ min: 1, max: 5 }), { minLength: 1 }),
			async (text, encoding, sizes) => {
				const bytes =
					encoding === "utf16be"
						? utf16be(MARK + text)
						: Buffer.from(MARK + text, encoding as BufferEncoding);
				async function* chunks() {
					for (let at = 0, i = 0; at < bytes.length; i++) {
						const size = sizes[i % sizes.length] ?? 1;
						yield bytes.subarray(at, at + size);
						at += size;
					}
				}
				const parts: Uint8Array[] = [];
				for await (const part of asUtf8(chunks(), "x")) parts.push(part);
				expect(Buffer.concat(parts).toString()).toBe(text);
			},
		),
	));

describe("a file that does not look like a robots.txt gets a warning", () => {
	const utf16 =
		"The file is UTF-16: the dialects rfc9309 and yandex decode it, Google finds no rule in it and fetches everything. Save it as UTF-8.";
	const unmarked =
		"The file is UTF-16, which no crawler reads: save it as UTF-8, or none of its rules count.";
	const html =
		"This is not a robots.txt but a page of markup: crawlers read only lines that happen to be rules.";
	const binary =
		"The file has NUL bytes: it is binary, or UTF-16 without a byte order mark.";
	const picture =
		"This is not a robots.txt but a PNG image: crawlers find no rule in it and fetch everything.";
	const unknown =
		"The file has no line that crawlers know, so everything is allowed.";
	const rules = "User-agent: *\nDisallow: /a\n";
	const documents: readonly (readonly [
		name: string,
		bytes: Buffer,
		warning: string | undefined,
	])[] = [
		["UTF-16LE", Buffer.from(MARK + rules, "utf16le"), utf16],
		["UTF-16BE", utf16be(MARK + rules), utf16],
		["UTF-16 in gzip", gzipSync(Buffer.from(MARK + rules, "utf16le")), utf16],
		["UTF-16 without a mark", Buffer.from(rules, "utf16le"), unmarked],
		["NUL bytes", Buffer.from(`${rules}\0`), binary],
		["a page", Buffer.from("<!doctype html>\n<p>Not found</p>\n"), html],
		[
			"a picture",
			Buffer.from("89504e470d0a1a0a0000000d49484452", "hex"),
			picture,
		],
		["a sentence", Buffer.from("Nothing to see here.\n"), unknown],
		["unknown fields", Buffer.from("# a\nfoo: bar\n"), unknown],
		["nothing", Buffer.from(""), undefined],
		["a mark alone", Buffer.from(MARK), undefined],
		["comments", Buffer.from("# nothing here\n\r\n  # yet\n"), undefined],
		["rules", Buffer.from(rules), undefined],
		["rules behind a mark", Buffer.from(MARK + rules), undefined],
		[
			"rules behind a long comment",
			Buffer.from(`# ${"x".repeat(5000)}\n${rules}`),
			undefined,
		],
		["a rule behind junk", Buffer.from("junk\rDISALLOW : /a"), undefined],
		["a field that Google forgives", Buffer.from("disalow /a"), undefined],
		["Crawl-delay", Buffer.from("crawl-delay: 1\n"), undefined],
	];
	const path = join(folder, "doubtful");
	const readers: Readonly<Record<string, readonly string[]>> = {
		match: ["match", "-r", path, "-a", "x", file("no-urls", "")],
		explain: ["explain", "-r", path, "-a", "x", "/open"],
		show: ["show", "-r", path],
		audit: ["audit", "-r", path, log],
	};
	const expectedOf = (warning: string | undefined) =>
		warning === undefined ? "" : `robotrie: warning: ${path}: ${warning}\n`;
	test.each(documents)("%s", async (_, bytes, warning) => {
		file("doubtful", bytes);
		expect(await robotrie(readers.match ?? [])).toMatchObject({
			code: 0,
			stderr: expectedOf(warning),
		});
	});

	/** One document of each warning, and one of none: the other commands ask the same function. */
	const some = ["UTF-16LE", "a page", "a picture", "a sentence", "rules"];
	test.each(documents.filter(([name]) => some.includes(name)))(
		"%s, by every command",
		async (_, bytes, warning) => {
			file("doubtful", bytes);
			const expected = expectedOf(warning);
			for (const args of Object.values(readers))
				expect(await robotrie(args)).toMatchObject({
					code: 0,
					stderr: expected,
				});
			const canonical = await robotrie(["canonical", "-r", path]);
			expect(canonical.code).toBe(0);
			expect(canonical.stderr.startsWith(expected)).toBe(true);
			// Each line of an index is a file, of which this one has no other name.
			const line = {
				origin: "http://e.com",
				robots_b64: bytes.toString("base64"),
			};
			expect(
				await robotrie(["index", "-a", "x", "-o", index], {
					stdin: JSON.stringify(line),
				}),
			).toMatchObject({ code: 0, stderr: expected.replace(path, "<stdin>:1") });
			const lint = await robotrie(["lint", path]);
			// Where lint has an error, or finds UTF-16, it is about the same.
			const isSaid = lint.code === 1 || / utf-16 /.test(String(lint.stdout));
			expect(lint.stderr).toBe(isSaid ? "" : expected);
		},
	);
});
