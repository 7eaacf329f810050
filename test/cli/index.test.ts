import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { beforeAll, describe, expect, test } from "vitest";
import { folder, robotrie } from "./run.ts";

const file = "User-agent: *\nDisallow: /a\n\nUser-agent: b\nDisallow: /b\n";
const base64 = Buffer.from(file).toString("base64");
let sites = "";
let out = "";

beforeAll(() => {
	sites = join(folder, "sites");
	out = join(folder, "sites.index");
	for (const name of ["c.example", "d.example_8443", "e.example"])
		mkdirSync(join(sites, name), { recursive: true });
	for (const name of [
		"a.example",
		"b.example.txt",
		"b.example_8080.robots.txt",
		"c.example/robots.txt",
		"d.example_8443/robots.txt",
		".hidden",
	])
		writeFileSync(join(sites, name), file);
	symlinkSync("nowhere", join(sites, "f.example"));
});

/** Verdicts for lines, by the index that was written last. */
async function verdicts(...lines: readonly string[]): Promise<string[]> {
	const { stdout, code } = await robotrie(["match", "--index", out], {
		stdin: lines.map((line) => `${line}\n`).join(""),
	});
	expect(code).toBe(0);
	return stdout.toString().trim().split("\n");
}

describe("a folder", () => {
	test("of files named by host, in both schemes", async () => {
		const { code, stdout, stderr } = await robotrie([
			...["index", "-a", "x", "-o", out, "--summary", sites],
		]);
		expect([code, stdout.toString()]).toEqual([0, ""]);
		expect(stderr.replaceAll(sites, "SITES").split("\n")).toEqual([
			"robotrie: SITES/e.example/robots.txt: no such file or directory",
			"robotrie: SITES/f.example: no such file or directory",
			"robotrie: 2 sites could not be read and are left out",
			`robotrie: 10 origins, 1 different program: ${readFileSync(out).length} bytes in SITES.index`,
			"",
		]);
		expect(
			await verdicts(
				"https://a.example/a",
				"http://B.example:80/a",
				"http://b.example:8080/b",
				"https://c.example/a/",
				"https://d.example:8443/a",
				"https://d.example/a",
				"/a",
			),
		).toEqual([
			"disallowed\thttps://a.example/a",
			"disallowed\thttp://B.example:80/a",
			"allowed\thttp://b.example:8080/b",
			"disallowed\thttps://c.example/a/",
			"disallowed\thttps://d.example:8443/a",
			"unknown\thttps://d.example/a",
			"invalid\t/a",
		]);
	});

	test("in one scheme, for another agent", async () => {
		await robotrie(["index", "-a", "b", "-o", out, "--scheme", "http", sites]);
		expect(await verdicts("http://a.example/b", "https://a.example/b")).toEqual(
			["disallowed\thttp://a.example/b", "unknown\thttps://a.example/b"],
		);
	});

	test("with --strict nothing is written when a site cannot be read", async () => {
		const place = join(folder, "strict.index");
		const { code, stderr } = await robotrie([
			...["index", "-a", "x", "-o", place, "--strict", sites],
		]);
		expect([code, stderr.split("\n").at(-2)]).toEqual([
			2,
			"robotrie: 2 sites could not be read; nothing was written",
		]);
		expect(() => readFileSync(place)).toThrow("no such file");
	});
});

describe("JSON lines", () => {
	const lines = [
		{ origin: "https://a.example", robots: file },
		{ origin: "https://B.example:443/robots.txt", robots_b64: base64 },
		{ origin: "https://c.example", access: "disallow-all" },
		{ origin: "https://d.example", access: "allow-all", status: 404 },
		{ origin: "https://a.example", robots: "" },
	];
	const text = lines.map((line) => `${JSON.stringify(line)}\n`).join("");
	const expected = [
		"allowed\thttps://a.example/a",
		"disallowed\thttps://b.example/a",
		"disallowed\thttps://c.example/",
		"allowed\thttps://d.example/",
	];
	const urls = expected.map((line) => line.split("\t")[1] ?? "");

	test.each([
		["plain", text],
		["with CRLF and empty lines", text.replaceAll("\n", "\r\n\r\n")],
		["gzip", gzipSync(text)],
	])("%s, from stdin", async (_, stdin) => {
		const { code, stderr } = await robotrie(["index", "-a", "x", "-o", out], {
			stdin,
		});
		expect([code, stderr]).toEqual([0, ""]);
		expect(await verdicts(...urls)).toEqual(expected);
	});

	test("lines that are none are told and counted, the rest counts", async () => {
		const faults = ["{", "[]", "null", "7", "{}", '{"origin":7}'];
		const stdin = `${faults.join("\n")}\n{"origin":"x","robots":""}\n{"origin":"https://e.example","access":"no"}\n${text}`;
		const { code, stderr } = await robotrie(["index", "-a", "x", "-o", out], {
			stdin,
		});
		expect(code).toBe(0);
		expect(stderr.split("\n")).toEqual([
			"robotrie: <stdin>:1: no JSON",
			'robotrie: <stdin>:2: no "origin"',
			"robotrie: <stdin>:3: no JSON object",
			"robotrie: <stdin>:4: no JSON object",
			'robotrie: <stdin>:5: no "origin"',
			"robotrie: 8 sites could not be read and are left out",
			"",
		]);
		expect(await verdicts(...urls)).toEqual(expected);
	});
});

const failures: readonly (readonly [string, readonly string[], string])[] = [
	["no agent", ["index", "-o", "x"], "'-a, --agent <name>' not specified"],
	["no file", ["index", "-a", "x"], "'-o, --out <file>' not specified"],
	[
		"no such folder",
		["index", "-a", "x", "-o", "x", "nowhere"],
		"cannot read nowhere: no such file or directory",
	],
	[
		"an output that cannot be",
		["index", "-a", "x", "-o", "nowhere/x"],
		"cannot write nowhere/x: no such file or directory",
	],
	[
		"an index and an agent",
		["match", "--index", "x", "-a", "x"],
		"--index goes without --robots and --agent",
	],
	[
		"an index that is not there",
		["match", "--index", "nowhere"],
		"cannot read the index nowhere: no such file or directory",
	],
	[
		"an index that is none",
		["match", "--index", "package.json"],
		"cannot read the index package.json: these bytes are no index",
	],
];
test.each(failures)("%s", async (_, args, message) => {
	const { code, stdout, stderr } = await robotrie(args);
	expect([code, stdout.length]).toEqual([2, 0]);
	expect(stderr).toContain(message);
	expect(stderr.trim().split("\n")).toHaveLength(1);
});
