// Times `robotrie audit` over logs of 1 GB against what else reads logs, all in one run. Needs GNU time and 5 GB in the folder for
// temporary files; with --size <MB> the logs are smaller. Without ../shared/corpus the lines are those of sample/access.log.
import { spawnSync } from "node:child_process";
import {
	closeSync,
	mkdtempSync,
	openSync,
	readFileSync,
	readSync,
	rmSync,
	statSync,
	writeFileSync,
	writeSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { asJson, manyAgents, readCorpus } from "./audit-logs.mjs";
import { amount, command } from "./command.mjs";
import { storeResult } from "./store-result.mjs";

process.chdir(fileURLToPath(new URL("..", import.meta.url)));

const { size } = command(
	"npm run bench:audit --",
	"Times robotrie audit against what else reads logs.",
)
	.option("--size <megabytes>", "of each log", amount, 1000)
	.parse()
	.opts();
const SIZE = size * 1e6;
const ROBOTS = "sample/robots.txt";
const SCRIPT = "bench/audit-script.mjs";
const ROUNDS = 3;
const { corpus, isReal, oneCopy } = readCorpus();

/** The first line that a program says about itself, or nothing where there is none. */
const version = (command) =>
	spawnSync(command, ["--version"], { encoding: "utf8" }).stdout?.split(
		"\n",
	)[0];
if (version("/usr/bin/time") === undefined) {
	process.stderr.write("/usr/bin/time is not there: install GNU time\n");
	process.exit(2);
}
const goaccess = version("goaccess");
if (goaccess === undefined)
	process.stderr.write("skipped: goaccess is not installed\n");
const folder = mkdtempSync(join(tmpdir(), "robotrie-bench-"));

/** Writes blocks from `next` until the file has SIZE bytes. */
function writeLog(name, next) {
	const path = join(folder, name);
	const file = openSync(path, "w");
	for (let size = 0; size < SIZE; ) size += writeSync(file, next());
	closeSync(file);
	return path;
}

const json = (text) => JSON.parse(text);
const robotrie = (log, ...options) => [
	process.execPath,
	"packages/cli/main.js",
	"audit",
	"--robots",
	ROBOTS,
	"--output",
	"json",
	...options,
	log,
];
const countsOf = (text) => {
	const { lines, judged, crawlers } = json(text);
	return {
		lines,
		requests: judged,
		disallowed: crawlers.reduce((sum, each) => sum + each.disallowed, 0),
	};
};

/** A tenth of the log, to the line, for what is very slow. */
function tenthOf(log) {
	const bytes = Buffer.alloc(SIZE / 10);
	const file = openSync(log, "r");
	readSync(file, bytes);
	closeSync(file);
	const path = join(folder, "tenth.log");
	writeFileSync(path, bytes.subarray(0, bytes.lastIndexOf("\n") + 1));
	return path;
}

/** Each with the rounds it is run for, and what its output says. */
const engines = (log, isJson) => [
	{
		name: "wc -l",
		command: ["wc", "-l", log],
		rounds: ROUNDS,
		counts: (text) => ({ lines: Number.parseInt(text, 10) }),
	},
	{
		name: "LC_ALL=C grep -c bot",
		command: ["grep", "-c", "bot", log],
		rounds: ROUNDS,
		counts: (text) => ({ matches: Number(text) }),
	},
	{
		name: "robotrie audit --workers 1",
		command: robotrie(log, "--workers", "1"),
		rounds: ROUNDS,
		counts: countsOf,
	},
	{
		name: "robotrie audit",
		command: robotrie(log),
		rounds: ROUNDS,
		counts: countsOf,
	},
	{
		name: "robotrie audit --workers 1 --each",
		command: robotrie(
			log,
			"--workers",
			"1",
			"--each",
			join(folder, "rows.ndjson"),
		),
		rounds: 1,
		counts: countsOf,
	},
	...(isJson ? [] : others(log)),
];

/** Those that read one format only. */
const others = (log) => [
	...(goaccess === undefined
		? []
		: [
				{
					name: "goaccess, HTML report",
					command: [
						"goaccess",
						log,
						"--log-format=COMBINED",
						"--no-progress",
						"-o",
						join(folder, "goaccess.html"),
					],
					rounds: 1,
					counts: () => ({}),
				},
			]),
	...[
		["lines", "readline, nothing done with the lines"],
		["known", "readline + robots-parser, headers remembered, crawlers only"],
		["plain", "readline + robots-parser, isbot, every line"],
	].map(([way, name]) => ({
		name,
		command: [process.execPath, SCRIPT, way, ROBOTS, log],
		rounds: 1,
		counts: json,
	})),
	{
		name: "readline + robots-parser, patterns of crawler-user-agents, every line (a tenth of the log, times 10)",
		command: [process.execPath, SCRIPT, "patterns", ROBOTS, tenthOf(log)],
		rounds: 1,
		times: 10,
		counts: () => ({}),
	},
];

/** Seconds, CPU seconds and MB of one run. */
function time(command) {
	const report = join(folder, "time");
	const { status, stdout, stderr } = spawnSync(
		"/usr/bin/time",
		["-o", report, "-f", "%e %U %S %M", ...command],
		{
			encoding: "utf8",
			maxBuffer: 1e9,
			env: { ...process.env, LC_ALL: "C" },
		},
	);
	if (status !== 0) throw new Error(`${command.join(" ")}: ${stderr}`);
	const [wall, user, system, kilobytes] = readFileSync(report, "utf8")
		.trim()
		.split("\n")
		.at(-1)
		.split(" ")
		.map(Number);
	return { wall, cpu: user + system, megabytes: kilobytes / 1024, stdout };
}

function median(values) {
	const sorted = values.toSorted((a, b) => a - b);
	return sorted[Math.floor(sorted.length / 2)];
}

/** Fails unless an audit of so many copies of the lines counts that many times what one comes to. */
function assertCounts(log, copies) {
	const counted = countsOf(time(robotrie(log)).stdout);
	for (const [what, count] of Object.entries(oneCopy))
		if (counted[what] !== copies * count)
			throw new Error(
				`${log}: ${counted[what]} ${what}, not ${copies * count}`,
			);
}

/** Rounds of all engines in turn, so that what disturbs one disturbs them all. */
function compare(log, isJson) {
	const megabytes = statSync(log).size / 1e6;
	const runs = engines(log, isJson).map((engine) => ({
		...engine,
		results: [],
	}));
	for (let round = 0; round < ROUNDS; round++)
		for (const run of runs)
			if (round < run.rounds) run.results.push(time(run.command));
	return runs.map(({ name, results, counts, times = 1 }) => {
		const seconds = times * Math.min(...results.map(({ wall }) => wall));
		return {
			name,
			seconds,
			medianSeconds: times * median(results.map(({ wall }) => wall)),
			cpuSeconds: times * Math.min(...results.map(({ cpu }) => cpu)),
			megabytesPerSecond: Math.round(megabytes / seconds),
			memory: Math.round(Math.max(...results.map((each) => each.megabytes))),
			rounds: results.length,
			counts: counts(results[0].stdout),
		};
	});
}

function show(title, rows) {
	const one = rows.find(({ name }) => name.endsWith("--workers 1"));
	console.log(`\n${title}\n`);
	console.log(
		"| | s (median) | CPU s | MB/s | MB of memory | CPU time, ratio |",
	);
	console.log("|---|---|---|---|---|---|");
	for (const row of rows)
		console.log(
			`| ${row.name} | ${row.seconds.toFixed(2)} (${row.medianSeconds.toFixed(2)}) | ${row.cpuSeconds.toFixed(2)} | ${row.megabytesPerSecond} | ${row.memory} | ${(row.cpuSeconds / one.cpuSeconds).toFixed(2)} |`,
		);
	for (const row of rows) {
		const { lines } = row.counts;
		if (lines !== undefined && lines !== one.counts.lines)
			throw new Error(`${row.name} read ${lines} lines`);
	}
}

try {
	const results = {};
	for (const [name, next] of [
		["real lines, again and again", () => corpus],
		["20,000 User-Agent headers", manyAgents(corpus)],
		["real lines as JSON", asJson(corpus)],
	]) {
		const log = writeLog("access.log", next);
		const { size } = statSync(log);
		if (next() === corpus) assertCounts(log, size / corpus.length);
		results[name] = compare(log, name.endsWith("JSON"));
		show(name, results[name]);
		rmSync(log);
	}
	const stored = {
		grep: version("grep"),
		goaccess,
		megabytes: SIZE / 1e6,
		results,
	};
	// Shorter logs, and those of made-up lines, are for whoever asked.
	const part = [
		...(SIZE < 1e9 ? [SIZE / 1e6] : []),
		...(isReal ? [] : ["sample"]),
	].join("-");
	console.log(`\nsaved as ${storeResult("audit", stored, part)}`);
} finally {
	rmSync(folder, { recursive: true, force: true });
}
