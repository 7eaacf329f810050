import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import {
	appendFileSync,
	closeSync,
	existsSync,
	openSync,
	readFileSync,
	renameSync,
	statSync,
	truncateSync,
	writeSync,
} from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { gzipSync } from "node:zlib";
import { afterEach, describe, expect, test } from "vitest";
import type { AuditReport } from "../../audit/src/index.ts";
import { ptr, startDns } from "./dns-server.ts";
import { file, folder, isAsleep, robotrie, root } from "./run.ts";

const rules = file("follow-robots.txt", "User-agent: *\nDisallow: /b\n");

let minute = 0;
/** A line a minute later than the one before. */
function line(target: string): string {
	const clock = new Date(minute++ * 60_000).toISOString().slice(11, 19);
	return `192.0.2.1 - - [14/Oct/2025:${clock} +0000] "GET ${target} HTTP/1.1" 200 5 "-" "GPTBot/1.0"\n`;
}

const children: ChildProcess[] = [];
afterEach(() => {
	for (const child of children.splice(0)) child.kill("SIGKILL");
});

/** A running audit, and what it has written so far. */
function start(...args: readonly string[]) {
	const child = spawn(
		process.execPath,
		[
			join(root, "packages/cli/main.js"),
			"audit",
			"follow",
			"-r",
			rules,
			...args,
		],
		{ stdio: "pipe" },
	);
	children.push(child);
	const said = { stdout: "", stderr: "" };
	child.stdout.on("data", (chunk: Buffer) => {
		said.stdout += chunk;
	});
	child.stderr.on("data", (chunk: Buffer) => {
		said.stderr += chunk;
	});
	const closed = new Promise<number | null>((resolve) => {
		child.on("close", resolve);
	});
	return { child, said, closed };
}

/** Waits until something holds; the test's time limit ends it otherwise. */
async function until(isTrue: () => boolean | Promise<boolean>): Promise<void> {
	while (!(await isTrue())) await sleep(20);
}

const utf16 = (text: string) => Buffer.from(`\ufeff${text}`, "utf16le");

const reportIn = (path: string): Partial<AuditReport> =>
	existsSync(path)
		? (JSON.parse(readFileSync(path, "utf8")) as AuditReport)
		: {};

describe("audit follow", () => {
	test("reads a file across rotation by renaming and by copying and emptying, and ends with the whole report", async () => {
		const before = minute;
		const log = file("grow.log", line("/b"));
		const out = join(folder, "grow.json");
		const each = join(folder, "grow.ndjson");
		const all: string[] = [readFileSync(log, "utf8")];
		const append = (name: string, text: string) => {
			all.push(text);
			appendFileSync(name, text);
		};
		const { child, closed, said } = start(
			"-o",
			"json",
			"--out",
			out,
			"--interval",
			"20ms",
			"--each",
			each,
			log,
		);
		const lines = (count: number) => until(() => reportIn(out).lines === count);
		await lines(1);
		// The beginning of a line is not counted as one.
		const late = line("/b?late");
		append(log, line("/") + late.slice(0, 50));
		await lines(2);
		append(log, late.slice(50));
		await lines(3);
		const old = `${log}.1`;
		renameSync(log, old);
		append(old, line("/old"));
		await lines(4);
		const fresh = line("/new");
		all.push(fresh);
		// Half a line that goes with the file is not counted as one.
		appendFileSync(log, fresh + late.slice(0, 50));
		await lines(5);
		truncateSync(log, 0);
		append(log, line("/b?emptied"));
		await lines(6);
		// Longer than what was there before.
		truncateSync(log, 0);
		append(log, line("/1") + line("/2") + line("/3"));
		await lines(9);
		// Two rotations and a signal between two looks; the old file's writer goes on.
		const older = `${log}.2`;
		renameSync(old, `${log}.3`);
		renameSync(log, older);
		append(log, line("/between"));
		renameSync(log, old);
		append(log, line("/last"));
		append(older, line("/late"));
		// Nor is half a line that the signal finds in a replaced file.
		appendFileSync(older, late.slice(0, 50));
		child.kill("SIGINT");
		expect(await closed).toBe(0);
		expect(said.stderr.match(/was emptied, perhaps with lines/g)).toHaveLength(
			2,
		);
		const { crawlers = [], lines: total, unparsed } = reportIn(out);
		minute = before;
		const whole = join(folder, "whole.json");
		await robotrie([
			"audit",
			"-r",
			rules,
			"-o",
			"json",
			"--out",
			whole,
			file("grow-whole.log", all.join("")),
		]);
		expect({ crawlers, total, unparsed }).toEqual({
			crawlers: reportIn(whole).crawlers,
			total: 12,
			unparsed: 0,
		});
		const rows = readFileSync(each, "utf8").trimEnd().split("\n");
		expect(
			rows.map((row) => (JSON.parse(row) as { line: number }).line),
		).toEqual([1, 2, 3, 4, 1, 1, 1, 2, 3, 4, 1, 1]);
	});

	test("with --state counts each line once although it is killed again and again", async () => {
		const log = file("killed.log", line("/b"));
		const state = join(folder, "killed.state");
		const out = join(folder, "killed.json");
		const args = ["-o", "json", "--out", out, "--state", state];
		const follow = () => start(...args, "--interval", "5ms", log);
		let written = 1;
		for (let round = 1; round <= 4; round++) {
			const { child, closed } = follow();
			// It is killed wherever it is: while it starts, reads, or writes its state.
			await until(() => reportIn(out).lines === written);
			for (let i = 0; i < 40 * round; i++, written++)
				appendFileSync(log, line("/b"));
			if (round % 2 === 0) {
				renameSync(log, `${log}.${round}`);
				appendFileSync(log, line("/new"));
				written++;
			}
			child.kill("SIGKILL");
			await closed;
		}
		const { child, closed, said } = follow();
		await until(() => reportIn(out).lines === written);
		child.kill("SIGTERM");
		expect(await closed).toBe(0);
		expect(said.stderr).toBe("");
		const merged = await robotrie(["audit", "merge", state, "-o", "json"]);
		const { lines, warnings, crawlers } = JSON.parse(
			String(merged.stdout),
		) as AuditReport;
		expect([lines, warnings]).toEqual([written, []]);
		expect(crawlers).toEqual(reportIn(out).crawlers);
		// What was emptied while nobody looked is said by all that follows.
		truncateSync(log, 0);
		const last = follow();
		await until(() => last.said.stderr.includes("was emptied, perhaps"));
		last.child.kill("SIGINT");
		expect(await last.closed).toBe(0);
		const after = await robotrie(["audit", "merge", state, "-o", "json"]);
		expect(JSON.parse(String(after.stdout)).warnings).toEqual([
			expect.stringContaining("an unknown number of lines of"),
		]);
	});

	test("with --state one ends whose state another one goes on with", async () => {
		const log = file("twice.log", line("/a"));
		const state = join(folder, "twice.state");
		const out = join(folder, "twice.json");
		const follow = (...args: readonly string[]) =>
			start("-o", "json", "--interval", "5ms", "--state", state, ...args, log);
		const counted = async () => {
			const merged = await robotrie(["audit", "merge", state, "-o", "json"]);
			return merged.code === 0 && JSON.parse(String(merged.stdout)).lines;
		};
		const first = follow("--out", join(folder, "twice-first.json"));
		// It writes no other state until there is another line.
		await until(async () => (await counted()) === 1);
		const { ino } = statSync(state);
		const second = follow("--out", out);
		await until(() => statSync(state).ino !== ino);
		first.child.kill("SIGTERM");
		expect(await first.closed).toBe(2);
		expect(first.said.stderr).toContain("has been written by another process");
		appendFileSync(log, line("/b"));
		await until(() => reportIn(out).lines === 2);
		second.child.kill("SIGTERM");
		expect(await second.closed).toBe(0);
		expect(await counted()).toBe(2);
	});

	test("with --state what a replaced file gets after a signal counts in the next run", async () => {
		const half = line("/half");
		const log = file("stopped.log", line("/a") + half.slice(0, 50));
		const state = join(folder, "stopped.state");
		const out = join(folder, "stopped.json");
		const args = ["-o", "json", "--out", out, "--state", state];
		const follow = () => start(...args, "--interval", "5ms", log);
		const first = follow();
		await until(() => reportIn(out).lines === 1);
		renameSync(log, `${log}.1`);
		appendFileSync(log, line("/new"));
		await until(() => reportIn(out).lines === 2);
		first.child.kill("SIGTERM");
		expect(await first.closed).toBe(0);
		appendFileSync(`${log}.1`, half.slice(50) + line("/late"));
		const next = follow();
		await until(() => reportIn(out).lines === 4);
		next.child.kill("SIGTERM");
		expect(await next.closed).toBe(0);
		expect(reportIn(out)).toMatchObject({ unparsed: 0, warnings: [] });
	});

	test("shows the table of stdin again when there is more, and ends by SIGTERM with exit code 0", async () => {
		const { child, closed, said } = start("--interval", "20ms");
		child.stdin?.write(line("/b"));
		await until(() => said.stdout.includes("1 line,"));
		child.stdin?.write(line("/") + line("/b").slice(0, 20));
		await until(() => said.stdout.includes("2 lines,"));
		child.kill("SIGTERM");
		expect(await closed).toBe(0);
		const tables = said.stdout.split(/(?=^\d+ lines?,)/m);
		expect(tables.at(-1)).toMatch(/^2 lines,[\s\S]*GPTBot +2 /);
	});

	test("counts a last line without its end when stdin ends", async () => {
		const { child, closed, said } = start("-o", "json");
		child.stdin?.end(line("/b") + line("/b").trimEnd());
		expect(await closed).toBe(0);
		const report = JSON.parse(said.stdout) as AuditReport;
		expect([report.lines, report.judged, report.unparsed]).toEqual([2, 2, 0]);
	});

	test("a file that is empty yet gets its format from its first line", async () => {
		const log = file("empty.log", "");
		const out = join(folder, "empty.json");
		const { child, closed } = start(
			"-o",
			"json",
			"--out",
			out,
			"--interval",
			"20ms",
			log,
		);
		appendFileSync(log, `a.example ${line("/b")}`);
		await until(() => reportIn(out).judged === 1);
		child.kill("SIGINT");
		expect(await closed).toBe(0);
	});

	test("a signal ends it at a named pipe whose writer goes on", async () => {
		const pipe = join(folder, "follow.pipe");
		execFileSync("mkfifo", [pipe]);
		const out = join(folder, "pipe.json");
		const { child, closed } = start(
			"-o",
			"json",
			"--out",
			out,
			"--interval",
			"20ms",
			pipe,
		);
		const writer = openSync(pipe, "w");
		writeSync(writer, line("/b"));
		await until(() => reportIn(out).judged === 1);
		child.kill("SIGINT");
		expect(await closed).toBe(0);
		closeSync(writer);
	});

	test("a signal ends it while a DNS server is silent", async () => {
		const clients = Array.from({ length: 200 }, (_, at) => `8.8.8.${at + 1}`);
		const silence = clients.map((client) => [ptr(client), "silence"] as const);
		const dns = await startDns(Object.fromEntries(silence));
		const text = clients.map((client) =>
			line("/b").replace("192.0.2.1", client).replace("GPTBot", "Googlebot"),
		);
		const { child, closed, said } = start(
			"-o",
			"json",
			"--resolve",
			"--resolve-server",
			dns.address,
			"--resolve-cache",
			join(folder, "follow-resolve.json"),
			file("silent.log", text.join("")),
		);
		await until(() => dns.asked.length > 0);
		child.kill("SIGINT");
		expect(await closed).toBe(0);
		// They are asked about 32 at a time.
		expect(new Set(dns.asked).size).toBeLessThan(100);
		dns.stop();
		const { crawlers } = JSON.parse(said.stdout) as AuditReport;
		expect(crawlers).toMatchObject([
			{ name: "Googlebot", verification: "unknown", requests: 200 },
		]);
		expect(said.stderr).toContain("no answer about 200 addresses");
	});

	test("leaves files as they were when it fails", async () => {
		const each = file("failed.ndjson", "kept");
		const { child, closed, said } = start("--each", each);
		child.stdin?.end("no log\n".repeat(10));
		expect(await closed).toBe(2);
		expect(said.stderr).toContain("the format of <stdin> is not one of");
		expect(readFileSync(each, "utf8")).toBe("kept");
	});

	test.each([
		{ what: "tables", args: [], each: undefined },
		{ what: "tables beside a file of rows", args: [], each: "stalled.ndjson" },
		{ what: "rows", args: ["--each", "-"], each: undefined },
	])(
		"the first signal ends it although nobody reads its $what",
		async ({ args, each }) => {
			const rows = each && join(folder, each);
			const { child, closed, said } = start(
				"--interval",
				"1ms",
				...args,
				...(rows ? ["--each", rows] : []),
			);
			child.stdout?.pause();
			const requests = line("/b").repeat(20);
			let isOpen = true;
			child.stdin?.on("error", () => {});
			child.on("exit", () => {
				isOpen = false;
				child.stdout?.resume();
			});
			// Once its output is stuck it reads no more, and sleeps, for three seconds by our clock.
			for (let stuck = 0; stuck < 150 && isOpen; ) {
				const isFull = (child.stdin?.writableLength ?? 0) > 256 * 1024;
				if (!isFull) stuck = 0;
				else if (isAsleep(child)) stuck++;
				if (!isFull) child.stdin?.write(requests);
				await sleep(isFull ? 20 : 1);
			}
			expect(isOpen).toBe(true);
			child.kill("SIGINT");
			expect(await closed).toBe(2);
			expect(said.stderr).toBe(
				"robotrie: stdout is not read any more: the last of it was not written\n",
			);
			if (rows) expect(readFileSync(rows, "utf8")).toMatch(/^(\{.*\}\n)+$/);
		},
	);

	const log = file("refused.log", line("/b"));
	test.each([
		[[log, rules], "too many arguments"],
		[[file("follow.gz", gzipSync(line("/")))], "it is compressed"],
		[[file("follow.utf16", utf16(line("/")))], "it is UTF-16"],
		[
			[file("follow.xz", Buffer.from("\xfd7zXZ\n", "latin1"))],
			"compressed with xz",
		],
		[["--state", "-", log], "stdout is none"],
		[["--state", join(folder, "new.state")], "<stdin> is none"],
		[
			["--state", file("no.state", "no"), log],
			"is not an audit's state; name another file",
		],
		[
			["--state", join(root, "test/data/stored/audit-state.v5"), log],
			"other settings",
		],
		[["--interval", "soon", log], "such as 30s, 5m or 1h"],
		[["--interval", "0s", log], "such as 30s, 5m or 1h"],
		[["--interval", "999h", log], "such as 30s, 5m or 1h"],
		[[join(folder, "missing.log")], "no such file"],
	])("refuses %j", async (args, message) => {
		const { code, stderr } = await robotrie([
			"audit",
			"follow",
			"-r",
			rules,
			...args,
		]);
		expect(code).toBe(2);
		expect(stderr).toContain(message);
	});
});
