import { execFileSync, spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { isSmall } from "./data.ts";
import type { ColdJob, FirstPass } from "./first-verdict.ts";
import { naiveVerdicts } from "./reference.ts";

/** Runs bench/child.ts, whose memory and threads are then its own. */
export function inChild<Result>(...job: readonly string[]): Result {
	const script = fileURLToPath(new URL("child.mjs", import.meta.url));
	const output = execFileSync(
		process.execPath,
		["--expose-gc", script, ...job],
		{
			stdio: ["ignore", "pipe", "inherit"],
			encoding: "utf8",
		},
	);
	return JSON.parse(output) as Result;
}

/** Milliseconds of several runs. */
interface Times {
	readonly best: number;
	readonly median: number;
}

/** A job as fresh processes do it. */
export interface ProcessResult {
	readonly name: string;
	/** From bytes of robots.txt to judges of all sites. */
	readonly ms: Times;
	/** User and system time of a process that also judges every URL once. */
	readonly msCpu: Times;
	/** Bytes of memory, the least of several. */
	readonly growth: number;
	/** Of those that judge, nanoseconds a URL of a first pass: nothing is warm, and nothing ran before in the process. */
	readonly nsFirst?: Times;
	/** Wrong verdicts: robotrie's would have ended the benchmark. */
	readonly wrong: number;
}

/** A process from its start to its end. */
export interface StartUp {
	readonly name: string;
	readonly ms: Times;
	/** User and system time. */
	readonly msCpu: Times;
}

const RUNS = isSmall ? 1 : 7;
const JOBS = [
	"read only",
	"robotrie",
	"robotrie isAllowed",
	"robotrie index",
	"robots-parser",
];

export function measureProcesses(): ProcessResult[] {
	const first = new Map<string, FirstPass[]>();
	const cold = new Map<string, ColdJob[]>();
	for (let run = 0; run < RUNS; run++) {
		process.stderr.write(`fresh processes, ${run + 1} of ${RUNS} …\n`);
		for (const name of JOBS) {
			note(first, name, inChild<FirstPass>("first", name));
			note(cold, name, inChild<ColdJob>("cold", name));
		}
	}
	return JOBS.map((name) => {
		const made = first.get(name) ?? [];
		const judged = cold.get(name) ?? [];
		return {
			name,
			ms: timesOf(made.map(({ ms }) => ms)),
			msCpu: timesOf(judged.map(({ msCpu }) => msCpu)),
			growth: Math.min(...made.map(({ growth }) => growth)),
			...(name === "read only"
				? {}
				: {
						nsFirst: timesOf(
							judged.map(({ msPass, urls }) => (msPass * 1e6) / urls),
						),
					}),
			wrong: Math.max(...judged.map(({ wrong }) => wrong)),
		};
	});
}

function note<One>(all: Map<string, One[]>, name: string, one: One): void {
	all.set(name, [...(all.get(name) ?? []), one]);
}

const AGENT = "GPTBot";
const LINES = Array.from({ length: 100 }, (_, i) => `/page/${i}\n`).join("");

/** Processes in turn, each against `node -e 0`. */
export function measureStartUp(): StartUp[] {
	const { version } = JSON.parse(readFileSync("package.json", "utf8")) as {
		version: string;
	};
	const robots = readFileSync("sample/robots.txt");
	const urls = LINES.trim().split("\n");
	const right = naiveVerdicts(
		{ host: "example.com", robots, urls },
		{ dialect: "rfc9309", agent: AGENT, paths: true },
	);
	const verdicts = urls
		.map((url, i) => `${right[i] ? "allowed" : "disallowed"}\t${url}\n`)
		.join("");
	const commands: readonly (readonly [
		name: string,
		stdout: string,
		...args: string[],
	])[] = [
		["node -e 0", "", "-e", "0"],
		["an empty module", "", "--input-type=module", "-e", ""],
		[
			"import robotrie",
			"",
			"--input-type=module",
			"-e",
			'await import("./dist/index.js")',
		],
		["robotrie --version", `${version}\n`, "packages/cli/main.js", "--version"],
		[
			"robotrie match, 100 lines",
			verdicts,
			"packages/cli/main.js",
			"match",
			"--robots",
			"sample/robots.txt",
			"--agent",
			AGENT,
		],
	];
	const runs = commands.map(([name, expected, ...args]) => ({
		name,
		expected,
		args: ["--require", "./bench/report-cpu.cjs", ...args],
		ms: [] as number[],
		msCpu: [] as number[],
	}));
	for (let run = 0; run < 3 * RUNS; run++)
		for (const { name, expected, args, ms, msCpu } of runs) {
			const start = performance.now();
			const { stdout, stderr, status } = spawnSync(process.execPath, args, {
				input: LINES,
				encoding: "utf8",
			});
			ms.push(performance.now() - start);
			if (status !== 0 || stdout !== expected)
				throw new Error(`${name}: ${stdout}${stderr}`);
			msCpu.push(Number(/^cpu (\d+)$/m.exec(stderr)?.[1]) / 1000);
		}
	return runs.map(({ name, ms, msCpu }) => ({
		name,
		ms: timesOf(ms),
		msCpu: timesOf(msCpu),
	}));
}

function timesOf(all: readonly number[]): Times {
	const sorted = [...all].sort((a, b) => a - b);
	return { best: sorted[0] ?? 0, median: sorted[sorted.length >> 1] ?? 0 };
}
