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
import { root } from "../../../test/installed.ts";

const folder = mkdtempSync(join(tmpdir(), "robotrie-columns-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const hasArrow = spawnSync("python3", ["-c", "import pyarrow"]).status === 0;
const title = "docs/columns.md: the function in Python";

test.skipIf(!hasArrow)(
	hasArrow ? title : `${title}: SKIPPED, there is no python3 with pyarrow`,
	() => {
		const page = readFileSync(join(root, "docs/columns.md"), "utf8");
		const [, code = "", output] =
			/```python\n(.*?)```.*?```text\n(.*?)```/s.exec(page) ?? [];
		const command = join(folder, "robotrie");
		writeFileSync(
			command,
			`#!/bin/sh\nexec "${process.execPath}" "${join(root, "packages/cli/main.js")}" "$@"\n`,
		);
		chmodSync(command, 0o755);
		const script = join(folder, "verdicts.py");
		writeFileSync(script, code);
		const env = { ...process.env, PATH: `${folder}:${process.env.PATH}` };
		expect(execFileSync("python3", [script], { env, encoding: "utf8" })).toBe(
			output,
		);
	},
);
