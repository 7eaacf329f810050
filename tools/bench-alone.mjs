// Bundles a benchmark that is run by itself, NAME-run.ts, and runs it: npm run bench -- scheduler --minutes 10, npm run bench -- live,
// npm run bench:crawl -- --origins 10000, npm run bench:index -- --origins 1000000
import { execFileSync } from "node:child_process";
import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { bundleSources } from "./bundle-sources.mjs";
import { compileModule } from "./wasm-module.mjs";

process.chdir(fileURLToPath(new URL("..", import.meta.url)));

const name = process.argv[2];
/** The stages of judging, each called once for 8 KiB of lines: a profile tells them apart where they are not inlined. */
const STAGES = [
	...["runPrefixes", "matchUnanchored", "matchSlowLines", "writeVerdicts"].map(
		(name) => `match/batch/${name}`,
	),
	"match/path-spans/readPaths",
	"url/lines/indexLines",
];

// A profile names functions of the module, whose code is the same but for these. Help needs none.
const isProfile = name === "profile" && !process.argv.includes("--help");
if (isProfile)
	await Promise.all([
		compileModule("assembly/index.ts", "robotrie", "simd", "named", STAGES),
		compileModule(
			"assembly/robots-index.ts",
			"robotrie-index",
			"simd",
			"named",
		),
		// The benchmark's lower bounds come along.
		compileModule("assembly/controls.ts", "controls", "simd", "named"),
	]);
const file = `build/bench/${name}.mjs`;
const folder = ["bench", "bench/peers", "packages/client/bench"].find((one) =>
	existsSync(`${one}/${name}-run.ts`),
);
await bundleSources(
	`${folder}/${name}-run.ts`,
	file,
	isProfile ? { variant: "named" } : {},
);
try {
	execFileSync(
		process.execPath,
		["--expose-gc", file, ...process.argv.slice(3)],
		{ stdio: "inherit" },
	);
} catch (error) {
	process.exit(error.status ?? 1);
}
