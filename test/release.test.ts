import { execFileSync, spawnSync } from "node:child_process";
import {
	cpSync,
	mkdtempSync,
	readdirSync,
	readFileSync,
	rmSync,
	symlinkSync,
	writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { parse } from "yaml";
import { packages } from "../tools/packages.mjs";
import { linksOf } from "../tools/tarballs.mjs";
import { root } from "./installed.ts";

const folder = mkdtempSync(join(tmpdir(), "robotrie-release-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const release = (project: string, ...options: string[]) =>
	spawnSync(
		process.execPath,
		[join(project, "tools/release.mjs"), "--dry-run", ...options],
		{ encoding: "utf8" },
	);

const read = (file: string) => readFileSync(join(root, file), "utf8");
const main = JSON.parse(read("package.json")) as Record<string, unknown>;

test("a dry run names what the owner has to decide, and nothing else", () => {
	const { stderr, status } = release(root);
	const missing = [...stderr.matchAll(/^ {2}(.+)$/gm)].map(([, text]) => text);
	const undecided = [
		...(main.repository
			? []
			: ["package.json: repository (the project's home)"]),
		...["author", "homepage", "bugs"]
			.filter((field) => !main[field])
			.map((field) => `package.json: ${field}`),
		...(/^## \S+ \(unreleased\)$/m.test(read("CHANGELOG.md"))
			? ['CHANGELOG.md: 0.1.0 has no date but "unreleased"']
			: []),
	];
	expect(missing).toEqual(undecided);
	expect(status).toBe(undecided.length > 0 ? 1 : 0);
});

describe("With all decided", () => {
	const home = "https://github.com/owner/robotrie";
	const project = join(folder, "project");
	const out = join(folder, "out");
	let changed = "";

	beforeAll(() => {
		for (const entry of readdirSync(root))
			if (!["node_modules", ".git", "build", "bench"].includes(entry))
				cpSync(join(root, entry), join(project, entry), {
					recursive: true,
					filter: (path) => !path.includes("node_modules"),
				});
		symlinkSync(join(root, "node_modules"), join(project, "node_modules"));
		writeFileSync(
			join(project, "package.json"),
			JSON.stringify({
				...main,
				repository: `github:owner/robotrie`,
				author: "Owner",
				homepage: `${home}#readme`,
				bugs: `${home}/issues`,
			}),
		);
		changed = read("CHANGELOG.md").replace("(unreleased)", "(2026-12-01)");
		writeFileSync(join(project, "CHANGELOG.md"), changed);
	});

	test("nothing is missing, and packages and links lead home", () => {
		const { stdout, stderr, status } = release(project, "--out", out);
		expect({ stderr, status }).toEqual({ stderr: "", status: 0 });
		expect(stdout).toContain("Nothing is missing for 0.1.0.");
		const tarballs = readdirSync(out);
		expect(tarballs).toHaveLength(packages.length);
		for (const tarball of tarballs) {
			const file = (name: string) =>
				execFileSync("tar", ["xzOf", join(out, tarball), `package/${name}`], {
					encoding: "utf8",
				});
			const about = JSON.parse(file("package.json")) as Record<string, unknown>;
			expect(about).toMatchObject({
				author: "Owner",
				bugs: `${home}/issues`,
				repository: { type: "git", url: `git+${home}.git` },
			});
			expect(about).not.toHaveProperty("devDependencies");
			const readme = file("README.md");
			expect(readme).toContain(`](${home}/blob/v0.1.0/docs/`);
			if (about.name === "robotrie") {
				expect(readme).toContain(
					`<img src="${home}/raw/v0.1.0/docs/images/playground.png"`,
				);
				expect(file("SECURITY.md")).toContain(
					`](${home}/security/advisories/new)`,
				);
			} else expect(linksOf(readme)).toEqual([]);
		}
	});

	test("versions out of step and links to nowhere are named", () => {
		const file = join(project, "packages/client/package.json");
		const about = JSON.parse(readFileSync(file, "utf8")) as {
			version: string;
			dependencies: Record<string, string>;
		};
		about.version = "0.1.1";
		about.dependencies.robotrie = "^0.1.0";
		writeFileSync(file, JSON.stringify(about));
		writeFileSync(
			join(project, "packages/audit/README.md"),
			"[x](../../docs/none.md)\n",
		);
		writeFileSync(
			join(project, "CHANGELOG.md"),
			changed.replace("## 0.1.0", "## 0.0.9"),
		);
		const { stderr, status } = release(project);
		expect(status).toBe(1);
		expect(stderr.match(/^ {2}.+$/gm)).toEqual([
			"  CHANGELOG.md: no section for 0.1.0",
			"  @robotrie/audit: README.md: ../../docs/none.md leads nowhere",
			"  @robotrie/client: version 0.1.1, the root's is 0.1.0",
			"  @robotrie/client: robotrie is ^0.1.0, not exactly 0.1.0",
		]);
	});
});

describe("Workflows", () => {
	const stages = /^stages=\((.+)\)$/m.exec(read(".ci/run"))?.[1]?.split(" ");
	interface Step {
		readonly run?: string;
		readonly uses?: string;
		readonly env?: { readonly SKIP?: string };
	}
	const files = ["test", "release", "nightly"].map(
		(name) => `workflows/${name}.yml`,
	);

	test.each(files)("%s runs stages of .ci/run", (name) => {
		const text = read(`.github/${name}`);
		expect(text).toMatch(/^# Not run yet/);
		const { jobs } = parse(text) as {
			jobs: Record<string, { steps: readonly Step[] }>;
		};
		const steps = Object.values(jobs).flatMap((job) => job.steps);
		expect(
			steps.some(({ run }) => /^\.ci\/run( --all)?$/.test(run ?? "")),
		).toBe(true);
		for (const { run = "", env } of steps) {
			for (const stage of env?.SKIP?.split(" ") ?? [])
				expect(stages).toContain(stage);
			for (const [, script = ""] of run.matchAll(/npm run ([\w:]+)/g))
				expect(main.scripts).toHaveProperty(script);
		}
	});

	test("test.yml has three systems and three versions of Node", () => {
		const { jobs } = parse(read(".github/workflows/test.yml")) as {
			jobs: { matrix: { strategy: { matrix: unknown } } };
		};
		expect(jobs.matrix.strategy.matrix).toEqual({
			os: ["ubuntu-latest", "macos-latest", "windows-latest"],
			node: [20, 22, 24],
		});
	});

	test("dependabot.yml names folders that have packages", () => {
		const { updates } = parse(read(".github/dependabot.yml")) as {
			updates: { directory?: string; directories?: readonly string[] }[];
		};
		const folders = updates.flatMap(({ directory, directories }) =>
			directory === undefined ? (directories ?? []) : [directory],
		);
		expect(folders.length).toBeGreaterThan(4);
		for (const each of folders)
			expect(readdirSync(join(root, each.replace("/*", "")))).not.toEqual([]);
	});
});
