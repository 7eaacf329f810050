import { execFile } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, expect, test } from "vitest";
import { root } from "../packages/cli/test/run.ts";

const run = promisify(execFile);
const folder = mkdtempSync(join(tmpdir(), "robotrie-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const files: readonly (readonly [name: string, text: string])[] = [
	["names.txt", "GPTBot\n# NoBot\nNewBot\n"],
	[
		"robots.txt",
		"User-agent: *\nUser-agent: gptbot\nUser-agent: NewBot # x\nDisallow: /\n",
	],
	[
		"robots.json",
		'{"GPTBot": {}, "Operator": {}, "NewBot": {"function": "AI Agents", "operator": "New", "respect": "Unclear at this time."}}',
	],
	["list.json", '["NewBot", "GPTBot"]'],
];

test("crawlers:check lists the names of files that the table lacks", async () => {
	const paths = files.map(([name, text]) => {
		const path = join(folder, name);
		writeFileSync(path, text);
		return path;
	});
	const { stdout } = await run(
		process.execPath,
		["tools/check-crawlers.mjs", ...paths],
		{ cwd: root },
	);
	for (const path of paths)
		expect(stdout).toContain(
			`${path}, not in the table: 1\n  NewBot (in no list${path.endsWith("robots.json") ? "; AI Agents; New" : ""})\n`,
		);
	expect(stdout).toContain("use unknown: a page of the maker's would say it");
	expect(stdout).toMatch(
		/^crawler-user-agents, ai-crawler, not in the table: \d/,
	);
});
