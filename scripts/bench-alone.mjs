// Bundles a benchmark that is run by itself, and runs it: npm run bench -- scheduler --minutes 10 --sites 50000, npm run bench -- live
import { execFileSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { build } from "rolldown";
import { wasmText } from "./wasm-text.mjs";

process.chdir(fileURLToPath(new URL("..", import.meta.url)));

const name = process.argv[2];
const file = `build/bench/${name}.mjs`;
await build({
	input: `bench/${name}-run.ts`,
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
