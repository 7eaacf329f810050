// Builds everything: the modules in their variants, the packages as bundles with
// declarations. "--tests" adds the modules' debug build.
import { copyFileSync, rmSync } from "node:fs";
import { availableParallelism } from "node:os";
import { fileURLToPath } from "node:url";
import pLimit from "p-limit";
import { bundle, PACKAGES } from "./bundle.mjs";
import { checkPatterns, compileModule } from "./wasm-module.mjs";

process.chdir(fileURLToPath(new URL("..", import.meta.url)));

/** Tells a person who waits what is being done. */
const progress = (text) => {
	if (process.stderr.isTTY) console.error(text);
};

for (const folder of PACKAGES)
	rmSync(`${folder}/dist`, { recursive: true, force: true });
const targets = process.argv.includes("--tests") ? ["simd", "debug"] : ["simd"];
const modules = [
	...targets.flatMap((target) => [
		["assembly/index.ts", "robotrie", target],
		["assembly/robots-index.ts", "robotrie-index", target],
		// Nobody asks for it as a file.
		["packages/audit/assembly/index.ts", "robotrie-audit", target],
		// The benchmark's lower bounds.
		["assembly/controls.ts", "controls", target],
	]),
	["assembly/shared-index.ts", "robotrie-index", "shared"],
	// For the playground, which steps through byte-code.
	["assembly/index.ts", "robotrie", "traced"],
	// Parts by themselves, for test/units.
	...(targets.includes("debug")
		? ["debug", "simd", "shared"].map((target) => [
				"assembly/test-exports.ts",
				"units",
				target,
			])
		: []),
];
progress("Compiling the WebAssembly modules…");
const limit = pLimit(availableParallelism());
const functions = await Promise.all(
	modules.map((args) => limit(() => compileModule(...args))),
);
checkPatterns(functions.flat());

progress("Bundling the packages…");
await bundle();
for (const name of ["robotrie", "robotrie-index"])
	copyFileSync(`build/${name}.simd.wasm`, `dist/${name}.simd.wasm`);
