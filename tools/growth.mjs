// How time and memory grow with the input: every function and command that takes a file, on its worst shapes, once, twice and four
// times as large, each in a process of its own. Prints a table and stores it. npm run growth -- lint measures the cases with "lint", and
// npm run growth -- turns how long the client works on a file in one go (turn-steps.mjs); with "stores" only with stores other than its own.
import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { cases } from "./growth-cases.mjs";
import { peakMemory } from "./peak-memory.mjs";
import { storeResult } from "./store-result.mjs";
import { storeTable, turnTable } from "./turn-steps.mjs";

const own = fileURLToPath(import.meta.url);
const cli = fileURLToPath(new URL("../packages/cli/main.js", import.meta.url));
const reportMemory = fileURLToPath(
	new URL("report-memory.mjs", import.meta.url),
);
/** With --small it only shows that all of them work: but for everything at its full length, in a third as many processes. */
const isSmall =
	process.env.ROBOTRIE_BENCH_SMALL === "1" || process.argv.includes("--small");
const SCALES = isSmall && process.env.ROBOTRIE_ALL !== "1" ? [4] : [1, 2, 4];
if (isSmall) process.env.ROBOTRIE_BENCH_SMALL = "1";
const sizeOf = (size) => (isSmall ? Math.ceil(size / 100) : size);
const folder = mkdtempSync(join(tmpdir(), "robotrie-growth-"));
process.on("exit", () => rmSync(folder, { recursive: true, force: true }));

const [first = "", scale] = process.argv
	.slice(2)
	.filter((one) => one !== "--small");
if (scale !== undefined) await measure(cases[Number(first)], Number(scale));
else if (first === "turns") turnTable(isSmall);
else if (first === "stores") storeTable(isSmall);
else table(first);

/** In the process of a case: milliseconds, and MiB that it came to take more than before, as JSON. */
async function measure({ size, make, action, command }, scale) {
	const input = make(sizeOf(size) * scale);
	if (command) {
		const args = command(input)(folder);
		const started = performance.now();
		const { stderr } = spawnSync(
			process.execPath,
			["--import", reportMemory, cli, ...args],
			{
				stdio: ["ignore", "ignore", "pipe"],
				encoding: "utf8",
				timeout: 120_000,
			},
		);
		const ms = performance.now() - started;
		const memory = Number(/peak memory (\S+) MiB/.exec(stderr)?.[1]);
		console.log(JSON.stringify({ ms, memory }));
		return;
	}
	const run = action(input);
	const before = peakMemory();
	const started = performance.now();
	await run();
	const ms = performance.now() - started;
	console.log(JSON.stringify({ ms, memory: peakMemory() - before }));
}

function table(only) {
	const scales = SCALES.map((scale) => `${scale}×`).join(", ");
	console.log(
		`| call | input | ms at ${scales} | MiB at ${scales} |\n|---|---|---|---|`,
	);
	const rows = cases.flatMap(({ call, shape, size }, index) => {
		if (!`${call} ${shape}`.includes(only)) return [];
		const found = SCALES.map((scale) => {
			const { stdout, stderr } = spawnSync(
				process.execPath,
				[own, String(index), String(scale)],
				{ encoding: "utf8" },
			);
			if (!stdout) throw new Error(`${call}, ${shape}: ${stderr}`);
			return JSON.parse(stdout);
		});
		const ms = found.map((one) => one.ms);
		const mib = found.map((one) => one.memory);
		const shown = (values) =>
			values.map((value) => value.toFixed(value < 10 ? 1 : 0)).join(", ");
		console.log(
			`| ${call} | ${size.toLocaleString("en-US")} ${shape} | ${shown(ms)} | ${shown(mib)} |`,
		);
		return [{ call, shape, size, ms, mib }];
	});
	process.chdir(fileURLToPath(new URL("..", import.meta.url)));
	console.log(
		`\nsaved as ${storeResult("growth", { rows }, [only, ...(isSmall ? ["small"] : [])].filter(Boolean).join("-"))}`,
	);
}
