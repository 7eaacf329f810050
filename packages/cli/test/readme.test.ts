import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { root } from "./run.ts";

/** A folder with an npx that runs the command built here, by its name and by its package's. */
const bin = mkdtempSync(join(tmpdir(), "robotrie-"));
afterAll(() => rmSync(bin, { recursive: true, force: true }));
writeFileSync(
	join(bin, "npx"),
	`#!/bin/sh
case "$1" in
robotrie | @robotrie/cli) shift ;;
*) exit 1 ;;
esac
exec "${process.execPath}" "${join(root, "packages/cli/main.js")}" "$@"
`,
	{ mode: 0o755 },
);

/** The commands of a page, and the output that it shows for them. */
const examplesOf = (page: string) =>
	[...readFileSync(join(root, page), "utf8").matchAll(/^```\n(\$ .*?)^```$/gms)]
		.flatMap(([, block = ""]) => block.split(/^\$ /m).slice(1))
		.map((text) => {
			const end = text.indexOf("\n");
			return {
				page,
				command: text.slice(0, end),
				output: text.slice(end + 1).trim(),
			};
		});

const pages: readonly (readonly [page: string, examples: number])[] = [
	["README.md", 3],
	["docs/command-line.md", 7],
	["docs/other-lines.md", 1],
];

test.each(pages)("%s has its examples of commands", (page, count) =>
	expect(examplesOf(page)).toHaveLength(count),
);

test.each(pages.flatMap(([page]) => examplesOf(page)))(
	"$page: $command",
	({ command, output }) => {
		const path = [bin, process.env.PATH].join(delimiter);
		const stdout = execFileSync("sh", ["-c", command], {
			cwd: root,
			encoding: "utf8",
			env: { PATH: path },
			stdio: ["ignore", "pipe", "ignore"],
		});
		expect(stdout.trim()).toBe(output);
	},
);
