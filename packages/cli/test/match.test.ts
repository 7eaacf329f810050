import { spawn } from "node:child_process";
import { once } from "node:events";
import { expect, test } from "vitest";
import { file, robotrie, robots, root } from "./run.ts";

const match = (...more: string[]) => [
	"match",
	"--robots",
	robots,
	"--agent",
	"x",
	...more,
];

const contract: readonly (readonly [string, string, string])[] = [
	["nothing", "", ""],
	["one line", "/a\n", "allowed\t/a\n"],
	[
		"verdicts, in order",
		"/private/1\n/private/open\nhttps://example.com/private\nno url\n",
		"disallowed\t/private/1\nallowed\t/private/open\ndisallowed\thttps://example.com/private\ninvalid\tno url\n",
	],
	[
		"no line end at the end",
		"/a\n/private",
		"allowed\t/a\ndisallowed\t/private\n",
	],
	["CRLF", "/a\r\n/private\r\n", "allowed\t/a\r\ndisallowed\t/private\r\n"],
	[
		"CR without LF, which ends no line",
		"/a\r/private\n",
		"allowed\t/a\r/private\n",
	],
	["empty lines", "\n\r\n\n", "invalid\t\ninvalid\t\r\ninvalid\t\n"],
	["tabs and spaces", " /a\n/a\tb \n", "allowed\t /a\nallowed\t/a\tb \n"],
	[
		"bytes that are not UTF-8, and NUL",
		"/\xff\xfe\xc3(\n/private\x00\x80\n",
		"allowed\t/\xff\xfe\xc3(\ndisallowed\t/private\x00\x80\n",
	],
	[
		"lines of every length up to ten",
		Array.from({ length: 11 }, (_, n) => `${"/".repeat(n)}\n`).join(""),
		Array.from(
			{ length: 11 },
			(_, n) => `${n === 0 ? "invalid" : "allowed"}\t${"/".repeat(n)}\n`,
		).join(""),
	],
];

test.each(contract)("stdin with %s", async (_, stdin, expected) => {
	const result = await robotrie(match(), {
		stdin: Buffer.from(stdin, "latin1"),
	});
	expect(result.stdout.toString("latin1")).toBe(expected);
	expect(result).toMatchObject({ code: 0, stderr: "" });
});

test("files are read in turn, and - is stdin", async () => {
	const first = file("first.txt", "/a");
	const second = file("second.txt", "/private");
	const result = await robotrie(match(first, "-", second), { stdin: "/b\n" });
	expect(String(result.stdout)).toBe(
		"allowed\t/a\nallowed\t/b\ndisallowed\t/private\n",
	);
	expect(result.code).toBe(0);
});

test("the robots.txt can come from stdin", async () => {
	const result = await robotrie(
		["match", "-r", "-", "-a", "x", file("urls.txt", "/a\n/b\n")],
		{ stdin: "User-agent: *\nDisallow: /b\n" },
	);
	expect(String(result.stdout)).toBe("allowed\t/a\ndisallowed\t/b\n");
});

test.each([
	["allowed", "allowed\t/a\nallowed\t/c\n"],
	["disallowed", "disallowed\t/private/b\ndisallowed\t/private\n"],
	["invalid", "invalid\tb\n"],
	["unknown", ""],
])("--only %s", async (only, expected) => {
	const stdin = "/a\nb\n/private/b\n/c\n/private";
	const result = await robotrie(match("--only", only), { stdin });
	expect(String(result.stdout)).toBe(expected);
	expect(result.code).toBe(0);
});

test.each([
	["a disallowed line", "/a\n/private\n", [], 1],
	[
		"a disallowed line that is not written",
		"/private\n/a\n",
		["--only", "allowed"],
		1,
	],
	["no disallowed line", "/a\nno url\n", [], 0],
	["nothing", "", [], 0],
])("--check and %s", async (_, stdin, more, code) => {
	const result = await robotrie(match("--check", ...more), { stdin });
	expect(result).toMatchObject({ code, stderr: "" });
});

test.each([
	[["-a", "Examplebot"], "disallowed"],
	[["-a", "examplebot"], "disallowed"],
	[["-a", "Nobody", "-a", "Examplebot"], "disallowed"],
	[["-a", "Examplebot", "-a", "Nobody"], "disallowed"],
	[["-a", "Examplebot", "-a", "Otherbot"], "disallowed"],
	[["-a", "Otherbot", "-a", "Examplebot"], "allowed"],
	[["-a", "Nobody"], "allowed"],
	[["-a", "*"], "allowed"],
])("agents %j", async (agents, verdict) => {
	const result = await robotrie(["match", "-r", robots, ...agents], {
		stdin: "/examples/1\n",
	});
	expect(String(result.stdout)).toBe(`${verdict}\t/examples/1\n`);
	expect(result).toMatchObject({ code: 0, stderr: "" });
});

test.each(
	["Mozilla/5.0 (compatible; Examplebot/1.0)", "Examplebot/1.0"].flatMap(
		(header) =>
			["rfc9309", "google", "yandex"].map((dialect) => [header, dialect]),
	),
)("a whole User-Agent header: %s, %s", async (header = "", dialect = "") => {
	const result = await robotrie(
		["match", "-r", robots, "-a", header, "--dialect", dialect],
		{ stdin: "/examples/1\n" },
	);
	expect(String(result.stdout)).toBe("disallowed\t/examples/1\n");
	expect(result).toMatchObject({ code: 0, stderr: "" });
});

test("a line is answered before the next one comes", async () => {
	const child = spawn(
		process.execPath,
		["packages/cli/main.js", "match", "-r", robots, "-a", "Googlebot"],
		{ cwd: root, stdio: ["pipe", "pipe", "inherit"] },
	);
	for (const line of ["/\n", "/a\n", "/news\n"]) {
		child.stdin.write(line);
		const [answer] = await once(child.stdout, "data");
		expect(String(answer)).toBe(`allowed\t${line}`);
	}
	child.stdin.end();
	expect(await once(child, "close")).toEqual([0, null]);
});

test("a header that names no crawler gets a warning", async () => {
	const header = "Mozilla/5.0 (X11; Linux x86_64) Firefox/130.0";
	const result = await robotrie(["match", "-r", robots, "-a", header], {
		stdin: "/a\n",
	});
	expect(result.code).toBe(0);
	expect(result.stderr).toMatch(
		/^robotrie: warning: agent "Mozilla\/5\.0 .*" does not name a crawler.*\n$/,
	);
});

test.each([
	["rfc9309", "allowed"],
	["google", "disallowed"],
	["yandex", "allowed"],
])("--dialect %s", async (dialect, verdict) => {
	const misspelled = file("misspelled.txt", "User-agent: *\nDissallow: /a\n");
	const result = await robotrie(
		["match", "-r", misspelled, "-a", "x", "--dialect", dialect],
		{ stdin: "/a\n" },
	);
	expect(String(result.stdout)).toBe(`${verdict}\t/a\n`);
});

test.each([
	["0", "allowed"],
	["14", "allowed"],
	["26", "disallowed"],
])("--max-bytes %s", async (bytes, verdict) => {
	const short = file("short.txt", "User-agent: *\nDisallow: /\n");
	const result = await robotrie(
		["match", "-r", short, "-a", "x", "--max-bytes", bytes],
		{ stdin: "/a\n" },
	);
	expect(String(result.stdout)).toBe(`${verdict}\t/a\n`);
});

test("--summary counts on stderr", async () => {
	const result = await robotrie(match("--summary"), {
		stdin: `/private\nx\n${"/a\n".repeat(1200)}`,
	});
	expect(result.stderr).toBe(
		"robotrie: 1,202 lines: 1,200 allowed, 1 disallowed, 1 invalid\n",
	);
	expect(result.code).toBe(0);
});

test.each([
	[
		"--progress",
		/^robotrie: \d+% of 1 MB, \d[\d,]* lines, \S+ lines\/s, \d+ s left\n/,
	],
	["--no-progress", /^$/],
])("%s", async (option, told) => {
	const urls = file("progress.txt", "/a\n".repeat(200_000));
	const args = ["match", "-r", robots, "-a", "x", option, urls];
	const result = await robotrie(args);
	expect(result.stdoutSize).toBe(200_000 * "allowed\t/a\n".length);
	expect(result.stderr).toMatch(told);
});
