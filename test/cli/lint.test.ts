import { readFileSync } from "node:fs";
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
		/^<stdin>:2: warning pattern-without-slash .+\n {2}example {2}\/a is allowed in google, disallowed in rfc9309 and yandex\n1 warning in <stdin>\n"robotrie lint --explain <code>" explains .+\n$/,
	],
	[
		"errors",
		faulty,
		1,
		/^<stdin>:1: error rule-outside-group .+\n<stdin>:3: error misspelled-field .+\n {2}example .+\n<stdin>:4: info empty-allow .+\n {2}example .+\n2 errors, 1 remark in <stdin>\n"robotrie .+\n$/,
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
	const lines = String(result.stdout).trim().split("\n").slice(0, -1);
	const findings = lines.filter((line) => !line.startsWith("  "));
	expect(findings.map((line) => line.replace(/: .*/, ""))).toEqual([
		`${first}:2`,
		`${second}:1`,
		`${second}:3`,
		`${second}:4`,
		"2 errors, 1 warning, 1 remark in 2 files",
	]);
	expect(result.code).toBe(1);
});

test("an unreadable file is an error; the others are checked", async () => {
	const path = file("lint-third.txt", faulty);
	for (const args of [[], ["--json"]]) {
		const result = await robotrie(["lint", ...args, "no-such-file", path]);
		expect(String(result.stdout)).toContain("rule-outside-group");
		expect(result.code).toBe(2);
		expect(result.stderr).toMatch(/^robotrie: cannot read no-such-file: .+\n$/);
	}
});

test("--json", async () => {
	const result = await robotrie(["lint", "--json"], { stdin: faulty });
	const message = expect.any(String);
	const example = (url: string, ...[rfc9309, google, yandex]: boolean[]) => ({
		agent: "*",
		url,
		allowed: { rfc9309, google, yandex },
	});
	expect(JSON.parse(String(result.stdout))).toEqual([
		{
			file: "<stdin>",
			line: 1,
			severity: "error",
			code: "rule-outside-group",
			message,
			page: "docs/lint/rule-outside-group.md",
		},
		{
			file: "<stdin>",
			line: 3,
			severity: "error",
			code: "misspelled-field",
			message,
			example: example("/b", true, false, false),
			page: "docs/lint/misspelled-field.md",
		},
		{
			file: "<stdin>",
			line: 4,
			severity: "info",
			code: "empty-allow",
			message,
			example: example("/", true, true, false),
			page: "docs/lint/empty-allow.md",
		},
	]);
	expect(result.code).toBe(1);
});

test("--json without findings", async () => {
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

test("--explain prints a page", async () => {
	const result = await robotrie(["lint", "--explain", "shadowed-rule"]);
	const page = readFileSync(`${root}docs/lint/shadowed-rule.md`, "utf8");
	expect(String(result.stdout)).toBe(page);
	expect(result).toMatchObject({ code: 0, stderr: "" });
});

test("of many findings with one code the first are listed, and --all lists all", async () => {
	const stdin = `User-agent: *\n${"Disallow: /a\n".repeat(1206)}Noindex: /\n`;
	const some = await robotrie(["lint"], { stdin });
	expect(
		String(some.stdout)
			.split("\n")
			.map((line) => line.replace(/(<stdin>:\d+: \w+ [\w-]+) .*/, "$1")),
	).toEqual([
		...[3, 4, 5, 6, 7].map((line) => `<stdin>:${line}: info duplicate-rule`),
		"<stdin>:1208: warning noindex",
		"<stdin>: info duplicate-rule: 1,200 more, which --all lists",
		"1 warning, 1,205 remarks in <stdin>",
		expect.stringMatching(/--explain/),
		"",
	]);
	const all = await robotrie(["lint", "--all"], { stdin });
	expect(String(all.stdout).split("\n").length).toBe(1206 + 3);
	const json = await robotrie(["lint", "--json"], { stdin });
	expect(JSON.parse(String(json.stdout))).toHaveLength(1206);
});
