// Bundles the day of a scheduler, and runs it: npm run bench -- scheduler --minutes 10 --sites 50000
import { execFileSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { build } from "rolldown";
import { wasmText } from "./wasm-text.mjs";

process.chdir(fileURLToPath(new URL("..", import.meta.url)));

const file = "build/bench/scheduler.mjs";
await build({
	input: "bench/scheduler-run.ts",
	platform: "node",
	external: (id) => !/^[./\0]/.test(id) && !id.endsWith(".wasm"),
	plugins: [wasmText()],
	output: { file, format: "esm", codeSplitting: false },
});
try {
	execFileSync(
		process.execPath,
		["--expose-gc", file, ...process.argv.slice(2)],
		{ stdio: "inherit" },
	);
} catch (error) {
	process.exit(error.status ?? 1);
}
