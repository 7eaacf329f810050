import { execFileSync } from "node:child_process";
import { randomBytes } from "node:crypto";
import {
	existsSync,
	mkdirSync,
	mkdtempSync,
	readFileSync,
	symlinkSync,
	writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { beforeAll, describe, expect, test } from "vitest";
import { file as fileOf, folder, robotrie } from "./run.ts";
import { warcOf } from "./sites.ts";

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
			"index",
			"-a",
			"x",
			"-o",
			out,
			"--summary",
			sites,
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

	test.each([
		["a.example.txt", "gzip", gzipSync(file)],
		["a.example.txt.gz", "gzip", gzipSync(file)],
		["a.example.gz", "gzip", gzipSync(file)],
		["a.example.txt", "plain", Buffer.from(file)],
	])("of files named like %s in %s", async (name, _, bytes) => {
		const place = mkdtempSync(join(folder, "stored-"));
		writeFileSync(join(place, name), bytes);
		const { stderr } = await robotrie(["index", "-a", "x", "-o", out, place]);
		expect(stderr).toBe("");
		expect(await verdicts("https://a.example/a")).toEqual([
			"disallowed\thttps://a.example/a",
		]);
	});

	const noHosts = [
		"user@host",
		"a#b",
		"a?b",
		"a\nb",
		"a b",
		"a%2e.txt",
		"[::1",
	];
	test.each([...noHosts, "pipe.example"])(
		"where %j stands for no site",
		async (name) => {
			const place = mkdtempSync(join(folder, "names-"));
			const bad = join(place, name);
			if (noHosts.includes(name)) writeFileSync(bad, file);
			else execFileSync("mkfifo", [bad]);
			writeFileSync(join(place, "bücher.example"), file);
			writeFileSync(join(place, "[2001:db8::1]_8080"), file);
			const args = ["index", "-a", "x", "--summary", "-o", out, place];
			const { code, stderr } = await robotrie(args);
			const shown = bad.replace("\n", "\\x0a");
			const fault = noHosts.includes(name)
				? "its name is not a host"
				: "no regular file";
			expect([code, ...stderr.split("\n").slice(0, 2)]).toEqual([
				0,
				`robotrie: ${shown}: ${fault}`,
				"robotrie: 1 site could not be read and is left out",
			]);
			expect(stderr).toContain("robotrie: 4 origins, ");
			expect((await robotrie([...args, "--strict"])).code).toBe(2);
		},
	);

	test("with many files that do not look like a robots.txt", async () => {
		const place = mkdtempSync(join(folder, "doubts-"));
		for (let i = 0; i < 7; i++)
			writeFileSync(join(place, `${i}.example`), "<html>");
		const { code, stderr } = await robotrie([
			"index",
			"-a",
			"x",
			"--strict",
			"-o",
			out,
			place,
		]);
		const lines = stderr.split("\n");
		expect([code, lines.length]).toEqual([0, 7]);
		expect(lines[5]).toBe(
			"robotrie: warning: 2 more files look like no robots.txt",
		);
	});

	test("with --strict nothing is written when a site cannot be read", async () => {
		const place = join(folder, "strict.index");
		const { code, stderr } = await robotrie([
			"index",
			"-a",
			"x",
			"-o",
			place,
			"--strict",
			sites,
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
		// A file with this text, which has no rule.
		{ origin: "https://e.example", robots: "disallow-all" },
		{ origin: "https://f.example", status: 503 },
		{ origin: "https://g.example", access: "later" },
		// As the Spark package calls it; a null leaves the other one.
		{ origin: "https://h.example", status: 200, body: file },
		{ origin: "https://i.example", robots: null, body: file },
		{ origin: "https://j.example", robots: file, body: null },
	];
	const text = lines.map((line) => `${JSON.stringify(line)}\n`).join("");
	const expected = [
		"allowed\thttps://a.example/a",
		"disallowed\thttps://b.example/a",
		"disallowed\thttps://c.example/",
		"allowed\thttps://d.example/",
		"allowed\thttps://e.example/",
		"later\thttps://f.example/",
		"later\thttps://g.example/",
		...["h", "i", "j"].map((host) => `disallowed\thttps://${host}.example/a`),
	];
	const doubt = (line: number) =>
		`robotrie: warning: <stdin>:${line}: The file has no line that crawlers know, so everything is allowed.`;
	const urls = expected.map((line) => line.split("\t")[1] ?? "");

	test.each([
		["plain", text, 6],
		["with CRLF and empty lines", text.replaceAll("\n", "\r\n\r\n"), 11],
		["gzip", gzipSync(text), 6],
	])("%s, from stdin", async (_, stdin, line) => {
		const { code, stderr } = await robotrie(["index", "-a", "x", "-o", out], {
			stdin,
		});
		expect([code, stderr]).toEqual([0, `${doubt(line)}\n`]);
		expect(await verdicts(...urls)).toEqual(expected);
	});

	test("of which none can be read: nothing is written", async () => {
		const place = join(folder, "none.index");
		const { code, stderr } = await robotrie(["index", "-a", "x", "-o", place], {
			stdin: "{\n[]\n",
		});
		expect([code, stderr.split("\n").at(-2)]).toEqual([
			2,
			"robotrie: 2 sites could not be read; nothing was written",
		]);
		expect(() => readFileSync(place)).toThrow("no such file");
	});

	const good = '{"origin":"https://a.example","access":"later"}\n';
	test.each([
		["3 of 5", good.repeat(2) + "{\n".repeat(3), 2],
		["2 of 4", good.repeat(2) + "{\n".repeat(2), 0],
		["2 of 3", `${good}{\n[]\n`, 2],
	])("of which %s cannot be read", async (name, stdin, code) => {
		const place = join(folder, `half-${name.replaceAll(" ", "-")}.index`);
		const found = await robotrie(["index", "-a", "x", "-o", place], { stdin });
		const [faults, all] = name.split(" of ");
		expect([found.code, found.stderr.split("\n").at(-2)]).toEqual([
			code,
			code === 0
				? `robotrie: ${faults} sites could not be read and are left out`
				: `robotrie: ${faults} sites could not be read, more than half of ${all}; nothing was written`,
		]);
		expect(existsSync(place)).toBe(code === 0);
	});

	test("an index is no input", async () => {
		const place = join(folder, "given.index");
		const shards = join(folder, "given");
		await robotrie(["index", "-a", "x", "-o", place], { stdin: good });
		await robotrie(["index", "-a", "x", "--shards", "2", "-o", shards], {
			stdin: good,
		});
		for (const given of [
			{ args: [place] },
			{ args: [shards] },
			{ stdin: readFileSync(place) },
		]) {
			const { code, stderr } = await robotrie(
				["index", "-a", "x", "-o", out, ...(given.args ?? [])],
				given.stdin ? { stdin: given.stdin } : {},
			);
			expect([code, stderr]).toEqual([
				2,
				`robotrie: ${given.args ?? "<stdin>"} is an index that robotrie index wrote; it is made from robots.txt files, JSON lines, Parquet or WARC\n`,
			]);
		}
	});

	// Not gzip, as it does not begin with 1f 8b.
	const noise = Buffer.concat([Buffer.of(7), randomBytes(3000)]);
	test.each([
		["noise.warc.gz", noise, "it is not gzip, and does not"],
		["noise.warc", noise, "it does not"],
		["page.WARC.gz", gzipSync("<html>\n"), "it does not"],
	])("%s is not a WARC file", async (name, bytes, reason) => {
		const place = fileOf(name, bytes);
		const out = join(folder, "noise.index");
		const { code, stderr } = await robotrie([
			"index",
			"-a",
			"x",
			"-o",
			out,
			place,
		]);
		expect([code, stderr]).toEqual([
			2,
			`robotrie: ${place} is not a WARC file: ${reason} begin with "WARC/"\n`,
		]);
	});

	test("broken lines are reported and counted; the others are used", async () => {
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
			doubt(14),
			"robotrie: 8 sites could not be read and are left out",
			"",
		]);
		expect(await verdicts(...urls)).toEqual(expected);
	});
});

test.each([
	["a file", [], "1 record: "],
	["a folder", ["--shards", "2", "--facts"], "1 record in 1 of 2 shards: "],
])("--update of %s", async (_, options, said) => {
	const place = join(folder, `updated-${options.length}`);
	const records = ["b", "c"].map(
		(name) => `{"origin":"https://${name}.example","status":503}\n`,
	);
	const [first = "", changed = ""] = records;
	const old = first + changed.replace("503", "404");
	await robotrie(["index", "-a", "x", "-o", place, ...options], { stdin: old });
	const args = ["index", "--update", place, "--summary"];
	const { code, stderr } = await robotrie(args, { stdin: changed });
	expect([code, stderr]).toEqual([
		0,
		expect.stringMatching(
			`^robotrie: ${said}\\d+ bytes written, 2 origins in ${place}\\n$`,
		),
	]);
	const { stdout } = await robotrie(["match", "--index", place], {
		stdin: "https://c.example/\n",
	});
	expect(String(stdout)).toBe("later\thttps://c.example/\n");
});

describe("without a site", () => {
	const page = { url: "https://a.example/page", body: "text" };
	const noRobots = (records: string) =>
		`robotrie: no robots.txt among ${records}; nothing was written`;
	const empty =
		'robotrie: warning: the input has no site, so the index is empty; "robotrie index --help" says what is read';
	test.each<[string, () => string | Promise<Buffer>, number, string]>([
		["nothing", () => "", 0, empty],
		["empty lines", () => "\r\n\n", 0, empty],
		["a page", () => warcOf([page]), 2, noRobots("1 record")],
		[
			"a page, asked for and answered",
			() => warcOf([{ ...page, type: "request" }, page]),
			2,
			noRobots("2 records"),
		],
		[
			"a redirect elsewhere",
			() =>
				warcOf([
					{
						...page,
						status: "HTTP/1.1 301 Moved Permanently",
						fields: { Location: "https://a.example/robots.txt" },
					},
				]),
			2,
			noRobots("1 record"),
		],
	])("%s", async (name, stdin, code, says) => {
		const place = join(folder, `no-site-${name.replaceAll(" ", "-")}.index`);
		const found = await robotrie(["index", "-a", "x", "-o", place], {
			stdin: await stdin(),
		});
		expect([found.code, found.stderr]).toEqual([code, `${says}\n`]);
		expect(existsSync(place)).toBe(code === 0);
	});

	test("an empty folder, in shards", async () => {
		const place = mkdtempSync(join(folder, "no-sites-"));
		const shards = join(folder, "no-site-shards");
		const { code, stderr } = await robotrie([
			"index",
			"-a",
			"x",
			"--shards",
			"2",
			"-o",
			shards,
			place,
		]);
		expect([code, stderr]).toEqual([0, `${empty}\n`]);
		const judged = await robotrie(["match", "--index", shards], {
			stdin: "https://a.example/\n",
		});
		expect(judged).toMatchObject({ code: 0, stderr: "" });
		expect(judged.stdout.toString()).toBe("unknown\thttps://a.example/\n");
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
		"--agent cannot be used with --index",
	],
	[
		"an index that is not there",
		["match", "--index", "nowhere"],
		"cannot read the index nowhere: no such file or directory",
	],
	[
		"an index that is none",
		["match", "--index", "package.json"],
		"cannot read the index package.json: these bytes are not a valid index",
	],
];
test.each(failures)("%s", async (_, args, message) => {
	const { code, stdout, stderr } = await robotrie(args);
	expect([code, stdout.length]).toEqual([2, 0]);
	expect(stderr).toContain(message);
	expect(stderr.trim().split("\n")).toHaveLength(1);
});
