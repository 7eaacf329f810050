// Bundles the benchmark and runs it: npm run bench -- index
// runs only the cases with "index" in their names.
import { execFileSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { bundleSources } from "./bundle-sources.mjs";
import { command } from "./command.mjs";

process.chdir(fileURLToPath(new URL("..", import.meta.url)));

// For everything that is started from here, whatever its own options are.
const small = process.argv.indexOf("--small");
if (small > 0) {
	process.argv.splice(small, 1);
	process.env.ROBOTRIE_BENCH_SMALL = "1";
}

// These take their own options, and minutes.
if (
	[
		"scheduler",
		"live",
		"profile",
		"worst",
		"duckdb",
		"encodings",
		"generated",
		"sizes",
		"curves",
	].includes(process.argv[2])
) {
	await import("./bench-alone.mjs");
	process.exit();
}

const [word] = command(
	"npm run bench --",
	`Runs the benchmark; with a word, only the cases whose names contain it.
"numbers" stands for README's figures. Nine words stand for benchmarks of their own: live, scheduler, profile, worst, encodings, generated, sizes, curves (which take --help) and duckdb.`,
)
	.argument("[word]")
	.option(
		"--small",
		"everything on little: only shows that it works; also with the nine words",
	)
	.parse().args;

const bundle = (input, file) =>
	// The rest is bundled in what is published, too.
	bundleSources(input, file, {
		external: ["commander", "robots-parser", "robots-txt-guard", "tinybench"],
	});

// What the benchmark starts as processes of their own.
await bundle("bench/child.ts", "build/bench/child.mjs");
const outfile = "build/bench/run.mjs";
await bundle("bench/run.ts", outfile);
try {
	execFileSync(
		process.execPath,
		["--expose-gc", outfile, ...(word ? [word] : [])],
		{ stdio: "inherit" },
	);
} catch (error) {
	process.exit(error.status ?? 1);
}
