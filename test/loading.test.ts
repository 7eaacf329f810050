import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { describe, expect, test } from "vitest";
import { root } from "./installed.ts";

const home = pathToFileURL(root).href;
const modules = pathToFileURL(join(root, "node_modules/")).href;

/** Names on stderr each module that is loaded. */
const hook = `data:text/javascript,${encodeURIComponent(`
import { register } from "node:module";
register("data:text/javascript," + encodeURIComponent(\`
import { writeSync } from "node:fs";
export async function load(url, context, next) {
	writeSync(2, "loads " + url + "\\\\n");
	return next(url, context);
}\`));`)}`;

/** Names on stderr what Node loaded of its own since the start, when the process ends. */
const printLoaded = `data:text/javascript,${encodeURIComponent(`
import { writeSync } from "node:fs";
const before = new Set(process.moduleLoadList);
process.on("exit", () => {
	const loaded = process.moduleLoadList.filter((name) => !before.has(name));
	writeSync(2, loaded.join("\\n"));
});`)}`;

/** Files of the packages' dist, packages, and URLs of other modules that a process loads, sorted. */
function loadedBy(args: readonly string[], input = ""): string[] {
	const { stderr, status } = spawnSync(
		process.execPath,
		["--import", hook, ...args],
		{ cwd: root, encoding: "utf8", input },
	);
	expect(status, stderr).toBe(0);
	const names = [...stderr.matchAll(/^loads (.*)$/gm)].map(([, url = ""]) => {
		if (url.startsWith(modules))
			return url.slice(modules.length).split("/")[0] ?? "";
		return url.startsWith(home) ? url.slice(home.length) : url;
	});
	return [...new Set(names)].sort();
}

const library = (...names: string[]) => names.map((name) => `dist/${name}.js`);
const core = library("base", "main");
/** What the command line takes of `robotrie/internal`, and by it; not the index that threads share. */
const internal = library(
	"access",
	"access2",
	"index",
	"internal",
	"rolldown-runtime",
	"whole-file",
);
const cli = (...names: string[]) =>
	names.map((name) => `packages/cli/dist/${name}.js`);
const program = ["packages/cli/main.js", ...cli("program", "main")];
const robots = ["--robots", "sample/robots.txt", "--agent", "GPTBot"];
/** What commands share. */
const commands = cli("common");

describe("A process loads what it needs", () => {
	test.each<[string, string[], string[]]>([
		[
			'import "robotrie"',
			["--input-type=module", "-e", 'import "robotrie"'],
			[...library("index"), ...core],
		],
		[
			'import "robotrie/access"',
			["--input-type=module", "-e", 'import "robotrie/access"'],
			library("access", "access2", "base", "rolldown-runtime"),
		],
		["robotrie --version", ["packages/cli/main.js", "--version"], program],
		["robotrie -V", ["packages/cli/main.js", "-V"], program],
		["robotrie --help", ["packages/cli/main.js", "--help"], program],
		["robotrie help", ["packages/cli/main.js", "help"], program],
		[
			"robotrie help crawlers",
			["packages/cli/main.js", "help", "crawlers"],
			[...program, ...core, ...internal, ...commands, ...cli("crawlers")],
		],
		[
			"robotrie match",
			["packages/cli/main.js", "match", ...robots],
			[
				...program,
				...core,
				...internal,
				...commands,
				...cli("match", "match2", "verdict-lines"),
			],
		],
		[
			"robotrie explain",
			["packages/cli/main.js", "explain", ...robots, "/"],
			[...program, ...core, ...internal, ...commands, ...cli("explain")],
		],
		[
			"robotrie crawlers",
			["packages/cli/main.js", "crawlers"],
			[...program, ...core, ...internal, ...commands, ...cli("crawlers")],
		],
	])("%s", (_, args, files) => {
		const loaded = loadedBy(args);
		expect(loaded.filter((name) => !name.includes(":"))).toEqual(
			[...new Set(files)].sort(),
		);
		// Each takes Node some milliseconds.
		expect(loaded).not.toContain("node:crypto");
		expect(loaded).not.toContain("node:zlib");
	});

	test.each([
		["robotrie --version", ["--version"]],
		["robotrie match", ["match", ...robots]],
	])("%s has Node load nothing of its own that takes long", (_, args) => {
		const { stderr, status } = spawnSync(
			process.execPath,
			["--import", printLoaded, "packages/cli/main.js", ...args],
			{ cwd: root, encoding: "utf8", input: "/\n" },
		);
		expect(status, stderr).toBe(0);
		const loaded = stderr.split("\n");
		expect(loaded.length).toBeGreaterThan(1);
		for (const name of ["child_process", "util/parse_args", "perf_hooks"])
			expect(loaded.filter((line) => line.includes(name))).toEqual([]);
	});

	test('import "robotrie" compiles no WebAssembly before it is used', () => {
		const script = `
			let compiled = 0;
			WebAssembly.Module = class extends WebAssembly.Module {
				constructor(bytes) {
					super(bytes);
					compiled++;
				}
			};
			const { RobotsTxt } = await import("robotrie");
			console.log(compiled);
			const matcher = RobotsTxt.parse("User-agent: *\\nDisallow: /a").for("A");
			console.log(matcher.isAllowed("/a"), compiled);`;
		const result = spawnSync(
			process.execPath,
			["--input-type=module", "-e", script],
			{ cwd: root, encoding: "utf8" },
		);
		expect(result).toMatchObject({ status: 0, stderr: "" });
		// The module, and the small one that reads its text.
		expect(result.stdout).toBe("0\nfalse 2\n");
	});
});
