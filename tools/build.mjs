// Builds everything: the modules in their variants, the packages as bundles with declarations. "--tests" adds the modules' debug build.
import { copyFileSync, existsSync, rmSync } from "node:fs";
import { availableParallelism } from "node:os";
import { fileURLToPath } from "node:url";
import pLimit from "p-limit";
import { bundle } from "./bundle.mjs";
import { packages } from "./packages.mjs";
import { checkPatterns, compileModule } from "./wasm-module.mjs";

process.chdir(fileURLToPath(new URL("..", import.meta.url)));

const MAIN = ["assembly/index.ts", "robotrie"];
const INDEX = ["assembly/robots-index.ts", "robotrie-index"];
const everywhere = [
	MAIN,
	INDEX,
	// Those of other packages: robotrie-audit.
	...packages
		.filter(({ folder }) => folder !== ".")
		.map(({ folder, about }) => [
			`${folder}/assembly/index.ts`,
			about.name.slice(1).replace("/", "-"),
		])
		.filter(([entry]) => existsSync(entry)),
	// The benchmark's lower bounds.
	["assembly/controls.ts", "controls"],
];
const modules = [
	...everywhere.map((module) => [...module, "simd"]),
	["assembly/shared-index.ts", "robotrie-index", "shared"],
	// For the playground, which steps through byte-code.
	[...MAIN, "traced"],
];
if (process.argv.includes("--tests")) {
	modules.push(...everywhere.map((module) => [...module, "debug"]));
	// Parts by themselves, for test/units.
	for (const target of ["debug", "simd", "shared"])
		modules.push(["assembly/test-exports.ts", "units", target]);
}

for (const { folder } of packages)
	rmSync(`${folder}/dist`, { recursive: true, force: true });
const limit = pLimit(availableParallelism());
if (process.stderr.isTTY) console.error("Compiling the WebAssembly modules…");
const functions = await Promise.all(
	modules.map((module) => limit(() => compileModule(...module))),
);
checkPatterns(functions.flat());
if (process.stderr.isTTY) console.error("Bundling the packages…");
await bundle();
for (const [, name] of [MAIN, INDEX])
	copyFileSync(`build/${name}.simd.wasm`, `dist/${name}.simd.wasm`);
