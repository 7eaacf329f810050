import { existsSync, readFileSync } from "node:fs";
import { basename, join } from "node:path";
import { gzipSync } from "node:zlib";
import fc from "fast-check";
import { beforeAll, describe, expect, test } from "vitest";
import { casesOf } from "../../../test/cases.ts";
import { file, folder, type Input, robotrie } from "./run.ts";

const rules = file(
	"state-robots.txt",
	`User-agent: archive.org_bot
Disallow: /private
Crawl-delay: 2

User-agent: *
Disallow: /b
`,
);

const headers = [
	"archive.org_bot",
	"Mozilla/5.0 (compatible; archive.org_bot; +http://x.example)",
	"GPTBot/1.0",
	"NeverSeenBot/1.0",
	"Mozilla/5.0 (X11; Linux x86_64; rv:1) Gecko/1 Firefox/1.0",
	"-",
];
const targets = ["/", "/b", "/b/2", "/private/1", "/robots.txt", "*", "/é"];

const request = fc.record({
	header: fc.constantFrom(...headers),
	target: fc.constantFrom(...targets),
	/** Seconds after the line before. */
	pause: fc.constantFrom(0, 1, 3, 86_400),
	/** A line behind it that cannot be parsed. */
	junk: fc.boolean(),
});
type Request = typeof request extends fc.Arbitrary<infer T> ? T : never;

function linesOf(requests: readonly Request[]): string[] {
	let time = Date.UTC(2025, 9, 14);
	return requests.map(({ header, target, pause, junk }) => {
		time += pause * 1000;
		const clock = new Date(time).toISOString().slice(11, 19);
		const day = new Date(time).toUTCString().slice(5, 16).replaceAll(" ", "/");
		return `192.0.2.1 - - [${day}:${clock} +0000] "GET ${target} HTTP/1.1" 200 5 "-" "${header}"\n${junk ? "junk\n" : ""}`;
	});
}

/** What a command prints that must succeed. */
async function outputOf(args: readonly string[], input: Input = {}) {
	const { stdout, stderr, code } = await robotrie(args, input);
	return { stdout: stdout.toString(), stderr, code };
}

test("states of the parts of a log, merged, give each byte of the report of one run", () =>
	fc.assert(
		fc.asyncProperty(
			fc.array(request, { minLength: 1, maxLength: 120 }),
			fc.array(fc.tuple(fc.nat(120), fc.boolean(), fc.nat(3)), {
				maxLength: 3,
			}),
			fc.constantFrom("table", "json", "ndjson", "csv", "html"),
			fc.constantFrom("name", "category", "header"),
			async (requests, cuts, output, groupBy) => {
				const lines = linesOf(requests);
				const borders = [[0, false, 0] as const, ...cuts]
					.toSorted(([a], [b]) => a - b)
					.map(([from, isPacked, workers], index, all) => ({
						text: lines.slice(from, all[index + 1]?.[0]).join(""),
						isPacked,
						workers: String(workers + 1),
					}))
					.filter(({ text }) => text !== "");
				const settings = ["audit", "-r", rules, "-f", "combined"];
				settings.push("-g", groupBy);
				const parts = borders.map(({ text, isPacked }, index) =>
					file(`state-${index}.log`, isPacked ? gzipSync(text) : text),
				);
				const states = await Promise.all(
					borders.map(async ({ workers }, index) => {
						const state = join(folder, `${index}.state`);
						const log = parts[index] ?? "";
						const args = ["--state", state, "--workers", workers, log];
						const made = await robotrie([...settings, ...args]);
						expect(made).toMatchObject({ code: 0 });
						return state;
					}),
				);
				const [merged, whole] = await Promise.all([
					outputOf(["audit", "merge", "-o", output, ...states]),
					outputOf([...settings, "-o", output, ...parts]),
				]);
				expect(merged).toEqual(whole);
			},
		),
		{ numRuns: casesOf(5) },
	));

const log = (name: string, hour: string, header = "GPTBot/1.0") =>
	file(
		name,
		`192.0.2.1 - - [14/Oct/2025:${hour}:00:00 +0000] "GET /b HTTP/1.1" 200 5 "-" "${header}"\n`,
	);
const path = (name: string) => join(folder, name);

async function stateOf(name: string, ...args: string[]): Promise<string> {
	const state = path(name);
	const { stderr, code } = await robotrie(["audit", "--state", state, ...args]);
	expect([stderr, code]).toEqual(["", 0]);
	return state;
}

describe("merging", () => {
	let first = "";
	let second = "";
	const logs = [log("first.log", "01"), log("second.log", "02", "CCBot/2.0")];
	beforeAll(async () => {
		[first, second] = await Promise.all([
			stateOf("first.state", "-r", rules, logs[0] ?? ""),
			stateOf("second.state", "-r", rules, logs[1] ?? ""),
		]);
	});

	test("in any order is one pass over the log that the parts make up", async () => {
		const requests = Array.from(
			{ length: 90 },
			(_, at): Request => ({
				header: headers[at % 4] ?? "",
				target: targets[at % 7] ?? "",
				pause: at % 45 === 44 ? 86_400 : 1,
				junk: false,
			}),
		);
		const lines = linesOf(requests);
		const settings = ["audit", "-r", rules, "-f", "combined"];
		// Named against their order.
		const names = ["c", "b", "a"];
		const states = await Promise.all(
			names.map((name, at) =>
				stateOf(
					`${name}.state`,
					...settings.slice(1),
					file(`${name}.log`, lines.slice(30 * at, 30 * at + 30).join("")),
				),
			),
		);
		const whole = file("abc.log", lines.join(""));
		const { stdout } = await outputOf([...settings, "-o", "json", whole]);
		const { logs: _, ...expected } = JSON.parse(stdout);
		for (const order of ["012", "021", "102", "120", "201", "210"]) {
			const files = [...order].map((at) => states[Number(at)] ?? "");
			const merged = await outputOf(["audit", "merge", "-o", "json", ...files]);
			const { logs, ...report } = JSON.parse(merged.stdout);
			expect([order, logs.map((log: string) => basename(log))]).toEqual([
				order,
				names.map((name) => `${name}.log`),
			]);
			expect(report).toEqual(expected);
		}
	});

	test("states of states, packed states and one from stdin give the same report", async () => {
		const whole = await outputOf(["audit", "-r", rules, ...logs]);
		const both = path("both.state");
		const merge = ["audit", "merge"];
		const made = [
			await outputOf([...merge, "--state", both, first, second]),
			await outputOf([...merge, both]),
			await outputOf(merge, { stdin: readFileSync(both) }),
			await outputOf([
				...merge,
				file("packed.state", gzipSync(readFileSync(first))),
				second,
			]),
		];
		for (const one of made) expect(one).toEqual(whole);
	});

	test("--state - writes the state to stdout, without a report", async () => {
		const { stdout, code } = await robotrie([
			"audit",
			"-r",
			rules,
			"--state",
			"-",
			logs[0] ?? "",
		]);
		expect(code).toBe(0);
		expect(stdout.equals(readFileSync(first))).toBe(true);
	});

	test("--check and --strict hold for merged states", async () => {
		const { code } = await robotrie(["audit", "merge", "--check", first]);
		expect(code).toBe(1);
		const junk = await stateOf("good.state", "-r", rules, logs[0] ?? "");
		expect((await robotrie(["audit", "merge", "--strict", junk])).code).toBe(0);
	});

	const changed = (name: string, change: (bytes: Buffer) => Uint8Array) =>
		file(name, change(readFileSync(first)));
	const other = file("state-other.txt", "User-agent: *\nDisallow: /\n");

	/** Options of an audit whose state does not go with `first`. */
	const settings: readonly (readonly [string, string[], RegExp])[] = [
		[
			"another robots.txt",
			["-r", other],
			/its robots.txt is .*state-other.txt \(26 bytes, checksum [0-9a-f]{8}\), not .*state-robots.txt \(\d+ bytes, checksum [0-9a-f]{8}\)/,
		],
		["two", ["-r", rules, "-r", `a.example=${other}`], /2 robots.txt files/],
		["a host", ["-r", `a.example=${rules}`], /state-robots.txt of a.example/],
		[
			"a time",
			["-r", rules, "--robots-since", "2025-01-01"],
			/from 2025-01-01T00:00:00.000Z on/,
		],
		["a dialect", ["-r", rules, "-d", "google"], /dialect is google, not auto/],
		["--max-bytes", ["-r", rules, "--max-bytes", "9"], /maxBytes is 9, not/],
		["--agents", ["-r", rules, "--agents", "GPTBot"], /agents is \["GPTBot"\]/],
		["--group-by", ["-r", rules, "-g", "category"], /groupBy is category/],
		["--default-agent", ["-r", rules, "--default-agent", "x"], /defaultAgent/],
		["--since", ["-r", rules, "--since", "2025-01-01"], /since is 2025-01-01T/],
		["--until", ["-r", rules, "--until", "2026-01-01"], /until is 2026-01-01T/],
	];
	test.each(settings)("refuses %s, and names it", async (name, args, text) => {
		const state = path(`${name.replaceAll(" ", "-")}.state`);
		await robotrie(["audit", "--state", state, ...args, logs[1] ?? ""]);
		const out = path("never.json");
		const { stdout, stderr, code } = await robotrie([
			"audit",
			"merge",
			"--out",
			out,
			first,
			state,
		]);
		expect([stdout.toString(), code]).toEqual(["", 2]);
		expect(stderr).toMatch(text);
		expect(stderr).toContain(`cannot merge ${state}`);
		expect(stderr).toContain(`other settings than ${first}`);
		expect(existsSync(out)).toBe(false);
	});

	test.each<[string, (bytes: Buffer) => Uint8Array, string]>([
		["an empty file", () => Buffer.alloc(0), "it is not an audit's state"],
		["a log", () => Buffer.from("a - - b\n"), "it is not an audit's state"],
		[
			"another version",
			(bytes) => bytes.fill(7, 4, 5),
			"its format has version 7, this robotrie reads versions 3 to 6: a newer one wrote it",
		],
		["a beginning", (bytes) => bytes.subarray(0, 6), "it is cut off"],
		["no settings", (bytes) => bytes.subarray(0, 8), "it is cut off"],
		["no end", (bytes) => bytes.subarray(0, -9), "it is cut off"],
		["part of the end", (bytes) => bytes.subarray(0, -1), "it is cut off"],
		[
			"a changed byte behind the version",
			(bytes) => bytes.fill(1, 7, 8),
			"it is damaged",
		],
		["a changed byte", (bytes) => bytes.fill(0xff, 20, 21), "it is damaged"],
		[
			"a changed count",
			(bytes) => bytes.fill(0x77, bytes.length - 60, bytes.length - 59),
			"it is damaged",
		],
		[
			"two in one file",
			(bytes) => Buffer.concat([bytes, bytes]),
			"there are bytes after its end",
		],
	])("refuses %s", async (name, change, reason) => {
		const state = changed(`${name.replaceAll(" ", "-")}.bad`, change);
		const { stdout, stderr, code } = await robotrie([
			"audit",
			"merge",
			second,
			state,
		]);
		expect(stderr).toBe(`robotrie: cannot merge ${state}: ${reason}\n`);
		expect([stdout.toString(), code]).toEqual(["", 2]);
	});

	test.each([
		["-r", rules],
		["--agents", "GPTBot"],
		["--dialect", "google"],
		["--violations", "x.log"],
		["--workers", "2"],
	])("refuses %s, which the states already have", async (...args) => {
		const { stderr, code } = await robotrie(["audit", "merge", ...args, first]);
		expect(code).toBe(2);
		expect(stderr).toContain(`unknown option '${args[0]}'`);
	});

	test("leaves a state as it was when a log cannot be read", async () => {
		const state = file("kept.state", "kept");
		const broken = file(
			"broken.gz",
			gzipSync("x".repeat(9999)).subarray(0, 40),
		);
		const { code } = await robotrie([
			"audit",
			"-r",
			rules,
			"-f",
			"combined",
			"--state",
			state,
			broken,
		]);
		expect(code).toBe(2);
		expect(readFileSync(state, "utf8")).toBe("kept");
	});
});

test("states of unparsed lines keep the names and numbers of their lines", async () => {
	const names = ["u1.log", "u2.log"].map((name, at) =>
		file(
			name,
			`junk ${at}\n${readFileSync(log(`x-${name}`, "03"), "utf8")}more\n${readFileSync(log(`y-${name}`, "04"), "utf8")}`,
		),
	);
	const settings = ["audit", "-r", rules, "-f", "combined"];
	const whole = await outputOf([...settings, "-o", "json", ...names]);
	const states = await Promise.all(
		names.map(async (name) => {
			const state = `${name}.state`;
			const made = await robotrie([...settings, "--state", state, name]);
			expect(made).toMatchObject({ code: 0 });
			return state;
		}),
	);
	const merged = await outputOf(["audit", "merge", "-o", "json", ...states]);
	expect(merged).toEqual(whole);
	expect(merged.stderr).toContain("u2.log:3: more");
});

describe("comparing", () => {
	const allowed = file(
		"allowed.log",
		'192.0.2.1 - - [13/Oct/2025:01:00:00 +0000] "GET /a HTTP/1.1" 200 5 "-" "GPTBot/1.0"\n',
	);
	let before = "";
	let after = "";
	beforeAll(async () => {
		before = await stateOf("before.state", "-r", rules, allowed);
		after = await stateOf("after.state", "-r", rules, log("after.log", "02"));
	});

	test("says what changed, as a table and as JSON", async () => {
		const table = await outputOf(["audit", "compare", before, after]);
		expect(
			table.stdout,
		).toBe(`GPTBot began to disregard robots.txt. By their User-Agent, not verified.
before: 2025-10-13 01:00 to 2025-10-13 01:00 UTC
now: 2025-10-14 02:00 to 2025-10-14 02:00 UTC

crawler a day now disregarding now obeyed  now
GPTBot      -   -            0   1 100.0% 0.0%

GPTBot began to disregard robots.txt: 1 of 1 requests
`);
		const json = await outputOf([
			"audit",
			"compare",
			"-o",
			"json",
			after,
			before,
		]);
		expect(JSON.parse(json.stdout)).toMatchObject({
			sentence:
				"GPTBot no longer disregards robots.txt. By their User-Agent, not verified.",
			crawlers: [{ name: "GPTBot", change: "ceased" }],
		});
	});

	test.each<[args: () => string[], said: string]>([
		[() => [before], "missing required argument 'after'"],
		[() => [before, after, "-o", "html"], "Allowed choices are table, json"],
		[
			() => [before, after, "-r", rules],
			"--robots is about logs: the states have the settings of the audits",
		],
		[() => [before, after, "--check"], "unknown option '--check'"],
		[() => [before, allowed], "it is not an audit's state"],
	])("%s is refused: %s", async (args, said) => {
		const { stderr, code } = await robotrie(["audit", "compare", ...args()]);
		expect(stderr).toContain(said);
		expect(code).toBe(2);
	});

	test("states by different things are refused", async () => {
		const other = await stateOf(
			"other.state",
			"-r",
			rules,
			"-g",
			"category",
			allowed,
		);
		const { stderr } = await robotrie(["audit", "compare", before, other]);
		expect(stderr).toContain(
			"cannot compare a state by name with one by category",
		);
	});
});
