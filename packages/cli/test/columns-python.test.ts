import { execFileSync, spawnSync } from "node:child_process";
import {
	chmodSync,
	mkdtempSync,
	readFileSync,
	rmSync,
	writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { RobotsIndex } from "../../../src/index.ts";
import { root } from "../../../test/installed.ts";

const folder = mkdtempSync(join(tmpdir(), "robotrie-columns-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** What their examples judge by. */
const index = new RobotsIndex({ agent: "ExampleBot" });
index.set("https://h.example", "User-agent: *\nDisallow: /a\n");
writeFileSync(join(folder, "sites.index"), index.toBytes());

const hasArrow = spawnSync("python3", ["-c", "import pyarrow"]).status === 0;

/** Pages, and the heading that a program with pyarrow stands after. */
const programs = [
	["docs/columns.md", "## Python"],
	["docs/stream.md", "## Arrow"],
] as const;

test.skipIf(!hasArrow).each(programs)(
	hasArrow ? "%s, %s" : "%s, %s: SKIPPED, there is no python3 with pyarrow",
	(name, heading) => {
		const page = readFileSync(join(root, name), "utf8");
		const section = page.slice(page.indexOf(`\n${heading}\n`));
		const [, code = "", output] =
			/```python\n(.*?)```.*?```text\n(.*?)```/s.exec(section) ?? [];
		const command = join(folder, "robotrie");
		writeFileSync(
			command,
			`#!/bin/sh\nexec "${process.execPath}" "${join(root, "packages/cli/main.js")}" "$@"\n`,
		);
		chmodSync(command, 0o755);
		const script = join(folder, "verdicts.py");
		writeFileSync(script, code);
		const env = { ...process.env, PATH: `${folder}:${process.env.PATH}` };
		const run = { env, cwd: folder, encoding: "utf8" } as const;
		expect(execFileSync("python3", [script], run)).toBe(output);
	},
);
