import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { chmodSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { beforeAll, describe, expect, test } from "vitest";
import { RobotsIndex } from "../../../src/index.ts";
import {
	columnFrame,
	documented,
	errorReply,
	firstReply,
	frame,
	framesOf,
	recordFrame,
	repliedTo,
} from "../../../test/frames.ts";
import {
	file,
	folder,
	isAsleep,
	robotrie,
	robotrieProcess,
	root,
} from "./run.ts";

/** `robotrie stream` as a process. */

const ORIGIN = "https://h.example";
const record = recordFrame(ORIGIN, 200, "User-agent: *\nDisallow: /a\n");
const lines = frame("L", Buffer.from(`${ORIGIN}/a\n${ORIGIN}/b\n`));
const agent = ["stream", "--agent", "ExampleBot"];

function indexFile(name: string, agent: string, rules: string): string {
	const index = new RobotsIndex({ agent });
	index.set(ORIGIN, `User-agent: *\n${rules}\n`);
	return file(name, index.toBytes());
}
const one = indexFile("one.index", "ExampleBot", "Disallow: /a");
const two = indexFile("two.index", "OtherBot", "Disallow: /b");

const [frames, replies] = documented();
const documentation = readFileSync(join(root, "docs/stream.md"), "utf8");

const first = firstReply(["ExampleBot"]);
const both = firstReply(["OtherBot", "ExampleBot"]);
/** What is written for lines. */
const written = (head: Buffer, ...runs: readonly number[][]) =>
	Buffer.concat([head, repliedTo("L", ...runs)]);

const runs: readonly [args: string[], stdin: Buffer, stdout: Buffer][] = [
	[agent, frames, replies],
	[agent, Buffer.alloc(0), first],
	[["stream"], Buffer.alloc(0), firstReply([])],
	[
		["stream", "--dialect", "google"],
		Buffer.alloc(0),
		firstReply([], "google"),
	],
	[["stream", "--index", one], lines, written(first, [0, 1])],
	[
		["stream", "--index", one, "--agent", "ExampleBot"],
		lines,
		written(first, [0, 1]),
	],
	[
		["stream", "--each-agent", "--index", two, "--index", one],
		lines,
		written(both, [1, 0], [0, 1]),
	],
	[
		["stream", "--each-agent", "-a", "ExampleBot", "-a", "OtherBot", "-i", two],
		lines,
		written(firstReply(["ExampleBot", "OtherBot"]), [2, 2], [1, 0]),
	],
	[["stream", "--version"], lines, Buffer.from("2\n")],
];

test.each(runs)("%j", async (args, stdin, stdout) => {
	const result = await robotrieProcess(args, { stdin });
	expect(result).toMatchObject({ code: 0, stderr: "", stdout });
});

const sharded = join(folder, "sharded");
beforeAll(async () => {
	const made = await robotrie(
		["index", "--agent", "ExampleBot", "--shards", "2", "--out", sharded],
		{ stdin: JSON.stringify({ origin: ORIGIN, access: "allow-all" }) },
	);
	expect(made).toMatchObject({ code: 0, stderr: "" });
});

const faults: readonly [args: string[], stdin: Buffer, message: string][] = [
	[
		agent,
		Buffer.concat([record, lines, frames.subarray(0, 7)]),
		"frame 3 (R): the input ends after 2 of 50 bytes",
	],
	[
		["stream", "--index", one, "--index", two],
		lines,
		"2 indexes need --each-agent: without it there is one crawler",
	],
	[
		["stream", "--index", one, "--agent", "OtherBot"],
		lines,
		"the snapshot is for ExampleBot, not for OtherBot",
	],
	[
		["stream", "--index", one, "--dialect", "google"],
		lines,
		"the snapshot is in the rfc9309 dialect, not in google",
	],
	[
		["stream", "--index", "no-such-file"],
		lines,
		"cannot read the index no-such-file: no such file or directory",
	],
	[
		["stream", "--index", sharded],
		record,
		"frame 1 (R): an index in a folder can only judge URLs",
	],
	[
		["stream", "--index", sharded, "--agent", "OtherBot"],
		lines,
		"the snapshot is for ExampleBot, not for OtherBot",
	],
	[
		["stream", "--index", folder],
		lines,
		"the folder has no index.json, which robotrie index writes",
	],
	[["stream", "--agent", " "], lines, "Expected a name"],
];

test.each(faults)(
	"%j: one sentence, exit code 2",
	async (args, stdin, message) => {
		const result = await robotrie(args, { stdin });
		expect(result.code).toBe(2);
		expect(result.stderr).toContain(message);
		expect(result.stderr).toMatch(/^robotrie: [^\n]+\n$/);
	},
);

describe("A path", () => {
	const changed = indexFile("changed.index", "ExampleBot", "Disallow: /b");
	const path = (name: string) => frame("P", Buffer.from(name));
	const said = frame("P", first.subarray(5));
	const rows: readonly [
		name: string,
		args: string[],
		input: readonly Buffer[],
		wanted: readonly Buffer[],
	][] = [
		[
			"of a file",
			["stream", "-i", one],
			[lines, path(changed), lines],
			[repliedTo("L", [0, 1]), said, repliedTo("L", [1, 0])],
		],
		[
			"of a folder, and back",
			["stream", "-i", one],
			[path(sharded), lines, path(one), lines],
			[said, repliedTo("L", [1, 1]), said, repliedTo("L", [0, 1])],
		],
		[
			"names the crawler where nothing does",
			["stream"],
			[path(one), lines],
			[said, repliedTo("L", [0, 1])],
		],
		[
			"that leads nowhere changes nothing",
			["stream", "-i", one],
			[
				path("nothing"),
				path(""),
				path("a\0b"),
				frame("P", Buffer.of(255)),
				lines,
			],
			[
				errorReply(
					"frame 1 (P): cannot read the index nothing: no such file or directory",
				),
				...[2, 3, 4].map((number) =>
					errorReply(`frame ${number} (P): its path is not a path in UTF-8`),
				),
				repliedTo("L", [0, 1]),
			],
		],
		[
			"of another crawler's index, or of what is none, changes nothing",
			["stream", "-i", one],
			[path(two), path(folder), lines],
			[
				errorReply(
					"frame 1 (P): the snapshot is for OtherBot, not for ExampleBot",
				),
				errorReply(
					`frame 2 (P): cannot read the index ${folder}: the folder has no index.json, which robotrie index writes`,
				),
				repliedTo("L", [0, 1]),
			],
		],
	];

	test.each(rows)("%s", async (_, args, input, wanted) => {
		const result = await robotrieProcess(args, { stdin: Buffer.concat(input) });
		expect(result).toMatchObject({ code: 0, stderr: "" });
		const [, ...replies] = framesOf(result.stdout);
		expect(replies.map(({ type, payload }) => frame(type, payload))).toEqual(
			wanted,
		);
	});
});

test("origins that are none are told, five of them one by one", async () => {
	const record = recordFrame("nonsense", 200, "");
	const stdin = Buffer.concat([...Array(7).fill(record), lines]);
	const result = await robotrieProcess(agent, { stdin });
	expect(result).toMatchObject({ code: 0, stdout: written(first, [2, 2]) });
	expect(result.stderr).toBe(
		`${'robotrie: warning: "nonsense" is not the URL of an origin; its record is left out\n'.repeat(5)}robotrie: warning: 7 records left out in all\n`,
	);
});

describe("Many frames", () => {
	const MIB = 1024 * 1024;
	const urls = Array.from({ length: 50_000 }, (_, i) => `${ORIGIN}/b${i}`);
	const column = columnFrame(urls);

	test("are answered in bounded memory", async () => {
		const result = await robotrieProcess(agent, {
			stdin: [record, ...Array<Buffer>(200).fill(column)],
		});
		expect(result).toMatchObject({ code: 0, stderr: "" });
		expect(result.stdoutSize).toBe(first.length + 200 * (5 + urls.length));
		expect(result.memory).toBeLessThan(250);
	});

	test("are not read while nobody reads the replies", async () => {
		const child = spawn(
			process.execPath,
			[join(root, "packages/cli/main.js"), ...agent],
			{ stdio: ["pipe", "pipe", "inherit"] },
		);
		child.stdin.write(record);
		// It has started; of its replies no more than this is read.
		await once(child.stdout, "readable");
		let written = 0;
		// Until the child has stopped reading: the pipe stays full while it sleeps, whenever it is looked at.
		for (let asleep = 0; asleep < 50 && written < 400 * MIB; ) {
			if (child.stdin.writableNeedDrain) {
				await sleep(10);
				asleep = isAsleep(child) ? asleep + 1 : 0;
			} else {
				asleep = 0;
				child.stdin.write(column);
				written += column.length;
			}
		}
		expect(written).toBeLessThan(400 * MIB);
		child.stdin.end();
		let size = 0;
		for await (const chunk of child.stdout) size += chunk.length;
		expect((size - first.length) % (5 + urls.length)).toBe(0);
		expect(child.exitCode ?? (await once(child, "exit"))[0]).toBe(0);
	});
});

test("docs/stream.md: the client in Python", ({ skip }) => {
	const [, code = "", output] =
		/```python\n(.*?)```.*?```text\n(.*?)```/s.exec(documentation) ?? [];
	const bin = join(folder, "bin");
	mkdirSync(bin);
	const command = join(bin, "robotrie");
	writeFileSync(
		command,
		`#!/bin/sh\nexec "${process.execPath}" "${join(root, "packages/cli/main.js")}" "$@"\n`,
	);
	chmodSync(command, 0o755);
	const script = file("client.py", code);
	const env = { ...process.env, PATH: `${bin}:${process.env.PATH}` };
	try {
		execFileSync("python3", ["--version"], { stdio: "ignore" });
	} catch {
		skip("there is no python3");
	}
	expect(execFileSync("python3", [script], { env, encoding: "utf8" })).toBe(
		output,
	);
});
