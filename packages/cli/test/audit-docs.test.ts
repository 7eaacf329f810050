import { execFileSync } from "node:child_process";
import {
	cpSync,
	mkdirSync,
	mkdtempSync,
	readFileSync,
	rmSync,
	symlinkSync,
	writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { root } from "./run.ts";

const docs = ["audit", "audit-questions", "audit-counting"]
	.map((name) => readFileSync(join(root, `docs/${name}.md`), "utf8"))
	.join("\n");
const readme = readFileSync(join(root, "README.md"), "utf8");
let folder = "";

beforeAll(() => {
	folder = mkdtempSync(join(tmpdir(), "robotrie-docs-"));
	cpSync(join(root, "sample"), join(folder, "sample"), { recursive: true });
	const robots = readFileSync(join(root, "sample/robots.txt"));
	const log = readFileSync(join(root, "sample/access.log"), "utf8");
	const lines = log.trimEnd().split("\n");
	for (const name of ["robots.txt", "shop.txt", "old.txt", "new.txt"])
		writeFileSync(join(folder, name), robots);
	mkdirSync(join(folder, "sites"));
	writeFileSync(join(folder, "sites/example.com.txt"), robots);
	writeFileSync(join(folder, "access.log"), log);
	writeFileSync(
		join(folder, "vhosts.log"),
		lines.map((line) => `example.com:443 ${line}\n`).join(""),
	);
	const inFormat = (text: string) =>
		lines
			.map(
				(line) =>
					`${line.replace(/^(\S+) - - (\[.*?\]) (".*?") (\d+) (\S+) ".*?" (".*")$/, text)}\n`,
			)
			.join("");
	writeFileSync(
		join(folder, "nginx.log"),
		inFormat("$1 $2 a.example $3 $4 $6"),
	);
	writeFileSync(
		join(folder, "nginx.conf"),
		`http {\n  log_format timed '$remote_addr [$time_local] $host "$request" '\n  '$status "$http_user_agent"';\n}\n`,
	);
	writeFileSync(
		join(folder, "apache.log"),
		inFormat("a.example $1 - - $2 $3 $4 $5 $6"),
	);
	writeFileSync(
		join(folder, "app.ndjson"),
		'{"http":{"url":"/cart","user_agent":"GPTBot/1","status_code":200},"@timestamp":"2026-01-01T00:00:00Z"}\n',
	);
	writeFileSync(
		join(folder, "export.csv"),
		"when,request,agent\n2026-01-01T00:00:00Z,GET /cart HTTP/1.1,GPTBot/1\n",
	);
	symlinkSync(join(root, "node_modules"), join(folder, "node_modules"));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Runs a line of the docs, without what it pipes to. */
function run(command: string): string {
	const own = command.replace(/ \| .*$/, "");
	const script = `robotrie() { "${process.execPath}" "${join(root, "packages/cli/main.js")}" "$@"; }\n${own}`;
	return execFileSync("sh", ["-c", script], {
		cwd: folder,
		encoding: "utf8",
		stdio: ["ignore", "pipe", "ignore"],
	});
}

const formats = readFileSync(join(root, "docs/log-formats.md"), "utf8");
const commands = [
	...`${docs}\n${formats}`.matchAll(/^ {4}(robotrie audit .+)$/gm),
].map(([, command = ""]) => command);

test("there are commands in the docs", () =>
	expect(commands.length).toBeGreaterThan(8));

test.each(commands)("%s", (command) => {
	if (!command.includes("--check")) {
		run(command);
		return;
	}
	expect(() => run(command)).toThrow(expect.objectContaining({ status: 1 }));
});

test.each([
	["docs/audit.md", docs.replace(/^ {4}/gm, ""), 29],
	["README.md", readme, 3],
])("the table in %s is what comes out", (_, text, lines) => {
	const output = run(
		"robotrie audit -r sample/robots.txt --crawlers sample/crawlers.txt sample/access.log",
	);
	expect(text).toContain(output.split("\n").slice(0, lines).join("\n"));
});

/** Commands of the docs with the output that stands below them, indented like them. */
const shown = Array.from(
	docs.matchAll(/^ {4}\$ (robotrie .+)\n((?:(?: {4}.*)?\n)+)/gm),
	([, command = "", output = ""]): [string, string] => [
		command,
		output.replace(/^ {4}/gm, "").trim(),
	],
);

test("there are outputs in the docs", () =>
	expect(shown.length).toBeGreaterThan(3));

test.each(shown)("%s prints what the docs show", (command, output) => {
	const script = `robotrie() { "${process.execPath}" "${join(root, "packages/cli/main.js")}" "$@"; }\n${command}`;
	const printed = execFileSync("sh", ["-c", script], {
		cwd: folder,
		encoding: "utf8",
		stdio: ["ignore", "pipe", "ignore"],
	});
	expect(printed.trim()).toBe(output);
});

test.each([
	["330", "330 /\n"],
	["942", "942\n"],
	["true", "true\n"],
])("the example in a program that prints %s", (said, printed) => {
	const code = Array.from(
		docs.matchAll(/```js\n([\s\S]+?)```/g),
		([, text = ""]) => text,
	).find((text) => text.includes(`); // ${said}`));
	writeFileSync(join(folder, "example.mjs"), code ?? "");
	const output = execFileSync(process.execPath, ["example.mjs"], {
		cwd: folder,
		encoding: "utf8",
	});
	expect(output).toBe(printed);
});
