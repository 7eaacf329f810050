import { execFileSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import type { FirstPass } from "./first-verdict.ts";

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

/** A job as fresh processes do it, the best of several; times in milliseconds, memory in bytes. */
export interface ProcessResult {
	readonly name: string;
	/** From bytes of robots.txt to judges of all sites. */
	readonly msFirst: number;
	/** User and system time of a process that also judges every URL once. */
	readonly msCpu: number;
	readonly growth: number;
}

/** Milliseconds from the start of a process to its end, of several runs. */
export interface StartUp {
	readonly name: string;
	readonly msBest: number;
	readonly msMedian: number;
}

const RUNS = 7;
const JOBS = ["read only", "robotrie", "robotrie index", "robots-parser"];

export function measureProcesses(): ProcessResult[] {
	const first = new Map<string, FirstPass[]>();
	const cold = new Map<string, FirstPass[]>();
	for (let run = 0; run < RUNS; run++) {
		process.stderr.write(`fresh processes, ${run + 1} of ${RUNS} …\n`);
		for (const name of JOBS) {
			note(first, name, inChild<FirstPass>("first", name));
			// It takes a second, in which nothing is learnt from a seventh time.
			if (name !== "robots-parser" || run < 3)
				note(cold, name, inChild<FirstPass>("cold", name));
		}
	}
	return JOBS.map((name) => ({
		name,
		msFirst: least(first.get(name), ({ ms }) => ms),
		msCpu: least(cold.get(name), ({ msCpu }) => msCpu),
		growth: least(first.get(name), ({ growth }) => growth),
	}));
}

function note(
	all: Map<string, FirstPass[]>,
	name: string,
	pass: FirstPass,
): void {
	const passes = all.get(name) ?? [];
	passes.push(pass);
	all.set(name, passes);
}

function least(
	passes: readonly FirstPass[] = [],
	of: (pass: FirstPass) => number,
): number {
	return Math.min(...passes.map(of));
}

const LINES = Array.from({ length: 100 }, (_, i) => `/page/${i}\n`).join("");

/** Processes in turn, each against `node -e 0`. */
export function measureStartUp(): StartUp[] {
	const commands: readonly (readonly [string, ...string[]])[] = [
		["node -e 0", "-e", "0"],
		["an empty module", "--input-type=module", "-e", ""],
		[
			"import robotrie",
			"--input-type=module",
			"-e",
			'await import("./dist/index.js")',
		],
		["robotrie --version", "dist/cli.js", "--version"],
		[
			"robotrie match, 100 lines",
			"dist/cli.js",
			...["match", "--robots", "sample/robots.txt", "--agent", "GPTBot"],
		],
	];
	const times = new Map(commands.map(([name]) => [name, [] as number[]]));
	for (let run = 0; run < 3 * RUNS; run++)
		for (const [name, ...args] of commands) {
			const start = performance.now();
			execFileSync(process.execPath, args, { input: LINES, stdio: "pipe" });
			times.get(name)?.push(performance.now() - start);
		}
	return [...times].map(([name, all]) => {
		all.sort((a, b) => a - b);
		return {
			name,
			msBest: all[0] ?? 0,
			msMedian: all[all.length >> 1] ?? 0,
		};
	});
}
