import { spawnSync } from "node:child_process";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { casesOf } from "../../../test/cases.ts";
import {
	columnFrame,
	documented,
	firstReply,
	frame,
	recordFrame,
	repliedTo,
	reply,
} from "../../../test/frames.ts";
import { ByteReader } from "../src/stream/input.ts";
import { file, folder, root } from "./run.ts";

/** Bytes of `robotrie stream`, in portions of any size. */

const LARGE = 9 * 1024 * 1024;
const bytes = Uint8Array.from({ length: LARGE }, (_, i) => i ^ (i >> 8));

/** Gives at most so many bytes at a time, the portions in turn. */
function readerOf(size: number, portions: readonly number[], isAsync: boolean) {
	let at = 0;
	let turn = 0;
	return new ByteReader((into) => {
		const most = Math.min(into.length, portions[turn++ % portions.length] ?? 1);
		const part = bytes.subarray(at, Math.min(size, at + most));
		into.set(part);
		at += part.length;
		return isAsync ? Promise.resolve(part.length) : part.length;
	});
}

async function joined(chunks: AsyncIterable<Uint8Array>): Promise<Buffer> {
	const all: Uint8Array[] = [];
	for await (const chunk of chunks) all.push(chunk);
	return Buffer.concat(all);
}

const size = fc.oneof(
	fc.nat(9),
	fc.integer({ min: 16_380, max: 16_390 }),
	fc.nat(70_000),
	fc.integer({ min: 262_140, max: 300_000 }),
);
const portion = fc.oneof(
	fc.integer({ min: 1, max: 9 }),
	fc.integer({ min: 16_380, max: 16_390 }),
	fc.integer({ min: 1000, max: 1_000_000 }),
);
const reads = fc.array(
	fc.record({ size, room: fc.nat(7), inPieces: fc.boolean() }),
	{ maxLength: 8 },
);
const portions = fc.array(portion, { minLength: 1, maxLength: 4 });
/** Portions of a few bytes alone take long. */
const some = portions.map((all) => [...all, 5000]);

test("what is read is what comes, in its order", async () => {
	await fc.assert(
		fc.asyncProperty(
			reads,
			some,
			fc.boolean(),
			async (reads, portions, isAsync) => {
				const total = reads.reduce((sum, { size }) => sum + size, 0);
				const reader = readerOf(total, portions, isAsync);
				let at = 0;
				for (const { size, room, inPieces } of reads) {
					const wanted = Buffer.from(bytes.subarray(at, at + size));
					const found = inPieces
						? await joined(reader.chunks(size))
						: (await reader.read(size, room)).subarray(room);
					expect(wanted.equals(found)).toBe(true);
					at += size;
				}
				expect(await reader.atEnd()).toBe(true);
			},
		),
		{ numRuns: casesOf(200) },
	);
});

test("an end that comes early is an error with the bytes that were there", async () => {
	await fc.assert(
		fc.asyncProperty(
			fc.nat(70_000),
			size,
			fc.nat(40_000),
			some,
			fc.boolean(),
			async (before, size, there, portions, inPieces) => {
				fc.pre(there < size);
				const reader = readerOf(before + there, portions, false);
				await reader.read(before);
				const read = inPieces ? joined(reader.chunks(size)) : reader.read(size);
				await expect(read).rejects.toThrow(
					`the input ends after ${there} of ${size} bytes`,
				);
			},
		),
		{ numRuns: casesOf(100) },
	);
});

test("more than is kept from one call to the next", async () => {
	const reader = readerOf(LARGE, [1_000_000, 3], false);
	const all = await reader.read(LARGE);
	expect(Buffer.from(bytes).equals(all)).toBe(true);
	expect(await reader.atEnd()).toBe(true);
});

/** `robotrie stream` with what a shell makes its stdin and stdout: pipes and files. Those that Node.js makes for a child are sockets. */

const ORIGIN = "https://h.example";
const URLS = 50_000;
const [frames, replies] = documented();
const record = recordFrame(ORIGIN, 200, "User-agent: *\nDisallow: /a\n");
const column = columnFrame(
	Array.from({ length: URLS }, (_, i) => `${ORIGIN}/${"ab"[i % 2]}${i}`),
);
const columnReply = reply(Array.from({ length: URLS }, (_, i) => i % 2));
// Long frames before and behind short ones.
const input = file(
	"input",
	Buffer.concat([
		frames,
		column,
		record,
		column,
		...Array<Buffer>(300).fill(record),
		column,
		frame("L", Buffer.from(`${ORIGIN}/b\n`)),
	]),
);
const output = Buffer.concat([
	replies,
	columnReply,
	columnReply,
	columnReply,
	repliedTo("L", [1]),
]);
const first = firstReply(["ExampleBot"]);
const recordFile = file("record", record);
const columnFile = file("column", column);

interface Ended {
	readonly code: number | null;
	readonly stdout: Buffer;
	readonly stderr: string;
}

/** Runs a script, in which `stream` is the command and "$1", … are files. */
function shell(script: string, ...files: readonly string[]): Ended {
	const command = [
		process.execPath,
		"--import",
		join(root, "tools/report-memory.mjs"),
		join(root, "packages/cli/main.js"),
		"stream",
		"--agent",
		"ExampleBot",
	];
	const start = `stream() { ${command.map((word) => `"${word}"`).join(" ")}; }`;
	const ended = spawnSync("sh", ["-c", `${start}; ${script}`, "sh", ...files], {
		cwd: folder,
		maxBuffer: 2 ** 28,
		stdio: ["ignore", "pipe", "pipe"],
	});
	return {
		code: ended.status,
		stdout: ended.stdout,
		stderr: String(ended.stderr),
	};
}

const stdins: readonly [name: string, script: string][] = [
	["a pipe", 'cat "$1" | stream'],
	["a pipe that gets a few bytes at once", 'dd bs=97 2>&- < "$1" | stream'],
	["a file", 'stream < "$1"'],
	[
		"a file that someone read a part of",
		'{ echo before; cat "$1"; } > longer; { read line; stream; } < longer',
	],
	["a named pipe", 'mkfifo named; cat "$1" > named & stream < named'],
];
const endless = '{ cat "$1"; while cat "$2"; do :; done 2>&-; }';

describe.skipIf(process.platform === "win32")("Stdin is", () => {
	test.each(stdins)("%s", (_, script) => {
		const { code, stdout } = shell(script, input);
		expect(code).toBe(0);
		expect(stdout.equals(output)).toBe(true);
	});

	test("a pipe that ends at once", () => {
		const { code, stdout } = shell(": | stream");
		expect(code).toBe(0);
		expect(stdout).toEqual(first);
	});

	test("a pipe that ends within a frame", () => {
		const script = 'head -c 100000 "$1" | stream';
		const { code, stdout, stderr } = shell(script, columnFile);
		expect(code).toBe(2);
		expect(stdout).toEqual(first);
		expect(stderr).toContain(
			`robotrie: frame 1 (A): the input ends after 99995 of ${column.length - 5} bytes\n`,
		);
	});

	test("a pipe with many frames, in bounded memory", () => {
		const many =
			'{ cat "$1"; i=0; while [ $i -lt 200 ]; do cat "$2"; i=$((i + 1)); done; }';
		const script = `${many} | stream | wc -c`;
		const { stdout, stderr } = shell(script, recordFile, columnFile);
		expect(Number(stdout)).toBe(first.length + 200 * columnReply.length);
		expect(Number(/peak memory (\S+) MiB/.exec(stderr)?.[1])).toBeLessThan(250);
	});

	test("an endless pipe, and whoever reads the replies goes", () => {
		const script = `${endless} | { stream; echo $? >&2; } | head -c 10`;
		const { stdout, stderr } = shell(script, recordFile, columnFile);
		expect(stdout).toEqual(first.subarray(0, 10));
		expect(stderr).toMatch(/^peak memory \S+ MiB\n0\n/);
	});
});
