// Builds everything: the modules in their variants, the packages as bundles with declarations. "--tests" adds the modules' debug build.
import { copyFileSync, rmSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { bundle } from "./bundle.mjs";
import { packages } from "./packages.mjs";
import { compileModules } from "./wasm-module.mjs";

process.chdir(fileURLToPath(new URL("..", import.meta.url)));

for (const { folder } of packages)
	rmSync(`${folder}/dist`, { recursive: true, force: true });
if (process.stderr.isTTY) console.error("Compiling the WebAssembly modules…");
await compileModules(process.argv.includes("--tests"));
if (process.stderr.isTTY) console.error("Bundling the packages…");
await bundle();
for (const name of ["robotrie.simd.wasm", "robotrie-index.simd.wasm"])
	copyFileSync(`build/${name}`, `dist/${name}`);
