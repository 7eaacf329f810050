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
	mkdirSync(join(folder, "node_modules"));
	symlinkSync(root, join(folder, "node_modules/robotrie"));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Runs a line of the docs; other machines are this one. */
function run(command: string): string {
	const script = `robotrie() { "${process.execPath}" "${join(root, "dist/cli.js")}" "$@"; }
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

	test.each(commands)("%s", (command) => {
		run(command);
	});

	test("merged states give the report of all logs", () => {
		const whole = run(
			"robotrie audit -r robots.txt access.log.1 access.log.2 -o html",
		);
		expect(readFileSync(join(folder, "report.html"), "utf8")).toBe(whole);
	});

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
