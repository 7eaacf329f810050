// Bundles the benchmark of `robotrie index` and `match --index`, and runs it: npm run bench:index -- --origins 1000000
import { execFileSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { build } from "rolldown";
import { wasmText } from "./wasm-text.mjs";

process.chdir(fileURLToPath(new URL("..", import.meta.url)));

const file = "build/bench/index-bulk.mjs";
await build({
	input: "bench/index-bulk.ts",
	platform: "node",
	external: (id) => !/^[./\0]/.test(id) && !id.endsWith(".wasm"),
	plugins: [wasmText()],
	output: { file, format: "esm", codeSplitting: false },
});
try {
	execFileSync(process.execPath, [file, ...process.argv.slice(2)], {
		stdio: "inherit",
	});
} catch (error) {
	process.exit(error.status ?? 1);
}
