import { expect, test } from "vitest";
import { file, robotrie, root } from "./run.ts";

const clean = "User-agent: *\nDisallow: /a\n";
const warned = "User-agent: *\nDisallow: a\n";
const faulty = "Disallow: /a\nUser-agent: *\nDissallow: /b\nAllow:\n";

test.each([
	["nothing", clean, 0, /^nothing found in <stdin>\n$/],
	["an empty file", "", 0, /^nothing found in <stdin>\n$/],
	[
		"a warning",
		warned,
		0,
		/^<stdin>:2: warning pattern-without-slash .+\n1 warning in <stdin>\n$/,
	],
	[
		"errors",
		faulty,
		1,
		/^<stdin>:1: error rule-outside-group .+\n<stdin>:3: error misspelled-field .+\n<stdin>:4: info empty-allow .+\n2 errors, 1 remark in <stdin>\n$/,
	],
])("%s", async (_, stdin, code, output) => {
	for (const args of [["lint"], ["lint", "-"]]) {
		const result = await robotrie(args, { stdin });
		expect(String(result.stdout)).toMatch(output);
		expect(result).toMatchObject({ code, stderr: "" });
	}
});

test("control characters do not reach the terminal", async () => {
	const stdin = "User-agent: *\nDisallow \x1b[31m\n";
	const result = await robotrie(["lint"], { stdin });
	expect(String(result.stdout)).toContain("Disallow \\x1b[31m has no colon");
});

test("the dialect decides what an error is", async () => {
	const stdin = "User-agent: *\nDissallow: /b\n";
	const strict = await robotrie(["lint"], { stdin });
	expect(strict.code).toBe(1);
	const lenient = await robotrie(["lint", "--dialect", "google"], { stdin });
	expect(lenient.code).toBe(0);
});

test("several files", async () => {
	const first = file("lint-first.txt", warned);
	const second = file("lint-second.txt", faulty);
	const result = await robotrie(["lint", first, second]);
	const lines = String(result.stdout).trim().split("\n");
	expect(lines.map((line) => line.replace(/: .*/, ""))).toEqual([
		`${first}:2`,
		`${second}:1`,
		`${second}:3`,
		`${second}:4`,
		"2 errors, 1 warning, 1 remark in 2 files",
	]);
	expect(result.code).toBe(1);
});

test("--json", async () => {
	const result = await robotrie(["lint", "--json"], { stdin: faulty });
	const message = expect.any(String);
	expect(JSON.parse(String(result.stdout))).toEqual([
		{
			file: "<stdin>",
			line: 1,
			severity: "error",
			code: "rule-outside-group",
			message,
		},
		{
			file: "<stdin>",
			line: 3,
			severity: "error",
			code: "misspelled-field",
			message,
		},
		{
			file: "<stdin>",
			line: 4,
			severity: "info",
			code: "empty-allow",
			message,
		},
	]);
	expect(result.code).toBe(1);
});

test("--json of nothing", async () => {
	const result = await robotrie(["lint", "--json"], { stdin: clean });
	expect(String(result.stdout)).toBe("[]\n");
	expect(result.code).toBe(0);
});

test("--max-bytes", async () => {
	const result = await robotrie(["lint", "--max-bytes", "20"], {
		stdin: clean,
	});
	expect(String(result.stdout)).toContain("<stdin>:2: error file-truncated");
	expect(result.code).toBe(1);
});

test.each([
	["sample/robots.txt", 0],
	["sample/mistakes.txt", 1],
])("%s", async (path, code) => {
	const result = await robotrie(["lint", `${root}${path}`]);
	expect(result.code).toBe(code);
});
