import { execFileSync, spawn, spawnSync } from "node:child_process";
import {
	cpSync,
	existsSync,
	mkdtempSync,
	readFileSync,
	rmSync,
	symlinkSync,
	writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { DuckDBInstance } from "@duckdb/node-api";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { root } from "./run.ts";

/** docs/audit-pipelines.md, run from its first example to its last in one folder. */

const docs = readFileSync(join(root, "docs/audit-pipelines.md"), "utf8");
let folder = "";

beforeAll(() => {
	folder = mkdtempSync(join(tmpdir(), "robotrie-pipelines-"));
	cpSync(join(root, "sample"), join(folder, "sample"), { recursive: true });
	cpSync(join(root, "sample/robots.txt"), join(folder, "robots.txt"));
	const log = readFileSync(join(root, "sample/access.log"), "utf8");
	const lines = log.trimEnd().split("\n");
	const cut = lines.length / 2;
	const write = (name: string, part: readonly string[]) =>
		writeFileSync(join(folder, name), `${part.join("\n")}\n`);
	write("access.log", lines);
	write("access.log.2", lines.slice(0, cut));
	write("access.log.1", lines.slice(cut));
	symlinkSync(join(root, "node_modules"), join(folder, "node_modules"));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Runs a line of the docs; other machines are this one. */
function run(command: string): string {
	const script = `robotrie() { "${process.execPath}" "${join(root, "packages/cli/main.js")}" "$@"; }
ssh() { eval "$2"; }
${command}`;
	return execFileSync("bash", ["-c", script], {
		cwd: folder,
		encoding: "utf8",
		stdio: ["ignore", "pipe", "pipe"],
	});
}

const commands = [
	...docs.matchAll(/^ {4}((?:robotrie|ssh|tail|grep) .+)$/gm),
].map(([, command = ""]) => command);

describe("docs/audit-pipelines.md", () => {
	test("has commands", () => expect(commands.length).toBeGreaterThan(4));

	test.each(commands.filter((command) => !/ follow .*log$/.test(command)))(
		"%s",
		(command) => {
			run(command);
		},
	);

	test("a log is followed until a signal comes", async () => {
		const command = commands.find((each) => / follow .*log$/.test(each)) ?? "";
		const [, ...args] = command.split(" ");
		const report = join(folder, "live.html");
		const live = args.map((each) => (each === "report.html" ? report : each));
		const child = spawn(
			process.execPath,
			[join(root, "packages/cli/main.js"), ...live],
			{ cwd: folder, stdio: "ignore" },
		);
		const closed = new Promise((resolve) => child.on("close", resolve));
		// It is there once the log is read.
		while (!existsSync(report)) await sleep(20);
		child.kill("SIGINT");
		expect(await closed).toBe(0);
		expect(readFileSync(report, "utf8")).toBe(
			run("robotrie audit -r robots.txt access.log -o html"),
		);
	});

	test("merged states give the report of all logs", () => {
		const whole = run(
			"robotrie audit -r robots.txt access.log.1 access.log.2 -o html",
		);
		expect(readFileSync(join(folder, "report.html"), "utf8")).toBe(whole);
	});

	const [query = "", , python = ""] = [
		...docs.matchAll(/```(?:sql|python)\n([\s\S]+?)```/g),
	].map(([, code = ""]) => code);
	/** Of the sample log, by the report: crawlers with the most disallowed requests. */
	const most = [
		["ExampleAI", 330],
		["SampleAI", 245],
		["ExampleSEO", 158],
	];

	test("DuckDB reads the rows, in both formats", async () => {
		const connection = await (await DuckDBInstance.create()).connect();
		for (const name of [
			"verdicts.ndjson",
			"verdicts.csv",
			"verdicts.parquet",
		]) {
			const path = join(folder, name);
			const reader = await connection.runAndReadAll(
				query.replace("verdicts.ndjson", path),
			);
			const rows = reader.getRows();
			expect(
				rows.map(([crawler, , disallowed]) => [crawler, Number(disallowed)]),
			).toEqual(most);
		}
		connection.closeSync();
	});

	const hasPandas = spawnSync("python3", ["-c", "import pandas"]).status === 0;
	test.skipIf(!hasPandas)(
		"pandas reads the rows (skipped without python3 and pandas)",
		() => {
			const output = execFileSync("python3", ["-c", python], {
				cwd: folder,
				encoding: "utf8",
			});
			for (const [crawler, count] of most)
				expect(output).toMatch(new RegExp(`^${crawler} +${count}$`, "m"));
		},
	);

	const programs = [...docs.matchAll(/```js\n([\s\S]+?)```/g)].map(
		([, code = ""], index) => ({ index, code }),
	);
	test.each(programs)(
		"the program $index prints what it says",
		({ index, code }) => {
			const file = `program-${index}.mjs`;
			writeFileSync(join(folder, file), code);
			const output = execFileSync(process.execPath, [file], {
				cwd: folder,
				encoding: "utf8",
			});
			const said = [...code.matchAll(/; \/\/ (.+)$/gm)].map(([, text]) => text);
			expect(output.trimEnd().split("\n")).toEqual(said);
		},
	);
});
