// Bundles the benchmark twice, over the SIMD and the scalar build of the module, and runs both: npm run bench -- index
// runs only the cases with "index" in their names.
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

const bundle = (entry, outfile, ...plugins) =>
	build({
		entryPoints: [entry],
		outfile,
		bundle: true,
		format: "esm",
		platform: "node",
		target: "es2022",
		conditions: ["import"],
		external: ["robots-parser", "tinybench"],
		plugins: [...plugins, wasmText],
	});

// What the benchmark starts as processes of their own.
await bundle("bench/child.ts", "build/bench/child.mjs");
for (const variant of ["simd", "scalar"]) {
	const outfile = `build/bench/run-${variant}.mjs`;
	const scalar = variant === "scalar";
	await bundle("bench/run.ts", outfile, ...(scalar ? [onlyScalar] : []));
	execFileSync(
		process.execPath,
		[
			"--expose-gc",
			outfile,
			...(scalar ? ["--scalar"] : []),
			...process.argv.slice(2),
		],
		{ stdio: "inherit" },
	);
}
