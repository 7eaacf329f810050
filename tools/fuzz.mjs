// Bundles the fuzzer and runs it:
// npm run fuzz -- --minutes 60
import { spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { bundleSources } from "./bundle-sources.mjs";
import { amount, command, count } from "./command.mjs";

process.chdir(fileURLToPath(new URL("..", import.meta.url)));
const { minutes, ...others } = command(
	"npm run fuzz --",
	"Runs test/fuzz: new inputs, new cases.",
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

const file = "build/fuzz/run.mjs";
await bundleSources("test/fuzz/run.ts", file);
const { status } = spawnSync(
	process.execPath,
	[file, "--minutes", String(minutes), ...args],
	{ stdio: "inherit" },
);
process.exitCode = status ?? 1;
