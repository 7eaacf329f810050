import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import {
	cpSync,
	existsSync,
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
import { build } from "esbuild";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { publintFinds, wrongTypes } from "../tools/tarballs.mjs";
import {
	Installed,
	pack,
	packageFolders,
	packageNames,
	root,
	rowOf,
} from "./installed.ts";

const KIB = 1024;

let installed: Installed;
beforeAll(() => {
	installed = new Installed();
});
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
			/\n {4}at .*isAllowed \(.*robotrie[\\/]dist[\\/]main\.js:\d+:\d+\)\n/,
		);
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

describe.each(packageNames)("Each file in the dist of %s", (name) => {
	const dist = join(root, rowOf(packageFolders, name), "dist");
	// Bundlers at the edge have limits of their own: what is for them comes minified.
	const scripts = filesBelow(dist).filter(
		(file) => file.endsWith(".js") && !file.startsWith("edge/"),
	);
	test.each(scripts)("%s is lines of code, or binaries", (file) => {
		const lines = installed.read(`dist/${file}`, name).toString().split("\n");
		for (const line of lines.filter(({ length }) => length > 2000))
			expect(
				LONG_LINES.some(([where, long]) => where.test(file) && long.test(line)),
				`${file}: ${line.slice(0, 80)}`,
			).toBe(true);
		expect(lines.some((line) => line.startsWith("//# source"))).toBe(false);
	});
});

/** Binaries are texts; so are the report's script for sorting, which comes minified, the parser's tables of entities, and a pattern of emoji. */
const LONG_LINES: readonly (readonly [RegExp, RegExp])[] = [
	[/^(main|shared-index)\.js$/, /^(var \w+ =|\s*"?text"?:) ".*"[;,]?$/],
	[/^html\.js$/, /^(var|const) \w+ = ["'`].*["'`];$/],
	[/^text\.js$/, /^\s*return \/\\uD83C\\uDFF4/],
	[/^dist\.js$/, /^const htmlDecodeData = \["/],
	// The audit's module, in a file that the bundler calls after any of those in it.
	[/\.js$/, /^var _wasm_text_\w+ = ".*";$/],
];

/** Bytes of what an entry's users bundle, minified and gzipped; modules of the edge stay files. */
async function bundled(names: string, from: string): Promise<number> {
	const { outputFiles } = await build({
		stdin: {
			contents: `export ${names} from "${from}"`,
			resolveDir: installed.folder,
		},
		bundle: true,
		minify: true,
		format: "esm",
		external: ["*.wasm?module"],
		write: false,
	});
	return gzipped(outputFiles[0]?.contents ?? "");
}

const gzipped = (content: string | Uint8Array) =>
	gzipSync(content, { level: 9 }).length;

describe("A user's bundle", () => {
	const comparison = readFileSync(join(root, "docs/comparison.md"), "utf8");
	const [, one, all] =
		/takes up to (\d+) KiB.*?up to (\d+) KiB/s.exec(comparison) ?? [];
	test.each([
		["{ RobotsTxt }", Number(one)],
		["*", Number(all)],
	])("of %s is at most %i KiB, minified and gzipped", async (names, limit) => {
		const size = await bundled(names, "robotrie");
		expect(size).toBeGreaterThan(20 * KIB);
		expect(size).toBeLessThanOrEqual(limit * KIB);
	});

	test("of a worker at the edge is as large in docs/library.md", async () => {
		const edge = "./node_modules/robotrie/dist/edge/index.js";
		const sizes = [
			await bundled("{ RobotsTxt }", edge),
			await bundled("{ RobotsTxt, RobotsIndex }", edge),
			gzipped(installed.read("dist/robotrie.simd.wasm")),
			gzipped(installed.read("dist/robotrie-index.simd.wasm")),
		];
		const page = readFileSync(join(root, "docs/library.md"), "utf8");
		const [, ...said] =
			/A worker takes (\d+) KB.*?, (\d+) KB with.*?, (\d+) KB for.*?(\d+) KB for/s.exec(
				page,
			) ?? [];
		expect(said).toHaveLength(sizes.length);
		// Versions of zlib differ by a percent.
		for (const [at, size] of sizes.entries())
			expect(Math.abs(Number(said[at]) - size / 1000)).toBeLessThan(0.8);
	});
});

describe("The same from the same sources", () => {
	const digest = (file: string) =>
		createHash("sha256").update(readFileSync(file)).digest("hex");
	const folder = mkdtempSync(join(tmpdir(), "robotrie-copy-"));
	afterAll(() => rmSync(folder, { recursive: true, force: true }));

	test.each(packageNames)(
		"npm pack gives the same tarball of %s twice",
		(name) => {
			expect(digest(pack(folder, name).tarball)).toBe(
				digest(installed.packed(name).tarball),
			);
		},
	);

	test("a build in another folder has the same files", () => {
		for (const name of ["src", "assembly", "tools", "build"])
			cpSync(join(root, name), join(folder, name), { recursive: true });
		for (const name of ["package.json", "tsconfig.json"])
			cpSync(join(root, name), join(folder, name));
		for (const at of Object.values(packageFolders)) {
			if (at === ".") continue;
			for (const name of ["package.json", "src", "assembly", "node_modules"])
				if (existsSync(join(root, at, name)))
					cpSync(join(root, at, name), join(folder, at, name), {
						recursive: true,
					});
		}
		// Packages that are bundled have to lie in the folder.
		const modules = join(folder, "node_modules");
		mkdirSync(modules);
		const bundled = Object.values(packageFolders)
			.map((at) => join(root, at, "dist/bundled-licenses.txt"))
			// A package may bundle none.
			.filter((file) => existsSync(file))
			.flatMap((file) =>
				[...readFileSync(file, "utf8").matchAll(/^(\S+) [\d.]+ \(/gm)].map(
					([, name = ""]) => name.split("/")[0] ?? "",
				),
			);
		for (const name of readdirSync(join(root, "node_modules"))) {
			if (name.startsWith(".")) continue;
			const from = join(root, "node_modules", name);
			if (bundled.includes(name))
				cpSync(from, join(modules, name), { recursive: true });
			else if (name !== "robotrie" && name !== "@robotrie")
				symlinkSync(from, join(modules, name));
		}
		const script = `import { packageParts } from "./tools/bundle.mjs";
			for (const part of packageParts()) await part.make();`;
		const { stderr, status } = spawnSync(
			process.execPath,
			["--input-type=module", "--eval", script],
			{ cwd: folder, encoding: "utf8" },
		);
		expect(status, stderr).toBe(0);
		for (const [name, at] of Object.entries(packageFolders)) {
			const files = filesBelow(join(folder, at, "dist"));
			// Of the smallest, its code and its declarations.
			expect(files.length, name).toBeGreaterThan(1);
			for (const file of files)
				expect(digest(join(folder, at, "dist", file)), file).toBe(
					digest(join(root, at, "dist", file)),
				);
		}
	});
});

describe.each(packageNames)(
	"Checkers of packages find nothing in %s",
	(name) => {
		test("publint", async () =>
			expect(await publintFinds(installed.folderOf(name))).toEqual([]));

		test("Are the types wrong?", async () =>
			expect(await wrongTypes(installed.packed(name).tarball)).toEqual([]));
	},
);
