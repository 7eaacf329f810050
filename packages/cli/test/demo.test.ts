import { execFileSync } from "node:child_process";
import { cpSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { RobotsTxt } from "../../../src/index.ts";
import { root } from "./run.ts";

const demo = execFileSync(process.execPath, ["tools/demo.mjs"], {
	cwd: root,
	encoding: "utf8",
});

const rows = demo
	.split("\n")
	.map((line) => /^([\w-]+) +(\d+) +(\d+) +(\d+) +(\d+) +[\d.]+% /.exec(line))
	.filter((row) => row !== null);

test("the demo judges each crawler's requests, one by one", () => {
	expect(rows.length).toBeGreaterThanOrEqual(6);
	const robots = RobotsTxt.parse(readFileSync(join(root, "sample/robots.txt")));
	const log = readFileSync(join(root, "sample/access.log"), "utf8").split("\n");
	for (const [, crawler = "", ...cells] of rows) {
		const targets = log
			.filter((line) =>
				new RegExp(`\\b${crawler}/`, "i").test(line.split('"')[5] ?? ""),
			)
			.map((line) => line.split(" ")[6] ?? "");
		const fetched = targets.filter((target) => target === "/robots.txt");
		const allowed = targets.filter((target) =>
			robots.isAllowed(target, crawler),
		);
		expect({ crawler, cells }).toEqual({
			crawler,
			cells: [
				targets.length,
				fetched.length,
				allowed.length - fetched.length,
				targets.length - allowed.length,
			].map(String),
		});
	}
});

test("the commands it shows work", () => {
	const commands = demo.match(/^ {2}npx robotrie .+$/gm) ?? [];
	expect(commands).toHaveLength(4);
	// As npx finds it in a clone.
	const command = join(root, "node_modules/.bin/robotrie");
	const output = (line = "") =>
		execFileSync(command, line.trim().split(" ").slice(2), {
			cwd: root,
			encoding: "utf8",
		});
	for (const line of commands.slice(0, 2))
		expect(output(line)).toContain("disallowed");
	expect(() => output(commands[2])).toThrow(
		expect.objectContaining({ status: 1 }),
	);
});

test("the sample is what its script writes", () => {
	const folder = mkdtempSync(join(tmpdir(), "robotrie-sample-"));
	cpSync(join(root, "tools"), join(folder, "tools"), { recursive: true });
	cpSync(join(root, "sample"), join(folder, "sample"), { recursive: true });
	const names = ["access.log", "urls.txt", "browsers.log"];
	for (const name of names) rmSync(join(folder, "sample", name));
	execFileSync(process.execPath, ["tools/make-sample.mjs"], { cwd: folder });
	for (const name of names) {
		expect(readFileSync(join(folder, "sample", name), "utf8")).toBe(
			readFileSync(join(root, "sample", name), "utf8"),
		);
	}
	rmSync(folder, { recursive: true });
});
