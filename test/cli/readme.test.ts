import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { root } from "./run.ts";

/** A folder with a command "robotrie" that is the one built here. */
const bin = mkdtempSync(join(tmpdir(), "robotrie-"));
afterAll(() => rmSync(bin, { recursive: true, force: true }));
writeFileSync(
	join(bin, "robotrie"),
	`#!/bin/sh\nexec "${process.execPath}" "${join(root, "dist/cli.js")}" "$@"\n`,
	{ mode: 0o755 },
);

/** Commands of README.md and the output that it shows for them. */
const examples = [
	...readFileSync(join(root, "README.md"), "utf8").matchAll(
		/^```\n(\$ .*?)^```$/gms,
	),
]
	.flatMap(([, block = ""]) => block.split(/^\$ /m).slice(1))
	.map((text) => {
		const end = text.indexOf("\n");
		return { command: text.slice(0, end), output: text.slice(end + 1).trim() };
	});

test("README.md has examples of commands", () =>
	expect(examples.length).toBeGreaterThan(4));

test.each(examples)("$ $command", ({ command, output }) => {
	const path = [bin, process.env.PATH].join(delimiter);
	const stdout = execFileSync("sh", ["-c", command], {
		cwd: root,
		encoding: "utf8",
		env: { PATH: path },
		stdio: ["ignore", "pipe", "ignore"],
	});
	expect(stdout.trim()).toBe(output);
});
