// Compiles AssemblyScript to the modules in build/: the compiler makes plain code of it, which Binaryen's wasm-opt then optimises with
// settings that the compiler does not have. The build, benchmarks and mutation call it.
import { execFile } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import pLimit from "p-limit";
import { packages } from "./packages.mjs";
import { Part } from "./stale.mjs";

const run = promisify(execFile);

/**
 * The compiler's own Binaryen, a nightly build that it pins: releases of Binaryen follow months later, and code of one version optimised by
 * another was never tried by either.
 */
const compiler = createRequire(import.meta.url).resolve(
	"assemblyscript/package.json",
);
const wasmOpt = createRequire(compiler)
	.resolve("binaryen/package.json")
	.replace("package.json", "bin/wasm-opt");

/** The compiler has state of its own while it compiles. */
const alone = pLimit(1);

/** Patterns, "assembly/" left out. */
const notInlined = readFileSync(
	new URL("no-inline.txt", import.meta.url),
	"utf8",
)
	.split("\n")
	.filter((line) => line !== "" && !line.startsWith("#"));

/** Against plain -O3: bulk matching takes 12% less time, an index's 10%, compiling 3%. */
const FAST =
	"-O3 --always-inline-max-function-size=12 --flexible-inline-max-function-size=80 --one-caller-inline-max-function-size=3000 --inline-functions-with-loops --converge";
/** Imported memory could hold anything; the pool's does not. */
const OPTIONS = {
	simd: `--enable-simd ${FAST}`,
	shared: `--enable-simd --enable-threads --zero-filled-memory ${FAST}`,
	traced: "--enable-simd -Oz",
};
const FEATURES =
	"--enable-bulk-memory --enable-mutable-globals --enable-nontrapping-float-to-int --enable-sign-ext";

/** A pattern that names nothing does nothing, and wasm-opt says nothing: a function that was renamed would be inlined again. */
export function checkPatterns(functions) {
	const names = functions.join("\n");
	const idle = notInlined.filter((pattern) => {
		const name = pattern.replaceAll("*", ".*");
		return !new RegExp(`^assembly/${name}$`, "m").test(names);
	});
	if (idle.length > 0)
		throw new Error(
			`tools/no-inline.txt names functions that no module has: ${idle.join(", ")}`,
		);
}

/**
 * Compiles a module to build/, and returns its functions' names; every target but "debug" is then optimised, "traced" for size. As
 * "named", functions keep their names. `apart` are more functions that are not inlined.
 */
export async function compileModule(
	entry,
	name,
	target,
	variant = target,
	apart = [],
) {
	const outFile = `build/${name}.${variant}.wasm`;
	// In this process: once V8 has optimised the compiler, a module takes a fifth of the CPU time that a process of its own would take.
	const flags = `--config asconfig.json --target ${target} --outFile`.split(
		" ",
	);
	// Loaded where it is needed: whether anything is stale is asked before each run of tests.
	const { error, stderr } = await alone(async () => {
		const { default: asc } = await import("assemblyscript/asc");
		return asc.main([entry, ...flags, outFile]);
	});
	if (error) throw new Error(`${entry} does not compile: ${stderr}`);
	const options = OPTIONS[target];
	if (!options) return [];
	// It runs too short for V8 to gain by optimising its code: half the time without.
	const { stdout } = await run(process.execPath, [
		"--liftoff-only",
		wasmOpt,
		...`${outFile} --output ${outFile} ${FEATURES}`.split(" "),
		// Before anything is inlined: a line of its index and its name for each function.
		"--print-function-map",
		...[...notInlined, ...apart].map(
			(pattern) => `--no-inline=assembly/${pattern}`,
		),
		...options.split(" "),
		variant === "named" ? "--debuginfo" : "--strip-debug",
	]);
	return stdout.split("\n").map((line) => line.replace(/^\d+:/, ""));
}

const MAIN = ["assembly/index.ts", "robotrie"];
const everywhere = [
	MAIN,
	["assembly/robots-index.ts", "robotrie-index"],
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

/** The files that a module is compiled from. */
export function sourcesOf(entry, found = new Set()) {
	if (found.has(entry)) return found;
	found.add(entry);
	const source = readFileSync(entry, "utf8");
	for (const [, path] of source.matchAll(/from "(\.[^"]+)"/g))
		sourcesOf(`${join(dirname(entry), path)}.ts`, found);
	return found;
}

/** Parts of the build: all modules in their variants, for tests the debug build as well. Making one gives its functions' names. */
export function moduleParts(forTests) {
	const modules = [
		...everywhere.map((module) => [...module, "simd"]),
		["assembly/shared-index.ts", "robotrie-index", "shared"],
		// For the playground, which steps through byte-code.
		[...MAIN, "traced"],
	];
	if (forTests) {
		modules.push(...everywhere.map((module) => [...module, "debug"]));
		// Parts by themselves, for test/units.
		for (const target of ["debug", "simd", "shared"])
			modules.push(["assembly/test-exports.ts", "units", target]);
	}
	return modules.map(
		([entry, name, target]) =>
			new Part({
				name: `${name}.${target}`,
				inputs: () => [
					...sourcesOf(entry),
					"asconfig.json",
					"tools/no-inline.txt",
					"tools/wasm-module.mjs",
				],
				outputs: [`build/${name}.${target}.wasm`],
				make: () => compileModule(entry, name, target),
			}),
	);
}
