// Bundles the worker to dist, the WebAssembly beside it. `wrangler` and other tools for workers do this by themselves.
import { copyFileSync, mkdirSync } from "node:fs";
import { basename } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";

mkdirSync("dist", { recursive: true });
await build({
	entryPoints: ["worker.js"],
	outdir: "dist",
	bundle: true,
	format: "esm",
	conditions: ["workerd"],
	plugins: [
		{
			name: "wasm-beside",
			setup: ({ onResolve }) =>
				onResolve({ filter: /\.wasm\?module$/ }, ({ path }) => {
					const file = basename(path, "?module");
					const source = import.meta.resolve(`robotrie/${file}`);
					copyFileSync(fileURLToPath(source), `dist/${file}`);
					return { path: `./${file}`, external: true };
				}),
		},
	],
});
