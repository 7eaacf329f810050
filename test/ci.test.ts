import { execFileSync, spawnSync } from "node:child_process";
import {
	chmodSync,
	copyFileSync,
	mkdirSync,
	mkdtempSync,
	readFileSync,
	rmSync,
	symlinkSync,
	writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import {
	everywhere,
	filesOf,
	hashOf,
	heavy,
	light,
	plan,
} from "../.ci/heavy.mjs";
import { root } from "../packages/cli/test/run.ts";
import { filesIn, Part } from "../tools/stale.mjs";

const folder = mkdtempSync(join(tmpdir(), "robotrie-ci-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const programs = join(folder, "bin");

/** A program that stands in for the real one. */
function stub(name: string, script: string) {
	const file = join(programs, name);
	writeFileSync(file, `#!/bin/bash\n${script}\n`);
	chmodSync(file, 0o755);
}

/** The stages, as .ci/run names them. */
const all: readonly string[] =
	spawnSync("bash", [join(root, ".ci/run"), "nosuch"], {
		encoding: "utf8",
	})
		.stderr.split("stages: ")
		.at(-1)
		?.trim()
		.split(" ") ?? [];

/** Runs .ci/run with all stages but these left out. */
function ci(...stages: string[]) {
	const { status, stdout } = spawnSync("bash", [join(folder, ".ci/run")], {
		encoding: "utf8",
		env: {
			PATH: [programs, "/usr/bin", "/bin"].join(delimiter),
			SKIP: all.filter((name) => !stages.includes(name)).join(" "),
		},
	});
	const results = new Map(
		[
			...stdout.matchAll(/^(\w+) +(passed|FAILED|skipped|not run) +\d+ s$/gm),
		].map(([, name, result]) => [name, result]),
	);
	return { status, stdout, results };
}

beforeAll(() => {
	mkdirSync(join(folder, ".ci"));
	mkdirSync(programs);
	for (const name of ["run", "heavy.mjs"])
		copyFileSync(join(root, ".ci", name), join(folder, ".ci", name));
	symlinkSync(process.execPath, join(programs, "node"));
});

describe(".ci/run", () => {
	test.each([
		[
			"all pass",
			" Test Files  2 passed (2)\n      Tests  9 passed (9)",
			0,
			"passed",
		],
		[
			"all are skipped",
			" Test Files  2 skipped (2)\n      Tests  9 skipped (9)",
			0,
			"skipped",
		],
		[
			"some are skipped",
			" Test Files  1 passed | 1 skipped (2)\n      Tests  4 passed | 5 skipped (9)",
			0,
			"passed",
		],
		["none are counted", "nothing to do", 0, "passed"],
		["it says that it cannot run", "skipped: there is no Java", 77, "skipped"],
		["it fails", " Test Files  1 failed (1)", 1, "FAILED"],
	])("a stage of which %s", (_, output, status, result) => {
		stub("npm", `cat <<'END'\n${output}\nEND\nexit ${status}`);
		const run = ci("tools");
		expect(run.results.get("tools")).toBe(result);
		expect(run.status).toBe(result === "FAILED" ? 1 : 0);
	});

	test.each([
		["everything", "exit 0", "passed", 0],
		[
			"nothing: there is no network",
			'[ "$1" = update ] && exit 100',
			"FAILED",
			1,
		],
		["no package", '[ "$1" = update ]', "FAILED", 1],
	])("packages, where apt-get installs %s", (_, script, result, status) => {
		stub("id", "echo 0");
		stub("apt-get", script);
		// Without /usr/bin/time and the rest of what a machine may have, some are always missing.
		stub("redis-server", "exit 0");
		const copy = join(folder, ".ci/run");
		const text = spawnSync(
			"sed",
			["s#-x /usr/bin/time#-x /no/time#", join(root, ".ci/run")],
			{
				encoding: "utf8",
			},
		).stdout;
		writeFileSync(copy, text);
		const run = ci("packages");
		expect(run.stdout).toMatch(new RegExp(`^packages +${result}`, "m"));
		expect(run.status).toBe(status);
	});
});

describe("Heavy stages", () => {
	const passed = {
		site: { hash: "s", date: "2026-11-27", seconds: 1 },
		spark: { hash: "k", date: "2026-11-26", seconds: 1 },
		go: { hash: "old", date: "2026-11-25", seconds: 1 },
	};
	const hash = (name: string) => ({ site: "s", spark: "k", go: "g" })[name];

	test.each([
		["of those that are unchanged one runs", 0, "turn", "2026-11-26"],
		["with the next commit the other one", 1, "2026-11-27", "turn"],
		["and so on", 2, "turn", "2026-11-26"],
	])("%s", (_, turn, site, spark) => {
		const since = (what: string) =>
			what === "turn" ? what : `unchanged since ${what}`;
		expect(
			plan(["test", "site", "spark", "go", "jvm"], passed, hash, turn),
		).toEqual([
			["test", "run"],
			["site", since(site)],
			["spark", since(spark)],
			// Its inputs changed; the other one never passed.
			["go", "run"],
			["jvm", "run"],
		]);
	});

	test("whose modules are not built yet run", () =>
		expect(plan(["go"], { go: {} }, () => undefined, 1)).toEqual([
			["go", "run"],
		]));

	test("have other hashes for other inputs, and each names files", () => {
		for (const { inputs } of Object.values(heavy))
			for (const pattern of inputs)
				expect(filesOf([pattern]), pattern).not.toBe("");
		const hashes = Object.keys(heavy).map(hashOf);
		expect(new Set(hashes).size).toBe(hashes.length);
	});

	test("and light ones know every tracked file", () => {
		const inputs = Object.values(heavy).flatMap(({ inputs }) => inputs);
		const namesOf = (listed: string) =>
			listed.split("\n").map((line) => line.replace(/.*\t/, ""));
		const known = new Set(
			namesOf(filesOf([...everywhere, ...light, ...inputs])),
		);
		expect(git("ls-files").filter((file) => !known.has(file))).toEqual([]);
	});
});

const git = (...args: string[]) =>
	execFileSync("git", args, { cwd: root, encoding: "utf8" }).trim().split("\n");

test("tests and benchmarks look for ../shared where it is", () => {
	// Where it is not, they say that they are skipped: a wrong path would be one that nobody notices.
	const files = git("grep", "-lE", 'shared[/"]', "--", "*.ts", "*.mjs");
	const found = files.flatMap((file) =>
		[
			...readFileSync(join(root, file), "utf8").matchAll(
				/["`](\.\.\/(?:[\w.]+\/)*?shared)[/"`]/g,
			),
		].map(([, path = ""]) => ({ file, path })),
	);
	expect(found.length).toBeGreaterThan(10);
	const shared = join(root, "../shared");
	expect(
		found.filter(
			({ file, path }) =>
				join(root, path) !== shared && join(root, file, "..", path) !== shared,
		),
	).toEqual([]);
});

test("every file in tools/ is named by a script, a page, a test or another tool", () => {
	const files = git("ls-files", "tools").filter((f) => !f.endsWith(".d.mts"));
	expect(files.length).toBeGreaterThan(30);
	const unused = files.filter((file) => {
		const name = file.slice(file.lastIndexOf("/") + 1).replace(".", "\\.");
		try {
			return git("grep", "-lE", `[/\`]${name}`).every((by) => by === file);
		} catch {
			return true;
		}
	});
	expect(unused).toEqual([]);
});

describe("A part of the build is stale", () => {
	const input = join(folder, "input");
	const output = join(folder, "output");
	const part = new Part({
		name: "part",
		stamps: join(folder, "stamps"),
		inputs: () => filesIn(input, join(folder, "none")),
		outputs: [output],
		make: () => {
			if (readFileSync(join(input, "a"), "utf8") === "wrong")
				throw new Error("does not compile");
			writeFileSync(output, "");
		},
	});

	test.each<[string, () => void, boolean]>([
		["before it was built", () => {}, true],
		["never, where the same is written again", write("a", "1"), false],
		["when a file changes", write("a", "2"), true],
		["when a file comes", write("b", "1"), true],
		["when a file of a folder in it comes", write("c/d", "1"), true],
		["when a file goes", () => rmSync(join(input, "b")), true],
		["never, where a test comes", write("test/t", "1"), false],
		["when its output is gone", () => rmSync(output), true],
	])("%s", async (name, change, expected) => {
		if (name === "before it was built") write("a", "1")();
		else await part.build();
		change();
		expect(part.isStale).toBe(expected);
		await part.build();
		expect(part.isStale).toBe(false);
	});

	test("after a build that failed, until one succeeds", async () => {
		write("a", "wrong")();
		await expect(async () => part.build()).rejects.toThrow("does not compile");
		expect(part.isStale).toBe(true);
	});

	function write(name: string, text: string) {
		return () => {
			mkdirSync(join(input, name, ".."), { recursive: true });
			writeFileSync(join(input, name), text);
		};
	}
});

test("the build is at most 490 lines of code, besides compiling modules", () => {
	const lines = [
		..."build bundle packages parts stale texts".split(" "),
	].flatMap((name) =>
		readFileSync(join(root, `tools/${name}.mjs`), "utf8").split("\n"),
	);
	const code = lines.filter((line) => !/^\s*(\/\/|\/?\*|$)/.test(line));
	expect(code.length).toBeGreaterThan(100);
	expect(code.length).toBeLessThanOrEqual(490);
});
