import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import {
	columnFrame,
	documented,
	frame,
	recordFrame,
	reply,
} from "../../../test/frames.ts";
import { file, folder, root } from "./run.ts";

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
		...[frames, column, record, column],
		...Array<Buffer>(300).fill(record),
		...[column, frame("L", Buffer.from(`${ORIGIN}/b\n`))],
	]),
);
const output = Buffer.concat([
	...[replies, columnReply, columnReply, columnReply, reply([1])],
]);
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
		...["--import", join(root, "tools/report-memory.mjs")],
		...[join(root, "packages/cli/main.js"), "stream", "--agent", "ExampleBot"],
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
		expect(stdout.length).toBe(0);
	});

	test("a pipe that ends within a frame", () => {
		const script = 'head -c 100000 "$1" | stream';
		const { code, stdout, stderr } = shell(script, columnFile);
		expect(code).toBe(2);
		expect(stdout.length).toBe(0);
		expect(stderr).toContain(
			`robotrie: frame 1 (A): the input ends after 99995 of ${column.length - 5} bytes\n`,
		);
	});

	test("a pipe with many frames, in bounded memory", () => {
		const many =
			'{ cat "$1"; i=0; while [ $i -lt 200 ]; do cat "$2"; i=$((i + 1)); done; }';
		const script = `${many} | stream | wc -c`;
		const { stdout, stderr } = shell(script, recordFile, columnFile);
		expect(Number(stdout)).toBe(200 * columnReply.length);
		expect(Number(/peak memory (\S+) MiB/.exec(stderr)?.[1])).toBeLessThan(250);
	});

	test("an endless pipe, and whoever reads the replies goes", () => {
		const script = `${endless} | { stream; echo $? >&2; } | head -c 10`;
		const { stdout, stderr } = shell(script, recordFile, columnFile);
		expect(stdout.equals(columnReply.subarray(0, 10))).toBe(true);
		expect(stderr).toMatch(/^peak memory \S+ MiB\n0\n/);
	});
});
