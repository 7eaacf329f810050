// Bundles the load test of the client, and runs it: npm run bench:crawl -- --origins 10000 --urls 1000000
import { execFileSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import { wasmText } from "./wasm-text.mjs";

process.chdir(fileURLToPath(new URL("..", import.meta.url)));

const outfile = "build/bench/crawl.mjs";
await build({
	entryPoints: ["bench/crawl-run.ts"],
	outfile,
	bundle: true,
	format: "esm",
	platform: "node",
	target: "es2022",
	conditions: ["import"],
	packages: "external",
	plugins: [wasmText],
});
try {
	execFileSync(process.execPath, [outfile, ...process.argv.slice(2)], {
		stdio: "inherit",
	});
} catch (error) {
	process.exit(error.status ?? 1);
}
