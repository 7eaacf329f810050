import { execFileSync, spawn, spawnSync } from "node:child_process";
import {
	cpSync,
	existsSync,
	mkdirSync,
	mkdtempSync,
	readdirSync,
	readFileSync,
	rmSync,
	symlinkSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { root } from "../packages/cli/test/run.ts";
import { packages } from "../tools/packages.mjs";

/**
 * Every command that README and docs/ give for a figure, in a clone that has nothing but what is committed: without ../shared, at a small
 * size. What they print is there for the reader of the log.
 */
interface Command {
	/** As the pages write it. */
	readonly command: string;
	/** What makes it small. */
	readonly small: string;
	/** What it has to print. */
	readonly prints: RegExp;
	/** Only with ROBOTRIE_ALL=1: it builds programs of other languages. */
	readonly whole?: boolean;
	/** A program without which it is skipped. */
	readonly needs?: string;
	/** In a page, but no command for a figure, or one of which another row has a shorter form. */
	readonly covers?: readonly string[];
}

const commands: readonly Command[] = [
	{
		command: "npm run bench -- numbers",
		small: "--small",
		prints: /`isAllowed`, one URL a call: README [\d.]+ .+; this run [\d.]+/,
		covers: ["npm run bench"],
	},
	{
		command: "npm run bench -- strings",
		small: "--small",
		prints: /robots-parser: README [\d.]+ .+; this run [\d.]+/,
	},
	{
		command: "npm run bench -- URLs",
		small: "--small",
		prints: /site by site: README .+; this run [\d.]+/,
	},
	{
		command: "npm run bench -- index",
		small: "--small",
		prints: /shuffled: README .+; this run [\d.]+/,
	},
	{
		command: "npm run bench -- hostile",
		small: "--small",
		prints: /worst rules we know: README .+; this run [\d.]+/,
	},
	{
		command: "npm run bench -- parse",
		small: "--small",
		prints: /robotrie parse \+ compile/,
	},
	{
		command: "npm run bench -- processes",
		small: "--small",
		prints: /first verdict, fresh processes/,
	},
	{
		command: "npm run bench -- profile",
		small: "--small",
		prints: /cutting the file into records/,
	},
	{
		command: "npm run bench -- worst",
		small: "--small",
		prints: /attacks tried from seed 1/,
	},
	{
		command: "npm run bench -- encodings",
		small: "--small",
		prints: /\d+ bytes for matchers, \d+ for an index/,
	},
	{
		command: "npm run bench -- duckdb",
		small: "--small",
		prints: /DuckDB, \d+ URLs/,
	},
	{
		command: "npm run bench -- generated",
		small: "--small",
		prints: /real\/generated\ncorpus paths/,
	},
	{
		command: "npm run bench -- live",
		small: "--sets 100 --rounds 1",
		prints: /all verdicts right/,
	},
	{
		command: "npm run bench -- scheduler",
		small: "--minutes 0.05 --sites 200",
		prints: /verdicts, all right/,
	},
	{
		command: "npm run bench:audit",
		small: "-- --size 5",
		prints: /real lines, again and again/,
		needs: "/usr/bin/time",
	},
	{
		command: "npm run bench:browser",
		small: "-- --rounds 1 --only chromium",
		prints: /saved as/,
		needs: process.env.CHROMIUM ?? "/usr/bin/chromium",
	},
	{
		command: "npm run bench:crawl",
		small: "-- --origins 20 --urls 200",
		prints: /every verdict was right/,
	},
	{
		command: "npm run bench:index",
		small: "-- --sites 200 --origins 400 --urls 2 --rounds 1",
		prints: /saved as/,
	},
	{
		command: "npm run bench -- sizes",
		small: "--small",
		prints: /^\| rfc9309 \| two rules \| 1000 \| 1000 \| \d+ \| \d+ \|/m,
	},
	{
		command: "npm run bench -- curves",
		small: "--small",
		prints: /^origins +\d+ +[\d.]+ ns a URL, neighbour/m,
	},
	{
		command: "npm run bench:mixture",
		small: "-- --connections 50",
		prints: /HTTP\/2: all gauges are 0/,
	},
	{
		command: "npm run bench:service",
		small: "-- --sites 20 --seconds 1",
		prints: /`GET \/allowed` at half of that/,
	},
	{
		command: "npm run bench:peers",
		small: "-- --sites 20 --rounds 1 --processes 1 --patience 2 --strict",
		prints: /^\| robotrie matchLines .*\| 0 \/ 0 \|/m,
		whole: true,
	},
	{ command: "npm run growth", small: "-- --small", prints: /saved as/ },
	{
		command: "npm run growth -- turns",
		small: "--small",
		prints: /saved as/,
	},
];

const distOf = ({ folder }: { readonly folder: string }) =>
	join(folder, "dist");

const pages = [
	"README.md",
	...readdirSync(join(root, "docs"))
		.filter((name) => name.endsWith(".md"))
		.map((name) => `docs/${name}`),
];

test("are all that the pages name", () => {
	const known = commands.flatMap(({ command, covers = [] }) => [
		command,
		...covers,
	]);
	const named = pages.flatMap((page) =>
		[
			...readFileSync(join(root, page), "utf8").matchAll(
				/npm run (?:bench(?::\w+)?|growth)\b(?: -- \w+)?/g,
			),
		].map(([command]) => command),
	);
	expect(named.length).toBeGreaterThan(10);
	expect([...new Set(named)].filter((one) => !known.includes(one))).toEqual([]);
});

describe("In a clone without ../shared", () => {
	const folder = mkdtempSync(join(tmpdir(), "robotrie-clone-"));
	const clone = join(folder, "robotrie");
	afterAll(() => rmSync(folder, { recursive: true, force: true }));

	beforeAll(() => {
		// What is not committed yet comes along.
		execFileSync("git", ["clone", "--quiet", "--no-hardlinks", root, clone]);
		const changed = execFileSync("git", ["diff", "HEAD", "--binary"], {
			cwd: root,
			maxBuffer: 2 ** 28,
		});
		if (changed.length > 0)
			execFileSync("git", ["apply"], { cwd: clone, input: changed });
		// Packages as installed here, but for our own, which are the clone's.
		const installed = join(root, "node_modules");
		const linked = join(clone, "node_modules");
		mkdirSync(join(linked, "@robotrie"), { recursive: true });
		for (const name of readdirSync(installed))
			if (!/^@?robotrie$/.test(name))
				symlinkSync(join(installed, name), join(linked, name));
		symlinkSync(clone, join(linked, "robotrie"));
		for (const name of readdirSync(join(installed, "@robotrie")))
			symlinkSync(
				join(clone, "packages", name),
				join(linked, "@robotrie", name),
			);
		// What is built here is up to date, and so it is there.
		for (const name of ["build", ...packages.map(distOf)])
			if (existsSync(join(root, name)))
				cpSync(join(root, name), join(clone, name), {
					recursive: true,
					filter: (path) => !/-venv|python-wheel/.test(path),
				});
	}, 600_000);

	// As many at a time as there are cores: nothing here looks at times.
	test.concurrent.each(commands)(
		"$command $small",
		async ({ command, ...rest }) => {
			const { small, prints, needs, whole } = rest;
			if (whole && process.env.ROBOTRIE_ALL !== "1") {
				console.log(`skipped: ${command}: it runs with ROBOTRIE_ALL=1`);
				return;
			}
			if (needs && !existsSync(needs)) {
				console.log(`skipped: ${command}: ${needs} is not there`);
				return;
			}
			// What is built stays: each command would build it again.
			const { status, output } = await run(`${command} ${small}`);
			console.log(`${command} ${small}\n${output.slice(-6000)}`);
			expect(output).toMatch(prints);
			expect(status).toBe(0);
		},
		900_000,
	);

	/** The script of package.json without its build. */
	function run(
		line: string,
	): Promise<{ status: number | null; output: string }> {
		const [, , name = "", ...args] = line.split(" ");
		const { scripts } = JSON.parse(
			readFileSync(join(clone, "package.json"), "utf8"),
		) as { scripts: Record<string, string> };
		const script = (scripts[name] ?? "").replace(
			/^npm run --silent build && /,
			"",
		);
		const given = args.filter((one) => one !== "--");
		return new Promise((resolve) => {
			const child = spawn([script, ...given].join(" "), {
				cwd: clone,
				shell: true,
				env: {
					...process.env,
					PATH: `${join(clone, "node_modules/.bin")}:${process.env.PATH}`,
				},
			});
			let output = "";
			for (const stream of [child.stdout, child.stderr])
				stream.on("data", (text) => {
					output += text;
				});
			child.on("close", (status) => resolve({ status, output }));
		});
	}

	test("they leave nothing behind that git would see", () => {
		const { stdout } = spawnSync("git", ["status", "--short"], {
			cwd: clone,
			encoding: "utf8",
		});
		expect(
			stdout
				.split("\n")
				.filter((line) => line.startsWith("??") && !/node_modules/.test(line)),
		).toEqual([]);
	});
});
