import { execFileSync, spawnSync } from "node:child_process";
import {
	copyFileSync,
	mkdtempSync,
	readFileSync,
	rmSync,
	writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
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
	["README.md", 1],
	["docs/command-line.md", 9],
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

describe("packages/cli/README.md", () => {
	const folder = mkdtempSync(join(tmpdir(), "robotrie-"));
	afterAll(() => rmSync(folder, { recursive: true, force: true }));
	for (const name of ["robots.txt", "urls.txt", "access.log"])
		copyFileSync(join(root, "sample", name), join(folder, name));
	const commands = [
		...readFileSync(join(root, "packages/cli/README.md"), "utf8").matchAll(
			/^ {4}npx @robotrie\/cli (.+)$/gm,
		),
	].map(([, command = ""]) => command);

	test("has its examples of commands", () => expect(commands).toHaveLength(4));

	test.each(commands)("%s", (command) => {
		// A file in place of the network.
		const args = command.replace("https://example.com/", "robots.txt");
		const { stdout, stderr, status } = spawnSync(
			process.execPath,
			[
				join(root, "packages/cli/main.js"),
				...(command.startsWith("explain")
					? [...command.split(" "), "--robots", "robots.txt"]
					: args.split(" ")),
			],
			{ cwd: folder, encoding: "utf8" },
		);
		expect({ stderr, status }).toEqual({ stderr: "", status: 0 });
		expect(stdout).toMatch(
			command.startsWith("lint") ? /^robots\.txt:9: info / : /allowed/,
		);
	});
});
