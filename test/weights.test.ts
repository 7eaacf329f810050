import { execFile, spawnSync } from "node:child_process";
import {
	cpSync,
	mkdirSync,
	mkdtempSync,
	readdirSync,
	readFileSync,
	rmSync,
	statSync,
	writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { packages as published } from "../tools/packages.mjs";
import { packAll, packageNames, root, rowOf } from "./installed.ts";

const MB = 1_000_000;

/** What may be installed with each package, in an empty folder; peers are asked for by who needs them. */
const limits: readonly (readonly [
	name: string,
	ours: readonly string[],
	packages: number,
	bytes: number,
])[] = [
	["robotrie", [], 1, 1.2 * MB],
	["@robotrie/audit", ["robotrie"], 18, 5 * MB],
	["@robotrie/client", ["robotrie"], 7, 5.5 * MB],
	["@robotrie/sites", ["robotrie"], 7, 2 * MB],
	["@robotrie/server", ["@robotrie/client", "robotrie"], 68, 20 * MB],
	[
		"@robotrie/cli",
		["@robotrie/audit", "@robotrie/client", "@robotrie/sites", "robotrie"],
		39,
		12.5 * MB,
	],
];

/** What docs/README.md says that a package brings: at most so many packages, megabytes, and files of its own. */
const stated = new Map(
	[
		...readFileSync(join(root, "docs/README.md"), "utf8").matchAll(
			/^\| \[?`(@?robotrie[^`]*)`.*\| (\d+), ([\d.]+) MB \| (\d+) \|$/gm,
		),
	].map(([, name = "", packages, megabytes, files]) => [
		name,
		{
			packages: Number(packages),
			bytes: Number(megabytes) * MB,
			files: Number(files),
		},
	]),
);

test("docs/README.md says what each package brings, within its limits", () => {
	expect([...stated.keys()].sort()).toEqual([...packageNames].sort());
	for (const [name, , packages, bytes] of limits) {
		expect(stated.get(name)?.packages).toBeLessThanOrEqual(packages);
		expect(stated.get(name)?.bytes).toBeLessThanOrEqual(bytes);
	}
});

test("each package has limits", () =>
	expect(limits.map(([name]) => name).sort()).toEqual(
		[...packageNames].sort(),
	));

const home = mkdtempSync(join(tmpdir(), "robotrie-weights-"));
const tarballs = packAll(home);
afterAll(() => rmSync(home, { recursive: true, force: true }));

describe.each(limits)("Who installs %s", (name, ours, packages, bytes) => {
	const folder = join(home, name.replace("/", "-"));
	beforeAll(async () => {
		mkdirSync(folder);
		writeFileSync(join(folder, "package.json"), '{ "private": true }');
		await promisify(execFile)(
			"npm",
			[
				"install",
				"--engine-strict",
				"--no-audit",
				"--no-fund",
				"--prefer-offline",
				...[name, ...ours].map((each) => rowOf(tarballs, each).tarball),
			],
			{ cwd: folder },
		);
	});

	test(`gets at most ${packages} packages and ${bytes / MB} MB, and no more than docs/README.md says`, () => {
		const modules = join(folder, "node_modules");
		const { packages: installed } = JSON.parse(
			readFileSync(join(modules, ".package-lock.json"), "utf8"),
		) as { packages: Record<string, unknown> };
		const names = Object.keys(installed);
		expect(names).toContain(`node_modules/${name}`);
		expect(names.length, names.join("\n")).toBeLessThanOrEqual(packages);
		const sizes = readdirSync(modules, { recursive: true, encoding: "utf8" })
			.filter((file) => !file.startsWith("."))
			.map((file) => statSync(join(modules, file)))
			.filter((file) => file.isFile())
			.map(({ size }) => size);
		const sum = sizes.reduce((all, size) => all + size, 0);
		expect(sum).toBeGreaterThan(MB / 2);
		expect(sum).toBeLessThanOrEqual(bytes);
		const says = stated.get(name);
		expect(names.length).toBeLessThanOrEqual(says?.packages ?? 0);
		// What others bring changes with their versions.
		expect(sum).toBeLessThanOrEqual(says?.bytes ?? 0);
		expect(sum).toBeGreaterThan(0.7 * (says?.bytes ?? 0));
		expect(rowOf(tarballs, name).packed.length).toBeLessThanOrEqual(
			says?.files ?? 0,
		);
	});
});

test("robotrie has at most 60 files besides the pages of lint", () => {
	const files = rowOf(tarballs, "robotrie").packed.filter(
		(file) => !file.startsWith("docs/lint/"),
	);
	expect(files.length).toBeGreaterThan(20);
	expect(files.length).toBeLessThanOrEqual(60);
});

test("no package holds a source map, or what is for developers", () => {
	for (const { packed } of Object.values(tarballs))
		expect(
			packed.filter((file) =>
				/\.(map|tsx?)$|^(src|test|assembly|tools|bench|build)\//.test(
					file.replace(/\.d\.ts$/, ""),
				),
			),
		).toEqual([]);
});

test("npm ci in a clone has no word about this Node", () => {
	const clone = join(home, "clone");
	const needed = ["package.json", "package-lock.json", ".npmrc"];
	for (const { folder } of published) needed.push(join(folder, "package.json"));
	for (const file of [...needed, "packages/playground/package.json"])
		cpSync(join(root, file), join(clone, file));
	const ci = ["ci", "--dry-run", "--engine-strict", "--offline"];
	const { status, stderr } = spawnSync("npm", ci, {
		cwd: clone,
		encoding: "utf8",
	});
	// npm 11.19 lists the packages that run scripts.
	const said = stderr.replace(/^npm warn install-scripts.*\n/gm, "");
	expect({ status, said }).toEqual({ status: 0, said: "" });
});
