import { spawnSync } from "node:child_process";
import {
	copyFileSync,
	mkdtempSync,
	readdirSync,
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

/** The commands of a page, the output that it shows for them, and the robots.txt that it shows before. */
const examplesOf = (page: string) => {
	const text = readFileSync(join(root, page), "utf8");
	const [, robots] = /^```robots\.txt\n(.*?)^```$/ms.exec(text) ?? [];
	return [...text.matchAll(/^```\n(\$ .*?)^```$/gms)]
		.flatMap(([, block = ""]) => block.split(/^\$ /m).slice(1))
		.map((example) => {
			const end = example.indexOf("\n");
			return {
				page,
				robots,
				command: example.slice(0, end),
				output: example.slice(end + 1).trim(),
			};
		});
};

const pages: readonly (readonly [page: string, examples: number])[] = [
	["README.md", 1],
	["docs/command-line.md", 9],
	["docs/other-lines.md", 1],
	["docs/questions/allow-only-search-engines.md", 2],
	["docs/questions/block-ai-crawlers.md", 2],
	["docs/questions/blocked-by-mistake.md", 1],
	["docs/questions/indexed-though-blocked.md", 1],
	["docs/questions/what-a-crawler-obeys.md", 3],
];

test("the questions that people ask all end in an example", () => {
	const folder = "docs/questions";
	const files = readdirSync(join(root, folder)).map(
		(name) => `${folder}/${name}`,
	);
	expect(pages.map(([page]) => page)).toEqual(expect.arrayContaining(files));
	for (const file of files)
		expect(readFileSync(join(root, file), "utf8")).toMatch(
			/^```\n\$ [^`]+```\n$/m,
		);
});

test.each(pages)("%s has its examples of commands", (page, count) =>
	expect(examplesOf(page)).toHaveLength(count),
);

test.each(pages.flatMap(([page]) => examplesOf(page)))(
	"$page: $command",
	({ robots, command, output }) => {
		const path = [bin, process.env.PATH].join(delimiter);
		const own = mkdtempSync(join(bin, "page-"));
		if (robots !== undefined) writeFileSync(join(own, "robots.txt"), robots);
		const { stdout, status } = spawnSync("sh", ["-c", command], {
			cwd: robots === undefined ? root : own,
			encoding: "utf8",
			env: { PATH: path },
			stdio: ["ignore", "pipe", "ignore"],
		});
		expect(stdout.trim()).toBe(output);
		// 1: "check" or "lint" found what the page speaks of; 2 would be a mistake in the command.
		expect(status).toBeLessThan(2);
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
