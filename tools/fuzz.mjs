// Bundles the fuzzer over the SIMD and the scalar build of the module, and runs both, half of the time each:
// npm run fuzz -- --minutes 60
import { spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { bundleSources } from "./bundle-sources.mjs";
import { amount, command, count } from "./command.mjs";

process.chdir(fileURLToPath(new URL("..", import.meta.url)));
const { minutes, ...others } = command(
	"npm run fuzz --",
	"Runs test/fuzz over the SIMD and the scalar build, half of the time each.",
)
	.option("--minutes <number>", "how long it takes", amount, 1)
	.option("--seed <number>", "of the first round", count)
	.option("--only <name>", "one target; with --seed, one round of it")
	.option("--input <base64>", "this input alone")
	.parse()
	.opts();
const args = Object.entries(others).flatMap(([name, value]) => [
	`--${name}`,
	String(value),
]);

for (const variant of ["simd", "scalar"]) {
	const file = `build/fuzz/${variant}.mjs`;
	await bundleSources("test/fuzz/run.ts", file, variant);
	const half = String(minutes / 2);
	const { status } = spawnSync(
		process.execPath,
		[file, "--build", variant, "--minutes", half, ...args],
		{ stdio: "inherit" },
	);
	// 2: the arguments are wrong, for either build.
	if (status === 2) process.exit(2);
	if (status !== 0) process.exitCode = 1;
}
