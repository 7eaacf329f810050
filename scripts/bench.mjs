// Bundles the benchmark twice, over the SIMD and the scalar build of the module, and runs both.
import { execFileSync } from "node:child_process";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import { wasmText } from "./wasm-text.mjs";

process.chdir(fileURLToPath(new URL("..", import.meta.url)));

const onlyScalar = {
	name: "only-scalar",
	setup(bundle) {
		bundle.onResolve({ filter: /\.simd\.wasm$/ }, ({ path, resolveDir }) => ({
			path: join(resolveDir, path.replace(".simd.", ".scalar.")),
		}));
	},
};

for (const variant of ["simd", "scalar"]) {
	const outfile = `build/bench/run-${variant}.mjs`;
	await build({
		entryPoints: ["bench/run.ts"],
		outfile,
		bundle: true,
		format: "esm",
		platform: "node",
		target: "es2022",
		conditions: ["import"],
		external: ["robots-parser", "tinybench"],
		plugins: variant === "scalar" ? [onlyScalar, wasmText] : [wasmText],
	});
	execFileSync(
		process.execPath,
		["--expose-gc", outfile, ...(variant === "scalar" ? ["--scalar"] : [])],
		{ stdio: "inherit" },
	);
}
