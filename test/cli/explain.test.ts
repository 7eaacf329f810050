import { expect, test } from "vitest";
import { file, robotrie, robots } from "./run.ts";

const explain = (...more: string[]) => [
	"explain",
	"--robots",
	robots,
	"--agent",
	"x",
	...more,
];

const text = `disallowed  https://example.com/private/1
  rule    line 2: Disallow: /private
  group   line 1: User-agent: *
  reason  Disallow: /private (line 2) is the longest rule that matches.

allowed  /b
  group   line 1: User-agent: *
  reason  No rule of the group at line 1 matches, so the URL is allowed.
`;

test("text", async () => {
	const result = await robotrie(explain("https://example.com/private/1", "/b"));
	expect(String(result.stdout)).toBe(text);
	expect(result).toMatchObject({ code: 0, stderr: "" });
});

test("URLs from stdin, empty lines aside", async () => {
	const result = await robotrie(explain(), {
		stdin: "https://example.com/private/1\r\n\n/b",
	});
	expect(String(result.stdout)).toBe(text);
	expect(result).toMatchObject({ code: 0, stderr: "" });
});

test("--json", async () => {
	const result = await robotrie(explain("--json", "/private/1", "/b"));
	expect(JSON.parse(String(result.stdout))).toEqual([
		{
			url: "/private/1",
			allowed: false,
			rule: { type: "disallow", pattern: "/private", line: 2 },
			group: { agents: ["*"], line: 1 },
			reason: expect.stringContaining("Disallow: /private (line 2)"),
		},
		{
			url: "/b",
			allowed: true,
			rule: null,
			group: { agents: ["*"], line: 1 },
			reason: expect.any(String),
		},
	]);
	expect(result).toMatchObject({ code: 0, stderr: "" });
});

test("--json of nothing", async () => {
	const result = await robotrie(explain("--json"));
	expect(String(result.stdout)).toBe("[]\n");
	expect(result.code).toBe(0);
});

test("what is no URL is told, and the others are answered", async () => {
	const result = await robotrie(explain("--json", "nonsense", "/b", "also"));
	expect(JSON.parse(String(result.stdout))).toMatchObject([{ url: "/b" }]);
	expect(result.code).toBe(2);
	expect(result.stderr).toMatch(
		/^robotrie: "nonsense" is neither .*\nrobotrie: "also" is neither .*\n$/,
	);
});

test("agents, most specific first", async () => {
	const result = await robotrie(
		explain("--json", "--agent", "Examplebot", "/examples/1"),
	);
	expect(JSON.parse(String(result.stdout))).toMatchObject([
		{ allowed: false, group: { agents: ["Examplebot"], line: 5 } },
	]);
});

test("where dialects differ, the reason says so", async () => {
	const result = await robotrie([
		...["explain", "-r", file("typo.txt", "User-agent: *\nDissallow: /a\n")],
		...["-a", "x", "-d", "google", "/a"],
	]);
	expect(String(result.stdout)).toContain(
		"The rfc9309 dialect answers allowed",
	);
});

test("colours only if asked for, and control characters never", async () => {
	const hostile = file(
		"hostile.txt",
		"User-agent: *\nDisallow: /\x1b[31m\x9b\n",
	);
	const args = ["explain", "-r", hostile, "-a", "x", "/\x1b[31m\x9b.html"];
	const plain = await robotrie(args);
	expect(String(plain.stdout)).not.toContain("\x1b");
	expect(String(plain.stdout)).not.toContain("\x9b");
	expect(String(plain.stdout)).toContain("line 2: Disallow: /\\x1b[31m\\x9b\n");
	const coloured = await robotrie(args, { env: { FORCE_COLOR: "1" } });
	expect(String(coloured.stdout)).toContain("\x1b[1m");
	expect(String(coloured.stdout)).not.toContain("/\x1b");
	const refused = await robotrie(args, { env: { NO_COLOR: "1" } });
	expect(String(refused.stdout)).toBe(String(plain.stdout));
});
