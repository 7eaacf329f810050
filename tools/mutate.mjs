// Breaks one place of the AssemblyScript at a time and runs the tests that can see it: what stays green is not tested.
//
//     npm run mutate -- [--file PATH[:LINE]]... [--sample N] [--seed N] [--parallel N] [--list]
//
// Without --file, the matcher, the verifiers and the tokeniser. Works on copies in a temporary folder, without ../shared, so that
// what only data beside the project shows counts as not tested. Exit code 1 when nothing was caught.
import { execFile, spawn } from "node:child_process";
import {
	cpSync,
	existsSync,
	mkdtempSync,
	readdirSync,
	readFileSync,
	rmSync,
	statSync,
	symlinkSync,
	writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import fc from "fast-check";
import pLimit from "p-limit";
import { command, count } from "./command.mjs";
import { mutantsOf } from "./mutants.mjs";
import { sourcesOf } from "./wasm-module.mjs";

const root = fileURLToPath(new URL("..", import.meta.url));
process.chdir(root);
const run = promisify(execFile);

const options = command(
	"npm run mutate --",
	"Breaks one place of the AssemblyScript at a time and runs the tests that can see it.",
)
	.option(
		"--file <path...>",
		"files, folders or file:line (default: the matcher, the verifiers and the tokeniser)",
	)
	.option("--sample <number>", "take so many of all mutants", count)
	.option("--seed <number>", "of the sample", count, 1)
	.option("--parallel <number>", "mutants at a time", count, 2)
	.option("--list", "list the mutants only")
	.parse()
	.opts();
const files = options.file ?? [
	"assembly/match",
	"assembly/sites/compact-run.ts",
	"assembly/sites/compact-verify.ts",
	"assembly/robots-txt",
];

const engine = (...names) => names.map((name) => `test/engine/${name}.test.ts`);
const scanner = (...names) =>
	names.map((name) => `packages/audit/test/scanner/${name}.test.ts`);

/** Modules, and the tests that run them: the fast ones, and what runs when those stay green. */
const modules = [
	{
		entry: "assembly/index.ts",
		name: "robotrie",
		fast: [
			...engine(
				"verify",
				"rfc9309",
				"url-paths",
				"disassembly",
				"documents",
				"columns",
			),
			"test/parse.test.ts",
			"test/diagnostics.test.ts",
			"test/explain.test.ts",
		],
		slow: engine(
			"lines",
			"nets",
			"differential",
			"hostile",
			"byte-code",
			"limits",
			"other-lines",
		),
	},
	{
		entry: "assembly/robots-index.ts",
		name: "robotrie-index",
		fast: engine("verify-compact", "index-snapshot", "robots-index", "columns"),
		slow: engine("nets", "entry-points", "hostile"),
	},
	{
		entry: "packages/audit/assembly/index.ts",
		name: "robotrie-audit",
		fast: scanner("log-formats", "header-table"),
		slow: [
			...scanner("log-cut", "log-counts"),
			...engine("nets"),
			"packages/audit/test",
		],
	},
	{
		entry: "assembly/test-exports.ts",
		name: "units",
		target: "debug",
		fast: ["test/units"],
		slow: [],
	},
];

for (const module of modules) {
	module.sources = sourcesOf(module.entry);
	for (const path of [...module.fast, ...module.slow])
		if (!existsSync(path)) throw new Error(`there is no ${path}`);
}

const filesOf = (path) =>
	statSync(path).isDirectory()
		? readdirSync(path).map((name) => `${path}/${name}`)
		: [path];

/** What files hold when the script starts: they may change while it runs. */
const sources = new Map();
function sourceOf(path) {
	if (!sources.has(path)) sources.set(path, readFileSync(path, "utf8"));
	return sources.get(path);
}

/** Mutants of a path, or of a line of it. */
function chosen(option) {
	const [, path, line] = /^(.*?)(?::(\d+))?$/.exec(option);
	return filesOf(path)
		.flatMap((file) => mutantsOf(sourceOf(file), file))
		.filter((mutant) => !line || mutant.line === Number(line));
}

const all = files.flatMap(chosen);
const size = Math.min(options.sample ?? all.length, all.length);
const [mutants] = fc.sample(
	fc.subarray(all, { minLength: size, maxLength: size }),
	{ numRuns: 1, seed: options.seed },
);
const shown = ({ path, line, column, before, text }) =>
	`${path}:${line}:${column}  ${before.slice(0, 60)}  →  ${text.trim() || "nothing"}`;
if (options.list) {
	for (const mutant of mutants) console.log(shown(mutant));
	process.exit();
}

const LINKED = ["node_modules", "dist"];

/** A copy of what the tests need: mutants do not meet, and nothing happens to the sources. */
function makeCopy() {
	const folder = mkdtempSync(join(tmpdir(), "robotrie-mutants-"));
	const copy = join(folder, "robotrie");
	for (const name of readdirSync(root))
		if (!LINKED.includes(name) && !name.startsWith("."))
			cpSync(name, join(copy, name), {
				recursive: true,
				filter: (path) => !path.endsWith("/node_modules"),
			});
	for (const name of LINKED)
		if (existsSync(name)) symlinkSync(join(root, name), join(copy, name));
	return folder;
}

/** Compiles a module of a copy, without optimising it; false when it does not compile. */
async function compile(copy, { entry }, target, outFile) {
	try {
		await run(
			process.execPath,
			[
				"node_modules/assemblyscript/bin/asc.js",
				entry,
				"--config",
				"asconfig.json",
				"--target",
				target,
				"--outFile",
				outFile,
			],
			{ cwd: copy },
		);
		return true;
	} catch {
		return false;
	}
}

/** Groups of processes that run tests. */
const running = new Set();

/** Whether all tests pass within so many seconds: a change may make a loop endless. */
function test(copy, files, seconds) {
	return new Promise((resolve) => {
		const child = spawn(
			process.execPath,
			[
				"node_modules/vitest/vitest.mjs",
				"run",
				...["simd", "host", "light"].flatMap((name) => ["--project", name]),
				"--bail",
				"1",
				"--maxWorkers",
				"1",
				"--reporter",
				"dot",
				...files,
			],
			{
				cwd: copy,
				detached: true,
				stdio: "ignore",
				env: {
					...process.env,
					// The mutant's modules, not those of the sources.
					ROBOTRIE_BUILD_AS_IS: "1",
					// A score is of what the gate's cases catch. With all cases, an endless loop is ended after half an hour.
					ROBOTRIE_ALL: "",
				},
			},
		);
		running.add(child.pid);
		const timer = setTimeout(
			() => process.kill(-child.pid, "SIGKILL"),
			seconds * 1000,
		);
		child.on("close", (code) => {
			clearTimeout(timer);
			running.delete(child.pid);
			resolve(code === 0);
		});
	});
}

/** A unit module has assertions; the others stand in place of what is published. */
const targetOf = ({ target = "simd" }) => target;
const outFileOf = (module) => `build/${module.name}.${targetOf(module)}.wasm`;

const originals = new Map();
async function compileOriginals(copy, reached) {
	for (const module of reached) {
		const outFile = outFileOf(module);
		if (!(await compile(copy, module, targetOf(module), outFile)))
			throw new Error(`${module.entry} does not compile`);
		originals.set(module.name, readFileSync(join(copy, outFile)));
	}
}

/** Puts the mutant's modules into the copy's build: those that differ, or undefined when one does not compile. */
async function build(copy, reached) {
	const differing = [];
	for (const module of reached) {
		const outFile = outFileOf(module);
		if (!(await compile(copy, module, targetOf(module), outFile)))
			return undefined;
		const compiled = readFileSync(join(copy, outFile));
		if (!compiled.equals(originals.get(module.name))) differing.push(module);
	}
	return differing;
}

const union = (lists) => [...new Set(lists.flat())];

/** "killed", "survived", or why it was not tried: "invalid" or "same code". */
async function judge(copy, mutant) {
	const { path, start, end, text } = mutant;
	const source = sourceOf(path);
	const reached = modules.filter(({ sources }) => sources.has(path));
	writeFileSync(
		join(copy, path),
		source.slice(0, start) + text + source.slice(end),
	);
	try {
		const differing = await build(copy, reached);
		if (!differing) return "invalid";
		if (differing.length === 0) return "same code";
		for (const speed of ["fast", "slow"]) {
			const files = union(differing.map((module) => module[speed]));
			if (files.length === 0) continue;
			if (!(await test(copy, files, seconds))) return "killed";
		}
		return "survived";
	} finally {
		writeFileSync(join(copy, path), source);
		for (const module of reached)
			writeFileSync(join(copy, outFileOf(module)), originals.get(module.name));
	}
}

/** How long the tests of a mutant may take: four times what they take without. */
let seconds = 0;

const folders = [];
function removeFolders() {
	for (const folder of folders)
		rmSync(folder, { recursive: true, force: true });
}
for (const signal of ["SIGINT", "SIGTERM"])
	process.once(signal, () => {
		for (const pid of running) process.kill(-pid, "SIGKILL");
		removeFolders();
		process.exit(1);
	});
const limit = pLimit(options.parallel);
const counts = { killed: 0, survived: 0, invalid: 0, "same code": 0 };
try {
	const free = Array.from({ length: options.parallel }, () => {
		const folder = makeCopy();
		folders.push(folder);
		return join(folder, "robotrie");
	});
	const reached = modules.filter(({ sources }) =>
		mutants.some(({ path }) => sources.has(path)),
	);
	await compileOriginals(free[0], reached);
	const started = performance.now();
	const files = union(reached.flatMap(({ fast, slow }) => [fast, slow]));
	if (!(await test(free[0], files, 900)))
		throw new Error("the tests fail without any change");
	seconds = 30 + (performance.now() - started) / 250;
	console.log(`${mutants.length} of ${all.length} mutants`);
	await Promise.all(
		mutants.map((mutant) =>
			limit(async () => {
				const copy = free.pop();
				const result = await judge(copy, mutant);
				free.push(copy);
				counts[result]++;
				if (result === "survived") console.log(`survived: ${shown(mutant)}`);
			}),
		),
	);
} finally {
	removeFolders();
}
const tried = counts.killed + counts.survived;
console.log(
	`caught ${counts.killed} of ${tried}; not tried: ${counts.invalid} that do not compile, ${counts["same code"]} that change no code`,
);
if (counts.killed === 0) process.exitCode = 1;
