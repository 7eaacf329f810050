import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import {
	cpSync,
	mkdirSync,
	mkdtempSync,
	readdirSync,
	readFileSync,
	rmSync,
	symlinkSync,
	writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import {
	checkPackage,
	createPackageFromTarballData,
} from "@arethetypeswrong/core";
import { build } from "esbuild";
import { publint } from "publint";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { Installed, pack, root } from "./installed.ts";

const KIB = 1024;

let installed: Installed;
beforeAll(() => {
	installed = new Installed();
}, 120_000);
afterAll(() => installed.remove());

/** What Node prints for a script that imports the installed package. */
function outputOf(code: string, ...flags: string[]) {
	const file = join(installed.folder, "use.mjs");
	writeFileSync(file, code);
	return spawnSync(process.execPath, [...flags, file], {
		cwd: installed.folder,
		encoding: "utf8",
	});
}

/** Files below a folder, with "/" between names, sorted. */
const filesBelow = (folder: string) =>
	readdirSync(folder, { recursive: true, withFileTypes: true })
		.filter((entry) => entry.isFile())
		.map((entry) =>
			join(entry.parentPath, entry.name)
				.slice(folder.length + 1)
				.replaceAll("\\", "/"),
		)
		.sort();

describe("An uncaught error", () => {
	const script = `import { RobotsTxt } from "robotrie";
RobotsTxt.parse("x").isAllowed("nope", "a");`;

	test("names functions and prints no more code than lines of it", () => {
		const { stderr, status } = outputOf(script);
		expect(status).toBe(1);
		expect(stderr).toMatch(
			/\n {4}at .*isAllowed \(.*robotrie[\\/]dist[\\/]core\.js:\d+:\d+\)\n/,
		);
		expect(stderr.length).toBeLessThan(4 * KIB);
	});

	test("names sources and their lines with --enable-source-maps", () => {
		const { stderr } = outputOf(script, "--enable-source-maps");
		const [, file = "", line = ""] =
			/at .*RobotsTxt.*isAllowed.* \(.*robotrie[\\/](src[\\/][\w\\/-]+\.ts):(\d+):\d+\)/.exec(
				stderr,
			) ?? [];
		expect(file).toMatch(/robots-txt\.ts$/);
		const source = readFileSync(join(root, file), "utf8").split("\n");
		expect(source[Number(line) - 1]).toMatch(/isAllowed|decide|explain/);
		expect(stderr.length).toBeLessThan(4 * KIB);
	});
});

test("classes keep their names", () => {
	const { stdout } = outputOf(`import * as robotrie from "robotrie";
		const classes = Object.entries(robotrie).filter(([, value]) => typeof value === "function");
		console.log(JSON.stringify(classes.map(([name, value]) => [name, value.name])));`);
	const names = JSON.parse(stdout) as [string, string][];
	expect(names.map(([name]) => name)).toContain("RobotsTxt");
	for (const [name, own] of names) expect(own).toBe(name);
});

describe("Each file in dist", () => {
	const scripts = filesBelow(join(root, "dist")).filter((file) =>
		file.endsWith(".js"),
	);
	test.each(scripts)("%s is lines of code, or binaries", (file) => {
		const lines = installed.read(`dist/${file}`).toString().split("\n");
		const long = lines.filter((line) => line.length > 2000);
		if (file.startsWith("wasm/"))
			for (const line of long)
				expect(line).toMatch(/^(var \w+ =|\s*"text":) ".*"[;,]$/);
		// The report's script for sorting comes minified, and a table of entities as one text.
		else if (!/^bundled\/(sortable|entities)/.test(file))
			expect(long).toEqual([]);
	});
	// Binaries have no sources, nor has what bundlers add.
	const own = scripts.filter(
		(file) => !file.includes("/") && file !== "rolldown-runtime.js",
	);
	test.each(own)(
		"%s has a source map with its sources, or only hands on names",
		(file) => {
			const code = installed.read(`dist/${file}`).toString();
			if (!/\bfunction\b|=>|\bclass\b|=/.test(code)) return;
			const name = /^\/\/# sourceMappingURL=(.+)$/m.exec(code)?.[1];
			expect(name).toBe(`${file.split("/").at(-1)}.map`);
			const { sources, sourcesContent } = JSON.parse(
				installed.read(`dist/${file}.map`).toString(),
			) as { sources: string[]; sourcesContent: string[] };
			for (const [index, source] of sources.entries()) {
				expect(source).toMatch(/^(\.\.\/)+(src|assembly|node_modules)\//);
				expect(sourcesContent[index], source).toBeTruthy();
			}
		},
	);
});

describe("A user's bundle", () => {
	const comparison = readFileSync(join(root, "docs/comparison.md"), "utf8");
	const [, one, all] =
		/takes up to (\d+) KiB.*?up to (\d+) KiB/s.exec(comparison) ?? [];
	test.each([
		["{ RobotsTxt }", Number(one)],
		["*", Number(all)],
	])("of %s is at most %i KiB, minified and gzipped", async (names, limit) => {
		const { outputFiles } = await build({
			stdin: {
				contents: `export ${names} from "robotrie"`,
				resolveDir: installed.folder,
			},
			bundle: true,
			minify: true,
			format: "esm",
			write: false,
		});
		const [file] = outputFiles;
		const size = gzipSync(file?.contents ?? "", { level: 9 }).length;
		expect(size).toBeGreaterThan(20 * KIB);
		expect(size).toBeLessThanOrEqual(limit * KIB);
	});
});

describe("The same from the same sources", () => {
	const digest = (file: string) =>
		createHash("sha256").update(readFileSync(file)).digest("hex");
	const folder = mkdtempSync(join(tmpdir(), "robotrie-copy-"));
	afterAll(() => rmSync(folder, { recursive: true, force: true }));

	test("npm pack gives the same tarball twice", () => {
		expect(digest(pack(folder).tarball)).toBe(digest(installed.tarball));
	});

	test("a build in another folder has the same files", () => {
		for (const name of ["src", "assembly", "scripts", "build"])
			cpSync(join(root, name), join(folder, name), { recursive: true });
		cpSync(join(root, "package.json"), join(folder, "package.json"));
		const modules = join(folder, "node_modules");
		mkdirSync(modules);
		for (const name of readdirSync(join(root, "node_modules")))
			if (!name.startsWith("."))
				symlinkSync(join(root, "node_modules", name), join(modules, name));
		// Packages that are bundled have to lie in the folder.
		const bundled = readFileSync(
			join(root, "dist/bundled-licenses.txt"),
			"utf8",
		).matchAll(/^(\S+) [\d.]+ \(/gm);
		for (const [, name = ""] of bundled) {
			const copy = join(modules, name.split("/")[0] ?? "");
			rmSync(copy, { recursive: true, force: true });
			const from = join(root, "node_modules", name.split("/")[0] ?? "");
			cpSync(from, copy, { recursive: true });
		}
		const script = `import { bundle } from "./tools/bundle.mjs";
			import { entries, programs } from "./tools/entries.mjs";
			await bundle({ ...entries, ...programs });`;
		const { stderr, status } = spawnSync(
			process.execPath,
			["--input-type=module", "--eval", script],
			{ cwd: folder, encoding: "utf8" },
		);
		expect(stderr).toBe("");
		expect(status).toBe(0);
		const files = filesBelow(join(folder, "dist"));
		expect(files).toContain("core.js");
		for (const file of files)
			expect(digest(join(folder, "dist", file)), file).toBe(
				digest(join(root, "dist", file)),
			);
	});
});

describe("Checkers of packages find nothing", () => {
	test("publint", async () => {
		const { messages } = await publint({
			pkgDir: installed.package,
			level: "suggestion",
			strict: true,
			pack: false,
		});
		expect(messages).toEqual([]);
	});

	test("Are the types wrong?", async () => {
		const tarball = new Uint8Array(readFileSync(installed.tarball));
		const result = await checkPackage(createPackageFromTarballData(tarball), {
			excludeEntrypoints: [/^\.\/docs\//],
		});
		if (!result.types) throw new Error("there are no types");
		expect(Object.keys(result.entrypoints)).toContain("./client");
		// An ES module cannot be loaded where only CommonJS can, nor have a subpath where `exports` is not read.
		const problems = result.problems.filter(
			(problem) =>
				!(
					"resolutionKind" in problem &&
					(problem.resolutionKind === "node10" ||
						problem.resolutionKind === "node16-cjs")
				),
		);
		expect(problems).toEqual([]);
	});
});
