// Bundles the benchmark of DuckDB, and runs it: npm run bench -- duckdb
import { execFileSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { build } from "rolldown";
import { wasmText } from "./wasm-text.mjs";

process.chdir(fileURLToPath(new URL("..", import.meta.url)));

const file = "build/bench/duckdb.mjs";
await build({
	input: "bench/duckdb.ts",
	platform: "node",
	// Node 20 has no "using".
	transform: { target: "es2022" },
	external: (id) =>
		!/^(?:[./\0]|@oxc-project\/)/.test(id) && !id.endsWith(".wasm"),
	plugins: [wasmText()],
	output: { file, format: "esm", codeSplitting: false },
});
try {
	execFileSync(process.execPath, [file], { stdio: "inherit" });
} catch (error) {
	process.exit(error.status ?? 1);
}
